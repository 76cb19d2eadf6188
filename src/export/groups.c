#include "export/groups.h"

#include <stdlib.h>

#include "base/count.h"
#include "base/hash.h"
#include "model/cut.h"

static uint64_t hash_key(stack_id stack, state_id state)
{
    return hash_mix(stack, state);
}

static uint64_t rehash(const void *user, uint32_t id)
{
    const struct export_groups *groups = user;
    const struct export_group *group = pool_at(&groups->pool, id - 1);

    return hash_key(group->stack, group->state);
}

/* The group of a stack in a state, made when it is new; NULL when there is no
 * memory for it. */
static struct export_group *find_group(struct export_groups *groups,
                                       stack_id stack, state_id state)
{
    uint64_t hash = hash_key(stack, state);
    struct table_walk walk = table_walk(&groups->table, hash);
    struct export_group *group;
    uint32_t id;

    while ((id = table_next(&groups->table, &walk)) != 0) {
        group = pool_at(&groups->pool, id - 1);
        if (group->stack == stack && group->state == state)
            return group;
    }
    group = pool_add(&groups->pool);
    if (!group)
        return NULL;
    group->stack = stack;
    group->state = state;
    id = (uint32_t)groups->pool.count;
    if (table_put(&groups->table, hash, id, rehash, groups))
        return group;
    groups->pool.count--;
    return NULL;
}

/* Adds values to those of a group, which are made at the first. */
static void add_values(struct export_groups *groups, struct export_group *group,
                       const int64_t *values)
{
    size_t n = groups->info->n_types;

    if (!values || !n)
        return;
    if (!group->values)
        group->values =
            arena_take_zero(&groups->arena, n * sizeof(*group->values));
    if (group->values)
        values_add(group->values, values, n);
}

static void add_waits(struct export_group *into, const struct group *group)
{
    if (!group->n_waits)
        return;
    if (!into->has_wait || group->wait_min < into->wait_min)
        into->wait_min = group->wait_min;
    if (!into->has_wait || group->wait_max > into->wait_max)
        into->wait_max = group->wait_max;
    into->has_wait = true;
    into->n_waits += group->n_waits;
}

static void add_ids(struct export_group *into, const struct group *group)
{
    if (!group->n_ids)
        return;
    if (!into->id_min || group->id_min < into->id_min)
        into->id_min = group->id_min;
    if (group->id_max > into->id_max)
        into->id_max = group->id_max;
}

/* Notes whether the crash that is exported speaks of a group. */
static void add_crash(const struct export_groups *groups,
                      struct export_group *into, const struct crash *crash,
                      size_t index)
{
    if (!crash || crash != groups->crash)
        return;
    for (uint32_t i = crash->n_groups; i-- > 0;) {
        if (crash->groups[i] == index && (!into->crashed || i < into->crashed))
            into->crashed = i + 1;
    }
}

/* Chooses the crash to export, which has room for one. */
static void choose_crash(struct export_groups *groups, const size_t *which,
                         size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const struct crash *crash =
            snapshot_info_get(groups->snapshots->items[which[i]])->crash;

        groups->n_crashes += crash != NULL;
        if (crash && (!groups->crash ||
                      (groups->crash->is_request && !crash->is_request)))
            groups->crash = crash;
    }
}

static void add_group(struct export_groups *groups, struct snapshot *snapshot,
                      size_t index)
{
    const struct group *group = snapshot_group(snapshot, index);
    stack_id stack = groups->has_waits
                         ? stack_cut(groups->symbols, group->stack)
                         : group->stack;
    struct export_group *into = find_group(groups, stack, group->state);

    if (!into) { /* and so in what is missing in the sum */
        groups->lost += group->count;
        return;
    }
    if (group->state_source > into->state_source)
        into->state_source = group->state_source;
    into->count = count_sum(into->count, group->count);
    into->leaked += group->leaked;
    into->locked += group->locked;
    add_ids(into, group);
    add_waits(into, group);
    add_crash(groups, into, snapshot_info_get(snapshot)->crash, index);
    group_evidence_add(&into->evidence, group, &groups->arena);
    add_values(groups, into, snapshot_values(snapshot, index));
}

/* Sets the first group, which stands for what the others lack of the sums over
 * all records. */
static void add_rest(struct export_groups *groups, const size_t *which,
                     size_t n)
{
    struct export_group *rest = pool_at(&groups->pool, 0);

    rest->count = groups->total;
    for (size_t i = 0; i < n; i++)
        add_values(
            groups, rest,
            snapshot_info_get(groups->snapshots->items[which[i]])->totals);
    for (size_t i = 1; i < groups->pool.count; i++) {
        const struct export_group *group = pool_at(&groups->pool, i);

        rest->count -= rest->count < group->count ? rest->count : group->count;
        for (size_t t = 0;
             rest->values && group->values && t < groups->info->n_types; t++)
            rest->values[t] =
                value_difference(rest->values[t], group->values[t]);
    }
}

/* Whether a group has anything: mostly all was kept. */
static bool is_empty(const struct export_groups *groups,
                     const struct export_group *group)
{
    return !group->count &&
           !(group->values && values_any(group->values, groups->info->n_types));
}

/* Of groups that measure, the first value to show says how large they are. */
static uint64_t weight(const struct export_groups *groups,
                       const struct export_group *group)
{
    int64_t value;

    if (!group->values)
        return group->count;
    value = group->values[groups->info->default_type];
    return value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
}

/* qsort's comparison has no argument of its own, so weights stand beside. */
struct weighed {
    const struct export_group *group;
    uint64_t weight;
};

static int compare(const void *a, const void *b)
{
    const struct weighed *left = a;
    const struct weighed *right = b;
    const struct signature *x = &left->group->id;
    const struct signature *y = &right->group->id;

    if (left->weight != right->weight)
        return left->weight > right->weight ? -1 : 1;
    if (x->high != y->high)
        return x->high < y->high ? -1 : 1;
    return (x->low > y->low) - (x->low < y->low);
}

/* Sets what can be said of a group once it is whole. */
static void settle_group(const struct export_groups *groups,
                         struct export_group *group)
{
    if (group->stack != STACK_OTHER)
        group->id = group_id_of(groups->symbols, group->stack, group->state,
                                profile_other_name(groups->info));
    if (group->has_wait && group->n_waits < group->count)
        group->wait_min = 0; /* the others waited for less than one */
}

static int sort(struct export_groups *groups, struct cprof_error *err)
{
    size_t n = groups->pool.count;
    struct weighed *items = arena_take(&groups->arena, n * sizeof(*items));
    size_t kept = 0;

    groups->sorted = arena_take(&groups->arena, n * sizeof(*groups->sorted));
    if (!groups->sorted || !items)
        return error_memory(err, (struct place){0}, "exporting");
    for (size_t i = 0; i < n; i++) {
        struct export_group *group = pool_at(&groups->pool, i);

        settle_group(groups, group);
        if (!is_empty(groups, group))
            items[kept++] = (struct weighed){group, weight(groups, group)};
    }
    if (kept)
        qsort(items, kept, sizeof(*items), compare);
    for (size_t i = 0; i < kept; i++)
        groups->sorted[i] = items[i].group;
    groups->n_sorted = kept;
    return 0;
}

/* Whether two snapshots measure the same, so that sums make sense. */
static bool measures_same(const struct snapshot_info *a,
                          const struct snapshot_info *b)
{
    if (!str_equal(a->profile, b->profile) || a->n_types != b->n_types)
        return false;
    for (size_t i = 0; i < a->n_types; i++) {
        if (!str_equal(a->types[i].name, b->types[i].name) ||
            !str_equal(a->types[i].unit, b->types[i].unit))
            return false;
    }
    return true;
}

static int check_same(const struct snapshot_info *a,
                      const struct snapshot_info *b, struct cprof_error *err)
{
    if (measures_same(a, b))
        return 0;
    return error_set(
        err, CPROF_EUSAGE, (struct place){b->source.ptr, 0, 0},
        "a " STR_FORMAT " profile cannot be added to the " STR_FORMAT
        " profile of '" STR_FORMAT "': export them one by one",
        STR_ARG(b->profile), STR_ARG(a->profile), STR_ARG(a->source));
}

static frame_id put_words(struct symbols *symbols, struct str words)
{
    return symbols_frame_put(
        symbols, (struct frame){.function = symbols_text_put(symbols, words)});
}

/* Joins the groups of n snapshots, as far as memory goes. */
static int join(struct export_groups *groups, const size_t *which, size_t n,
                struct cprof_error *err)
{
    int rc = 0;

    for (size_t i = 0; i < n && rc == 0; i++) {
        struct snapshot *snapshot = groups->snapshots->items[which[i]];
        const struct snapshot_info *info = snapshot_info_get(snapshot);

        rc = check_same(groups->info, info, err);
        for (size_t g = 0; rc == 0 && g < snapshot_n_groups(snapshot); g++)
            add_group(groups, snapshot, g);
        groups->total = count_sum(groups->total, info->total);
        groups->goroutines +=
            info->declared > info->total ? info->declared : info->total;
    }
    return rc;
}

/* Says which goroutines were read, and are not in the export. */
static void say_lost(const struct export_groups *groups)
{
    if (!groups->lost)
        return;
    diag_add(&groups->snapshots->diags, DIAG_WARNING, "memory-limit",
             (struct place){0},
             "the memory limit was reached: the stacks of %s of %s goroutines "
             "are (not kept) in the export (--max-memory)",
             count_text(groups->lost).text, count_text(groups->total).text);
}

int export_groups_init(struct export_groups *ret,
                       struct cprof_snapshots *snapshots, const size_t *which,
                       size_t n, struct cprof_error *err)
{
    struct budget *budget = &snapshots->budget;
    int rc;

    *ret = (struct export_groups){
        .snapshots = snapshots,
        .symbols = snapshots->symbols,
        .info = snapshot_info_get(snapshots->items[which[0]]),
    };
    arena_init(&ret->arena, budget);
    pool_init(&ret->pool, budget, sizeof(struct export_group));
    table_init(&ret->table, budget);
    ret->has_waits = ret->info->kind == PROFILE_GOROUTINE ||
                     ret->info->kind == PROFILE_GOROUTINELEAK;
    /* ORDER EXPORTED: format/exported.c knows these words. */
    ret->no_frames = put_words(ret->symbols, STR("(no frames)"));
    ret->not_kept = put_words(ret->symbols, STR("(not kept)"));
    if (!ret->no_frames || !ret->not_kept ||
        !find_group(ret, STACK_OTHER, STATE_UNKNOWN))
        return error_memory(err, (struct place){0}, "exporting");
    choose_crash(ret, which, n);
    /* What is kept back is for sorting and writing. */
    budget->reserve = budget->limit / 4;
    rc = join(ret, which, n, err);
    budget->reserve = 0;
    if (rc < 0)
        return rc;
    if (collection_has_lost(snapshots))
        return error_memory(err, (struct place){0}, "exporting");
    say_lost(ret);
    add_rest(ret, which, n);
    return sort(ret, err);
}

void export_groups_done(struct export_groups *groups)
{
    table_done(&groups->table);
    pool_done(&groups->pool);
    arena_done(&groups->arena);
}

struct stack export_frames(const struct export_groups *groups,
                           const struct export_group *group)
{
    struct stack stack;

    if (group->stack == STACK_OTHER)
        return (struct stack){&groups->not_kept, 1, 0};
    stack = symbols_stack(groups->symbols, group->stack);
    if (!stack.n_frames)
        return (struct stack){&groups->no_frames, 1, stack.elided};
    return stack;
}

struct str export_state(const struct export_groups *groups,
                        const struct export_group *group)
{
    if (group->state == STATE_UNKNOWN)
        return (struct str){0};
    return symbols_state(groups->symbols, group->state);
}

frame_id export_creator(const struct export_groups *groups,
                        const struct export_group *group)
{
    return creators_most_common(&group->evidence.creators, groups->symbols);
}
