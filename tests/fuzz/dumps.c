#include "dumps.h"

#include "asking.h"
#include "base/buf.h"

enum { PARTS_MOST = 256, CHANGES_MOST = 3, LINES_MOST = 64 };

/* A text in its parts, each with the empty lines or the RS behind it: a
 * goroutine, an entry of a profile, or what stands before them. */
struct dumps {
    struct str parts[PARTS_MOST];
    size_t n;
    struct way way; /* what is left of chance */
};

static size_t part_len(struct str text)
{
    size_t i;

    for (i = 0; i < text.len; i++) {
        if (text.ptr[i] == '\x1e')
            return i + 1;
        if (text.ptr[i] == '\n' && i + 1 < text.len && text.ptr[i + 1] == '\n')
            break;
    }
    while (i < text.len && text.ptr[i] == '\n')
        i++;
    return i;
}

static void dumps_split(struct dumps *dumps, struct str text)
{
    dumps->n = 0;
    while (text.len && dumps->n + 1 < PARTS_MOST) {
        size_t len = part_len(text);

        dumps->parts[dumps->n++] = str_head(text, len);
        text = str_skip(text, len);
    }
    if (text.len)
        dumps->parts[dumps->n++] = text;
}

static size_t choose(struct dumps *dumps, size_t n)
{
    struct way way = way_from((size_t)dumps->way.rest);

    dumps->way = way;
    return way_choose(&way, n);
}

static void add_parts(struct buf *buf, const struct dumps *dumps, size_t from,
                      size_t to)
{
    for (size_t i = from; i < to; i++)
        buf_add(buf, dumps->parts[i]);
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static struct str skip_digits(struct str text)
{
    while (text.len && is_digit(text.ptr[0]))
        text = str_skip(text, 1);
    return text;
}

/* Appends a part; a goroutine with another id, so that it is another one. */
static void add_as(struct buf *buf, struct str part, size_t id)
{
    static const struct str word = STR_INIT("goroutine ");
    struct str rest = part;

    if (str_starts(part, word)) {
        rest = skip_digits(str_skip(part, word.len));
        buf_add(buf, word);
        buf_addf(buf, "%zu", id);
    }
    buf_add(buf, rest);
}

static void repeat(struct dumps *dumps, struct buf *buf)
{
    static const size_t times[] = {1, 1, 2, 4, 9, 30, 100};
    size_t at = choose(dumps, dumps->n);
    size_t n = times[choose(dumps, sizeof(times) / sizeof(times[0]))];
    size_t id = 100 + choose(dumps, 100000);

    add_parts(buf, dumps, 0, at + 1);
    for (size_t i = 0; i < n; i++)
        add_as(buf, dumps->parts[at], id + i);
    add_parts(buf, dumps, at + 1, dumps->n);
}

static void leave_out(struct dumps *dumps, struct buf *buf)
{
    size_t at = choose(dumps, dumps->n);
    size_t to = at + 1 + choose(dumps, 2) * choose(dumps, dumps->n - at);

    add_parts(buf, dumps, 0, at);
    add_parts(buf, dumps, to, dumps->n);
}

static void move(struct dumps *dumps, struct buf *buf)
{
    size_t from = choose(dumps, dumps->n);
    size_t to = choose(dumps, dumps->n);

    for (size_t i = 0; i < dumps->n; i++) {
        if (i == to)
            buf_add(buf, dumps->parts[from]);
        if (i != from)
            buf_add(buf, dumps->parts[i]);
    }
    if (to == from)
        buf_add(buf, dumps->parts[from]);
}

/* Another state in the brackets of the first line. */
static void set_state(struct dumps *dumps, struct buf *buf)
{
    static const char *const states[] = {"running",
                                         "runnable",
                                         "IO wait",
                                         "select",
                                         "select (no cases)",
                                         "chan receive",
                                         "chan send",
                                         "chan receive (nil chan)",
                                         "syscall",
                                         "chan send (nil chan)",
                                         "sync.Mutex.Lock",
                                         "sync.RWMutex.RLock",
                                         "sync.RWMutex.Lock",
                                         "sync.Cond.Wait",
                                         "sync.WaitGroup.Wait",
                                         "semacquire",
                                         "sleep",
                                         "finalizer wait",
                                         "idle",
                                         "dead",
                                         "chan send (leaked)"};
    static const char *const rests[] = {"",
                                        "",
                                        ", 1 minutes",
                                        ", 6 minutes",
                                        ", 31 minutes",
                                        ", 700 minutes",
                                        ", 99999 minutes",
                                        ", 8 minutes, locked to thread",
                                        ", locked to thread"};
    size_t at = choose(dumps, dumps->n);
    struct str part = dumps->parts[at];
    size_t open = str_find(part, '[');
    size_t close = str_find(part, ']');

    if (open >= close || close >= str_find(part, '\n'))
        return;
    add_parts(buf, dumps, 0, at);
    buf_add(buf, str_head(part, open + 1));
    buf_add(
        buf,
        str_from(states[choose(dumps, sizeof(states) / sizeof(states[0]))]));
    buf_add(buf,
            str_from(rests[choose(dumps, sizeof(rests) / sizeof(rests[0]))]));
    buf_add(buf, str_skip(part, close));
    add_parts(buf, dumps, at + 1, dumps->n);
}

/* Where a line of a part begins. */
static size_t choose_line(struct dumps *dumps, struct str part)
{
    size_t at = choose(dumps, part.len + 1);

    while (at && part.ptr[at - 1] != '\n')
        at--;
    return at;
}

/* A frame is two lines in a stack, one in an entry of a profile. */
static void copy_frame(struct dumps *dumps, struct buf *buf)
{
    struct str from = dumps->parts[choose(dumps, dumps->n)];
    size_t at = choose(dumps, dumps->n);
    struct str part = dumps->parts[at];
    size_t line = choose_line(dumps, part);
    size_t n_cut = choose(dumps, 3);
    size_t n_lines = choose(dumps, 3);
    struct str rest = str_skip(part, line);

    from = str_skip(from, choose_line(dumps, from));
    for (size_t i = 0; i < n_cut; i++)
        rest = str_skip(rest, str_find(rest, '\n') + 1);
    add_parts(buf, dumps, 0, at);
    buf_add(buf, str_head(part, line));
    for (size_t i = 0; i < n_lines; i++) {
        buf_add(buf, str_head(from, str_find(from, '\n') + 1));
        from = str_skip(from, str_find(from, '\n') + 1);
    }
    buf_add(buf, rest);
    add_parts(buf, dumps, at + 1, dumps->n);
}

/* All of the text, or its last input, a second time; with RS as the next. */
static void come_again(struct dumps *dumps, struct buf *buf)
{
    size_t from = dumps->n - 1;
    size_t more = choose(dumps, dumps->n);
    struct str last = dumps->parts[from];

    while (from && !str_ends(dumps->parts[from - 1], STR("\x1e")))
        from--;
    add_parts(buf, dumps, 0, dumps->n);
    if (!str_ends(last, STR("\x1e")))
        buf_add_char(buf, choose(dumps, 4) ? '\x1e' : '\n');
    for (size_t i = from; i < dumps->n; i++) {
        buf_add(buf, dumps->parts[i]);
        for (size_t n = i == more ? 1 + choose(dumps, 9) : 0; n; n--)
            add_as(buf, dumps->parts[i], 1000 + choose(dumps, 100000));
    }
}

/* Empty lines at the end, which mean nothing: the same dumps are asked in
 * another way, as that depends on the length. */
static void ask_otherwise(struct dumps *dumps, struct buf *buf)
{
    add_parts(buf, dumps, 0, dumps->n);
    for (size_t n = 1 + choose(dumps, LINES_MOST); n; n--)
        buf_add(buf, STR("\n"));
}

static void set_number(struct dumps *dumps, struct buf *buf)
{
    static const size_t numbers[] = {0,  1,   2,    3,     5,      9,   10,
                                     20, 100, 1000, 10000, 100000, 4096};
    size_t at = choose(dumps, dumps->n);
    struct str part = dumps->parts[at];
    size_t from = choose(dumps, part.len + 1);

    while (from < part.len && !is_digit(part.ptr[from]))
        from++;
    if (from == part.len)
        return;
    add_parts(buf, dumps, 0, at);
    buf_add(buf, str_head(part, from));
    buf_addf(buf, "%zu",
             numbers[choose(dumps, sizeof(numbers) / sizeof(numbers[0]))]);
    buf_add(buf, skip_digits(str_skip(part, from)));
    add_parts(buf, dumps, at + 1, dumps->n);
}

/* One change of the size bytes at data, when what comes of it has room. */
static size_t change(struct dumps *dumps, uint8_t *data, size_t size,
                     size_t most)
{
    static void (*const changes[])(struct dumps *, struct buf *) = {
        repeat,     repeat,     leave_out,  move,       set_state,    set_state,
        copy_frame, copy_frame, come_again, set_number, ask_otherwise};
    struct buf buf = {0};

    dumps_split(dumps, (struct str){(const char *)data, size});
    if (dumps->n)
        changes[choose(dumps, sizeof(changes) / sizeof(changes[0]))](dumps,
                                                                     &buf);
    if (buf.len && buf.len <= most) {
        memcpy(data, buf.ptr, buf.len);
        size = buf.len;
    }
    buf_done(&buf);
    return size;
}

/* Brings the size bytes at data to the length that was before, as far as empty
 * lines at their end allow it: other dumps are asked in the same way. */
static size_t ask_as_before(uint8_t *data, size_t size, size_t before)
{
    while (size > before && size > 1 && data[size - 1] == '\n' &&
           data[size - 2] == '\n')
        size--;
    while (size < before)
        data[size++] = '\n';
    return size;
}

size_t dumps_mutate(uint8_t *data, size_t size, size_t most, unsigned seed,
                    change_bytes *bytes)
{
    struct dumps dumps = {.way = way_from(seed)};
    size_t before = size;

    if (choose(&dumps, 3) == 0)
        return bytes(data, size, most);
    for (size_t n = 1 + choose(&dumps, CHANGES_MOST); n; n--)
        size = change(&dumps, data, size, most);
    return choose(&dumps, 2) ? size : ask_as_before(data, size, before);
}
