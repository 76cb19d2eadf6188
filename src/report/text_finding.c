#include "report/answer_words.h"
#include "report/changes.h"
#include "report/facts.h"
#include "report/text.h"
#include "rules/words.h"

enum {
    INDENT = 2,
    FACT = 11, /* where the words of a fact begin */
    REFERENCES_SHOWN = 3,
};

/* "CRITICAL: Requests queued ...", in colour, and its figures below. */
static void put_heading(struct text *text, const struct finding_view *view,
                        bool is_first)
{
    const struct finding *finding = view->finding;
    struct page *page = &text->page;
    size_t n = text_severity(text, finding->severity);
    struct buf line = {0};

    buf_add(page->out, STR(": "));
    page_tint(page, TINT_HEAD);
    page_wrap(page, n + 2, n + 2, finding->rule->title);
    page_plain(page);
    buf_add_char(page->out, '\n');
    counted_of_add(&line, text->report, finding->count, finding->share);
    dumps_add(&line, text->report, view->n_dumps);
    if (is_first && text->n_loud > 1)
        buf_addf(&line, "; %zu more finding%s below", text->n_loud - 1,
                 text->n_loud == 2 ? "" : "s");
    page_paragraph(page, n + 2, buf_str(&line));
    buf_done(&line);
}

/* One fact on lines of their own: its name, then its words. */
static void put_fact(void *user, const struct fact *fact)
{
    struct text *text = user;
    struct page *page = &text->page;

    buf_add_repeat(page->out, ' ', INDENT);
    cell_add(page->out, str_from(fact->name), FACT - INDENT, ALIGN_LEFT,
             CUT_END);
    page_wrap(page, FACT, FACT, fact->words);
    buf_add_char(page->out, '\n');
}

/* A paragraph after an empty line, with a word in front of it or none. */
static void put_prose(struct text *text, const char *lead, struct str words)
{
    struct page *page = &text->page;
    size_t at = INDENT + strlen(lead);

    if (!words.len)
        return;
    buf_add_char(page->out, '\n');
    buf_add_repeat(page->out, ' ', INDENT);
    page_add(page, TINT_HEAD, str_from(lead));
    page_wrap(page, at, INDENT, words);
    buf_add_char(page->out, '\n');
}

/* The head of a list after an empty line, and one item of it. */
static void put_lead(struct text *text, const char *lead)
{
    struct page *page = &text->page;

    buf_add_char(page->out, '\n');
    buf_add_repeat(page->out, ' ', INDENT);
    page_add(page, TINT_HEAD, str_from(lead));
    buf_add_char(page->out, '\n');
}

static void put_item(struct text *text, struct str item)
{
    buf_add(text->page.out, STR("  - "));
    page_wrap(&text->page, 4, 4, item);
    buf_add_char(text->page.out, '\n');
}

static void put_list(struct text *text, const char *lead,
                     struct rule_texts items)
{
    if (items.count)
        put_lead(text, lead);
    for (size_t i = 0; i < items.count; i++)
        put_item(text, items.items[i]);
}

/* The stack of the largest group. */
static int put_evidence(struct text *text, const struct finding *finding,
                        struct arena *scratch, struct cprof_error *err)
{
    struct group_view view;
    struct buf words = {0};
    int rc;

    if (!finding->n_groups)
        return 0;
    rc = report_group(text->report, finding->groups[0], &view, scratch, err);
    if (rc < 0)
        return rc;
    buf_add_char(text->page.out, '\n');
    buf_add_repeat(text->page.out, ' ', INDENT);
    page_add(&text->page, TINT_HEAD, STR("Stack"));
    if (finding->n_groups > 1) {
        buf_add(&words, STR(" of the largest of "));
        words_count(&words, finding->n_groups);
        buf_add(&words, STR(" groups, "));
        counted_add(&words, text->sum->nouns, view.group->count);
    }
    buf_addf(&words, " (signature %.12s):\n", view.signature.text);
    buf_add(text->page.out, buf_str(&words));
    text_stack(text, &view);
    buf_done(&words);
    return 0;
}

static void put_references(struct text *text, struct rule_texts references)
{
    size_t most = text->verbose || text->all ? SIZE_MAX : REFERENCES_SHOWN;
    struct page *page = &text->page;

    if (references.count)
        buf_add_char(page->out, '\n');
    for (size_t i = 0; i < references.count && i < most; i++) {
        buf_add(page->out, i ? STR("      ") : STR("  See "));
        page_wrap(page, 6, 6, references.items[i]);
        buf_add_char(page->out, '\n');
    }
}

static void put_decide(void *user, struct str text)
{
    put_item(user, text);
}

/* What would decide: first what more snapshots would tell, then what the rule
 * says. */
static void put_decides(struct text *text, const struct finding *finding,
                        bool repeated)
{
    if (!finding_decides(text->report, finding, !repeated, NULL, NULL))
        return;
    put_lead(text, "To decide:");
    finding_decides(text->report, finding, !repeated, put_decide, text);
}

/* What a rule says of the cause and of what to do. */
static void put_words(struct text *text, const struct finding *finding)
{
    const struct rule_info *rule = finding->rule;

    put_prose(text, "Cause: ", rule->cause);
    put_decides(text, finding, false);
    put_list(text, "To do:", rule->advice);
    if (text->verbose)
        put_list(text, "No problem if:", rule->false_positives);
}

int text_finding(struct text *text, size_t index, struct cprof_error *err)
{
    struct finding_view view = report_finding(text->report, index);
    const struct rule_info *rule = view.finding->rule;
    struct arena scratch = report_scratch(text->report);
    struct evidence_view evidence =
        report_finding_evidence(text->report, view.finding, &scratch);
    enum words_place place = report_words_place(text->report, index);
    int rc;

    if (index)
        buf_add_char(text->page.out, '\n');
    put_heading(text, &view, index == 0);
    buf_add_char(text->page.out, '\n');
    facts_each(text->report, &view, &evidence, put_fact, text);
    put_prose(text, "", view.finding->explain);
    text_cycle_of(text, index);
    if (place != WORDS_HERE) {
        put_decides(text, view.finding, true);
        put_prose(text, "", words_place_text(place));
    } else {
        put_words(text, view.finding);
    }
    rc = put_evidence(text, view.finding, &scratch, err);
    if (place == WORDS_HERE)
        put_references(text, rule->references);
    arena_done(&scratch);
    return rc;
}
