#include "report/changes.h"
#include "report/human.h"
#include "report/text.h"
#include "rules/words.h"

enum {
    INDENT = 2,
    FACT = 11, /* where the words of a fact begin */
    CREATORS_SHOWN = 3,
    LABEL_VALUES = 3,
    LABEL_KEYS = 5,
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
    text_count_of(text, &line, finding->count, finding->share);
    text_dumps(text, &line, view->n_dumps);
    if (is_first && text->n_full > 1)
        buf_addf(&line, "; %zu more finding%s below", text->n_full - 1,
                 text->n_full == 2 ? "" : "s");
    page_paragraph(page, n + 2, buf_str(&line));
    buf_done(&line);
}

void text_fact(struct text *text, const char *name, struct str words)
{
    struct page *page = &text->page;

    buf_add_repeat(page->out, ' ', INDENT);
    cell_add(page->out, str_from(name), FACT - INDENT, ALIGN_LEFT, CUT_END);
    page_wrap(page, FACT, FACT, words);
    buf_add_char(page->out, '\n');
}

/* The function, and below it the whole path, so that it can be clicked on. */
static void put_site(struct text *text, const struct code_place *site)
{
    struct buf file = {0};

    text_fact(text, "at", site->function);
    text_file(&file, site, 0);
    if (file.len)
        text_fact(text, "", buf_str(&file));
    buf_done(&file);
}

/* The state, and how it became known. */
static void put_state(struct text *text, const struct finding_view *view)
{
    static const char *const known[] = {
        [STATE_FROM_NONE] = "",
        [STATE_FROM_ADDRESSES] = ", inferred from addresses",
        [STATE_FROM_FRAMES] = ", inferred from the frames",
        [STATE_FROM_HEADER] = "",
    };
    const struct format_facts *format = text->sum->format;
    struct buf words = {0};

    buf_add(&words, view->state.len ? view->state
                                    : STR("several, see the largest groups"));
    buf_add(&words, str_from(known[view->finding->state_source]));
    if (!text->sum->has_formats && !format->has_states && !format->has_ages)
        buf_addf(&words, "; %s carries no state or age", format->words);
    text_fact(text, "state", buf_str(&words));
    buf_done(&words);
}

/* "at least 20 minutes for the longest, 3 minutes for half of them" */
static void add_median(struct buf *words, const struct finding *finding,
                       uint64_t median_s)
{
    struct buf median = {0};
    struct str bare;

    words_age(&median, median_s);
    bare = buf_str(&median);
    str_cut_prefix(&bare, STR("at least "));
    if (median_s < finding->age_max_s) {
        buf_add(words, STR(" for the longest, "));
        buf_add(words, bare);
    }
    buf_add(words, STR(" for half of them"));
    buf_done(&median);
}

static void put_age(struct text *text, const struct finding *finding,
                    const struct evidence_view *evidence)
{
    struct buf words = {0};

    if (!finding->has_age)
        return;
    words_age(&words, finding->age_max_s);
    if (finding->count > 1 && evidence->wait_median_s)
        add_median(&words, finding, evidence->wait_median_s);
    else if (finding->count > 1)
        buf_add(&words, STR(" for the longest"));
    text_fact(text, "age", buf_str(&words));
    buf_done(&words);
}

/* What the place does over time. */
static void put_growth(struct text *text, const struct finding *finding)
{
    struct change_view view;
    struct buf words = {0};

    if (!finding->growth || finding->growth->n < 2)
        return;
    view = change_view_of(text->report, finding->growth);
    change_add_words(&words, &view);
    text_fact(text, "growth", buf_str(&words));
    buf_done(&words);
}

/* " (1,284)" */
static void add_times(struct buf *words, uint64_t count)
{
    buf_add(words, STR(" ("));
    words_count(words, count);
    buf_add_char(words, ')');
}

static void put_creators(struct text *text,
                         const struct evidence_view *evidence)
{
    uint64_t others = evidence->other_creators;
    bool is_one = evidence->n_creators == 1 && !others;
    struct buf words = {0};

    if (!evidence->n_creators)
        return;
    for (size_t i = 0; i < evidence->n_creators; i++) {
        const struct creator_view *creator = &evidence->creators[i];

        if (i >= CREATORS_SHOWN) {
            others += creator->count;
            continue;
        }
        if (i)
            buf_add(&words, STR(", "));
        text_place_short(&words, &creator->place);
        if (!is_one)
            add_times(&words, creator->count);
    }
    if (others) {
        buf_add(&words, STR(", others"));
        add_times(&words, others);
    }
    text_fact(text, "creator", buf_str(&words));
    buf_done(&words);
}

/* "tenant=acme (90), beta (7), ...": the values of one key in one fact. */
static size_t put_label(struct text *text, const struct evidence_view *evidence,
                        size_t start)
{
    struct str key = evidence->labels[start].key;
    struct buf words = {0};
    size_t i = start;

    buf_add(&words, key);
    buf_add_char(&words, '=');
    for (; i < evidence->n_labels && str_equal(evidence->labels[i].key, key);
         i++) {
        const struct label_view *label = &evidence->labels[i];

        if (i - start < LABEL_VALUES) {
            buf_add(&words, i > start ? STR(", ") : STR(""));
            buf_add(&words, label->is_rest ? STR("others") : label->value);
            add_times(&words, label->count);
        } else if (i - start == LABEL_VALUES) {
            buf_add(&words, STR(", ..."));
        }
    }
    text_fact(text, start ? "" : "labels", buf_str(&words));
    buf_done(&words);
    return i;
}

static void put_ids(struct text *text, const struct evidence_view *evidence)
{
    struct buf words = {0};

    if (!evidence->n_ids)
        return;
    for (size_t i = 0; i < evidence->n_ids; i++)
        buf_addf(&words, "%s%llu", i ? ", " : "",
                 (unsigned long long)evidence->ids[i]);
    if (evidence->ids_known > evidence->n_ids) {
        buf_add(&words, STR(" and "));
        words_count(&words, evidence->ids_known - evidence->n_ids);
        buf_add(&words, STR(" more"));
    }
    text_fact(text, "ids", buf_str(&words));
    buf_done(&words);
}

static void put_rule(struct text *text, const struct finding *finding)
{
    struct buf words = {0};

    buf_add(&words, finding->rule->id);
    if (finding->confidence == CONFIDENCE_PROVEN)
        buf_add(&words, STR(", proven by the Go runtime"));
    else
        buf_addf(&words, ", %s confidence",
                 confidence_text(finding->confidence));
    text_fact(text, "rule", buf_str(&words));
    buf_done(&words);
}

static void put_facts(struct text *text, const struct finding_view *view,
                      const struct evidence_view *evidence)
{
    size_t keys = 0;

    if (view->has_site)
        put_site(text, &view->site);
    put_state(text, view);
    put_age(text, view->finding, evidence);
    put_growth(text, view->finding);
    text_held(text, view->finding);
    put_creators(text, evidence);
    for (size_t i = 0; i < evidence->n_labels && keys < LABEL_KEYS; keys++)
        i = put_label(text, evidence, i);
    put_ids(text, evidence);
    put_rule(text, view->finding);
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
        text_counted(text, &words, view.group->count);
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

/* Whether a finding above was of the same rule, whose words need no second
 * reading. */
static bool is_repeated(const struct cprof_report *report, size_t index)
{
    const struct rule_info *rule = report_finding(report, index).finding->rule;

    for (size_t i = 0; i < index; i++) {
        if (report_finding(report, i).finding->rule == rule)
            return true;
    }
    return false;
}

/* What would decide: first what more snapshots would tell, then what the rule
 * says. */
static void put_decides(struct text *text, const struct finding *finding,
                        bool repeated)
{
    struct str of_growth[CHANGE_DECIDES];
    size_t n = finding->growth ? change_decides(finding->growth, of_growth) : 0;
    struct rule_texts of_rule =
        repeated ? (struct rule_texts){0} : finding->rule->decide;

    if (!n && !of_rule.count)
        return;
    put_lead(text, "To decide:");
    for (size_t i = 0; i < n; i++)
        put_item(text, of_growth[i]);
    for (size_t i = 0; i < of_rule.count; i++)
        put_item(text, of_rule.items[i]);
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
    bool repeated = is_repeated(text->report, index);
    int rc;

    if (index)
        buf_add_char(text->page.out, '\n');
    put_heading(text, &view, index == 0);
    buf_add_char(text->page.out, '\n');
    put_facts(text, &view, &evidence);
    put_prose(text, "", view.finding->explain);
    if (repeated) {
        put_decides(text, view.finding, true);
        put_prose(text, "", STR("Cause, what decides and what to do: above."));
    } else {
        put_words(text, view.finding);
    }
    rc = put_evidence(text, view.finding, &scratch, err);
    if (!repeated)
        put_references(text, rule->references);
    arena_done(&scratch);
    return rc;
}
