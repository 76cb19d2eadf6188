#include "base/markup.h"

#include "base/escape.h"

/* A comment that shows as nothing and ends the word before it, so that what
 * follows is no longer part of a mention or a reference. */
static const struct str splitter = STR_INIT("<!-- -->");

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_word(char c)
{
    return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* Whether text would begin a list or underline a heading: "- ", "1." */
static bool begins_block(struct str text)
{
    size_t n = 0;

    if (!text.len)
        return false;
    if (chars_have("+-=", text.ptr[0]))
        return true;
    while (n < text.len && is_digit(text.ptr[n]))
        n++;
    return n && n < text.len && (text.ptr[n] == '.' || text.ptr[n] == ')');
}

/* Appends the first character of text, and what keeps it from meaning
 * something. */
static void add_plain(struct buf *out, struct str text)
{
    char c = text.ptr[0];
    char next = text.len > 1 ? text.ptr[1] : ' ';

    if (c == '&') {
        buf_add(out, STR("&amp;"));
        return;
    }
    if (chars_have("\\`*_[]<>|~$", c) || (c == '#' && !is_digit(next)))
        buf_add_char(out, '\\');
    buf_add_char(out, c);
    if ((c == '@' && is_word(next)) || (c == '#' && is_digit(next)))
        buf_add(out, splitter);
    else if (str_starts(text, STR("://")))
        buf_add_char(out, '\\');
}

void markdown_add(struct buf *out, struct str text)
{
    struct buf line = {0};
    struct str rest;

    escape_add_line(&line, text);
    rest = buf_str(&line);
    if (begins_block(rest)) {
        while (is_digit(rest.ptr[0])) {
            buf_add_char(out, rest.ptr[0]);
            rest = str_skip(rest, 1);
        }
        buf_add_char(out, '\\');
    }
    for (; rest.len; rest = str_skip(rest, 1)) {
        /* The word in front of a bare address makes a link as well. */
        if (str_starts(rest, STR("www."))) {
            buf_add(out, STR("www\\"));
            rest = str_skip(rest, 3);
        }
        add_plain(out, rest);
    }
    out->failed |= line.failed;
    buf_done(&line);
}

/* The length of the longest run of backquotes. */
static size_t longest_run(struct str text)
{
    size_t longest = 0;
    size_t run = 0;

    for (size_t i = 0; i < text.len; i++) {
        run = text.ptr[i] == '`' ? run + 1 : 0;
        if (run > longest)
            longest = run;
    }
    return longest;
}

void markdown_add_code(struct buf *out, struct str text, bool in_table)
{
    struct buf line = {0};
    size_t fence;
    bool padded;

    if (!text.len)
        return;
    escape_add_line(&line, text);
    fence = longest_run(buf_str(&line)) + 1;
    buf_add_repeat(out, '`', fence);
    /* A blank on both sides is taken off again. */
    padded = fence > 1 || str_starts(text, STR(" "));
    if (padded)
        buf_add_char(out, ' ');
    for (size_t i = 0; i < line.len; i++) {
        if (in_table && line.ptr[i] == '|')
            buf_add_char(out, '\\');
        buf_add_char(out, line.ptr[i]);
    }
    if (padded)
        buf_add_char(out, ' ');
    buf_add_repeat(out, '`', fence);
    out->failed |= line.failed;
    buf_done(&line);
}

/* What may stand between angle brackets: printable ASCII but these. */
static bool is_address(struct str text)
{
    if (!str_starts(text, STR("http://")) && !str_starts(text, STR("https://")))
        return false;
    for (size_t i = 0; i < text.len; i++) {
        if (text.ptr[i] <= ' ' || text.ptr[i] > '~' ||
            chars_have("<>\\\"|", text.ptr[i]))
            return false;
    }
    return true;
}

void markdown_add_link(struct buf *out, struct str address)
{
    if (!is_address(address)) {
        markdown_add(out, address);
        return;
    }
    buf_add_char(out, '<');
    buf_add(out, address);
    buf_add_char(out, '>');
}

void markdown_add_block(struct buf *out, struct str lines)
{
    size_t fence = longest_run(lines) + 1;

    if (fence < 3)
        fence = 3;
    buf_add_repeat(out, '`', fence);
    buf_add(out, STR("text\n"));
    buf_add(out, lines);
    if (!str_ends(lines, STR("\n")))
        buf_add_char(out, '\n');
    buf_add_repeat(out, '`', fence);
    buf_add_char(out, '\n');
}

void markup_add_lines(struct buf *out, struct str lines)
{
    for (size_t i = 0; i < lines.len; i++) {
        switch (lines.ptr[i]) {
        case '&':
            buf_add(out, STR("&amp;"));
            break;
        case '<':
            buf_add(out, STR("&lt;"));
            break;
        case '>':
            buf_add(out, STR("&gt;"));
            break;
        case '"':
            buf_add(out, STR("&quot;"));
            break;
        default:
            buf_add_char(out, lines.ptr[i]);
        }
    }
}

void markup_add(struct buf *out, struct str text)
{
    struct buf line = {0};

    escape_add_line(&line, text);
    markup_add_lines(out, buf_str(&line));
    out->failed |= line.failed;
    buf_done(&line);
}
