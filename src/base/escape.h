/* escape.h - text of a dump made safe to show, and how wide it is.
 *
 * A dump is written by strangers: function names, paths and labels may hold
 * terminal escapes, line ends or broken UTF-8. Whatever is printed for people
 * goes through here: C0 and C1 controls, DEL, bidirectional overrides,
 * invisible format characters and invalid bytes become \xNN or \u{NNNN}. */
#ifndef BASE_ESCAPE_H
#define BASE_ESCAPE_H

#include "base/str.h"

struct buf;

/* Room for what one escape_next writes. */
enum { ESCAPE_MOST = 16 };

/* Takes the first character off *rest, which is not empty, and writes what
 * stands for it into piece: 1 to ESCAPE_MOST bytes of printable UTF-8.
 * Returns how many. */
size_t escape_next(struct str *rest, char piece[static ESCAPE_MOST]);

/* Whether a code point is a control, changes how its neighbours look, or shows
 * nothing. */
bool is_unprintable(uint32_t point);

/* Whether something in text is unprintable. */
bool escape_is_needed(struct str text);

/* Appends text with everything unprintable escaped. */
void escape_add(struct buf *buf, struct str text);

/* The same with a blank for each line end. */
void escape_add_line(struct buf *buf, struct str text);

/* Decodes the first character of s, which is not empty: its code point into
 * *ret and its length in bytes as result; 0 when s begins with a byte that is
 * not valid UTF-8 (overlong forms and surrogates are not). */
size_t utf8_next(struct str s, uint32_t *ret);

/* How many terminal columns text takes when printed through escape_add: wide
 * East Asian characters take two, combining marks none. */
size_t display_width(struct str text);

#endif
