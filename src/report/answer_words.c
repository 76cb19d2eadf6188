#include "report/answer_words.h"

#include "base/count.h"
#include "base/utc.h"
#include "report/changes.h"
#include "report/crash_words.h"
#include "report/measure_words.h"
#include "report/text.h"
#include "rules/words.h"

void counted_add(struct buf *buf, const struct nouns *nouns, uint64_t count)
{
    words_count(buf, count);
    buf_addf(buf, " %s", count == 1 ? nouns->one : nouns->many);
}

void counted_of_add(struct buf *buf, const struct cprof_report *report,
                    uint64_t count, double share)
{
    const struct report_summary *sum = report_summary(report);

    words_count(buf, count);
    buf_add(buf, STR(" of "));
    counted_add(buf, sum->nouns, sum->share_of);
    buf_add(buf, STR(" ("));
    words_share(buf, share);
    buf_add_char(buf, ')');
}

void dumps_add(struct buf *buf, const struct cprof_report *report,
               size_t n_dumps)
{
    size_t n_judged = report_summary(report)->n_judged;

    if (n_judged > 1)
        buf_addf(buf, ", in %zu of %zu dumps", n_dumps, n_judged);
}

/* "nothing changed among 136 goroutines", when nothing grows loudly, or "18 of
 * 21 goroutines wait where they waited", when that is what was found. */
static void add_calm_changes(struct buf *words,
                             const struct cprof_report *report)
{
    const struct report_summary *sum = report_summary(report);
    size_t grown = changes_grown(report);
    size_t risen = changes_risen(report);
    uint64_t still = changes_still_waiting(report);
    uint64_t before;
    uint64_t after;

    if (still && !grown) {
        words_count(words, still);
        buf_add(words, STR(" of "));
        counted_add(words, sum->nouns, sum->share_of);
        buf_add(words, STR(" wait where they waited"));
        return;
    }
    if (!grown && changes_total(report, &before, &after)) {
        buf_add(words, STR("no place grows as a leak does, while the process "
                           "went from "));
        words_count(words, before);
        buf_add(words, STR(" to "));
        counted_add(words, sum->nouns, after);
        return;
    }
    if (!changes_any(report))
        buf_add(words, STR("nothing changed among "));
    else if (grown)
        buf_addf(words, "%zu place%s grew, without showing a leak yet, among ",
                 grown, grown == 1 ? "" : "s");
    else if (risen)
        buf_addf(words,
                 "%zu place%s rose, by too little to call it growth, "
                 "among ",
                 risen, risen == 1 ? "" : "s");
    else
        buf_add(words, STR("nothing grows beyond the usual coming and going "
                           "among "));
    counted_add(words, sum->nouns, sum->share_of);
}

/* "83 goroutines", or "the goroutines that the filters keep, 3 of 83". */
static void add_judged(struct buf *words, const struct cprof_report *report)
{
    const struct report_summary *sum = report_summary(report);

    if (!sum->is_filtered) {
        counted_add(words, sum->nouns, sum->share_of);
        return;
    }
    buf_addf(words, "the %s that the filters keep, ", sum->nouns->many);
    words_count(words, sum->shown);
    buf_add(words, STR(" of "));
    words_count(words, sum->share_of);
}

/* Whether some wait for each other. No rule may have a finding of them, as long
 * as the circle is only perhaps one. */
static bool has_circles(const struct cprof_report *report)
{
    size_t n = 0;

    analysis_cycles(report_analysis(report), &n);
    return n > 0;
}

static void add_calm(struct buf *words, const struct cprof_report *report)
{
    const struct report_summary *sum = report_summary(report);

    if (sum->kind == PROFILE_GOROUTINELEAK && !sum->share_of) {
        buf_add(words, STR("the runtime has proven no goroutine leaked"));
    } else if (profile_is_measured(sum->kind)) {
        words_of_measured(words, report);
    } else if (!sum->share_of) {
        buf_addf(words, "the profile holds no %s", sum->nouns->many);
    } else if (sum->is_filtered && !sum->shown) {
        buf_add(words, STR("the filters keep none of "));
        counted_add(words, sum->nouns, sum->share_of);
    } else if (sum->n_accepted && sum->verdict == CPROF_SEVERITY_OK) {
        buf_add(words, STR("nothing but what the baseline accepts stands out "
                           "among "));
        add_judged(words, report);
    } else if (report_growth(report)) {
        add_calm_changes(words, report);
    } else if (sum->verdict == CPROF_SEVERITY_OK) {
        buf_add(words, has_circles(report)
                           ? STR("nothing but a possible deadlock stands out "
                                 "among ")
                           : STR("nothing stands out among "));
        add_judged(words, report);
    } else {
        buf_add(words, STR("nothing of medium severity or above among "));
        add_judged(words, report);
    }
}

void words_of_unjudged(struct buf *words, const struct cprof_report *report)
{
    const struct report_summary *sum = report_summary(report);

    buf_add(words, STR("cannot be judged: "));
    if (!sum->share_of) {
        buf_add(words, STR("the profile holds no goroutines, and a program "
                           "that runs has one at least"));
        return;
    }
    buf_addf(words, "the %s of ", sum->unread ? "frames" : "stacks");
    words_count(words, count_sum(sum->unread, sum->other));
    buf_add(words, STR(" of "));
    counted_add(words, sum->nouns, sum->share_of);
    if (sum->unread)
        buf_add(words, STR(" are missing or could not be read"));
    if (sum->unread && sum->other)
        buf_add(words, STR(", or"));
    if (sum->other)
        buf_add(words, STR(" had no room in memory (--max-memory)"));
}

void words_of_calm(struct buf *words, const struct cprof_report *report)
{
    const struct report_summary *sum = report_summary(report);
    bool is_alone =
        report_growth(report) && sum->unchanged >= CPROF_SEVERITY_MEDIUM;

    if (!sum->is_judged) {
        words_of_unjudged(words, report);
        return;
    }
    add_calm(words, report);
    if (is_alone)
        buf_addf(words, ", but the last dump alone is of %s severity",
                 severity_text(sum->unchanged));
    if (!sum->is_complete)
        buf_addf(words, ", %s an input is incomplete",
                 is_alone ? "and" : "but");
}

static bool has_labels(const struct analysis *analysis)
{
    size_t n = analysis_n_groups(analysis);

    while (n > 0 && !joined_labels(analysis_group(analysis, n - 1)))
        n--;
    return n > 0;
}

/* Why filters may keep nothing: what they ask for may not be there. */
static void add_filtered_out(struct buf *words,
                             const struct cprof_report *report)
{
    const struct report_summary *sum = report_summary(report);
    const struct cprof_options *options = report_options(report);

    buf_add(words, STR("Nothing was judged. "));
    if (options->min_age_s && !sum->format->has_ages)
        buf_addf(words,
                 "%s carries no ages, and --min-age keeps what has one: take "
                 "the dump with debug=2. ",
                 sum->format->words);
    if (options->label.count && !has_labels(report_analysis(report)))
        buf_add(words, STR("No goroutine of it has labels: debug=1 and debug=0 "
                           "carry them, debug=2 only from Go 1.27 on. "));
}

/* What would tell a leak from traffic, and where ids do not. Of waits that
 * healthy code keeps in numbers nearly all goroutines stay from one dump to the
 * next. */
static void add_what_would_tell(struct buf *words,
                                const struct cprof_report *report)
{
    size_t grown = changes_grown(report);
    size_t staying = changes_staying(report);

    if (staying && staying < grown)
        buf_addf(words, "At %zu of them those", staying);
    else if (staying)
        buf_add(words, STR("Those"));
    if (staying)
        buf_add(words, STR(" of the start are still there, by their ids, but "
                           "healthy code waits like this too. "));
    buf_addf(words,
             "Five snapshots, some minutes apart, tell a leak from traffic%s. ",
             changes_have_ids(report)
                 ? ""
                 : "; the goroutine ids of debug=2 show whether "
                   "the same ones stay");
}

/* Ids tell who is stuck only when time has passed: two dumps of one moment, or
 * of none that is known, look calm while everything hangs. */
static void add_too_soon(struct buf *words, const struct cprof_report *report)
{
    const struct moments *series = growth_series(report_growth(report), 0);

    if (report_summary(report)->unchanged < CPROF_SEVERITY_MEDIUM ||
        series->is_across || !changes_have_ids(report))
        return;
    if (moments_are_near(series))
        buf_add(words, STR("In less than a minute stuck looks like busy: from "
                           "a minute on the ids tell them apart. "));
    else if (series->clock == CLOCK_STEPS)
        buf_add(words, STR("How far apart they are is not known: with "
                           "--interval, of a minute or more, the ids tell who "
                           "is stuck. "));
}

/* What a comparison cannot tell, or does not. */
static void add_growth_limits(struct buf *words,
                              const struct cprof_report *report)
{
    bool is_short = growth_series(report_growth(report), 0)->n < TREND_WHOLE;

    if (is_short && changes_grown(report))
        add_what_would_tell(words, report);
    else if (is_short)
        buf_add(words, STR("A slow leak shows from five snapshots on, some "
                           "minutes apart. "));
    add_too_soon(words, report);
    if (report_summary(report)->kind == PROFILE_THREADCREATE)
        buf_add(words, STR("Rules judge goroutines only. Go keeps threads and "
                           "ends the process that has 10,000 "
                           "(debug.SetMaxThreads); a goroutine dump shows who "
                           "keeps them busy, in system calls and cgo. "));
    if (report_summary(report)->unchanged >= CPROF_SEVERITY_MEDIUM)
        buf_add(words, STR("cprof-leaks analyze tells what the last dump "
                           "alone shows."));
    else
        buf_add(words, STR("What is not seen to grow is judged in the last "
                           "dump alone, not here."));
}

void words_of_limits(struct buf *words, const struct cprof_report *report)
{
    const struct report_summary *sum = report_summary(report);

    if (!sum->is_judged)
        return;
    if (sum->is_filtered && !sum->shown) {
        add_filtered_out(words, report);
        return;
    }
    if (sum->kind == PROFILE_GOROUTINELEAK) {
        buf_add(words, STR("A goroutine that waits for something still "
                           "reachable is not in such a profile."));
        return;
    }
    if (profile_is_measured(sum->kind)) {
        words_of_sampling(words, report);
        buf_add(words, STR("Rules judge goroutines only: this profile shows "
                           "where, not whether it is too much."));
        return;
    }
    if (!sum->format->has_ages && !report_growth(report))
        buf_addf(words, "%s carries no ages%s. ", sum->format->words,
                 sum->verdict == CPROF_SEVERITY_OK
                     ? ""
                     : ": debug=2 shows who has waited for long");
    if (report_growth(report)) {
        words_of_measured_beside(words, report);
        add_growth_limits(words, report);
        return;
    }
    if (report_is_over(report))
        return;
    /* Few that wait are traffic, or a small service that hangs as a whole. */
    if (sum->verdict != CPROF_SEVERITY_OK && sum->format->has_ages)
        buf_add(words, STR("Against a second dump, a minute or more later, "
                           "cprof-leaks diff tells what is stuck or grows from "
                           "what is busy."));
    else
        buf_add(words, STR("Growth shows only against a second dump, some "
                           "minutes later."));
}

void words_of_filters(struct buf *words, const struct cprof_report *report)
{
    const struct report_summary *sum = report_summary(report);

    buf_add(words, STR("The filters keep "));
    words_count(words, sum->shown);
    buf_add(words, STR(" of "));
    counted_add(words, sum->nouns, sum->goroutines);
    buf_add(words, STR(" in "));
    words_count(words, sum->n_groups);
    buf_addf(words, " group%s.", sum->n_groups == 1 ? "" : "s");
}

void words_of_proof(struct buf *words, const struct cprof_report *report)
{
    const struct report_summary *sum = report_summary(report);

    buf_add(words, STR("The Go runtime has proven "));
    if (sum->leaked)
        words_count(words, sum->leaked);
    else
        buf_add(words, STR("none"));
    buf_add(words, STR(" of these goroutines leaked. That clears no other: "
                       "one that waits for something still reachable is never "
                       "proven."));
}

static void add_snapshot(struct buf *words, const struct snapshot_info *info)
{
    const char *format;

    buf_add(words, info->source);
    if (info->line > 1) {
        buf_add_char(words, ':');
        buf_addf(words, "%llu", (unsigned long long)info->line);
    }
    buf_add(words, STR(": "));
    if (info->kind != PROFILE_GOROUTINE) {
        buf_add(words, info->profile);
        buf_add(words, STR(" profile, "));
    }
    format = format_facts(info->format)->words;
    buf_addf(words, "%s, ", *format ? format : info->format);
    if (info->has_negative)
        buf_add(words, STR("a difference of two moments"));
    else
        counted_add(words, nouns_of(info->kind), info->total);
    if (info->go_version.len) {
        buf_add(words, STR(", "));
        buf_add(words, info->go_version);
    }
    if (info->taken_ns) {
        buf_add(words, STR(", "));
        utc_add(words, info->taken_ns);
    }
    if (info->instance.len && !str_contains(info->source, info->instance)) {
        buf_add(words, STR(", of "));
        buf_add(words, info->instance);
    }
    if (!info->complete)
        buf_add(words, STR(", incomplete"));
}

void words_of_snapshot(struct buf *words, const struct cprof_report *report,
                       size_t snapshot)
{
    const struct analysis *analysis = report_analysis(report);
    const struct cprof_snapshots *snapshots = analysis_snapshots(analysis);
    const struct snapshot_info *info =
        snapshot_info_get(snapshots->items[snapshot]);

    add_snapshot(words, info);
    if (info->is_proof)
        buf_add(words, STR(" (proof for the others)"));
    if (info->is_proof || snapshots->is_series ||
        analysis_is_judged(analysis, snapshot))
        return;
    buf_add(words, STR(" (listed only, not judged"));
    words_of_panic(words, report, snapshot);
    buf_add_char(words, ')');
}

void words_of_diagnostic(struct buf *words, const struct diag *diag)
{
    if (diag->source)
        buf_addf(words, "%s:", diag->source);
    if (diag->source && diag->line)
        buf_addf(words, "%llu:", (unsigned long long)diag->line);
    if (diag->source)
        buf_add_char(words, ' ');
    buf_add(words, diag->message);
    if (diag->repeats) {
        buf_add(words, STR(" (and "));
        words_count(words, diag->repeats);
        buf_add(words, STR(" more like it)"));
    }
}
