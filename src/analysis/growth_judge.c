#include "analysis/growth_judge.h"

#include <stdlib.h>

#include "analysis/growth_parts.h"
#include "analysis/site_ages.h"
#include "analysis/stuck.h"
#include "analysis/survivors.h"

enum {
    CORRECTED_FROM = 8, /* snapshots from which many tests are corrected for */
};

static const double still_least = MOMENTS_APART / 60.0; /* minutes */
/* Minutes by which an age may lag behind the clock: none is told before a
 * second collection of garbage; one comes every two minutes. */
static const double age_lag = 3;
/* Minutes from which on an age is not that of a wait of a moment. */
static const double age_tells = 2 * COLLECTED_WITHIN + 1;

static const double false_findings = 0.05; /* of all that are found */
/* So much older than by the clock, or nearly, is as old as the clock says. */
static const double age_share = 0.8;
/* Of those in a place so many must have an age when some have. */
static const double aged_share = 0.9;

/* One series. */
struct course {
    struct analysis *analysis;
    const struct moments *series;
    struct growth_parts parts;
    struct survivors *survivors;
    struct stuck_moves moves;
    struct site_ages *before; /* of all sites, in the first whole snapshot */
    struct site_ages *after;  /* and in the last */
    uint32_t told;            /* site_ages_told of the time between them */
    bool has_ages;            /* some goroutine in the last has an age */
    struct series_scratch scratch;
};

/* The first moment from `at` on whose snapshot was not folded. */
static size_t whole_from(const struct course *course, size_t at)
{
    const struct cprof_snapshots *all = analysis_snapshots(course->analysis);
    size_t last = course->series->n - 1;
    size_t n;

    while (at < last &&
           snapshot_folded(all->items[course->series->snapshots[at]], &n))
        at++;
    return at;
}

/* How bad a verdict is, for choosing between windows and instances. */
static int rank_of(const struct site_growth *site)
{
    static const int ranks[] = {
        [GROWTH_STABLE] = 0,   [GROWTH_GONE] = 1,    [GROWTH_SHRANK] = 1,
        [GROWTH_APPEARED] = 2, [GROWTH_PLATEAU] = 3, [GROWTH_GREW] = 4,
        [GROWTH_STUCK] = 5,    [GROWTH_GROWING] = 6,
    };

    return ranks[site->verdict] * 2 + site->is_whole;
}

static enum growth_verdict verdict_of(const struct trend *trend)
{
    if (trend->before == 0 && trend->after > 0 &&
        (trend->verdict == TREND_GREW || trend->verdict == TREND_STABLE))
        return GROWTH_APPEARED;
    if (trend->after == 0 && trend->before > 0)
        return GROWTH_GONE;
    switch (trend->verdict) {
    case TREND_GREW:
        return GROWTH_GREW;
    case TREND_GROWING:
        return GROWTH_GROWING;
    case TREND_PLATEAU:
        return GROWTH_PLATEAU;
    case TREND_SHRANK:
        return GROWTH_SHRANK;
    default:
        return GROWTH_STABLE;
    }
}

static struct trend judge_part(struct course *course,
                               const struct growth_part *part, size_t site,
                               bool stays_blocked, bool *ret_has_load)
{
    double busy[SERIES_MOST];
    struct trend_series series = {
        part->times, growth_part_counts(part, site),
        growth_part_load(part, site, busy, &course->scratch), part->n};

    /* Traffic does not explain who stays where healthy code keeps few. */
    if (stays_blocked)
        series.load = NULL;
    *ret_has_load = series.load != NULL;
    return trend_judge(&series, &course->scratch);
}

/* Takes over the verdict of a part. */
static void set_verdict(struct site_growth *site,
                        const struct growth_part *part,
                        const struct trend *trend, bool has_load)
{
    site->verdict = verdict_of(trend);
    site->window = part->window;
    site->is_whole = trend->is_whole;
    site->is_real = trend->verdict == TREND_GREW;
    /* A few moments do not tell how busy a process usually is. */
    site->has_load = has_load && !part->is_end;
    site->before = trend->before;
    site->after = trend->after;
    site->rate = trend->rate;
    site->p = trend->p;
    site->n = part->n;
    site->hours = part->n ? part->times[part->n - 1] - part->times[0] : 0;
}

/* The verdict over the whole course, or over its last week, day or hour where
 * only they show growth. Any of them may show that it stands out: what the
 * others did in the morning hides less of the last hour. */
static void judge_parts(struct course *course, size_t index,
                        struct site_growth *site)
{
    const struct survivors *survivors = &course->survivors[index];
    bool stays_blocked = site->is_blocking && !course->series->is_across &&
                         survivors->is_known &&
                         survivors->share >= GROWTH_SURVIVE;

    site->stands_out = false;
    for (size_t i = 0; i < GROWTH_PARTS && !site->stands_out; i++) {
        const struct growth_part *part = &course->parts.items[i];
        bool has_load;
        struct trend trend;

        if (!part->n || (i && !growth_part_is_beyond(&course->parts, i, index,
                                                     &course->scratch)))
            continue;
        trend = judge_part(course, part, index, stays_blocked, &has_load);
        if (i && !trend.is_whole)
            continue;
        if (!site->is_whole)
            set_verdict(site, part, &trend, has_load);
        site->stands_out =
            trend.is_whole &&
            (part->has_past ||
             growth_part_is_apart(part, index, &course->scratch));
    }
}

/* Minutes from a moment to the last. */
static double minutes_since(const struct moments *series, size_t moment)
{
    return (series->hours[series->n - 1] - series->hours[moment]) * 60;
}

/* Minutes from the first whole moment to the last. */
static double minutes_passed(const struct course *course, size_t first)
{
    return minutes_since(course->series, whole_from(course, first));
}

/* What comes and goes at all sites of the process itself. */
static struct stuck_moves find_moves(const struct course *course,
                                     const struct site_growth *sites,
                                     size_t n_sites)
{
    const struct growth_part *all = &course->parts.items[0];
    struct stuck_moves moves = stuck_moves_of(all->counts, all->n, n_sites);

    for (size_t i = 0; i < n_sites; i++) {
        if (growth_site_is_of_dump(course->analysis, &sites[i]))
            moves.moved -=
                stuck_moves_of(growth_part_counts(all, i), all->n, 1).moved;
    }
    return moves;
}

/* Whether ages say that some of so many goroutines left a place in the minutes
 * passed, and others, or they again, came for them. A collection of garbage
 * notes at once since when all wait that do then, and there is one every two
 * minutes. A few without an age began after the last; they say nothing when
 * that was perhaps before that time, as the shortest age tells. */
static bool do_ages_tell_moves(const struct course *course,
                               const struct site_ages *ages, double count,
                               double passed)
{
    if (!ages->n)
        return course->has_ages && passed >= age_tells;
    return (double)ages->n < count && ((double)ages->n < count * aged_share ||
                                       (double)ages->shortest + 1 <= passed);
}

/* Whether ids or ages say that some have left a site whose counts never fell
 * since a moment. */
static bool have_some_left(const struct course *course, size_t index,
                           double count, double passed)
{
    const struct survivors *survivors = &course->survivors[index];
    const struct site_ages *ages = &course->after[index];

    if (course->series->is_across)
        return false;
    if (survivors->is_known && survivors->share < 1)
        return true;
    return course->series->clock != CLOCK_STEPS &&
           (ages->longest < course->told ||
            do_ages_tell_moves(course, ages, count, passed));
}

/* Many goroutines in a wait that should end, of which none leaves in a part
 * while the rest of the process goes on. */
static bool is_stuck(const struct course *course, size_t index,
                     const struct growth_part *part)
{
    const double *counts = growth_part_counts(part, index);
    double passed = (part->times[part->n - 1] - part->times[0]) * 60;

    return stuck_holds(counts, part->n) &&
           !have_some_left(course, index, counts[0], passed) &&
           stuck_moves_elsewhere(&course->moves, counts, part->n);
}

/* Looks for who is stuck at a site that neither grows nor falls, or that grew
 * and then no more. Pools fill up too, and supervisors become more, so that it
 * has to be another wait that should end then, of those who stay by their
 * ids. */
static void find_stuck(const struct course *course, size_t index,
                       struct site_growth *site)
{
    const struct growth_part *all = &course->parts.items[0];
    const struct growth_part *end = &course->parts.items[GROWTH_END];
    const struct survivors *survivors = &course->survivors[index];

    if (site->verdict == GROWTH_STABLE &&
        (site->is_blocking || site->state == STATE_CHAN_RECEIVE)) {
        if (is_stuck(course, index, all))
            site->verdict = GROWTH_STUCK;
    } else if (site->verdict == GROWTH_PLATEAU && end->n && site->is_blocking &&
               !site->is_of_runtime && site->state != STATE_COND_WAIT &&
               site->state != STATE_WAITGROUP_WAIT && survivors->is_known &&
               is_stuck(course, index, end)) {
        set_verdict(site, end,
                    &(struct trend){.before = growth_part_counts(end, index)[0],
                                    .after = site->after,
                                    .p = 1},
                    site->has_load);
        site->verdict = GROWTH_STUCK;
    }
}

/* Minutes since a site had a quarter of its rise. */
static double minutes_risen(const struct course *course, size_t first,
                            const struct site_growth *site)
{
    const struct moments *series = course->series;
    double before = site->counts[series->snapshots[first]];
    double after = site->counts[series->snapshots[series->n - 1]];
    size_t i = first;

    while (i + 1 < series->n &&
           site->counts[series->snapshots[i]] < before + (after - before) / 4)
        i++;
    return minutes_since(series, i);
}

/* Whether the longest wait grew as the clock did, since the site rose. */
static bool do_ages_advance(const struct course *course, size_t first,
                            size_t index, const struct site_growth *site)
{
    double passed = minutes_passed(course, first);
    uint32_t before = course->before[index].longest;
    uint32_t after = course->after[index].longest;

    if (course->series->clock == CLOCK_STEPS || passed < 2)
        return false;
    if (before)
        return after >= 2 && (double)after - before >= passed * age_share - 1;
    passed = minutes_risen(course, first, site);
    return passed >= age_tells && after >= passed * age_share;
}

/* Whether nobody left a site between two moments, as far as counts tell. */
static bool is_full_between(const struct course *course, size_t first,
                            const struct site_growth *site)
{
    const struct cprof_snapshots *all = analysis_snapshots(course->analysis);
    const struct moments *series = course->series;
    size_t n;

    for (size_t i = first; i < series->n; i++) {
        if (!snapshot_folded(all->items[series->snapshots[i]], &n) &&
            site->counts[series->snapshots[i]] <
                site->counts[series->snapshots[first]])
            return false;
    }
    return true;
}

/* Whether not one goroutine has left a site since a moment, by ids, counts and
 * ages. Workers come back to the same line all their life. */
static bool none_left(const struct course *course, size_t since,
                      const struct site_growth *site,
                      const struct site_ages *ages, double passed)
{
    double before = site->counts[course->series->snapshots[since]];

    return site->survivors >= 1 && is_full_between(course, since, site) &&
           (!ages->n || !do_ages_tell_moves(course, ages, before, passed));
}

/* Whether none has left a site in the time passed since a moment, and their
 * ages do not contradict. */
static bool none_moved(const struct course *course, size_t since,
                       const struct site_growth *site,
                       const struct site_ages *ages, double passed)
{
    return none_left(course, since, site, ages, passed) &&
           ages->longest + age_lag >= passed;
}

/* Whether all of few goroutines, whose ids tell nothing (survivors.c), have
 * waited since the first moment by their ages. */
static bool are_few_old(const struct site_growth *site,
                        const struct site_ages *ages, double passed)
{
    return site->before == site->after && site->after < IDS_LEAST &&
           (double)ages->n == site->after && passed >= age_tells &&
           ages->shortest + 1 >= passed;
}

/* Sets whether the goroutines of the first moment wait on in the last one, as
 * their ids show and their ages do not contradict. In the first minutes an age
 * proves nothing, and then none of them may have left. */
static void set_waits(const struct course *course, size_t first, size_t index,
                      struct site_growth *site)
{
    const struct moments *series = course->series;
    size_t whole = whole_from(course, first);
    double passed = minutes_since(series, whole);
    const struct site_ages *ages = &course->after[index];

    if (site->verdict != GROWTH_STABLE)
        return;
    if (!growth_stays(site)) {
        site->never_left = !site->has_survivors &&
                           series->clock != CLOCK_STEPS &&
                           are_few_old(site, ages, passed);
        site->still_waits = site->never_left;
        return;
    }
    if (series->clock == CLOCK_STEPS) {
        site->never_left = ages->longest > course->before[index].longest;
        site->still_waits = site->never_left;
        return;
    }
    if (passed < still_least || ages->longest < course->told)
        return;
    site->never_left = passed >= age_tells && ages->longest + 1 >= passed;
    site->still_waits =
        site->never_left || none_moved(course, whole, site, ages, passed);
}

/* Whether the goroutines of the first moment wait on in the last one while
 * others come to them: none has left, by their ids, counts and ages. */
static bool are_joined(const struct course *course, size_t first, size_t index,
                       const struct site_growth *site)
{
    const struct moments *series = course->series;
    size_t whole = whole_from(course, first);
    double passed = minutes_since(series, whole);

    if ((site->verdict != GROWTH_GREW && site->verdict != GROWTH_GROWING) ||
        !site->is_blocking || site->is_of_runtime || !growth_stays(site) ||
        series->clock == CLOCK_STEPS || passed < still_least)
        return false;
    return none_moved(course, whole, site, &course->after[index], passed);
}

/* Minutes for which goroutines that wait still have waited, by the clock: Go
 * tells of a wait only when it collected garbage during it
 * (runtime/mgcmark.go: gMarkWorkStart sets waitsince). */
static uint32_t minutes_waited(const struct course *course, size_t first)
{
    const struct moments *series = course->series;
    double passed = minutes_passed(course, first);

    if (series->clock == CLOCK_STEPS || passed >= UINT32_MAX)
        return 0;
    return (uint32_t)(passed + 1 - still_least);
}

/* Whether the very same goroutines, and not few, stand at a site since the
 * first moment. Of connections some are between two requests. */
static bool are_the_same(const struct course *course, size_t first,
                         const struct site_growth *site)
{
    const struct moments *series = course->series;
    double before = site->counts[series->snapshots[whole_from(course, first)]];

    return site->survivors >= 1 && before >= STUCK_LEAST &&
           site->after == before && is_full_between(course, first, site);
}

/* Whether the longest wait is as old as what is looked at. */
static bool is_as_old(const struct course *course, size_t first, size_t index)
{
    const struct moments *series = course->series;
    double passed = minutes_passed(course, first);
    uint32_t longest = course->after[index].longest;

    return series->clock != CLOCK_STEPS && passed >= age_tells &&
           longest + 1 >= passed;
}

/* What else is known of a site that does something. */
static void add_evidence(const struct course *course, size_t first,
                         size_t index, struct site_growth *site)
{
    const struct survivors *survivors = &course->survivors[index];

    site->has_rate =
        course->series->clock != CLOCK_STEPS && course->parts.items[0].n > 1;
    if (course->series->is_across)
        return;
    site->has_survivors = survivors->is_known;
    site->survivors = survivors->share;
    site->living = growth_site_serves(course->analysis, site)
                       ? survivors->share
                       : survivors->living;
    site->asked.is_sample = survivors->is_sample;
    site->asked.is_later = survivors->is_later;
    site->is_unaged = survivors->is_known &&
                      course->series->clock != CLOCK_STEPS &&
                      (double)course->after[index].n < site->after * aged_share;
    if (growth_stays(site) && growth_site_serves(course->analysis, site) &&
        !is_as_old(course, first, index) && !are_the_same(course, first, site))
        site->has_survivors = false;
    set_waits(course, first, index, site);
    site->waited = site->still_waits || are_joined(course, first, index, site)
                       ? minutes_waited(course, first)
                       : 0;
    if (site->verdict == GROWTH_GROWING || site->verdict == GROWTH_GREW ||
        site->verdict == GROWTH_STUCK || site->still_waits)
        site->ages_advance = do_ages_advance(course, first, index, site);
}

/* Of many moments a point is a median, but people ask for what was counted. A
 * window begins somewhere in the middle and keeps its median. */
static void set_ends(const struct moments *series, size_t first,
                     struct site_growth *site)
{
    site->after = site->counts[series->snapshots[series->n - 1]];
    if (site->window[0] == 'a')
        site->before = site->counts[series->snapshots[first]];
}

/* One site over one series. */
static void judge_site(struct course *course, size_t first,
                       struct site_growth *sites, size_t index)
{
    struct site_growth site = sites[index];

    site.series = course->series;
    site.verdict = GROWTH_STABLE;
    site.is_whole = false;
    site.still_waits = false;
    site.never_left = false;
    judge_parts(course, index, &site);
    set_ends(course->series, first, &site);
    find_stuck(course, index, &site);
    add_evidence(course, first, index, &site);
    if (!sites[index].series || rank_of(&site) > rank_of(&sites[index]) ||
        (rank_of(&site) == rank_of(&sites[index]) &&
         site.after - site.before > sites[index].after - sites[index].before))
        sites[index] = site;
}

static int compare_p(const void *a, const void *b)
{
    const struct site_growth *left = *(struct site_growth *const *)a;
    const struct site_growth *right = *(struct site_growth *const *)b;

    return (left->p > right->p) - (left->p < right->p);
}

/* Of many tests some hold by chance. Those that are too weak for how many were
 * made (Benjamini and Hochberg) keep their verdict but are not sure. */
static bool correct_for_many(struct site_growth *sites, size_t n_sites,
                             const struct course *course)
{
    struct site_growth **whole = malloc((n_sites + 1) * sizeof(*whole));
    size_t tested = 0;
    size_t n = 0;

    if (!whole)
        return false;
    for (size_t i = 0; i < n_sites; i++) {
        tested += sites[i].after >= TREND_FLOOR;
        if (sites[i].is_whole && sites[i].series == course->series)
            whole[n++] = &sites[i];
    }
    if (n)
        qsort(whole, n, sizeof(*whole), compare_p);
    while (n && course->parts.items[0].n >= CORRECTED_FROM &&
           whole[n - 1]->p > false_findings * (double)n / (double)tested)
        whole[--n]->is_whole = false;
    free(whole);
    return true;
}

/* Which goroutines of the first moment are there in the last; for sites that
 * had too few of them then, those of the middle one. */
static bool find_survivors(struct course *course, size_t first, size_t n_sites,
                           const uint32_t *site_of)
{
    const struct moments *series = course->series;
    size_t last = series->n - 1;
    size_t whole = whole_from(course, first);
    size_t middle = whole_from(course, first + (last - first) / 2);
    struct survivors *later = malloc((n_sites + 1) * sizeof(*later));
    bool is_done = false;

    course->survivors = malloc((n_sites + 1) * sizeof(*course->survivors));
    if (!later || !course->survivors ||
        !survivors_find(course->analysis, series->snapshots[whole],
                        series->snapshots[last], site_of, n_sites,
                        course->survivors) ||
        !survivors_find(course->analysis, series->snapshots[middle],
                        series->snapshots[last], site_of, n_sites, later))
        goto done;
    for (size_t i = 0; middle > whole && i < n_sites; i++) {
        if (course->survivors[i].is_known)
            continue;
        course->survivors[i] = later[i];
        course->survivors[i].is_later = true;
    }
    is_done = true;
done:
    free(later);
    return is_done;
}

/* The ages of the first whole moment and of the last. */
static bool find_all_ages(struct course *course, size_t first, size_t n_sites,
                          const uint32_t *site_of)
{
    const struct moments *series = course->series;
    size_t whole = whole_from(course, first);
    size_t last = series->snapshots[series->n - 1];

    course->before = site_ages_find(course->analysis, series->snapshots[whole],
                                    site_of, n_sites);
    course->after = site_ages_find(course->analysis, last, site_of, n_sites);
    course->told =
        site_ages_told(course->analysis, last, minutes_since(series, whole));
    for (size_t i = 0; course->after && i < n_sites; i++)
        course->has_ages |= course->after[i].n > 0;
    return course->before && course->after;
}

static bool judge_course(struct course *course, struct site_growth *sites,
                         size_t n_sites, const uint32_t *site_of)
{
    size_t first = course->series->first;

    if (!growth_parts_fill(&course->parts, course->series, first, sites,
                           n_sites, &course->scratch) ||
        !find_survivors(course, first, n_sites, site_of) ||
        !find_all_ages(course, first, n_sites, site_of))
        return false;
    course->moves = find_moves(course, sites, n_sites);
    for (size_t i = 0; i < n_sites; i++)
        judge_site(course, first, sites, i);
    return correct_for_many(sites, n_sites, course);
}

bool growth_judge(struct analysis *analysis, const struct moments *series,
                  struct site_growth *sites, size_t n_sites,
                  const uint32_t *site_of)
{
    struct course *course = calloc(1, sizeof(*course));
    bool done = false;

    if (!course)
        return false;
    course->analysis = analysis;
    course->series = series;
    if (series->n)
        done = judge_course(course, sites, n_sites, site_of);
    growth_parts_done(&course->parts);
    free(course->survivors);
    free(course->before);
    free(course->after);
    free(course);
    return done;
}
