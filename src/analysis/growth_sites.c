#include "analysis/growth_sites.h"

#include <stdlib.h>

#include "analysis/growth_judge.h"
#include "analysis/lineage.h"
#include "analysis/states_frames.h"
#include "analysis/weight.h"

struct growth {
    struct analysis *analysis;
    const struct moments *series;
    size_t n_series;
    struct site_growth *sites;  /* by number */
    struct site_growth **order; /* what rose by most first */
    size_t n_sites;
    uint32_t *site_of; /* the number of each group's site */
};

#define NO_SITE UINT32_MAX

/* Groups of the leading family stand first, and are compared when there are
 * moments of it. */
static size_t count_compared(const struct growth *growth)
{
    const struct analysis *analysis = growth->analysis;
    size_t n = growth->n_series ? analysis_n_groups(analysis) : 0;

    while (n && analysis_group(analysis, n - 1)->family)
        n--;
    return n;
}

static int out_of_memory(struct cprof_error *err)
{
    return error_memory(err, (struct place){0}, "comparing");
}

/* Where a group waits, for telling sites apart. */
struct waiting {
    frame_id frame;
    state_id state;
    size_t group;
};

/* A group by its stack. */
struct stack_place {
    stack_id stack;
    state_id state;
    size_t group;
};

static frame_id frame_of(const struct analysis *analysis,
                         const struct joined_group *group)
{
    if (group->site < 0 || group->stack == STACK_OTHER)
        return FRAME_NONE;
    return symbols_stack(analysis_snapshots(analysis)->symbols, group->stack)
        .frames[group->site];
}

static int compare_waiting(const void *a, const void *b)
{
    const struct waiting *left = a;
    const struct waiting *right = b;

    if (left->frame != right->frame)
        return left->frame < right->frame ? -1 : 1;
    if (left->state != right->state)
        return left->state < right->state ? -1 : 1;
    return (left->group > right->group) - (left->group < right->group);
}

/* Groups that wait at one line in one state are one site. */
static bool join_sites(struct analysis *analysis, struct lineage *lineage)
{
    size_t n = lineage->n;
    struct waiting *waiting = malloc((n + 1) * sizeof(*waiting));

    if (!waiting)
        return false;
    for (size_t i = 0; i < n; i++) {
        const struct joined_group *group = analysis_group(analysis, i);

        waiting[i] =
            (struct waiting){frame_of(analysis, group), group->state, i};
    }
    if (n)
        qsort(waiting, n, sizeof(*waiting), compare_waiting);
    for (size_t i = 1; i < n; i++) {
        if (waiting[i].frame != FRAME_NONE &&
            waiting[i].frame == waiting[i - 1].frame &&
            waiting[i].state == waiting[i - 1].state)
            lineage_join(lineage, waiting[i - 1].group, waiting[i].group);
    }
    free(waiting);
    return true;
}

static int compare_stacks(const void *a, const void *b)
{
    const struct stack_place *left = a;
    const struct stack_place *right = b;

    if (left->stack != right->stack)
        return left->stack < right->stack ? -1 : 1;
    return (left->group > right->group) - (left->group < right->group);
}

/* Joins those of n groups of one stack that are awake to the first one, which
 * is the largest, that waits. */
static void join_awake(struct lineage *lineage,
                       const struct stack_place *places, size_t n)
{
    size_t waits = 0;

    while (waits < n && state_is_awake(places[waits].state))
        waits++;
    for (size_t i = 0; waits < n && i < n; i++) {
        if (state_is_awake(places[i].state))
            lineage_join(lineage, places[waits].group, places[i].group);
    }
}

/* Who waits and is woken runs on from the very stack of the wait, and how many
 * are caught so is chance: broadcasts wake all at once. They are where they
 * wait, and neither gone nor new. */
static bool join_woken(struct analysis *analysis, struct lineage *lineage)
{
    size_t n = lineage->n;
    struct stack_place *places = malloc((n + 1) * sizeof(*places));
    size_t end;

    if (!places)
        return false;
    for (size_t i = 0; i < n; i++) {
        const struct joined_group *group = analysis_group(analysis, i);

        places[i] = (struct stack_place){group->stack, group->state, i};
    }
    if (n)
        qsort(places, n, sizeof(*places), compare_stacks);
    for (size_t i = 0; i < n; i = end) {
        end = i + 1;
        while (end < n && places[end].stack == places[i].stack)
            end++;
        if (places[i].stack != STACK_OTHER)
            join_awake(lineage, places + i, end - i);
    }
    free(places);
    return true;
}

/* Numbers the sites in order of their first group, which is their largest, and
 * counts their groups. */
static bool number_sites(struct growth *growth, struct lineage *lineage)
{
    struct arena *arena = analysis_arena(growth->analysis);

    growth->site_of = arena_take(
        arena, (analysis_n_groups(growth->analysis) + 1) * sizeof(uint32_t));
    growth->sites =
        arena_take_zero(arena, (lineage->n + 1) * sizeof(*growth->sites));
    if (!growth->site_of || !growth->sites)
        return false;
    for (size_t i = 0; i < lineage->n; i++) {
        size_t root = lineage_find(lineage, i);

        /* A root is the smallest index of its set. */
        if (root == i)
            growth->site_of[i] = (uint32_t)growth->n_sites++;
        else
            growth->site_of[i] = growth->site_of[root];
        growth->sites[growth->site_of[i]].n_groups++;
    }
    for (size_t i = lineage->n; i < analysis_n_groups(growth->analysis); i++)
        growth->site_of[i] = NO_SITE;
    return true;
}

/* The state of a site is that of its first group which is told exactly, and
 * waits. */
static void add_state(struct site_growth *site, state_id state)
{
    if (site->state == STATE_UNKNOWN || site->state == STATE_WAITING ||
        state_is_awake(site->state) ||
        (site->state == STATE_CHAN_OPERATION && state > STATE_CHAN_OPERATION))
        site->state = state;
}

/* Fills the groups and counts of all sites. */
static bool fill_sites(struct growth *growth)
{
    struct analysis *analysis = growth->analysis;
    struct arena *arena = analysis_arena(analysis);
    const struct symbols *symbols = analysis_snapshots(analysis)->symbols;
    size_t n_snapshots = analysis_snapshots(analysis)->count;
    size_t n = count_compared(growth);
    size_t *groups = arena_take(arena, (n + 1) * sizeof(*groups));
    double *counts = arena_take_zero(
        arena, (growth->n_sites * n_snapshots + 1) * sizeof(*counts));

    if (!groups || !counts)
        return false;
    for (size_t i = 0; i < growth->n_sites; i++) {
        struct site_growth *site = &growth->sites[i];

        site->groups = groups;
        site->counts = counts + i * n_snapshots;
        groups += site->n_groups;
        site->n_groups = 0;
    }
    for (size_t i = 0; i < n; i++) {
        const struct joined_group *group = analysis_group(analysis, i);
        struct site_growth *site = &growth->sites[growth->site_of[i]];
        double *sums = counts + growth->site_of[i] * n_snapshots;

        if (!site->n_groups) {
            site->site = frame_of(analysis, group);
            site->bytes =
                goroutine_bytes(symbols, symbols_stack(symbols, group->stack));
        }
        add_state(site, group->state);
        site->is_leaked = site->is_leaked || joined_extra(group)->leaked;
        ((size_t *)(uintptr_t)site->groups)[site->n_groups++] = i;
        for (size_t k = 0; k < n_snapshots; k++)
            sums[k] += (double)joined_count(group, k);
    }
    return true;
}

/* Whether healthy code keeps few goroutines in a state. */
static bool is_blocking_state(state_id state)
{
    switch (state) {
    case STATE_CHAN_SEND:
    case STATE_CHAN_SEND_NIL:
    case STATE_CHAN_RECEIVE_NIL:
    case STATE_SELECT_NO_CASES:
    case STATE_SEMACQUIRE:
    case STATE_MUTEX_LOCK:
    case STATE_RWMUTEX_RLOCK:
    case STATE_RWMUTEX_LOCK:
    case STATE_WAITGROUP_WAIT:
    case STATE_COND_WAIT:
        return true;
    default:
        return false;
    }
}

/* Whether a stack waits for the garbage collector, or to stop the world. */
static bool is_of_runtime(const struct symbols *symbols, struct stack stack,
                          state_id state)
{
    return state == STATE_GC_ASSIST_WAIT || state == STATE_GC_ASSIST_MARKING ||
           (state == STATE_SEMACQUIRE &&
            frames_is_runtime_queue(symbols, stack));
}

/* Says of each site how half of its goroutines or more wait, by the state of
 * the site, which some of its groups do not tell. */
static void settle_waits(struct growth *growth)
{
    const struct analysis *analysis = growth->analysis;
    const struct symbols *symbols = analysis_snapshots(analysis)->symbols;

    for (size_t i = 0; i < growth->n_sites; i++) {
        struct site_growth *site = &growth->sites[i];
        uint64_t of_runtime = 0;
        uint64_t blocking = 0;
        uint64_t all = 0;

        for (size_t k = 0; k < site->n_groups; k++) {
            const struct joined_group *group =
                analysis_group(analysis, site->groups[k]);
            struct stack stack = symbols_stack(symbols, group->stack);

            all += group->count;
            if (is_of_runtime(symbols, stack, site->state))
                of_runtime += group->count;
            else if (is_blocking_state(site->state) ||
                     frames_is_pipe_write(symbols, stack, site->state))
                blocking += group->count;
        }
        site->is_of_runtime = of_runtime > all - of_runtime;
        site->is_blocking = blocking >= all - blocking;
    }
}

static double rise_of(const struct site_growth *site)
{
    return site->after - site->before;
}

/* What rose by most first; of equals what is most, then by number. */
static int compare_sites(const void *a, const void *b)
{
    const struct site_growth *left = *(struct site_growth *const *)a;
    const struct site_growth *right = *(struct site_growth *const *)b;

    if (rise_of(left) != rise_of(right))
        return rise_of(left) > rise_of(right) ? -1 : 1;
    if (left->after != right->after)
        return left->after > right->after ? -1 : 1;
    return (left > right) - (left < right);
}

static void settle_shares(struct growth *growth)
{
    double all = 0;

    for (size_t i = 0; i < growth->n_sites; i++) {
        double rise = rise_of(&growth->sites[i]);

        all += rise > 0 ? rise : 0;
    }
    for (size_t i = 0; i < growth->n_sites; i++) {
        struct site_growth *site = &growth->sites[i];

        site->share = all > 0 && rise_of(site) > 0 ? rise_of(site) / all : 0;
    }
}

static bool order_sites(struct growth *growth)
{
    growth->order = arena_take(analysis_arena(growth->analysis),
                               (growth->n_sites + 1) * sizeof(void *));
    if (!growth->order)
        return false;
    for (size_t i = 0; i < growth->n_sites; i++)
        growth->order[i] = &growth->sites[i];
    if (growth->n_sites)
        qsort(growth->order, growth->n_sites, sizeof(void *), compare_sites);
    return true;
}

enum growth_confidence growth_confidence_of(const struct site_growth *site)
{
    bool grew = site->verdict == GROWTH_GREW ||
                (site->verdict == GROWTH_APPEARED && site->is_real);
    int confidence = site->n >= 8   ? GROWTH_HIGH
                     : site->n >= 5 ? GROWTH_MEDIUM
                                    : GROWTH_LOW;

    if (!grew && site->verdict != GROWTH_GROWING &&
        site->verdict != GROWTH_STUCK)
        return GROWTH_NONE;
    if (site->verdict == GROWTH_GROWING && !site->is_whole)
        confidence = GROWTH_LOW;
    else if (!site->has_load && !grew)
        confidence--;
    if (site->ages_advance || site->is_leaked || growth_stays(site) ||
        growth_gathers(site))
        confidence++;
    if (growth_passes(site) || growth_is_doubtful(site) ||
        (site->verdict == GROWTH_STUCK && site->is_unaged))
        confidence = GROWTH_LOW;
    return confidence < GROWTH_LOW    ? GROWTH_LOW
           : confidence > GROWTH_HIGH ? GROWTH_HIGH
                                      : (enum growth_confidence)confidence;
}

/* Tells every group what its site does; the slope is shared by how many of the
 * goroutines are its own. */
static bool tell_groups(struct growth *growth)
{
    struct analysis *analysis = growth->analysis;
    size_t n = count_compared(growth);
    struct group_growth *told =
        arena_take_zero(analysis_arena(analysis), (n + 1) * sizeof(*told));

    for (size_t i = 0; told && i < n; i++) {
        struct joined_group *group = analysis_group(analysis, i);
        const struct site_growth *site = growth_site_of(growth, i);
        double part = site->after > 0 ? (double)group->count / site->after : 0;
        struct joined_extra *extra =
            joined_extra_put(group, analysis_arena(analysis));

        if (!extra)
            return false;
        told[i] = (struct group_growth){
            .site = site,
            .confidence = growth_confidence_of(site),
            .has_slope = site->has_rate,
            .has_survivors = site->has_survivors,
            .slope = site->rate.median * part,
            .survivors = site->survivors,
        };
        extra->growth = &told[i];
    }
    return told != NULL;
}

static bool compare(struct growth *growth)
{
    struct analysis *analysis = growth->analysis;
    struct lineage lineage;

    growth->series = analysis_moments(analysis)->items;
    growth->n_series = analysis_moments(analysis)->count;
    if (!lineage_init(&lineage, analysis, count_compared(growth)) ||
        !lineage_match(&lineage) || !join_sites(analysis, &lineage) ||
        !join_woken(analysis, &lineage) || !number_sites(growth, &lineage) ||
        !fill_sites(growth))
        return false;
    settle_waits(growth);
    for (size_t i = 0; i < growth->n_series; i++) {
        if (!growth_judge(analysis, &growth->series[i], growth->sites,
                          growth->n_sites, growth->site_of))
            return false;
    }
    settle_shares(growth);
    return order_sites(growth) && tell_groups(growth);
}

int growth_new(struct growth **ret, struct analysis *analysis,
               struct cprof_error *err)
{
    struct growth *growth =
        arena_take_zero(analysis_arena(analysis), sizeof(*growth));

    if (!growth)
        return out_of_memory(err);
    growth->analysis = analysis;
    if (!compare(growth))
        return out_of_memory(err);
    *ret = growth;
    return 0;
}

size_t growth_n_series(const struct growth *growth)
{
    return growth->n_series;
}

const struct moments *growth_series(const struct growth *growth, size_t index)
{
    return &growth->series[index];
}

size_t growth_n_sites(const struct growth *growth)
{
    return growth->n_sites;
}

const struct site_growth *growth_site(const struct growth *growth, size_t index)
{
    return growth->order[index];
}

const struct site_growth *growth_site_of(const struct growth *growth,
                                         size_t group)
{
    return growth->site_of[group] == NO_SITE
               ? NULL
               : &growth->sites[growth->site_of[group]];
}

double growth_cost(const struct site_growth *site)
{
    double rise = site->n >= TREND_FEW ? site->rate.median : rise_of(site);

    return rise > 0 ? rise * site->bytes : 0;
}

const char *growth_verdict_text(enum growth_verdict verdict)
{
    static const char *const words[] = {
        [GROWTH_STABLE] = "stable",   [GROWTH_GREW] = "grew",
        [GROWTH_GROWING] = "growing", [GROWTH_STUCK] = "stuck",
        [GROWTH_PLATEAU] = "plateau", [GROWTH_SHRANK] = "shrank",
        [GROWTH_APPEARED] = "new",    [GROWTH_GONE] = "gone",
    };

    return words[verdict];
}

bool growth_stays(const struct site_growth *site)
{
    return site->has_survivors && site->survivors >= GROWTH_SURVIVE;
}

bool growth_passes(const struct site_growth *site)
{
    return site->has_survivors && site->survivors <= GROWTH_PASS &&
           !growth_gathers(site);
}

bool growth_gathers(const struct site_growth *site)
{
    return site->staying.grows;
}

bool growth_is_doubtful(const struct site_growth *site)
{
    if (site->is_blocking || (growth_gathers(site) && site->ages_advance))
        return false;
    return site->has_survivors ? site->living < GROWTH_HALF
                               : !site->has_load && !site->never_fell;
}

bool growth_is_end(const struct site_growth *site)
{
    return site->window && site->window[0] == 'e';
}

bool growth_is_early(const struct site_growth *site)
{
    enum { MINUTES_TELL = 5 };

    return growth_is_end(site) &&
           (!site->has_rate || site->hours * 60 < MINUTES_TELL);
}

bool growth_is_leak_like(const struct site_growth *site)
{
    return site->verdict == GROWTH_GROWING && site->is_whole &&
           !growth_is_doubtful(site) && !growth_passes(site) &&
           !growth_is_early(site) && !site->is_of_runtime;
}

bool growth_site_is_of_dump(const struct analysis *analysis,
                            const struct site_growth *site)
{
    static const struct str functions[] = {
        STR_INIT("runtime/pprof.(*Profile).WriteTo"),
        STR_INIT("net/http.(*connReader).backgroundRead"),
        STR_INIT("net/http.(*connReader).startBackgroundRead.func2"),
        STR_INIT("net/http.(*connReader).startBackgroundRead.gowrap2")};
    const struct symbols *symbols = analysis_snapshots(analysis)->symbols;
    struct stack stack;

    if (!site->n_groups)
        return false;
    stack = symbols_stack(symbols,
                          analysis_group(analysis, site->groups[0])->stack);
    for (size_t i = 0; i < sizeof(functions) / sizeof(*functions); i++) {
        if (stack_has_function(symbols, stack, functions[i]))
            return true;
    }
    return false;
}

bool growth_site_serves(const struct analysis *analysis,
                        const struct site_growth *site)
{
    const struct symbols *symbols = analysis_snapshots(analysis)->symbols;

    for (size_t i = 0; i < site->n_groups && !site->is_blocking; i++) {
        const struct joined_group *group =
            analysis_group(analysis, site->groups[i]);

        if (stack_has_function(symbols, symbols_stack(symbols, group->stack),
                               STR("net/http.(*conn).serve")))
            return true;
    }
    return false;
}
