#include "read/unrecognised.h"

#include "base/count.h"
#include "base/escape.h"
#include "read/clues.h"

enum { LINES_MANY = 20, BINARY_MOST = 16 };

void first_line_see(struct first_line *first, struct str line, bool is_likely)
{
    bool is_first = !first->is_set;

    if (first->n_seen >= FIRST_LINES && !is_likely)
        return;
    line = str_trim(line);
    if (!line.len)
        return;
    if (is_first)
        buf_add(&first->text, str_head(line, FIRST_LINE_MOST));
    first->is_set = true;
    first->n_seen++;
    first->clue = clue_look(line, is_first, first->clue);
}

void first_line_done(struct first_line *first)
{
    buf_done(&first->text);
}

/* Nothing came out of the source: perhaps because of what went in. */
static int empty_error(const struct lines *lines, struct cprof_error *err)
{
    struct str trouble = str_from(source_trouble(&lines->source));
    struct place place = {lines->name, 0, 0};

    /* Behind the colon it says what is missing, which is all. */
    if (trouble.len)
        return error_set(err, CPROF_EFORMAT, place,
                         STR_FORMAT ": nothing could be unpacked",
                         STR_ARG(str_head(trouble, str_find(trouble, ':'))));
    return error_set(err, CPROF_EFORMAT, place,
                     "the input is empty: perhaps the command that wrote it "
                     "failed (curl -fsS says why)");
}

/* Whether text holds what no log and no dump does: bytes that are no UTF-8, and
 * control characters beside those of layout and of terminals. */
static bool is_binary(struct str text)
{
    while (text.len) {
        uint32_t point = 0;
        size_t n = utf8_next(text, &point);

        if (!n || (point < ' ' && !chars_have("\t\b\f\r\033", (char)point)))
            return true;
        text = str_skip(text, n);
    }
    return false;
}

/* Whether every second byte of a text is 0, from an index on. */
static bool has_zeros(struct str text, size_t first)
{
    size_t n = 0;

    for (size_t i = 0; i < text.len; i++)
        n += (i % 2 == first) == !text.ptr[i];
    return text.len >= 4 && n == text.len;
}

/* The name of the form of UTF-16 that a text has without a byte order mark;
 * NULL = of none. */
static const char *utf16_name(struct str text)
{
    if (has_zeros(text, 1))
        return "UTF-16LE";
    return has_zeros(text, 0) ? "UTF-16BE" : NULL;
}

/* How an input begins, escaped: formatted as it is, it would end at a NUL. */
struct beginning {
    char text[FIRST_LINE_MOST * ESCAPE_MOST + 1];
};

/* Takes a text of at most FIRST_LINE_MOST bytes. */
static struct beginning beginning_of(struct str text)
{
    struct beginning beginning;
    size_t used = 0;

    while (text.len)
        used += escape_next(&text, beginning.text + used);
    beginning.text[used] = '\0';
    return beginning;
}

/* Says what would have been recognised. */
static int unknown_error(struct str text, struct place place,
                         struct cprof_error *err)
{
    static const char expected[] =
        "expected a profile of pprof (debug=0, 1 or 2), what a crash or "
        "SIGQUIT prints, or a log with one of these in it, gzip'd or not";
    bool binary = is_binary(text);
    const char *utf16 = utf16_name(text);

    if (utf16)
        return error_set(err, CPROF_EFORMAT, place,
                         "no goroutine dump recognised: every second byte is "
                         "0, as in UTF-16 without its byte order mark: make "
                         "it UTF-8 with iconv -f %s -t UTF-8",
                         utf16);
    if (binary)
        text = str_head(text, BINARY_MOST);
    return error_set(err, CPROF_EFORMAT, place,
                     "no goroutine dump recognised; it begins '%s'%s: %s",
                     beginning_of(text).text,
                     binary ? ", which is neither text nor protobuf nor gzip"
                            : "",
                     expected);
}

int unrecognised_error(const struct first_line *first,
                       const struct lines *lines, struct cprof_error *err)
{
    uint64_t n_lines = lines->number - 1;
    struct place place = {lines->name, 1, 0};
    struct str text = buf_str(&first->text);

    if (lines->n_bytes == 0)
        return empty_error(lines, err);
    if (!first->is_set)
        return error_set(err, CPROF_EFORMAT, (struct place){lines->name, 0, 0},
                         "the input holds nothing but blank lines");
    if (first->clue && is_binary(text))
        text = str_head(text, BINARY_MOST);
    if (first->clue)
        return error_set(err, CPROF_EFORMAT, place,
                         "no goroutine dump recognised; it begins '%s': %s",
                         beginning_of(text).text, clue_message(first->clue));
    if (n_lines >= LINES_MANY && !is_binary(text))
        return error_set(err, CPROF_EFORMAT, place,
                         "no goroutine dump recognised; it begins '%s', and "
                         "none of its %s lines begins a goroutine, a crash or "
                         "a profile",
                         beginning_of(text).text, count_text(n_lines).text);
    return unknown_error(text, place, err);
}
