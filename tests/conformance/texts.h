/* texts.h - texts that tests put together. */
#ifndef CONFORMANCE_TEXTS_H
#define CONFORMANCE_TEXTS_H

#include <stddef.h>

/* Bytes that grow; a NUL stands behind them once something was added. The
 * caller frees bytes. All zero is an empty text. */
struct text {
    char *bytes;
    size_t len;
    size_t size;
};

/* Appends bytes; no memory fails the test. */
void text_add(struct text *text, const char *bytes, size_t len);

/* Appends a string. */
void text_add_string(struct text *text, const char *more);

/* Appends bytes as the inside of a string of JSON, "<" as Go spells it. */
void text_add_quoted(struct text *text, const char *bytes, size_t len);

/* Appends the lines of a text that ends in a line end, the last one first. */
void text_add_turned(struct text *text, const char *bytes, size_t len);

/* The end of the line that begins at at, of a text that ends at end. */
const char *line_end(const char *at, const char *end);

#endif
