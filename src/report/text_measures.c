#include "report/text.h"
#include "rules/words.h"

enum { COLUMN = 11, PERCENT = 8, ROWS_USUAL = 20 };

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

/* "Type: inuse_space, 1057.42kB in the functions below, of 1069.50kB" */
static void put_title(struct text *text, const struct measures *measures,
                      size_t shown)
{
    struct page *page = &text->page;
    struct buf words = {0};
    int64_t sum = shown ? measures->rows[shown - 1].sum : 0;

    buf_add_char(page->out, '\n');
    page_add(page, TINT_HEAD, STR("Functions by "));
    page_add(page, TINT_HEAD, measures->by_cum ? STR("cum") : STR("flat"));
    buf_addf(&words, ", " STR_FORMAT ": ", STR_ARG(measures->type.name));
    unit_add(&words, sum, measures->unit);
    buf_add(&words, STR(" ("));
    percent_add(&words, sum, measures->total);
    buf_add(&words, STR(") of "));
    unit_add(&words, measures->total, measures->unit);
    buf_add(page->out, buf_str(&words));
    buf_add_char(page->out, '\n');
    buf_done(&words);
    buf_addf(page->out, "%*s%*s%*s%*s%*s\n", COLUMN, "flat", PERCENT, "flat%",
             PERCENT, "sum%", COLUMN, "cum", PERCENT, "cum%");
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
static void put_memstats(struct text *text, const struct memstats *stats)
{
    const struct {
        const char *name;
        uint64_t bytes;
    } parts[] = {
        {"HeapAlloc", stats->heap_alloc},
        {"HeapInuse", stats->heap_inuse},
        {"HeapIdle", stats->heap_idle},
        {"HeapReleased", stats->heap_released},
        {"Stack", stats->stack_inuse},
        {"Sys", stats->sys},
        {"NextGC", stats->next_gc},
        {"MaxRSS", stats->max_rss},
    };
    struct buf words = {0};

    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
        struct unit unit =
            unit_choose(STR("bytes"), parts[i].bytes, parts[i].bytes);

        buf_addf(&words, "%s%s ", i ? ", " : "", parts[i].name);
        unit_add(&words, (int64_t)parts[i].bytes, unit);
    }
    buf_add(&words, STR("; NumGC "));
    words_count(&words, stats->num_gc);
    buf_add_char(text->page.out, '\n');
    page_add(&text->page, TINT_HEAD, STR("runtime.MemStats"));
    buf_add_char(text->page.out, '\n');
    page_paragraph(&text->page, 2, buf_str(&words));
    buf_done(&words);
}

void text_measures(struct text *text)
{
    const struct measures *measures = report_measures(text->report);
    size_t shown = text->all ? SIZE_MAX : report_top(text->report, ROWS_USUAL);

    if (shown > measures->n_rows)
        shown = measures->n_rows;
    put_title(text, measures, shown);
    for (size_t i = 0; i < shown; i++)
        put_row(text, measures, &measures->rows[i]);
    put_rest(text, measures, shown);
    if (measures->info->memstats)
        put_memstats(text, measures->info->memstats);
}
