/* clues.h - what an input is that is no dump, told by its first lines.
 *
 * Each clue is a text and what it means; the table in clues.c is in order of
 * what says most. To teach the program another kind of input, add a line. */
#ifndef READ_CLUES_H
#define READ_CLUES_H

#include "base/str.h"

/* Looks at a line without blanks at its ends. best is the number of the best
 * clue so far, or 0; returns that of the better one. */
size_t clue_look(struct str line, bool is_first, size_t best);

/* What a clue means, and what to ask for instead; best is not 0. */
const char *clue_message(size_t best);

#endif
