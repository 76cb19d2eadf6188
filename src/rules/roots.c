#include "rules/roots.h"

#include "analysis/analysis.h"

enum { STEPS_MOST = 16 }; /* from one lock to the holder's next */

/* Whether something is held by a goroutine of a circle that is likely. */
static bool is_of_circle(const struct analysis *analysis,
                         const struct holding *holding)
{
    size_t n_cycles;
    const struct wait_cycle *cycles = analysis_cycles(analysis, &n_cycles);

    for (size_t i = 0; i < n_cycles; i++) {
        for (size_t k = 0; k < cycles[i].n_links; k++) {
            if (cycles[i].certainty > CERTAINTY_LOW &&
                cycles[i].links[k].holds == holding)
                return true;
        }
    }
    return false;
}

/* Whether what a finding waits for leads into a circle, over the best holder of
 * each lock. */
static bool is_behind_circle(const struct findings *findings,
                             const struct finding *finding)
{
    const struct holding *holding = finding->holding;

    for (unsigned i = 0; i < STEPS_MOST && holding; i++) {
        if (is_of_circle(findings->analysis, holding))
            return true;
        holding = holding->n_holders ? holding->holders->waits : NULL;
    }
    return false;
}

static bool speaks_of_circles(const struct findings *findings,
                              const struct finding *finding)
{
    return !finding->is_mention &&
           findings_owner_of(findings, finding->groups[0])->match.cycle ==
               WANTED_YES;
}

void roots_raise(struct findings *findings)
{
    enum cprof_severity worst = CPROF_SEVERITY_OK;

    for (size_t i = 0; i < findings->count; i++) {
        const struct finding *finding = findings->items[i];

        if (finding->severity > worst && !finding->is_mention &&
            !speaks_of_circles(findings, finding) &&
            is_behind_circle(findings, finding))
            worst = finding->severity;
    }
    for (size_t i = 0; worst && i < findings->count; i++) {
        struct finding *finding = findings->items[i];

        if (!speaks_of_circles(findings, finding) || !finding->cycle ||
            finding->cycle->certainty == CERTAINTY_LOW)
            continue;
        finding->is_root = true;
        if (finding->severity < worst)
            finding->severity = worst;
    }
}
