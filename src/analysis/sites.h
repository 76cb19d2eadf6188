/* sites.h - the place in a stack that a person would look at.
 *
 * The leaf is the first frame that is not the runtime's own. The site is the
 * first frame outside the standard library: the line of the user's own code,
 * or of a library, where the goroutine waits. */
#ifndef ANALYSIS_SITES_H
#define ANALYSIS_SITES_H

#include "model/symbols.h"

/* The index of the leaf in the stack; 0 when all frames are the runtime's; -1
 * when there are no frames. */
int32_t site_leaf(const struct symbols *symbols, struct stack stack);

/* The index of the site; -1 when there are no frames. */
int32_t site_find(const struct symbols *symbols, struct stack stack);

#endif
