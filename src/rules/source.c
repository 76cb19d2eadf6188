#include "rules/source.h"

#include <stdio.h>

#include "base/escape.h"

/* What an excerpt shows of a line, in bytes: long lines are cut so that the
 * place stays visible. */
enum { EXCERPT_BEFORE = 56, EXCERPT_MOST = 92 };

/* A byte that cannot be printed takes four columns. */
enum { WAVES_MOST = 4 * EXCERPT_MOST };

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

/* A piece of a line as an excerpt shows it. */
struct shown {
    char text[EXCERPT_MOST + 1];
    size_t width; /* columns */
};

/* Each tab becomes one blank, so that the caret below stands under its
 * character, and each NUL too, which would end the text. */
static struct shown show_piece(struct str piece)
{
    struct shown shown;

    for (size_t i = 0; i < piece.len; i++) {
        char c = piece.ptr[i];

        shown.text[i] = c == '\t' || c == '\0' ? ' ' : c;
    }
    shown.text[piece.len] = '\0';
    shown.width = display_width((struct str){shown.text, piece.len});
    return shown;
}

/* The line that begins at text, without its end. */
static struct str first_line(struct str text)
{
    struct str line = str_head(text, str_find(text, '\n'));

    str_cut_suffix(&line, STR("\r"));
    return line;
}

/* The part of a line that an excerpt has room for: `before` bytes of it stand
 * before the place. Says whether its beginning was left out. */
static struct str cut_line(struct str line, size_t *before, bool *ret_is_cut)
{
    size_t cut = *before - EXCERPT_BEFORE;

    *ret_is_cut = *before > EXCERPT_BEFORE;
    if (*ret_is_cut) {
        while (cut < *before && continues(line.ptr[cut]))
            cut++;
        line = str_skip(line, cut);
        *before -= cut;
    }
    return cut_at(line, EXCERPT_MOST);
}

/* Adds "   12 | the line" and, below it, "      |     ^~~~". Nothing of it is
 * allocated: a line with its caret elsewhere would be worse than none. */
static void add_excerpt(struct cprof_error *err, const struct source *source,
                        struct span span)
{
    struct place place = source_place(source, span.offset);
    size_t before = (size_t)place.column - 1;
    struct str line = first_line(str_skip(source->text, span.offset - before));
    char waves[WAVES_MOST];
    struct shown shown;
    size_t indent;
    size_t width;
    bool is_cut;

    if (before > line.len)
        before = line.len;
    line = cut_line(line, &before, &is_cut);
    shown = show_piece(line);
    indent = show_piece(str_head(line, before)).width + (is_cut ? 3 : 0);
    width = show_piece(str_head(str_skip(line, before), span.len)).width;
    width = width > WAVES_MOST ? WAVES_MOST : width ? width - 1 : 0;
    memset(waves, '~', sizeof(waves));
    error_detail(err, "%5llu | %s%s\n      | %*s^%.*s",
                 (unsigned long long)place.line, is_cut ? "..." : "",
                 shown.text, (int)indent, "", (int)width, waves);
}

int source_verror(const struct source *source, struct span span,
                  struct cprof_error *err, const char *format, va_list args)
{
    char message[1024]; /* as much as an error holds */

    if (span.offset > source->text.len)
        span.offset = (uint32_t)source->text.len;
    vsnprintf(message, sizeof(message), format, args);
    error_set(err, CPROF_ERULE, source_place(source, span.offset), "%s",
              message);
    if (err)
        add_excerpt(err, source, span);
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
