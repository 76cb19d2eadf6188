#include "report/changes.h"

#include <math.h>

#include "base/count.h"
#include "report/built.h"
#include "report/human.h"
#include "report/staying_words.h"
#include "report/units.h"
#include "rules/growth_level.h"
#include "rules/words.h"

enum {
    HOUR = 3600,           /* seconds */
    HOURS_AHEAD = 24 * 90, /* beyond them nobody plans */
    WEEK_HOURS = 24 * 7,
};

/* What comes and goes by less is not shown, unless it has a verdict. */
static const double shown_least = 10;
static const double shown_share = 0.1;

/* Figures from here on are shown as JSON has them: "3.159e+19". */
static const double figure_long = 1e15;

/* Who waits for nothing, and few, is meant to: "select {}" ends many a main. */
static bool change_waits(const struct site_growth *site)
{
    return site->still_waits && site->is_blocking &&
           (site->state != STATE_SELECT_NO_CASES || site->after >= shown_least);
}

static bool is_shown(const struct site_growth *site)
{
    double change = fabs(site->after - site->before);

    if (change_waits(site))
        return true;
    if (site->verdict == GROWTH_STABLE || site->verdict == GROWTH_APPEARED ||
        site->verdict == GROWTH_GONE)
        return change >= shown_least && change >= site->before * shown_share;
    return true;
}

/* Whether more are shown at the end than at the start, of too few snapshots to
 * say that a place comes and goes so. */
static bool has_risen(const struct site_growth *site)
{
    return site->n < TREND_WHOLE && is_shown(site) &&
           (site->verdict == GROWTH_STABLE ||
            site->verdict == GROWTH_APPEARED) &&
           site->after > site->before;
}

static double hours_until(const struct site_growth *site, double limit,
                          double rate)
{
    if (site->after >= limit)
        return 0;
    return rate > 0 ? (limit - site->after) / rate : INFINITY;
}

/* How long until the limit is reached, at the rate measured. Only the whole
 * test gives one that can be projected. */
static void set_limit(const struct cprof_report *report,
                      struct change_view *view)
{
    const struct site_growth *site = view->site;
    double limit;

    if (!growth_is_leak_like(site) || !site->has_rate || site->rate.median <= 0)
        return;
    limit = growth_limit(report_options(report), site, &view->limit_bytes);
    view->has_limit = true;
    view->limit = limit;
    view->hours_left = hours_until(site, limit, site->rate.median);
    view->hours_low = hours_until(site, limit, site->rate.high);
    view->hours_high = hours_until(site, limit, site->rate.low);
}

/* Where the moments begin that were judged: after the last restart, or with the
 * last week, day, six hours or hour, or a shorter end. */
static size_t window_start(const struct site_growth *site)
{
    const struct moments *series = site->series;
    double length = site->window[0] == 'w'   ? 24 * 7
                    : site->window[0] == 'd' ? 24
                    : site->window[0] == '6' ? 6
                    : site->window[0] == 'h' ? 1
                    : growth_is_end(site)    ? site->hours * (1 + 1e-9)
                                             : INFINITY;
    size_t start = series->first;

    while (start + 1 < series->n &&
           series->hours[start] < series->hours[series->n - 1] - length)
        start++;
    return start;
}

/* Lays the rate through the moments that were judged: what the counts have
 * beyond it comes to nothing in all. */
static void set_line(struct change_view *view)
{
    const struct site_growth *site = view->site;
    const struct moments *series = site->series;
    size_t start = window_start(site);
    double middle = (series->hours[start] + series->hours[series->n - 1]) / 2;

    if (site->n < TREND_FEW || site->verdict == GROWTH_STABLE ||
        site->verdict == GROWTH_STUCK)
        return;
    view->has_line = true;
    view->hours_from = series->hours[start];
    view->hours_to = series->hours[series->n - 1];
    for (size_t i = start; i < series->n; i++)
        view->level += (site->counts[series->snapshots[i]] -
                        site->rate.median * (series->hours[i] - middle)) /
                       (double)(series->n - start);
}

/* Whether the goroutines of the first moment wait on, and it is told. */
static bool is_told_to_wait(const struct cprof_report *report,
                            const struct site_growth *site)
{
    for (size_t i = 0; site->still_waits && i < site->n_groups; i++) {
        uint32_t finding = report->finding_of[site->groups[i]];

        if (finding && finding <= report_n_findings(report))
            return true;
    }
    return change_waits(site);
}

/* A place is left out when all of its groups are. */
static bool is_filtered(const struct cprof_report *report,
                        const struct site_growth *site)
{
    for (size_t i = 0; i < site->n_groups; i++) {
        if (!analysis_group(report_analysis(report), site->groups[i])
                 ->is_filtered)
            return false;
    }
    return true;
}

struct change_view change_view_of(const struct cprof_report *report,
                                  const struct site_growth *site)
{
    struct change_view view = {
        .site = site,
        .state = symbols_state(report_symbols(report), site->state),
        .verdict = growth_verdict_text(site->verdict),
        .delta = site->after - site->before,
        .is_filtered = is_filtered(report, site),
        .waits = is_told_to_wait(report, site),
    };

    view.is_shown = view.waits || is_shown(site);
    if (site->site != FRAME_NONE)
        view.place = place_of_frame(report, site->site);
    set_limit(report, &view);
    set_line(&view);
    return view;
}

struct change_view change_view(const struct cprof_report *report, size_t index)
{
    return change_view_of(report, growth_site(report_growth(report), index));
}

void change_add_figure(struct buf *buf, double figure)
{
    double size = fabs(figure);

    if (figure < 0)
        buf_add_char(buf, '-');
    if (size >= figure_long)
        buf_addf(buf, "%.4g", size);
    else if (size >= 1000)
        words_count(buf, count_near(size));
    else if (size >= 100 || size == floor(size))
        buf_addf(buf, "%.0f", size);
    else
        buf_addf(buf, "%.*f", size >= 10 ? 1 : 2, size);
}

void change_add_signed(struct buf *buf, double figure)
{
    if (figure > 0)
        buf_add_char(buf, '+');
    change_add_figure(buf, figure);
}

bool changes_any(const struct cprof_report *report)
{
    const struct growth *growth = report_growth(report);

    for (size_t i = 0; i < growth_n_sites(growth); i++) {
        const struct site_growth *site = growth_site(growth, i);
        const size_t *snapshots = site->series->snapshots;

        for (size_t k = 1; k < site->series->n; k++) {
            if (site->counts[snapshots[k]] != site->counts[snapshots[0]])
                return true;
        }
    }
    return false;
}

/* Counts the places that a test holds for; filtered ones are left out. */
static size_t count_places(const struct cprof_report *report,
                           bool (*holds)(const struct site_growth *site))
{
    const struct growth *growth = report_growth(report);
    size_t n = 0;

    for (size_t i = 0; i < growth_n_sites(growth); i++) {
        const struct site_growth *site = growth_site(growth, i);

        n += holds(site) && !is_filtered(report, site);
    }
    return n;
}

static bool has_grown(const struct site_growth *site)
{
    return growth_confidence_of(site) != GROWTH_NONE &&
           site->verdict != GROWTH_STUCK;
}

static bool has_grown_and_stays(const struct site_growth *site)
{
    return has_grown(site) && growth_stays(site);
}

size_t changes_grown(const struct cprof_report *report)
{
    return count_places(report, has_grown);
}

size_t changes_staying(const struct cprof_report *report)
{
    return count_places(report, has_grown_and_stays);
}

size_t changes_risen(const struct cprof_report *report)
{
    return count_places(report, has_risen);
}

bool changes_total(const struct cprof_report *report, uint64_t *ret_before,
                   uint64_t *ret_after)
{
    const struct cprof_snapshots *all =
        analysis_snapshots(report_analysis(report));
    const struct moments *series = growth_series(report_growth(report), 0);

    if (growth_n_series(report_growth(report)) != 1 || series->is_across)
        return false;
    *ret_before =
        snapshot_info_get(all->items[series->snapshots[series->first]])->total;
    *ret_after =
        snapshot_info_get(all->items[series->snapshots[series->n - 1]])->total;
    return *ret_after >= *ret_before + TREND_PAIR &&
           *ret_after >= *ret_before + *ret_before / 2;
}

uint64_t changes_still_waiting(const struct cprof_report *report)
{
    const struct analysis *analysis = report_analysis(report);
    uint64_t n = 0;

    for (size_t i = 0; i < analysis_n_groups(analysis); i++) {
        const struct joined_group *group = analysis_group(analysis, i);
        const struct site_growth *site =
            growth_site_of(report_growth(report), i);
        uint32_t finding = report->finding_of[i];

        if (!site || !site->still_waits || group->is_filtered)
            continue;
        if (finding ? finding <= report_n_findings(report) : change_waits(site))
            n += group->count;
    }
    return n;
}

bool changes_have_ids(const struct cprof_report *report)
{
    const struct moments *series = growth_series(report_growth(report), 0);
    const struct cprof_snapshots *all =
        analysis_snapshots(report_analysis(report));

    return snapshot_info_get(all->items[series->snapshots[0]])->max_id &&
           snapshot_info_get(all->items[series->snapshots[series->n - 1]])
               ->max_id;
}

size_t change_decides(const struct site_growth *site, bool has_ids,
                      struct str ret[CHANGE_DECIDES])
{
    bool grew = site->verdict == GROWTH_GREW ||
                (site->verdict == GROWTH_APPEARED && site->is_real);
    bool is_growing = site->verdict == GROWTH_GROWING;
    size_t n = 0;

    if (grew && site->n == 2)
        ret[n++] = STR("Compare five or more snapshots, some minutes apart: "
                       "two do not tell a leak from a busy minute.");
    else if (grew || (is_growing && !site->is_whole))
        ret[n++] = STR("Take more snapshots, some minutes apart. A leak goes "
                       "on; a burst or a warm-up levels off.");
    if (!site->has_survivors && !has_ids &&
        (grew || is_growing || site->verdict == GROWTH_STUCK))
        ret[n++] = STR("Compare dumps of debug=2: goroutine ids show whether "
                       "the same ones stay (a leak) or others come (traffic). "
                       "Counts alone cannot.");
    return n;
}

size_t finding_decides(const struct cprof_report *report,
                       const struct finding *finding, bool with_rule,
                       decide_put_fn *put, void *user)
{
    bool no_second = finding->growth || report_is_over(report);
    struct rule_texts of_rule = finding->rule->decide;
    struct str texts[CHANGE_DECIDES];
    size_t n = finding->growth ? change_decides(finding->growth,
                                                changes_have_ids(report), texts)
                               : 0;

    for (size_t i = 0; i < n && put; i++)
        put(user, texts[i]);
    for (size_t i = 0; i < of_rule.count && with_rule; i++) {
        if (no_second &&
            str_starts(of_rule.items[i], STR("Take a second dump")))
            continue;
        n++;
        if (put)
            put(user, of_rule.items[i]);
    }
    return n;
}

/* "2m55s" */
static void add_time(struct buf *buf, double hours)
{
    age_add_short(buf, count_near(hours * HOUR));
}

void change_add_span(struct buf *buf, const struct moments *series)
{
    double hours = series->hours[series->n - 1] - series->hours[series->first];

    if (series->first > 0) {
        buf_add(buf, STR("the last "));
        words_count(buf, series->n - series->first);
        buf_add(buf, STR(" of "));
    }
    words_count(buf, series->n);
    buf_addf(buf, " snapshot%s", series->n == 1 ? "" : "s");
    if (series->has_restart)
        buf_add(buf, series->is_across ? STR(", across a restart")
                                       : STR(", since a restart"));
    if (series->clock == CLOCK_STEPS || series->n < 2)
        return;
    buf_add(buf, STR(", "));
    add_time(buf, hours);
}

void change_add_course(struct buf *buf, const struct change_view *view)
{
    static const char *const bars[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
    const struct moments *series = view->site->series;
    size_t n = series->n < SPARKS ? series->n : SPARKS;
    double most = 1;

    for (size_t i = 0; i < series->n; i++)
        most = fmax(most, view->site->counts[series->snapshots[i]]);
    for (size_t i = 0; i < n; i++) {
        size_t at = n > 1 ? i * (series->n - 1) / (n - 1) : 0;
        double count = view->site->counts[series->snapshots[at]];
        size_t bar = (size_t)(count / most * 7 + 0.5);

        buf_add(buf, count > 0 ? str_from(bars[bar]) : STR("_"));
    }
}

/* "2GB, with 2.64kB or more each," */
static void add_memory(struct buf *buf, const struct change_view *view)
{
    uint64_t each = count_near(floor(view->site->bytes));

    unit_add(buf, (int64_t)view->limit_bytes,
             unit_choose(STR("bytes"), view->limit_bytes, view->limit_bytes));
    buf_add(buf, STR(", with "));
    unit_add(buf, (int64_t)(each < INT64_MAX ? each : INT64_MAX),
             unit_choose(STR("bytes"), each, each));
    buf_add(buf, STR(" or more each,"));
}

static void add_limit(struct buf *buf, const struct change_view *view)
{
    if (!view->has_limit || view->hours_left > HOURS_AHEAD)
        return;
    buf_add(buf, STR("; the limit of "));
    if (view->limit_bytes)
        add_memory(buf, view);
    else
        change_add_figure(buf, view->limit);
    buf_add(buf, STR(" is reached"));
    if (view->hours_left <= 0)
        return;
    buf_add(buf, STR(" in "));
    add_time(buf, view->hours_left);
    buf_add(buf, STR(" at this rate ("));
    add_time(buf, view->hours_low);
    if (view->hours_high <= HOURS_AHEAD) {
        buf_add(buf, STR(" to "));
        add_time(buf, view->hours_high);
    } else {
        buf_add(buf, STR(" or more"));
    }
    buf_add_char(buf, ')');
}

/* Whether there were equally many at every moment that was judged. */
static bool is_level(const struct site_growth *site)
{
    const struct moments *series = site->series;

    if (site->verdict != GROWTH_STABLE || site->before != site->after)
        return false;
    for (size_t i = series->first; i < series->n; i++) {
        if (site->counts[series->snapshots[i]] != site->after)
            return false;
    }
    return true;
}

struct str change_verdict_word(const struct change_view *view)
{
    if (view->waits)
        return STR("waiting");
    if (view->site->verdict == GROWTH_STABLE && !is_level(view->site))
        return STR("varies");
    return str_from(view->verdict);
}

/* ", +10,716 an hour (90 %: 9,504 to 11,556)" */
static void add_rate(struct buf *buf, const struct site_growth *site)
{
    if (site->n < TREND_FEW || site->verdict == GROWTH_STUCK || is_level(site))
        return;
    buf_add(buf, STR(", "));
    change_add_signed(buf, site->rate.median);
    buf_add(buf, site->has_rate ? STR(" an hour") : STR(" a snapshot"));
    if (site->n < TREND_WHOLE || site->rate.low == site->rate.high)
        return;
    buf_add(buf, STR(" (90 %: "));
    change_add_figure(buf, site->rate.low);
    buf_add(buf, STR(" to "));
    change_add_figure(buf, site->rate.high);
    buf_add_char(buf, ')');
}

static const char *verb_of(const struct site_growth *site)
{
    switch (site->verdict) {
    case GROWTH_GROWING:
        if (site->staying.decides)
            return growth_is_leak_like(site)
                       ? "leak-like growth of those who stay, from "
                       : "growing, as far as they stay, from ";
        return growth_is_leak_like(site) ? "leak-like growth from "
                                         : "growing from ";
    case GROWTH_STUCK:
        if (site->stands)
            return "came at once and stands, ";
        return "stuck, none has left: ";
    case GROWTH_PLATEAU:
        return "filled up and stable, from ";
    case GROWTH_SHRANK:
        return "shrank from ";
    case GROWTH_GONE:
        return "gone, from ";
    case GROWTH_APPEARED:
        return "new, from ";
    case GROWTH_GREW:
        return "grew from ";
    default:
        if (site->still_waits)
            return site->never_left ? "still waiting, " : "there again, ";
        if (is_level(site))
            return "unchanged, ";
        if (has_risen(site))
            return "rose, by too little to call it growth, from ";
        return "no more than the usual coming and going, from ";
    }
}

/* "from 69 to 586 over 8 snapshots in 2m55s" */
static void add_course_words(struct buf *buf, const struct site_growth *site)
{
    const struct moments *series = site->series;
    size_t last = series->n - 1;
    size_t first = window_start(site);

    if (site->staying.decides)
        staying_words_ends(buf, site->staying.before, site->staying.after);
    else if (site->after != site->before ||
             (site->verdict != GROWTH_STUCK && !site->still_waits &&
              !is_level(site)))
        staying_words_ends(buf, site->before, site->after);
    else
        change_add_figure(buf, site->before);
    if (site->window[0] != 'a' && !growth_is_end(site)) {
        buf_addf(buf, " over the last %s", site->window);
        return;
    }
    buf_addf(buf, " over %s", growth_is_end(site) ? "the last " : "");
    words_count(buf, series->n - first);
    buf_add(buf, STR(" snapshots"));
    if (series->is_across)
        buf_add(buf, STR(" of two processes"));
    if (series->clock == CLOCK_STEPS || last < first)
        return;
    buf_add(buf, STR(" in "));
    add_time(buf, series->hours[last] - series->hours[first]);
}

void change_add_words(struct buf *buf, const struct change_view *view)
{
    const struct site_growth *site = view->site;

    buf_add(buf, str_from(verb_of(site)));
    add_course_words(buf, site);
    if (site->series->instance.len) {
        buf_add(buf, STR(" on "));
        buf_add(buf, site->series->instance);
    }
    if (site->stands) {
        buf_add(buf, STR(", where there never were more than "));
        change_add_figure(buf, site->most_before);
    }
    add_rate(buf, site);
    if (site->share > 0 && view->delta > 0) {
        buf_add(buf, STR("; "));
        words_share(buf, site->share);
        buf_add(buf, STR(" of all growth"));
    }
    staying_words_add(buf, site);
    if (site->ages_advance)
        buf_add(buf, STR("; the longest wait grew with the clock"));
    if (site->never_fell)
        buf_add(buf, STR("; for hours it was never less than before"));
    add_limit(buf, view);
}

/* Whether growth is little, in a wait of healthy code of a small service, in
 * the first week of a series: its places follow the first morning and the first
 * Monday so. */
static bool is_little(const struct site_growth *site)
{
    const struct moments *series = site->series;
    double hours = series->hours[series->n - 1] - series->hours[0];

    return site->is_alone && !site->is_blocking &&
           series->clock != CLOCK_STEPS && hours < WEEK_HOURS &&
           site->after - site->before < TREND_PAIR;
}

enum cprof_severity change_alert_level(const struct cprof_report *report,
                                       const struct site_growth *site)
{
    enum cprof_severity severity =
        growth_severity(site, (double)report_options(report)->limit);
    bool stays = site->ages_advance ||
                 (growth_gathers(site) && site->is_blocking) ||
                 site->never_fell ||
                 (site->has_survivors && site->survivors >= GROWTH_SURVIVE);

    if (severity > CPROF_SEVERITY_MEDIUM && site->is_whole && !stays &&
        (!site->stands_out || is_little(site)))
        return CPROF_SEVERITY_MEDIUM;
    return severity;
}
