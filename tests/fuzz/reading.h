/* reading.h - bytes read as inputs, and what must hold of any reading. */
#ifndef FUZZ_READING_H
#define FUZZ_READING_H

#include <stddef.h>
#include <stdint.h>

#include "base/str.h"
#include "model/collection.h"

/* What was read, input after input, into one collection. */
struct reading {
    struct cprof_options *options;
    struct cprof_snapshots *snapshots;
    int rc; /* of the last input */
    struct cprof_error err;
};

/* Ends the program, naming the place, unless what holds. */
#define CHECK(what) reading_check((what), #what, __FILE__, __LINE__)

/* What CHECK calls: what is the condition's text. */
void reading_check(int holds, const char *what, const char *file, int line);

/* An empty reading; max_memory in bytes, 0 = the default. */
void reading_init(struct reading *reading, const char *max_memory);
void reading_done(struct reading *reading);

/* Reads bytes as one input, at most step bytes a read (0 = all at once), and
 * checks what must hold: a failure has a message, and the goroutines of every
 * snapshot are those of its groups and those that were not kept. */
void reading_add(struct reading *reading, const void *bytes, size_t size,
                 size_t step);

/* The same for an input of that name, all at once. */
void reading_add_named(struct reading *reading, const char *name,
                       struct str bytes);

/* The same for an input that is to prove leaks in those before it. */
void reading_add_proof(struct reading *reading, struct str bytes);

/* The same for a file. */
void reading_add_file(struct reading *reading, const char *path);

/* The goroutines, or what else is counted, of all snapshots. */
uint64_t reading_total(const struct reading *reading);

/* Checks that two readings came to the very same: results, snapshots, groups
 * in the same order, and diagnostics. */
void reading_same(const struct reading *a, const struct reading *b);

/* Checks that two readings hold the same groups, with equal counts over all
 * their snapshots. Groups in the given state are left out. */
void reading_same_groups(const struct reading *a, const struct reading *b,
                         const char *but_state);

/* Whether more than the reader of its lines decides what is in a text: a dump
 * behind other words on a line, as in a log, has to prove itself on the lines
 * around it, a text may begin as packed data or a profile does, or list its
 * newest line first. Parts of such a text may say something else than the
 * whole. */
bool has_wrapping(struct str text);

#endif
