/* omission.h - lines that say that lines were left out.
 *
 * People and collectors cut long dumps in their middle and leave a mark, each
 * his own: "... 1000 lines omitted ...", "[...]", "<truncated>". What stands
 * before and behind such a line does not belong together. */
#ifndef FORMAT_OMISSION_H
#define FORMAT_OMISSION_H

#include "base/str.h"

/* Whether a line says nothing but that others are missing: an ellipsis alone,
 * or words of that kind only. What the runtime leaves out of a stack itself, as
 * "...additional frames elided...", is go_text.h's. */
bool omission_looks_like(struct str line);

/* Whether a text is nothing but three dots or one sign, perhaps in brackets, as
 * people leave out what does not matter. More dots are those of progress. */
bool omission_is_ellipsis(struct str text);

#endif
