#include "notify/sightings.h"

#include <stdlib.h>

#include "base/count.h"
#include "notify/places.h"
#include "report/changes.h"
#include "report/crash_words.h"
#include "report/page.h"
#include "report/text.h"

/* What a call takes its sightings from, and where it puts them. */
struct taking {
    struct sightings *ret;
    const struct cprof_report *report;
    const struct alert_levels *levels;
    struct arena *arena;
    bool failed;
};

static enum check_status status_of(const struct alert_levels *levels,
                                   enum cprof_severity severity)
{
    if (levels->critical != CPROF_SEVERITY_OK && severity >= levels->critical)
        return CHECK_CRITICAL;
    if (levels->warning != CPROF_SEVERITY_OK && severity >= levels->warning)
        return CHECK_WARNING;
    return CHECK_OK;
}

/* Whether a finding is worth a sighting: it amounts to something, or is worth a
 * remark. */
static bool is_worth(const struct alert_levels *levels,
                     enum cprof_severity severity)
{
    return severity_is_loud(severity) ||
           status_of(levels, severity) != CHECK_OK;
}

/* Whether it counts among the findings of the figures. */
static bool is_counted(enum cprof_severity severity)
{
    return severity >= CPROF_SEVERITY_LOW;
}

/* Copies a text and remembers when memory ran out. */
static struct str keep(struct taking *taking, struct str text)
{
    struct str copy = arena_copy(taking->arena, text);

    if (!copy.ptr)
        taking->failed = true;
    return copy;
}

/* Keeps what a buffer holds, and frees it. */
static struct str keep_buf(struct taking *taking, struct buf *buf)
{
    struct str copy = keep(taking, buf_str(buf));

    if (buf->failed)
        taking->failed = true;
    buf_done(buf);
    return copy;
}

struct str alert_key(struct str rule, struct str function, struct arena *arena)
{
    struct str parts[] = {rule, function};
    struct signature_text text = signature_text(signature_of_texts(parts, 2));

    return arena_copy(arena, str_from(text.text));
}

static struct str keep_site(struct taking *taking,
                            const struct finding_view *view)
{
    struct buf buf = {0};

    if (view->has_site)
        text_place_short(&buf, &view->site);
    return keep_buf(taking, &buf);
}

static struct str keep_places(struct taking *taking,
                              const struct finding_view *view)
{
    struct buf buf = {0};

    if (!view->has_site)
        places_add_finding(&buf, taking->report, view->finding);
    return keep_buf(taking, &buf);
}

static void add_crash_line(void *user, struct str line)
{
    enum { LINE_MOST = 400 }; /* a value may be panicked with a megabyte */
    struct buf *buf = user;

    if (buf->len)
        buf_add(buf, STR("; "));
    fit_add_line(buf, line, LINE_MOST, CUT_MIDDLE);
}

/* What a finding means, behind what the process said when it died: whoever is
 * woken wants to know that first. */
static struct str keep_explain(struct taking *taking,
                               const struct finding *finding)
{
    const struct crash *crash = crash_of_finding(taking->report, finding);
    struct buf buf = {0};

    if (crash)
        crash_lines_each(crash, add_crash_line, &buf);
    if (buf.len)
        buf_add(&buf, STR(". "));
    buf_add(&buf, finding->explain);
    return keep_buf(taking, &buf);
}

/* A finding without what depends on the report that it is from. */
static struct sighting sighting_of(struct taking *taking,
                                   const struct finding_view *view)
{
    const struct finding *finding = view->finding;
    const struct rule_texts *advice = &finding->rule->advice;
    struct str function =
        view->has_site ? view->site.function : (struct str){0};

    return (struct sighting){
        .key = alert_key(finding->rule->id, function, taking->arena),
        .rule = keep(taking, finding->rule->id),
        .title = keep(taking, finding->rule->title),
        .confidence = str_from(view->confidence),
        .function = keep(taking, function),
        .site = keep_site(taking, view),
        .places = keep_places(taking, view),
        .state_text = keep(taking, view->state),
        .explain = keep_explain(taking, finding),
        .advice =
            advice->count ? keep(taking, advice->items[0]) : (struct str){0},
        .severity = finding->severity,
        .sureness = finding->confidence,
        .cost = finding->growth ? growth_cost(finding->growth) : 0,
        .count = finding->count,
        .share = finding->share,
    };
}

static void add_remark(struct taking *taking, const struct sighting *sighting)
{
    struct sightings *ret = taking->ret;
    struct str where = sighting->site.len ? sighting->site : sighting->places;
    struct buf buf = {0};

    buf_addf(&buf, "%s: " STR_FORMAT ", %s goroutine%s",
             severity_text(sighting->severity), STR_ARG(sighting->title),
             count_text(sighting->count).text, sighting->count == 1 ? "" : "s");
    if (where.len)
        buf_addf(&buf, " at " STR_FORMAT, STR_ARG(where));
    ret->remarked[ret->n_remarks] = sighting->function;
    ret->remarks[ret->n_remarks++] = keep_buf(taking, &buf);
}

/* Room for what both reports can add. */
static bool make_room(struct sightings *ret, const struct cprof_report *now,
                      const struct cprof_report *series, struct arena *arena)
{
    const struct growth *growth = series ? report_growth(series) : NULL;
    size_t n =
        report_n_findings(now) + (series ? report_n_findings(series) : 0);
    size_t n_sites = growth   ? growth_n_sites(growth)
                     : series ? 0
                              : analysis_n_groups(report_analysis(now));

    *ret = (struct sightings){0};
    ret->items = arena_take(arena, (n + N_RANGES) * sizeof(*ret->items));
    ret->going_on = arena_take(arena, n * sizeof(*ret->going_on));
    ret->remarks = arena_take(arena, n * sizeof(*ret->remarks));
    ret->remarked = arena_take(arena, n * sizeof(*ret->remarked));
    ret->accepted =
        arena_take(arena, (report_n_accepted(now) +
                           (series ? report_n_accepted(series) : 0)) *
                              sizeof(*ret->accepted));
    ret->places = arena_take(arena, n_sites * sizeof(*ret->places));
    return ret->items && ret->going_on && ret->remarks && ret->remarked &&
           ret->accepted && ret->places;
}

static struct sighting *find_key(struct sightings *sightings, struct str key)
{
    for (size_t i = 0; i < sightings->n_items; i++) {
        if (str_equal(sightings->items[i].key, key))
            return &sightings->items[i];
    }
    return NULL;
}

/* One rule may have several findings in places of several functions, as by the
 * values of a label: they are one alert, as bad as the worst of them. */
static void put_together(struct sighting *into, const struct sighting *more)
{
    into->count += more->count;
    into->share += more->share;
    if (into->severity < more->severity)
        into->severity = more->severity;
    if (into->sureness < more->sureness)
        into->sureness = more->sureness;
    if (into->at_once < more->at_once)
        into->at_once = more->at_once;
}

/* What the dump alone shows. */
static void take_now(struct taking *taking, const struct cprof_report *now)
{
    struct sightings *ret = taking->ret;

    for (size_t i = 0; i < report_n_findings(now) && !taking->failed; i++) {
        struct finding_view view = report_finding(now, i);
        struct sighting sighting;
        struct sighting *same;

        ret->n_findings += is_counted(view.finding->severity);
        if (!is_worth(taking->levels, view.finding->severity))
            continue;
        sighting = sighting_of(taking, &view);
        sighting.at_once = status_of(taking->levels, sighting.severity);
        same = find_key(ret, sighting.key);
        if (same)
            put_together(same, &sighting);
        else
            ret->items[ret->n_items++] = sighting;
    }
}

static void add_growth(struct taking *taking, struct sighting *sighting,
                       const struct site_growth *site)
{
    struct change_view change = change_view_of(taking->report, site);
    struct buf buf = {0};

    if (sighting->explain.len) {
        buf_add(&buf, sighting->explain);
        buf_add_char(&buf, ' ');
    }
    buf_add(&buf, STR("Over time: "));
    change_add_words(&buf, &change);
    buf_add_char(&buf, '.');
    sighting->explain = keep_buf(taking, &buf);
    sighting->has_growth = true;
    sighting->delta = site->after - site->before;
    sighting->has_rate = site->has_rate;
    sighting->per_hour = site->rate.median;
}

/* The sighting of the same place, be it by another rule: what one dump calls
 * waiting, several may call a leak. */
static struct sighting *find_place(struct sightings *sightings,
                                   const struct sighting *wanted)
{
    struct sighting *found = find_key(sightings, wanted->key);

    for (size_t i = 0; !found && wanted->function.len && i < sightings->n_items;
         i++) {
        if (str_equal(sightings->items[i].function, wanted->function))
            found = &sightings->items[i];
    }
    return found;
}

/* Growth that wakes nobody, as it does not stand out, may be that of an alert
 * that fired when it did. */
static void take_going_on(struct taking *taking,
                          const struct finding_view *view)
{
    struct sightings *ret = taking->ret;
    const struct site_growth *site = view->finding->growth;
    struct sighting *sighting = &ret->going_on[ret->n_going_on];

    if (!site || !growth_is_leak_like(site))
        return;
    *sighting = sighting_of(taking, view);
    add_growth(taking, sighting, site);
    ret->n_going_on++;
}

/* Takes what growth shows of a place into the sighting of it, be it of the dump
 * alone. */
static void put_series(struct taking *taking, const struct finding_view *view,
                       enum cprof_severity level)
{
    struct sightings *ret = taking->ret;
    struct sighting sighting = sighting_of(taking, view);
    struct sighting *same = find_place(ret, &sighting);

    if (!same) {
        sighting.severity = level;
        same = &ret->items[ret->n_items++];
        *same = sighting;
        ret->n_findings += is_counted(level);
    }
    if (same->severity < level)
        same->severity = level;
    if (same->sureness < sighting.sureness)
        same->sureness = sighting.sureness;
    if (same->cost < sighting.cost)
        same->cost = sighting.cost;
    if (same->grown < status_of(taking->levels, level))
        same->grown = status_of(taking->levels, level);
    if (!same->has_growth)
        add_growth(taking, same, view->finding->growth);
}

/* What growth shows. */
static void take_series(struct taking *taking)
{
    size_t n = report_n_findings(taking->report);

    for (size_t i = 0; i < n && !taking->failed; i++) {
        struct finding_view view = report_finding(taking->report, i);
        const struct site_growth *site = view.finding->growth;
        enum cprof_severity level =
            site ? change_alert_level(taking->report, site) : CPROF_SEVERITY_OK;

        if (status_of(taking->levels, level) == CHECK_OK)
            take_going_on(taking, &view);
        if (site && is_worth(taking->levels, level))
            put_series(taking, &view, level);
    }
}

/* What a report shows, and the baseline accepts. */
static void take_accepted(struct taking *taking,
                          const struct cprof_report *report)
{
    struct sightings *ret = taking->ret;
    size_t first = report_n_findings(report);
    size_t n_before = ret->n_accepted;

    for (size_t i = 0; i < report_n_accepted(report) && !taking->failed; i++) {
        struct finding_view view = report_finding(report, first + i);
        struct sighting sighting;
        bool is_known = false;

        if (!is_counted(view.finding->severity) &&
            !is_worth(taking->levels, view.finding->severity))
            continue;
        sighting = sighting_of(taking, &view);
        for (size_t k = 0; k < n_before; k++)
            is_known = is_known || str_equal(ret->accepted[k], sighting.key);
        if (!is_known)
            ret->accepted[ret->n_accepted++] = sighting.key;
    }
}

/* Whether a place is full, as a pool is. Who waits to send, or for a lock, is
 * in none: that no more came makes it no better. */
static bool has_filled_up(const struct site_growth *site)
{
    return site->verdict == GROWTH_PLATEAU &&
           (!site->is_blocking || site->state == STATE_COND_WAIT);
}

/* Those of a dump that there is nothing to compare with. */
static void take_places_now(struct taking *taking)
{
    struct sightings *ret = taking->ret;

    ret->n_places = places_list(ret->places, taking->report);
    for (size_t i = 0; i < ret->n_places && !taking->failed; i++)
        ret->places[i].function = keep(taking, ret->places[i].function);
}

static void take_places(struct taking *taking)
{
    const struct growth *growth = report_growth(taking->report);
    const struct symbols *symbols =
        analysis_snapshots(report_analysis(taking->report))->symbols;
    struct sightings *ret = taking->ret;
    size_t n = growth ? growth_n_sites(growth) : 0;

    for (size_t i = 0; i < n && !taking->failed; i++) {
        const struct site_growth *site = growth_site(growth, i);

        if (site->site == FRAME_NONE || site->after < 1)
            continue;
        ret->places[ret->n_places++] = (struct sighted_place){
            .function = keep(taking, symbols_function(symbols, site->site)),
            .count = (uint64_t)site->after,
            .before = site->before > 0 ? (uint64_t)site->before : 0,
            .has_shrunk = site->verdict == GROWTH_SHRANK,
            .is_full = has_filled_up(site),
        };
    }
}

static enum check_status level_of(const struct sighting *sighting)
{
    return check_status_worse(sighting->at_once, sighting->grown);
}

/* As a report has its findings (rules/findings.c): the worst first, then the
 * surest, what grows by most, the largest. The most goroutines are often only
 * the victims. */
static int compare(const void *a, const void *b)
{
    const struct sighting *left = a;
    const struct sighting *right = b;

    if (level_of(left) != level_of(right))
        return level_of(left) > level_of(right) ? -1 : 1;
    if (left->severity != right->severity)
        return left->severity > right->severity ? -1 : 1;
    if (left->sureness != right->sureness)
        return left->sureness > right->sureness ? -1 : 1;
    if (left->cost != right->cost)
        return left->cost > right->cost ? -1 : 1;
    if (left->count != right->count)
        return left->count > right->count ? -1 : 1;
    return str_compare(left->key, right->key);
}

/* Makes remarks of those that amount to nothing. */
static void settle(struct taking *taking)
{
    struct sightings *ret = taking->ret;
    size_t n = 0;

    if (ret->n_items)
        qsort(ret->items, ret->n_items, sizeof(*ret->items), compare);
    for (size_t i = 0; i < ret->n_items; i++) {
        if (level_of(&ret->items[i]) == CHECK_OK)
            add_remark(taking, &ret->items[i]);
        else
            ret->items[n++] = ret->items[i];
    }
    ret->n_items = n;
}

int sightings_take(struct sightings *ret, const struct cprof_report *now,
                   const struct cprof_report *series,
                   const struct alert_levels *levels, struct arena *arena,
                   struct cprof_error *err)
{
    struct taking taking = {ret, now, levels, arena, false};

    if (!make_room(ret, now, series, arena))
        return error_memory(err, (struct place){0}, "judging");
    take_now(&taking, now);
    take_accepted(&taking, now);
    if (series) {
        taking.report = series;
        take_series(&taking);
        take_accepted(&taking, series);
        take_places(&taking);
    } else {
        take_places_now(&taking);
    }
    settle(&taking);
    return taking.failed ? error_memory(err, (struct place){0}, "judging") : 0;
}

/* One of the ranges; the critical one, where both are left. */
static bool add_range(struct sightings *sightings, unsigned which,
                      uint64_t value, const struct range *range,
                      enum check_status status, struct arena *arena)
{
    struct str name = str_from(range_names[which]);
    struct buf title = {0};
    struct sighting *sighting = &sightings->items[sightings->n_items];
    bool is_whole;

    buf_addf(&title, "%s %s, outside of the range ", range_names[which],
             count_text(value).text);
    range_add(&title, range);
    *sighting = (struct sighting){
        .key = alert_key(name, (struct str){0}, arena),
        .rule = name,
        .title = arena_copy(arena, buf_str(&title)),
        .severity = status == CHECK_CRITICAL ? CPROF_SEVERITY_CRITICAL
                                             : CPROF_SEVERITY_HIGH,
        .at_once = status,
        .is_range = true,
    };
    sightings->n_items++;
    is_whole = !title.failed && sighting->title.ptr && sighting->key.ptr;
    buf_done(&title);
    return is_whole;
}

int sightings_add_ranges(struct sightings *sightings,
                         const struct plugin_ranges *ranges,
                         uint64_t goroutines, struct arena *arena,
                         struct cprof_error *err)
{
    const uint64_t values[N_RANGES] = {
        [RANGE_GOROUTINES] = goroutines,
        [RANGE_FINDINGS] = sightings->n_findings,
    };
    bool ok = true;

    for (unsigned i = 0; i < N_RANGES && ok; i++) {
        double value = (double)values[i];

        if (range_alerts(&ranges->critical[i], value))
            ok = add_range(sightings, i, values[i], &ranges->critical[i],
                           CHECK_CRITICAL, arena);
        else if (range_alerts(&ranges->warning[i], value))
            ok = add_range(sightings, i, values[i], &ranges->warning[i],
                           CHECK_WARNING, arena);
    }
    return ok ? 0 : error_memory(err, (struct place){0}, "judging");
}
