#include "report/measure_words.h"

#include "report/answer_words.h"
#include "rules/words.h"

static void add_value(struct buf *words, const struct measures *measures,
                      int64_t value)
{
    uint64_t size = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;

    unit_add(words, value, unit_choose(measures->type.unit, size, size));
}

static void add_number(struct buf *words, size_t n)
{
    if (n == 2)
        buf_add(words, STR("two"));
    else
        words_count(words, n);
}

/* What the values of a comparison did between its first and its last. */
struct course {
    size_t n;
    int64_t least;
    int64_t most;
    int64_t last;
    bool rises; /* each is more than the one before */
    bool falls;
};

static void course_add(struct course *course, int64_t value)
{
    if (!course->n++) {
        *course = (struct course){1, value, value, value, true, true};
        return;
    }
    course->rises &= value > course->last;
    course->falls &= value < course->last;
    course->last = value;
    if (value < course->least)
        course->least = value;
    if (value > course->most)
        course->most = value;
}

/* ", more each time", where there are more than two of one process. */
static void add_course(struct buf *words, const struct cprof_report *report,
                       const struct measures *measures)
{
    const struct analysis *analysis = report_analysis(report);
    const struct cprof_snapshots *all = analysis_snapshots(analysis);
    const struct snapshot_info *of = measures->family->info;
    struct course course = {0};

    for (size_t i = 0; i < all->count; i++) {
        const struct snapshot_info *info = snapshot_info_get(all->items[i]);

        if (info->is_proof ||
            analysis_family_of(analysis, i) != measures->family_index)
            continue;
        if (!str_equal(info->instance, of->instance))
            return;
        course_add(&course, info->totals[measures->type_index]);
    }
    if (course.n < 3)
        return;
    if (course.rises || course.falls) {
        buf_addf(words, ", %s each time", course.rises ? "more" : "less");
        return;
    }
    buf_add(words, STR(", and was between "));
    add_value(words, measures, course.least);
    buf_add(words, STR(" and "));
    add_value(words, measures, course.most);
}

/* "inuse_space went from 2.66MB to 3.97MB" */
static void add_change(struct buf *words, const struct cprof_report *report,
                       const struct measures *measures)
{
    const struct family *family = measures->family;
    struct buf before = {0};
    struct buf after = {0};

    add_value(&before, measures, family->befores[measures->type_index]);
    add_value(&after, measures, family->sums[measures->type_index]);
    buf_add(words, measures->type.name);
    if (str_equal(buf_str(&before), buf_str(&after)))
        buf_add(words, STR(" stayed at "));
    else
        buf_addf(words, " went from " STR_FORMAT " to ",
                 STR_ARG(buf_str(&before)));
    buf_add(words, buf_str(&after));
    add_course(words, report, measures);
    buf_done(&before);
    buf_done(&after);
}

/* Of how long a profile is, when it is one of some time. */
static double seconds_of(const struct measures *measures)
{
    const struct family *family = measures->family;

    return family->n_judged == 1 && !measures->is_comparison
               ? (double)family->last->duration_ns / 1e9
               : 0;
}

/* "the difference of two heap profiles", "two heap profiles together" */
static void add_head(struct buf *words, const struct measures *measures)
{
    const struct family *family = measures->family;
    struct str profile = family->info->profile;

    if (measures->is_comparison) {
        add_number(words, family->n);
        buf_addf(words, " " STR_FORMAT " profiles", STR_ARG(profile));
    } else if (family->info->has_negative) {
        buf_addf(words, "the difference of two " STR_FORMAT " profiles",
                 STR_ARG(profile));
    } else if (family->n_judged > 1) {
        add_number(words, family->n_judged);
        buf_addf(words, " " STR_FORMAT " profiles together", STR_ARG(profile));
    } else {
        buf_addf(words, "%s " STR_FORMAT " profile",
                 str_find(STR("aeiou"), profile.ptr[0]) < 5 ? "an" : "a",
                 STR_ARG(profile));
    }
    buf_add(words, STR(": "));
}

void words_of_measured(struct buf *words, const struct cprof_report *report)
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
    add_head(words, measures);
    if (measures->is_comparison) {
        add_change(words, report, measures);
        return;
    }
    add_value(words, measures,
              family->info->has_negative ? family->sums[measures->type_index]
                                         : measures->total);
    buf_addf(words, " of " STR_FORMAT, STR_ARG(measures->type.name));
    if (measures->count > 0 && !family->info->has_negative &&
        measures->count_index != measures->type_index) {
        buf_add(words, STR(", "));
        counted_add(words, sum->nouns, (uint64_t)measures->count);
    }
    if (seconds_of(measures) > 0)
        buf_addf(words, ", over %.2f s", seconds_of(measures));
}

void words_of_measured_beside(struct buf *words,
                              const struct cprof_report *report)
{
    for (size_t i = 0; i < report_n_measures(report); i++) {
        const struct measures *measures = report_measures(report, i);

        if (!measures->is_comparison)
            continue;
        buf_addf(words, "Beside them, in the " STR_FORMAT " profiles, ",
                 STR_ARG(measures->family->info->profile));
        add_change(words, report, measures);
        buf_add(words, STR(". "));
    }
}

/* Why a profile of those who waited is empty. That it is on, the text of a
 * mutex profile says; both are off until the program asks for them
 * (runtime/mprof.go). */
static void add_empty(struct buf *words, enum profile_kind kind,
                      enum sampling sampling)
{
    /* ORDER SAMPLING */
    static const char *const heads[] = {"either it is off", "it is on",
                                        "it is off"};

    buf_addf(words, "It is empty: %s", heads[sampling]);
    if (sampling != SAMPLING_ON)
        buf_addf(words, " (%s%s%s turns it on)",
                 kind == PROFILE_BLOCK ? "" : "runtime.SetMutexProfileFraction",
                 kind == PROFILE_CONTENTION ? " or " : "",
                 kind == PROFILE_MUTEX ? "" : "runtime.SetBlockProfileRate");
    if (sampling != SAMPLING_OFF)
        buf_addf(
            words,
            ", %s no wait has ended. Waits that last are not in it, but in "
            "a goroutine profile",
            sampling == SAMPLING_ON ? "and" : "or");
    buf_add(words, STR(". "));
}

void words_of_sampling(struct buf *words, const struct cprof_report *report)
{
    enum profile_kind kind = report_summary(report)->kind;
    const struct measures *measures =
        report_n_measures(report) ? report_measures(report, 0) : NULL;
    enum sampling sampling = measures && measures->family->last
                                 ? measures->family->last->sampling
                                 : SAMPLING_UNKNOWN;

    if (kind == PROFILE_HEAP || kind == PROFILE_ALLOCS) {
        if (sampling == SAMPLING_OFF)
            buf_add(words, STR("It was off: its rate is 0 "
                               "(runtime.MemProfileRate), and what is "
                               "allocated then is not in it. "));
        return;
    }
    if ((kind == PROFILE_MUTEX || kind == PROFILE_BLOCK ||
         kind == PROFILE_CONTENTION) &&
        (!measures || (!measures->total && !measures->is_comparison)))
        add_empty(words, kind, sampling);
}

static const struct measure_row *find_row(const struct measures *measures,
                                          struct str function)
{
    for (size_t i = 0; i < measures->n_rows; i++) {
        if (str_equal(measures->rows[i].function, function))
            return &measures->rows[i];
    }
    return NULL;
}

void words_of_heap_in(struct buf *words, const struct cprof_report *report,
                      struct str function)
{
    for (size_t i = 0; i < report_n_measures(report); i++) {
        const struct measures *measures = report_measures(report, i);
        const struct measure_row *row = find_row(measures, function);

        if (measures->family->info->kind != PROFILE_HEAP || !row ||
            !str_equal(measures->type.name, STR("inuse_space")) ||
            row->cum < measures->total / 100)
            continue;
        add_value(words, measures, row->cum);
        if (measures->is_comparison) {
            buf_add(words, STR(" more"));
        } else {
            buf_add(words, STR(" ("));
            percent_add(words, row->cum, measures->total);
            buf_add_char(words, ')');
        }
        buf_addf(words,
                 " of inuse_space%s was allocated in it or in what it called",
                 measures->is_comparison ? " than before" : "");
        return;
    }
}

static const struct {
    enum profile_kind kind;
    const char *text;
    const char *of_time; /* the same of a profile of some seconds */
} meanings[] = {
    {PROFILE_HEAP,
     "inuse is what the last garbage collection left, alloc all that was "
     "allocated since the start.",
     "alloc is what was allocated in this time, inuse by how much it became "
     "more or less."},
    {PROFILE_ALLOCS,
     "alloc is all that was allocated since the start, freed or not.",
     "alloc is what was allocated in this time, freed or not."},
    {PROFILE_BLOCK,
     "Stacks are of those who waited, delay is how long, added up since "
     "profiling began.",
     "Stacks are of those whose wait ended in this time, delay is how long it "
     "was."},
    {PROFILE_MUTEX,
     "Stacks are of those who held a lock and gave it back; delay is how long "
     "others had waited for it, up to Go 1.21 one of them at a time.",
     "Stacks are of those who gave a lock back in this time; delay is how long "
     "others had waited for it, up to Go 1.21 one of them at a time."},
    {PROFILE_CPU,
     "Stacks are of what ran, not of what waits: use a goroutine profile to "
     "find leaks.",
     "Stacks are of what ran, not of what waits: use a goroutine profile to "
     "find leaks."},
};

void words_of_meaning(struct buf *words, const struct measures *measures)
{
    const struct snapshot_info *info = measures->family->info;
    size_t start = words->len;

    if (info->kind == PROFILE_HEAP && measures->memstats &&
        !measures->memstats->num_gc && !measures->is_comparison) {
        buf_add(words, STR("No garbage collection has run yet, so that inuse "
                           "is all that was allocated, as alloc is."));
        return;
    }
    for (size_t i = 0; i < sizeof(meanings) / sizeof(meanings[0]); i++) {
        if (meanings[i].kind == info->kind)
            buf_add(words,
                    str_from(seconds_of(measures) > 0 ? meanings[i].of_time
                                                      : meanings[i].text));
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
