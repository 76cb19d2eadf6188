#include "analysis/growth_judge.h"

#include <stdlib.h>

#include "analysis/growth_course.h"

enum {
    CORRECTED_FROM = 8, /* snapshots from which many tests are corrected for */
    USUAL_LEAST = 20,   /* places that tell how much places differ */
    STEP_MOMENTS = 600, /* the last ones, in which a step is looked for */
};

static const double false_findings = 0.05; /* of all that are found */
static const double busier = 1.25; /* so many times the traffic of before */

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
                               bool is_beyond, bool *ret_has_load)
{
    double busy[SERIES_MOST];
    struct trend_series series = {
        part->times, growth_part_counts(part, site),
        growth_part_load(part, site, busy, &course->scratch), part->n};

    if (is_beyond)
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

/* The moment whose goroutines are asked for their ages in the last one: that
 * of which survivors are known, or one before it, where an age tells more. */
static size_t asked_since(const struct course *course, size_t first,
                          bool is_later)
{
    size_t since =
        is_later ? survivors_middle(course->analysis, course->series, first)
                 : course_whole(course, first);

    while (since > first && course_since(course, since) < GROWTH_AGE_TELLS)
        since--;
    return since;
}

/* Whether traffic cannot explain how a site grows: all stay by their ids, where
 * healthy code keeps few, or for as long as they are known, by their ages. */
static bool is_beyond_load(const struct course *course, size_t first,
                           size_t index, const struct site_growth *site)
{
    const struct moments *series = course->series;
    const struct survivors *survivors = &course->survivors[index];
    size_t since = asked_since(course, first, survivors->is_later);

    if (series->is_across || !survivors->is_known ||
        survivors->share < GROWTH_SURVIVE)
        return false;
    return site->is_blocking ||
           (!course->is_busier && series->clock != CLOCK_STEPS &&
            course_since(course, since) >= GROWTH_AGE_TELLS &&
            (double)course->after[index].since[survivors->is_later] >=
                site->counts[series->snapshots[since]] * GROWTH_AGED);
}

/* The verdict over the whole course, or over its last week, day or hour where
 * only they show growth. Any of them may show that it stands out: what the
 * others did in the morning hides less of the last hour. */
static void judge_parts(struct course *course, size_t first, size_t index,
                        struct site_growth *site)
{
    bool is_beyond = is_beyond_load(course, first, index, site);

    site->stands_out = false;
    for (size_t i = 0; i < GROWTH_PARTS && !site->stands_out; i++) {
        const struct growth_part *part = &course->parts.items[i];
        bool has_load;
        struct trend trend;

        if (!part->n || (i && !growth_part_is_beyond(&course->parts, i, index,
                                                     &course->scratch)))
            continue;
        trend = judge_part(course, part, index, is_beyond, &has_load);
        if (i && !trend.is_whole)
            continue;
        if (!site->is_whole)
            set_verdict(site, part, &trend, has_load);
        site->stands_out =
            trend.is_whole &&
            (part->has_past ||
             growth_part_is_apart(part, index, &course->scratch));
        site->is_alone = course->parts.items[0].n_usual < USUAL_LEAST;
    }
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
            course_ages_tell_moves(course, ages, count, passed));
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

/* Whether goroutines of a site move for all that ids and ages tell: who comes
 * back to send again has the same id, and no age. */
static bool do_they_move(const struct course *course, size_t index,
                         const struct site_growth *site, double count,
                         double passed)
{
    const struct survivors *survivors = &course->survivors[index];
    const struct site_ages *ages = &course->after[index];
    const struct moments *series = course->series;
    const struct snapshot *last = analysis_snapshots(course->analysis)
                                      ->items[series->snapshots[series->n - 1]];

    return (survivors->is_known && survivors->share < GROWTH_SURVIVE) ||
           course_ages_tell_moves(course, ages, count, passed) ||
           (snapshot_info_get(last)->max_id &&
            (double)ages->n < site->after * GROWTH_AGED);
}

/* Looks for many who came at once to a wait that should end, and stand there
 * since: who waits for a lock that is lost, while all others wait as well. */
static void find_step(const struct course *course, size_t first, size_t index,
                      struct site_growth *site)
{
    const struct moments *series = course->series;
    const double *hours = series->hours + first;
    double counts[STEP_MOMENTS];
    size_t n = series->n - first;
    size_t from = n > STEP_MOMENTS ? n - STEP_MOMENTS : 0;
    struct stuck_step step;

    if (site->verdict == GROWTH_GROWING || site->verdict == GROWTH_STUCK ||
        series->is_across || series->clock == CLOCK_STEPS ||
        !site->is_blocking || site->is_of_runtime ||
        site->state == STATE_COND_WAIT || site->state == STATE_WAITGROUP_WAIT)
        return;
    for (size_t i = from; i < n; i++)
        counts[i - from] = site->counts[series->snapshots[first + i]];
    if (!stuck_stands(hours + from, counts, n - from, &step) ||
        do_they_move(course, index, site, counts[step.first],
                     (hours[n - 1] - hours[from + step.first]) * 60))
        return;
    site->verdict = GROWTH_STUCK;
    site->stands = true;
    site->most_before = step.before;
    site->window = course->parts.items[GROWTH_END].window;
    site->before = step.before;
    site->n = n - from - step.first;
    site->hours = hours[n - 1] - hours[from + step.first];
    site->rate = (struct slope){0};
    site->p = 1;
}

/* Looks for a leak behind those who come and go. Between requests a connection
 * of HTTP/1 goes away from its place and comes back. */
static void find_staying(struct course *course, size_t first, size_t index,
                         struct site_growth *site)
{
    const struct growth_part *all = &course->parts.items[0];

    staying_judge(&course->staying, index, all, &course->scratch, site);
    if (growth_site_serves(course->analysis, site) &&
        !course_is_as_old(course, first, index))
        site->staying.grows = false;
    if (!site->staying.grows || !site->staying.is_whole ||
        site->verdict == GROWTH_STUCK || site->is_whole)
        return;
    site->verdict = GROWTH_GROWING;
    site->is_whole = true;
    site->staying.decides = true;
    site->window = all->window;
    site->n = all->n;
    site->hours = all->times[all->n - 1] - all->times[0];
    site->before = site->counts[course->series->snapshots[first]];
    site->rate = site->staying.rate;
    site->p = site->staying.p;
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

/* Points of a long series are medians: a place that has just lost what it had
 * grown by, as in a restart that nothing else shows, grows no more. */
static void check_end(struct site_growth *site)
{
    if (site->verdict != GROWTH_GROWING ||
        site->before + TREND_FLOOR <= site->after)
        return;
    site->verdict = GROWTH_STABLE;
    site->is_whole = false;
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
    site.staying.grows = false;
    site.staying.is_whole = false;
    site.staying.decides = false;
    site.stands = false;
    site.never_fell = false;
    judge_parts(course, first, index, &site);
    set_ends(course->series, first, &site);
    check_end(&site);
    find_stuck(course, index, &site);
    find_step(course, first, index, &site);
    find_staying(course, first, index, &site);
    course_add_evidence(course, first, index, &site);
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

/* The ages of the first whole moment and of the last. */
static bool find_all_ages(struct course *course, size_t first, size_t n_sites,
                          const uint32_t *site_of)
{
    const struct moments *series = course->series;
    size_t whole = course_whole(course, first);
    size_t last = series->snapshots[series->n - 1];
    double passed[2] = {
        course_since(course, asked_since(course, first, false)),
        course_since(course, asked_since(course, first, true)),
    };

    course->before = site_ages_find(course->analysis, series->snapshots[whole],
                                    site_of, n_sites, passed);
    course->after =
        site_ages_find(course->analysis, last, site_of, n_sites, passed);
    course->told =
        site_ages_told(course->analysis, last, course_since(course, whole));
    for (size_t i = 0; course->after && i < n_sites; i++)
        course->has_ages |= course->after[i].n > 0;
    return course->before && course->after;
}

/* Whether the places that goroutines pass through, by their ids, have more of
 * them at the end: traffic that others may follow. */
static bool is_busier(const struct course *course, size_t n_sites)
{
    const struct growth_part *all = &course->parts.items[0];
    size_t third = series_third(all->n);
    double before = 0;
    double after = 0;

    for (size_t i = 0; i < n_sites && third <= all->n; i++) {
        const double *counts = growth_part_counts(all, i);

        if (!course->survivors[i].is_known ||
            course->survivors[i].share > GROWTH_HALF)
            continue;
        for (size_t k = 0; k < third; k++) {
            before += counts[k];
            after += counts[all->n - 1 - k];
        }
    }
    return after >= TREND_FLOOR * (double)third && after >= before * busier;
}

static bool judge_course(struct course *course, struct site_growth *sites,
                         size_t n_sites, const uint32_t *site_of)
{
    size_t first = course->series->first;
    struct staying_sites asked;

    course->survivors = malloc((n_sites + 1) * sizeof(*course->survivors));
    asked = (struct staying_sites){sites, course->survivors, n_sites, site_of};
    if (!course->survivors ||
        !growth_parts_fill(&course->parts, course->series, first, sites,
                           n_sites, &course->scratch) ||
        !survivors_over(course->analysis, course->series, first, site_of,
                        n_sites, course->survivors) ||
        !staying_find(course->analysis, course->series, first, &asked,
                      &course->staying) ||
        !find_all_ages(course, first, n_sites, site_of))
        return false;
    course->moves = find_moves(course, sites, n_sites);
    course->is_busier = is_busier(course, n_sites);
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
    staying_done(&course->staying);
    free(course->before);
    free(course->after);
    free(course);
    return done;
}
