/* stacks_split.h - one large dump, read by several threads.
 *
 * While the section's own thread reads on, others read what comes later of a
 * debug=2 dump in a regular file: parts that begin where a goroutine does, each
 * into a snapshot of its own. When the first thread arrives there, these are
 * added in order. What is anything but goroutines of this one dump makes a part
 * void: the first thread reads it. The result is the same for any number of
 * threads. */
#ifndef FORMAT_STACKS_SPLIT_H
#define FORMAT_STACKS_SPLIT_H

#include "format/format.h"
#include "format/id_set.h"
#include "format/stack_reader.h"

struct stacks_split;

/* For the dumps of a section, which is read with the reader; ids are those of
 * the dump at hand. All of them must outlive it. NULL, which the other
 * functions take, when one thread is to read (--threads), when the input is no
 * regular file, and without memory. */
struct stacks_split *stacks_split_new(struct section *section,
                                      struct stack_reader *reader,
                                      const struct id_set *ids);
void stacks_split_free(struct stacks_split *split);

/* A dump begins at that offset of the input, and goes into the snapshot; what
 * was being read is void. Must be called before its ids are. */
void stacks_split_begin(struct stacks_split *split, struct snapshot *snapshot,
                        uint64_t offset);

/* Makes what is being read void: the dump has ended. */
void stacks_split_stop(struct stacks_split *split);

/* No id is added any more: those that come are known or new whatever thread
 * sees them. */
void stacks_split_seal(struct stacks_split *split);

/* Adds what other threads read from the cursor on, where a goroutine begins,
 * moves the cursor behind it, to another goroutine, and lets them go on with
 * what comes later. They may begin before the ids are sealed, when the first
 * thread will have seen the rest of these before it arrives at what is theirs.
 * Returns the offset of the input at which to call again, UINT64_MAX when there
 * is nothing for them, which before the ids are sealed may change then. */
uint64_t stacks_split_go_on(struct stacks_split *split);

#endif
