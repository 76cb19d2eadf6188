/* values.h - what heap, block, mutex and CPU profiles measure of a stack.
 *
 * Goroutine profiles count; these profiles carry several values a stack, one
 * for each sample type, such as inuse_objects and inuse_space. Values may be
 * negative where a profile is the difference of two. */
#ifndef MODEL_VALUES_H
#define MODEL_VALUES_H

#include "base/arena.h"

enum { VALUES_MOST = 32 }; /* sample types of a snapshot */

struct value_type {
    struct str name; /* pprof's: "inuse_space" */
    struct str unit; /* "bytes", "nanoseconds", "count" */
};

/* Copies n types, at most VALUES_MOST, into the arena and *copies, which has
 * room for them. What JSON and people call a value by is its name: so a name
 * that an earlier type has as well gets a number behind it, "space#2", and what
 * is unprintable in it is escaped. False when there is no memory. */
bool values_copy_types(struct arena *arena, const struct value_type *types,
                       size_t n, struct value_type *copies);

/* Adds each of n values of from to into; what passes 64 bits stays at the
 * largest or smallest number. */
void values_add(int64_t *into, const int64_t *from, size_t n);

/* The sum and the difference of two values and the absolute of one, which stay
 * at the largest or smallest number in the same way. */
int64_t value_sum(int64_t a, int64_t b);
int64_t value_difference(int64_t a, int64_t b);
int64_t value_absolute(int64_t value);

/* Whether one of n values is not 0. */
bool values_any(const int64_t *values, size_t n);

/* The numbers of the Go runtime as a heap profile's text ends with them
 * (runtime/pprof/pprof.go: writeHeapInternal), in bytes where nothing else is
 * said. */
struct memstats {
    uint64_t alloc;
    uint64_t total_alloc; /* since the start, freed or not */
    uint64_t sys;         /* all that was taken from the system */
    uint64_t mallocs;     /* objects since the start */
    uint64_t frees;
    uint64_t heap_alloc;
    uint64_t heap_sys;
    uint64_t heap_idle;
    uint64_t heap_inuse;
    uint64_t heap_released;
    uint64_t heap_objects; /* objects in use */
    uint64_t stack_inuse;
    uint64_t stack_sys;
    uint64_t gc_sys;
    uint64_t next_gc;    /* heap size at which the next collection begins */
    uint64_t last_gc_ns; /* Unix time of the last one; 0 = none yet */
    uint64_t num_gc;     /* collections */
    uint64_t num_forced_gc;
    uint64_t max_rss; /* 0 where the system does not say */
    double gc_cpu_fraction;
};

#endif
