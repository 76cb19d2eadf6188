#include "notify/alerts.h"

#include <stdlib.h>

#include "base/error.h"

enum {
    AWAY_GAPS = 3,    /* so many of its own runs were left out */
    GATHER_LEAST = 10 /* goroutines: fewer come and go */
};

/* The part of the goroutines that must be there for an alert to stay. */
static const double stays_share = 0.9;

/* One step over all alerts of a target. */
struct step {
    const struct sightings *seen;
    const struct alert_run *run;
};

/* Whether an alert is one that growth raised at a place that can be counted,
 * and which may stay though nothing new is found. */
static bool may_stay(const struct alert *alert)
{
    return alert->memory.state == ALERT_FIRING && alert->shown.has_growth &&
           alert->shown.function.len && alert->rest.passed_ns <= ALERT_STAYS_NS;
}

/* What a run that did not find an alert has seen of its place. */
static struct sighted_place place_of(const struct step *step,
                                     const struct alert *alert)
{
    struct sighted_place ret = {.function = alert->shown.function};

    for (size_t i = 0; ret.function.len && i < step->seen->n_places; i++) {
        const struct sighted_place *place = &step->seen->places[i];

        if (!str_equal(place->function, ret.function))
            continue;
        ret.n_of_function++;
        ret.count += place->count;
        ret.before += place->before;
        ret.has_shrunk |= place->has_shrunk;
        ret.is_full |= place->is_full;
    }
    return ret;
}

/* Whether an alert rests: its goroutines are there, of the most that there
 * were. Behind a pause each leak looks like a place that has filled up: the
 * pause is most of its time, and has no snapshots. */
static bool rests(const struct alert *alert, const struct sighted_place *place)
{
    uint64_t most =
        alert->peak > alert->shown.count ? alert->peak : alert->shown.count;

    if (!may_stay(alert) || place->has_shrunk ||
        (place->is_full && !alert->is_paused))
        return false;
    return place->count && (double)place->count >= stays_share * (double)most;
}

/* Whether the goroutines of an alert gather again in a process that is too
 * young to be judged: a leak that ended with a restart runs on, as far as
 * anybody can see. */
static bool gathers_again(const struct step *step, const struct alert *alert,
                          const struct sighted_place *place)
{
    return step->run->is_young && may_stay(alert) &&
           place->count >= place->before + GATHER_LEAST;
}

static unsigned needed_of(const struct alert *alert, const struct step *step)
{
    return alert->is_range ? 1 : step->run->needed;
}

/* Takes over what this run knows of an alert. */
static void show_sighting(struct outcome_alert *shown,
                          const struct sighting *sighting)
{
    shown->key = sighting->key;
    shown->rule = sighting->rule;
    shown->title = sighting->title;
    shown->severity = sighting->severity;
    shown->confidence = sighting->confidence;
    shown->count = sighting->count;
    shown->has_now = false;
    shown->share = sighting->share;
    shown->has_growth = sighting->has_growth;
    shown->delta = sighting->delta;
    shown->has_rate = sighting->has_rate;
    shown->per_hour = sighting->per_hour;
    shown->state_text = sighting->state_text;
    shown->function = sighting->function;
    shown->site = sighting->site;
    shown->places = sighting->places;
    shown->explain = sighting->explain;
    shown->advice = sighting->advice;
}

/* Brings what is shown in line with what is remembered. */
static void show_memory(struct alert *alert, const struct step *step)
{
    struct outcome_alert *shown = &alert->shown;
    const struct persistence *memory = &alert->memory;

    shown->state = memory->state;
    shown->status = memory->status;
    shown->is_changed = memory->is_changed;
    shown->runs_held = memory->held;
    shown->runs_missed = memory->missed;
    shown->runs_needed = needed_of(alert, step);
    if (memory->is_changed && memory->state == ALERT_FIRING && !shown->fired_ns)
        shown->fired_ns = step->run->now_ns;
    if (memory->is_changed && memory->state == ALERT_RESOLVED)
        shown->resolved_ns = step->run->now_ns;
}

/* Whether a run says nothing of how an alert goes on: it looked at the same
 * dump again, or at a part in which there is less of it. */
static bool is_still(const struct alert *alert, struct sight sight,
                     const struct step *step)
{
    if (step->run->is_partial && alert->memory.is_known &&
        check_status_worse(sight.at_once, sight.grown) < alert->memory.status)
        return true;
    return step->run->is_repeat && !alert->is_range;
}

/* Takes in what a run saw that found an alert, before its step. What would
 * raise none, but goes on, is as bad as it was. */
static struct sight see(struct alert *alert, const struct sighting *sighting)
{
    enum check_status level =
        check_status_worse(sighting->at_once, sighting->grown);

    alert->is_range = sighting->is_range;
    alert->shown.is_gathering = false;
    return (struct sight){sighting->at_once, level == CHECK_OK
                                                 ? alert->memory.status
                                                 : sighting->grown};
}

/* The same of a run that did not. The figures of an alert stay those of the run
 * that found it, as its texts do; how many there are now stands beside them. */
static struct sight see_place(struct alert *alert, const struct step *step)
{
    struct sighted_place place = place_of(step, alert);
    bool is_resting = rests(alert, &place);

    alert->shown.is_gathering =
        !is_resting && gathers_again(step, alert, &place);
    alert->shown.has_now =
        alert->shown.function.len > 0 && place.n_of_function <= 1;
    alert->shown.now = place.count;
    if (place.count > alert->peak)
        alert->peak = place.count;
    return (struct sight){
        .grown = is_resting ? alert->memory.status : CHECK_OK,
    };
}

/* Steps one alert; sighting is NULL when it was not found. False when there is
 * nothing left of it. */
static bool step_alert(struct alert *alert, const struct sighting *sighting,
                       const struct step *step)
{
    struct sight sight;

    if (lapse_step(&alert->rest, step->run->now_ns))
        alert->is_paused = true;
    sight = sighting ? see(alert, sighting) : see_place(alert, step);
    if (!persistence_step(&alert->memory, sight, needed_of(alert, step),
                          alert->shown.is_gathering ||
                              is_still(alert, sight, step)))
        return false;
    if (sighting) {
        show_sighting(&alert->shown, sighting);
        alert->last_ns = step->run->now_ns;
        alert->rest.passed_ns = 0;
        alert->is_paused = false;
        alert->peak = 0;
    }
    alert->shown.is_seen =
        alert->memory.missed == 0 && !alert->shown.is_gathering;
    show_memory(alert, step);
    return true;
}

static const struct alert *find_alert(const struct alerts *alerts,
                                      struct str key)
{
    for (size_t i = 0; i < alerts->n; i++) {
        if (str_equal(alerts->items[i].shown.key, key))
            return &alerts->items[i];
    }
    return NULL;
}

/* Those that this run found, old and new. */
static void step_found(struct alerts *ret, const struct alerts *before,
                       const struct step *step)
{
    for (size_t i = 0; i < step->seen->n_items; i++) {
        const struct sighting *sighting = &step->seen->items[i];
        const struct alert *known = find_alert(before, sighting->key);
        struct alert *alert = &ret->items[ret->n];

        *alert = known && known->memory.state != ALERT_RESOLVED
                     ? *known
                     : (struct alert){.shown.first_seen_ns = step->run->now_ns};
        alert->rank = i + 1;
        if (step_alert(alert, sighting, step))
            ret->n++;
    }
}

/* Whether a receiver still has to be told that an alert has gone. */
static bool is_owed(const struct alert *alert, int64_t now_ns)
{
    return alert->unsent && now_ns - alert->shown.resolved_ns < ALERT_STAYS_NS;
}

/* Keeps an alert that has gone, if a receiver still has to be told. False when
 * it is to be forgotten. */
static bool keep_owed(struct alert *alert, const struct step *step)
{
    alert->shown.is_changed = false;
    alert->memory.is_changed = false;
    return is_owed(alert, step->run->now_ns);
}

/* Nobody could look for it: nothing changes. False when it is to be
 * forgotten. */
static bool keep(struct alert *alert, const struct step *step)
{
    if (alert->memory.state == ALERT_RESOLVED)
        return keep_owed(alert, step);
    alert->memory.is_changed = false;
    alert->shown.is_seen = false;
    alert->shown.is_gathering = false;
    alert->shown.has_now = false;
    alert->shown.is_changed = false;
    return true;
}

static bool is_accepted(const struct alert *alert, const struct step *step)
{
    for (size_t i = 0; i < step->seen->n_accepted; i++) {
        if (str_equal(step->seen->accepted[i], alert->shown.key))
            return true;
    }
    return false;
}

/* Somebody has accepted it: it is over, whatever is there. False when it never
 * fired. */
static bool accept(struct alert *alert, const struct step *step)
{
    if (alert->memory.state != ALERT_FIRING)
        return false;
    alert->memory.state = ALERT_RESOLVED;
    alert->memory.is_changed = true;
    alert->shown.is_seen = true;
    alert->shown.is_accepted = true;
    alert->shown.has_now = false;
    show_memory(alert, step);
    return true;
}

/* Growth of an alert that goes on, though it would raise none now; NULL when
 * none does. */
static const struct sighting *find_going_on(const struct step *step,
                                            const struct alert *alert)
{
    for (size_t i = 0; may_stay(alert) && i < step->seen->n_going_on; i++) {
        const struct sighting *sighting = &step->seen->going_on[i];

        if (str_equal(sighting->key, alert->shown.key))
            return sighting;
    }
    return NULL;
}

/* One that was not found. False when it is to be forgotten. */
static bool step_one_missing(struct alert *alert, const struct step *step)
{
    if (alert->memory.state == ALERT_RESOLVED)
        return keep(alert, step);
    if (is_accepted(alert, step))
        return accept(alert, step);
    return step->run->is_partial
               ? keep(alert, step)
               : step_alert(alert, find_going_on(step, alert), step);
}

/* Those that it did not find. */
static void step_missing(struct alerts *ret, const struct alerts *before,
                         const struct step *step)
{
    size_t n_found = ret->n;

    for (size_t i = 0; i < before->n; i++) {
        struct alerts found = {ret->items, n_found};
        struct alert *alert = &ret->items[ret->n];

        if (find_alert(&found, before->items[i].shown.key))
            continue;
        *alert = before->items[i];
        alert->rank = 0;
        ret->n += step_one_missing(alert, step);
    }
}

static void keep_all(struct alerts *ret, const struct alerts *before,
                     const struct step *step)
{
    for (size_t i = 0; i < before->n; i++) {
        struct alert *alert = &ret->items[ret->n];

        *alert = before->items[i];
        alert->rank = 0;
        ret->n += keep(alert, step);
    }
}

/* ORDER ALERTS: firing, pending, resolved. */
static int rank_of(const struct alert *alert)
{
    static const int ranks[] = {
        [ALERT_FIRING] = 0, [ALERT_PENDING] = 1, [ALERT_RESOLVED] = 2};

    return ranks[alert->shown.state];
}

/* As sightings have them, then those that were not seen, the largest first. */
static int compare(const void *a, const void *b)
{
    const struct alert *left = a;
    const struct alert *right = b;

    if (rank_of(left) != rank_of(right))
        return rank_of(left) - rank_of(right);
    if (left->shown.status != right->shown.status)
        return (int)right->shown.status - (int)left->shown.status;
    if (left->rank != right->rank) /* below 0 lies the largest number */
        return left->rank - 1 < right->rank - 1 ? -1 : 1;
    if (left->shown.count != right->shown.count)
        return left->shown.count > right->shown.count ? -1 : 1;
    return str_compare(left->shown.key, right->shown.key);
}

int alerts_step(struct alerts *ret, const struct alerts *before,
                const struct sightings *seen, const struct alert_run *run,
                struct arena *arena, struct cprof_error *err)
{
    struct step step = {seen, run};
    size_t most = before->n + (seen ? seen->n_items : 0);

    /* One more: a slot is filled before it is known to be kept. */
    *ret = (struct alerts){
        .items = arena_take_zero(arena, (most + 1) * sizeof(*ret->items))};
    if (!ret->items)
        return error_memory(err, (struct place){0}, "judging");
    if (seen) {
        step_found(ret, before, &step);
        step_missing(ret, before, &step);
    } else {
        keep_all(ret, before, &step);
    }
    for (size_t i = 0; i < ret->n; i++)
        ret->items[i].away = (struct lapse){0};
    if (ret->n)
        qsort(ret->items, ret->n, sizeof(*ret->items), compare);
    return 0;
}

/* One of an instance that nobody asked for. False when it is to be
 * forgotten. */
static bool step_away(struct alert *alert, int64_t now_ns)
{
    alert->memory.is_changed = false;
    alert->shown.is_changed = false;
    alert->shown.is_seen = false;
    if (alert->memory.state == ALERT_RESOLVED)
        return is_owed(alert, now_ns);
    alert->shown.has_now = false;
    lapse_step(&alert->away, now_ns);
    if (alert->away.passed_ns <= ALERT_STAYS_NS ||
        alert->away.passed_ns / AWAY_GAPS <= alert->rest.usual_ns)
        return true;
    if (alert->memory.state != ALERT_FIRING)
        return false;
    alert->memory.state = ALERT_RESOLVED;
    alert->memory.is_changed = true;
    alert->shown.state = ALERT_RESOLVED;
    alert->shown.is_changed = true;
    alert->shown.resolved_ns = now_ns;
    return true;
}

int alerts_step_away(struct alerts *ret, const struct alerts *before,
                     int64_t now_ns, struct arena *arena,
                     struct cprof_error *err)
{
    *ret = (struct alerts){
        .items = arena_take_zero(arena, (before->n + 1) * sizeof(*ret->items))};
    if (!ret->items)
        return error_memory(err, (struct place){0}, "judging");
    for (size_t i = 0; i < before->n; i++) {
        ret->items[ret->n] = before->items[i];
        ret->items[ret->n].rank = 0;
        ret->n += step_away(&ret->items[ret->n], now_ns);
    }
    return 0;
}

static bool fires_in(const struct alerts *alerts, struct str function)
{
    for (size_t i = 0; i < alerts->n && function.len; i++) {
        const struct outcome_alert *shown = &alerts->items[i].shown;

        if (shown->state == ALERT_FIRING &&
            str_equal(shown->function, function))
            return true;
    }
    return false;
}

void alerts_hush(const struct alerts *alerts, struct sightings *seen)
{
    size_t n = 0;

    for (size_t i = 0; i < seen->n_remarks; i++) {
        if (fires_in(alerts, seen->remarked[i]))
            continue;
        seen->remarked[n] = seen->remarked[i];
        seen->remarks[n++] = seen->remarks[i];
    }
    seen->n_remarks = n;
}
