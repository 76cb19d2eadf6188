/* value_types.h - which profile it is, by what it measures.
 *
 * A pprof profile does not say its name; its sample types do, and so does the
 * one it wants shown first (runtime/pprof/pprof.go, protomem.go: the profiles
 * of Go; google/pprof/profile/legacy_profile.go: those of others). */
#ifndef FORMAT_VALUE_TYPES_H
#define FORMAT_VALUE_TYPES_H

#include "model/snapshot.h"

struct profile_class {
    enum profile_kind kind;
    struct str name; /* "heap"; one of the types' names for PROFILE_OTHER */
    size_t first;    /* index of the type to show first */
    size_t count;    /* index of the type that counts; n when there is none */
};

/* Classes a profile by its n sample types; default_name is the name of the type
 * to show first, or empty. A contention profile is PROFILE_CONTENTION, because
 * its types are the same for block and mutex. */
struct profile_class profile_class_of(const struct value_type *types, size_t n,
                                      struct str default_name);

/* Tells block from mutex profiles by a stack: in one the leaf waits for a
 * lock, a channel or a select, in the other it gives a lock back and lets
 * others go on (runtime/mprof.go: blockevent and mutexevent). PROFILE_BLOCK,
 * PROFILE_MUTEX, or PROFILE_CONTENTION when it cannot be said. */
enum profile_kind contention_kind(const struct symbols *symbols,
                                  const frame_id *frames, size_t n);

/* Settles the kind of a contention profile whose stacks were counted by what
 * they told: the majority has it. */
void contention_settle(struct snapshot_info *info, uint64_t n_block,
                       uint64_t n_mutex);

#endif
