#include "notify/places.h"

#include <stdlib.h>

#include "model/signature.h"
#include "report/text.h"

/* Goroutines at a frame in a state. */
struct spot {
    frame_id frame;
    state_id state;
    uint64_t count;
};

static int compare_spots(const void *a, const void *b)
{
    const struct spot *left = a;
    const struct spot *right = b;

    if (left->frame != right->frame)
        return left->frame < right->frame ? -1 : 1;
    return (left->state > right->state) - (left->state < right->state);
}

/* The largest first; of equals, in order of arrival in the dump. */
static int compare_counts(const void *a, const void *b)
{
    const struct spot *left = a;
    const struct spot *right = b;

    if (left->count != right->count)
        return left->count > right->count ? -1 : 1;
    return compare_spots(a, b);
}

static frame_id frame_of(const struct symbols *symbols,
                         const struct joined_group *group)
{
    if (group->site < 0 || group->stack == STACK_OTHER)
        return FRAME_NONE;
    return symbols_stack(symbols, group->stack).frames[group->site];
}

/* Lists the spots of the leading family, each once, the largest first. Returns
 * how many there are. */
static size_t list_spots(const struct cprof_report *report, struct spot *spots)
{
    struct analysis *analysis = report_analysis(report);
    const struct symbols *symbols = analysis_snapshots(analysis)->symbols;
    size_t n_listed = 0;
    size_t n = 0;

    for (size_t i = report_next_leading(report, 0); i != SIZE_MAX;
         i = report_next_leading(report, i + 1)) {
        const struct joined_group *group = analysis_group(analysis, i);

        if (group->count)
            spots[n_listed++] = (struct spot){frame_of(symbols, group),
                                              group->state, group->count};
    }
    if (n_listed)
        qsort(spots, n_listed, sizeof(*spots), compare_spots);
    for (size_t i = 0; i < n_listed; i++) {
        if (n && compare_spots(&spots[n - 1], &spots[i]) == 0)
            spots[n - 1].count += spots[i].count;
        else
            spots[n++] = spots[i];
    }
    if (n)
        qsort(spots, n, sizeof(*spots), compare_counts);
    return n;
}

static void add_place(struct buf *buf, const struct symbols *symbols,
                      frame_id frame)
{
    struct code_place place = {
        .function = symbols_function(symbols, frame),
        .file = symbols_file(symbols, frame),
        .line = symbols_frame(symbols, frame).line,
        .frame = frame,
    };

    text_place_short(buf, &place);
}

static struct str keep_site(const struct symbols *symbols, frame_id frame,
                            struct arena *arena)
{
    struct buf buf = {0};
    struct str copy;

    add_place(&buf, symbols, frame);
    copy = arena_copy(arena, buf_str(&buf));
    buf_done(&buf);
    return copy;
}

static struct outcome_place place_of(const struct symbols *symbols,
                                     const struct spot *spot,
                                     struct arena *arena)
{
    struct str function = spot->frame == FRAME_NONE
                              ? (struct str){0}
                              : symbols_function(symbols, spot->frame);
    struct str state = symbols_state(symbols, spot->state);
    struct str parts[] = {function, state};
    struct signature_text id = signature_text(signature_of_texts(parts, 2));

    return (struct outcome_place){
        .id = arena_copy(arena, str_from(id.text)),
        .function = arena_copy(arena, function),
        .site = spot->frame == FRAME_NONE
                    ? arena_copy(arena, state)
                    : keep_site(symbols, spot->frame, arena),
        .state = arena_copy(arena, state),
        .count = spot->count,
    };
}

static bool keep_places(struct outcome_target *ret,
                        const struct cprof_report *report,
                        const struct spot *spots, size_t n, struct arena *arena)
{
    const struct symbols *symbols =
        analysis_snapshots(report_analysis(report))->symbols;
    size_t n_kept = n < OUTCOME_PLACES ? n : OUTCOME_PLACES;
    struct outcome_place *places = arena_take(arena, n_kept * sizeof(*places));
    uint64_t kept = 0;

    if (!places)
        return false;
    for (size_t i = 0; i < n_kept; i++) {
        places[i] = place_of(symbols, &spots[i], arena);
        if (!places[i].id.ptr || !places[i].site.ptr)
            return false;
        kept += spots[i].count;
    }
    ret->places = places;
    ret->n_places = n_kept;
    ret->other = ret->goroutines > kept ? ret->goroutines - kept : 0;
    return true;
}

int places_take(struct outcome_target *ret, const struct cprof_report *report,
                struct arena *arena, struct cprof_error *err)
{
    const struct report_summary *sum = report_summary(report);
    size_t most = analysis_n_groups(report_analysis(report));
    struct spot *spots = malloc((most + 1) * sizeof(*spots));
    bool ok;

    ret->goroutines = sum->share_of;
    ret->has_declared = sum->has_declared;
    ret->declared = sum->declared;
    ret->normal = sum->normal;
    ret->is_complete = sum->is_complete;
    ok = spots &&
         keep_places(ret, report, spots, list_spots(report, spots), arena);
    free(spots);
    return ok ? 0 : error_memory(err, (struct place){0}, "judging");
}

size_t places_list(struct sighted_place *ret, const struct cprof_report *report)
{
    struct analysis *analysis = report_analysis(report);
    const struct symbols *symbols = analysis_snapshots(analysis)->symbols;
    size_t n = 0;

    for (size_t i = report_next_leading(report, 0); i != SIZE_MAX;
         i = report_next_leading(report, i + 1)) {
        const struct joined_group *group = analysis_group(analysis, i);
        frame_id frame = frame_of(symbols, group);

        if (frame != FRAME_NONE && group->count)
            ret[n++] = (struct sighted_place){
                .function = symbols_function(symbols, frame),
                .count = group->count};
    }
    return n;
}

static bool is_among(const frame_id *frames, size_t n, frame_id wanted)
{
    for (size_t i = 0; i < n; i++) {
        if (frames[i] == wanted)
            return true;
    }
    return false;
}

static int compare_frames(const void *a, const void *b)
{
    frame_id left = *(const frame_id *)a;
    frame_id right = *(const frame_id *)b;

    return left < right ? -1 : left > right;
}

/* How many different ones there are; their order is lost. */
static size_t count_different(frame_id *frames, size_t n)
{
    size_t n_different = 0;

    if (n)
        qsort(frames, n, sizeof(*frames), compare_frames);
    for (size_t i = 0; i < n; i++)
        n_different += !i || frames[i] != frames[i - 1];
    return n_different;
}

void places_add_finding(struct buf *buf, const struct cprof_report *report,
                        const struct finding *finding)
{
    enum { NAMED_MOST = 3 };
    struct analysis *analysis = report_analysis(report);
    const struct symbols *symbols = analysis_snapshots(analysis)->symbols;
    frame_id *frames = malloc((finding->n_groups + 1) * sizeof(*frames));
    frame_id named[NAMED_MOST];
    size_t n_named = 0;
    size_t n = 0;

    buf->failed |= !frames;
    for (size_t i = 0; frames && i < finding->n_groups; i++) {
        frame_id frame =
            frame_of(symbols, analysis_group(analysis, finding->groups[i]));

        if (frame == FRAME_NONE)
            continue;
        frames[n++] = frame;
        if (n_named == NAMED_MOST || is_among(named, n_named, frame))
            continue;
        if (n_named)
            buf_add(buf, STR(", "));
        add_place(buf, symbols, frame);
        named[n_named++] = frame;
    }
    n = frames ? count_different(frames, n) : 0;
    if (n > n_named)
        buf_addf(buf, " and %zu more", n - n_named);
    free(frames);
}
