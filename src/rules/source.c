#include "rules/source.h"

#include <stdio.h>

#include "base/buf.h"
#include "base/escape.h"

/* What an excerpt shows of a line, in bytes: long lines are cut so that the
 * place stays visible. */
enum { EXCERPT_BEFORE = 56, EXCERPT_MOST = 92 };

struct place source_place(const struct source *source, uint32_t offset)
{
    struct str before = str_head(source->text, offset);
    struct place place = {.source = source->name, .line = 1};

    for (size_t end = str_find(before, '\n'); end < before.len;
         end = str_find(before, '\n')) {
        before = str_skip(before, end + 1);
        place.line++;
    }
    place.column = before.len + 1;
    return place;
}

/* Whether a byte continues a UTF-8 character. */
static bool continues(char c)
{
    return ((unsigned char)c & 0xc0) == 0x80;
}

/* The first bytes of text, at most so many, ending between characters. */
static struct str cut_at(struct str text, size_t most)
{
    if (text.len <= most)
        return text;
    while (most && continues(text.ptr[most]))
        most--;
    return str_head(text, most);
}

struct quoted quote(struct str text)
{
    struct quoted quoted;
    struct str shown = cut_at(text, QUOTED_MOST);

    snprintf(quoted.text, sizeof(quoted.text), STR_FORMAT "%s", STR_ARG(shown),
             shown.len < text.len ? "..." : "");
    return quoted;
}

/* Appends a piece of a line with each tab as one blank, so that the caret
 * below stands under its character, and each NUL too, which would end the
 * text. */
static void add_piece(struct buf *out, struct str piece)
{
    for (size_t i = 0; i < piece.len; i++) {
        char c = piece.ptr[i];

        buf_add_char(out, c == '\t' || c == '\0' ? ' ' : c);
    }
}

/* The columns that a piece takes once add_piece has written it. */
static size_t piece_width(struct str piece)
{
    struct buf out = {0};
    size_t width;

    add_piece(&out, piece);
    width = display_width(buf_str(&out));
    buf_done(&out);
    return width;
}

/* The line that begins at text, without its end. */
static struct str first_line(struct str text)
{
    struct str line = str_head(text, str_find(text, '\n'));

    str_cut_suffix(&line, STR("\r"));
    return line;
}

/* Appends "   12 | the line" and, below it, "      |     ^~~~". */
static void add_excerpt(struct buf *out, const struct source *source,
                        struct span span)
{
    struct place place = source_place(source, span.offset);
    size_t before = (size_t)place.column - 1;
    struct str line = first_line(str_skip(source->text, span.offset - before));
    struct str marked = str_head(str_skip(line, before), span.len);
    const char *lead = "";
    size_t width;

    if (before > line.len)
        before = line.len;
    if (before > EXCERPT_BEFORE) {
        size_t cut = before - EXCERPT_BEFORE;

        while (cut < before && continues(line.ptr[cut]))
            cut++;
        line = str_skip(line, cut);
        before -= cut;
        lead = "...";
    }
    line = cut_at(line, EXCERPT_MOST);
    marked = str_head(marked, line.len - before);
    buf_addf(out, "%5llu | %s", (unsigned long long)place.line, lead);
    add_piece(out, line);
    buf_addf(out, "\n      | %*s", (int)strlen(lead), "");
    buf_add_repeat(out, ' ', piece_width(str_head(line, before)));
    buf_add_char(out, '^');
    width = piece_width(marked);
    buf_add_repeat(out, '~', width > 1 ? width - 1 : 0);
}

int source_verror(const struct source *source, struct span span,
                  struct cprof_error *err, const char *format, va_list args)
{
    struct buf message = {0};
    struct buf excerpt = {0};

    if (span.offset > source->text.len)
        span.offset = (uint32_t)source->text.len;
    buf_vaddf(&message, format, args);
    add_excerpt(&excerpt, source, span);
    error_set(err, CPROF_ERULE, source_place(source, span.offset), "%s",
              message.ptr ? message.ptr : "rule file is wrong");
    error_detail(err, "%s", excerpt.ptr ? excerpt.ptr : "");
    buf_done(&message);
    buf_done(&excerpt);
    return CPROF_ERULE;
}

int source_error(const struct source *source, struct span span,
                 struct cprof_error *err, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    source_verror(source, span, err, format, args);
    va_end(args);
    return CPROF_ERULE;
}

/* How many bytes of ASCII a text begins with. */
static size_t ascii_length(struct str text)
{
    size_t i = 0;

    while (i < text.len && (unsigned char)text.ptr[i] < 0x80)
        i++;
    return i;
}

int source_check(struct source *source, struct cprof_error *err)
{
    struct str rest = source->text;
    uint32_t point;

    if (rest.len > SOURCE_MOST)
        return error_set(err, CPROF_ERULE, (struct place){source->name, 0, 0},
                         "a file of more than %d bytes is not read",
                         SOURCE_MOST);
    rest = str_skip(rest, ascii_length(rest));
    source->is_ascii = rest.len == 0;
    for (; rest.ptr && rest.len; rest = str_skip(rest, ascii_length(rest))) {
        uint32_t at = (uint32_t)(source->text.len - rest.len);
        size_t n = utf8_next(rest, &point);

        if (!n)
            return source_error(source, (struct span){at, 1}, err,
                                "byte 0x%02x is not UTF-8, as the file must be",
                                (unsigned char)rest.ptr[0]);
        rest = str_skip(rest, n);
    }
    return 0;
}
