#include "notify/lapse.h"

/* How many usual gaps one gap counts as, at most. */
enum { GAPS_MOST = 3 };

static const int64_t first_most_ns = INT64_C(3600) * 1000000000;

bool lapse_step(struct lapse *lapse, int64_t now_ns)
{
    int64_t most_ns =
        lapse->usual_ns ? GAPS_MOST * lapse->usual_ns : first_most_ns;
    int64_t gap_ns = lapse->at_ns ? now_ns - lapse->at_ns : 0;

    lapse->at_ns = now_ns;
    if (gap_ns <= 0)
        return false;
    /* What was cut is the usual one from now on: of a job that runs less often
     * than before, each gap soon counts as a whole. */
    lapse->usual_ns = gap_ns < most_ns ? gap_ns : most_ns;
    lapse->passed_ns += lapse->usual_ns;
    return gap_ns > most_ns;
}
