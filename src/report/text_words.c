#include "base/escape.h"
#include "model/name.h"
#include "report/human.h"
#include "report/text.h"
#include "rules/words.h"

/* "main.(*s..." */
enum { RECEIVER_LEAST = 10 };

size_t text_word(struct text *text, const char *word, enum tint tint)
{
    size_t n = strlen(word);

    page_tint(&text->page, tint);
    for (size_t i = 0; i < n; i++)
        buf_add_char(text->page.out, (char)(word[i] - 'a' + 'A'));
    page_plain(&text->page);
    return n;
}

size_t text_severity(struct text *text, enum cprof_severity severity)
{
    return text_word(text, severity_text(severity), tint_of(severity));
}

/* Whether a path element is a major version: "v2". */
static bool is_version(struct str element)
{
    uint64_t number;

    return str_cut_prefix(&element, STR("v")) && str_to_u64(element, &number);
}

void text_function_short(struct buf *buf, struct str function)
{
    struct str package = name_package(function);
    size_t slash = str_rfind(package, '/');
    struct str last = package;

    if (slash < package.len) {
        last = str_skip(package, slash + 1);
        package = str_head(package, slash);
        slash = str_rfind(package, '/');
        if (is_version(last))
            last = slash < package.len ? str_skip(package, slash + 1) : package;
    }
    buf_add(buf, last);
    if (last.len)
        buf_add_char(buf, '.');
    buf_add(buf, name_symbol(function));
}

void text_file(struct buf *buf, const struct code_place *place, unsigned keep)
{
    struct str file = place->file;
    size_t at = file.len;

    if (!file.len)
        return;
    while (keep && at) {
        at--;
        if (file.ptr[at] == '/' || file.ptr[at] == '\\')
            keep--;
        if (!keep)
            file = str_skip(file, at + 1);
    }
    buf_add(buf, file);
    if (place->line)
        buf_addf(buf, ":%u", (unsigned)place->line);
}

size_t text_place_short(struct buf *buf, const struct code_place *place)
{
    size_t start;

    if (!place->function.len) {
        buf_add(buf, STR("(no frames)"));
        return 0;
    }
    text_function_short(buf, place->function);
    start = buf->len;
    if (place->file.len)
        buf_add_char(buf, ' ');
    text_file(buf, place, 1);
    return buf->len - start;
}

/* Where the method begins behind its receiver, at ")."; the length of the
 * function if it is none. */
static size_t find_method(struct str function)
{
    size_t at = str_rfind(function, ')');

    return at + 1 < function.len && function.ptr[at + 1] == '.' ? at
                                                                : function.len;
}

void text_place_fit(struct buf *buf, struct str place, size_t tail,
                    size_t width)
{
    struct str function = str_head(place, place.len - tail);
    size_t method = find_method(function);
    struct str kept = str_skip(place, method);

    if (method < function.len && display_width(kept) + RECEIVER_LEAST <= width)
        fit_add_tail(buf, place, kept.len, width, CUT_END);
    else
        fit_add_tail(buf, place, tail, width, CUT_MIDDLE);
}

void text_head(struct text *text, struct str head)
{
    buf_add_char(text->page.out, '\n');
    page_add(&text->page, TINT_HEAD, head);
    buf_add_char(text->page.out, '\n');
}
