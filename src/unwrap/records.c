#include "unwrap/records.h"

#include "unwrap/names.h"

enum {
    CHUNK = 4096,       /* of the document, taken at once */
    LABELS_MOST = 1024, /* bytes; they are given once a line */
    DEPTH_MOST = 64,
};

/* --- Whose the texts of Loki are ------------------------------------------ */

/* Cuts the next string off the front of text, without its quotes. */
static bool cut_string(struct str *text, struct str *ret)
{
    struct str rest = str_skip(*text, str_find(*text, '"') + 1);
    size_t end = str_find(rest, '"');

    if (end == rest.len)
        return false;
    *ret = str_head(rest, end);
    *text = str_skip(rest, end + 1);
    return true;
}

/* Where no label is known to name a process, all labels do together. */
static void name_labels(struct buf *labels)
{
    struct buf name = {0};
    struct str text = buf_str(labels);
    struct str label;
    struct str value;

    if (names_has_process(text) || !str_cut_suffix(&text, STR("}")))
        return;
    while (cut_string(&text, &label) && cut_string(&text, &value)) {
        if (names_is_of_line(label))
            continue;
        if (name.len)
            buf_add_char(&name, ' ');
        buf_add(&name, value);
    }
    labels->len--;
    buf_addf(labels, "%s\"pod\":\"" STR_FORMAT "\"}",
             labels->len > 1 ? "," : "", STR_ARG(buf_str(&name)));
    buf_done(&name);
}

/* --- What is given -------------------------------------------------------- */

static void put(struct records *records, struct str text)
{
    if (records->labels && records->label_text.len <= LABELS_MOST)
        buf_add(&records->label_text, text);
    if (records->is_muted || !text.len)
        return;
    if (!records->record) {
        if (records->outside)
            buf_add(records->outside, text);
        return;
    }
    if (!records->has_text)
        line_map_add(&records->map, records->n_lines + 1,
                     records->outer->number, true);
    records->has_text = true;
    buf_add(&records->pending, text);
}

static void end_line(struct records *records)
{
    if (!records->has_text)
        return;
    buf_add_char(&records->pending, '\n');
    records->n_lines++;
    records->has_text = false;
}

/* A text of Loki begins with its time. */
static void begin_value(struct records *records)
{
    end_line(records);
    put(records, STR("{\"ns\":"));
    records->element = 0;
    records->has_times = true;
}

/* What follows its time is the text, and what follows that is not given. */
static void next_element(struct records *records)
{
    if (records->element++) {
        records->is_muted = true;
        return;
    }
    put(records, STR(",\"labels\":"));
    put(records, buf_str(&records->label_text));
    put(records, STR(",\"line\":"));
}

static void end_value(struct records *records)
{
    records->is_muted = false;
    put(records, STR("}"));
    end_line(records);
    records->n_records++;
}

/* --- Brackets ------------------------------------------------------------- */

static bool is_in_array(const struct records *records)
{
    return records->depth && records->depth < DEPTH_MOST &&
           (records->arrays >> records->depth & 1);
}

static bool is_word(const struct records *records, struct str word)
{
    return str_equal((struct str){records->word, records->word_len}, word);
}

static void open_bracket(struct records *records, char bracket)
{
    unsigned inside = records->depth + 1;
    bool is_object = bracket == '{';
    bool is_value =
        !is_object && records->values && records->values == records->depth;

    if (!records->record && is_object &&
        (is_in_array(records) || (records->are_roots && inside == 1))) {
        end_line(records);
        records->record = inside;
        buf_clear(&records->label_text);
    } else if (records->record && records->record == records->depth) {
        if (is_object && is_word(records, STR("stream")))
            records->labels = inside;
        else if (!is_object && is_word(records, STR("values")) &&
                 records->label_text.len)
            records->values = inside;
    }
    if (is_value)
        begin_value(records);
    else
        put(records, is_object ? STR("{") : STR("["));
    records->depth = inside;
    if (inside < DEPTH_MOST)
        records->arrays = (records->arrays & ~((uint64_t)1 << inside)) |
                          (uint64_t)!is_object << inside;
}

static void close_bracket(struct records *records, char bracket)
{
    unsigned inside = records->depth;

    if (!inside)
        return;
    records->depth--;
    if (records->values && records->values == records->depth)
        end_value(records);
    else
        put(records, bracket == '}' ? STR("}") : STR("]"));
    if (records->labels == inside) {
        records->labels = 0;
        name_labels(&records->label_text);
    }
    if (records->values == inside)
        records->values = 0;
    if (records->record == inside) {
        records->record = 0;
        records->n_records++;
        end_line(records);
    }
    if (!records->depth && !records->are_roots)
        records->has_ended = true;
}

/* Commas between records would be lines of their own. */
static void take_comma(struct records *records)
{
    if (records->values && records->depth == records->values + 1)
        next_element(records);
    else if (records->record && records->depth != records->values)
        put(records, STR(","));
}

/* --- Reading -------------------------------------------------------------- */

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* Takes a string, or the part of it that text has; returns its length. No
 * string has line ends: one that does was cut. */
static size_t take_string(struct records *records, struct str text)
{
    size_t n = 0;

    while (n < text.len && records->is_in_string) {
        char c = text.ptr[n];

        if (c == '\n')
            break;
        if (records->word_len < RECORDS_WORD_MOST && c != '"')
            records->word[records->word_len++] = c;
        if (!records->is_escaped && c == '"')
            records->is_in_string = false;
        records->is_escaped = !records->is_escaped && c == '\\';
        n++;
    }
    put(records, str_head(text, n));
    if (n < text.len && records->is_in_string) {
        records->is_in_string = records->is_escaped = false;
        end_line(records);
    }
    return n;
}

static void take_byte(struct records *records, char c)
{
    if (c == '"') {
        records->is_in_string = true;
        records->word_len = 0;
        put(records, STR("\""));
    } else if (c == '{' || c == '[') {
        open_bracket(records, c);
    } else if (c == '}' || c == ']') {
        close_bracket(records, c);
    } else if (c == ',') {
        take_comma(records);
    } else if (!is_blank(c)) {
        put(records, (struct str){&c, 1});
    }
}

/* Of objects of their own: they end before what is none. One that was cut ends
 * where the next begins, whose brace alone is not indented. */
static bool goes_on(struct records *records, char c)
{
    if (!records->depth && c != '{' && !is_blank(c))
        records->has_ended = true;
    if (records->is_at_begin && c == '{') {
        end_line(records);
        records->depth = records->record = 0;
        records->labels = records->values = 0;
        records->is_muted = false;
    }
    return !records->has_ended;
}

/* Takes what text has of the document; returns how much that is. */
static size_t take(struct records *records, struct str text)
{
    size_t n = 0;

    while (n < text.len && !records->has_ended) {
        if (records->is_in_string) {
            n += take_string(records, str_skip(text, n));
            continue;
        }
        if (records->are_roots && !goes_on(records, text.ptr[n]))
            break;
        take_byte(records, text.ptr[n]);
        records->is_at_begin = text.ptr[n] == '\n';
        records->outer->number += records->is_at_begin;
        n++;
    }
    return n;
}

static ptrdiff_t read_records(void *user, void *into, size_t size)
{
    struct records *records = user;
    struct lines *outer = records->outer;
    struct str rest;

    while (records->pending.len == records->n_given && !records->has_ended) {
        buf_clear(&records->pending);
        records->n_given = 0;
        lines_fill(outer, CHUNK);
        rest = (struct str){outer->at, (size_t)(outer->end - outer->at)};
        if (!rest.len)
            break;
        outer->at += take(records, str_head(rest, CHUNK));
    }
    rest =
        str_head(str_skip(buf_str(&records->pending), records->n_given), size);
    if (rest.len)
        memcpy(into, rest.ptr, rest.len);
    records->n_given += rest.len;
    return (ptrdiff_t)rest.len;
}

struct source source_from_records(struct records *records)
{
    return (struct source){.read = read_records, .user = records};
}

void records_done(struct records *records)
{
    line_map_done(&records->map);
    buf_done(&records->label_text);
    buf_done(&records->pending);
}

/* --- Recognition ---------------------------------------------------------- */

/* What the window shows. */
struct view {
    bool has_records; /* in the first root */
    bool has_names;   /* one of them says whose it is */
    bool is_closed;   /* the first root ends */
    bool is_spread;   /* over lines */
    bool has_begin;   /* a dump begins in a record */
    bool has_others;  /* a dump begins in no record */
    bool has_more;    /* another root follows */
    bool has_times;   /* it is an answer of Loki */
    bool are_roots;   /* each root is a record */
};

/* Whether a record that was given, a line, says whose it is. */
static bool has_named(struct str given)
{
    while (given.len) {
        struct str line = str_cut_line(&given);

        if (str_starts(line, STR("{")) && names_has_instance(line))
            return true;
    }
    return false;
}

/* The first byte that is no blank; 0 when there is none. */
static char first_byte(struct str text)
{
    for (size_t i = 0; i < text.len; i++) {
        if (!is_blank(text.ptr[i]))
            return text.ptr[i];
    }
    return '\0';
}

static struct view look(struct records *records, struct str text)
{
    struct lines none = {.number = 1};
    struct view view = {.is_closed = false};
    struct buf outside = {0};
    struct begin begin;
    struct str rest;

    records->outer = &none;
    records->outside = &outside;
    rest = str_skip(text, take(records, text));
    view.is_closed = records->has_ended;
    view.has_records = records->n_records > 0;
    view.has_names = has_named(buf_str(&records->pending));
    view.has_begin = begin_find(buf_str(&records->pending), 0, &begin);
    view.has_times = records->has_times;
    view.is_spread = none.number > 1;
    view.has_more = view.is_closed && first_byte(rest) == '{';
    view.has_others = begin_find(buf_str(&outside), 0, &begin);
    view.are_roots = first_byte(text) == '{' && view.is_spread &&
                     view.has_more && !view.has_records;
    if (view.are_roots)
        view.has_names = names_has_instance(buf_str(&outside));
    buf_done(&outside);
    return view;
}

/* Whether the window shows a document, or objects of their own that are spread
 * over lines. A log of JSON has a root a line, and its texts in no lists. */
static bool is_document(struct view view, struct str text)
{
    if (view.are_roots)
        return view.has_names;
    return view.has_records && !view.has_others &&
           (view.is_spread || !view.has_more || view.has_begin) &&
           (view.has_names || str_find(text, '\n') == LINES_WINDOW);
}

bool records_begin(struct records *ret, struct lines *lines,
                   struct budget *budget)
{
    struct view view;
    struct str text;

    lines_fill(lines, LINES_WINDOW);
    text = (struct str){lines->at, (size_t)(lines->end - lines->at)};
    text = str_head(text, LINES_WINDOW);
    if (first_byte(text) != '{' && first_byte(text) != '[')
        return false;
    *ret = (struct records){0};
    line_map_init(&ret->map, budget);
    view = look(ret, text);
    records_done(ret);
    *ret = (struct records){.outer = lines,
                            .are_roots = view.are_roots,
                            .has_times = view.has_times};
    line_map_init(&ret->map, budget);
    return is_document(view, text);
}
