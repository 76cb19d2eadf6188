#include "input/lines.h"

static const struct str byte_order_mark = STR_INIT("\xef\xbb\xbf");

/* Where left bytes are kept in a buffer: a page begins behind them, as the
 * kernel fills that faster than parts of two, unless there is little room. */
static char *place_kept(char *buffer, size_t size, size_t left)
{
    size_t gap = SOURCE_PAGE - ((uintptr_t)buffer + left) % SOURCE_PAGE;

    return buffer + (left < size / 2 - SOURCE_PAGE ? gap : 0);
}

/* The buffer stays in a cache that is near, and is filled in few calls. Of a
 * small budget it takes a small part. */
static size_t buffer_size(const struct budget *budget)
{
    enum { PARTS = 16 };

    return budget_left(budget) / PARTS < LINES_BUFFER ? LINES_SMALL_BUFFER
                                                      : LINES_BUFFER;
}

static void empty(struct lines *lines)
{
    lines->at = lines->end = place_kept(lines->buffer, lines->size, 0);
}

int lines_init(struct lines *lines, struct source source, const char *name,
               struct budget *budget, struct cprof_error *err)
{
    *lines = (struct lines){.number = 1,
                            .name = name,
                            .source = source,
                            .file = -1,
                            .budget = budget};
    lines->size = buffer_size(budget);
    lines->buffer = budget_resize(budget, NULL, 0, lines->size);
    if (!lines->buffer) {
        source_close(&lines->source);
        return error_memory(err, (struct place){name, 0, 0}, "reading");
    }
    empty(lines);
    lines_fill(lines, byte_order_mark.len);
    if (str_starts((struct str){lines->at, (size_t)(lines->end - lines->at)},
                   byte_order_mark))
        lines->at += byte_order_mark.len;
    if (lines->error.code != CPROF_OK) {
        if (err)
            *err = lines->error;
        lines_done(lines);
        return err ? (int)err->code : CPROF_EIO;
    }
    return 0;
}

void lines_done(struct lines *lines)
{
    source_close(&lines->source);
    budget_free(lines->budget, lines->buffer, lines->size);
    lines->buffer = NULL;
    lines->at = lines->end = NULL;
    lines->at_end = true;
}

static size_t buffered(const struct lines *lines)
{
    return (size_t)(lines->end - lines->at);
}

/* Moves what is left to the front of the buffer, or of a larger one. */
static bool make_room(struct lines *lines, size_t size)
{
    size_t left = buffered(lines);
    char *buffer = lines->buffer;
    char *kept;

    if (size > lines->size) {
        buffer = budget_resize(lines->budget, NULL, 0, size);
        if (!buffer)
            return false;
    }
    kept = place_kept(buffer, size, left);
    memmove(kept, lines->at, left);
    lines->n_moves++;
    if (buffer != lines->buffer) {
        budget_free(lines->budget, lines->buffer, lines->size);
        lines->buffer = buffer;
        lines->size = size;
    }
    lines->at = kept;
    lines->end = kept + left;
    return true;
}

/* Reads once into the free end of the buffer, up to where a page of the input
 * ends. */
static void read_more(struct lines *lines)
{
    size_t used = (size_t)(lines->end - lines->buffer);
    size_t room = lines->size - used;
    ptrdiff_t n;

    if (room > SOURCE_PAGE)
        room -= (size_t)(lines->n_bytes + room) % SOURCE_PAGE;
    n = lines->source.read(lines->source.user, lines->buffer + used, room);
    if (n < 0)
        error_system(&lines->error, (struct place){lines->name, 0, 0},
                     "cannot read");
    if (n <= 0) {
        lines->at_end = true;
        return;
    }
    lines->end += n;
    lines->n_bytes += (size_t)n;
}

void lines_fill(struct lines *lines, size_t want)
{
    if (buffered(lines) >= want || lines->at_end)
        return;
    if ((size_t)(lines->at - lines->buffer) + want > lines->size - SOURCE_PAGE)
        make_room(lines, lines->size);
    while (buffered(lines) < want && !lines->at_end)
        read_more(lines);
}

void lines_jump(struct lines *lines, uint64_t offset, uint64_t number)
{
    empty(lines);
    lines->n_moves++;
    lines->n_bytes = offset;
    lines->number = number;
    lines->at_end = !source_seek(lines->file, offset);
    if (lines->at_end)
        error_system(&lines->error, (struct place){lines->name, 0, 0},
                     "cannot read");
}

size_t lines_hold(struct lines *lines, size_t want, bool *ret_no_memory)
{
    while (buffered(lines) < want && !lines->at_end) {
        size_t grown = lines->size * 2 < want ? lines->size * 2 : want;

        if (lines->end < lines->buffer + lines->size) {
            read_more(lines);
        } else if (lines->at > lines->buffer) {
            make_room(lines, lines->size);
        } else if (!make_room(lines, grown)) {
            *ret_no_memory = true;
            break;
        }
    }
    return buffered(lines);
}

/* The end of the line that begins from bytes behind the cursor, as an offset
 * from the cursor; fills the buffer up to LINES_MOST for it. When the line
 * does not end there, what is buffered counts. */
static size_t find_end(struct lines *lines, size_t from)
{
    size_t seen = from;

    for (;;) {
        size_t have = buffered(lines);
        const char *end =
            have > seen ? memchr(lines->at + seen, '\n', have - seen) : NULL;

        if (end)
            return (size_t)(end - lines->at);
        seen = have;
        if (lines->at_end || have >= LINES_MOST)
            return have;
        if (have == lines->size) {
            size_t larger = have * 2 < LINES_MOST ? have * 2 : LINES_MOST;

            if (!make_room(lines, larger))
                return have;
        } else if (lines->end == lines->buffer + lines->size) {
            make_room(lines, lines->size);
        }
        read_more(lines);
    }
}

static struct str without_return(struct str line)
{
    if (line.len && line.ptr[line.len - 1] == '\r')
        line.len--;
    return line;
}

bool lines_peek(struct lines *lines, struct str *ret)
{
    size_t end = find_end(lines, 0);

    if (end == 0 && !buffered(lines))
        return false;
    *ret = without_return((struct str){lines->at, end});
    return true;
}

bool lines_peek_second(struct lines *lines, struct str *ret)
{
    size_t first;
    size_t second;

    lines_fill(lines, LINES_WINDOW);
    first = find_end(lines, 0);
    if (first >= buffered(lines) || first >= LINES_WINDOW)
        return false;
    second = find_end(lines, first + 1);
    if (second == first + 1 && second >= buffered(lines))
        return false;
    *ret =
        without_return((struct str){lines->at + first + 1, second - first - 1});
    return true;
}

bool lines_has_end(const struct lines *lines)
{
    return !lines->at_end || memchr(lines->at, '\n', buffered(lines)) != NULL;
}

/* Throws away the rest of a line that is too long to hold. */
static void skip_rest(struct lines *lines)
{
    if (!lines->n_cut_lines++)
        lines->cut_line = lines->number;
    while (!memchr(lines->at, '\n', buffered(lines))) {
        empty(lines);
        lines->n_moves++;
        if (lines->at_end)
            return;
        read_more(lines);
    }
}

void lines_next(struct lines *lines)
{
    const char *end = memchr(lines->at, '\n', buffered(lines));

    if (!end && !lines->at_end) {
        skip_rest(lines);
        end = memchr(lines->at, '\n', buffered(lines));
    }
    lines->at = end ? end + 1 : lines->end;
    lines->number++;
}
