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
    struct pattern **items;
    size_t count;
    size_t size;
};

/* An empty pool. */
void pattern_pool_init(struct pattern_pool *pool, struct budget *budget);

/* Frees the pool and all its patterns. */
void pattern_pool_done(struct pattern_pool *pool);

/* Gives the pattern for an expression, which belongs to the pool. Errors are
 * those of pattern_new, or of pattern_new_later for one that is known to be
 * right. */
int pattern_pool_get(struct pattern_pool *pool, struct str expression,
                     bool is_right, struct pattern **ret,
                     struct cprof_error *err);

/* Forgets what all patterns answered. */
void pattern_pool_forget(struct pattern_pool *pool);

#endif
