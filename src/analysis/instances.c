#include "analysis/instances.h"

#include <string.h>

#include "analysis/crashes.h"
#include "analysis/kinship.h"
#include "analysis/restarts.h"
#include "base/count.h"

static bool has_goroutines(const struct snapshot *snapshot)
{
    enum profile_kind kind = snapshot_info_get(snapshot)->kind;

    return kind == PROFILE_GOROUTINE;
}

/* Whether a page shows some of a dump: records without a title, or stacks
 * without the goroutine that wrote them, which runs. */
static bool is_excerpt(const struct snapshot *snapshot)
{
    const struct snapshot_info *info = snapshot_info_get(snapshot);
    size_t n = snapshot_n_groups(snapshot);

    if (info->is_untitled)
        return true;
    if (!info->max_id || info->crash || info->other)
        return false;
    while (n > 0 && snapshot_group(snapshot, n - 1)->state != STATE_RUNNING)
        n--;
    return n == 0;
}

/* How much a snapshot says of its process. */
enum weight { ONE_STACK, EXCERPT, CUT, WHOLE };

static enum weight weight_of(const struct snapshot *snapshot)
{
    if (crash_is_print(snapshot))
        return ONE_STACK;
    if (is_excerpt(snapshot))
        return EXCERPT;
    return snapshot_info_get(snapshot)->complete ? WHOLE : CUT;
}

/* Whether a snapshot says at least as much of its process as another. Of parts
 * the larger one does. */
static bool says_as_much(const struct snapshot *a, const struct snapshot *b)
{
    enum weight weight = weight_of(a);
    enum weight other = weight_of(b);

    if (weight != other)
        return weight > other;
    return weight != EXCERPT ||
           snapshot_info_get(a)->total >= snapshot_info_get(b)->total;
}

/* Notes a snapshot as the one of its input, unless one that says more was
 * noted. Places are counted from 1. */
static void choose_moment(const struct cprof_snapshots *snapshots, size_t i,
                          size_t *chosen)
{
    const struct snapshot *snapshot = snapshots->items[i];
    size_t *place = &chosen[snapshot_info_get(snapshot)->input];

    if (!*place || says_as_much(snapshot, snapshots->items[*place - 1]))
        *place = i + 1;
}

/* Of each input the last complete snapshot of a family, else its last, and all
 * that are events. chosen has a place for each input, and one for snapshots
 * that came from none. */
static void choose_moments(const struct cprof_snapshots *snapshots,
                           const struct families *families, uint32_t family,
                           size_t *chosen, bool *judged)
{
    memset(chosen, 0, (snapshots->n_inputs + 1) * sizeof(*chosen));
    for (size_t i = 0; i < snapshots->count; i++) {
        if (families->of[i] != family ||
            snapshot_info_get(snapshots->items[i])->is_proof)
            continue;
        if (crash_is_event(snapshots->items[i]))
            judged[i] = true;
        else
            choose_moment(snapshots, i, chosen);
    }
    for (uint32_t input = 0; input <= snapshots->n_inputs; input++) {
        if (chosen[input])
            judged[chosen[input] - 1] = true;
    }
}

/* False without memory. */
static bool choose_all_moments(struct cprof_snapshots *snapshots,
                               const struct families *families, bool *judged)
{
    size_t size = (snapshots->n_inputs + 1) * sizeof(size_t);
    size_t *chosen = budget_resize(&snapshots->budget, NULL, 0, size);

    for (uint32_t family = 0; family < families->count && chosen; family++)
        choose_moments(snapshots, families, family, chosen, judged);
    budget_free(&snapshots->budget, chosen, size);
    return chosen != NULL;
}

/* Whether both have names, of pods in a log or of addresses, that differ. */
static bool are_of_others(const struct snapshot_info *a,
                          const struct snapshot_info *b)
{
    return a->instance.len && b->instance.len &&
           !str_equal(a->instance, b->instance);
}

/* Whether two snapshots can be moments of one process, or the same dump. Idle
 * replicas have the goroutines of start-up in common, ids and all. */
static bool are_comparable(const struct cprof_snapshots *snapshots, size_t i,
                           size_t j)
{
    const struct snapshot *a = snapshots->items[i];
    const struct snapshot *b = snapshots->items[j];
    const struct snapshot_info *info_a = snapshot_info_get(a);
    const struct snapshot_info *info_b = snapshot_info_get(b);

    /* Processes that end and begin anew in one log count from 1 each time. */
    if (info_a->input == info_b->input &&
        (crash_is_event(a) || crash_is_event(b)))
        return false;
    return has_goroutines(a) && has_goroutines(b) &&
           !are_of_others(info_a, info_b);
}

/* Says what two inputs have in common. */
static void say_kinship(struct cprof_snapshots *snapshots, size_t i, size_t j,
                        enum kinship kinship, const struct overlap *overlap)
{
    struct str earlier = snapshot_info_get(snapshots->items[i])->source;
    const struct snapshot_info *later = snapshot_info_get(snapshots->items[j]);
    struct place place = {later->source.ptr, later->line, 0};

    if (kinship == KIN_ALIKE)
        diag_add(&snapshots->diags, DIAG_WARNING, "same-dump", place,
                 "this says the very same as '" STR_FORMAT "', and nothing "
                 "tells whether they are one dump or of replicas: both are "
                 "counted",
                 STR_ARG(earlier));
    else if (kinship == KIN_SAME_DUMP)
        diag_add(&snapshots->diags, DIAG_WARNING, "same-dump", place,
                 "this is the same dump as '" STR_FORMAT "': it is counted "
                 "once",
                 STR_ARG(earlier));
    else if (kinship == KIN_SAME_IDS)
        diag_add(&snapshots->diags, DIAG_WARNING, "same-process", place,
                 "this and '" STR_FORMAT "' are one process (%zu of %zu "
                 "goroutine ids compared are in both): they are not added up, "
                 "and this one, the later, is judged",
                 STR_ARG(earlier), overlap->shared, overlap->candidates);
    else if (kinship == KIN_SAME_STACKS)
        diag_add(&snapshots->diags, DIAG_WARNING, "same-process", place,
                 "this and '" STR_FORMAT "' are one process in two formats: "
                 "they are not added up, and this one is judged",
                 STR_ARG(earlier));
}

/* Leaves the earlier of two inputs out when both are one process. */
static void compare_pair(struct kinships *kinships, bool *judged, size_t i,
                         size_t j)
{
    struct overlap overlap = {0};
    enum kinship kinship = kinships_find(kinships, i, j, &overlap);

    say_kinship(kinships->snapshots, i, j, kinship, &overlap);
    if (kinship > KIN_ALIKE)
        judged[i] = false;
}

/* Many inputs are compared with their neighbour only: a series of one process
 * stands in order. */
static void compare_all(struct kinships *kinships, bool *judged)
{
    struct cprof_snapshots *snapshots = kinships->snapshots;

    for (size_t j = 1; j < snapshots->count; j++) {
        size_t lowest = snapshots->count > 64 ? j - 1 : 0;

        for (size_t i = lowest; i < j; i++) {
            if (judged[i] && judged[j] && are_comparable(snapshots, i, j))
                compare_pair(kinships, judged, i, j);
        }
    }
}

bool instances_choose_last(const struct cprof_snapshots *snapshots,
                           const struct instance_numbers *numbers,
                           struct arena *arena, bool *judged)
{
    size_t(*last)[PROFILE_KINDS] =
        arena_take_zero(arena, numbers->count * sizeof(*last));

    if (!last)
        return false;
    for (size_t i = 0; i < snapshots->count; i++) {
        const struct snapshot_info *info =
            snapshot_info_get(snapshots->items[i]);
        size_t *place = &last[numbers->of[i]][info->kind];

        judged[i] = false;
        if (info->is_proof)
            continue;
        /* Places are counted from 1. */
        if (*place && !info->complete &&
            snapshot_info_get(snapshots->items[*place - 1])->complete)
            continue;
        if (*place)
            judged[*place - 1] = false;
        judged[i] = true;
        *place = i + 1;
    }
    return true;
}

/* Whether a snapshot is a dump that was asked for, of which no log says whose
 * it is. */
static bool is_unnamed(const struct snapshot *snapshot)
{
    const struct snapshot_info *info = snapshot_info_get(snapshot);

    return has_goroutines(snapshot) && !info->instance.len && !info->crash &&
           !info->is_proof;
}

/* How many dumps of the input of a judged one, which stand before it, cannot be
 * of its process, and why the last of them is not. */
static size_t count_others(const struct cprof_snapshots *snapshots,
                           const bool *judged, size_t last,
                           const char **ret_why)
{
    const struct snapshot *of = snapshots->items[last];
    uint32_t input = snapshot_info_get(of)->input;
    size_t n = 0;

    /* Inputs have rising numbers. */
    for (size_t i = last; i-- > 0;) {
        const struct snapshot *other = snapshots->items[i];
        const char *why;

        if (snapshot_info_get(other)->input < input)
            break;
        if (judged[i] || snapshot_info_get(other)->input != input ||
            !is_unnamed(other))
            continue;
        why = restart_between(other, of);
        if (why && !n++)
            *ret_why = why;
    }
    return n;
}

/* Says when dumps before a judged one in its input are of other processes:
 * whoever asked replicas in turn wants all of them judged. */
static void say_others(struct cprof_snapshots *snapshots, const bool *judged,
                       size_t last)
{
    const struct snapshot_info *info =
        snapshot_info_get(snapshots->items[last]);
    const char *why = "";
    size_t n = count_others(snapshots, judged, last, &why);

    if (n)
        diag_add(
            &snapshots->diags, DIAG_WARNING, "other-processes",
            (struct place){info->source.ptr, info->line, 0},
            "%s dump%s before this one in the input %s of %s "
            "(%s) and %s not judged: from before a restart, or of replicas, "
            "which are added up when each is an input of its own",
            count_text(n).text, n == 1 ? "" : "s", n == 1 ? "is" : "are",
            n == 1 ? "another process" : "other processes", why,
            n == 1 ? "is" : "are");
}

bool instances_choose(struct cprof_snapshots *snapshots,
                      const struct families *families, bool *judged)
{
    struct kinships kinships;

    for (size_t i = 0; i < snapshots->count; i++)
        judged[i] = false;
    if (!choose_all_moments(snapshots, families, judged))
        return false;
    for (size_t i = 0; i < snapshots->count; i++) {
        if (judged[i] && is_unnamed(snapshots->items[i]))
            say_others(snapshots, judged, i);
    }
    if (!kinships_init(&kinships, snapshots))
        return false;
    compare_all(&kinships, judged);
    kinships_done(&kinships);
    return true;
}
