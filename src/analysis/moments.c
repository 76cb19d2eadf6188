#include "analysis/moments.h"

#include <stdlib.h>

#include "analysis/restarts.h"
#include "base/utc.h"
#include "model/name_time.h"
#include "model/options.h"

static const double hour_ns = 3600e9;

/* Moments from which on the first of them may be left out. */
enum { MANY = 6 };

/* Whether a snapshot may be a moment: it counts what the leading family
 * counts, and is not there to prove something. */
static bool is_candidate(const struct cprof_snapshots *snapshots,
                         const struct families *families, size_t snapshot)
{
    const struct snapshot_info *info =
        snapshot_info_get(snapshots->items[snapshot]);

    return !info->is_proof && !profile_is_measured(info->kind) &&
           families->of[snapshot] == 0;
}

/* What the user says of the time of a snapshot: its own time, or the same
 * distance between any two of a series. */
static bool read_given(const struct cprof_options *options,
                       const struct snapshot_info *info, size_t position,
                       int64_t *ret_ns)
{
    *ret_ns = info->given_ns;
    if (!*ret_ns)
        *ret_ns =
            utc_ns((int64_t)options->interval_s * ((int64_t)position + 1), 0);
    return *ret_ns != 0;
}

/* The time of a snapshot by one of the clocks; position is its place in the
 * series. */
static bool read_clock(const struct cprof_snapshots *snapshots, size_t snapshot,
                       size_t position, enum clock_source clock,
                       int64_t *ret_ns)
{
    const struct snapshot_info *info =
        snapshot_info_get(snapshots->items[snapshot]);

    *ret_ns = 0;
    switch (clock) {
    case CLOCK_GIVEN:
        return read_given(snapshots->options, info, position, ret_ns);
    case CLOCK_PROFILE:
        *ret_ns = info->taken_ns;
        break;
    case CLOCK_NAME:
        return name_time_find(info->source, ret_ns);
    case CLOCK_FILE:
        *ret_ns = info->written_ns;
        break;
    case CLOCK_STEPS:
        break;
    }
    return *ret_ns != 0;
}

/* What a clock says of a series. */
enum reading { READING_NONE, READING_EQUAL, READING_RISES, READING_FALLS };

/* Asks a clock for all times, as hours since the first. Where it falls,
 * *ret_at is the moment that does. */
static enum reading read_times(const struct cprof_snapshots *snapshots,
                               const struct moments *series,
                               enum clock_source clock, double *hours,
                               size_t *ret_at)
{
    enum reading reading = READING_EQUAL;
    int64_t first = 0;
    int64_t last = 0;

    for (size_t i = 0; i < series->n; i++) {
        int64_t at;

        if (!read_clock(snapshots, series->snapshots[i], i, clock, &at))
            return READING_NONE;
        if (!i)
            first = at;
        if (i && at < last && reading != READING_FALLS) {
            reading = READING_FALLS;
            *ret_at = i;
        } else if (i && at > last && reading == READING_EQUAL) {
            reading = READING_RISES;
        }
        last = at;
        hours[i] = (double)(at - first) / hour_ns;
    }
    return reading;
}

static void say_falls(struct cprof_snapshots *snapshots,
                      const struct moments *series, size_t at,
                      enum clock_source clock)
{
    const struct snapshot_info *info =
        snapshot_info_get(snapshots->items[series->snapshots[at]]);
    const struct snapshot_info *before =
        snapshot_info_get(snapshots->items[series->snapshots[at - 1]]);

    diag_add(&snapshots->diags, DIAG_WARNING, "time-order",
             (struct place){info->source.ptr, info->line, 0},
             "this snapshot is older than '" STR_FORMAT
             "', which stands before it (by %s); "
             "the order was kept and the distances are not used (--sort time "
             "sorts)",
             STR_ARG(before->source),
             clock == CLOCK_GIVEN     ? "--times"
             : clock == CLOCK_PROFILE ? "the time in the profile"
             : clock == CLOCK_NAME    ? "the time in its name"
                                      : "when the file was written");
}

/* Whether what a clock says can be distances. When a file was written says
 * little: a copy is written anew, all at once. A history that was filled from
 * such files has their times as its own, and nobody asks a program twenty times
 * a second. */
static bool is_usable(const struct moments *series, enum clock_source clock,
                      const double *hours)
{
    static const double second = 1 / 3600.0;
    double least = clock == CLOCK_FILE      ? second
                   : clock == CLOCK_PROFILE ? second / 20
                                            : 0;

    for (size_t i = 1; i < series->n; i++) {
        if (hours[i] - hours[i - 1] < least)
            return false;
    }
    return true;
}

/* Chooses the first clock that tells all times. */
static void settle_times(struct cprof_snapshots *snapshots,
                         struct moments *series, double *hours)
{
    static const enum clock_source clocks[] = {CLOCK_GIVEN, CLOCK_PROFILE,
                                               CLOCK_NAME, CLOCK_FILE};

    series->clock = CLOCK_STEPS;
    for (size_t i = 0; i < sizeof(clocks) / sizeof(clocks[0]); i++) {
        size_t at = 0;
        enum reading reading =
            read_times(snapshots, series, clocks[i], hours, &at);

        if (reading == READING_FALLS) {
            if (clocks[i] != CLOCK_FILE)
                say_falls(snapshots, series, at, clocks[i]);
            break;
        }
        if (reading == READING_RISES && is_usable(series, clocks[i], hours)) {
            series->clock = clocks[i];
            break;
        }
    }
    for (size_t i = 0; series->clock == CLOCK_STEPS && i < series->n; i++)
        hours[i] = (double)i;
    series->hours = hours;
}

/* A snapshot and its time, for sorting. */
struct timed {
    int64_t ns;
    size_t order;
    struct snapshot *snapshot;
};

static int compare_times(const void *a, const void *b)
{
    const struct timed *left = a;
    const struct timed *right = b;

    if (left->ns != right->ns)
        return left->ns < right->ns ? -1 : 1;
    return (left->order > right->order) - (left->order < right->order);
}

/* Asks one clock for the times of all snapshots; what is there to prove
 * something comes first. An interval that was given says nothing of the
 * order. */
static bool time_all(const struct cprof_snapshots *snapshots,
                     enum clock_source clock, struct timed *timed)
{
    for (size_t i = 0; i < snapshots->count; i++) {
        struct snapshot *snapshot = snapshots->items[i];

        timed[i] = (struct timed){INT64_MIN, i, snapshot};
        if (snapshot_info_get(snapshot)->is_proof)
            continue;
        if (clock == CLOCK_GIVEN) {
            timed[i].ns = snapshot_info_get(snapshot)->given_ns;
            if (!timed[i].ns)
                return false;
        } else if (!read_clock(snapshots, i, i, clock, &timed[i].ns)) {
            return false;
        }
    }
    return true;
}

/* Brings the snapshots into the order of the first clock that tells all
 * times. False when memory ran out. */
static bool sort_by_time(struct cprof_snapshots *snapshots)
{
    struct timed *timed = malloc((snapshots->count + 1) * sizeof(*timed));
    enum clock_source clock = CLOCK_GIVEN;

    if (!timed)
        return false;
    while (clock <= CLOCK_FILE && !time_all(snapshots, clock, timed))
        clock++;
    if (clock <= CLOCK_FILE) {
        qsort(timed, snapshots->count, sizeof(*timed), compare_times);
        for (size_t i = 0; i < snapshots->count; i++)
            snapshots->items[i] = timed[i].snapshot;
    } else {
        diag_add(&snapshots->diags, DIAG_WARNING, "time-unknown",
                 (struct place){0},
                 "the snapshots could not be sorted: neither profiles nor "
                 "names nor files tell the time of each; the order of the "
                 "inputs was kept (--times gives times)");
    }
    free(timed);
    return true;
}

bool moments_order(struct cprof_snapshots *snapshots)
{
    const struct option_list *times = &snapshots->options->times;
    size_t next = 0;

    for (size_t i = 0; i < snapshots->count; i++) {
        struct snapshot_info *info = snapshot_info(snapshots->items[i]);

        if (!info->is_proof && next < times->count)
            rfc3339_parse(str_from(times->values[next++]), &info->given_ns);
    }
    return !snapshots->options->sort_by_time || snapshots->count < 2 ||
           sort_by_time(snapshots);
}

/* Why a snapshot cannot be compared with others; NULL when it can. */
static const char *why_left_out(const struct snapshot *snapshot)
{
    const struct snapshot_info *info = snapshot_info_get(snapshot);

    if (!info->total)
        return "it holds no goroutine";
    return info->complete ? NULL
                          : "it is incomplete, so that counts fall "
                            "short";
}

/* What is needed to make series: of each instance by its number, and of each
 * snapshot. */
struct collector {
    struct cprof_snapshots *snapshots;
    const struct families *families;
    const struct instance_numbers *numbers;
    struct arena *arena;
    size_t *n_whole;     /* candidates of an instance that can be compared */
    uint32_t *series_of; /* of an instance: its place from 1, 0 = none yet */
};

static bool collector_init(struct collector *collector)
{
    size_t n = collector->numbers->count;

    collector->n_whole =
        arena_take_zero(collector->arena, n * sizeof(*collector->n_whole));
    collector->series_of =
        arena_take_zero(collector->arena, n * sizeof(*collector->series_of));
    return collector->n_whole && collector->series_of;
}

static void count_whole(struct collector *collector)
{
    const struct cprof_snapshots *snapshots = collector->snapshots;

    for (size_t i = 0; i < snapshots->count; i++) {
        if (is_candidate(snapshots, collector->families, i) &&
            !why_left_out(snapshots->items[i]))
            collector->n_whole[collector->numbers->of[i]]++;
    }
}

/* Whether a snapshot is compared. Says which are left out, where enough others
 * of the instance are whole. */
static bool choose(struct collector *collector, size_t snapshot)
{
    struct cprof_snapshots *snapshots = collector->snapshots;
    const struct snapshot_info *info =
        snapshot_info_get(snapshots->items[snapshot]);
    const char *why = why_left_out(snapshots->items[snapshot]);

    if (!is_candidate(snapshots, collector->families, snapshot))
        return false;
    if (!why || collector->n_whole[collector->numbers->of[snapshot]] < 2)
        return true;
    diag_add(&snapshots->diags, DIAG_WARNING, "left-out",
             (struct place){info->source.ptr, info->line, 0},
             "this snapshot is not compared: %s", why);
    return false;
}

/* Makes the series and counts the moments of each. */
static void count_series(struct collector *collector, struct moments_list *list)
{
    const struct cprof_snapshots *snapshots = collector->snapshots;

    for (size_t i = 0; i < snapshots->count; i++) {
        uint32_t *place = &collector->series_of[collector->numbers->of[i]];

        if (!choose(collector, i))
            continue;
        if (!*place) {
            list->items[list->count++] = (struct moments){
                .instance = snapshot_info_get(snapshots->items[i])->instance};
            *place = (uint32_t)list->count;
        }
        list->items[*place - 1].n++;
        list->of[i] = *place;
    }
}

/* Gives each series its snapshots. */
static bool fill_snapshots(const struct collector *collector,
                           struct moments_list *list)
{
    size_t count = collector->snapshots->count;
    size_t *items = arena_take(collector->arena, count * sizeof(*items));
    size_t *next = arena_take(collector->arena, list->count * sizeof(*next));
    size_t end = 0;

    if (!items || !next)
        return false;
    for (size_t k = 0; k < list->count; k++) {
        list->items[k].snapshots = items + end;
        next[k] = end;
        end += list->items[k].n;
    }
    for (size_t i = 0; i < count; i++) {
        if (list->of[i])
            items[next[list->of[i] - 1]++] = i;
    }
    return true;
}

/* Leaves out what was taken within --skip after the first moment, while the
 * process filled its caches and pools. */
static void skip_warm_up(struct cprof_snapshots *snapshots,
                         struct moments *series)
{
    double hours = (double)snapshots->options->skip_s / 3600;
    double begin = series->hours[series->first];

    if (!snapshots->options->skip_s || series->is_across)
        return;
    if (series->clock == CLOCK_STEPS) {
        diag_add(&snapshots->diags, DIAG_WARNING, "time-unknown",
                 (struct place){0},
                 "nothing was left out (--skip): when the snapshots were taken "
                 "is not known (--times and --interval tell)");
        return;
    }
    while (series->first + 2 < series->n &&
           series->hours[series->first] - begin < hours)
        series->first++;
}

static uint64_t total_at(const struct cprof_snapshots *snapshots,
                         const struct moments *series, size_t moment)
{
    size_t snapshot = series->snapshots[moment];

    return snapshot_info_get(snapshots->items[snapshot])->total;
}

/* A process that has just started says nothing of growth: where the first of
 * many moments has less than half the goroutines of the second, it is left
 * out. */
static void skip_start(struct cprof_snapshots *snapshots,
                       struct moments *series)
{
    size_t first = series->first;
    const struct snapshot_info *info;

    if (series->n - first < MANY ||
        total_at(snapshots, series, first) >=
            total_at(snapshots, series, first + 1) / 2)
        return;
    series->first++;
    info = snapshot_info_get(snapshots->items[series->snapshots[first]]);
    diag_add(&snapshots->diags, DIAG_INFO, "start-left-out",
             (struct place){info->source.ptr, 0, 0},
             "left out of the comparison: it has less than half the goroutines "
             "of the next one, as a process that has just started");
}

static bool settle_series(const struct collector *collector,
                          struct moments *series)
{
    struct cprof_snapshots *snapshots = collector->snapshots;
    double *hours = arena_take(collector->arena, series->n * sizeof(*hours));

    if (!hours)
        return false;
    settle_times(snapshots, series, hours);
    series->first = restarts_find(snapshots, series);
    series->has_restart = series->first > 0;
    if (series->first > 0 && series->first == series->n - 1) {
        series->is_across = true;
        series->first--;
    }
    skip_warm_up(snapshots, series);
    skip_start(snapshots, series);
    return true;
}

bool moments_collect(struct cprof_snapshots *snapshots,
                     const struct families *families,
                     const struct instance_numbers *numbers,
                     struct arena *arena, struct moments_list *ret)
{
    struct collector collector = {.snapshots = snapshots,
                                  .families = families,
                                  .numbers = numbers,
                                  .arena = arena};

    *ret = (struct moments_list){
        .items = arena_take(arena, numbers->count * sizeof(*ret->items)),
        .of = arena_take_zero(arena, snapshots->count * sizeof(*ret->of))};
    if (!ret->items || !ret->of || !collector_init(&collector))
        return false;
    count_whole(&collector);
    count_series(&collector, ret);
    if (!fill_snapshots(&collector, ret))
        return false;
    for (size_t i = 0; i < ret->count; i++) {
        if (!settle_series(&collector, &ret->items[i]))
            return false;
    }
    return true;
}

static int compare_snapshots(const void *a, const void *b)
{
    size_t left = *(const size_t *)a;
    size_t right = *(const size_t *)b;

    return (left > right) - (left < right);
}

size_t moments_find(const struct moments *series, size_t snapshot)
{
    const size_t *found = bsearch(&snapshot, series->snapshots, series->n,
                                  sizeof(snapshot), compare_snapshots);

    return found ? (size_t)(found - series->snapshots) : MOMENTS_NONE;
}

size_t moments_whole(const struct cprof_snapshots *snapshots,
                     const struct moments *series, size_t at)
{
    size_t n;

    while (at + 1 < series->n &&
           snapshot_folded(snapshots->items[series->snapshots[at]], &n))
        at++;
    return at;
}

bool moments_are_near(const struct moments *series)
{
    double hours = series->hours[series->n - 1] - series->hours[series->first];

    return series->clock != CLOCK_STEPS && hours * 3600 < MOMENTS_APART;
}

const char *clock_source_text(enum clock_source clock)
{
    static const char *const words[] = {
        [CLOCK_STEPS] = "steps",     [CLOCK_GIVEN] = "given",
        [CLOCK_PROFILE] = "profile", [CLOCK_NAME] = "name",
        [CLOCK_FILE] = "file",
    };

    return words[clock];
}
