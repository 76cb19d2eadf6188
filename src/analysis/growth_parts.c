#include "analysis/growth_parts.h"

#include <math.h>
#include <stdlib.h>

enum {
    WINDOW_LEAST = 12, /* snapshots in a window that is judged for itself */
    SIX_HOURS = 6,
    DAY_HOURS = 24,
};

/* What is judged. ORDER WINDOWS: the shortest last. */
static const struct {
    double hours;    /* 0 = all, or an end */
    unsigned end_of; /* of the moments of the shortest window before those that
                        are ends one in so many; 0 = it is none */
    const char *word;
} windows[GROWTH_PARTS] = {
    {0, 0, "all"},  {168, 0, "week"}, {24, 0, "day"}, {SIX_HOURS, 0, "6 hours"},
    {1, 0, "hour"}, {0, 2, "end"},    {0, 4, "end"},
};

/* How much more than ever before is clearly more, and at an end, where less
 * time tells it. */
static const double beyond_share = 1.25;
static const double beyond_share_end = 2;
/* How many times as far from the usual rise as those of the others stands
 * out, and how far apart these are at least. */
static const double apart_times = 5;
static const double apart_least = 0.05;

/* Takes the counts of all sites out of the moments from `first` on. */
static bool fill_part(struct growth_part *part, const struct moments *series,
                      size_t first, const struct site_growth *sites,
                      size_t n_sites, struct series_scratch *scratch)
{
    size_t n = series->n - first;
    double *times = malloc((n + 1) * sizeof(*times));
    double *counts = malloc((n + 1) * sizeof(*counts));
    size_t most = n < SERIES_MOST ? n : SERIES_MOST;
    bool has_all;

    part->times = malloc((most + 1) * sizeof(*part->times));
    part->counts = malloc((most * n_sites + 1) * sizeof(*part->counts));
    part->n = most;
    has_all = times && counts && part->times && part->counts;
    for (size_t s = 0; has_all && s < n_sites; s++) {
        for (size_t i = 0; i < n; i++) {
            times[i] = series->hours[first + i];
            counts[i] = sites[s].counts[series->snapshots[first + i]];
        }
        part->n = series_thin(times, counts, n, scratch);
        memcpy(part->times, times, part->n * sizeof(*times));
        memcpy(part->counts + s * part->n, counts, part->n * sizeof(*counts));
    }
    free(times);
    free(counts);
    return has_all;
}

/* Where the last hours of a series begin; the number of its moments when that
 * is nearly all of it, or too little. */
static size_t window_begin(const struct moments *series, size_t first,
                           double hours)
{
    double end = series->hours[series->n - 1];
    size_t from = series->n;

    if (series->clock == CLOCK_STEPS || end - series->hours[first] < hours * 2)
        return series->n;
    while (from > first && series->hours[from - 1] >= end - hours)
        from--;
    return series->n - from >= WINDOW_LEAST ? from : series->n;
}

/* The same, but for the six hours: these are for who looks less often than
 * every five minutes. Beside the last hour they are one more chance to take a
 * morning for a leak. */
static size_t windows_begin(const struct moments *series, size_t first,
                            double hours)
{
    if (hours == SIX_HOURS && window_begin(series, first, 1) < series->n)
        return series->n;
    return window_begin(series, first, hours);
}

/* How a site rises in a part: the logarithm of the median of its last third by
 * that of the first. One more of each keeps small counts small. */
static double rise_in(const struct growth_part *part, size_t site,
                      struct series_scratch *scratch)
{
    const double *counts = growth_part_counts(part, site);
    size_t third = series_third(part->n);
    double first;
    double last;

    if (third > part->n)
        return 0;
    first = series_median(counts, third, scratch);
    last = series_median(counts + part->n - third, third, scratch);
    return log((last + 1) / (first + 1));
}

/* Measures how the sites of a part move: the middle of their rises, and how far
 * they usually lie apart, which is at least that middle. */
static bool find_usual_rise(struct growth_part *part, size_t n_sites,
                            struct series_scratch *scratch)
{
    double *rises = malloc((n_sites + 1) * sizeof(*rises));
    double apart = 0;
    size_t n = 0;

    if (!rises)
        return false;
    for (size_t i = 0; i < n_sites && n < SERIES_PAIRS; i++) {
        if (series_median(growth_part_counts(part, i), part->n, scratch) >=
            TREND_FLOOR)
            rises[n++] = rise_in(part, i, scratch);
    }
    part->n_usual = n;
    if (n > LOAD_LEAST) {
        part->rise = series_median(rises, n, scratch);
        for (size_t i = 0; i < n; i++)
            rises[i] = fabs(rises[i] - part->rise);
        /* So many median distances are one deviation of the normal one. */
        apart = 1.4826 * series_median(rises, n, scratch);
    }
    part->apart = fmax(hypot(apart, part->rise), apart_least);
    free(rises);
    return true;
}

/* Of most sites the load without them is that of all. */
static bool find_load(struct growth_part *part, size_t n_sites,
                      struct series_scratch *scratch)
{
    load_init(&part->load, part->n);
    for (size_t i = 0; i < n_sites; i++)
        load_add(&part->load, growth_part_counts(part, i), scratch);
    load_seal(&part->load);
    part->busy = malloc((part->n + 1) * sizeof(*part->busy));
    if (!part->busy)
        return false;
    if (!load_get(&part->load, NULL, part->busy, scratch)) {
        free(part->busy);
        part->busy = NULL;
    }
    return true;
}

/* Where an end of a window begins, which has all moments from one on. Five in
 * order would be too many chances where there are many places. */
static size_t end_begin(const struct moments *series, size_t from,
                        unsigned end_of)
{
    size_t n = (series->n - from + end_of - 1) / end_of + 1;

    return n > TREND_WHOLE && n < series->n - from ? series->n - n : series->n;
}

bool growth_parts_fill(struct growth_parts *parts, const struct moments *series,
                       size_t first, const struct site_growth *sites,
                       size_t n_sites, struct series_scratch *scratch)
{
    size_t shortest = first;

    parts->n_sites = n_sites;
    for (size_t i = 0; i < GROWTH_PARTS; i++) {
        struct growth_part *part = &parts->items[i];
        size_t from = first;

        part->window = windows[i].word;
        part->is_end = windows[i].end_of;
        if (part->is_end)
            from = end_begin(series, shortest, windows[i].end_of);
        else if (windows[i].hours > 0)
            from = windows_begin(series, first, windows[i].hours);
        if (from == series->n)
            continue;
        if (!part->is_end)
            shortest = from;
        part->has_past =
            series->hours[from] - series->hours[first] >= DAY_HOURS;
        if (!fill_part(part, series, from, sites, n_sites, scratch) ||
            !find_usual_rise(part, n_sites, scratch))
            return false;
        if (!find_load(part, n_sites, scratch))
            return false;
    }
    return true;
}

void growth_parts_done(struct growth_parts *parts)
{
    for (size_t i = 0; i < GROWTH_PARTS; i++) {
        free(parts->items[i].times);
        free(parts->items[i].counts);
        free(parts->items[i].busy);
    }
}

const double *growth_part_load(const struct growth_part *part, size_t site,
                               double own[SERIES_MOST],
                               struct series_scratch *scratch)
{
    const double *counts = growth_part_counts(part, site);

    if (!load_asks(&part->load, counts))
        return part->busy;
    return load_get(&part->load, counts, own, scratch) ? own : NULL;
}

/* Whether counts rose in one step more than in all others: a change, and no
 * growth that goes on. */
static bool is_one_step(const double *counts, size_t n)
{
    double most = 0;

    for (size_t i = 1; i < n; i++)
        most = fmax(most, counts[i] - counts[i - 1]);
    return most * 2 > counts[n - 1] - counts[0];
}

bool growth_part_is_beyond(const struct growth_parts *parts, size_t index,
                           size_t site, struct series_scratch *scratch)
{
    const struct growth_part *all = &parts->items[0];
    const struct growth_part *part = &parts->items[index];
    const double *counts = growth_part_counts(all, site);
    size_t third = series_third(part->n);
    double end = series_median(growth_part_counts(part, site) + part->n - third,
                               third, scratch);
    double most = 0;

    for (size_t i = 0; i < all->n && all->times[i] < part->times[0]; i++)
        most = counts[i] > most ? counts[i] : most;
    if (part->is_end)
        return end > most * beyond_share_end && end - most >= TREND_PAIR &&
               !is_one_step(growth_part_counts(part, site), part->n);
    return end > most * beyond_share;
}

bool growth_part_is_apart(const struct growth_part *part, size_t site,
                          struct series_scratch *scratch)
{
    return rise_in(part, site, scratch) - part->rise >
           part->apart * apart_times;
}
