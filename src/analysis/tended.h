/* tended.h - WaitGroups whose members are all there, as a supervisor's are.
 *
 * Who starts workers and waits until they end does so for as long as the
 * process lives: how long it has waited says nothing. */
#ifndef ANALYSIS_TENDED_H
#define ANALYSIS_TENDED_H

#include "analysis/contention.h"

/* Says of each WaitGroup whether it is tended (holding.is_tended): members are
 * known, all of them, and each is at work or waits for some in a select, a
 * receive or a sleep. Where the wait is that of a request it is not: none
 * should last. The holders are known already. */
void tended_find(const struct contention *contention);

#endif
