#include "base/budget.h"

#include <stdlib.h>
#include <string.h>

void budget_init(struct budget *budget, size_t limit)
{
    budget->limit = limit ? limit : BUDGET_DEFAULT;
    budget->reserve = 0;
    atomic_init(&budget->used, 0);
    atomic_init(&budget->peak, 0);
    atomic_init(&budget->n_denied, 0);
    atomic_init(&budget->n_refused, 0);
}

size_t budget_left(const struct budget *budget)
{
    size_t limit = budget->limit - budget->reserve;
    size_t used = atomic_load(&budget->used);

    return used < limit ? limit - used : 0;
}

bool budget_take(struct budget *budget, size_t bytes)
{
    size_t used = atomic_load(&budget->used);
    size_t limit = budget->limit - budget->reserve;
    size_t peak;

    do {
        if (bytes > limit || used > limit - bytes) {
            atomic_fetch_add(&budget->n_denied, 1);
            return false;
        }
    } while (!atomic_compare_exchange_weak(&budget->used, &used, used + bytes));
    peak = atomic_load(&budget->peak);
    while (used + bytes > peak &&
           !atomic_compare_exchange_weak(&budget->peak, &peak, used + bytes))
        continue;
    return true;
}

void budget_give(struct budget *budget, size_t bytes)
{
    atomic_fetch_sub(&budget->used, bytes);
}

void budget_note_refusal(struct budget *budget)
{
    atomic_fetch_add(&budget->n_refused, 1);
}

void *budget_resize(struct budget *budget, void *old, size_t old_size,
                    size_t new_size)
{
    void *block;

    if (!budget_take(budget, new_size))
        return NULL;
    block = malloc(new_size);
    if (!block) {
        budget_note_refusal(budget);
        budget_give(budget, new_size);
        return NULL;
    }
    if (old) {
        memcpy(block, old, old_size < new_size ? old_size : new_size);
        budget_free(budget, old, old_size);
    }
    return block;
}

bool budget_grow(struct budget *budget, char **block, size_t *size, size_t need,
                 size_t first)
{
    size_t larger = *size ? *size : first;
    char *grown;

    if (need <= *size)
        return true;
    while (larger < need)
        larger *= 2;
    grown = budget_resize(budget, *block, *size, larger);
    if (!grown)
        return false;
    *block = grown;
    *size = larger;
    return true;
}

void budget_free(struct budget *budget, void *block, size_t size)
{
    if (!block)
        return;
    free(block);
    budget_give(budget, size);
}
