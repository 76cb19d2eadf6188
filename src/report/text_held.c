#include "report/facts.h"
#include "report/text.h"
#include "rules/held.h"
#include "rules/words.h"

enum { INDENT = 2, STEP = 4, LINE_INDENT = 7, CYCLES_SHOWN = 3 };

static const struct symbols *symbols_of(const struct text *text)
{
    return analysis_snapshots(report_analysis(text->report))->symbols;
}

void text_held_line(struct text *text, const struct finding *finding)
{
    const struct holding *holding = finding->holding;
    struct buf words = {0};

    /* Who started them is for those who look closer. */
    if (!fact_is_held(finding) || holding->starter.len)
        return;
    held_add(&words, symbols_of(text), holding);
    page_tint(&text->page, TINT_FAINT);
    page_paragraph(&text->page, LINE_INDENT, buf_str(&words));
    page_plain(&text->page);
    buf_done(&words);
}

static void put_cycle(struct text *text, const struct wait_cycle *cycle,
                      size_t indent)
{
    struct page *page = &text->page;
    struct buf words = {0};

    buf_add_char(page->out, '\n');
    buf_add_repeat(page->out, ' ', indent);
    page_add(page, TINT_HEAD,
             cycle->certainty == CERTAINTY_LOW ? STR("Perhaps a deadlock")
                                               : STR("Deadlock"));
    buf_addf(&words, " (%s confidence): each waits for the next one",
             certainty_text(cycle->certainty));
    buf_add(page->out, buf_str(&words));
    buf_add_char(page->out, '\n');
    for (size_t i = 0; i < cycle->n_links; i++) {
        buf_clear(&words);
        held_add_link(&words, symbols_of(text), cycle, i);
        buf_add_repeat(page->out, ' ', indent + INDENT);
        page_wrap(page, indent + INDENT, indent + INDENT + STEP,
                  buf_str(&words));
        buf_add_char(page->out, '\n');
    }
    buf_done(&words);
}

void text_cycle_of(struct text *text, size_t index)
{
    const struct wait_cycle *cycle =
        report_finding(text->report, index).finding->cycle;

    if (cycle && report_first_in(text->report, cycle) == index)
        put_cycle(text, cycle, INDENT);
}

void text_cycles(struct text *text)
{
    size_t most = text->all ? SIZE_MAX : CYCLES_SHOWN;
    struct buf words = {0};
    size_t n_left = 0;
    size_t n = 0;
    const struct wait_cycle *cycles =
        analysis_cycles(report_analysis(text->report), &n);

    for (size_t i = 0; i < n; i++) {
        if (report_first_in(text->report, &cycles[i]) < text->n_full)
            continue;
        if (n_left++ < most)
            put_cycle(text, &cycles[i], 0);
    }
    if (n_left > most) {
        buf_addf(&words, "%zu more circles of waiting (--all lists them)",
                 n_left - most);
        page_paragraph(&text->page, 0, buf_str(&words));
    }
    buf_done(&words);
}
