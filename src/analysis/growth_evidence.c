#include "analysis/growth_course.h"

/* A morning's sessions rise for hours, but not at each of so many moments. */
enum { NEVER_MOMENTS = 24, NEVER_HOURS = 6 };

static const double still_least = MOMENTS_APART / 60.0; /* minutes */
/* Minutes by which an age may lag behind the clock: none is told before a
 * second collection of garbage; one comes every two minutes. */
static const double age_lag = 3;
/* So much older than by the clock, or nearly, is as old as the clock says. */
static const double age_share = 0.8;

/* Whether ages say that some of so many goroutines left a place in the minutes
 * passed, and others, or they again, came for them. A collection of garbage
 * notes at once since when all wait that do then, and there is one every two
 * minutes. A few without an age began after the last; they say nothing when
 * that was perhaps before that time, as the shortest age tells. */
bool course_ages_tell_moves(const struct course *course,
                            const struct site_ages *ages, double count,
                            double passed)
{
    if (!ages->n)
        return course->has_ages && passed >= GROWTH_AGE_TELLS;
    return (double)ages->n < count && ((double)ages->n < count * GROWTH_AGED ||
                                       (double)ages->shortest + 1 <= passed);
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
    return course_since(course, i);
}

/* Whether the longest wait grew as the clock did, since the site rose. */
static bool do_ages_advance(const struct course *course, size_t first,
                            size_t index, const struct site_growth *site)
{
    double passed = course_passed(course, first);
    uint32_t before = course->before[index].longest;
    uint32_t after = course->after[index].longest;

    if (course->series->clock == CLOCK_STEPS || passed < 2)
        return false;
    if (before)
        return after >= 2 && (double)after - before >= passed * age_share - 1;
    passed = minutes_risen(course, first, site);
    return passed >= GROWTH_AGE_TELLS && after >= passed * age_share;
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
           (!ages->n || !course_ages_tell_moves(course, ages, before, passed));
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
           (double)ages->n == site->after && passed >= GROWTH_AGE_TELLS &&
           ages->shortest + 1 >= passed;
}

/* Sets whether the goroutines of the first moment wait on in the last one, as
 * their ids show and their ages do not contradict. In the first minutes an age
 * proves nothing, and then none of them may have left. */
static void set_waits(const struct course *course, size_t first, size_t index,
                      struct site_growth *site)
{
    const struct moments *series = course->series;
    size_t whole = course_whole(course, first);
    double passed = course_since(course, whole);
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
    site->never_left =
        passed >= GROWTH_AGE_TELLS && ages->longest + 1 >= passed;
    site->still_waits =
        site->never_left || none_moved(course, whole, site, ages, passed);
}

/* Whether the goroutines of the first moment wait on in the last one while
 * others come to them: none has left, by their ids, counts and ages. */
static bool are_joined(const struct course *course, size_t first, size_t index,
                       const struct site_growth *site)
{
    const struct moments *series = course->series;
    size_t whole = course_whole(course, first);
    double passed = course_since(course, whole);

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
    double passed = course_passed(course, first);

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
    double before =
        site->counts[series->snapshots[course_whole(course, first)]];

    return site->survivors >= 1 && before >= STUCK_LEAST &&
           site->after == before && is_full_between(course, first, site);
}

/* Whether the longest wait is as old as what is looked at. */
bool course_is_as_old(const struct course *course, size_t first, size_t index)
{
    const struct moments *series = course->series;
    double passed = course_passed(course, first);
    uint32_t longest = course->after[index].longest;

    return series->clock != CLOCK_STEPS && passed >= GROWTH_AGE_TELLS &&
           longest + 1 >= passed;
}

/* Whether the counts of a site rose, by enough and for hours, and were less at
 * no moment than at the one before. */
static bool has_never_fallen(const struct course *course, size_t first,
                             const struct site_growth *site)
{
    const struct moments *series = course->series;
    const size_t *snapshots = series->snapshots;
    size_t last = series->n - 1;
    size_t at = last;
    double before;

    while (at > first &&
           site->counts[snapshots[at - 1]] <= site->counts[snapshots[at]])
        at--;
    before = site->counts[snapshots[at]];
    return series->clock != CLOCK_STEPS && last - at >= NEVER_MOMENTS &&
           series->hours[last] - series->hours[at] >= NEVER_HOURS &&
           site->after - before >= TREND_PAIR && site->after >= 2 * before;
}

/* What else is known of a site that does something. */
void course_add_evidence(const struct course *course, size_t first,
                         size_t index, struct site_growth *site)
{
    const struct survivors *survivors = &course->survivors[index];

    site->has_rate =
        course->series->clock != CLOCK_STEPS && course->parts.items[0].n > 1;
    if (course->series->is_across)
        return;
    site->has_survivors = survivors->is_known;
    site->never_fell = site->verdict == GROWTH_GROWING &&
                       !survivors->is_known &&
                       has_never_fallen(course, first, site);
    site->survivors = survivors->share;
    site->living = growth_site_serves(course->analysis, site)
                       ? survivors->share
                       : survivors->living;
    site->asked.is_sample = survivors->is_sample;
    site->asked.is_later = survivors->is_later;
    site->is_unaged =
        survivors->is_known && course->series->clock != CLOCK_STEPS &&
        (double)course->after[index].n < site->after * GROWTH_AGED;
    if (growth_stays(site) && growth_site_serves(course->analysis, site) &&
        !course_is_as_old(course, first, index) &&
        !are_the_same(course, first, site))
        site->has_survivors = false;
    set_waits(course, first, index, site);
    site->waited = site->still_waits || are_joined(course, first, index, site)
                       ? minutes_waited(course, first)
                       : 0;
    if (site->verdict == GROWTH_GROWING || site->verdict == GROWTH_GREW ||
        site->verdict == GROWTH_STUCK || site->still_waits)
        site->ages_advance = do_ages_advance(course, first, index, site);
}
