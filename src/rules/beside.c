#include "rules/beside.h"

#include <stdlib.h>

/* Whether a rule with `beside` that takes part in a judged snapshot matches. */
static bool is_beside(const struct judge *judge, const struct subject *subject,
                      size_t snapshot)
{
    for (size_t r = 0; r < judge->n_rules; r++) {
        const struct rule *rule = judge->rules[r];

        if (rule->beside == WANTED_YES && rule->info.class == CLASS_NORMAL &&
            judge_takes_part(judge, rule, snapshot) &&
            match_holds(rule, subject))
            return true;
    }
    return false;
}

/* Takes a group out of the snapshots where it stands beside others. */
static void leave_out(const struct judge *judge, const struct subject *subject,
                      uint64_t *rests)
{
    for (size_t s = 0; s < judge->n_snapshots; s++) {
        uint64_t count = joined_count(subject->group, judge->snapshots[s]);

        if (count && is_beside(judge, subject, s))
            rests[s] -= count < rests[s] ? count : rests[s];
    }
}

/* Counts what is left of each judged snapshot. The subject is one of its own:
 * who asks may be in the midst of another. NULL when memory ran out. */
static uint64_t *count_rests(const struct judge *judge)
{
    uint64_t *rests = calloc(judge->n_snapshots + 1, sizeof(*rests));
    struct subject subject = {0};
    bool is_done = rests != NULL;

    for (size_t s = 0; rests && s < judge->n_snapshots; s++)
        rests[s] = analysis_goroutines(judge->analysis, judge->snapshots[s]);
    for (size_t i = 0; is_done && i < analysis_n_groups(judge->analysis); i++) {
        const struct joined_group *group = analysis_group(judge->analysis, i);

        if (group->is_filtered)
            continue;
        is_done = subject_set(&subject, judge->symbols, group);
        if (is_done)
            leave_out(judge, &subject, rests);
    }
    subject_done(&subject);
    if (is_done)
        return rests;
    free(rests);
    return NULL;
}

uint64_t beside_rest(struct judge *judge, size_t snapshot)
{
    if (!judge->rests && !judge->is_starved)
        judge->rests = count_rests(judge);
    judge->is_starved = !judge->rests;
    return judge->rests ? judge->rests[snapshot] : 0;
}

void beside_done(struct judge *judge)
{
    free(judge->rests);
    judge->rests = NULL;
}
