#include "report/measure_words.h"
#include "report/measures.h"
#include "report/text_row.h"
#include "rules/words.h"

enum {
    COLUMN = 11,
    PERCENT = 8,
    ROWS_USUAL = 20,
    SITES_USUAL = 5,
    COUNT_COLUMN = 14
};

/* A word at the right end of a column. */
static void put_right(struct page *page, size_t width, struct buf *word)
{
    size_t len = word->len;

    buf_add_repeat(page->out, ' ', len < width ? width - len : 1);
    buf_add(page->out, buf_str(word));
    buf_clear(word);
}

static void put_row(struct text *text, const struct measures *measures,
                    const struct measure_row *row)
{
    struct page *page = &text->page;
    struct buf word = {0};

    unit_add(&word, row->flat, measures->unit);
    put_right(page, COLUMN, &word);
    percent_add(&word, row->flat, measures->total);
    put_right(page, PERCENT, &word);
    percent_add(&word, row->sum, measures->total);
    put_right(page, PERCENT, &word);
    unit_add(&word, row->cum, measures->unit);
    put_right(page, COLUMN, &word);
    percent_add(&word, row->cum, measures->total);
    put_right(page, PERCENT, &word);
    buf_add(page->out, STR("  "));
    page_add(page, TINT_NONE, row->function);
    buf_add_char(page->out, '\n');
    buf_done(&word);
}

/* "heap profile, functions by flat inuse_space: 1057.42kB (98.87%) of
 * 1069.50kB" */
static void put_title(struct text *text, const struct measures *measures,
                      size_t shown)
{
    struct page *page = &text->page;
    struct buf words = {0};
    int64_t sum = shown ? measures->rows[shown - 1].sum : 0;

    buf_add_char(page->out, '\n');
    buf_add(&words, measures->family->info->profile);
    buf_addf(&words, " profile, functions by %s " STR_FORMAT,
             measures->by_cum ? "cum" : "flat", STR_ARG(measures->type.name));
    page_add(page, TINT_HEAD, buf_str(&words));
    buf_clear(&words);
    buf_add(&words, STR(": "));
    unit_add(&words, sum, measures->unit);
    buf_add(&words, STR(" ("));
    percent_add(&words, sum, measures->total);
    buf_add(&words, STR(") of "));
    unit_add(&words, measures->total, measures->unit);
    buf_add(page->out, buf_str(&words));
    buf_add_char(page->out, '\n');
    buf_done(&words);
}

static void put_meaning(struct text *text, const struct measures *measures)
{
    struct buf words = {0};

    words_of_meaning(&words, measures);
    if (words.len) {
        page_tint(&text->page, TINT_FAINT);
        page_paragraph(&text->page, 2, buf_str(&words));
        page_plain(&text->page);
    }
    buf_done(&words);
}

static void put_rest(struct text *text, const struct measures *measures,
                     size_t shown)
{
    size_t rest = measures->n_rows - shown;
    struct page *page = &text->page;

    if (rest)
        buf_addf(page->out, "  ... %zu more function%s (--all shows them)\n",
                 rest, rest == 1 ? "" : "s");
    if (measures->n_dropped) {
        buf_addf(page->out, "  ... %zu dropped (cum under ",
                 measures->n_dropped);
        unit_add(page->out, measures->cutoff, measures->unit);
        buf_add(page->out, STR(")\n"));
    }
}

/* The runtime's own numbers, which the text of a heap profile ends with. */
static void put_memstats(struct text *text, const struct measures *measures)
{
    struct buf words = {0};

    words_of_memstats(&words, measures->memstats);
    buf_add_char(text->page.out, '\n');
    page_add(&text->page, TINT_HEAD,
             measures->is_comparison ? STR("runtime.MemStats at the end")
                                     : STR("runtime.MemStats"));
    buf_add_char(text->page.out, '\n');
    page_paragraph(&text->page, 2, buf_str(&words));
    buf_done(&words);
}

/* The figures of a line, or of several together. */
static void put_figures(struct text *text, const struct measures *measures,
                        const struct measure_site *site)
{
    struct page *page = &text->page;
    struct buf word = {0};

    if (measures->is_comparison) {
        unit_add(&word, site->before, measures->unit);
        put_right(page, COLUMN, &word);
        unit_add(&word, site->after, measures->unit);
        put_right(page, COLUMN, &word);
    }
    unit_add(&word, site->value, measures->unit);
    put_right(page, COLUMN, &word);
    percent_add(&word, site->value, measures->total);
    put_right(page, PERCENT, &word);
    buf_addf(&word, "%s", site->count < 0 ? "-" : "");
    words_count(&word, (uint64_t)value_absolute(site->count));
    put_right(page, COUNT_COLUMN, &word);
    buf_add(page->out, STR("  "));
    buf_done(&word);
}

static void put_site(struct text *text, const struct measures *measures,
                     const struct measure_site *site)
{
    struct buf word = {0};

    put_figures(text, measures, site);
    text_place_short(&word, &site->place);
    page_add(&text->page, TINT_NONE, buf_str(&word));
    buf_add_char(text->page.out, '\n');
    buf_done(&word);
}

/* What no own code is behind, in one row: an idle connection of net/http waits
 * longer than any line of one's own. With --all its lines follow. */
static void put_library(struct text *text, const struct measures *measures)
{
    struct buf words = {0};

    put_figures(text, measures, &measures->library);
    words_of_library(&words, measures);
    buf_add(text->page.out, buf_str(&words));
    buf_add_char(text->page.out, '\n');
    for (size_t i = measures->n_own; i < measures->n_sites && text->all; i++)
        put_site(text, measures, &measures->sites[i]);
    buf_done(&words);
}

static void put_site_heads(struct text *text, const struct measures *measures)
{
    text_head(text, words_of_sites(measures));
    if (measures->is_comparison)
        buf_addf(text->page.out, "%*s%*s%*s", COLUMN, "before", COLUMN, "after",
                 COLUMN, "change");
    else
        buf_addf(text->page.out, "%*.*s", COLUMN, (int)measures->type.name.len,
                 measures->type.name.ptr);
    buf_addf(text->page.out, "%*s%*s  line\n", PERCENT, "share", COUNT_COLUMN,
             nouns_of(measures->family->info->kind)->many);
}

/* The lines of the user's own code that are behind the most of it. */
static void put_sites(struct text *text, const struct measures *measures)
{
    size_t n = measures->n_listed;
    size_t shown = text->all ? SIZE_MAX : SITES_USUAL;

    if (!measures->n_sites)
        return;
    if (shown > n)
        shown = n;
    put_site_heads(text, measures);
    for (size_t i = 0; i < shown; i++)
        put_site(text, measures, &measures->sites[i]);
    if (n < measures->n_sites)
        put_library(text, measures);
    row_more(text, n - shown, "line");
}

static void put_table(struct text *text, const struct measures *measures)
{
    size_t shown = text->all ? SIZE_MAX : report_top(text->report, ROWS_USUAL);

    if (shown > measures->n_rows)
        shown = measures->n_rows;
    put_title(text, measures, shown);
    put_meaning(text, measures);
    buf_addf(text->page.out, "%*s%*s%*s%*s%*s\n", COLUMN, "flat", PERCENT,
             "flat%", PERCENT, "sum%", COLUMN, "cum", PERCENT, "cum%");
    for (size_t i = 0; i < shown; i++)
        put_row(text, measures, &measures->rows[i]);
    put_rest(text, measures, shown);
    put_sites(text, measures);
    if (measures->memstats)
        put_memstats(text, measures);
}

void text_measures(struct text *text)
{
    for (size_t i = 0; i < report_n_measures(text->report); i++) {
        const struct measures *measures = report_measures(text->report, i);

        if (!measures->is_comparison || measures->n_rows)
            put_table(text, measures);
    }
}
