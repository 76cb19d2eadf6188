#include "analysis/page_set.h"

#include "base/hash.h"

enum { BITS = 1 << 17 }; /* of which 2,048 locks set one in 64 */

bool page_set_init(struct page_set *set, struct arena *arena)
{
    set->bits = arena_take_zero(arena, BITS / 8);
    return set->bits != NULL;
}

static size_t find_bit(uint64_t address)
{
    return (size_t)(hash_mix(address / PAGE_SET_REACH, 0) % BITS);
}

static bool has_page(const struct page_set *set, uint64_t address)
{
    size_t bit = find_bit(address);

    return set->bits[bit / 64] >> bit % 64 & 1;
}

void page_set_add(struct page_set *set, uint64_t address)
{
    size_t bit = find_bit(address);

    set->bits[bit / 64] |= (uint64_t)1 << bit % 64;
}

bool page_set_may_follow(const struct page_set *set, uint64_t address)
{
    return has_page(set, address) ||
           has_page(set, address + PAGE_SET_REACH - 1);
}
