#include "analysis/holder_list.h"

#include "analysis/analysis.h"

enum { LISTED_MOST = 16, LISTED_A_FRAME = 8 };

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

/* Makes room for one more in its frame, of which the best are listed: where
 * many stand before a lock, the few behind it must not be crowded out. False
 * when it is none of the best. */
static bool make_room(struct shortlist *list, const struct holder *holder)
{
    size_t n = 0;
    size_t worst = 0;

    for (size_t i = 0; i < list->n; i++) {
        if (same_goroutine(&list->items[i], holder))
            return true;
        if (list->items[i].frame != holder->frame)
            continue;
        worst = i;
        n++;
    }
    if (n < LISTED_A_FRAME)
        return true;
    if (!holder_is_better(holder, &list->items[worst]))
        return false;
    list->n--;
    for (size_t i = worst; i < list->n; i++)
        list->items[i] = list->items[i + 1];
    return true;
}

void shortlist_add(struct arena *arena, struct shortlist *list,
                   const struct holder *holder)
{
    if (!list->items)
        list->items = arena_take(arena, LISTED_MOST * sizeof(*list->items));
    if (list->items && make_room(list, holder))
        holder_insert(list->items, &list->n, LISTED_MOST, holder);
}
