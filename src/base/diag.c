#include "base/diag.h"

#include <stdarg.h>

#include "base/buf.h"
#include "base/escape.h"
#include "base/hash.h"

enum { ROOM_AT_FIRST = 8 * 1024 };

struct diag_tally {
    struct diag *last;       /* its code and source are those of all */
    struct diag_tally *next; /* of the chain */
    uint64_t hash;
    unsigned n;
};

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

static uint64_t hash_kind(const char *code, const char *source)
{
    struct str first = str_from(code);
    struct str second = str_from(source);

    return hash_mix(hash_bytes(first.ptr, first.len),
                    hash_bytes(second.ptr, second.len));
}

/* The tally of a code and source, or NULL. */
static struct diag_tally *find_tally(const struct diags *diags, uint64_t hash,
                                     const char *code, const char *source)
{
    struct diag_tally *tally = diags->tallies[hash % DIAG_CHAINS];

    while (tally &&
           (tally->hash != hash || !same_text(tally->last->code, code) ||
            !same_text(tally->last->source, source)))
        tally = tally->next;
    return tally;
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

/* Counts a diagnostic that is kept: `tally` is NULL for the first of its code
 * and source. False without memory. */
static bool count_kept(struct diags *diags, struct diag_tally *tally,
                       uint64_t hash, struct diag *diag)
{
    struct diag_tally **chain = &diags->tallies[hash % DIAG_CHAINS];

    if (!tally) {
        tally = arena_take_zero(&diags->arena, sizeof(*tally));
        if (!tally)
            return false;
        tally->hash = hash;
        tally->next = *chain;
        *chain = tally;
    }
    tally->last = diag;
    tally->n++;
    return true;
}

void diag_add(struct diags *diags, enum diag_severity severity,
              const char *code, struct place place, const char *format, ...)
{
    uint64_t hash = hash_kind(code, place.source);
    struct diag_tally *tally = find_tally(diags, hash, code, place.source);
    struct buf raw = {0};
    struct buf text = {0};
    struct diag *diag;
    va_list args;

    if (tally && tally->n >= DIAG_MOST) {
        tally->last->repeats++;
        return;
    }
    va_start(args, format);
    buf_vaddf(&raw, format, args);
    va_end(args);
    escape_add(&text, buf_str(&raw));
    if (tally && is_same(tally->last, place, buf_str(&text))) {
        tally->last->repeats++;
        goto done;
    }
    diag = arena_take_zero(&diags->arena, sizeof(*diag));
    if (diag && !text.failed && count_kept(diags, tally, hash, diag)) {
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
