#include "report/baseline_words.h"

#include "report/answer_words.h"
#include "report/text.h"
#include "rules/words.h"

/* The reason that an entry gives, in quotes. */
static void add_reason(struct buf *words, const struct baseline_entry *entry)
{
    if (!entry->reason.len)
        return;
    buf_add(words, STR(" (\""));
    buf_add(words, entry->reason);
    buf_add(words, STR("\")"));
}

void words_of_acceptance(struct buf *words, const struct acceptance *said)
{
    switch (said->kind) {
    case ACCEPTANCE_HOLDS:
        buf_add(words, STR("accepts up to "));
        words_count(words, said->entry->ceiling);
        if (said->entry->expires.len)
            buf_addf(words, " until " STR_FORMAT,
                     STR_ARG(said->entry->expires));
        break;
    case ACCEPTANCE_EXCEEDED:
        buf_add(words, STR("accepts up to "));
        words_count(words, said->entry->ceiling);
        buf_add(words, STR("; there are "));
        words_count(words, said->entry->count);
        break;
    case ACCEPTANCE_EXPIRED:
        buf_addf(words, "accepted it until " STR_FORMAT,
                 STR_ARG(said->entry->expires));
        break;
    case ACCEPTANCE_PARTLY:
        buf_add(words, STR("accepts "));
        words_count(words, said->covered);
        buf_add(words, STR(" of them, at other places"));
        break;
    }
    add_reason(words, said->entry);
}

/* Which entries of the baseline have no effect. */
static void add_idle(struct buf *words, const struct baseline *baseline)
{
    size_t n = baseline_count(baseline);
    size_t n_expired = 0;
    size_t n_unused = 0;

    for (size_t i = 0; i < n; i++) {
        n_expired += baseline_entry(baseline, i)->is_expired;
        n_unused += !baseline_entry(baseline, i)->is_met;
    }
    if (!n_expired && !n_unused)
        return;
    if (n == 1) {
        buf_addf(words, " Its entry %s.",
                 n_expired ? "has expired" : "matches nothing here");
        return;
    }
    buf_addf(words, " Of its %zu entries", n);
    if (n_expired)
        buf_addf(words, ", %zu ha%s expired", n_expired,
                 n_expired == 1 ? "s" : "ve");
    if (n_unused)
        buf_addf(words, ", %zu match%s nothing here", n_unused,
                 n_unused == 1 ? "es" : "");
    buf_add_char(words, '.');
}

void words_of_baseline(struct buf *words, const struct cprof_report *report,
                       bool with_hint)
{
    const struct baseline *baseline = report_baseline(report);
    const struct report_summary *sum = report_summary(report);
    size_t n = report_n_accepted(report);

    buf_addf(words, "%zu finding%s accepted by the baseline %s", n,
             n == 1 ? "" : "s", baseline_name(baseline));
    if (n) {
        buf_add(words, STR(", "));
        counted_add(words, sum->nouns, sum->accepted);
    }
    if (n && with_hint)
        buf_add(words, STR(" (--all lists them)"));
    buf_add_char(words, '.');
    add_idle(words, baseline);
}

void words_of_accepted(struct buf *words, const struct cprof_report *report,
                       size_t index)
{
    struct finding_view view = report_finding(report, index);
    const struct baseline_entry *entry = view.finding->acceptance->entry;

    buf_addf(words, "%s, ", severity_text(view.finding->severity));
    words_count(words, view.finding->count);
    buf_add(words, STR(" of up to "));
    words_count(words, entry->ceiling);
    buf_addf(words, ": " STR_FORMAT, STR_ARG(view.finding->rule->id));
    if (view.has_site) {
        buf_add(words, STR(" at "));
        text_place_short(words, &view.site);
    }
    if (entry->expires.len)
        buf_addf(words, ", until " STR_FORMAT, STR_ARG(entry->expires));
    add_reason(words, entry);
}
