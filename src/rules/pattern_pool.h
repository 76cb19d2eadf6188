/* pattern_pool.h - each expression is compiled and asked once.
 *
 * Rules of a catalogue say the same of the same names again and again; equal
 * expressions are one pattern, whose answers serve all of them. */
#ifndef RULES_PATTERN_POOL_H
#define RULES_PATTERN_POOL_H

#include "base/table.h"
#include "rules/pattern.h"

struct pattern_pool {
    struct budget *budget;
    struct table table; /* of indices of items, plus one */
    size_t n_entered;   /* items that are in the table, the first ones */
    struct pattern **items;
    size_t count;
    size_t size;
};

/* An empty pool. */
void pattern_pool_init(struct pattern_pool *pool, struct budget *budget);

/* Frees the pool and all its patterns. */
void pattern_pool_done(struct pattern_pool *pool);

/* Gives the pattern for an expression, which belongs to the pool. Errors are
 * those of pattern_new. */
int pattern_pool_get(struct pattern_pool *pool, struct str expression,
                     struct pattern **ret, struct cprof_error *err);

/* Adds the pattern of a known expression (pattern_new_known) that the pool does
 * not hold yet. False when memory ran out. */
bool pattern_pool_add_known(struct pattern_pool *pool, struct str expression,
                            const struct sieve *sieve);

/* Forgets what all patterns answered. */
void pattern_pool_forget(struct pattern_pool *pool);

#endif
