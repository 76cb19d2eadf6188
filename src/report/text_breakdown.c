#include "base/escape.h"
#include "report/human.h"
#include "report/text_row.h"
#include "rules/words.h"

enum { STATE_MOST = 24, KEY_MOST = 40, PLACE_LEAST = 24 };

struct widths {
    size_t count;
    size_t groups;
    size_t state;
    size_t key; /* 0 = the key stands last: a place, or there is no room for
                   one behind it */
};

/* The key of a row in words: a state, a package, the value of a label, or a
 * place, of which it returns the bytes behind the function. */
static size_t add_key(struct buf *words, const struct breakdown_row *row)
{
    if (!row->is_rest && row->place.function.len)
        return text_place_short(words, &row->place);
    if (row->is_rest)
        buf_add(words, STR("(none)"));
    else
        buf_add(words, row->text.len ? row->text : STR("\"\""));
    return 0;
}

/* "chan receive, ...": what most of them do, and whether others do else. */
static void add_state(struct buf *words, const struct breakdown_row *row)
{
    buf_add(words, row->state);
    if (row->has_states)
        buf_add(words, STR(", ..."));
}

/* Whether rows stand for places, which say by themselves where they are. */
static bool has_places(const struct text *text)
{
    enum group_by by = report_options(text->report)->group_by;

    return by == GROUP_BY_SITE || by == GROUP_BY_FUNCTION ||
           by == GROUP_BY_CREATOR;
}

static bool has_states(const struct text *text)
{
    return report_options(text->report)->group_by != GROUP_BY_STATE;
}

static void measure(const struct text *text, const struct breakdown_row *row,
                    struct widths *widths)
{
    struct buf words = {0};

    widths->count = row_wider(widths->count, row_count_width(row->count));
    widths->groups = row_wider(widths->groups, row_count_width(row->n_groups));
    add_state(&words, row);
    widths->state = row_wider(widths->state, row_words_width(text, &words));
    buf_clear(&words);
    add_key(&words, row);
    widths->key = row_wider(widths->key, row_words_width(text, &words));
    buf_done(&words);
}

/* The columns that are taken before the last one. */
static size_t used_by(const struct widths *widths)
{
    return ROW_INDENT + widths->count + ROW_GAP + ROW_SHARE + ROW_GAP +
           widths->groups + (widths->state ? ROW_GAP + widths->state : 0) +
           (widths->key ? ROW_GAP + widths->key : 0);
}

static struct widths measure_rows(struct text *text, size_t n)
{
    struct widths widths = {strlen("COUNT"), strlen("GROUPS"), strlen("STATE"),
                            strlen("PACKAGE")};

    for (size_t i = 0; i < n; i++)
        measure(text, report_row(text->report, i), &widths);
    if (widths.state > STATE_MOST)
        widths.state = STATE_MOST;
    if (widths.key > KEY_MOST)
        widths.key = KEY_MOST;
    if (!has_states(text))
        widths.state = 0;
    if (has_places(text) ||
        used_by(&widths) + ROW_GAP + PLACE_LEAST > text->page.columns)
        widths.key = 0;
    return widths;
}

static void put_row(struct text *text, const struct widths *widths,
                    const struct breakdown_row *row)
{
    struct buf words = {0};
    size_t tail;

    row_count(text, row->count, widths->count);
    row_share(text, row->share);
    words_count(&words, row->n_groups);
    row_cell(text, buf_str(&words), widths->groups, ALIGN_RIGHT);
    buf_clear(&words);
    add_state(&words, row);
    if (widths->state)
        row_cell(text, buf_str(&words), widths->state, ALIGN_LEFT);
    buf_clear(&words);
    tail = add_key(&words, row);
    if (widths->key) {
        row_cell(text, buf_str(&words), widths->key, ALIGN_LEFT);
        buf_clear(&words);
        tail = text_place_short(&words, &row->largest);
    }
    row_place(text, buf_str(&words), tail, used_by(widths));
    buf_done(&words);
}

/* "STATE", "LABEL": what the rows are grouped by, without the name of a
 * label. */
static void put_heads(struct text *text, const struct widths *widths)
{
    struct buf words = {0};
    struct str key;

    group_by_add(&words, report_options(text->report));
    for (size_t i = 0; i < words.len; i++) {
        if (words.ptr[i] >= 'a' && words.ptr[i] <= 'z')
            words.ptr[i] = (char)(words.ptr[i] - 'a' + 'A');
    }
    key = str_head(buf_str(&words), str_find(buf_str(&words), ':'));
    page_tint(&text->page, TINT_FAINT);
    buf_add_repeat(text->page.out, ' ', ROW_INDENT);
    cell_add(text->page.out, STR("COUNT"), widths->count, ALIGN_RIGHT, CUT_END);
    row_cell(text, STR("SHARE"), ROW_SHARE, ALIGN_RIGHT);
    row_cell(text, STR("GROUPS"), widths->groups, ALIGN_RIGHT);
    if (widths->state)
        row_cell(text, STR("STATE"), widths->state, ALIGN_LEFT);
    if (widths->key)
        row_cell(text, key, widths->key, ALIGN_LEFT);
    row_last(text, widths->key ? STR("MOSTLY AT") : key, used_by(widths));
    page_plain(&text->page);
    buf_done(&words);
}

void text_breakdown(struct text *text)
{
    size_t n = report_n_rows(text->report);
    size_t most = report_top(text->report, GROUPS_USUAL);
    size_t shown = n < most ? n : most;
    struct widths widths = measure_rows(text, shown);
    struct buf words = {0};

    buf_add(&words, STR("By "));
    group_by_add(&words, report_options(text->report));
    text_head(text, buf_str(&words));
    put_heads(text, &widths);
    for (size_t i = 0; i < shown; i++)
        put_row(text, &widths, report_row(text->report, i));
    row_more(text, n - shown, "");
    buf_done(&words);
}
