#include "report/text.h"
#include "rules/held.h"
#include "rules/words.h"

enum { INDENT = 2, STEP = 4, LINE_INDENT = 7, CYCLES_SHOWN = 3 };

static const struct symbols *symbols_of(const struct text *text)
{
    return analysis_snapshots(report_analysis(text->report))->symbols;
}

/* "sync.Mutex 0xc000010000, 25 wait for it; the most wanted of at least 3" */
static void put_lock(struct text *text, const struct finding *finding)
{
    const struct holding *holding = finding->holding;
    struct buf words = {0};

    held_add_lock(&words, symbols_of(text), holding);
    buf_add(&words, STR(", "));
    words_count(&words, holding->waiters);
    buf_add(&words,
            holding->waiters == 1 ? STR(" waits for it") : STR(" wait for it"));
    if (finding->n_holdings > 1) {
        buf_add(&words, STR("; the most wanted of at least "));
        words_count(&words, finding->n_holdings);
    }
    text_fact(text, "lock", buf_str(&words));
    buf_done(&words);
}

static void put_holder(struct text *text, const struct holding *holding)
{
    struct buf words = {0};

    if (!holding->n_holders || held_by_many(holding)) {
        held_add(&words, symbols_of(text), holding);
        text_fact(text, held_by_many(holding) ? "holders" : "held by",
                  buf_str(&words));
    } else {
        const struct holder *best = holding->holders;

        buf_add(&words, str_from(held_adverb(best->certainty)));
        held_add_who(&words, symbols_of(text), best);
        buf_add(&words, STR(" ("));
        held_add_reason(&words, best);
        buf_add_char(&words, ')');
        held_add_chain(&words, symbols_of(text), best);
        if (holding->n_candidates > best->count) {
            buf_add(&words, STR("; as likely: "));
            words_count(&words, holding->n_candidates - best->count);
            buf_add(&words, STR(" more"));
        }
        text_fact(text, "held by", buf_str(&words));
    }
    buf_done(&words);
}

/* Nobody holds a Cond; and of a send that nobody is behind, only rules know
 * whether the channel hands out places at all. */
static bool is_silent(const struct holding *holding)
{
    return !holding || holding->kind == HOLDING_COND ||
           (holding->kind == HOLDING_CHANNEL && !holding->n_holders);
}

void text_held(struct text *text, const struct finding *finding)
{
    if (is_silent(finding->holding))
        return;
    if (!held_by_many(finding->holding))
        put_lock(text, finding);
    put_holder(text, finding->holding);
}

void text_held_line(struct text *text, const struct finding *finding)
{
    const struct holding *holding = finding->holding;
    struct buf words = {0};

    if (is_silent(holding) ||
        (!holding->n_holders && holding->kind > HOLDING_RWMUTEX))
        return;
    held_add(&words, symbols_of(text), holding);
    page_tint(&text->page, TINT_FAINT);
    page_paragraph(&text->page, LINE_INDENT, buf_str(&words));
    page_plain(&text->page);
    buf_done(&words);
}

static void put_cycle(struct text *text, const struct wait_cycle *cycle)
{
    struct page *page = &text->page;
    struct buf words = {0};

    buf_add_char(page->out, '\n');
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
        buf_add_repeat(page->out, ' ', INDENT);
        page_wrap(page, INDENT, INDENT + STEP, buf_str(&words));
        buf_add_char(page->out, '\n');
    }
    buf_done(&words);
}

void text_cycles(struct text *text)
{
    size_t most = text->all ? SIZE_MAX : CYCLES_SHOWN;
    struct buf words = {0};
    size_t n = 0;
    const struct wait_cycle *cycles =
        analysis_cycles(report_analysis(text->report), &n);

    for (size_t i = 0; i < n && i < most; i++)
        put_cycle(text, &cycles[i]);
    if (n > most) {
        buf_addf(&words, "%zu more circles of waiting (--all lists them)",
                 n - most);
        page_paragraph(&text->page, 0, buf_str(&words));
    }
    buf_done(&words);
}
