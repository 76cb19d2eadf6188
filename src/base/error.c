#include "base/error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/escape.h"

/* Copies text into an array of size bytes with control bytes escaped. */
static void put_escaped(char *into, size_t size, const char *text,
                        bool keep_lines)
{
    size_t used = 0;

    for (struct str rest = str_from(text); rest.len;) {
        char piece[ESCAPE_MOST];
        size_t n;

        if (keep_lines && rest.ptr[0] == '\n') {
            piece[0] = '\n';
            n = 1;
            rest = str_skip(rest, 1);
        } else {
            n = escape_next(&rest, piece);
        }
        if (used + n + 1 > size)
            break;
        memcpy(into + used, piece, n);
        used += n;
    }
    into[used] = '\0';
}

int error_set(struct cprof_error *err, enum cprof_status code,
              struct place place, const char *format, ...)
{
    char text[1024];
    va_list args;

    if (!err)
        return code;
    va_start(args, format);
    vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    *err = (struct cprof_error){
        .code = code, .line = place.line, .column = place.column};
    put_escaped(err->message, sizeof(err->message), text, false);
    put_escaped(err->source, sizeof(err->source),
                place.source ? place.source : "", false);
    return code;
}

void error_detail(struct cprof_error *err, const char *format, ...)
{
    char text[1024];
    va_list args;

    if (!err)
        return;
    va_start(args, format);
    vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    put_escaped(err->detail, sizeof(err->detail), text, true);
}

int error_memory(struct cprof_error *err, struct place place, const char *doing)
{
    return error_set(err, CPROF_ENOMEM, place, "out of memory while %s", doing);
}

int error_system(struct cprof_error *err, struct place place, const char *doing)
{
    /* A shell's variable that is not set, most of the time. */
    if (place.source && !place.source[0])
        return error_set(err, CPROF_EIO, place, "%s '': the name is empty",
                         doing);
    return error_set(err, CPROF_EIO, place, "%s: %s", doing, strerror(errno));
}
