/* lines.h - an input as lines, through one buffer of bounded size.
 *
 * Lines are slices of the buffer and live until the cursor moves or more is
 * filled in. A line longer than LINES_MOST bytes is given as its first
 * LINES_MOST bytes; the rest is skipped and counted. Quick readers work on
 * the buffer itself (at, end) and tell how many lines they passed. */
#ifndef INPUT_LINES_H
#define INPUT_LINES_H

#include "base/budget.h"
#include "input/source.h"

enum {
    LINES_BUFFER = 896 * 1024,
    LINES_SMALL_BUFFER = 256 * 1024, /* where memory is scarce */
    LINES_WINDOW = 64 * 1024,        /* what lines_fill can always promise */
    LINES_MOST = 1024 * 1024,
};

struct lines {
    const char *at;  /* the cursor: where a line begins */
    const char *end; /* the end of what is in the buffer */
    bool at_end;     /* the input has nothing behind end */
    uint64_t number; /* of the line at the cursor, from 1 */

    uint64_t n_bytes;     /* read so far */
    uint64_t n_cut_lines; /* lines longer than LINES_MOST */
    uint64_t cut_line;    /* number of the first of them */
    uint64_t n_moves;     /* how often slices became void so far */

    /* Of who moves the cursor into a line: its number, and how often. */
    uint64_t parted;
    unsigned n_parts;

    const char *name; /* of the input, for messages */
    struct source source;
    int file; /* that holds these bytes at the same offsets, or -1 */
    struct budget *budget;
    char *buffer;
    size_t size;
    struct cprof_error error; /* code CPROF_OK while all is well */
};

/* Starts reading; takes the source over, and closes it on failure too. name
 * must outlive the lines. A byte order mark of UTF-8 is skipped. */
int lines_init(struct lines *lines, struct source source, const char *name,
               struct budget *budget, struct cprof_error *err);

/* Closes the source and frees the buffer. */
void lines_done(struct lines *lines);

/* Goes on at an offset of the file that holds the bytes (file is not -1), where
 * the line of that number begins. What is buffered is void. */
void lines_jump(struct lines *lines, uint64_t offset, uint64_t number);

/* Sees to it that want bytes (at most LINES_WINDOW) follow the cursor in the
 * buffer, unless the input ends before. Slices taken before are void. */
void lines_fill(struct lines *lines, size_t want);

/* The same for any number of bytes, for readers of what is no text: the buffer
 * grows as they arrive. Returns how many follow the cursor: fewer when the
 * input ends before, or when there is no memory for so many (*ret_no_memory,
 * else untouched). Slices taken before are void. */
size_t lines_hold(struct lines *lines, size_t want, bool *ret_no_memory);

/* The line at the cursor without its end ("\n" or "\r\n"). False at the end
 * of the input, and when reading failed (see error). */
bool lines_peek(struct lines *lines, struct str *ret);

/* The line behind the one at the cursor, for recognition: only when it is
 * within LINES_WINDOW bytes, else false. Slices taken before are void. */
bool lines_peek_second(struct lines *lines, struct str *ret);

/* How many bytes of the input stand before the cursor. */
static inline uint64_t lines_offset(const struct lines *lines)
{
    return lines->n_bytes - (uint64_t)(lines->end - lines->at);
}

/* Moves the cursor behind the line that lines_peek gave. */
void lines_next(struct lines *lines);

/* Whether the line at the cursor, which lines_peek gave, has a line end:
 * false only for the last line of an input that does not end in one. */
bool lines_has_end(const struct lines *lines);

#endif
