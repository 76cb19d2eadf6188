#include "pprof/slots.h"

#include "base/hash.h"

void slots_init(struct slots *slots, struct budget *budget)
{
    pool_init(&slots->ids, budget, sizeof(uint64_t));
    table_init(&slots->table, budget);
}

void slots_done(struct slots *slots)
{
    pool_done(&slots->ids);
    table_done(&slots->table);
}

static uint64_t id_at(const struct slots *slots, size_t slot)
{
    const uint64_t *id = pool_at(&slots->ids, slot);

    return *id;
}

static uint64_t hash_id(uint64_t id)
{
    return hash_mix(id, 0);
}

static uint64_t rehash(const void *user, uint32_t entry)
{
    return hash_id(id_at(user, entry - 1));
}

uint32_t slots_put(struct slots *slots, uint64_t id)
{
    struct table_walk walk;
    uint64_t *slot;
    uint32_t entry;

    if (id && id <= slots->ids.count && id_at(slots, id - 1) == id)
        return (uint32_t)(id - 1);
    walk = table_walk(&slots->table, hash_id(id));
    while ((entry = table_next(&slots->table, &walk)) != 0) {
        if (id_at(slots, entry - 1) == id)
            return entry - 1;
    }
    slot = pool_add(&slots->ids);
    if (!slot)
        return SLOT_NONE;
    *slot = id;
    entry = (uint32_t)slots->ids.count;
    /* An id in its own place is found there, without the table. */
    if (id != entry &&
        !table_put(&slots->table, hash_id(id), entry, rehash, slots)) {
        slots->ids.count--;
        return SLOT_NONE;
    }
    return entry - 1;
}
