#include "report/facts.h"

#include "model/name.h"
#include "report/baseline_words.h"
#include "report/callers.h"
#include "report/changes.h"
#include "report/measure_words.h"
#include "report/text.h"
#include "rules/held.h"
#include "rules/words.h"

enum {
    CREATORS_SHOWN = 3,
    LABEL_VALUES = 3,
    LABEL_KEYS = 5,
};

/* Facts on their way to a writer. */
struct telling {
    const struct cprof_report *report;
    fact_fn *tell;
    void *user;
};

static void tell_fact(const struct telling *telling, const char *name,
                      enum fact_kind kind, struct str words)
{
    telling->tell(telling->user, &(struct fact){name, kind, words});
}

/* The function, and below it the whole path, so that it can be clicked on. */
static void tell_site(const struct telling *telling,
                      const struct code_place *site)
{
    struct buf file = {0};

    tell_fact(telling, "at", FACT_CODE, site->function);
    text_file(&file, site, 0);
    if (!buf_is_empty(&file))
        tell_fact(telling, "", FACT_CODE, buf_str(&file));
    buf_done(&file);
}

/* The line of the program, where others' code waits for it. */
static void tell_callers(const struct telling *telling,
                         const struct finding *finding)
{
    struct buf words = {0};

    callers_add(&words, telling->report, finding);
    if (!buf_is_empty(&words))
        tell_fact(telling, "caller", FACT_WORDS, buf_str(&words));
    buf_done(&words);
}

/* The state, and how it became known. */
static void tell_state(const struct telling *telling,
                       const struct finding_view *view)
{
    static const char *const known[] = {
        [STATE_FROM_NONE] = "",
        [STATE_FROM_ADDRESSES] = ", inferred from addresses",
        [STATE_FROM_FRAMES] = ", inferred from the frames",
        [STATE_FROM_HEADER] = "",
    };
    const struct report_summary *sum = report_summary(telling->report);
    const struct format_facts *format = sum->format;
    struct buf words = {0};

    buf_add(&words, view->state.len ? view->state
                                    : STR("several, see the largest groups"));
    buf_add(&words, str_from(known[view->finding->state_source]));
    if (!sum->has_formats && !format->has_states && !format->has_ages)
        buf_addf(&words, "; %s carries no state or age", format->words);
    tell_fact(telling, "state", FACT_WORDS, buf_str(&words));
    buf_done(&words);
}

/* "at least 20 minutes for the longest, 3 minutes for half of them" */
static void add_median(struct buf *words, uint32_t longest, uint32_t median_min)
{
    struct buf median = {0};
    struct str bare;

    words_age(&median, median_min);
    bare = buf_str(&median);
    str_cut_prefix(&bare, STR("at least "));
    if (median_min < longest) {
        buf_add(words, STR(" for the longest, "));
        buf_add(words, bare);
    }
    buf_add(words, STR(" for half of them"));
    buf_done(&median);
}

static void tell_age(const struct telling *telling,
                     const struct finding *finding,
                     const struct evidence_view *evidence)
{
    uint32_t longest = (uint32_t)(finding->age_max_s / 60);
    uint32_t median = (uint32_t)(evidence->wait_median_s / 60);
    struct buf words = {0};

    if (!finding->has_age)
        return;
    words_age(&words, longest);
    if (finding->count > 1 && wait_at_least(median))
        add_median(&words, longest, median);
    else if (finding->count > 1 && wait_at_least(longest))
        buf_add(&words, STR(" for the longest"));
    tell_fact(telling, "age", FACT_WORDS, buf_str(&words));
    buf_done(&words);
}

static const struct symbols *symbols_of(const struct telling *telling)
{
    return analysis_snapshots(report_analysis(telling->report))->symbols;
}

/* What the place does over time; it is named where the finding is of some of
 * its goroutines only, as a circle is, or of others as well. */
static void tell_growth(const struct telling *telling,
                        const struct finding *finding)
{
    const struct site_growth *growth = finding->growth;
    struct change_view view;
    struct buf words = {0};

    if (!growth || growth->n < 2)
        return;
    view = change_view_of(telling->report, growth);
    if (growth->after != (double)finding->count && growth->site != FRAME_NONE &&
        !growth->series->instance.len) {
        buf_add(&words, STR("at "));
        words_site(&words, symbols_of(telling), growth->site);
        buf_add(&words, STR(": "));
    }
    change_add_words(&words, &view);
    tell_fact(telling, "growth", FACT_WORDS, buf_str(&words));
    buf_done(&words);
}

/* What of the heap is from the function of the program in which they stand. */
static void tell_heap(const struct telling *telling,
                      const struct finding_view *view)
{
    struct buf words = {0};

    if (view->has_site && !name_is_std(view->site.function))
        words_of_heap_in(&words, telling->report, view->site.function);
    if (words.len)
        tell_fact(telling, "heap", FACT_WORDS, buf_str(&words));
    buf_done(&words);
}

uint64_t fact_waiters_here(const struct cprof_report *report,
                           const struct finding *finding)
{
    const struct holding *told = finding->holding;
    uint64_t count = 0;

    for (size_t i = 0; i < finding->n_groups; i++) {
        const struct joined_group *group =
            analysis_group(report_analysis(report), finding->groups[i]);
        const struct holding *holding = joined_extra(group)->holding;

        /* Of two dumps each has its own of the same lock. */
        if (holding == told || (holding && told->address && !told->is_object &&
                                holding->address == told->address))
            count += group->count;
    }
    return count;
}

/* "sync.Mutex 0xc000010000, 25 wait for it; the most wanted of at least 3", or
 * "120 wait for it, 59 of them elsewhere". */
static void tell_lock(const struct telling *telling,
                      const struct finding *finding)
{
    const struct holding *holding = finding->holding;
    uint64_t here = fact_waiters_here(telling->report, finding);
    struct buf words = {0};

    held_add_lock(&words, symbols_of(telling), holding);
    buf_add(&words, STR(", "));
    words_count(&words, holding->waiters);
    buf_add(&words,
            holding->waiters == 1 ? STR(" waits for it") : STR(" wait for it"));
    if (finding->n_holdings == 1 && holding->waiters > here) {
        buf_add(&words, STR(", "));
        words_count(&words, holding->waiters - here);
        buf_add(&words, STR(" of them elsewhere"));
    }
    if (finding->n_holdings > 1) {
        buf_add(&words, STR("; the most wanted of at least "));
        words_count(&words, finding->n_holdings);
    }
    tell_fact(telling, "lock", FACT_WORDS, buf_str(&words));
    buf_done(&words);
}

/* "; as likely: goroutine 9 in (*cache).Load (cache.go:30), and 3 more". */
static void add_as_likely(struct buf *words, const struct symbols *symbols,
                          const struct holding *holding)
{
    const struct holder *best = holding->holders;
    uint64_t others = holding->n_candidates - best->count;

    if (holding->n_candidates <= best->count)
        return;
    buf_add(words, STR("; as likely: "));
    if (holding->n_holders > 1 && best[1].count <= others) {
        held_add_who(words, symbols, &best[1]);
        others -= best[1].count;
        if (!others)
            return;
        buf_add(words, STR(", and "));
    }
    words_count(words, others);
    buf_add(words, STR(" more"));
}

static void tell_holder(const struct telling *telling,
                        const struct holding *holding)
{
    struct buf words = {0};

    if (!holding->n_holders || held_by_many(holding)) {
        held_add(&words, symbols_of(telling), holding);
        tell_fact(telling,
                  holding->starter.len    ? "starter"
                  : held_by_many(holding) ? "holders"
                                          : "held by",
                  FACT_WORDS, buf_str(&words));
    } else {
        const struct holder *best = holding->holders;

        buf_add(&words, str_from(held_adverb(best->certainty)));
        held_add_who(&words, symbols_of(telling), best);
        buf_add(&words, STR(" ("));
        held_add_reason(&words, best);
        buf_add_char(&words, ')');
        held_add_chain(&words, symbols_of(telling), best);
        add_as_likely(&words, symbols_of(telling), holding);
        tell_fact(telling, "held by", FACT_WORDS, buf_str(&words));
    }
    buf_done(&words);
}

/* Whether a finding is of those who perhaps have a place already, behind the
 * first send, and nothing else is known: that is for who waits at the first. */
static bool is_of_holders(const struct finding *finding)
{
    const struct holding *holding = finding->holding;

    return holding && holding->kind == HOLDING_CHANNEL && !holding->name.len &&
           holding->n_again && finding->site == holding->again &&
           !holding->n_holders && !holding->starter.len;
}

bool fact_is_held(const struct finding *finding)
{
    const struct holding *holding = finding->holding;

    return holding && !is_of_holders(finding) &&
           holding->kind != HOLDING_COND &&
           (holding->kind != HOLDING_CHANNEL || holding->n_holders ||
            holding->n_without || holding->starter.len ||
            (holding->is_called && holding->waiters > 1 &&
             !holding->is_partial));
}

static void tell_held(const struct telling *telling,
                      const struct finding *finding)
{
    if (!fact_is_held(finding))
        return;
    if (!held_by_many(finding->holding))
        tell_lock(telling, finding);
    tell_holder(telling, finding->holding);
}

/* " (1,284)" */
static void add_times(struct buf *words, uint64_t count)
{
    buf_add(words, STR(" ("));
    words_count(words, count);
    buf_add_char(words, ')');
}

static void tell_creators(const struct telling *telling,
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
    tell_fact(telling, "creator", FACT_WORDS, buf_str(&words));
    buf_done(&words);
}

/* "tenant=acme (90), beta (7), ...": the values of one key in one fact. */
static size_t tell_label(const struct telling *telling,
                         const struct evidence_view *evidence, size_t start)
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
    tell_fact(telling, start ? "" : "labels", FACT_WORDS, buf_str(&words));
    buf_done(&words);
    return i;
}

static void tell_ids(const struct telling *telling,
                     const struct evidence_view *evidence)
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
    tell_fact(telling, "ids", FACT_WORDS, buf_str(&words));
    buf_done(&words);
}

static void tell_rule(const struct telling *telling,
                      const struct finding *finding)
{
    struct buf words = {0};

    buf_add(&words, finding->rule->id);
    if (finding->confidence == CONFIDENCE_PROVEN)
        buf_add(&words, STR(", proven by the Go runtime"));
    else
        buf_addf(&words, ", %s confidence",
                 confidence_text(finding->confidence));
    tell_fact(telling, "rule", FACT_WORDS, buf_str(&words));
    buf_done(&words);
}

/* What the baseline says of it. */
static void tell_acceptance(const struct telling *telling,
                            const struct finding *finding)
{
    struct buf words = {0};

    if (!finding->acceptance)
        return;
    words_of_acceptance(&words, finding->acceptance);
    tell_fact(telling, "baseline", FACT_WORDS, buf_str(&words));
    buf_done(&words);
}

void facts_each(const struct cprof_report *report,
                const struct finding_view *view,
                const struct evidence_view *evidence, fact_fn *tell, void *user)
{
    struct telling telling = {report, tell, user};
    size_t keys = 0;

    if (view->has_site)
        tell_site(&telling, &view->site);
    tell_callers(&telling, view->finding);
    tell_state(&telling, view);
    tell_age(&telling, view->finding, evidence);
    tell_growth(&telling, view->finding);
    tell_heap(&telling, view);
    tell_held(&telling, view->finding);
    tell_creators(&telling, evidence);
    for (size_t i = 0; i < evidence->n_labels && keys < LABEL_KEYS; keys++)
        i = tell_label(&telling, evidence, i);
    tell_ids(&telling, evidence);
    tell_rule(&telling, view->finding);
    tell_acceptance(&telling, view->finding);
}
