#include "written.h"

#include <jansson.h>

#include "base/buf.h"
#include "base/escape.h"
#include "reading.h"

int written_append(void *user, const char *bytes, size_t size)
{
    buf_add(user, (struct str){bytes, size});
    return 0;
}

/* The length of a colour at the beginning of a text, or 0. */
static size_t color_length(struct str text)
{
    size_t n = 2;

    if (!str_starts(text, STR("\033[")))
        return 0;
    while (n < text.len &&
           ((text.ptr[n] >= '0' && text.ptr[n] <= '9') || text.ptr[n] == ';'))
        n++;
    return n < text.len && text.ptr[n] == 'm' ? n + 1 : 0;
}

void written_printable(struct str text, bool has_color)
{
    while (text.len) {
        uint32_t point = 0;
        size_t n = has_color ? color_length(text) : 0;

        if (!n) {
            n = utf8_next(text, &point);
            CHECK(n > 0);
            CHECK(point == '\n' || !is_unprintable(point));
        }
        text = str_skip(text, n);
    }
}

/* The parser takes no NUL in a name, which JSON allows. */
static void replace_nul(struct str text, struct buf *out)
{
    struct str nul = STR("\\u0000");
    size_t at;

    while ((at = str_search(text, nul)) < text.len) {
        buf_add(out, str_head(text, at));
        buf_add(out, STR("\\u0001"));
        text = str_skip(text, at + nul.len);
    }
    buf_add(out, text);
}

void written_json(struct str text)
{
    struct buf buf = {0};
    json_error_t error;
    json_t *json;

    replace_nul(text, &buf);
    json = json_loadb(buf.ptr, buf.len, JSON_REJECT_DUPLICATES, &error);
    if (!json)
        fprintf(stderr, "line %d: %s\n", error.line, error.text);
    CHECK(json != NULL);
    json_decref(json);
    buf_done(&buf);
}

static bool is_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' ||
           c == ':' || c == '_' || (c >= '0' && c <= '9');
}

static struct str cut_name(struct str *rest)
{
    size_t n = 0;
    struct str name;

    while (n < rest->len && is_name(rest->ptr[n]))
        n++;
    name = str_head(*rest, n);
    *rest = str_skip(*rest, n);
    return name;
}

static void check_attribute(struct str name, struct str value)
{
    CHECK(!str_starts(name, STR("on")));
    if (str_equal(name, STR("href")) || str_equal(name, STR("src")))
        CHECK(str_starts(value, STR("https://")) ||
              str_starts(value, STR("http://")) ||
              str_starts(value, STR("#")) || str_equal(value, STR("data:,")));
}

/* Takes the attributes of a tag, up to its end. */
static void skip_attributes(struct str *rest)
{
    while (str_cut_prefix(rest, STR(" ")) || str_cut_prefix(rest, STR("\n"))) {
        struct str name = cut_name(rest);
        char quote[2] = {0};
        size_t n;

        if (!name.len || !str_cut_prefix(rest, STR("=")))
            continue;
        CHECK(rest->len > 0);
        quote[0] = rest->ptr[0];
        CHECK(quote[0] == '"' || quote[0] == '\'');
        *rest = str_skip(*rest, 1);
        n = str_find(*rest, quote[0]);
        CHECK(n < rest->len);
        check_attribute(name, str_head(*rest, n));
        *rest = str_skip(*rest, n + 1);
    }
}

/* Takes a tag behind its '<', and what a script or a style holds; true when it
 * was a script. */
static bool skip_tag(struct str *rest)
{
    static const struct str ends[] = {STR_INIT("</script>"),
                                      STR_INIT("</style>")};
    struct str name;
    bool closes = str_cut_prefix(rest, STR("/"));
    bool is_raw[2];

    (void)(str_cut_prefix(rest, STR("!")) || str_cut_prefix(rest, STR("?")));
    name = cut_name(rest);
    CHECK(name.len > 0);
    skip_attributes(rest);
    (void)(str_cut_prefix(rest, STR("/")) || str_cut_prefix(rest, STR("?")));
    CHECK(str_cut_prefix(rest, STR(">")));
    is_raw[0] = !closes && str_equal(name, STR("script"));
    is_raw[1] = !closes && str_equal(name, STR("style"));
    for (unsigned i = 0; i < 2; i++) {
        if (is_raw[i]) {
            size_t n = str_search(*rest, ends[i]);

            CHECK(n < rest->len);
            *rest = str_skip(*rest, n);
        }
    }
    return is_raw[0];
}

void written_markup(struct str text, size_t n_scripts)
{
    struct str rest = text;
    size_t n = 0;
    size_t at;

    written_printable(text, false);
    while ((at = str_find(rest, '<')) < rest.len) {
        CHECK(str_find(rest, '>') > at);
        rest = str_skip(rest, at + 1);
        n += skip_tag(&rest);
    }
    CHECK(n == n_scripts);
}

uint64_t written_folded(struct str text)
{
    uint64_t sum = 0;

    while (text.len) {
        struct str line = str_head(text, str_find(text, '\n'));
        size_t at = line.len;
        struct str number;
        uint64_t count;

        CHECK(line.len < text.len);
        while (at && line.ptr[at - 1] != ' ')
            at--;
        CHECK(at > 1);
        number = str_skip(line, at);
        CHECK(str_cut_decimal(&number, &count) && !number.len);
        sum += count;
        text = str_skip(text, line.len + 1);
    }
    return sum;
}
