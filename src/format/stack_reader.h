/* stack_reader.h - goroutines of the runtime's stack texts, one after another.
 *
 * debug=2 profiles, runtime.Stack and crash output print goroutines alike
 * (runtime/traceback.go); they differ in what stands around them and in what
 * begins a new dump, which the formats decide (stacks.c, crash.c). A reader
 * lives for one section and learns its frames (predict.h). */
#ifndef FORMAT_STACK_READER_H
#define FORMAT_STACK_READER_H

#include "format/format.h"

struct stack_reader;

/* A reader of the goroutines of a section, which must outlive it, and its
 * end. */
int stack_reader_new(struct stack_reader **ret, struct section *section,
                     struct cprof_error *err);
void stack_reader_free(struct stack_reader *reader);

/* Reads the lines of the goroutine whose header stands at the cursor; NULL
 * when there is no header. Id, state and frames of the record can be asked
 * for; it is whole, and can be counted, after stack_reader_settle. It lives
 * until the next call. */
const struct record *stack_reader_next(struct stack_reader *reader);

/* Reads the frames at the cursor as those of a running goroutine that has no
 * header and no id. The record is as above. */
const struct record *stack_reader_next_headless(struct stack_reader *reader);

/* Settles what the last goroutine lacks at the end of its lines. When the
 * input ends inside it, that is said, and the snapshot is not complete. */
void stack_reader_settle(struct stack_reader *reader,
                         struct snapshot *snapshot);

/* Lets a reader go on where another one of the same dump ended: it then knows
 * what the other one learned of how goroutines end. */
void stack_reader_follow(struct stack_reader *reader,
                         const struct stack_reader *before);

/* Whether "stack unavailable" stands instead of the last goroutine's frames: it
 * runs on another thread (runtime/traceback.go: traceback2). */
bool stack_reader_is_unavailable(const struct stack_reader *reader);

/* Sees the line at the cursor, which stands behind a goroutine of the dump and
 * is no header: what became of one is a goroutine that lacks frames. */
void stack_reader_see_between(struct stack_reader *reader, struct str line);

/* Ends a dump: where goroutines of it lack frames, it is not complete. */
void stack_reader_mark_damaged(struct stack_reader *reader,
                               struct snapshot *snapshot);

/* Whether the last goroutine's lines ended in some of others. */
bool stack_reader_ends_in_gap(const struct stack_reader *reader);

/* Moves the cursor to the next line that is not blank. */
void stacks_skip_more(struct lines *lines);

/* The same where nearly always one empty line stands between two headers. */
static inline void stacks_skip_blank(struct lines *lines)
{
    if (lines->end - lines->at >= 2 && lines->at[0] == '\n') {
        lines->at++;
        lines->number++;
        if (*lines->at == 'g')
            return;
    }
    stacks_skip_more(lines);
}

#endif
