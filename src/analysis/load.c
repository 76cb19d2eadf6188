#include "analysis/load.h"

#include <math.h>
#include <string.h>

static const double usual_least = 10;
/* More than 400 goroutines weigh no more, or one leak would be the load. */
static const double weight_most = 20;
static const double share_least = 0.05;
/* How many times its mean the variance of a group that moves is at least. */
static const double moving_least = 4;
/* How far groups that are one thing lie apart at most, each snapshot, where two
 * that are not do by 1. */
static const double apart_most = 0.01;
static const size_t ratio_snapshots = 5;

void load_init(struct load *load, size_t n)
{
    *load = (struct load){.n = n};
}

void load_add(struct load *load, const double *counts,
              struct series_scratch *scratch)
{
    double usual = series_median(counts, load->n, scratch);
    size_t at = load->n_groups;

    if (usual < usual_least)
        return;
    if (at == LOAD_MOST) {
        at = 0;
        for (size_t i = 1; i < LOAD_MOST; i++)
            at = load->usual[i] < load->usual[at] ? i : at;
        if (load->usual[at] >= usual)
            return;
    } else {
        load->n_groups++;
    }
    load->counts[at] = counts;
    load->usual[at] = usual;
}

/* Whether counts move more than chance alone would make them (Poisson: the
 * variance is the mean). */
static bool is_moving(const double *counts, size_t n)
{
    double mean = 0;
    double square = 0;

    for (size_t i = 0; i < n; i++)
        mean += counts[i] / (double)n;
    for (size_t i = 0; i < n; i++)
        square += (counts[i] - mean) * (counts[i] - mean);
    return square > moving_least * mean * (double)n;
}

/* Whether two groups are one thing: as many of either at each snapshot, or of
 * five snapshots and more always of one ratio, closer than two that only follow
 * the same load would be by chance. */
static bool is_one(const double *a, const double *b, size_t n)
{
    double sum_a = 0;
    double sum_b = 0;
    double ratio;
    double apart = 0;
    bool is_equal = true;

    for (size_t i = 0; i < n; i++) {
        sum_a += a[i];
        sum_b += b[i];
        is_equal = is_equal && a[i] == b[i];
    }
    if (is_equal || n < ratio_snapshots || sum_b <= 0)
        return is_equal;
    ratio = sum_a / sum_b;
    for (size_t i = 0; i < n; i++) {
        double way = a[i] - ratio * b[i];

        if (way != 0)
            apart += way * way / (a[i] + ratio * ratio * b[i]);
    }
    return apart < apart_most * (double)n;
}

void load_seal(struct load *load)
{
    for (size_t g = 0; g < load->n_groups; g++) {
        size_t first = 0;

        while (first < g &&
               (load->leader[first] != first ||
                !is_one(load->counts[first], load->counts[g], load->n)))
            first++;
        load->leader[g] = is_moving(load->counts[g], load->n) ? first : g;
    }
}

/* The leader of the group with these counts; n_groups when it is not asked. */
static size_t leader_of(const struct load *load, const double *counts)
{
    for (size_t g = 0; g < load->n_groups; g++) {
        if (load->counts[g] == counts)
            return load->leader[g];
    }
    return load->n_groups;
}

/* A count by the usual one, and how much it weighs. */
struct ratio {
    double value;
    double weight;
};

/* Puts a ratio into its place among n sorted ones. */
static void insert(struct ratio *ratios, size_t n, struct ratio ratio)
{
    while (n && ratios[n - 1].value > ratio.value) {
        ratios[n] = ratios[n - 1];
        n--;
    }
    ratios[n] = ratio;
}

/* The median of sorted ratios by weight: each stands in the middle of its
 * weight, and between two of them the line that joins them counts. */
static double median_of(const struct ratio *ratios, size_t n)
{
    double half = 0;
    double sum = 0;
    double before = 0; /* where the last one stands */

    for (size_t i = 0; i < n; i++)
        half += ratios[i].weight / 2;
    for (size_t i = 0; i < n; i++) {
        double middle = sum + ratios[i].weight / 2;

        if (middle >= half) {
            double part = i ? (half - before) / (middle - before) : 1;

            return i ? ratios[i - 1].value +
                           (ratios[i].value - ratios[i - 1].value) * part
                     : ratios[i].value;
        }
        before = middle;
        sum += ratios[i].weight;
    }
    return n ? ratios[n - 1].value : 1;
}

/* Of the groups with that leader nothing is asked. */
static double share_at(const struct load *load, size_t at, size_t without)
{
    struct ratio ratios[LOAD_MOST];
    double median;
    size_t n = 0;

    for (size_t g = 0; g < load->n_groups; g++) {
        double weight = sqrt(load->usual[g]);

        if (load->leader[g] != g || g == without)
            continue;
        if (weight > weight_most)
            weight = weight_most;
        insert(ratios, n++,
               (struct ratio){load->counts[g][at] / load->usual[g], weight});
    }
    median = median_of(ratios, n);
    return median > share_least ? median : share_least;
}

bool load_asks(const struct load *load, const double *counts)
{
    return leader_of(load, counts) < load->n_groups;
}

bool load_get(const struct load *load, const double *without, double *ret,
              struct series_scratch *scratch)
{
    size_t third = series_third(load->n);
    size_t leader = without ? leader_of(load, without) : load->n_groups;
    size_t n = 0;
    double first;

    for (size_t g = 0; g < load->n_groups; g++)
        n += load->leader[g] == g && g != leader;
    if (n < LOAD_LEAST)
        return false;
    for (size_t i = 0; i < load->n; i++)
        ret[i] = share_at(load, i, leader);
    if (third > load->n)
        third = load->n;
    first = series_median(ret, third, scratch);
    for (size_t i = 0; i < load->n; i++)
        ret[i] /= first;
    return true;
}

/* Counts as a sum: part * load + growth * time + a constant. */
struct fit {
    double part;
    double error; /* of part, one deviation */
    double rest;  /* the sum of squares that is left */
};

/* Sums of products of deviations from the mean. */
struct sums {
    double tt, ll, tl, ty, ly, yy;
};

static double mean_of(const double *values, size_t n)
{
    double sum = 0;

    for (size_t i = 0; i < n; i++)
        sum += values[i];
    return sum / (double)n;
}

static struct sums sum_up(const double *times, const double *load,
                          const double *counts, size_t n)
{
    double mean_t = mean_of(times, n);
    double mean_l = mean_of(load, n);
    double mean_y = mean_of(counts, n);
    struct sums ret = {0};

    for (size_t i = 0; i < n; i++) {
        double t = times[i] - mean_t;
        double l = load[i] - mean_l;
        double y = counts[i] - mean_y;

        ret.tt += t * t;
        ret.ll += l * l;
        ret.tl += t * l;
        ret.ty += t * y;
        ret.ly += l * y;
        ret.yy += y * y;
    }
    return ret;
}

/* Least squares. The error is never less than counting alone makes it
 * (Poisson: the variance is the mean). Where load and time cannot be told
 * apart the part is 0 and its error without bound. */
static struct fit fit_once(const double *times, const double *load,
                           const double *counts, size_t n)
{
    struct sums sums = sum_up(times, load, counts, n);
    double det = sums.tt * sums.ll - sums.tl * sums.tl;
    double least = mean_of(counts, n);
    double variance;
    double growth;
    struct fit ret = {0, INFINITY, sums.yy};

    if (det <= 1e-9 * sums.tt * sums.ll)
        return ret;
    ret.part = (sums.ly * sums.tt - sums.ty * sums.tl) / det;
    growth = (sums.ty * sums.ll - sums.ly * sums.tl) / det;
    ret.rest = sums.yy - ret.part * sums.ly - growth * sums.ty;
    variance = n > 3 ? ret.rest / (double)(n - 3) : least;
    ret.error = sqrt((variance > least ? variance : least) * sums.tt / det);
    return ret;
}

/* The best of the fits whose growth ends at some snapshot. Growth to the end
 * is taken unless another leaves clearly less. */
static struct fit fit_best(const double *times, const double *load,
                           const double *counts, size_t n)
{
    struct fit best = fit_once(times, load, counts, n);
    double held[SERIES_MOST];
    double bar = best.rest / (1 + 1 / (double)n);

    memcpy(held, times, n * sizeof(*held));
    for (size_t end = n - 2; end >= 2 && end < n; end--) {
        struct fit fit;

        for (size_t i = end; i < n; i++)
            held[i] = times[end];
        fit = fit_once(held, load, counts, n);
        if (fit.rest < bar) {
            best = fit;
            bar = fit.rest;
        }
    }
    return best;
}

void load_remove(const double *times, const double *counts, const double *load,
                 size_t n, double *ret, struct series_scratch *scratch)
{
    size_t third = series_third(n);
    struct fit fit = fit_best(times, load, counts, n);
    double way = series_slope(times, load, n, scratch).median;
    double part = way > 0 ? fit.part + fit.error : fit.part - fit.error;
    double most;

    for (size_t i = 0; i < n; i++)
        ret[i] = counts[i] / load[i];
    most = series_median(ret, third < n ? third : n, scratch);
    if (!(part < most))
        part = most;
    if (!(part > 0))
        part = 0;
    for (size_t i = 0; i < n; i++)
        ret[i] = counts[i] - part * (load[i] - 1);
}
