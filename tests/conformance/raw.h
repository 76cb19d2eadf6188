/* raw.h - what `go tool pprof -raw` prints of a profile.
 *
 * Samples are added up by the places of their stack, written as
 * "FILE:LINE|FILE:LINE", leaf first. Names are left out of it: pprof prints
 * them as the profile has them. */
#ifndef CONFORMANCE_RAW_H
#define CONFORMANCE_RAW_H

#include "support.h"

enum { RAW_TYPES_MOST = 4 };

struct raw_stack {
    char *key;
    long long values[RAW_TYPES_MOST];
};

struct raw {
    char types[RAW_TYPES_MOST][32]; /* "inuse_space" */
    size_t n_types;
    struct raw_stack *stacks;
    size_t n_stacks;
};

/* Reads a file that pprof wrote. Where stacks are cut as goroutines' are, the
 * runtime's frames at the leaf, and its entries at the root, are left out,
 * unless there are no others. */
void raw_load(struct raw *raw, const char *path, bool is_cut);
void raw_done(struct raw *raw);

/* The stack with that key, or NULL. */
struct raw_stack *raw_find(struct raw *raw, const char *key);

/* The key of a stack of the program's answer; the caller frees it. */
char *raw_key_of_stack(const json_t *stack);

#endif
