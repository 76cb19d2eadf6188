/* error.h - filling the caller's struct cprof_error.
 *
 * Messages are lower case, without a final full stop, name the thing and say
 * what was expected. Text of an input goes through escape.h first. */
#ifndef BASE_ERROR_H
#define BASE_ERROR_H

#include "cprof/error.h"

#include "base/str.h"

/* Where something stands: source is NUL-terminated or NULL; 0 = unknown. */
struct place {
    const char *source;
    uint64_t line;
    uint64_t column;
};

/* Fills *err (unless err is NULL) with a code, a place and a message made as
 * printf makes it; control bytes in it are escaped. Returns code, so that a
 * caller can end with `return error_set(...)`. */
int error_set(struct cprof_error *err, enum cprof_status code,
              struct place place, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Adds lines to show below the message, such as an offending line with a
 * caret under it. Newlines stay; other control bytes are escaped. */
void error_detail(struct cprof_error *err, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Fills *err for memory that ran out while doing something ("reading"). */
int error_memory(struct cprof_error *err, struct place place,
                 const char *doing);

/* Fills *err from errno, which must not have changed since the failed call:
 * "cannot open: No such file or directory". Where the name of the place is
 * empty it says that instead. */
int error_system(struct cprof_error *err, struct place place,
                 const char *doing);

#endif
