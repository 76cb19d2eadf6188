#include <stdlib.h>

#include "rules/judge.h"

/* A group that a rule matches. */
struct member {
    uint64_t key; /* what the groups of one finding have in common */
    size_t group;
};

/* All groups that a rule matches at its turn, in order of key and group. */
struct members {
    const struct rule *rule;
    struct member *items;
    size_t count;
    size_t size;
    enum cprof_severity most; /* no finding of it can be worse */
};

/* The key of a site: its frame, or the function of the leaf, or the state of
 * goroutines without frames. */
static uint64_t site_key(const struct joined_group *group,
                         const struct subject *subject)
{
    enum { LEAF = 1, STATE = 2 };

    if (subject->site < subject->n_frames)
        return symbols_stack(subject->symbols, group->stack)
            .frames[subject->site];
    if (subject->leaf < subject->n_frames)
        return (uint64_t)LEAF << 32 | subject->functions[subject->leaf];
    return (uint64_t)STATE << 32 | group->state;
}

/* What the groups of one finding of a rule have in common. */
static uint64_t key_of(const struct rule *rule, const struct subject *subject)
{
    switch (rule->group_by) {
    case BUCKET_STACK:
        return subject->group->stack;
    case BUCKET_RULE:
        return 0;
    case BUCKET_SITE:
        break;
    }
    return site_key(subject->group, subject);
}

/* Remembers that a rule matches a group. False when memory ran out. */
static bool members_add(struct judge *judge, struct members *members,
                        struct member member)
{
    size_t unit = sizeof(*members->items);

    if (members->count == members->size) {
        size_t size = members->size ? members->size * 2 : 32;
        struct member *items = budget_resize(judge->budget, members->items,
                                             members->size * unit, size * unit);

        if (!items)
            return false;
        members->items = items;
        members->size = size;
    }
    members->items[members->count++] = member;
    return true;
}

static int compare_members(const void *a, const void *b)
{
    const struct member *left = a;
    const struct member *right = b;

    if (left->key != right->key)
        return left->key < right->key ? -1 : 1;
    return left->group < right->group ? -1 : 1;
}

/* Lets each rule of a level say which of the open groups it matches. */
static bool collect(struct judge *judge, struct members *level, size_t n)
{
    for (size_t i = 0; i < analysis_n_groups(judge->analysis); i++) {
        if (!judge_is_open(judge, i))
            continue;
        if (!subject_set(&judge->subject, judge->symbols,
                         analysis_group(judge->analysis, i)))
            return false;
        for (size_t r = 0; r < n; r++) {
            struct member member = {0, i};

            if (!match_holds(level[r].rule, &judge->subject))
                continue;
            member.key = key_of(level[r].rule, &judge->subject);
            if (!members_add(judge, &level[r], member))
                return false;
        }
    }
    for (size_t r = 0; r < n; r++) {
        if (level[r].count)
            qsort(level[r].items, level[r].count, sizeof(struct member),
                  compare_members);
    }
    return true;
}

/* The groups of one finding that nobody has yet, and what they add up to. */
struct bucket {
    size_t n_groups; /* in judge->taken; the sums are in judge->sums */
    uint64_t leaked; /* goroutines that are proven leaked */
    bool has_age;
    uint64_t age_s;
};

/* Gathers those of n members that have no owner. */
static struct bucket fill_bucket(struct judge *judge,
                                 const struct member *members, size_t n)
{
    struct bucket bucket = {0};

    memset(judge->sums, 0, judge->n_snapshots * sizeof(*judge->sums));
    for (size_t i = 0; i < n; i++) {
        const struct joined_group *group =
            analysis_group(judge->analysis, members[i].group);
        uint64_t age_s = (uint64_t)group->wait_max * 60;

        if (judge->findings->owners[members[i].group])
            continue;
        judge->taken[bucket.n_groups++] = members[i].group;
        bucket.leaked += group->leaked;
        bucket.has_age = bucket.has_age || group->has_wait;
        if (group->has_wait && age_s > bucket.age_s)
            bucket.age_s = age_s;
        for (size_t s = 0; s < judge->n_snapshots; s++)
            judge->sums[s] += group->counts[judge->snapshots[s]];
    }
    return bucket;
}

/* Whether a tier holds for count of the goroutines of one snapshot. */
static bool tier_holds(const struct tier *tier, const struct bucket *bucket,
                       uint64_t count, uint64_t goroutines)
{
    return count >= tier->count &&
           (double)count >= tier->share * (double)goroutines &&
           (!tier->has_age ||
            (bucket->has_age && bucket->age_s >= tier->age_s));
}

/* How many goroutines of a snapshot a rule's tiers are held against: one that
 * asks for proof counts what is proven, not those that stand beside it. */
static uint64_t weigh(const struct rule *rule, const struct bucket *bucket,
                      uint64_t count)
{
    if (rule->match.leaked == WANTED_YES && bucket->leaked < count)
        return bucket->leaked;
    return count;
}

/* The severity of a bucket: in each snapshot the first tier that holds, and of
 * all snapshots the worst. */
static enum cprof_severity severity_of(const struct judge *judge,
                                       const struct rule *rule,
                                       const struct bucket *bucket)
{
    enum cprof_severity worst = CPROF_SEVERITY_OK;

    for (size_t s = 0; s < judge->n_snapshots; s++) {
        uint64_t goroutines =
            analysis_goroutines(judge->analysis, judge->snapshots[s]);

        uint64_t count = weigh(rule, bucket, judge->sums[s]);

        for (size_t i = 0; count && i < rule->when.count; i++) {
            const struct tier *tier = &rule->when.items[i];

            if (!tier_holds(tier, bucket, count, goroutines))
                continue;
            if (tier->severity > worst)
                worst = tier->severity;
            break;
        }
    }
    return worst;
}

/* Makes a finding of a bucket, whose groups then have an owner. */
static bool take_bucket(struct judge *judge, const struct rule *rule,
                        const struct bucket *bucket,
                        enum cprof_severity severity)
{
    struct verdict verdict = {.rule = rule,
                              .severity = severity,
                              .groups = judge->taken,
                              .n_groups = bucket->n_groups};

    for (size_t s = 0; s < judge->n_snapshots; s++)
        verdict.count += judge->sums[s];
    return findings_add(judge->findings, &verdict);
}

/* Gives a rule every bucket whose severity is at least the given one. */
static bool settle_rule(struct judge *judge, struct members *members,
                        enum cprof_severity severity)
{
    enum cprof_severity most = CPROF_SEVERITY_OK;
    size_t end;

    for (size_t begin = 0; begin < members->count; begin = end) {
        struct bucket bucket;
        enum cprof_severity found;

        end = begin + 1;
        while (end < members->count &&
               members->items[end].key == members->items[begin].key)
            end++;
        bucket = fill_bucket(judge, &members->items[begin], end - begin);
        found = bucket.n_groups ? severity_of(judge, members->rule, &bucket)
                                : CPROF_SEVERITY_OK;
        if (found < severity || found == CPROF_SEVERITY_OK)
            most = found > most ? found : most;
        else if (!take_bucket(judge, members->rule, &bucket, found))
            return false;
    }
    members->most = most;
    return true;
}

/* Severity by severity, so that a group goes to the rule that takes it most
 * seriously; what is left of other buckets is then judged anew. */
static bool settle(struct judge *judge, struct members *level, size_t n)
{
    for (unsigned severity = CPROF_SEVERITY_CRITICAL;
         severity >= CPROF_SEVERITY_INFO; severity--) {
        for (size_t r = 0; r < n; r++) {
            if (level[r].most >= severity &&
                !settle_rule(judge, &level[r], (enum cprof_severity)severity))
                return false;
        }
    }
    return true;
}

bool judge_level(struct judge *judge, size_t first, size_t n)
{
    struct members *level = calloc(n, sizeof(*level));
    bool is_done;

    if (!level)
        return false;
    for (size_t i = 0; i < n; i++) {
        level[i].rule = judge->rules[first + i];
        level[i].most = CPROF_SEVERITY_CRITICAL;
    }
    is_done = collect(judge, level, n) && settle(judge, level, n);
    for (size_t i = 0; i < n; i++)
        budget_free(judge->budget, level[i].items,
                    level[i].size * sizeof(struct member));
    free(level);
    return is_done;
}
