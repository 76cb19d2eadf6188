/* A profile for `go tool pprof`, as Go writes it (runtime/pprof/proto.go), with
 * what only we know as labels, which -tags shows and -tagfocus finds:
 *
 *     state, state_source    what the goroutine does, and how that is known
 *     age                    minutes of waiting, where they are known
 *     age_min, age_max       the same of the group that the goroutine is in
 *     created_by             the function with the go statement
 *     created_at             its file and line
 *     leaked, locked         "true"
 *     elided                 frames that the dump left out, or "some"
 *     crashed                the crash speaks of the group; 1 = of it first
 *
 * and beside them the labels of the program itself; one that has a name of
 * ours is called "label:NAME". Comments have a mark by which we know our own
 * exports, why the process died (crash_comments.h), and what was odd about the
 * inputs. ORDER EXPORTED: format/exported.c reads all of it back.
 *
 * The addresses are made up: the model keeps none, and readers of profiles tell
 * locations apart by them. */
#include <string.h>

#include "export/crash_comments.h"
#include "export/formats.h"
#include "export/names.h"
#include "export/pieces.h"
#include "pprof/writer.h"

enum {
    ADDRESS_BITS = 4, /* made-up addresses are as far apart as calls are */
    LABELS_MOST = PIECE_LABELS + 11,
};

struct job {
    const struct export_groups *groups;
    struct profile_writer *writer;
    struct export_out *out;
    struct cprof_error *err;
    const struct export_group *group;
    uint8_t *written; /* a bit for each frame_id: its location is written */
    struct arena arena;
    uint32_t *locations; /* slots of the group at hand */
    size_t n_locations;
    struct profile_label labels[LABELS_MOST];
    size_t n_labels;
    struct buf scratch;
    bool is_made_up; /* labels stand together that perhaps did not */
};

static profile_text_id put_text(struct job *job, struct str text)
{
    struct str escaped = export_escaped(&job->scratch, text);

    job->writer->failed |= job->scratch.failed;
    return profile_writer_text(job->writer, escaped);
}

static void put_location(struct job *job, frame_id frame)
{
    const struct symbols *symbols = job->groups->symbols;
    uint8_t bit = (uint8_t)(1u << (frame % 8));
    struct buf file = {0};

    if (job->written[frame / 8] & bit)
        return;
    job->written[frame / 8] |= bit;
    export_escaped(&file, symbols_file(symbols, frame));
    export_escaped(&job->scratch, symbols_function(symbols, frame));
    job->writer->failed |= file.failed || job->scratch.failed;
    profile_writer_location(job->writer, frame, (uint64_t)frame << ADDRESS_BITS,
                            buf_str(&job->scratch), buf_str(&file),
                            symbols_frame(symbols, frame).line);
    buf_done(&file);
}

/* Writes the locations of a stack and notes them for its samples. */
static bool put_stack(struct job *job, struct stack stack)
{
    arena_reset(&job->arena);
    job->locations =
        arena_take(&job->arena, stack.n_frames * sizeof(*job->locations));
    if (!job->locations)
        return false;
    job->n_locations = stack.n_frames;
    for (uint32_t i = 0; i < stack.n_frames; i++) {
        put_location(job, stack.frames[i]);
        job->locations[i] = stack.frames[i] - 1;
    }
    return true;
}

static void add_label(struct job *job, struct profile_label label)
{
    if (job->n_labels < LABELS_MOST)
        job->labels[job->n_labels++] = label;
}

static void add_text(struct job *job, struct str key, struct str text)
{
    if (text.len || str_is_lost(text))
        add_label(job, (struct profile_label){.key = put_text(job, key),
                                              .text = put_text(job, text)});
}

static void add_minutes(struct job *job, struct str key, uint32_t minutes)
{
    add_label(job, (struct profile_label){.key = put_text(job, key),
                                          .unit = put_text(job, STR("minutes")),
                                          .number = minutes});
}

static void add_elided(struct job *job, uint32_t elided)
{
    struct buf words = {0};

    if (!elided)
        return;
    if (elided == ELIDED_SOME)
        buf_add(&words, STR("some"));
    else
        buf_addf(&words, "%u", elided);
    add_text(job, STR("elided"), buf_str(&words));
    buf_done(&words);
}

static void add_place(struct job *job, uint32_t place)
{
    struct buf words = {0};

    buf_addf(&words, "%u", (unsigned)place);
    add_text(job, STR("crashed"), buf_str(&words));
    buf_done(&words);
}

/* What all goroutines of a group have in common. */
static void add_group_labels(struct job *job)
{
    const struct export_group *group = job->group;
    struct str state = export_state(job->groups, group);

    add_text(job, STR("state"), state);
    if (state.len)
        add_text(job, STR("state_source"),
                 str_from(state_source_text(group->state_source)));
    if (group->has_wait) {
        add_minutes(job, STR("age_min"), group->wait_min);
        add_minutes(job, STR("age_max"), group->wait_max);
    }
    if (group->crashed)
        add_place(job, group->crashed);
    if (group->stack != STACK_OTHER)
        add_elided(job, export_frames(job->groups, group).elided);
}

/* Whether a key is one of those that this file sets. */
static bool is_ours(struct str key)
{
    static const struct str ours[] = {
        STR_INIT("state"),      STR_INIT("state_source"),
        STR_INIT("age"),        STR_INIT("age_min"),
        STR_INIT("age_max"),    STR_INIT("created_by"),
        STR_INIT("created_at"), STR_INIT("leaked"),
        STR_INIT("locked"),     STR_INIT("elided"),
        STR_INIT("crashed"),
    };

    for (size_t i = 0; i < sizeof(ours) / sizeof(ours[0]); i++) {
        if (str_equal(key, ours[i]))
            return true;
    }
    return false;
}

/* The sizes of objects, which the runtime writes as numbers
 * (runtime/pprof/protomem.go); pprof knows the unit by the key. */
static bool is_size(const struct job *job, const struct label *label,
                    uint64_t *ret)
{
    enum profile_kind kind = job->groups->info->kind;

    return (kind == PROFILE_HEAP || kind == PROFILE_ALLOCS) &&
           str_equal(label->key, STR("bytes")) &&
           str_to_u64(label->value, ret) && *ret && *ret <= INT64_MAX;
}

static void add_own_label(struct job *job, const struct label *label)
{
    struct buf key = {0};
    uint64_t size;

    if (is_size(job, label, &size)) {
        add_label(job, (struct profile_label){.key = put_text(job, label->key),
                                              .number = (int64_t)size});
        return;
    }
    if (is_ours(label->key))
        buf_add(&key, STR("label:"));
    buf_add(&key, label->key);
    add_text(job, buf_str(&key), label->value);
    buf_done(&key);
}

static void add_creator(struct job *job, frame_id frame)
{
    const struct symbols *symbols = job->groups->symbols;
    uint32_t line = symbols_frame(symbols, frame).line;
    struct buf at = {0};

    add_text(job, STR("created_by"), symbols_function(symbols, frame));
    buf_add(&at, symbols_file(symbols, frame));
    if (line)
        buf_addf(&at, ":%lu", (unsigned long)line);
    add_text(job, STR("created_at"), buf_str(&at));
    buf_done(&at);
}

static void add_piece_labels(struct job *job, const struct piece *piece)
{
    if (piece->is_leaked)
        add_text(job, STR("leaked"), STR("true"));
    if (piece->is_locked)
        add_text(job, STR("locked"), STR("true"));
    if (piece->has_age)
        add_minutes(job, STR("age"), piece->age_min);
    if (piece->created_by)
        add_creator(job, piece->created_by);
    for (size_t i = 0; i < piece->n_labels; i++)
        add_own_label(job, &piece->labels[i]);
}

static void put_sample(void *user, const struct piece *piece)
{
    struct job *job = user;
    int64_t values[VALUES_MOST];
    size_t n_values = export_n_types(job->groups);

    if (job->groups->info->n_types) {
        for (size_t i = 0; i < n_values; i++)
            values[i] = export_value(job->groups, job->group, i);
    } else {
        values[0] =
            piece->count < INT64_MAX ? (int64_t)piece->count : INT64_MAX;
    }
    job->n_labels = 0;
    add_group_labels(job);
    add_piece_labels(job, piece);
    profile_writer_sample(
        job->writer, &(struct profile_sample){.locations = job->locations,
                                              .n_locations = job->n_locations,
                                              .values = values,
                                              .n_values = n_values,
                                              .labels = job->labels,
                                              .n_labels = job->n_labels});
}

/* The frames that a sample gets. Old versions of pprof lose samples without
 * any, and goroutines are not to be lost; in profiles that others measure pprof
 * shows such samples in its total only, and so it is to be. */
static struct stack frames_of(const struct export_groups *groups,
                              const struct export_group *group)
{
    if (!groups->has_waits && group->stack != STACK_OTHER)
        return symbols_stack(groups->symbols, group->stack);
    return export_frames(groups, group);
}

static int put_groups(struct job *job)
{
    int rc = 0;

    for (size_t i = 0; rc == 0 && i < job->groups->n_sorted; i++) {
        job->group = job->groups->sorted[i];
        if (!put_stack(job, frames_of(job->groups, job->group)))
            return error_memory(job->err, (struct place){0}, "exporting");
        if (pieces_each(job->groups, job->group, put_sample, job))
            job->is_made_up = true;
        rc = export_out_relieve(job->out, job->err);
    }
    return rc;
}

/* The sampling of the first snapshot that says it; else as in
 * runtime/pprof/pprof.go, printCountProfile and writeHeapProto. */
static void put_period(struct job *job, const struct export_request *request)
{
    enum profile_kind kind = job->groups->info->kind;
    struct value_type type = export_type(job->groups, 0);
    int64_t period = 1;

    if (kind == PROFILE_HEAP || kind == PROFILE_ALLOCS)
        type = (struct value_type){STR("space"), STR("bytes")};
    for (size_t i = request->n_chosen; i-- > 0;) {
        const struct snapshot_info *info =
            snapshot_info_get(request->snapshots->items[request->chosen[i]]);

        if (!info->period_type.name.len)
            continue;
        type = info->period_type;
        period = info->period;
    }
    profile_writer_period_type(job->writer, type.name, type.unit);
    profile_writer_number(job->writer, PROFILE_PERIOD, (uint64_t)period);
}

static void put_reference(struct job *job, uint32_t field, struct str text)
{
    if (text.len)
        profile_writer_number(job->writer, field,
                              profile_writer_text(job->writer, text));
}

/* What is measured, and how pprof is to show it. */
static void put_types(struct job *job)
{
    const struct snapshot_info *info = job->groups->info;
    size_t n = export_n_types(job->groups);

    for (size_t i = 0; i < n; i++) {
        struct value_type type = export_type(job->groups, i);

        profile_writer_sample_type(job->writer, type.name, type.unit);
    }
    if (info->n_types)
        put_reference(job, PROFILE_DEFAULT_TYPE,
                      info->types[info->default_type].name);
    put_reference(job, PROFILE_DROP_FRAMES, info->drop_frames);
    put_reference(job, PROFILE_KEEP_FRAMES, info->keep_frames);
}

static void put_comment(struct job *job, struct buf *words)
{
    profile_writer_number(job->writer, PROFILE_COMMENT,
                          put_text(job, buf_str(words)));
    buf_clear(words);
}

static void put_crash_comment(void *user, struct buf *words)
{
    put_comment(user, words);
}

/* The form of all that is exported; of several the one that knows least. */
static const char *find_origin(const struct export_request *request)
{
    const char *origin = NULL;

    for (size_t i = 0; i < request->n_chosen; i++) {
        const char *its = snapshot_origin(
            snapshot_info_get(request->snapshots->items[request->chosen[i]]));

        if (!origin)
            origin = its;
        else if (strcmp(origin, its) != 0)
            origin = "debug0";
    }
    return origin ? origin : "debug0";
}

static bool is_complete(const struct export_request *request)
{
    bool complete = true;

    for (size_t i = 0; i < request->n_chosen; i++)
        complete &=
            snapshot_info_get(request->snapshots->items[request->chosen[i]])
                ->complete;
    return complete;
}

/* What was odd about the inputs. */
static void put_diags(struct job *job, const struct diags *diags)
{
    struct buf words = {0};

    for (const struct diag *diag = diags->first; diag; diag = diag->next) {
        if (diag->severity == DIAG_INFO)
            continue;
        buf_addf(&words, "%s: ", diag_severity_text(diag->severity));
        if (diag->source)
            buf_addf(&words, "%s: ", diag->source);
        buf_add(&words, diag->message);
        put_comment(job, &words);
    }
    buf_done(&words);
}

/* Our mark, where it is from, and what others had to say: `go tool pprof
 * -comments`. */
static void put_comments(struct job *job, const struct export_request *request)
{
    struct cprof_snapshots *snapshots = request->snapshots;
    struct buf words = {0};

    buf_addf(&words, "cprof-leaks/export/v1 %s", find_origin(request));
    put_comment(job, &words);
    if (!is_complete(request)) {
        buf_add(&words, STR("incomplete"));
        put_comment(job, &words);
    }
    if (job->groups->crash)
        crash_comments_each(job->groups->crash, job->groups->symbols,
                            put_crash_comment, job);
    if (job->groups->n_crashes > 1) {
        buf_addf(&words, "warning: of %zu crashes only this one was exported",
                 job->groups->n_crashes);
        put_comment(job, &words);
    }
    put_diags(job, &snapshots->diags);
    buf_addf(&words, "written by cprof-leaks %s", cprof_version());
    put_comment(job, &words);
    for (size_t i = 0; i < request->n_chosen; i++) {
        const struct snapshot_info *info =
            snapshot_info_get(snapshots->items[request->chosen[i]]);

        buf_addf(&words, "source: " STR_FORMAT " (%s)", STR_ARG(info->source),
                 info->format);
        put_comment(job, &words);
        for (size_t c = 0; c < info->n_comments; c++) {
            buf_add(&words, info->comments[c]);
            put_comment(job, &words);
        }
    }
    buf_done(&words);
}

/* One moment has one time; the last of several is when all had been taken. */
static void put_times(struct job *job, const struct export_request *request)
{
    int64_t taken_ns = 0;

    for (size_t i = 0; i < request->n_chosen; i++) {
        const struct snapshot_info *info =
            snapshot_info_get(request->snapshots->items[request->chosen[i]]);

        if (info->taken_ns > taken_ns)
            taken_ns = info->taken_ns;
    }
    profile_writer_number(job->writer, PROFILE_TIME_NANOS, (uint64_t)taken_ns);
    profile_writer_number(job->writer, PROFILE_DURATION_NANOS,
                          (uint64_t)job->groups->info->duration_ns);
}

static int put_profile(struct job *job, const struct export_request *request)
{
    int rc;

    put_period(job, request);
    put_types(job);
    rc = put_groups(job);
    if (rc < 0)
        return rc;
    if (job->is_made_up)
        diag_add(&request->snapshots->diags, DIAG_INFO, "label-combinations",
                 (struct place){0},
                 "the count of every label is exact, but which values of "
                 "different labels stand together is not known where groups "
                 "have several of each");
    put_times(job, request);
    profile_writer_mapping(job->writer);
    put_comments(job, request);
    if (!profile_writer_end(job->writer))
        return error_memory(job->err, (struct place){0}, "exporting");
    return 0;
}

static int write_pprof(const struct export_request *request,
                       struct export_out *out, struct cprof_error *err)
{
    struct budget *budget = &request->snapshots->budget;
    struct export_groups groups;
    struct profile_writer writer;
    struct job job = {
        .groups = &groups, .writer = &writer, .out = out, .err = err};
    struct arena bits;
    int rc = export_groups_init(&groups, request->snapshots, request->chosen,
                                request->n_chosen, err);

    arena_init(&job.arena, budget);
    arena_init(&bits, budget);
    profile_writer_init(&writer, &out->buf, budget);
    if (rc == 0) {
        job.written =
            arena_take_zero(&bits, symbols_n_frames(groups.symbols) / 8 + 1);
        rc = job.written ? put_profile(&job, request)
                         : error_memory(err, (struct place){0}, "exporting");
    }
    profile_writer_done(&writer);
    arena_done(&bits);
    arena_done(&job.arena);
    buf_done(&job.scratch);
    export_groups_done(&groups);
    return rc;
}

const struct export_format pprof_export = {
    .name = "pprof",
    .is_binary = true,
    .is_packed = true,
    .write = write_pprof,
};
