#include "base/diag.h"

#include <stdarg.h>

#include "base/buf.h"
#include "base/escape.h"

enum { ROOM_AT_FIRST = 8 * 1024 };

void diags_init(struct diags *diags, struct budget *budget)
{
    *diags = (struct diags){0};
    arena_init(&diags->arena, budget);
    arena_take(&diags->arena, ROOM_AT_FIRST);
    arena_reset(&diags->arena);
}

void diags_done(struct diags *diags)
{
    arena_done(&diags->arena);
    *diags = (struct diags){.arena = diags->arena};
}

static bool same_text(const char *a, const char *b)
{
    return str_equal(str_from(a), str_from(b));
}

/* Counts what is kept of a code and source; *ret_last is the last of them. */
static unsigned count_kept(const struct diags *diags, const char *code,
                           const char *source, struct diag **ret_last)
{
    unsigned n = 0;

    for (struct diag *diag = diags->first; diag; diag = diag->next) {
        if (!same_text(diag->code, code) || !same_text(diag->source, source))
            continue;
        n++;
        *ret_last = diag;
    }
    return n;
}

/* Whether the same was said before, of the same place. */
static bool is_same(const struct diag *diag, struct place place,
                    struct str message)
{
    return diag->line == place.line && str_equal(diag->message, message);
}

static void append(struct diags *diags, struct diag *diag)
{
    if (diags->last)
        diags->last->next = diag;
    else
        diags->first = diag;
    diags->last = diag;
}

void diag_add(struct diags *diags, enum diag_severity severity,
              const char *code, struct place place, const char *format, ...)
{
    struct buf raw = {0};
    struct buf text = {0};
    struct diag *last = NULL;
    struct diag *diag;
    va_list args;

    if (count_kept(diags, code, place.source, &last) >= DIAG_MOST) {
        last->repeats++;
        return;
    }
    va_start(args, format);
    buf_vaddf(&raw, format, args);
    va_end(args);
    escape_add(&text, buf_str(&raw));
    if (last && is_same(last, place, buf_str(&text))) {
        last->repeats++;
        goto done;
    }
    diag = arena_take_zero(&diags->arena, sizeof(*diag));
    if (diag && !text.failed) {
        diag->severity = severity;
        diag->code = code;
        diag->line = place.line;
        diag->message = arena_copy(&diags->arena, buf_str(&text));
        if (place.source)
            diag->source =
                arena_copy(&diags->arena, str_from(place.source)).ptr;
        append(diags, diag);
    } else {
        diags->lost++;
    }
done:
    buf_done(&raw);
    buf_done(&text);
}

void diag_add_refusal(struct diags *diags)
{
    if (diags->refusal.code)
        return;
    diags->refusal = (struct diag){
        .severity = DIAG_ERROR,
        .code = "out-of-memory",
        .message = STR("out of memory: names, groups, evidence or diagnostics "
                       "may be missing from this answer"),
        .next = diags->first,
    };
    diags->first = &diags->refusal;
    if (!diags->last)
        diags->last = diags->first;
}

const struct diag *diag_find(const struct diags *diags, const char *code)
{
    for (const struct diag *diag = diags->first; diag; diag = diag->next) {
        if (same_text(diag->code, code))
            return diag;
    }
    return NULL;
}

const char *diag_severity_text(enum diag_severity severity)
{
    static const char *const words[] = {"info", "warning", "error"};

    return words[severity];
}
