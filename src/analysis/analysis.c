#include "analysis/analysis.h"

#include <stdlib.h>

#include "analysis/cycles.h"
#include "analysis/finalizers.h"
#include "analysis/instances.h"
#include "analysis/limits.h"
#include "analysis/lock_graph.h"
#include "analysis/places.h"
#include "analysis/pool_owners.h"
#include "analysis/proof.h"
#include "analysis/sites.h"
#include "analysis/states.h"
#include "base/count.h"
#include "base/hash.h"
#include "model/cut.h"

struct analysis {
    struct cprof_snapshots *snapshots;
    struct arena arena;
    struct pool groups; /* struct joined_group, in order of arrival */
    struct table table;
    uint32_t *sorted; /* indices of groups */
    size_t n_sorted;
    bool *judged;
    bool is_one; /* there is one snapshot, which is judged */
    struct families families;
    const struct wait_cycle *cycles;
    size_t n_cycles;
    struct moments_list series;
};

static struct symbols *symbols_of(const struct analysis *analysis)
{
    return analysis->snapshots->symbols;
}

static uint64_t hash_key(stack_id stack, state_id state, uint32_t family)
{
    return hash_mix(stack, (uint64_t)family << 32 | state);
}

static uint64_t rehash(const void *user, uint32_t id)
{
    const struct analysis *analysis = user;
    const struct joined_group *group = pool_at(&analysis->groups, id - 1);

    return hash_key(group->stack, group->state, group->family);
}

/* The stack that groups of a family are joined by. */
static stack_id joined_stack(struct analysis *analysis, uint32_t family,
                             const struct group *group)
{
    const struct snapshot_info *info = analysis->families.items[family].info;

    return profile_is_measured(info->kind)
               ? group->stack
               : stack_cut(symbols_of(analysis), group->stack);
}

/* The joined group of a family with that stack and state; NULL when there is
 * none. */
static struct joined_group *find_joined(const struct analysis *analysis,
                                        uint32_t family, stack_id stack,
                                        state_id state)
{
    struct table_walk walk =
        table_walk(&analysis->table, hash_key(stack, state, family));
    uint32_t id;

    while ((id = table_next(&analysis->table, &walk)) != 0) {
        struct joined_group *joined = pool_at(&analysis->groups, id - 1);

        if (joined->stack == stack && joined->state == state &&
            joined->family == family)
            return joined;
    }
    return NULL;
}

/* The joined group of a group, made at its first arrival; NULL when there is
 * no memory. */
static struct joined_group *put_joined(struct analysis *analysis,
                                       uint32_t family, stack_id stack,
                                       state_id state)
{
    struct joined_group *joined = find_joined(analysis, family, stack, state);

    if (joined)
        return joined;
    joined = pool_add(&analysis->groups);
    if (!joined)
        return NULL;
    joined->stack = stack;
    joined->family = family;
    joined->state = state;
    joined->index = UINT32_MAX;
    joined->facts = &joined_no_facts;
    joined->has_counts = !analysis->is_one;
    if (!table_put(&analysis->table, hash_key(stack, state, family),
                   (uint32_t)analysis->groups.count, rehash, analysis))
        return NULL;
    return joined;
}

/* Notes that the crash of a snapshot speaks of a group. */
static void add_crash(struct analysis *analysis, struct joined_group *joined,
                      const struct crash *crash)
{
    struct joined_extra *extra = joined_extra_put(joined, &analysis->arena);
    struct group_crash *added = arena_take(&analysis->arena, sizeof(*added));

    if (!added || !extra)
        return;
    *added = (struct group_crash){crash, extra->crashes};
    extra->crashes = added;
}

/* Adds values to those of a group, or to those of its first moments; they are
 * made at the first. Without memory there are none. */
static void add_values(struct analysis *analysis, struct joined_group *joined,
                       bool is_before, const int64_t *values)
{
    size_t n = analysis->families.items[joined->family].info->n_types;
    struct joined_extra *extra =
        values ? joined_extra_put(joined, &analysis->arena) : NULL;
    int64_t **into;

    if (!extra)
        return;
    into = is_before ? &extra->befores : &extra->values;
    if (!*into)
        *into = arena_take_zero(&analysis->arena, n * sizeof(**into));
    if (*into)
        values_add(*into, values, n);
}

/* Counts what few goroutines are. False without memory. */
static bool add_rare(struct analysis *analysis, struct joined_group *joined,
                     const struct group *group)
{
    struct joined_extra *extra;

    if (!group->leaked && !group->locked)
        return true;
    extra = joined_extra_put(joined, &analysis->arena);
    if (!extra)
        return false;
    extra->leaked += group->leaked;
    extra->locked += group->locked;
    return true;
}

/* Adds a group of a snapshot to its joined group. False when there is no
 * memory for a new one. */
static bool join_group(struct analysis *analysis, size_t snapshot, size_t index)
{
    const struct cprof_snapshots *snapshots = analysis->snapshots;
    struct snapshot *from = snapshots->items[snapshot];
    const struct group *group = snapshot_group(from, index);
    uint32_t family = analysis->families.of[snapshot];
    struct joined_group *joined = put_joined(
        analysis, family, joined_stack(analysis, family, group), group->state);

    if (!joined || (analysis->judged[snapshot] &&
                    (!joined_facts_add(joined, group, &analysis->arena) ||
                     !add_rare(analysis, joined, group))))
        return false;
    if (joined->has_counts)
        joined->counts[snapshot] += group->count;
    if (analysis->families.is_base[snapshot])
        add_values(analysis, joined, true, snapshot_values(from, index));
    if (!analysis->judged[snapshot])
        return true;
    if (group->state_source > joined->state_source)
        joined->state_source = group->state_source;
    joined->count = count_sum(joined->count, group->count);
    add_values(analysis, joined, false, snapshot_values(from, index));
    if (crash_speaks_of(snapshot_info_get(from)->crash, index))
        add_crash(analysis, joined, snapshot_info_get(from)->crash);
    return true;
}

/* Counts the groups of a folded snapshot; returns the goroutines of those for
 * which there is no memory. */
static uint64_t join_folded(struct analysis *analysis, size_t snapshot)
{
    size_t n;
    const struct folded_group *groups =
        snapshot_folded(analysis->snapshots->items[snapshot], &n);
    uint64_t lost = 0;

    for (size_t i = 0; i < n; i++) {
        struct joined_group *joined =
            put_joined(analysis, analysis->families.of[snapshot],
                       groups[i].stack, groups[i].state);

        if (joined)
            joined->counts[snapshot] += groups[i].count;
        else
            lost += groups[i].count;
    }
    return lost;
}

/* Joins the groups of a snapshot; those that do not fit the memory budget are
 * counted with what reading could not keep. */
static void join_snapshot(struct analysis *analysis, size_t index)
{
    struct cprof_snapshots *snapshots = analysis->snapshots;
    struct snapshot *snapshot = snapshots->items[index];
    struct snapshot_info *info = snapshot_info(snapshot);
    uint64_t lost = join_folded(analysis, index);

    for (size_t i = 0; i < snapshot_n_groups(snapshot); i++) {
        if (!join_group(analysis, index, i))
            lost += snapshot_group(snapshot, i)->count;
    }
    if (!lost)
        return;
    info->other += lost;
    info->complete = false;
    diag_add(&snapshots->diags, DIAG_WARNING, "memory-limit",
             (struct place){info->source.ptr, info->line, 0},
             "the memory limit was reached: %s of %s goroutines have "
             "stacks that could not be analysed (--max-memory)",
             count_text(lost).text, count_text(info->total).text);
}

/* The site of a group; a crash speaks of where it panicked. */
static int32_t site_of(const struct symbols *symbols,
                       const struct joined_group *group)
{
    const struct group_crash *crashes = joined_extra(group)->crashes;
    struct stack stack = symbols_stack(symbols, group->stack);

    if (crashes && crash_hides_test(crashes->crash))
        return -1;
    return crashes || group->state == STATE_RUNNING ? crash_site(symbols, stack)
                                                    : site_find(symbols, stack);
}

/* What can be said once a group is whole. */
static void settle_group(struct analysis *analysis, struct joined_group *group)
{
    const struct symbols *symbols = symbols_of(analysis);
    struct stack stack = symbols_stack(symbols, group->stack);
    const struct family *family = &analysis->families.items[group->family];

    group->leaf = (int16_t)site_leaf(symbols, stack);
    group->site = (int16_t)site_of(symbols, group);
    group->id = group_id_of(symbols, group->stack, group->state,
                            profile_other_name(family->info));
    joined_settle_facts(group, symbols, &analysis->arena);
}

static int compare_groups(const void *a, const void *b, void *user)
{
    const struct analysis *analysis = user;
    const struct joined_group *left =
        pool_at(&analysis->groups, *(const uint32_t *)a);
    const struct joined_group *right =
        pool_at(&analysis->groups, *(const uint32_t *)b);

    if (left->family != right->family)
        return left->family < right->family ? -1 : 1;
    if (left->count != right->count)
        return left->count > right->count ? -1 : 1;
    if (left->id.high != right->id.high)
        return left->id.high < right->id.high ? -1 : 1;
    return (left->id.low > right->id.low) - (left->id.low < right->id.low);
}

/* What was freed again counts no objects, but still has values. */
static bool has_values(const struct analysis *analysis,
                       const struct joined_group *group)
{
    size_t n = analysis->families.items[group->family].info->n_types;

    return (joined_extra(group)->values &&
            values_any(joined_extra(group)->values, n)) ||
           (joined_extra(group)->befores &&
            values_any(joined_extra(group)->befores, n));
}

/* Whether some snapshot has goroutines of a group. */
static bool has_any(const struct analysis *analysis,
                    const struct joined_group *group)
{
    for (size_t i = 0; i < analysis->snapshots->count; i++) {
        if (joined_count(group, i))
            return true;
    }
    return false;
}

/* What only moments hold that are not judged matters where moments are
 * compared. */
static bool is_kept(const struct analysis *analysis,
                    const struct joined_group *group)
{
    return group->count || has_values(analysis, group) ||
           (analysis->snapshots->is_series && has_any(analysis, group));
}

static struct joined_group *sorted_group(const struct analysis *analysis,
                                         size_t index)
{
    return pool_at(&analysis->groups, analysis->sorted[index]);
}

static int sort_groups(struct analysis *analysis, struct cprof_error *err)
{
    size_t n = analysis->groups.count;

    analysis->sorted =
        arena_take(&analysis->arena, n * sizeof(*analysis->sorted));
    if (!analysis->sorted)
        return error_memory(err, (struct place){0}, "analysing");
    for (size_t i = 0; i < n; i++) {
        struct joined_group *group = pool_at(&analysis->groups, i);

        if (!is_kept(analysis, group))
            continue;
        settle_group(analysis, group);
        analysis->sorted[analysis->n_sorted++] = (uint32_t)i;
    }
    if (analysis->n_sorted)
        qsort_r(analysis->sorted, analysis->n_sorted, sizeof(*analysis->sorted),
                compare_groups, analysis);
    for (size_t i = 0; i < analysis->n_sorted; i++)
        sorted_group(analysis, i)->index = (uint32_t)i;
    return 0;
}

static bool has_states(const struct snapshot *snapshot)
{
    enum profile_kind kind = snapshot_info_get(snapshot)->kind;

    return kind == PROFILE_GOROUTINE || kind == PROFILE_GOROUTINELEAK;
}

/* Whether the counts of the only snapshot are all there is to count. */
static bool is_one(const struct analysis *analysis)
{
    size_t n;

    return analysis->snapshots->count == 1 && analysis->judged[0] &&
           !snapshot_folded(analysis->snapshots->items[0], &n);
}

/* Who holds what others wait for is a help, not the answer: without memory for
 * it the answer is given all the same. */
static void find_holders(struct analysis *analysis)
{
    struct wait_cycle *cycles =
        arena_take(&analysis->arena, CYCLES_MOST * sizeof(*cycles));
    size_t n = 0;
    bool is_whole = cycles && lock_graph_find(analysis, cycles, &n);

    is_whole = places_find(analysis) && is_whole;
    if (cycles)
        is_whole = pool_circles_find(analysis, cycles, &n) && is_whole;
    lock_graph_settle(analysis, cycles, n);
    analysis->cycles = cycles;
    analysis->n_cycles = n;
    if (!is_whole)
        diag_add(&analysis->snapshots->diags, DIAG_WARNING, "memory-limit",
                 (struct place){0},
                 "the memory limit was reached: not for every lock could be "
                 "looked who holds it (--max-memory)");
}

/* Of moments the last of each series is judged. */
static bool choose_last_moments(struct analysis *analysis)
{
    struct cprof_snapshots *snapshots = analysis->snapshots;
    struct moments_list *list = &analysis->series;
    struct instance_numbers numbers;

    if (!instance_numbers_init(&numbers, snapshots, &analysis->arena) ||
        !instances_choose_last(snapshots, &numbers, &analysis->arena,
                               analysis->judged) ||
        !moments_collect(snapshots, &analysis->families, &numbers,
                         &analysis->arena, list))
        return false;
    for (size_t i = 0; i < snapshots->count; i++) {
        if (analysis->families.of[i] == 0 && list->count)
            analysis->judged[i] = false;
    }
    for (size_t i = 0; i < list->count; i++) {
        const struct moments *series = &list->items[i];

        analysis->judged[series->snapshots[series->n - 1]] = true;
    }
    return true;
}

static bool choose_judged(struct analysis *analysis)
{
    struct cprof_snapshots *snapshots = analysis->snapshots;

    if (snapshots->is_series)
        return choose_last_moments(analysis);
    return instances_choose(snapshots, &analysis->families, analysis->judged);
}

static int analyse(struct analysis *analysis, struct cprof_error *err)
{
    struct cprof_snapshots *snapshots = analysis->snapshots;
    int rc;

    if (snapshots->is_series && !moments_order(snapshots))
        return error_memory(err, (struct place){0}, "analysing");
    for (size_t i = 0; i < snapshots->count; i++) {
        snapshot_seal(snapshots->items[i]);
        if (has_states(snapshots->items[i]))
            states_infer(snapshots->items[i]);
        crash_find_site(snapshots->items[i]);
    }
    proof_find(snapshots);
    if (!families_init(&analysis->families, &analysis->arena, snapshots))
        return error_memory(err, (struct place){0}, "analysing");
    if (!choose_judged(analysis))
        return error_memory(err, (struct place){0}, "analysing");
    if (!proof_apply(snapshots, analysis->judged))
        return error_memory(err, (struct place){0}, "analysing");
    limits_say(snapshots, analysis->judged);
    if (!families_sum(&analysis->families, &analysis->arena, snapshots,
                      analysis->judged))
        return error_memory(err, (struct place){0}, "analysing");
    analysis->is_one = is_one(analysis);
    pool_init(&analysis->groups, &snapshots->budget,
              sizeof(struct joined_group) +
                  (analysis->is_one ? 0 : snapshots->count) * sizeof(uint64_t));
    /* What is kept back is for the steps that follow joining. */
    snapshots->budget.reserve = snapshots->budget.limit / 6;
    for (size_t i = 0; i < snapshots->count; i++)
        join_snapshot(analysis, i);
    snapshots->budget.reserve = 0;
    symbols_rest(snapshots->symbols);
    rc = sort_groups(analysis, err);
    if (rc == 0) {
        finalizers_find(analysis);
        find_holders(analysis);
    }
    /* Later steps ask for the groups of moments that are compared. */
    if (snapshots->count == 1)
        table_done(&analysis->table);
    return rc;
}

int analysis_new(struct analysis **ret, struct cprof_snapshots *snapshots,
                 struct cprof_error *err)
{
    struct analysis *analysis = calloc(1, sizeof(*analysis));
    int rc;

    if (!analysis)
        return error_memory(err, (struct place){0}, "analysing");
    analysis->snapshots = snapshots;
    snapshots->budget.reserve = 0;
    arena_init(&analysis->arena, &snapshots->budget);
    table_init(&analysis->table, &snapshots->budget);
    analysis->judged = arena_take_zero(
        &analysis->arena, snapshots->count * sizeof(*analysis->judged));
    rc = analysis->judged ? analyse(analysis, err)
                          : error_memory(err, (struct place){0}, "analysing");
    if (rc < 0) {
        analysis_free(analysis);
        return rc;
    }
    *ret = analysis;
    return 0;
}

void analysis_free(struct analysis *analysis)
{
    if (!analysis)
        return;
    table_done(&analysis->table);
    pool_done(&analysis->groups);
    arena_done(&analysis->arena);
    free(analysis);
}

struct cprof_snapshots *analysis_snapshots(const struct analysis *analysis)
{
    return analysis->snapshots;
}

size_t analysis_n_groups(const struct analysis *analysis)
{
    return analysis->n_sorted;
}

struct joined_group *analysis_group(const struct analysis *analysis,
                                    size_t index)
{
    return sorted_group(analysis, index);
}

struct joined_group *analysis_find_group(struct analysis *analysis,
                                         size_t snapshot, size_t group)
{
    const struct group *wanted =
        snapshot_group(analysis->snapshots->items[snapshot], group);
    uint32_t family = analysis->families.of[snapshot];

    return find_joined(analysis, family, joined_stack(analysis, family, wanted),
                       wanted->state);
}

const struct wait_cycle *analysis_cycles(const struct analysis *analysis,
                                         size_t *ret_count)
{
    *ret_count = analysis->n_cycles;
    return analysis->cycles;
}

size_t analysis_joined_of(struct analysis *analysis, size_t snapshot,
                          size_t group)
{
    const struct joined_group *joined =
        analysis_find_group(analysis, snapshot, group);

    return joined && joined->index != UINT32_MAX ? joined->index
                                                 : ANALYSIS_NO_GROUP;
}

bool analysis_is_judged(const struct analysis *analysis, size_t snapshot)
{
    return analysis->judged[snapshot];
}

const struct moments_list *analysis_moments(const struct analysis *analysis)
{
    return &analysis->series;
}

uint64_t analysis_goroutines(const struct analysis *analysis, size_t snapshot)
{
    const struct snapshot_info *info =
        snapshot_info_get(analysis->snapshots->items[snapshot]);

    return info->declared > info->total ? info->declared : info->total;
}

uint64_t analysis_total(const struct analysis *analysis)
{
    return analysis->families.count ? analysis->families.items[0].goroutines
                                    : 0;
}

bool analysis_has_goroutines(const struct analysis *analysis)
{
    for (size_t i = 0; i < analysis->snapshots->count; i++) {
        if (analysis->judged[i] && has_states(analysis->snapshots->items[i]))
            return true;
    }
    return false;
}

size_t analysis_n_families(const struct analysis *analysis)
{
    return analysis->families.count;
}

const struct family *analysis_family(const struct analysis *analysis,
                                     size_t index)
{
    return &analysis->families.items[index];
}

double analysis_share(const struct analysis *analysis,
                      const struct joined_group *group)
{
    uint64_t all = analysis->families.items[group->family].goroutines;

    return all ? (double)group->count / (double)all : 0;
}

size_t analysis_family_of(const struct analysis *analysis, size_t snapshot)
{
    return analysis->families.of[snapshot];
}

struct arena *analysis_arena(struct analysis *analysis)
{
    return &analysis->arena;
}
