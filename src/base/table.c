#include "base/table.h"

#include <string.h>

enum { FIRST_SIZE = 64 };

void table_init(struct table *table, struct budget *budget)
{
    *table = (struct table){.budget = budget};
}

void table_done(struct table *table)
{
    budget_free(table->budget, table->slots,
                table->size * sizeof(*table->slots));
    table_init(table, table->budget);
}

static void place(struct table_slot *slots, size_t size, uint64_t hash,
                  uint32_t id)
{
    size_t at = (size_t)hash & (size - 1);

    while (slots[at].id)
        at = (at + 1) & (size - 1);
    slots[at] = (struct table_slot){id, (uint32_t)(hash >> 32)};
}

static bool grow(struct table *table, table_rehash *rehash, const void *user)
{
    size_t size = table->size ? table->size * 2 : FIRST_SIZE;
    size_t bytes = size * sizeof(*table->slots);
    struct table_slot *slots = budget_resize(table->budget, NULL, 0, bytes);

    if (!slots)
        return false;
    memset(slots, 0, bytes);
    for (size_t i = 0; i < table->size; i++) {
        uint32_t id = table->slots[i].id;

        if (id)
            place(slots, size, rehash(user, id), id);
    }
    budget_free(table->budget, table->slots,
                table->size * sizeof(*table->slots));
    table->slots = slots;
    table->size = size;
    return true;
}

bool table_put(struct table *table, uint64_t hash, uint32_t id,
               table_rehash *rehash, const void *user)
{
    /* At most three quarters full: probes stay short. */
    if (table->count >= table->size / 4 * 3) {
        if (!grow(table, rehash, user))
            return false;
    }
    place(table->slots, table->size, hash, id);
    table->count++;
    return true;
}
