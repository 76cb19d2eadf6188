#include "format/go_text.h"

#include "base/escape.h"
#include "base/utf8.h"

/* Cuts " gp=0xH m=N mp=0xH" (Go 1.23, GOTRACEBACK=system) off. */
static void cut_thread(struct str *rest)
{
    static const struct str keys[] = {STR_INIT(" gp="), STR_INIT(" m="),
                                      STR_INIT(" mp=")};

    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
        if (str_starts(*rest, keys[i]))
            *rest = str_skip(*rest, 1 + str_find(str_skip(*rest, 1), ' '));
    }
}

/* The length of text before the first byte c outside double quotes; text.len
 * when there is none. */
static size_t find_unquoted(struct str text, char c)
{
    bool quoted = false;
    size_t plain = str_find(text, c);

    /* Nearly always there are no quotes before it. */
    if (str_find(str_head(text, plain), '"') == plain)
        return plain;
    for (size_t i = 0; i < text.len; i++) {
        if (quoted && text.ptr[i] == '\\')
            i++;
        else if (text.ptr[i] == '"')
            quoted = !quoted;
        else if (!quoted && text.ptr[i] == c)
            return i;
    }
    return text.len;
}

/* The state with its suffixes, in the order that Go prints them. */
static void parse_state(struct str text, struct go_header *header)
{
    str_cut_suffix(&text, STR(" (durable)"));
    str_cut_suffix(&text, STR(" (scan)"));
    header->leaked = str_cut_suffix(&text, STR(" (leaked)"));
    str_cut_suffix(&text, STR(" (synctest)"));
    if (str_equal(text, STR("leaked")))
        header->leaked = true;
    header->state = text;
}

/* One of the parts behind the state: "2 minutes", "locked to thread",
 * "synctest bubble 3". Others are left to later versions. */
static void parse_part(struct str part, struct go_header *header)
{
    struct str rest = part;
    uint64_t number;

    if (str_equal(part, STR("locked to thread"))) {
        header->locked = true;
    } else if (str_cut_decimal(&rest, &number) &&
               str_starts(rest, STR(" minute"))) {
        header->has_wait = true;
        header->minutes = number < UINT32_MAX ? (uint32_t)number : UINT32_MAX;
    }
}

/* Go 1.26 prints labels inside the brackets, behind everything else; they hold
 * commas of their own. */
static struct str cut_labels(struct str *status)
{
    struct str labels = {NULL, 0};
    size_t brace = str_find(*status, '{');
    size_t at;

    if (brace == status->len)
        return labels;
    at = str_search(*status, STR(" labels:{"));
    if (at < status->len) {
        labels = str_skip(*status, at + 8);
        status->len = at;
    }
    return labels;
}

static void parse_status(struct str status, struct go_header *header)
{
    size_t comma;

    header->labels = cut_labels(&status);
    comma = str_find(status, ',');
    parse_state(str_head(status, comma), header);
    while (comma < status.len) {
        struct str rest = str_skip(status, comma + 1);
        size_t next = str_find(rest, ',');

        parse_part(str_trim(str_head(rest, next)), header);
        comma += 1 + next;
    }
}

/* Whether text is what people write behind a line that they show: "<- here". */
static bool is_remark(struct str text)
{
    static const struct str marks[] = {
        STR_INIT("<-"),
        STR_INIT("<="),
        STR_INIT("=>"),
        STR_INIT("//"),
        STR_INIT("# "),
        STR_INIT("-- "),
        STR_INIT("\342\206\220"),     /* leftwards arrow */
        STR_INIT("\342\254\205"),     /* the same, black */
        STR_INIT("\360\237\221\210"), /* a hand to the left */
    };

    for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]); i++) {
        if (str_starts(text, marks[i]))
            return true;
    }
    return false;
}

/* Cuts a remark and the blanks before it off the end of a line. */
static struct str without_remark(struct str line)
{
    for (size_t i = 1; i < line.len; i++) {
        if ((line.ptr[i - 1] != ' ' && line.ptr[i - 1] != '\t') ||
            !is_remark(str_skip(line, i)))
            continue;
        line.len = i;
        while (line.len && (line.ptr[line.len - 1] == ' ' ||
                            line.ptr[line.len - 1] == '\t'))
            line.len--;
        break;
    }
    return line;
}

/* Whether a text is blanks and a remark. */
static bool is_blank_remark(struct str text)
{
    size_t n = 0;

    while (n < text.len && (text.ptr[n] == ' ' || text.ptr[n] == '\t'))
        n++;
    return n && is_remark(str_skip(text, n));
}

bool go_header_parse(struct str line, struct go_header *ret)
{
    struct go_header header = {0};
    struct str rest = line;
    size_t end;

    if (!str_cut_prefix(&rest, STR("goroutine ")) ||
        !str_cut_decimal(&rest, &header.id))
        return false;
    cut_thread(&rest);
    if (!str_cut_prefix(&rest, STR(" [")))
        return false;
    end = find_unquoted(rest, ']');
    if (end == rest.len || end == 0 || memchr(rest.ptr, '\0', end))
        return false;
    parse_status(str_head(rest, end), &header);
    rest = str_skip(rest, end + 1);
    if (rest.len > 1 && (rest.ptr[0] == '{' || rest.ptr[1] == '{')) {
        rest = str_skip(rest, rest.ptr[0] == '{' ? 0 : 1);
        end = find_unquoted(rest, '}');
        header.labels = str_head(rest, end + 1);
        rest = str_skip(rest, end + 1);
        if (str_has_zeros(header.labels))
            return false;
    }
    if (!str_equal(str_trim(without_remark(rest)), STR(":")))
        return false;
    *ret = header;
    return true;
}

bool go_header_is_broken(struct str line, uint64_t *ret)
{
    struct go_header header;
    struct str rest = line;

    return str_cut_prefix(&rest, STR("goroutine ")) &&
           str_cut_decimal(&rest, ret) &&
           (!rest.len || str_starts(rest, STR(" [")) ||
            str_starts(rest, STR(" gp="))) &&
           !go_header_parse(line, &header);
}

bool go_header_may_be_cut(struct str line)
{
    struct str word = STR("goroutine ");
    struct str rest = line;
    uint64_t id;

    if (str_starts(word, line))
        return line.len > 0;
    return str_cut_prefix(&rest, word) && str_cut_decimal(&rest, &id) &&
           (str_starts(rest, STR(" [")) || str_starts(rest, STR(" gp=")) ||
            str_starts(STR(" gp="), rest) || str_starts(rest, STR(" m=")));
}

enum go_line go_line_kind(struct str line)
{
    bool is_place =
        line.len && chars_have("\t ", line.ptr[0]) &&
        (str_contains(line, STR(".go:")) || str_contains(line, STR(".s:")) ||
         str_contains(line, STR("<autogenerated>:")));

    if (str_starts(line, STR("created by ")) ||
        (is_place && str_contains(line, STR(" +0x"))))
        return GO_LINE_STACK;
    if (is_place || (str_ends(line, STR(")")) && str_find(line, '(') > 0 &&
                     str_find(line, ' ') > str_find(line, '(')))
        return GO_LINE_PERHAPS;
    return GO_LINE_OTHER;
}

/* The name and the arguments of a line that ends with the latter. */
static bool cut_call(struct str line, struct str *ret_name,
                     struct str *ret_args)
{
    size_t depth = 0;

    if (line.len < 3 || line.ptr[line.len - 1] != ')')
        return false;
    for (size_t i = line.len; i-- > 0;) {
        if (line.ptr[i] == ')')
            depth++;
        else if (line.ptr[i] == '(' && --depth == 0) {
            *ret_name = str_head(line, i);
            *ret_args = (struct str){line.ptr + i + 1, line.len - i - 2};
            return i > 0;
        }
    }
    return false;
}

bool go_call_parse(struct str line, struct str *ret_name, struct str *ret_args)
{
    /* A remark may end with brackets, but has blanks before it. */
    return (cut_call(line, ret_name, ret_args) && !str_has_blank(*ret_name)) ||
           cut_call(without_remark(line), ret_name, ret_args);
}

/* Whether rest, which follows a line number, is an offset in its function. */
static bool is_offset(struct str rest)
{
    return str_starts(rest, STR(" +0x")) || str_starts(rest, STR(" fp=")) ||
           str_starts(rest, STR(" pc="));
}

/* Whether rest, which follows the digits of a line number, ends a place. */
static bool ends_place(struct str rest)
{
    return !rest.len || is_offset(rest) || is_blank_remark(rest);
}

bool go_place_parse(struct str line, struct go_place *ret)
{
    struct str text = str_trim(line);
    size_t indent = (size_t)(text.ptr - line.ptr);
    struct str before = text;

    while (before.len) {
        size_t colon = str_rfind(before, ':');
        struct str rest = str_skip(text, colon + 1);
        uint64_t number;

        if (colon >= before.len || colon == 0)
            return false;
        if (str_cut_decimal(&rest, &number) && ends_place(rest)) {
            ret->file = str_head(text, colon);
            ret->line = number < UINT32_MAX ? (uint32_t)number : 0;
            ret->length = indent + text.len - rest.len;
            ret->has_offset = is_offset(rest);
            return true;
        }
        before.len = colon;
    }
    return false;
}

bool go_ends_with_offset(struct str line)
{
    struct str rest = str_skip(line, str_rfind(line, ' '));
    uint64_t offset;

    return (str_cut_prefix(&rest, STR(" +0x")) ||
            str_cut_prefix(&rest, STR(" pc=0x"))) &&
           str_cut_hex(&rest, &offset) && !rest.len;
}

/* Whether a line ends as a header does, or as a call or place whose beginning
 * was lost, but is none of these. */
static bool ends_as_debris(struct str line)
{
    struct go_place place;
    struct str name;
    struct str args;
    struct str digits = str_skip(line, str_rfind(line, '+'));
    uint64_t offset;

    if (str_cut_prefix(&digits, STR("+0x")) && str_cut_hex(&digits, &offset) &&
        !digits.len)
        return true;
    if (str_ends(line, STR("]:")))
        return true;
    if (go_place_parse(line, &place) && place.length == line.len &&
        (str_contains(line, STR("0x")) || str_find(line, ' ') == line.len))
        return true;
    /* The bounds of a stack end in one as well (runtime/traceback.go). */
    return str_ends(line, STR(")")) && str_contains(line, STR("0x")) &&
           !str_starts(line, STR("stack: frame={")) &&
           !go_call_parse(line, &name, &args);
}

/* Whether there are bytes that are neither UTF-8 nor what terminals use. */
static bool has_odd_byte(struct str line)
{
    uint32_t point;

    while (line.len) {
        size_t n = utf8_next(line, &point);

        if (!n ||
            (point < ' ' && point != '\t' && point != '\r' && point != '\x1b'))
            return true;
        line = str_skip(line, n);
    }
    return false;
}

bool go_debris_is_likely(struct str line)
{
    struct go_place place;
    uint64_t id;
    struct str text = str_trim(line);

    if (go_header_is_broken(line, &id) || str_starts(line, STR("\t/")) ||
        (str_starts(line, STR("\t")) &&
         (go_place_parse(line, &place) || str_contains(line, STR(".go:")))))
        return true;
    return ends_as_debris(text) || has_odd_byte(text);
}

bool go_creator_parse(struct str line, struct str *ret_name, uint64_t *ret_id)
{
    struct str mark = STR(" in goroutine ");
    struct str rest = line;
    size_t at;

    if (!str_cut_prefix(&rest, STR("created by ")))
        return false;
    rest = without_remark(rest);
    at = str_search(rest, mark);
    if (at == 0)
        return false;
    *ret_name = str_head(rest, at);
    *ret_id = 0;
    str_to_u64(str_skip(rest, at + mark.len), ret_id);
    return true;
}

bool go_elided_parse(struct str line, uint32_t *ret)
{
    struct str rest = line;
    uint64_t number;

    if (!str_cut_prefix(&rest, STR("...")) ||
        !str_cut_suffix(&rest, STR(" frames elided...")))
        return false;
    if (str_equal(rest, STR("additional"))) {
        *ret = ELIDED_SOME;
        return true;
    }
    if (!str_to_u64(rest, &number))
        return false;
    *ret = number < ELIDED_SOME ? (uint32_t)number : ELIDED_SOME;
    return true;
}

/* strconv/quote.go: the escapes of Go's quoted strings; text stands behind the
 * backslash. */
static struct str add_escape(struct buf *out, struct str text)
{
    static const char letters[] = "abfnrtv\\\"'";
    static const char bytes[] = "\a\b\f\n\r\t\v\\\"'";
    const char *letter = text.len ? strchr(letters, text.ptr[0]) : NULL;
    size_t digits;
    struct str hex;
    uint64_t value = 0;

    if (!text.len)
        return text;
    if (letter && *letter) {
        buf_add_char(out, bytes[letter - letters]);
        return str_skip(text, 1);
    }
    digits = text.ptr[0] == 'x'   ? 2
             : text.ptr[0] == 'u' ? 4
             : text.ptr[0] == 'U' ? 8
                                  : 0;
    hex = str_head(str_skip(text, 1), digits);
    if (!digits || hex.len < digits || !str_cut_hex(&hex, &value) || hex.len) {
        buf_add_char(out, text.ptr[0]);
        return str_skip(text, 1);
    }
    if (digits == 2)
        buf_add_char(out, (char)value);
    else
        utf8_add(out, (uint32_t)value);
    return str_skip(text, 1 + digits);
}

/* Takes one word, quoted or bare, off *text. */
static bool cut_word(struct str *text, struct buf *out, struct str *ret)
{
    size_t begin = out->len;
    struct str rest = *text;

    if (str_cut_prefix(&rest, STR("\""))) {
        while (rest.len && rest.ptr[0] != '"') {
            char c = rest.ptr[0];

            rest = str_skip(rest, 1);
            if (c == '\\')
                rest = add_escape(out, rest);
            else
                buf_add_char(out, c);
        }
        if (!str_cut_prefix(&rest, STR("\"")))
            return false;
    } else {
        while (rest.len && !chars_have(":,} ", rest.ptr[0])) {
            buf_add_char(out, rest.ptr[0]);
            rest = str_skip(rest, 1);
        }
    }
    if (out->failed)
        return false;
    *ret = (struct str){out->ptr + begin, out->len - begin};
    *text = rest;
    return true;
}

size_t go_labels_parse(struct str text, struct buf *scratch,
                       struct label *labels, size_t most)
{
    size_t n = 0;

    /* Unescaped text is never longer than escaped, so the scratch buffer does
     * not move once it is as large as the text. */
    buf_clear(scratch);
    buf_add_repeat(scratch, 0, text.len);
    if (scratch->failed || !str_cut_prefix(&text, STR("{")))
        return 0;
    buf_clear(scratch);
    while (n < most && text.len && text.ptr[0] != '}') {
        if (!cut_word(&text, scratch, &labels[n].key) ||
            !str_cut_prefix(&text, STR(":")))
            break;
        str_cut_prefix(&text, STR(" "));
        if (!cut_word(&text, scratch, &labels[n].value))
            break;
        n++;
        if (!str_cut_prefix(&text, STR(",")))
            break;
        str_cut_prefix(&text, STR(" "));
    }
    return n;
}
