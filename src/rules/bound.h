/* bound.h - the bounds of a tier: what is measured, and how it is compared.
 *
 * Every key of a tier but its severity is one bound over one figure of a
 * finding in the making. A figure that a dump does not tell reaches no bound,
 * whichever way the bound is turned. */
#ifndef RULES_BOUND_H
#define RULES_BOUND_H

#include <stdbool.h>

/* What is measured. ORDER BOUND: as the table in bounds.c. */
enum bound_key {
    BOUND_COUNT,     /* goroutines */
    BOUND_SHARE,     /* of the process, 0 to 1 */
    BOUND_WAITERS,   /* for the same lock, wherever; else as BOUND_COUNT */
    BOUND_RANK,      /* 1 = the place where most goroutines stand */
    BOUND_AGE,       /* the longest known wait, in seconds */
    BOUND_AGE_P50,   /* half of them wait so long, in seconds */
    BOUND_GROWTH,    /* enum growth_confidence: how sure it is that it grows */
    BOUND_SLOPE,     /* goroutines an hour */
    BOUND_SURVIVORS, /* share of the goroutines that were there before */
    BOUND_IDS_OLD,   /* share of ids in the lower half of all ids */
    BOUND_RATIO,     /* to the goroutines that another rule matches */
    N_BOUNDS
};

enum bound_op {
    BOUND_NONE, /* not given */
    BOUND_AT_LEAST,
    BOUND_ABOVE,
    BOUND_AT_MOST,
    BOUND_BELOW,
    BOUND_EQUAL,
};

struct bound {
    enum bound_op op;
    double value;
};

/* A figure; not known = the dump does not tell. */
struct figure {
    bool is_known;
    double value;
};

/* Whether a figure is what a bound asks for. A bound that is not given holds
 * for any. */
bool bound_holds(const struct bound *bound, const struct figure *figure);

/* The key of a tier that a bound is given by: "count", "age", "ratio_to". */
const char *bound_name(enum bound_key key);

/* An operator as it is written: ">=", "" for BOUND_NONE. */
const char *bound_op_text(enum bound_op op);

/* Whether one moment can tell the figure: not growth, slope, survivors. */
bool bound_needs_history(enum bound_key key);

/* Whether only debug=2 tells the figure: ages and ids. */
bool bound_needs_debug2(enum bound_key key);

#endif
