/* written.h - what must hold of every text that is written, whatever was
 * read. */
#ifndef FUZZ_WRITTEN_H
#define FUZZ_WRITTEN_H

#include "base/str.h"

/* A cprof_write_fn: appends to a struct buf, the user. */
int written_append(void *user, const char *bytes, size_t size);

/* Checks that a text is valid UTF-8 of characters that show something, and line
 * ends: nothing in it can move a cursor, ring, or turn the text around. Colours
 * of the form "ESC [ digits m" may stand in it when has_color is set. */
void written_printable(struct str text, bool has_color);

/* Checks that a text is one JSON value, in which no name stands twice in an
 * object. */
void written_json(struct str text);

/* Checks that a text is printable and that its markup, HTML or XML, is its
 * writer's: each tag is whole, has attributes in quotes if any, and none of
 * them runs a script or leads elsewhere than to https, http, a place in the
 * page or the empty icon. Text of scripts and styles is left out; there are as
 * many scripts as are said. */
void written_markup(struct str text, size_t n_scripts);

/* Checks that each line of folded stacks ends with a number, and returns the
 * sum. */
uint64_t written_folded(struct str text);

#endif
