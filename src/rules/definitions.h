/* definitions.h - `lists` and `macros`: texts that patterns use as ${name}.
 *
 * A list of patterns stands for one of them, a macro for its text; both are put
 * in as a group, (?:a|b), so that what stands around them cannot take them
 * apart. They may use each other in any order, but not in a circle. A name is
 * known in its file and in those that are loaded later; where a later file
 * gives it another meaning, that one holds for the file and those behind it. */
#ifndef RULES_DEFINITIONS_H
#define RULES_DEFINITIONS_H

#include "base/buf.h"
#include "rules/schema.h"

/* Reads the mappings `lists` and `macros` of a file; NULL = not given. */
int definitions_read(struct loader *loader, const struct node *lists,
                     const struct node *macros);

/* Whether a text uses a name, right or wrong: it holds "${". */
bool definitions_used(struct str text);

/* Appends a pattern with every ${name} replaced. */
int definitions_expand(struct loader *loader, const struct node *node,
                       struct buf *out);

#endif
