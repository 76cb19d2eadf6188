/* What a protobuf profile says, as records: locations become frames, and
 * samples what the other readers give for theirs. */
#include "base/buf.h"
#include "format/exported.h"
#include "format/protobuf.h"
#include "format/protobuf_frames.h"
#include "format/value_types.h"

enum {
    FRAMES_MOST = 1024, /* kept a stack; the rest is counted as elided */
    LABELS_MOST = 64,   /* read a sample */
    DEPTH_OLD = 32,     /* addresses of a stack before Go 1.23 */
    DEPTH_NEW = 128,    /* and since (runtime/mprof.go: maxProfStackDepth) */
};

struct conversion {
    struct profile *profile;
    struct section *section;
    struct snapshot *snapshot;
    struct symbols *symbols;
    struct profile_class class;
    size_t n_types;
    struct profile_frames frames;
    struct buf scratch;
    size_t deepest; /* frames of the longest stack */
    size_t depth;   /* a stack of so many was cut */
    bool is_export; /* our labels are what they say */

    uint64_t n_unexplained; /* samples with locations nobody explained */
    uint64_t n_impossible;  /* counts below 0, or too large */
    uint64_t n_short;       /* samples with fewer values than types */
    uint64_t n_block;       /* contentions by what their stack tells */
    uint64_t n_mutex;

    struct record record;
    int64_t values[VALUES_MOST];
    struct label labels[LABELS_MOST];
    frame_id stack[FRAMES_MOST];
};

/* A text of the string table, as far as texts are kept. Samples refer to those
 * of their labels as often as they like. */
static struct str text_of(struct conversion *conversion, profile_text_id id)
{
    return symbols_text_cut(conversion->symbols,
                            profile_text(conversion->profile, id));
}

/* --- Depth ---------------------------------------------------------------- */

static void measure(void *user, const struct profile_sample *sample)
{
    struct conversion *conversion = user;
    size_t n_frames = 0;

    for (size_t i = 0; i < sample->n_locations; i++) {
        const struct located *located =
            profile_frames_find(&conversion->frames, sample->locations[i]);

        n_frames += located ? located->n_frames : 0;
    }
    if (n_frames > conversion->deepest)
        conversion->deepest = n_frames;
}

/* Whether a function begins like that, or has just that name. */
static bool has_function(const struct profile *profile, struct str prefix,
                         bool is_whole)
{
    for (size_t i = 0; i < profile->functions.count; i++) {
        struct profile_function function =
            profile_function(profile, (uint32_t)i);
        struct str name = profile_text(profile, function.name);

        if (str_starts(name, prefix) && (!is_whole || name.len == prefix.len))
            return true;
    }
    return false;
}

/* Whether Go 1.23 or later wrote the profile, as far as that shows: it has the
 * id of the build (1.24), or names that came with 1.23 and 1.24. */
static bool is_of_new_go(const struct profile *profile)
{
    for (size_t i = 0; i < profile->mappings.count; i++) {
        const struct profile_mapping *mapping = pool_at(&profile->mappings, i);

        if (mapping->build_id)
            return true;
    }
    return has_function(profile, STR("internal/runtime/"), false) ||
           has_function(profile, STR("internal/sync."), false);
}

/* A whole stack has runtime.goexit behind the frames of a sample, so one that
 * is as long as the depth limit lost its end. Of older versions no stack is
 * longer than their limit. Measured profiles leave the runtime's frames out
 * and cannot be told. */
static void find_depth(struct conversion *conversion)
{
    conversion->depth = SIZE_MAX;
    if (profile_is_measured(conversion->class.kind) || conversion->is_export)
        return;
    sample_log_each(&conversion->profile->samples, false, measure, conversion);
    if (conversion->deepest == DEPTH_OLD && !is_of_new_go(conversion->profile))
        conversion->depth = DEPTH_OLD;
    else
        conversion->depth = DEPTH_NEW;
}

/* --- Samples -------------------------------------------------------------- */

/* Puts the frames of a location behind the n_frames that its sample has already
 * and returns how many these are now. Those for which there is no room are
 * counted at once: a location may have as many as a profile has bytes, and a
 * sample name it as often. */
static uint64_t take_frames(struct conversion *conversion,
                            const struct located *located, uint64_t n_frames)
{
    uint64_t total = n_frames + located->n_frames;
    uint64_t end = total < FRAMES_MOST ? total : FRAMES_MOST;

    for (uint32_t i = located->first; n_frames < end; i++, n_frames++)
        conversion->stack[n_frames] = profile_frame(&conversion->frames, i);
    return total;
}

/* Puts the frames of a sample into the record. */
static void take_stack(struct conversion *conversion,
                       const struct profile_sample *sample)
{
    struct record *record = &conversion->record;
    uint64_t n_frames = 0;
    bool is_explained = true;

    for (size_t i = 0; i < sample->n_locations; i++) {
        uint32_t slot = sample->locations[i];
        const struct located *located =
            profile_frames_find(&conversion->frames, slot);

        if (!located) {
            record->lost = true;
            return;
        }
        is_explained &= profile_location(conversion->profile, slot).is_defined;
        is_explained &= !located->has_gap;
        n_frames = take_frames(conversion, located, n_frames);
    }
    record->n_frames = n_frames < FRAMES_MOST ? n_frames : FRAMES_MOST;
    if (n_frames > FRAMES_MOST)
        record->elided = n_frames - FRAMES_MOST < ELIDED_SOME
                             ? (uint32_t)(n_frames - FRAMES_MOST)
                             : ELIDED_SOME;
    if (n_frames >= conversion->depth || !is_explained)
        record->elided = ELIDED_SOME;
    conversion->n_unexplained += !is_explained;
}

/* Adds the text of a numeric label, "48" or "48 bytes", to the scratch. */
static void add_number(struct conversion *conversion,
                       const struct profile_label *label)
{
    struct str unit = text_of(conversion, label->unit);

    buf_addf(&conversion->scratch, "%lld", (long long)label->number);
    if (unit.len) {
        buf_add_char(&conversion->scratch, ' ');
        buf_add(&conversion->scratch, unit);
    }
}

static void take_labels(struct conversion *conversion,
                        const struct profile_sample *sample)
{
    size_t n = sample->n_labels < LABELS_MOST ? sample->n_labels : LABELS_MOST;
    size_t at = 0;

    if (n == LABELS_MOST)
        section_say_labels(conversion->section, 0, LABELS_MOST);
    buf_clear(&conversion->scratch);
    for (size_t i = 0; i < n; i++) {
        if (!sample->labels[i].text && sample->labels[i].number)
            add_number(conversion, &sample->labels[i]);
        conversion->labels[i] =
            (struct label){text_of(conversion, sample->labels[i].key),
                           text_of(conversion, sample->labels[i].text)};
        /* Only a length yet: the scratch may still move. */
        if (!sample->labels[i].text && !conversion->scratch.failed) {
            conversion->labels[i].value.len = conversion->scratch.len - at;
            at = conversion->scratch.len;
        }
    }
    at = 0;
    for (size_t i = 0; i < n; i++) {
        struct str *value = &conversion->labels[i].value;

        if (sample->labels[i].text || !value->len)
            continue;
        value->ptr = conversion->scratch.ptr + at;
        at += value->len;
    }
    conversion->record.n_labels = n;
}

/* The count among the values of a record, as far as it can be one. */
static uint64_t take_count(struct conversion *conversion)
{
    size_t which = conversion->class.count;
    uint64_t total = snapshot_info(conversion->snapshot)->total;
    int64_t count;

    /* A profile that counts nothing: each of its samples is one. */
    if (which >= conversion->n_types && conversion->n_types)
        return 1;
    count = conversion->values[conversion->n_types ? which : 0];
    if (count >= 0 && (uint64_t)count <= INT64_MAX - total)
        return (uint64_t)count;
    /* In the difference of two profiles there is less of some. */
    conversion->n_impossible += !profile_is_measured(conversion->class.kind);
    return 0;
}

static void take_values(struct conversion *conversion, const int64_t *values,
                        size_t n)
{
    size_t n_types = conversion->n_types ? conversion->n_types : 1;

    for (size_t i = 0; i < n_types; i++)
        conversion->values[i] = i < n ? values[i] : 0;
    conversion->n_short += n < n_types;
    conversion->record.count = take_count(conversion);
}

static void begin_record(struct conversion *conversion)
{
    const struct snapshot_info *info = snapshot_info(conversion->snapshot);

    conversion->record = (struct record){
        .frames = conversion->stack,
        .state = STATE_UNKNOWN,
        .state_source = STATE_FROM_NONE,
        .hidden = {.count = -1},
        .leaked = info->kind == PROFILE_GOROUTINELEAK,
        .labels = conversion->labels,
        .values = info->n_types ? conversion->values : NULL,
    };
}

static void count_kind(struct conversion *conversion)
{
    const struct record *record = &conversion->record;
    enum profile_kind kind =
        contention_kind(conversion->symbols, record->frames, record->n_frames);

    conversion->n_block += kind == PROFILE_BLOCK;
    conversion->n_mutex += kind == PROFILE_MUTEX;
}

/* Whether a sample is of the base that others are compared with
 * (google/pprof/profile/profile.go: DiffBaseSample). */
static bool is_base(const struct record *record)
{
    for (size_t i = 0; i < record->n_labels; i++) {
        if (str_equal(record->labels[i].key, STR("pprof::base")) &&
            str_equal(record->labels[i].value, STR("true")))
            return true;
    }
    return false;
}

static void add_sample(struct conversion *conversion)
{
    struct record *record = &conversion->record;
    struct exported exported = {0};
    size_t group;

    record->is_base = is_base(record);
    if (conversion->is_export)
        exported = exported_take(record, conversion->symbols,
                                 conversion->labels, record->n_labels);
    group = snapshot_add(conversion->snapshot, record);
    if (group != SNAPSHOT_NO_GROUP)
        exported_set_group(conversion->snapshot, group, &exported);
}

static void take_sample(void *user, const struct profile_sample *sample)
{
    struct conversion *conversion = user;
    struct record *record = &conversion->record;

    begin_record(conversion);
    take_values(conversion, sample->values, sample->n_values);
    /* Go writes stacks of which nobody is left, with zeros. */
    if (!record->count &&
        !(record->values && values_any(record->values, conversion->n_types)))
        return;
    take_stack(conversion, sample);
    take_labels(conversion, sample);
    if (conversion->class.kind == PROFILE_CONTENTION)
        count_kind(conversion);
    add_sample(conversion);
}

static void take_lost_samples(struct conversion *conversion)
{
    if (!conversion->profile->n_lost_samples)
        return;
    begin_record(conversion);
    take_values(conversion, conversion->profile->lost, VALUES_MOST);
    conversion->record.lost = true;
    snapshot_add(conversion->snapshot, &conversion->record);
    snapshot_info(conversion->snapshot)->n_other +=
        conversion->profile->n_lost_samples - 1;
}

/* --- The whole ------------------------------------------------------------ */

static struct str copy_text(struct conversion *conversion, profile_text_id id)
{
    return snapshot_copy(conversion->snapshot,
                         profile_text(conversion->profile, id));
}

/* What only pprof needs, for an export. */
static void set_sampling(struct conversion *conversion,
                         struct snapshot_info *info)
{
    const struct profile *profile = conversion->profile;

    info->period = profile->period;
    info->period_type.name = copy_text(conversion, profile->period_type.name);
    info->period_type.unit = copy_text(conversion, profile->period_type.unit);
    info->drop_frames = copy_text(conversion, profile->drop_frames);
    info->keep_frames = copy_text(conversion, profile->keep_frames);
    /* runtime/pprof/protomem.go writes the rate as it is then. */
    if ((info->kind == PROFILE_HEAP || info->kind == PROFILE_ALLOCS) &&
        str_equal(info->period_type.name, STR("space")))
        info->sampling = info->period ? SAMPLING_ON : SAMPLING_OFF;
}

/* Without memory they are left out. */
static void keep_comments(struct conversion *conversion,
                          struct snapshot_info *info)
{
    const struct profile *profile = conversion->profile;
    struct str *comments = snapshot_take(
        conversion->snapshot, profile->n_comments * sizeof(*comments));

    for (size_t i = 0; i < profile->n_comments && comments; i++)
        comments[i] = copy_text(conversion, profile->comments[i]);
    info->comments = comments;
    info->n_comments = comments ? profile->n_comments : 0;
}

/* Sets what is known of the profile as a whole. */
static bool set_info(struct conversion *conversion)
{
    const struct profile *profile = conversion->profile;
    struct snapshot_info *info = snapshot_info(conversion->snapshot);
    struct value_type types[VALUES_MOST];
    size_t n = profile->n_types;
    struct profile_class class;

    for (size_t i = 0; i < n; i++)
        types[i] =
            (struct value_type){text_of(conversion, profile->types[i].name),
                                text_of(conversion, profile->types[i].unit)};
    class =
        profile_class_of(types, n, text_of(conversion, profile->default_type));
    conversion->class = class;
    conversion->n_types = n;
    info->kind = class.kind;
    info->profile = class.name.len
                        ? snapshot_copy(conversion->snapshot, class.name)
                        : STR("unknown");
    info->default_type = class.first;
    info->taken_ns = profile->time_ns > 0 ? profile->time_ns : 0;
    info->duration_ns = profile->duration_ns > 0 ? profile->duration_ns : 0;
    set_sampling(conversion, info);
    info->has_parking = has_function(profile, STR("runtime.gopark"), true);
    conversion->is_export = exported_find(profile, &info->origin);
    if (conversion->is_export) {
        info->format = "export";
        info->has_parking = false;
        exported_take_notes(profile, conversion->section, info);
        if (!exported_take_crash(profile, conversion->section,
                                 conversion->snapshot))
            return false;
    } else {
        keep_comments(conversion, info);
    }
    /* One value that counts is the count of a group already. */
    if (n == 0 || (n == 1 && class.count == 0))
        return true;
    return snapshot_set_types(conversion->snapshot, types, n);
}

static void add_diags(struct conversion *conversion)
{
    struct diags *diags = &conversion->section->snapshots->diags;
    struct place place = {conversion->section->lines->name, 0, 0};

    if (conversion->n_unexplained) {
        snapshot_info(conversion->snapshot)->complete = false;
        diag_add(diags, DIAG_WARNING, "missing-locations", place,
                 conversion->n_unexplained == 1
                     ? "%llu sample names locations or functions that the "
                       "profile does not explain: its stack has gaps"
                     : "%llu samples name locations or functions that the "
                       "profile does not explain: their stacks have gaps",
                 (unsigned long long)conversion->n_unexplained);
    }
    if (conversion->n_short) {
        snapshot_info(conversion->snapshot)->complete = false;
        diag_add(diags, DIAG_WARNING, "missing-values", place,
                 conversion->n_short == 1
                     ? "%llu sample has fewer values than the profile has "
                       "types: those that are missing count as 0"
                     : "%llu samples have fewer values than the profile has "
                       "types: those that are missing count as 0",
                 (unsigned long long)conversion->n_short);
    }
    if (snapshot_info(conversion->snapshot)->has_negative)
        diag_add(diags, DIAG_INFO, "difference", place,
                 "some values are below zero: this is the difference of two "
                 "profiles, and what is below zero became less");
    if (conversion->n_impossible) {
        snapshot_info(conversion->snapshot)->complete = false;
        diag_add(diags, DIAG_WARNING, "impossible-count", place,
                 "%llu samples have counts below zero or beyond 64 bits: they "
                 "were taken as 0. In the difference of two profiles the "
                 "others are what came to be, not all there is",
                 (unsigned long long)conversion->n_impossible);
    }
}

bool profile_to_snapshot(struct profile *profile, struct section *section,
                         struct snapshot *snapshot)
{
    struct budget *budget = &section->snapshots->budget;
    struct conversion *conversion =
        budget_resize(budget, NULL, 0, sizeof(*conversion));
    bool done = false;

    if (!conversion)
        return false;
    *conversion = (struct conversion){.profile = profile,
                                      .section = section,
                                      .snapshot = snapshot,
                                      .symbols = section->snapshots->symbols};
    profile_frames_init(&conversion->frames, profile, conversion->symbols,
                        budget);
    if (set_info(conversion)) {
        find_depth(conversion);
        sample_log_each(&profile->samples, true, take_sample, conversion);
        take_lost_samples(conversion);
        contention_settle(snapshot_info(snapshot), conversion->n_block,
                          conversion->n_mutex);
        add_diags(conversion);
        done = true;
    }
    profile_frames_done(&conversion->frames);
    buf_done(&conversion->scratch);
    budget_free(budget, conversion, sizeof(*conversion));
    return done;
}
