#include "report/answer_words.h"

#include "base/count.h"
#include "base/utc.h"
#include "report/changes.h"
#include "report/crash_words.h"
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

static void add_value(struct buf *words, const struct measures *measures,
                      int64_t value)
{
    uint64_t size = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;

    unit_add(words, value, unit_choose(measures->type.unit, size, size));
}

/* "two heap profiles: inuse_space went from 2.66MB to 3.97MB" */
static void add_comparison(struct buf *words, const struct measures *measures)
{
    const struct family *family = measures->family;
    struct buf before = {0};
    struct buf after = {0};

    add_value(&before, measures, family->befores[measures->type_index]);
    add_value(&after, measures, family->sums[measures->type_index]);
    buf_addf(words, "two " STR_FORMAT " profiles: " STR_FORMAT " ",
             STR_ARG(family->info->profile), STR_ARG(measures->type.name));
    if (str_equal(buf_str(&before), buf_str(&after)))
        buf_add(words, STR("stayed at "));
    else
        buf_addf(words, "went from " STR_FORMAT " to ",
                 STR_ARG(buf_str(&before)));
    buf_add(words, buf_str(&after));
    buf_done(&before);
    buf_done(&after);
}

/* "a mutex profile: 1.20s of delay, 159 contentions" */
static void add_measured(struct buf *words, const struct cprof_report *report)
{
    const struct report_summary *sum = report_summary(report);
    const struct measures *measures;
    const struct family *family;

    if (!report_n_measures(report)) {
        buf_addf(words, "a profile (" STR_FORMAT ") of ",
                 STR_ARG(sum->profile));
        counted_add(words, sum->nouns, sum->share_of);
        return;
    }
    measures = report_measures(report, 0);
    family = measures->family;
    if (measures->is_comparison) {
        add_comparison(words, measures);
        return;
    }
    if (family->info->has_negative) {
        buf_addf(words, "the difference of two " STR_FORMAT " profiles: ",
                 STR_ARG(sum->profile));
        add_value(words, measures, family->sums[measures->type_index]);
        buf_addf(words, " of " STR_FORMAT, STR_ARG(measures->type.name));
        return;
    }
    buf_addf(words, "%s " STR_FORMAT " profile: ",
             str_find(STR("aeiou"), sum->profile.ptr[0]) < 5 ? "an" : "a",
             STR_ARG(sum->profile));
    add_value(words, measures, measures->total);
    buf_addf(words, " of " STR_FORMAT, STR_ARG(measures->type.name));
    if (measures->count <= 0 || measures->count_index == measures->type_index)
        return;
    buf_add(words, STR(", "));
    counted_add(words, sum->nouns, (uint64_t)measures->count);
    if (family->info->duration_ns > 0 && family->n_judged == 1)
        buf_addf(words, ", over %.2f s",
                 (double)family->info->duration_ns / 1e9);
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

    if (still && !grown) {
        words_count(words, still);
        buf_add(words, STR(" of "));
        counted_add(words, sum->nouns, sum->share_of);
        buf_add(words, STR(" wait where they waited"));
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

static void add_calm(struct buf *words, const struct cprof_report *report)
{
    const struct report_summary *sum = report_summary(report);

    if (sum->kind == PROFILE_GOROUTINELEAK && !sum->share_of) {
        buf_add(words, STR("the runtime has proven no goroutine leaked"));
    } else if (profile_is_measured(sum->kind)) {
        add_measured(words, report);
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
        buf_add(words, STR("nothing stands out among "));
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
    if (report_summary(report)->unchanged >= CPROF_SEVERITY_MEDIUM)
        buf_add(words, STR("cprof-leaks analyze tells what the last dump "
                           "alone shows."));
    else
        buf_add(words, STR("What is not seen to grow is judged in the last "
                           "dump alone, not here."));
}

/* Both profiles are off until the program asks for them (runtime/mprof.go), and
 * then empty: that nobody waited is the less likely reason. */
static void add_perhaps_off(struct buf *words,
                            const struct cprof_report *report)
{
    enum profile_kind kind = report_summary(report)->kind;

    if ((kind != PROFILE_MUTEX && kind != PROFILE_BLOCK &&
         kind != PROFILE_CONTENTION) ||
        (report_n_measures(report) &&
         (report_measures(report, 0)->total ||
          report_measures(report, 0)->is_comparison)))
        return;
    buf_addf(words, "It is empty, so it is probably off; %s%s%s turns it on. ",
             kind == PROFILE_BLOCK ? "" : "runtime.SetMutexProfileFraction",
             kind == PROFILE_CONTENTION ? " or " : "",
             kind == PROFILE_MUTEX ? "" : "runtime.SetBlockProfileRate");
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
        add_perhaps_off(words, report);
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

static const struct {
    enum profile_kind kind;
    const char *text;
} meanings[] = {
    {PROFILE_HEAP, "inuse is what the last garbage collection left, alloc all "
                   "that was allocated since the start."},
    {PROFILE_ALLOCS, "alloc is all that was allocated since the start, freed "
                     "or not."},
    {PROFILE_BLOCK, "Stacks are of those who waited, delay is how long, added "
                    "up since profiling began."},
    {PROFILE_MUTEX, "Stacks are of those who held a lock and gave it back; "
                    "delay is how long others had waited for it."},
    {PROFILE_CPU, "Stacks are of what ran, not of what waits: use a goroutine "
                  "profile to find leaks."},
};

void words_of_meaning(struct buf *words, const struct measures *measures)
{
    const struct snapshot_info *info = measures->family->info;
    size_t start = words->len;

    for (size_t i = 0; i < sizeof(meanings) / sizeof(meanings[0]); i++) {
        if (meanings[i].kind == info->kind)
            buf_add(words, str_from(meanings[i].text));
    }
    if (info->has_negative || measures->is_comparison)
        buf_addf(words,
                 "%sThis is a difference: what is below zero became "
                 "less.",
                 words->len > start ? " " : "");
}

struct str words_of_sites(const struct measures *measures)
{
    return measures->n_own ? STR("Own code behind it")
                           : STR("Lines of the standard library behind it");
}

void words_of_library(struct buf *words, const struct measures *measures)
{
    size_t n = measures->n_sites - measures->n_own;

    buf_add(words, STR("standard library alone, "));
    words_count(words, n);
    buf_addf(words, " line%s", n == 1 ? "" : "s");
}

void words_of_memstats(struct buf *words, const struct memstats *stats)
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

    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
        struct unit unit =
            unit_choose(STR("bytes"), parts[i].bytes, parts[i].bytes);

        buf_addf(words, "%s%s ", i ? ", " : "", parts[i].name);
        unit_add(words, (int64_t)parts[i].bytes, unit);
    }
    buf_add(words, STR("; NumGC "));
    words_count(words, stats->num_gc);
}
