#include "tally.h"

#include <stdlib.h>

#include "out.h"

void tally_init(struct tally *tally, const struct plan *plan)
{
    size_t n = plan->n_stacks;

    *tally = (struct tally){0};
    tally->stacks = must_alloc(n, sizeof(*tally->stacks));
    if (plan->labels)
        tally->by_tenant = must_alloc(n * TENANTS, sizeof(*tally->by_tenant));
}

void tally_done(struct tally *tally)
{
    free(tally->stacks);
    free(tally->by_tenant);
}

void tally_add(struct tally *tally, const struct population *population,
               const struct draw *draw)
{
    struct stack_tally *stack = &tally->stacks[draw->stack];

    tally->total++;
    stack->count++;
    if (draw->minutes > 0) {
        stack->n_aged++;
        if (!stack->min_minutes || draw->minutes < stack->min_minutes)
            stack->min_minutes = draw->minutes;
        if (draw->minutes > stack->max_minutes)
            stack->max_minutes = draw->minutes;
    }
    if (draw->tenant != NO_LABELS)
        tally->by_tenant[(size_t)draw->stack * TENANTS + draw->tenant]++;
    if (population->stacks[draw->stack].n_locks)
        tally->locks[draw->lock]++;
}
