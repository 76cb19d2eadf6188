/* staying.h - which places keep ever more of those who come to them.
 *
 * Where most goroutines come and go, a leak hides in the traffic: one request
 * in fifty that is never answered changes the count by less than chance does.
 * Those who stay can be told by their ids: who is there at one moment, and at
 * another some moments later. What comes and goes is not among them, so that
 * their number is judged as counts are (trend.h), without that noise. */
#ifndef ANALYSIS_STAYING_H
#define ANALYSIS_STAYING_H

#include "analysis/growth_parts.h"
#include "analysis/survivors.h"

enum { STAYING_LOOKS = 2 };

/* Who is there at the first and at the second of two looks, at all points of a
 * series. */
struct staying_look {
    size_t n;                  /* points; 0 = it was not made */
    double hours;              /* between the two, at the end of the series */
    double times[SERIES_MOST]; /* of the second, as moments.hours */
    double *counts; /* n of each place: an estimate where only a sample of ids
                       is kept */
    double *kept;   /* of each place: of all that stayed at any point, the share
                       that is there in the last moment; below 0 when not
                       known */
};

/* Those who stay, at the places of a series where some do and some do not. */
struct staying {
    uint32_t *places; /* by site: its place among those asked; UINT32_MAX */
    struct staying_look looks[STAYING_LOOKS];
};

/* By how many of n moments the second look comes after the first. Soon, there
 * are most points; late, fewest are left of those who come and go. 0 = there
 * would not be enough points. */
static inline size_t staying_lag(size_t n, size_t look)
{
    size_t lag = n > 4 ? (n - 1) / 4 : 1;

    if (look)
        return n - (n - 1) / 2 >= TREND_WHOLE && (n - 1) / 2 > lag ? (n - 1) / 2
                                                                   : 0;
    return n >= lag + TREND_FEW ? lag : 0;
}

/* The sites of a series. */
struct staying_sites {
    const struct site_growth *items;
    const struct survivors *survivors; /* of each */
    size_t n;
    const uint32_t *of; /* the site of each group of the analysis */
};

/* Asks the sites of which survivors are known and not all stay, from a moment
 * of the series on. False when memory ran out; staying_done frees what there
 * is. */
bool staying_find(struct analysis *analysis, const struct moments *series,
                  size_t first, const struct staying_sites *sites,
                  struct staying *ret);
void staying_done(struct staying *staying);

/* Judges those who stay at a site, and tells the site when they become more and
 * hardly any of them leaves. part is all of the series, for its load. */
void staying_judge(const struct staying *staying, size_t index,
                   const struct growth_part *part,
                   struct series_scratch *scratch, struct site_growth *site);

#endif
