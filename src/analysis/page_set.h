/* page_set.h - whether an address is near one of many others.
 *
 * A hundred thousand arguments are looked at for one that is near a lock, and
 * nearly none is. A bit for each page that has a lock says so without a
 * search. */
#ifndef ANALYSIS_PAGE_SET_H
#define ANALYSIS_PAGE_SET_H

#include "base/arena.h"

enum { PAGE_SET_REACH = 4096 }; /* bytes of a page */

struct page_set {
    uint64_t *bits;
};

/* An empty set in an arena; false without memory. */
bool page_set_init(struct page_set *set, struct arena *arena);

/* Adds the page of an address. */
void page_set_add(struct page_set *set, uint64_t address);

/* Whether an address that was added may be less than PAGE_SET_REACH bytes
 * behind this one; false when surely none is. */
bool page_set_may_follow(const struct page_set *set, uint64_t address);

#endif
