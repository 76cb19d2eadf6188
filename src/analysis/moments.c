#include "analysis/moments.h"

#include "analysis/restarts.h"
#include "model/name_time.h"

static const double HOUR_NS = 3600e9;

static bool is_moment(const struct snapshot *snapshot)
{
    const struct snapshot_info *info = snapshot_info_get(snapshot);

    return info->kind == PROFILE_GOROUTINE && !info->is_proof;
}

/* The time of a snapshot by one of the clocks. */
static bool read_clock(const struct snapshot_info *info,
                       enum clock_source clock, int64_t *ret_ns)
{
    *ret_ns = 0;
    switch (clock) {
    case CLOCK_GIVEN:
        *ret_ns = info->given_ns;
        break;
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

        if (!read_clock(
                snapshot_info_get(snapshots->items[series->snapshots[i]]),
                clock, &at))
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
        hours[i] = (double)(at - first) / HOUR_NS;
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
            say_falls(snapshots, series, at, clocks[i]);
            break;
        }
        if (reading == READING_RISES) {
            series->clock = clocks[i];
            break;
        }
    }
    for (size_t i = 0; series->clock == CLOCK_STEPS && i < series->n; i++)
        hours[i] = (double)i;
    series->hours = hours;
}

static struct moments *find_series(struct moments *all, size_t n,
                                   struct str instance)
{
    for (size_t i = 0; i < n; i++) {
        if (str_equal(all[i].instance, instance))
            return &all[i];
    }
    return NULL;
}

/* Counts the moments of each instance. */
static size_t count_series(const struct cprof_snapshots *snapshots,
                           struct moments *all)
{
    size_t n = 0;

    for (size_t i = 0; i < snapshots->count; i++) {
        const struct snapshot_info *info =
            snapshot_info_get(snapshots->items[i]);
        struct moments *series;

        if (!is_moment(snapshots->items[i]))
            continue;
        series = find_series(all, n, info->instance);
        if (!series) {
            series = &all[n++];
            *series = (struct moments){.instance = info->instance};
        }
        series->n++;
    }
    return n;
}

static bool fill_series(struct cprof_snapshots *snapshots, struct arena *arena,
                        struct moments *series)
{
    size_t *items = arena_take(arena, series->n * sizeof(*items));
    double *hours = arena_take(arena, series->n * sizeof(*hours));
    size_t n = 0;

    if (!items || !hours)
        return false;
    for (size_t i = 0; i < snapshots->count; i++) {
        const struct snapshot_info *info =
            snapshot_info_get(snapshots->items[i]);

        if (is_moment(snapshots->items[i]) &&
            str_equal(info->instance, series->instance))
            items[n++] = i;
    }
    series->snapshots = items;
    settle_times(snapshots, series, hours);
    series->first = restarts_find(snapshots, series);
    return true;
}

bool moments_collect(struct cprof_snapshots *snapshots, struct arena *arena,
                     struct moments **ret, size_t *ret_count)
{
    struct moments *all =
        arena_take(arena, (snapshots->count + 1) * sizeof(*all));
    size_t n;

    *ret_count = 0;
    if (!all)
        return false;
    n = count_series(snapshots, all);
    for (size_t i = 0; i < n; i++) {
        if (!fill_series(snapshots, arena, &all[i]))
            return false;
    }
    *ret = all;
    *ret_count = n;
    return true;
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
