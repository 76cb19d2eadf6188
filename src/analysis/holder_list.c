#include "analysis/holder_list.h"

#include "analysis/analysis.h"

enum { LISTED_MOST = 16 };

static bool same_goroutine(const struct holder *a, const struct holder *b)
{
    return a->group == b->group && a->goroutine == b->goroutine;
}

bool holder_is_better(const struct holder *a, const struct holder *b)
{
    if (a->score != b->score)
        return a->score > b->score;
    if (a->count != b->count)
        return a->count < b->count;
    if (a->group->facts->wait_max != b->group->facts->wait_max)
        return a->group->facts->wait_max > b->group->facts->wait_max;
    if (a->goroutine != b->goroutine)
        return a->goroutine < b->goroutine;
    if (a->group->id.high != b->group->id.high)
        return a->group->id.high < b->group->id.high;
    return a->group->id.low < b->group->id.low;
}

void holder_insert(struct holder *items, size_t *n, size_t most,
                   const struct holder *holder)
{
    size_t at = 0;

    while (at < *n && !same_goroutine(&items[at], holder))
        at++;
    if (at < *n) {
        if (!holder_is_better(holder, &items[at]))
            return;
    } else if (*n < most) {
        (*n)++;
    } else {
        at = most - 1;
        if (!holder_is_better(holder, &items[at]))
            return;
    }
    while (at && holder_is_better(holder, &items[at - 1])) {
        items[at] = items[at - 1];
        at--;
    }
    items[at] = *holder;
}

void holders_add(struct arena *arena, struct holding *holding,
                 const struct holder *holder)
{
    if (holding->is_rest)
        return;
    if (!holding->holders)
        holding->holders =
            arena_take(arena, HOLDERS_KEPT * sizeof(struct holder));
    if (!holding->holders)
        return;
    holder_insert(holding->holders, &holding->n_holders, HOLDERS_KEPT, holder);
}

void shortlist_add(struct arena *arena, struct shortlist *list,
                   const struct holder *holder)
{
    if (!list->items)
        list->items = arena_take(arena, LISTED_MOST * sizeof(*list->items));
    if (list->items)
        holder_insert(list->items, &list->n, LISTED_MOST, holder);
}
