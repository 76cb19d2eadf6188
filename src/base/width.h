/* width.h - how many columns of a terminal a character takes.
 *
 * Not wcwidth: that depends on the locale, and an answer must not. */
#ifndef BASE_WIDTH_H
#define BASE_WIDTH_H

#include <stddef.h>
#include <stdint.h>

/* Characters from first to last. */
struct width_range {
    uint32_t first;
    uint32_t last;
};

/* width_table.c: characters that take no column, and those that take two, in
 * order. */
extern const struct width_range width_zero[];
extern const size_t n_width_zero;
extern const struct width_range width_wide[];
extern const size_t n_width_wide;

/* The columns of a character that can be printed: 0, 1 or 2. */
unsigned char_width(uint32_t point);

#endif
