#include "read/newest_first.h"

#include "unwrap/begin.h"

enum line_kind {
    LINE_OTHER,
    LINE_TITLE,
    LINE_HEADER,
    LINE_CRASH,
    LINE_RECORD, /* "2 @ 0x47b0c1 0x40e1a5" */
    LINE_FRAME,  /* "#\t0x40e1a4\tmain.f+0x84\t/srv/main.go:12" */
    LINE_CALL,
    LINE_PLACE,
};

enum {
    FRAMES_MOST = 64,   /* of a record that are compared with it */
    FRAME_TAB_MOST = 8, /* bytes of "#\\u0009" */
};

/* The lines of a record of debug=1 (runtime/pprof: printCountProfile). */
struct frames {
    uint64_t addresses[FRAMES_MOST];
    unsigned count;
};

/* Takes a line off the front of text. False for the last one when it has no
 * end, for it may be cut by the end of the window. */
static bool cut_line(struct str *text, struct str *ret)
{
    size_t end = str_find(*text, '\n');

    if (end == text->len)
        return false;
    *ret = str_head(*text, end);
    *text = str_skip(*text, end + 1);
    return true;
}

/* Whether a file of Go and a line of it are named. */
static bool has_place(struct str line)
{
    struct str suffix = STR(".go:");
    size_t at = str_search(line, suffix);
    struct str rest = str_skip(line, at + suffix.len);

    return at < line.len && rest.len && rest.ptr[0] >= '0' &&
           rest.ptr[0] <= '9';
}

/* Whether the line is a frame of debug=1; logs spell its tabs in their own
 * ways. */
static bool find_frame(struct str line, uint64_t *ret_address)
{
    struct str rest = str_skip(line, str_find(line, '#'));
    size_t at = str_search(rest, STR("0x"));

    if (at > FRAME_TAB_MOST)
        return false;
    rest = str_skip(rest, at + 2);
    return str_cut_hex(&rest, ret_address);
}

static enum line_kind kind_of_begin(enum begin_kind kind)
{
    switch (kind) {
    case BEGIN_GOROUTINE:
        return LINE_HEADER;
    case BEGIN_CRASH:
        return LINE_CRASH;
    case BEGIN_PROFILE:
        return LINE_TITLE;
    default:
        return LINE_OTHER;
    }
}

static enum line_kind kind_of(struct str line)
{
    struct begin begin;
    size_t open = str_find(line, '(');
    uint64_t address;

    if (begin_find(line, 0, &begin))
        return kind_of_begin(begin.kind);
    if (str_contains(line, STR(" @ 0x")))
        return LINE_RECORD;
    if (find_frame(line, &address))
        return LINE_FRAME;
    if (has_place(line))
        return LINE_PLACE;
    if (str_find(str_skip(line, open), ')') < line.len - open ||
        str_contains(line, STR("created by ")))
        return LINE_CALL;
    return LINE_OTHER;
}

/* Whether what follows the first header of a dump shows that it is the last
 * one of its goroutine. Headers of other processes may stand between. */
static bool is_end_of_goroutine(struct str text, bool is_whole)
{
    struct str line;

    while (cut_line(&text, &line)) {
        enum line_kind kind = kind_of(line);

        if (kind != LINE_OTHER && kind != LINE_TITLE && kind != LINE_HEADER)
            return kind == LINE_PLACE || kind == LINE_CRASH;
    }
    return is_whole;
}

static void add_frame(struct frames *frames, struct str line)
{
    if (frames->count < FRAMES_MOST)
        find_frame(line, &frames->addresses[frames->count++]);
}

/* Whether an address is one of the record's: a frame names the byte before the
 * return address, if it is not the innermost. */
static bool has_address(struct str record, uint64_t address)
{
    struct str rest = str_skip(record, str_search(record, STR(" @ 0x")) + 2);

    while (str_cut_prefix(&rest, STR(" 0x"))) {
        uint64_t pc;

        if (!str_cut_hex(&rest, &pc))
            return false;
        if (pc == address || pc == address + 1)
            return true;
    }
    return false;
}

/* The next frame behind what was looked at last. */
struct next_frame {
    const char *end; /* behind its line, or all that was looked at */
    bool is_found;
    uint64_t address;
};

/* Looks for the next frame in text, whose begin only moves on. */
static void find_next_frame(struct next_frame *next, struct str text)
{
    struct str line;

    if (next->end && text.ptr < next->end)
        return;
    next->is_found = false;
    while (!next->is_found && cut_line(&text, &line))
        next->is_found = find_frame(line, &next->address);
    next->end = next->is_found ? text.ptr : text.ptr + text.len;
}

/* Whether the next frame in text is one of the record's. */
static bool is_frame_next(struct next_frame *next, struct str record,
                          struct str text)
{
    find_next_frame(next, text);
    return next->is_found && has_address(record, next->address);
}

/* Whether the frames before a record belong to it. One alone may be the common
 * end of two stacks, so the next must not. */
static bool are_frames_of(const struct frames *frames, struct next_frame *next,
                          struct str record, struct str text)
{
    for (unsigned i = 0; i < frames->count; i++) {
        if (!has_address(record, frames->addresses[i]))
            return false;
    }
    return frames->count > 1 || !is_frame_next(next, record, text);
}

bool is_newest_first(struct lines *lines)
{
    enum line_kind last = LINE_OTHER;
    struct frames frames = {.count = 0};
    struct next_frame next = {.end = NULL};
    struct str text;
    bool is_whole;
    struct str line;

    lines_fill(lines, LINES_WINDOW);
    text = (struct str){lines->at, (size_t)(lines->end - lines->at)};
    /* More may be there, by the sizes of the reads; no answer hangs on it. */
    is_whole = lines->at_end && text.len < LINES_WINDOW;
    text = str_head(text, LINES_WINDOW);
    if (str_has_zeros(text) || (!str_contains(text, STR("goroutine ")) &&
                                !str_contains(text, STR(" @ 0x"))))
        return false;
    while (cut_line(&text, &line)) {
        switch (kind_of(line)) {
        case LINE_TITLE:
            return false;
        case LINE_HEADER:
            return last == LINE_CALL && is_end_of_goroutine(text, is_whole);
        case LINE_RECORD:
            if (frames.count)
                return are_frames_of(&frames, &next, line, text);
            if (is_frame_next(&next, line, text))
                return false;
            break;
        case LINE_FRAME:
            add_frame(&frames, line);
            break;
        case LINE_CALL:
        case LINE_PLACE:
            last = kind_of(line);
            break;
        default:
            break;
        }
    }
    return false;
}
