#include "rules/pattern_pool.h"

#include "base/hash.h"

void pattern_pool_init(struct pattern_pool *pool, struct budget *budget)
{
    *pool = (struct pattern_pool){.budget = budget};
    table_init(&pool->table, budget);
}

void pattern_pool_done(struct pattern_pool *pool)
{
    for (size_t i = 0; i < pool->count; i++)
        pattern_free(pool->items[i]);
    budget_free(pool->budget, pool->items,
                pool->size * sizeof(struct pattern *));
    table_done(&pool->table);
    pattern_pool_init(pool, pool->budget);
}

static uint64_t hash_of(struct str expression)
{
    return hash_bytes(expression.ptr, expression.len);
}

static uint64_t rehash(const void *user, uint32_t id)
{
    const struct pattern_pool *pool = user;

    return hash_of(pattern_expression(pool->items[id - 1]));
}

/* Makes room for one more pattern. */
static bool make_room(struct pattern_pool *pool)
{
    size_t size = pool->size ? pool->size * 2 : 64;
    struct pattern **items;

    if (pool->count < pool->size)
        return true;
    items = budget_resize(pool->budget, pool->items,
                          pool->size * sizeof(struct pattern *),
                          size * sizeof(struct pattern *));
    if (!items)
        return false;
    pool->items = items;
    pool->size = size;
    return true;
}

/* Puts a pattern behind the others, to whom it belongs then. */
static bool add(struct pattern_pool *pool, struct pattern *pattern)
{
    if (!make_room(pool)) {
        pattern_free(pattern);
        return false;
    }
    pool->items[pool->count++] = pattern;
    return true;
}

bool pattern_pool_add_known(struct pattern_pool *pool, struct str expression,
                            const struct sieve *sieve)
{
    struct pattern *pattern = pattern_new_known(expression, sieve);

    return pattern && add(pool, pattern);
}

/* Enters the patterns that are not in the table yet. */
static bool enter_new(struct pattern_pool *pool)
{
    while (pool->n_entered < pool->count) {
        struct str expression =
            pattern_expression(pool->items[pool->n_entered]);

        if (!table_put(&pool->table, hash_of(expression),
                       (uint32_t)pool->n_entered + 1, rehash, pool))
            return false;
        pool->n_entered++;
    }
    return true;
}

static struct pattern *find(const struct pattern_pool *pool,
                            struct str expression)
{
    struct table_walk walk = table_walk(&pool->table, hash_of(expression));
    uint32_t id;

    while ((id = table_next(&pool->table, &walk)) != 0) {
        if (str_equal(pattern_expression(pool->items[id - 1]), expression))
            return pool->items[id - 1];
    }
    return NULL;
}

int pattern_pool_get(struct pattern_pool *pool, struct str expression,
                     struct pattern **ret, struct cprof_error *err)
{
    bool has_room = enter_new(pool);
    struct pattern *pattern = has_room ? find(pool, expression) : NULL;

    if (has_room && !pattern) {
        int failed = pattern_new(&pattern, expression, err);

        if (failed)
            return failed;
        has_room = add(pool, pattern) && enter_new(pool);
    }
    if (!has_room)
        return error_memory(err, (struct place){0}, "loading rules");
    *ret = pattern;
    return 0;
}

void pattern_pool_forget(struct pattern_pool *pool)
{
    for (size_t i = 0; i < pool->count; i++)
        pattern_forget(pool->items[i]);
}
