/* ahead.h - whether a text with ?debug=1 goes on behind lines of others.
 *
 * A logger writes between the lines of a profile, or something else follows
 * it, which may be another dump in any wrapping: the lines behind tell. */
#ifndef FORMAT_AHEAD_H
#define FORMAT_AHEAD_H

#include "format/format.h"

/* Whether a line is one of the profile that is read. */
typedef bool own_fn(const void *user, struct str line);

/* What is known of the lines behind the cursor; all zero at first. */
struct ahead {
    uint64_t own_line; /* number of the next line that is the profile's */
};

/* Asked at a line that is not the profile's: whether one that is, as is_own
 * says, follows within LINES_WINDOW bytes and before the title of another
 * profile, and no other dump begins at the cursor. Then the line at the cursor
 * is counted as one of others. Slices taken before are void. */
bool ahead_step_over(struct ahead *ahead, struct section *section,
                     own_fn *is_own, const void *user);

#endif
