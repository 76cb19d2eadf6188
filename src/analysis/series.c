#include "analysis/series.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    EXACT_MOST = 20, /* values whose chances are counted, not approximated */
    EXACT_INVERSIONS = EXACT_MOST * (EXACT_MOST - 1) / 2,
};

static void swap(double *a, double *b)
{
    double kept = *a;

    *a = *b;
    *b = kept;
}

/* Brings a part of values, from low to high, into two parts of which none in
 * the first is larger than any in the second, and returns the end of the first
 * (Hoare, the median of three as pivot). */
static size_t part(double *values, size_t low, size_t high)
{
    size_t middle = low + (high - low) / 2;
    double pivot;

    if (values[middle] < values[low])
        swap(&values[middle], &values[low]);
    if (values[high] < values[low])
        swap(&values[high], &values[low]);
    if (values[high] < values[middle])
        swap(&values[high], &values[middle]);
    pivot = values[middle];
    for (;;) {
        while (values[low] < pivot)
            low++;
        while (values[high] > pivot)
            high--;
        if (low >= high)
            return high;
        swap(&values[low++], &values[high--]);
    }
}

/* Puts the value of rank k, counted from 0, into its place: smaller ones
 * before it, larger ones behind (quickselect). */
static double choose(double *values, size_t n, size_t k)
{
    size_t low = 0;
    size_t high = n - 1;

    while (low < high) {
        size_t end = part(values, low, high);

        if (k <= end)
            high = end;
        else
            low = end + 1;
    }
    return values[k];
}

/* The median of values, whose order is lost. */
static double take_median(double *values, size_t n)
{
    double upper;
    double lower;

    if (!n)
        return 0;
    upper = choose(values, n, n / 2);
    if (n % 2)
        return upper;
    lower = values[0];
    for (size_t i = 1; i < n / 2; i++)
        lower = values[i] > lower ? values[i] : lower;
    return (lower + upper) / 2;
}

size_t series_third(size_t n)
{
    return n / 3 > 2 ? n / 3 : 2;
}

double series_median(const double *values, size_t n,
                     struct series_scratch *scratch)
{
    memcpy(scratch->values, values, n * sizeof(*values));
    return take_median(scratch->values, n);
}

/* Multiplies a polynomial of the given degree by 1 + q + ... + q^(k-1), and
 * returns the new degree. */
static size_t multiply(double *terms, size_t degree, size_t k)
{
    double sum = 0;
    double old[EXACT_INVERSIONS + 1];

    memcpy(old, terms, (degree + 1) * sizeof(*old));
    for (size_t i = 0; i <= degree + k - 1; i++) {
        sum += i <= degree ? old[i] : 0;
        if (i >= k)
            sum -= old[i - k];
        terms[i] = sum;
    }
    return degree + k - 1;
}

/* Divides by 1 + q + ... + q^(k-1), which goes without a rest. */
static size_t divide(double *terms, size_t degree, size_t k)
{
    for (size_t i = 0; i + k <= degree + 1; i++) {
        for (size_t j = 1; j < k; j++)
            terms[i + j] -= terms[i];
    }
    return degree + 1 - k;
}

/* How often values in random order have at most that many pairs that fall. The
 * number of such orders is a coefficient of Gauss's multinomial: [n]! over the
 * product of [t]! for each set of t equal values, where [k] = 1 + q + ... */
static double chance_of(const double *values, size_t n, size_t falling)
{
    double terms[EXACT_INVERSIONS + 1] = {1};
    size_t degree = 0;
    double below = 0;
    double all = 0;

    for (size_t k = 2; k <= n; k++)
        degree = multiply(terms, degree, k);
    for (size_t i = 0; i < n; i++) {
        size_t equal = 1; /* values up to this one that are the same */

        for (size_t j = 0; j < i; j++)
            equal += values[j] == values[i];
        if (equal > 1)
            degree = divide(terms, degree, equal);
    }
    for (size_t i = 0; i <= degree; i++) {
        below += i <= falling ? terms[i] : 0;
        all += terms[i];
    }
    return below / all;
}

static int compare_values(const void *a, const void *b)
{
    double left = *(const double *)a;
    double right = *(const double *)b;

    return (left > right) - (left < right);
}

/* What ties take off the variance. */
static double variance_of(const double *values, size_t n)
{
    double m = (double)n;
    double variance = m * (m - 1) * (2 * m + 5);
    double sorted[SERIES_MOST];
    size_t end;

    memcpy(sorted, values, n * sizeof(*sorted));
    if (n)
        qsort(sorted, n, sizeof(*sorted), compare_values);
    for (size_t i = 0; i < n; i = end) {
        double t;

        end = i + 1;
        while (end < n && sorted[end] == sorted[i])
            end++;
        t = (double)(end - i);
        variance -= t * (t - 1) * (2 * t + 5);
    }
    return variance / 18;
}

/* The share of the normal distribution beyond s, with half a step of
 * continuity. */
static double normal_chance(double s, double variance)
{
    double step = s > 0 ? 1 : s < 0 ? -1 : 0;

    if (variance <= 0)
        return 1;
    return erfc((s - step) / sqrt(2 * variance)) / 2;
}

struct kendall series_kendall(const double *values, size_t n, double inflation)
{
    struct kendall ret = {.n = n, .p_rising = 1};
    double rising = 0;
    double falling = 0;

    if (n < 2)
        return ret;
    for (size_t i = 0; i < n; i++) {
        for (size_t j = i + 1; j < n; j++) {
            rising += values[j] > values[i];
            falling += values[j] < values[i];
        }
    }
    ret.s = rising - falling;
    ret.pairs = rising + falling;
    ret.tau = ret.s / ((double)n * (double)(n - 1) / 2);
    ret.variance = variance_of(values, n);
    if (n <= EXACT_MOST && inflation == 1.0)
        ret.p_rising = chance_of(values, n, (size_t)falling);
    else
        ret.p_rising = normal_chance(ret.s, ret.variance * inflation);
    return ret;
}

struct slope series_slope(const double *times, const double *values, size_t n,
                          struct series_scratch *scratch)
{
    /* 90 % of a normal distribution lie within 1.645 deviations. */
    double width = 1.645 * sqrt(variance_of(values, n));
    struct slope ret = {0};
    double edge;
    size_t count = 0;
    size_t k;

    for (size_t i = 0; i < n; i++) {
        for (size_t j = i + 1; j < n; j++) {
            if (times[j] > times[i])
                scratch->values[count++] =
                    (values[j] - values[i]) / (times[j] - times[i]);
        }
    }
    if (!count)
        return ret;
    ret.median = take_median(scratch->values, count);
    edge = floor(((double)count - width) / 2);
    k = edge > 0 ? (size_t)edge : 0;
    ret.low = choose(scratch->values, count, k);
    ret.high = choose(scratch->values, count, count - 1 - k);
    return ret;
}

double series_autocorrelation(const double *times, const double *values,
                              size_t n, double slope,
                              struct series_scratch *scratch)
{
    double *rest = scratch->values;
    double mean = 0;
    double square = 0;
    double product = 0;

    for (size_t i = 0; i < n; i++) {
        rest[i] = values[i] - slope * times[i];
        mean += rest[i] / (double)n;
    }
    for (size_t i = 0; i < n; i++) {
        square += (rest[i] - mean) * (rest[i] - mean);
        product += i ? (rest[i] - mean) * (rest[i - 1] - mean) : 0;
    }
    return square > 0 ? product / square : 0;
}

size_t series_thin(double *times, double *values, size_t n,
                   struct series_scratch *scratch)
{
    double begin = n ? times[0] : 0;
    double span = n ? times[n - 1] - begin : 0;
    size_t kept = 0;
    size_t first = 0;

    if (n <= SERIES_MOST)
        return n;
    for (size_t block = 0; block < SERIES_MOST && first < n; block++) {
        double end = begin + span * (double)(block + 1) / SERIES_MOST;
        double sum = 0;
        size_t i = first;

        while (i < n && i - first < SERIES_PAIRS &&
               (times[i] <= end || block + 1 == SERIES_MOST))
            sum += times[i++];
        if (i == first)
            continue;
        times[kept] = sum / (double)(i - first);
        values[kept++] = series_median(values + first, i - first, scratch);
        first = i;
    }
    return kept;
}
