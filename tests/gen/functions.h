/* functions.h - the made-up program whose goroutines are dumped.
 *
 * A table of functions: first those of stdlib.h, in their order, then as many
 * of the user's own as are asked for, spread over a main package, packages of
 * the same repository and libraries. Every user function has another name. */
#ifndef GEN_FUNCTIONS_H
#define GEN_FUNCTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "release.h"
#include "stdlib.h"

struct function {
    char *name; /* as Go prints it, owned by the table */
    char *file; /* the whole path, owned by the table */
    const char *args;
    const char *flat; /* as in struct std_frame; both NULL: inlined */
    uint32_t line;    /* user functions: where it begins */
    uint32_t address; /* of its first instruction */
};

struct functions {
    struct function *at; /* the first N_STD are the library's */
    uint32_t n;
    const struct release *release;
};

/* main.main, the first of the user's own. */
enum { MAIN_FUNCTION = N_STD };

/* The largest number of user functions; the names do not suffice for more. */
enum { FUNCTIONS_MOST = 16384 };

/* Makes the table; n_user is from 1 to FUNCTIONS_MOST. `release` must outlive
 * it. */
void functions_init(struct functions *functions, uint32_t n_user, uint64_t seed,
                    const struct release *release);

/* Frees what functions_init made. */
void functions_done(struct functions *functions);

/* Returns whether calls of the function are printed as inlined ones, `f(...)`
 * and without an offset. */
static inline bool function_inlined(const struct function *function)
{
    return !function->args && !function->flat;
}

#endif
