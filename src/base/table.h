/* table.h - finds an id by its hash: the one hash table of the program.
 *
 * A table holds ids (1 and up) of objects that live elsewhere, by open
 * addressing. It knows neither keys nor objects: the caller walks the ids
 * with the right hash and compares for itself.
 *
 *     uint32_t id = 0;
 *     struct table_walk walk = table_walk(&table, hash);
 *
 *     while ((id = table_next(&table, &walk)) != 0)
 *         if (same(object(id), wanted))
 *             return id;
 *     return table_put(&table, hash, new_id) ? new_id : 0;
 */
#ifndef BASE_TABLE_H
#define BASE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/budget.h"

struct table_slot {
    uint32_t id;   /* 0 = free */
    uint32_t hash; /* the upper half; the lower half chose the place */
};

struct table {
    struct budget *budget;
    struct table_slot *slots;
    size_t size; /* a power of two, or 0 */
    size_t count;
};

struct table_walk {
    size_t at;
    uint32_t hash;
};

/* An empty table. */
void table_init(struct table *table, struct budget *budget);

/* Frees the table, not the objects. */
void table_done(struct table *table);

/* Begins to look for objects with that hash. */
static inline struct table_walk table_walk(const struct table *table,
                                           uint64_t hash)
{
    return (struct table_walk){table->size ? (size_t)hash & (table->size - 1)
                                           : 0,
                               (uint32_t)(hash >> 32)};
}

/* The next id with the hash of the walk; 0 at the end. */
static inline uint32_t table_next(const struct table *table,
                                  struct table_walk *walk)
{
    if (!table->size)
        return 0;
    for (;;) {
        const struct table_slot *slot = &table->slots[walk->at];

        if (!slot->id)
            return 0;
        walk->at = (walk->at + 1) & (table->size - 1);
        if (slot->hash == walk->hash)
            return slot->id;
    }
}

/* Adds an id that is not in the table yet. Growing needs the hash of every
 * id again, which rehash(user, id) gives. False when there is no memory for
 * a larger table: nothing was added. */
typedef uint64_t table_rehash(const void *user, uint32_t id);
bool table_put(struct table *table, uint64_t hash, uint32_t id,
               table_rehash *rehash, const void *user);

#endif
