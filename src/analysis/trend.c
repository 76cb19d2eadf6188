#include "analysis/trend.h"

#include <math.h>

#include "analysis/load.h"

/* The chance at which a test holds: about the least that five values in order
 * can reach (1 in 120). */
static const double p_limit = 0.01;
/* The same for a rise that is over and level since. */
static const double p_level = 0.05;
static const double level_share = 0.25; /* of the rise */
/* A series that hardly ever turns: what follows itself in it is the growth,
 * and taking that for noise would hide it. */
static const double tau_monotone = 0.9;
/* A rise by less than this part of the usual count is not judged. */
static const double rise_share = 0.25;
/* What must be left of the slope in the last third, and of that of the first
 * half in the second: less is a rise that comes to its end. */
static const double tail_share = 0.3;
/* The part of a rise from which on it has begun. */
static const double rise_begun = 0.1;
/* The steps of a series of few points may fall by this part. */
static const double step_fall = 0.05;
/* Deviations that two counts must lie apart. */
static const double distance_least = 4;
/* How much more the second of two counts must be than the first. */
static const double pair_ratio = 1.5;
static const double pair_ratio_load = 1.25; /* load taken out */
/* A load that fell by so much, while the counts did not, explains nothing. */
static const double load_fall = 0.2;
/* A load that goes one way in step with time cannot be told from growth. */
static const double tau_load = 0.7;
/* From so many points on only the whole test counts. */
static const size_t few_end = 8;
/* So many points, spread over all, tell the rate of what does not grow. */
enum { RATE_POINTS = 48 };

static double least_of(const double *values, size_t n)
{
    double least = values[0];

    for (size_t i = 1; i < n; i++)
        least = values[i] < least ? values[i] : least;
    return least;
}

static double most_of(const double *values, size_t n)
{
    double most = values[0];

    for (size_t i = 1; i < n; i++)
        most = values[i] > most ? values[i] : most;
    return most;
}

static double least_rise(double usual, double least)
{
    double share = usual * rise_share;

    return share > least ? share : least;
}

/* How far apart two counts are, in deviations: the roots of counts that chance
 * makes all vary by a half (Anscombe). */
static double distance_of(double before, double after)
{
    return 2 * (sqrt(after + 0.375) - sqrt(before + 0.375));
}

/* What the whole test found. */
struct whole {
    double p;
    bool rises;   /* more than chance, and by enough */
    bool goes_on; /* rises, to the end */
};

/* By how much the variance of a test is larger because values follow those
 * before them. The estimate from few values is too small by what is added
 * (Marriott and Pope). */
static double inflation_of(const double *times, const double *values, size_t n,
                           double slope, struct series_scratch *scratch)
{
    double m = (double)n;
    double r;

    if (n < few_end)
        return 1;
    r = series_autocorrelation(times, values, n, slope, scratch);
    r = (m * r + 1) / (m - 4);
    if (r <= 0)
        return 1;
    return r < 0.9 ? (1 + r) / (1 - r) : 19;
}

/* Whether the rise does not come to its end: the last third still rises and
 * lies above the first, and the second half rises like the first. */
static bool goes_on(const double *times, const double *values, size_t n,
                    double slope, struct series_scratch *scratch)
{
    size_t third = series_third(n);
    size_t tail = n - (third > 3 ? third : 3);
    size_t half = n / 2;
    double end =
        series_slope(times + tail, values + tail, n - tail, scratch).median;
    double first = series_slope(times, values, half + 1, scratch).median;
    double second =
        series_slope(times + half, values + half, n - half, scratch).median;

    return end >= tail_share * slope && second >= tail_share * first &&
           least_of(values + n - third, third) > most_of(values, third);
}

/* The whole test of TREND_WHOLE values or more, which must rise by `least`. */
static struct whole test_whole(const double *times, const double *values,
                               size_t n, double least,
                               struct series_scratch *scratch)
{
    struct slope slope = series_slope(times, values, n, scratch);
    struct kendall kendall = series_kendall(values, n, 1);
    double usual = series_median(values, series_third(n), scratch);
    struct whole ret = {.p = 1};
    double inflation = 1;

    if (slope.low <= 0)
        return ret;
    if (kendall.tau < tau_monotone)
        inflation = inflation_of(times, values, n, slope.median, scratch);
    if (inflation > 1)
        kendall = series_kendall(values, n, inflation);
    ret.p = kendall.p_rising;
    ret.rises = ret.p < p_limit && slope.median * (times[n - 1] - times[0]) >=
                                       least_rise(usual, least);
    ret.goes_on = ret.rises && goes_on(times, values, n, slope.median, scratch);
    return ret;
}

/* Whether the load once fell clearly, while the counts never did. */
static bool is_against_load(const struct trend_series *series)
{
    double top = 0;
    bool fell = false;

    for (size_t i = 0; i < series->n; i++) {
        if (i && series->counts[i] < series->counts[i - 1])
            return false;
        top = series->load[i] > top ? series->load[i] : top;
        fell = fell || series->load[i] < top * (1 - load_fall);
    }
    return fell;
}

/* The whole test with the load taken out. Where the load itself goes one way,
 * the counts by load must grow too: nothing else can tell growth from it. */
static struct whole test_loaded(const struct trend_series *series,
                                struct series_scratch *scratch)
{
    double rest[SERIES_MOST];
    size_t n = series->n;
    struct whole ret;

    load_remove(series->times, series->counts, series->load, n, rest, scratch);
    ret = test_whole(series->times, rest, n, TREND_FLOOR, scratch);
    if (ret.rises && ret.goes_on &&
        series_kendall(series->load, n, 1).tau > tau_load) {
        for (size_t i = 0; i < n; i++)
            rest[i] = series->counts[i] / series->load[i];
        ret = test_whole(series->times, rest, n, 0, scratch);
    }
    return ret;
}

/* The counts themselves must have risen too, whatever the load. The middles of
 * the first and the last third lie two thirds of the time apart. */
static bool has_risen(const struct trend_series *series,
                      struct series_scratch *scratch)
{
    size_t third = series_third(series->n);

    return series_median(series->counts + series->n - third, third, scratch) -
               series_median(series->counts, third, scratch) >=
           TREND_FLOOR * 2.0 / 3;
}

/* Whether the second half of values lies within a small part of a rise. */
static bool is_level(const double *values, size_t n, double rise)
{
    size_t half = n / 2;

    return most_of(values + half, n - half) -
               least_of(values + half, n - half) <=
           rise * level_share;
}

/* Where a rise begins: the last value from which on it is not a tenth of it. */
static size_t rise_begin(const double *values, size_t n)
{
    double rise = values[n - 1] - values[0];
    size_t i = 0;

    while (i + 1 < n && values[i + 1] < values[0] + rise * rise_begun)
        i++;
    return i;
}

/* Whether the end of a rise, wherever that begins, still rises: the last
 * quarter of it as fast as what goes on does. In a long series a leak is a flat
 * line that turns up at its end. */
static bool rises_on(const double *times, const double *values, size_t n)
{
    size_t first = rise_begin(values, n);
    size_t last = n - 1;
    size_t tail = last - (n - first) / 4;
    double all = times[last] - times[first];
    double end = times[last] - times[tail];

    if (n - first < TREND_WHOLE)
        return true;
    return all > 0 && end > 0 &&
           (values[last] - values[tail]) / end >=
               tail_share * (values[last] - values[first]) / all;
}

/* Whether values rose by more than chance, all taken for themselves, and by
 * enough: what has come to its end follows itself so much that the whole test
 * sees nothing in it. What came after the rise weighs against it; where that
 * is level, less is asked. */
static bool has_filled_up(const struct trend_series *series,
                          struct series_scratch *scratch)
{
    const double *counts = series->counts;
    size_t n = series->n;
    double usual = series_median(counts, series_third(n), scratch);
    double rise = counts[n - 1] - counts[0];
    double limit = is_level(counts, n, rise) ? p_level : p_limit;

    return series_kendall(counts, n, 1).p_rising < limit &&
           rise >= least_rise(usual, TREND_FLOOR) &&
           !rises_on(series->times, counts, n) &&
           !goes_on(series->times, counts, n,
                    series_slope(series->times, counts, n, scratch).median,
                    scratch);
}

/* Growth or a plateau by the whole test. */
static void judge_whole(const struct trend_series *series, struct trend *ret,
                        struct series_scratch *scratch)
{
    struct whole whole;

    if (!has_risen(series, scratch))
        return;
    if (series->load && !is_against_load(series))
        whole = test_loaded(series, scratch);
    else
        whole = test_whole(series->times, series->counts, series->n,
                           TREND_FLOOR, scratch);
    ret->p = whole.p;
    if (whole.rises && whole.goes_on) {
        ret->verdict = TREND_GROWING;
        ret->is_whole = true;
    } else if (has_filled_up(series, scratch)) {
        ret->verdict = TREND_PLATEAU;
    }
}

static double load_at(const struct trend_series *series, size_t i)
{
    return series->load ? series->load[i] : 1;
}

/* The part of all time that the last step took; of points at one time each has
 * as much. */
static double last_step_share(const struct trend_series *series)
{
    size_t last = series->n - 1;
    double all = series->times[last] - series->times[0];

    return all > 0 ? (series->times[last] - series->times[last - 1]) / all
                   : 1 / (double)last;
}

/* Whether no step falls, but for chance. */
static bool never_falls(const struct trend_series *series)
{
    for (size_t i = 1; i < series->n; i++) {
        if (series->counts[i] < series->counts[i - 1] * (1 - step_fall))
            return false;
    }
    return true;
}

/* Growth of three points or a few more: no step falls, the ends lie apart by
 * more than chance, and the last step is not the end of it. */
static bool is_growing_few(const struct trend_series *series)
{
    const double *counts = series->counts;
    size_t last = series->n - 1;
    double ratio = load_at(series, 0) / load_at(series, last);
    double rise = counts[last] * (ratio < 1 ? ratio : 1) - counts[0];

    return never_falls(series) && rise >= least_rise(counts[0], TREND_FLOOR) &&
           distance_of(counts[0], counts[0] + rise) >= distance_least &&
           counts[last] - counts[last - 1] >= tail_share *
                                                  (counts[last] - counts[0]) *
                                                  last_step_share(series);
}

/* More than chance between two counts, load taken out. */
static bool has_grown(double before, double after, double load)
{
    return after - before >= TREND_PAIR &&
           distance_of(before, after) >= distance_least &&
           after >= before * pair_ratio &&
           after / load >= before * pair_ratio_load;
}

/* What two counts, the first and the last, say alone. Of a few more a rise has
 * to last: what came at once and stays is no less than it was in between. */
static enum trend_verdict judge_ends(const struct trend_series *series)
{
    size_t last = series->n - 1;
    double before = series->counts[0];
    double after = series->counts[last];
    double load = load_at(series, last) / load_at(series, 0);

    if (series->n < TREND_WHOLE && never_falls(series) &&
        has_grown(before, after, load))
        return TREND_GREW;
    if (has_grown(after, before, 1 / load))
        return TREND_SHRANK;
    return TREND_STABLE;
}

/* The rate of a series. Every pair of points is asked where it matters; what is
 * not growing is measured by some of many points. What was quiet for a quarter
 * of the time and more before it grew has the rate of its growth. */
static struct slope rate_of(const struct trend_series *series, bool is_growing,
                            struct series_scratch *scratch)
{
    double times[RATE_POINTS];
    double counts[RATE_POINTS];
    size_t last = series->n - 1;

    size_t first = is_growing ? rise_begin(series->counts, series->n) : 0;

    if (first >= series->n / 4 && series->n - first >= TREND_WHOLE && first)
        return series_slope(series->times + first, series->counts + first,
                            series->n - first, scratch);
    if (is_growing || series->n <= RATE_POINTS)
        return series_slope(series->times, series->counts, series->n, scratch);
    for (size_t i = 0; i < RATE_POINTS; i++) {
        times[i] = series->times[i * last / (RATE_POINTS - 1)];
        counts[i] = series->counts[i * last / (RATE_POINTS - 1)];
    }
    return series_slope(times, counts, RATE_POINTS, scratch);
}

struct trend trend_judge(const struct trend_series *series,
                         struct series_scratch *scratch)
{
    struct trend ret = {.p = 1};
    size_t n = series->n;

    ret.before = series->counts[0];
    ret.after = series->counts[n - 1];
    if (n < 2)
        return ret;
    if (n >= TREND_WHOLE)
        judge_whole(series, &ret, scratch);
    if (!ret.is_whole && n >= TREND_FEW && n < few_end &&
        is_growing_few(series))
        ret.verdict = TREND_GROWING;
    if (ret.verdict == TREND_STABLE)
        ret.verdict = judge_ends(series);
    ret.rate = rate_of(series, ret.verdict == TREND_GROWING, scratch);
    return ret;
}
