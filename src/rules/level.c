#include <stdlib.h>

#include "base/count.h"
#include "rules/bucket.h"

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
            if (judge_may_ask(judge, level[r].rule) &&
                match_holds(level[r].rule, &judge->subject) &&
                !members_add(judge, &level[r], i))
                return false;
        }
    }
    for (size_t r = 0; r < n; r++) {
        if (!members_sort(judge, &level[r]))
            return false;
    }
    return true;
}

/* Makes a finding of a bucket, whose groups then have an owner. */
static bool take_bucket(struct judge *judge, const struct bucket *bucket,
                        enum cprof_severity severity, size_t tier)
{
    struct verdict verdict = {.rule = bucket->rule,
                              .severity = severity,
                              .tier = tier,
                              .is_mention = judge->is_mentioning,
                              .groups = judge->taken,
                              .n_groups = bucket->n_groups};

    for (size_t s = 0; s < judge->n_snapshots; s++)
        verdict.count = count_sum(verdict.count, judge->sums[s]);
    return findings_add(judge->findings, &verdict);
}

/* Gives a rule every bucket whose severity is at least the given one; or only
 * those for which a tier of its own says so, and not growth, which is the same
 * to all rules. */
static bool settle_rule(struct judge *judge, struct members *members,
                        enum cprof_severity severity, bool only_by_tier)
{
    enum cprof_severity most = CPROF_SEVERITY_OK;
    size_t end;

    for (size_t begin = 0; begin < members->count; begin = end) {
        struct bucket bucket;
        enum cprof_severity found;
        size_t tier = 0;

        end = members_bucket_end(members, begin);
        bucket = bucket_fill(judge, members, begin, end, false);
        found = bucket_severity(judge, &bucket, &tier);
        if (found < severity || found == CPROF_SEVERITY_OK ||
            (only_by_tier && tier == bucket.rule->when.count))
            most = found > most ? found : most;
        else if (!take_bucket(judge, &bucket, found, tier))
            return false;
    }
    members->most = most;
    return true;
}

/* Lets each rule of a level take what it is given at a severity. */
static bool settle_severity(struct judge *judge, struct members *level,
                            size_t n, enum cprof_severity severity,
                            bool only_by_tier)
{
    for (size_t r = 0; r < n; r++) {
        if (level[r].most >= severity &&
            !settle_rule(judge, &level[r], severity, only_by_tier))
            return false;
    }
    return true;
}

/* Severity by severity, so that a group goes to the rule that takes it most
 * seriously; what is left of other buckets is then judged anew. Of moments that
 * are compared, the rule comes first that says as much of one of them. */
static bool settle(struct judge *judge, struct members *level, size_t n)
{
    bool is_series = analysis_snapshots(judge->analysis)->is_series;

    for (unsigned i = CPROF_SEVERITY_CRITICAL; i >= CPROF_SEVERITY_INFO; i--) {
        enum cprof_severity severity = (enum cprof_severity)i;

        if ((is_series && !judge->is_mentioning &&
             !settle_severity(judge, level, n, severity, true)) ||
            !settle_severity(judge, level, n, severity, false))
            return false;
    }
    return true;
}

bool judge_level(struct judge *judge, size_t first, size_t n)
{
    struct members *level = calloc(n, sizeof(*level));
    bool is_done;

    if (!level)
        return false;
    judge->level = (uint32_t)first + 1;
    for (size_t i = 0; i < n; i++) {
        level[i].rule = judge->rules[first + i];
        level[i].most = CPROF_SEVERITY_CRITICAL;
    }
    is_done = collect(judge, level, n) && settle(judge, level, n);
    for (size_t i = 0; i < n; i++)
        members_done(judge, &level[i]);
    free(level);
    return is_done;
}
