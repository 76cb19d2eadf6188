#include "rules/bucket.h"

#include <stdlib.h>

#include "base/count.h"
#include "model/options.h"
#include "rules/correlate.h"
#include "rules/figures.h"
#include "rules/growth_level.h"

/* The frame of a group at an index, which may be none; FRAME_NONE then. */
static frame_id frame_at(const struct symbols *symbols,
                         const struct joined_group *group, int32_t index)
{
    struct stack stack = {0};

    if (group->stack != STACK_OTHER)
        stack = symbols_stack(symbols, group->stack);
    return index < 0 || (uint32_t)index >= stack.n_frames ? FRAME_NONE
                                                          : stack.frames[index];
}

/* What a group has in common with others at its leaf, or, without frames, in
 * its state. */
static uint64_t leaf_key(const struct symbols *symbols,
                         const struct joined_group *group)
{
    enum { LEAF = 1, STATE = 2 };
    frame_id leaf = frame_at(symbols, group, group->leaf);

    if (leaf != FRAME_NONE)
        return (uint64_t)LEAF << 32 | symbols_frame(symbols, leaf).function;
    return (uint64_t)STATE << 32 | group->state;
}

uint64_t group_site_key(const struct symbols *symbols,
                        const struct joined_group *group)
{
    frame_id site = frame_at(symbols, group, group->site);

    return site != FRAME_NONE ? site : leaf_key(symbols, group);
}

/* The function that started most goroutines of the group; 0 = not told. */
static uint64_t creator_key(const struct symbols *symbols,
                            const struct joined_group *group)
{
    frame_id creator = group->created_by;

    return creator == FRAME_NONE ? 0 : symbols_frame(symbols, creator).function;
}

/* The value that most goroutines of the group carry under a label, of equals
 * the first in order of text; 0 = none. */
static uint64_t label_key(const struct symbols *symbols,
                          const struct joined_group *group, struct str key)
{
    const struct label_counts *at = joined_labels(group);
    const struct counted *best = NULL;

    while (at && !str_equal(symbols_text(symbols, at->key), key))
        at = at->next;
    for (uint32_t i = 0; at && i < at->values.count; i++) {
        const struct counted *value = &at->values.items[i];

        if (!best || value->count > best->count ||
            (value->count == best->count &&
             str_compare(symbols_text(symbols, value->id),
                         symbols_text(symbols, best->id)) < 0))
            best = value;
    }
    return best ? (uint64_t)1 << 32 | best->id : 0;
}

/* What the groups of one finding of a rule have in common. */
static uint64_t key_of(const struct rule *rule, const struct symbols *symbols,
                       const struct joined_group *group)
{
    switch (rule->group_by.by) {
    case BUCKET_STACK:
        return group->stack;
    case BUCKET_LEAF:
        return leaf_key(symbols, group);
    case BUCKET_CREATED_BY:
        return creator_key(symbols, group);
    case BUCKET_LABEL:
        return label_key(symbols, group, rule->group_by.label);
    case BUCKET_RULE:
        return 0;
    case BUCKET_SITE:
        break;
    }
    return group_site_key(symbols, group);
}

bool members_add(struct judge *judge, struct members *members, size_t group)
{
    size_t unit = sizeof(*members->items);

    if (members->count == members->size) {
        size_t size = members->size ? members->size * 2 : 32;
        uint32_t *items = budget_resize(judge->budget, members->items,
                                        members->size * unit, size * unit);

        if (!items)
            return false;
        members->items = items;
        members->size = size;
    }
    members->items[members->count++] = (uint32_t)group;
    return group < MEMBER_FIRST;
}

/* A member while they are sorted. */
struct keyed {
    uint32_t kind; /* what the groups of one finding have in common, */
    uint32_t key;  /* and which */
    uint32_t group;
};

static bool is_other_key(const struct keyed *left, const struct keyed *right)
{
    return left->kind != right->kind || left->key != right->key;
}

static int compare_keyed(const void *a, const void *b)
{
    const struct keyed *left = a;
    const struct keyed *right = b;

    if (left->kind != right->kind)
        return left->kind < right->kind ? -1 : 1;
    if (left->key != right->key)
        return left->key < right->key ? -1 : 1;
    return left->group < right->group ? -1 : 1;
}

bool members_sort(struct judge *judge, struct members *members)
{
    size_t size = members->count * sizeof(struct keyed);
    struct keyed *keyed;

    if (!members->count)
        return true;
    keyed = budget_resize(judge->budget, NULL, 0, size);
    if (!keyed)
        return false;
    for (size_t i = 0; i < members->count; i++) {
        uint32_t group = members->items[i];
        uint64_t key = key_of(members->rule, judge->symbols,
                              analysis_group(judge->analysis, group));

        keyed[i] = (struct keyed){(uint32_t)(key >> 32), (uint32_t)key, group};
    }
    qsort(keyed, members->count, sizeof(*keyed), compare_keyed);
    for (size_t i = 0; i < members->count; i++) {
        bool is_first = !i || is_other_key(&keyed[i - 1], &keyed[i]);

        members->items[i] = keyed[i].group | (is_first ? MEMBER_FIRST : 0);
    }
    budget_free(judge->budget, keyed, size);
    return true;
}

void members_done(struct judge *judge, struct members *members)
{
    budget_free(judge->budget, members->items,
                members->size * sizeof(*members->items));
}

size_t members_bucket_end(const struct members *members, size_t begin)
{
    size_t end = begin + 1;

    while (end < members->count && !(members->items[end] & MEMBER_FIRST))
        end++;
    return end;
}

/* Whether a group may be in a bucket. */
static bool is_free(const struct judge *judge, size_t group, bool with_owned)
{
    const struct rule *owner = findings_owner_of(judge->findings, group);

    return !owner || (with_owned && owner->info.class != CLASS_NORMAL);
}

struct bucket bucket_fill(struct judge *judge, const struct members *members,
                          size_t begin, size_t end, bool with_owned)
{
    struct bucket bucket = {.rule = members->rule};

    memset(judge->sums, 0, judge->n_snapshots * sizeof(*judge->sums));
    for (size_t i = begin; i < end; i++) {
        size_t index = members->items[i] & ~MEMBER_FIRST;
        const struct joined_group *group =
            analysis_group(judge->analysis, index);

        if (!is_free(judge, index, with_owned))
            continue;
        judge->taken[bucket.n_groups++] = (uint32_t)index;
        bucket.leaked += joined_extra(group)->leaked;
        for (size_t s = 0; s < judge->n_snapshots; s++)
            judge->sums[s] += joined_count(group, judge->snapshots[s]);
    }
    return bucket;
}

/* Whether every bound of a tier that is given holds. */
static bool tier_holds(struct judge *judge, const struct tier *tier,
                       const struct bucket *bucket, size_t snapshot)
{
    for (unsigned key = 0; key < N_BOUNDS; key++) {
        struct figure figure;

        if (tier->bounds[key].op == BOUND_NONE)
            continue;
        figure = figure_get(judge, bucket, snapshot, (enum bound_key)key, tier);
        if (!bound_holds(&tier->bounds[key], &figure))
            return false;
    }
    return true;
}

enum cprof_severity bucket_severity_in(struct judge *judge,
                                       const struct bucket *bucket,
                                       size_t snapshot, size_t *ret_tier)
{
    const struct tiers *when = &bucket->rule->when;

    if (!bucket_weight(judge, bucket, snapshot) ||
        !judge_takes_part(judge, bucket->rule, snapshot))
        return CPROF_SEVERITY_OK;
    if (judge->is_mentioning) {
        *ret_tier = when->count;
        return judge->sums[snapshot] >= MENTION_LEAST ? CPROF_SEVERITY_INFO
                                                      : CPROF_SEVERITY_OK;
    }
    for (size_t i = 0; i < when->count; i++) {
        if (tier_holds(judge, &when->items[i], bucket, snapshot)) {
            *ret_tier = i;
            return when->items[i].severity;
        }
    }
    return CPROF_SEVERITY_OK;
}

/* What the groups of a bucket do over time. */
struct change {
    enum cprof_severity severity; /* OK = nothing that is a fault */
    uint64_t grown; /* goroutines where it grows, and nothing explains it */
    uint64_t stuck; /* where the same ones wait on that should not wait */
    uint64_t count; /* all of them */
};

/* Whether growth is explained by what is known of it: the goroutines pass
 * through, or stand as those of an idle pool do. */
static bool is_explained(const struct site_growth *site,
                         enum cprof_severity severity)
{
    return severity == CPROF_SEVERITY_OK || growth_passes(site) ||
           (severity == CPROF_SEVERITY_LOW && site->verdict == GROWTH_STUCK);
}

/* Whether a tier judges by how long goroutines have waited. */
static bool is_by_age(const struct rule *rule, size_t tier)
{
    return tier < rule->when.count &&
           rule->when.items[tier].bounds[BOUND_AGE].op != BOUND_NONE;
}

/* Whether a rule speaks of waiting, which is a fault when it lasts, and not of
 * how many there are: of what nobody should wait for, or of what takes moments,
 * so that five minutes are too long. */
static bool speaks_of_waiting(const struct rule *rule,
                              enum cprof_severity of_one)
{
    static const double moments = 5 * 60; /* seconds */
    bool is_bad = rule->info.class == CLASS_BAD;

    if (!is_bad && of_one < CPROF_SEVERITY_LOW)
        return false;
    for (size_t i = 0; i < rule->when.count; i++) {
        const struct tier *tier = &rule->when.items[i];

        if (is_by_age(rule, i) &&
            (is_bad || (tier->severity >= CPROF_SEVERITY_MEDIUM &&
                        tier->bounds[BOUND_AGE].value <= moments)))
            return true;
    }
    return false;
}

/* Whether a tier finds that goroutines have waited too long. Where they may
 * well wait it has to be sure. */
static bool is_too_old(const struct rule *rule, size_t tier,
                       enum cprof_severity severity)
{
    return is_by_age(rule, tier) &&
           severity >= (rule->info.class == CLASS_NEUTRAL
                            ? CPROF_SEVERITY_HIGH
                            : CPROF_SEVERITY_MEDIUM);
}

static uint64_t count_groups(const struct judge *judge,
                             const struct bucket *bucket)
{
    uint64_t count = 0;

    for (size_t i = 0; i < bucket->n_groups; i++)
        count = count_sum(
            count, analysis_group(judge->analysis, judge->taken[i])->count);
    return count;
}

/* What the groups of a bucket do, in which a tier finds so much of one dump. */
static struct change bucket_change(const struct judge *judge,
                                   const struct bucket *bucket,
                                   enum cprof_severity of_one, size_t tier)
{
    bool tells_waits = speaks_of_waiting(bucket->rule, of_one) ||
                       is_too_old(bucket->rule, tier, of_one);
    const struct cprof_snapshots *all = analysis_snapshots(judge->analysis);
    /* What is an info to a rule of class bad may be as it should. */
    bool is_bad =
        bucket->rule->info.class == CLASS_BAD && of_one >= CPROF_SEVERITY_LOW;
    struct change change = {.count = count_groups(judge, bucket)};

    for (size_t i = 0; i < bucket->n_groups; i++) {
        const struct joined_group *group =
            analysis_group(judge->analysis, judge->taken[i]);
        const struct group_growth *growth = joined_extra(group)->growth;
        enum cprof_severity found;
        double limit;

        if (!growth || growth_is_of_others(growth->site, change.count))
            continue;
        limit = growth_limit(all->options, growth->site, NULL);
        found = is_bad ? growth_severity_bad(growth->site, limit)
                       : growth_severity(growth->site, limit);
        if (found > change.severity)
            change.severity = found;
        if (!is_explained(growth->site, found))
            change.grown += group->count;
        else if (growth->site->still_waits &&
                 (growth->site->is_blocking || tells_waits))
            change.stuck += group->count;
    }
    return change;
}

/* Whether a tier itself speaks of growth. */
static bool speaks_of_growth(const struct rule *rule, size_t tier)
{
    return tier < rule->when.count &&
           tier_asks_for(&rule->when.items[tier], bound_needs_history);
}

/* Whether a rule speaks of what one dump proves, whatever others hold: a circle
 * of waits, a lock that nobody is left to unlock, or that the process died. */
static bool speaks_of_the_end(const struct rule *rule)
{
    return rule->match.cycle == WANTED_YES ||
           rule->match.stranded == WANTED_YES || rule->match.crash.count;
}

/* Whether a fault of one dump is one of a comparison too. What grows is, where
 * it is what grows that is so many, and not traffic; and so is what ids show to
 * be stuck, be it few: a small service that hangs as a whole is not well. */
static bool is_fault_of_change(const struct bucket *bucket,
                               const struct change *change,
                               enum cprof_severity severity)
{
    if (change->grown && change->grown * 2 >= change->count)
        return true;
    if (change->stuck && severity >= CPROF_SEVERITY_INFO)
        return (change->grown + change->stuck) * 2 >= change->count;
    return severity >= CPROF_SEVERITY_MEDIUM && speaks_of_the_end(bucket->rule);
}

/* Whether a rule has a say in some judged snapshot that holds the bucket: one
 * that needs what others find, or another Go, says nothing of growth either. */
static bool takes_part(const struct judge *judge, const struct bucket *bucket)
{
    for (size_t s = 0; s < judge->n_snapshots; s++) {
        if (bucket_weight(judge, bucket, s) &&
            judge_takes_part(judge, bucket->rule, s))
            return true;
    }
    return false;
}

/* Notes what a bucket is in one dump alone, where nothing changed. What a level
 * before would own there, though it is no finding of the comparison, is not for
 * a later one to speak of. */
static void note_unchanged(struct judge *judge, const struct bucket *bucket,
                           enum cprof_severity severity)
{
    uint64_t count = 0;
    uint64_t free_count = 0;

    for (size_t i = 0; i < bucket->n_groups && severity; i++) {
        size_t index = judge->taken[i];
        uint64_t n = analysis_group(judge->analysis, index)->count;

        if (!judge->known[index])
            judge->known[index] = judge->level;
        count = count_sum(count, n);
        if (judge->known[index] == judge->level)
            free_count = count_sum(free_count, n);
    }
    if (free_count > count / 2 && severity > judge->findings->unchanged)
        judge->findings->unchanged = severity;
}

/* Where moments are compared, what did not change is no finding, however much
 * it is: analyze says that of any of them. What grows is as bad as its growth,
 * or as its rule says of so many in one dump; what is stuck, as its rule
 * says. */
enum cprof_severity bucket_severity(struct judge *judge,
                                    const struct bucket *bucket,
                                    size_t *ret_tier)
{
    enum cprof_severity worst = CPROF_SEVERITY_OK;
    struct change change;

    for (size_t s = 0; s < judge->n_snapshots; s++) {
        size_t tier = 0;
        enum cprof_severity found = bucket_severity_in(judge, bucket, s, &tier);

        if (found <= worst)
            continue;
        worst = found;
        *ret_tier = tier;
    }
    if (!analysis_snapshots(judge->analysis)->is_series ||
        speaks_of_growth(bucket->rule, *ret_tier) ||
        (!worst && !takes_part(judge, bucket)))
        return worst;
    change = bucket_change(judge, bucket, worst, *ret_tier);
    if (change.severity > worst ||
        !is_fault_of_change(bucket, &change, worst)) {
        note_unchanged(judge, bucket, worst);
        worst = change.severity;
        *ret_tier = bucket->rule->when.count;
    }
    return worst;
}
