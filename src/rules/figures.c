#include "rules/figures.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/growth_sites.h"
#include "analysis/lock_sites.h"
#include "rules/beside.h"
#include "rules/correlate.h"

/* What a figure is taken of. */
struct measured {
    struct judge *judge;
    const struct bucket *bucket;
    const struct tier *tier;
    size_t snapshot; /* place in judge->snapshots */
    uint64_t weight; /* bucket_weight */
};

typedef struct figure figure_fn(const struct measured *measured);

static const struct figure unknown = {false, 0};

static struct figure known(double value)
{
    return (struct figure){true, value};
}

uint64_t bucket_weight(const struct judge *judge, const struct bucket *bucket,
                       size_t snapshot)
{
    uint64_t count = judge->sums[snapshot];

    if (bucket->rule->match.leaked == WANTED_YES && bucket->leaked < count)
        return bucket->leaked;
    return count;
}

static const struct joined_group *group_at(const struct measured *measured,
                                           size_t i)
{
    return analysis_group(measured->judge->analysis, measured->judge->taken[i]);
}

static struct figure figure_count(const struct measured *measured)
{
    return known((double)measured->weight);
}

/* Whether goroutines of a group wait where most do for the same lock. */
static bool is_where_most_wait(const struct measured *measured,
                               const struct joined_group *group)
{
    const struct symbols *symbols = measured->judge->symbols;
    const struct holding *holding = joined_extra(group)->holding;
    struct lock_site site;

    return holding && !holding->is_rest &&
           lock_site_find(symbols, symbols_stack(symbols, group->stack),
                          &site) &&
           site.frame == holding->site;
}

/* A lock has many callers, and few at each of them may be many together. One of
 * the places speaks for all. */
static struct figure figure_waiters(const struct measured *measured)
{
    uint64_t most = measured->weight;

    for (size_t i = 0; i < measured->bucket->n_groups; i++) {
        const struct joined_group *group = group_at(measured, i);

        if (is_where_most_wait(measured, group) &&
            joined_extra(group)->holding->waiters > most)
            most = joined_extra(group)->holding->waiters;
    }
    return known((double)most);
}

/* What a rule takes may stand beside others itself, or for a rule that is asked
 * before the normal ones: it is the whole at most. */
static struct figure figure_share(const struct measured *measured)
{
    uint64_t rest = beside_rest(measured->judge, measured->snapshot);

    if (!rest)
        return unknown;
    return known(
        measured->weight < rest ? (double)measured->weight / (double)rest : 1);
}

/* The minutes that goroutines of a group have waited by what other moments
 * tell; 0 = not known. */
static uint32_t minutes_by_clock(const struct joined_group *group)
{
    const struct group_growth *growth = joined_extra(group)->growth;

    return growth ? growth->site->waited : 0;
}

static struct figure figure_age(const struct measured *measured)
{
    struct figure age = unknown;

    for (size_t i = 0; i < measured->bucket->n_groups; i++) {
        const struct joined_group *group = group_at(measured, i);
        uint32_t minutes = minutes_by_clock(group);
        double seconds;

        if (joined_has_wait(group) &&
            wait_at_least(group->facts->wait_max) > minutes)
            minutes = wait_at_least(group->facts->wait_max);
        seconds = (double)minutes * 60;
        if ((minutes || joined_has_wait(group)) &&
            (!age.is_known || seconds > age.value))
            age = known(seconds);
    }
    return age;
}

/* Adds how long the goroutines of a group have waited, and gives the number of
 * those of whom nothing is known. */
static uint64_t add_waits(struct wait_histogram *waits, struct arena *arena,
                          const struct joined_group *group)
{
    struct plain_evidence room;
    const struct wait_histogram *from = &joined_evidence(group, &room)->waits;
    const struct group_growth *growth = joined_extra(group)->growth;
    /* Those that came since have waited for less. */
    uint32_t least =
        growth && growth->site->still_waits ? growth->site->waited : 0;
    uint64_t silent = group->count;

    for (uint32_t b = 0; b < from->count; b++) {
        const struct wait_bar *bar = &from->bars[b];
        uint32_t waited = wait_at_least(bar->minutes);

        wait_histogram_add(waits, arena, waited > least ? waited : least,
                           bar->count);
        silent -= bar->count < silent ? bar->count : silent;
    }
    if (!least || !silent)
        return silent;
    wait_histogram_add(waits, arena, least, (uint32_t)silent);
    return 0;
}

/* Goroutines that tell no wait beside others that do have waited for less than
 * a minute (runtime/traceback.go: goroutineheader). */
static struct figure figure_age_p50(const struct measured *measured)
{
    struct arena arena;
    struct wait_histogram waits = {0};
    uint64_t silent = 0; /* that tell nothing, nor does the clock */
    struct figure age = unknown;

    arena_init(&arena, measured->judge->budget);
    for (size_t i = 0; i < measured->bucket->n_groups; i++)
        silent += add_waits(&waits, &arena, group_at(measured, i));
    if (waits.count) {
        if (silent)
            wait_histogram_add(&waits, &arena, 0, (uint32_t)silent);
        age = known((double)wait_histogram_median(&waits) * 60);
    }
    arena_done(&arena);
    return age;
}

/* Ids are given in the order of creation (runtime/proc.go: newproc1), so that
 * goroutines of the lower half were there before most others began. Several
 * processes count apart. */
static struct figure figure_ids_old(const struct measured *measured)
{
    const struct judge *judge = measured->judge;
    const struct cprof_snapshots *all = analysis_snapshots(judge->analysis);
    uint64_t max_id =
        snapshot_info_get(all->items[judge->snapshots[0]])->max_id;
    double old = 0;
    double n = 0;

    if (judge->n_snapshots != 1 || !max_id)
        return unknown;
    for (size_t i = 0; i < measured->bucket->n_groups; i++) {
        const struct joined_group *group = group_at(measured, i);
        struct plain_evidence room;
        const struct id_sample *ids = &joined_evidence(group, &room)->ids;
        uint32_t n_old = 0;

        for (uint32_t k = 0; k < ids->count; k++)
            n_old += ids->ids[k] <= max_id / 2;
        if (!ids->count)
            continue;
        old += (double)group->facts->n_ids * n_old / ids->count;
        n += (double)group->facts->n_ids;
    }
    return n > 0 ? known(old / n) : unknown;
}

/* The surest growth among the groups. */
static struct figure figure_growth(const struct measured *measured)
{
    struct figure growth = unknown;

    for (size_t i = 0; i < measured->bucket->n_groups; i++) {
        const struct group_growth *at =
            joined_extra(group_at(measured, i))->growth;

        if (at && (!growth.is_known || (double)at->confidence > growth.value))
            growth = known((double)at->confidence);
    }
    return growth;
}

static struct figure figure_slope(const struct measured *measured)
{
    struct figure slope = unknown;

    for (size_t i = 0; i < measured->bucket->n_groups; i++) {
        const struct group_growth *at =
            joined_extra(group_at(measured, i))->growth;

        if (at && at->has_slope)
            slope = known(slope.value + at->slope);
    }
    return slope;
}

/* Whether a group runs, or is about to, at a place where most of the others
 * wait: it was just woken there, and who stays in the place says nothing of
 * it. */
static bool was_woken(const struct joined_group *group)
{
    return state_is_awake(group->state) &&
           (double)group->count * 2 < joined_extra(group)->growth->site->after;
}

static struct figure figure_survivors(const struct measured *measured)
{
    double sum = 0;
    double n = 0;

    for (size_t i = 0; i < measured->bucket->n_groups; i++) {
        const struct joined_group *group = group_at(measured, i);

        if (!joined_extra(group)->growth ||
            !joined_extra(group)->growth->has_survivors || was_woken(group))
            continue;
        sum += joined_extra(group)->growth->survivors * (double)group->count;
        n += (double)group->count;
    }
    return n > 0 ? known(sum / n) : unknown;
}

static struct figure figure_ratio(const struct measured *measured)
{
    const struct rule *rule = measured->tier->ratio_to.rule;
    uint64_t other = correlate_count(measured->judge, rule, measured->snapshot);

    if (other)
        return known((double)measured->weight / (double)other);
    /* Beside none, any number is too many; a rule that is not there counts
     * nothing. */
    return rule && rule_is_enabled(rule) ? known(INFINITY) : unknown;
}

/* Goroutines at one place in each judged snapshot. */
struct place_count {
    uint64_t key;
    uint64_t count;
};

static int compare_keys(const void *a, const void *b)
{
    const struct place_count *left = a;
    const struct place_count *right = b;

    return left->key < right->key ? -1 : left->key > right->key;
}

static int compare_counts(const void *a, const void *b)
{
    const struct place_count *left = a;
    const struct place_count *right = b;

    return left->count > right->count ? -1 : left->count < right->count;
}

/* Lists the places of a judged snapshot with what stands there and is not set
 * aside as normal. */
static size_t list_places(struct judge *judge, struct place_count *places,
                          size_t snapshot)
{
    size_t n = 0;

    for (size_t i = 0; i < analysis_n_groups(judge->analysis); i++) {
        const struct joined_group *group = analysis_group(judge->analysis, i);
        const struct rule *owner = findings_owner_of(judge->findings, i);

        if (group->is_filtered || (owner && owner->info.class == CLASS_NORMAL))
            continue;
        places[n++] = (struct place_count){
            group_site_key(judge->symbols, group),
            joined_count(group, judge->snapshots[snapshot])};
    }
    return n;
}

/* The goroutines of each place, the largest number first, ended by a 0. */
static uint64_t *rank_places(struct judge *judge, size_t snapshot)
{
    size_t most = analysis_n_groups(judge->analysis);
    struct place_count *places = malloc((most + 1) * sizeof(*places));
    uint64_t *counts = calloc(most + 1, sizeof(*counts));
    size_t n = 0;
    size_t n_places = 0;

    if (!places || !counts) {
        budget_note_refusal(judge->budget);
        free(places);
        free(counts);
        return NULL;
    }
    n = list_places(judge, places, snapshot);
    qsort(places, n, sizeof(*places), compare_keys);
    for (size_t i = 0; i < n; i++) {
        if (i && places[i].key == places[n_places - 1].key)
            places[n_places - 1].count += places[i].count;
        else
            places[n_places++] = places[i];
    }
    if (n_places)
        qsort(places, n_places, sizeof(*places), compare_counts);
    for (size_t i = 0; i < n_places; i++)
        counts[i] = places[i].count;
    free(places);
    return counts;
}

/* 1 = no place has more goroutines than the bucket. */
static struct figure figure_rank(const struct measured *measured)
{
    struct judge *judge = measured->judge;
    size_t rank = 0;

    if (!judge->ranks)
        judge->ranks = calloc(judge->n_snapshots, sizeof(*judge->ranks));
    if (!judge->ranks) {
        budget_note_refusal(judge->budget);
        return unknown;
    }
    if (!judge->ranks[measured->snapshot])
        judge->ranks[measured->snapshot] =
            rank_places(judge, measured->snapshot);
    if (!judge->ranks[measured->snapshot])
        return unknown;
    while (judge->ranks[measured->snapshot][rank] >
           judge->sums[measured->snapshot])
        rank++;
    return known((double)rank + 1);
}

void ranks_done(struct judge *judge)
{
    for (size_t i = 0; judge->ranks && i < judge->n_snapshots; i++)
        free(judge->ranks[i]);
    free(judge->ranks);
    judge->ranks = NULL;
}

struct figure figure_get(struct judge *judge, const struct bucket *bucket,
                         size_t snapshot, enum bound_key key,
                         const struct tier *tier)
{
    static figure_fn *const figures[N_BOUNDS] = {
        [BOUND_COUNT] = figure_count,
        [BOUND_SHARE] = figure_share,
        [BOUND_WAITERS] = figure_waiters,
        [BOUND_RANK] = figure_rank,
        [BOUND_AGE] = figure_age,
        [BOUND_AGE_P50] = figure_age_p50,
        [BOUND_GROWTH] = figure_growth,
        [BOUND_SLOPE] = figure_slope,
        [BOUND_SURVIVORS] = figure_survivors,
        [BOUND_IDS_OLD] = figure_ids_old,
        [BOUND_RATIO] = figure_ratio,
    };
    const struct measured measured = {
        .judge = judge,
        .bucket = bucket,
        .tier = tier,
        .snapshot = snapshot,
        .weight = bucket_weight(judge, bucket, snapshot),
    };

    return figures[key](&measured);
}
