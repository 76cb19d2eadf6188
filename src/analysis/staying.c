#include "analysis/staying.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/site_ids.h"

enum {
    POINTS_MOST = 64, /* whole moments are not more (folding.c) */
    NOT_KNOWN = -1,
};

/* The whole moments of a series that have ids, and what is counted between
 * them. */
struct looks {
    struct analysis *analysis;
    const struct moments *series;
    const struct staying_sites *sites;
    const uint32_t *places; /* by site: its place among those asked */
    uint32_t *numbers;      /* the same by group */
    size_t n_places;
    size_t n;                    /* moments */
    size_t moments[POINTS_MOST]; /* of the series */
    struct site_ids ids[POINTS_MOST];
    size_t *asked;     /* of each place, at one point */
    size_t *found;     /* of them, at the second look */
    size_t *asked_end; /* of these, at all points */
    size_t *found_end; /* and of these at the end */
};

/* The moments that are looked at; of more than there is room for the last. */
static void find_moments(struct looks *looks, size_t first)
{
    const struct cprof_snapshots *all = analysis_snapshots(looks->analysis);
    const struct moments *series = looks->series;
    size_t begin = series->n;
    size_t room = POINTS_MOST;
    size_t folded;

    while (begin > first && room) {
        const struct snapshot *snapshot =
            all->items[series->snapshots[--begin]];

        if (snapshot_info_get(snapshot)->max_id &&
            !snapshot_folded(snapshot, &folded))
            looks->moments[--room] = begin;
    }
    looks->n = POINTS_MOST - room;
    for (size_t i = 0; i < looks->n; i++)
        looks->moments[i] = looks->moments[room + i];
}

/* The hash above which a place has given ids up at one of three moments. */
static uint64_t limit_of(const struct looks *looks, const size_t at[3],
                         size_t n, uint32_t place)
{
    uint64_t least = UINT64_MAX;

    for (size_t i = 0; i < n; i++) {
        uint64_t limit = looks->ids[at[i]].limits[place];

        least = limit < least ? limit : least;
    }
    return least;
}

/* Whether a list has a goroutine; it is gone through once, from *at on. */
static bool has_next(const struct site_ids *ids, size_t *at,
                     const struct site_id *wanted)
{
    while (*at < ids->n && site_id_compare(&ids->items[*at], wanted) < 0)
        ++*at;
    return *at < ids->n && site_id_compare(&ids->items[*at], wanted) == 0;
}

/* Counts who of a moment is there at the second look, and of these who is there
 * at the end. */
static void count_point(struct looks *looks, size_t point, size_t lag)
{
    const size_t at[3] = {point, point + lag, looks->n - 1};
    const struct site_ids *first = &looks->ids[point];
    size_t second = 0;
    size_t last = 0;

    for (size_t i = 0; i < first->n; i++) {
        const struct site_id *id = &first->items[i];
        uint64_t hash = id_sample_hash(id->id);

        if (hash > limit_of(looks, at, 2, id->site))
            continue;
        looks->asked[id->site]++;
        if (!has_next(&looks->ids[at[1]], &second, id))
            continue;
        looks->found[id->site]++;
        if (at[1] == at[2] || hash > limit_of(looks, at, 3, id->site))
            continue;
        looks->asked_end[id->site]++;
        looks->found_end[id->site] += has_next(&looks->ids[at[2]], &last, id);
    }
}

/* Fills one point of all places. */
static void fill_point(struct looks *looks, size_t point, size_t lag,
                       struct staying_look *ret)
{
    const struct moments *series = looks->series;
    size_t snapshot = series->snapshots[looks->moments[point]];

    memset(looks->asked, 0, looks->n_places * sizeof(*looks->asked));
    memset(looks->found, 0, looks->n_places * sizeof(*looks->found));
    count_point(looks, point, lag);
    ret->times[point] = series->hours[looks->moments[point + lag]];
    for (size_t i = 0; i < looks->sites->n; i++) {
        uint32_t place = looks->places[i];

        if (place != UINT32_MAX && looks->asked[place])
            ret->counts[place * ret->n + point] =
                looks->sites->items[i].counts[snapshot] *
                (double)looks->found[place] / (double)looks->asked[place];
    }
}

/* Fills all points of one look; no lag, no points. */
static bool fill_look(struct looks *looks, size_t lag, struct staying_look *ret)
{
    size_t n = looks->n_places;
    size_t last = looks->n - 1;

    if (!lag)
        return true;
    ret->n = looks->n - lag;
    ret->counts = calloc(n * ret->n + 1, sizeof(*ret->counts));
    ret->kept = calloc(n + 1, sizeof(*ret->kept));
    if (!ret->counts || !ret->kept)
        return false;
    memset(looks->asked_end, 0, n * sizeof(*looks->asked_end));
    memset(looks->found_end, 0, n * sizeof(*looks->found_end));
    for (size_t i = 0; i < ret->n; i++)
        fill_point(looks, i, lag, ret);
    for (size_t i = 0; i < n; i++)
        ret->kept[i] = looks->asked_end[i] ? (double)looks->found_end[i] /
                                                 (double)looks->asked_end[i]
                                           : NOT_KNOWN;
    ret->hours = looks->series->hours[looks->moments[last]] -
                 looks->series->hours[looks->moments[last - lag]];
    return true;
}

static bool list_all(struct looks *looks)
{
    size_t n = looks->n_places;

    looks->asked = calloc(n + 1, 4 * sizeof(*looks->asked));
    if (!looks->asked)
        return false;
    looks->found = looks->asked + n;
    looks->asked_end = looks->found + n;
    looks->found_end = looks->asked_end + n;
    for (size_t i = 0; i < looks->n; i++) {
        if (!site_ids_list(looks->analysis,
                           looks->series->snapshots[looks->moments[i]],
                           looks->numbers, n, &looks->ids[i]))
            return false;
    }
    return true;
}

/* Numbers the places that are asked. */
static size_t choose(const struct staying_sites *sites, uint32_t *places)
{
    size_t n = 0;

    for (size_t i = 0; i < sites->n; i++) {
        bool is_asked = sites->survivors[i].is_known &&
                        !sites->items[i].is_of_runtime &&
                        sites->survivors[i].share < GROWTH_SURVIVE;

        places[i] = is_asked ? (uint32_t)n++ : UINT32_MAX;
    }
    return n;
}

/* The place of every group of the analysis. */
static bool number_groups(struct looks *looks)
{
    const struct staying_sites *sites = looks->sites;
    size_t n = analysis_n_groups(looks->analysis);

    looks->numbers = malloc((n + 1) * sizeof(*looks->numbers));
    for (size_t i = 0; looks->numbers && i < n; i++)
        looks->numbers[i] =
            sites->of[i] < sites->n ? looks->places[sites->of[i]] : UINT32_MAX;
    return looks->numbers != NULL;
}

bool staying_find(struct analysis *analysis, const struct moments *series,
                  size_t first, const struct staying_sites *sites,
                  struct staying *ret)
{
    struct looks looks = {
        .analysis = analysis, .series = series, .sites = sites};
    bool is_done;

    ret->places = malloc((sites->n + 1) * sizeof(*ret->places));
    if (!ret->places)
        return false;
    looks.places = ret->places;
    looks.n_places = choose(sites, ret->places);
    find_moments(&looks, first);
    if (!looks.n_places || !staying_lag(looks.n, 0) || series->is_across)
        return true;
    is_done = number_groups(&looks) && list_all(&looks);
    for (size_t i = 0; is_done && i < STAYING_LOOKS; i++)
        is_done = fill_look(&looks, staying_lag(looks.n, i), &ret->looks[i]);
    for (size_t i = 0; i < looks.n; i++)
        site_ids_done(&looks.ids[i]);
    free(looks.asked);
    free(looks.numbers);
    return is_done;
}

void staying_done(struct staying *staying)
{
    for (size_t i = 0; i < STAYING_LOOKS; i++) {
        free(staying->looks[i].counts);
        free(staying->looks[i].kept);
    }
    free(staying->places);
}

/* The load of a part at the points of a look; false when it is not known. */
static bool fill_load(const struct staying_look *look,
                      const struct growth_part *part, size_t index,
                      struct series_scratch *scratch, double *ret)
{
    double busy[SERIES_MOST];
    const double *load = growth_part_load(part, index, busy, scratch);
    size_t at = 0;

    for (size_t i = 0; load && i < look->n; i++) {
        while (at + 1 < part->n && part->times[at + 1] <= look->times[i])
            at++;
        ret[i] = load[at];
    }
    return load != NULL;
}

/* Judges one look, and tells the site unless another said more. */
static void judge_look(const struct staying_look *look, uint32_t place,
                       size_t index, const struct growth_part *part,
                       struct series_scratch *scratch, struct site_growth *site)
{
    double load[POINTS_MOST];
    struct trend_series series = {.times = look->times, .n = look->n};
    struct trend trend;

    if (!look->n || look->kept[place] < GROWTH_SURVIVE)
        return;
    series.counts = look->counts + place * look->n;
    if (!site->is_blocking && fill_load(look, part, index, scratch, load))
        series.load = load;
    trend = trend_judge(&series, scratch);
    if (trend.verdict != TREND_GROWING || site->staying.grows > trend.is_whole)
        return;
    site->staying.grows = true;
    site->staying.is_whole = trend.is_whole;
    site->staying.hours = look->hours;
    site->staying.before = trend.before;
    site->staying.after = trend.after;
    site->staying.kept = look->kept[place];
    site->staying.rate = trend.rate;
    site->staying.p = trend.p;
}

void staying_judge(const struct staying *staying, size_t index,
                   const struct growth_part *part,
                   struct series_scratch *scratch, struct site_growth *site)
{
    uint32_t place = staying->places[index];

    for (size_t i = 0; i < STAYING_LOOKS; i++) {
        if (place != UINT32_MAX && !site->staying.is_whole)
            judge_look(&staying->looks[i], place, index, part, scratch, site);
    }
}
