/* instances.h - the processes whose dumps stand mixed in one input.
 *
 * The pods of a log are instances of one service: each counts as an input of
 * its own, so that their dumps are added and not taken for moments of one. */
#ifndef READ_INSTANCES_H
#define READ_INSTANCES_H

#include "base/str.h"

enum { INSTANCES_MOST = 4096 };

/* base is the number of the input they stand in; all else is 0 at first. */
struct instances {
    uint32_t base;
    struct str *names; /* owned, in order of their numbers */
    size_t count;
    bool has_others; /* there was no place for the name of another */
};

/* Frees the names. */
void instances_done(struct instances *instances);

/* The number of the input that an instance is. The first has that of the input
 * itself; so have those beyond INSTANCES_MOST, and all when memory runs out. */
uint32_t instances_input(struct instances *instances, struct str name);

/* How many inputs there are, at least one. */
uint32_t instances_count(const struct instances *instances);

#endif
