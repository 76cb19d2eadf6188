/* clean.h - text of strangers made fit for a message of a receiver.
 *
 * Names and errors may hold line ends, terminal escapes, letters that turn the
 * direction of writing, or broken UTF-8. On their way into a message they
 * become one line of printable characters (base/escape.h), cut where the
 * receiver has a limit. Limits are counted in bytes: no receiver counts more.
 * */
#ifndef NOTIFY_CLEAN_H
#define NOTIFY_CLEAN_H

#include "base/buf.h"

/* What a receiver does to a text beyond showing it. */
enum clean_manner {
    CLEAN_PLAIN, /* nothing */
    CLEAN_SLACK, /* "&", "<" and ">" are its own: "<!channel>" calls people */
};

/* Appends text as one line of at most `most` bytes, which is 3 at least; what
 * was cut off ends in "...". Line ends and tabs are blanks. */
void clean_add(struct buf *out, struct str text, size_t most,
               enum clean_manner manner);

/* The same for a text of several lines that were cleaned one by one: its line
 * ends stay. */
void clean_add_lines(struct buf *out, struct str text, size_t most,
                     enum clean_manner manner);

#endif
