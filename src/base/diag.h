/* diag.h - what was odd about an input, kept for the report.
 *
 * Dirt in an input is not an error: it becomes a diagnostic. A list keeps the
 * first DIAG_MOST of one code and source, those in a row that say the same of
 * one place once, and counts the rest, so that a log of ten million odd lines
 * stays one screen. */
#ifndef BASE_DIAG_H
#define BASE_DIAG_H

#include "base/arena.h"
#include "base/error.h"

enum diag_severity { DIAG_INFO, DIAG_WARNING, DIAG_ERROR };

enum {
    DIAG_MOST = 20,
    DIAG_CHAINS = 1024, /* of 100,000 inputs each holds a hundred */
};

struct diag {
    enum diag_severity severity;
    const char *code;   /* a static word such as "cut-tail" */
    const char *source; /* where it was seen; NULL = no one input */
    uint64_t line;      /* 1-based; 0 = no line */
    struct str message; /* one line, as in error.h; escaped */
    uint64_t repeats;   /* how many more of its code were not kept */
    struct diag *next;
};

/* What is kept of one code and source (diag.c). */
struct diag_tally;

struct diags {
    struct arena arena;
    struct diag *first; /* in order of arrival */
    struct diag *last;
    struct diag_tally *tallies[DIAG_CHAINS];
    uint64_t lost;       /* not kept because memory ran out */
    struct diag refusal; /* says so, without any memory */
};

/* An empty list, with room for the first messages: what is said most at the end
 * of the memory is that it ended. */
void diags_init(struct diags *diags, struct budget *budget);

/* Frees the list. */
void diags_done(struct diags *diags);

/* Adds one diagnostic; the source of place is copied. */
void diag_add(struct diags *diags, enum diag_severity severity,
              const char *code, struct place place, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* Puts first, once, that memory ran out and what that means. It needs none
 * itself. */
void diag_add_refusal(struct diags *diags);

/* The first diagnostic with that code, or NULL. */
const struct diag *diag_find(const struct diags *diags, const char *code);

/* The word for a severity: "info", "warning", "error". */
const char *diag_severity_text(enum diag_severity severity);

#endif
