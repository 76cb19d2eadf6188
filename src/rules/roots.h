/* roots.h - a circle is the cause of what waits behind it.
 *
 * A deadlock of two goroutines is one finding, and the three hundred that queue
 * for their locks are another, which is worse by its number. But only the
 * circle can be mended. */
#ifndef RULES_ROOTS_H
#define RULES_ROOTS_H

#include "rules/findings.h"

/* Makes findings that speak of circles, where these are likely at least, as
 * severe as the worst of those that wait behind one. To be called before
 * findings_sort, which brings them to the front. */
void roots_raise(struct findings *findings);

#endif
