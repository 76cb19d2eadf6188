/* stacks_split.h - one large dump, read by several threads.
 *
 * The rest of a debug=2 section of a regular file is cut into parts where a
 * goroutine begins; each thread reads one into a snapshot of its own, and these
 * are added in order. What is anything but goroutines of this one dump makes a
 * part void: the section goes on where it began, on one thread. The result is
 * the same for any number of threads. */
#ifndef FORMAT_STACKS_SPLIT_H
#define FORMAT_STACKS_SPLIT_H

#include "format/format.h"
#include "format/id_set.h"
#include "format/stack_reader.h"

/* Reads as much as possible of what follows the cursor, where a goroutine
 * begins, into the snapshot; the cursor then stands at another goroutine, with
 * which the reader goes on. ids are those of the dump, as many as are ever
 * kept. Does nothing when the input is no large regular file or only one thread
 * was asked for (--threads). Returns the offset in the input from where it is
 * worth another try. */
uint64_t stacks_split(struct section *section, struct snapshot *snapshot,
                      struct stack_reader *reader, const struct id_set *ids);

#endif
