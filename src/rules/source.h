/* source.h - the text of a YAML file, and errors that point into it.
 *
 * Places are byte offsets; line and column are worked out only when somebody
 * asks. Lines end at '\n', columns count bytes, both from 1. */
#ifndef RULES_SOURCE_H
#define RULES_SOURCE_H

#include <stdarg.h>

#include "base/error.h"

struct source {
    const char *name; /* for messages, NUL-terminated */
    struct str text;  /* without a byte order mark */
    bool is_ascii;    /* characters are bytes */
};

enum { SOURCE_MOST = 1 << 20 }; /* bytes of a file that is read */

/* A run of bytes in a source. */
struct span {
    uint32_t offset;
    uint32_t len;
};

/* A text of a rule file as a message quotes it: at most QUOTED_MOST bytes, cut
 * with "..." between characters. */
enum { QUOTED_MOST = 60 };
struct quoted {
    char text[QUOTED_MOST + 4];
};

/* Refuses what the YAML parser need not see, files that are too large or not
 * UTF-8, and sets is_ascii. CPROF_ERULE names the place. */
int source_check(struct source *source, struct cprof_error *err);

/* The line and the column of an offset, which may be the end of the text. */
struct place source_place(const struct source *source, uint32_t offset);

/* Fills *err with CPROF_ERULE, the place where span begins, a message made as
 * printf makes it, and as detail the line with the span underlined. Returns
 * CPROF_ERULE. */
int source_error(const struct source *source, struct span span,
                 struct cprof_error *err, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* The same with the arguments in a va_list. */
int source_verror(const struct source *source, struct span span,
                  struct cprof_error *err, const char *format, va_list args)
    __attribute__((format(printf, 4, 0)));

/* A text made short enough for a message. */
struct quoted quote(struct str text);

#endif
