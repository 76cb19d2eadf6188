#include "report/changes.h"

#include <math.h>

#include "report/built.h"
#include "report/human.h"
#include "rules/words.h"

enum { USUAL_LIMIT = 10000, HOUR = 3600 };

/* What comes and goes by less is not shown, unless it has a verdict. */
static const double SHOWN_LEAST = 10;
static const double SHOWN_SHARE = 0.1;

static bool is_shown(const struct site_growth *site)
{
    double change = fabs(site->after - site->before);

    if (site->verdict == GROWTH_STABLE || site->verdict == GROWTH_APPEARED ||
        site->verdict == GROWTH_GONE)
        return change >= SHOWN_LEAST && change >= site->before * SHOWN_SHARE;
    return true;
}

/* How long until the limit is reached, at the rate measured. Only the whole
 * test gives one that can be projected. */
static void set_limit(const struct cprof_report *report,
                      struct change_view *view)
{
    const struct site_growth *site = view->site;
    uint64_t asked = report_options(report)->limit;
    double limit = asked ? (double)asked : USUAL_LIMIT;

    if (!site->is_whole || !site->has_rate || site->rate.median <= 0)
        return;
    view->has_limit = true;
    if (site->after < limit)
        view->hours_left = (limit - site->after) / site->rate.median;
}

struct change_view change_view_of(const struct cprof_report *report,
                                  const struct site_growth *site)
{
    struct change_view view = {
        .site = site,
        .state = symbols_state(report_symbols(report), site->state),
        .verdict = growth_verdict_text(site->verdict),
        .delta = site->after - site->before,
        .is_shown = is_shown(site),
    };

    if (site->site != FRAME_NONE)
        view.place = place_of_frame(report, site->site);
    set_limit(report, &view);
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
    if (size >= 1000)
        words_count(buf, (uint64_t)(size + 0.5));
    else if (size >= 100 || size == floor(size))
        buf_addf(buf, "%.0f", size);
    else
        buf_addf(buf, "%.*f", size >= 10 ? 1 : 2, size);
}

void change_add_rate(struct buf *buf, const struct site_growth *site)
{
    if (site->rate.median > 0)
        buf_add_char(buf, '+');
    change_add_figure(buf, site->rate.median);
}

void change_add_span(struct buf *buf, const struct moments *series)
{
    buf_add(buf, STR(", "));
    age_add_short(buf, (uint64_t)(series->hours[series->n - 1] * HOUR + 0.5));
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

static void add_survivors(struct buf *buf, const struct site_growth *site)
{
    if (!site->has_survivors)
        return;
    if (site->survivors >= GROWTH_SURVIVE)
        buf_add(buf, STR("; the goroutines of the start are still there, by "
                         "their ids"));
    else if (site->survivors <= GROWTH_PASS)
        buf_add(buf, STR("; goroutines come and go, by their ids: traffic"));
    else
        buf_addf(buf, "; %.0f %% of the first are still there, by their ids",
                 site->survivors * 100);
}

static void add_limit(struct buf *buf, const struct change_view *view)
{
    if (!view->has_limit || view->hours_left > 24 * 365)
        return;
    if (view->hours_left <= 0) {
        buf_add(buf, STR("; the limit is reached"));
        return;
    }
    buf_add(buf, STR("; at this rate the limit is reached in "));
    age_add_short(buf, (uint64_t)(view->hours_left * HOUR));
}

static void add_interval(struct buf *buf, const struct site_growth *site)
{
    if (site->n < TREND_FEW)
        return;
    buf_add(buf, STR(", "));
    change_add_rate(buf, site);
    buf_add(buf, site->has_rate ? STR(" an hour") : STR(" a step"));
    if (site->n < TREND_WHOLE)
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
        return site->is_whole ? "leak-like growth from " : "growing from ";
    case GROWTH_STUCK:
        return "stuck: none ever leaves, from ";
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
        return "no more than the usual coming and going, from ";
    }
}

void change_add_words(struct buf *buf, const struct change_view *view)
{
    const struct site_growth *site = view->site;

    buf_add(buf, str_from(verb_of(site)));
    change_add_figure(buf, site->before);
    buf_add(buf, STR(" to "));
    change_add_figure(buf, site->after);
    buf_addf(buf, " over %zu snapshots", site->n);
    add_interval(buf, site);
    if (site->share > 0 && view->delta > 0) {
        buf_add(buf, STR("; "));
        words_share(buf, site->share);
        buf_add(buf, STR(" of all growth"));
    }
    add_survivors(buf, site);
    if (site->ages_advance)
        buf_add(buf, STR("; the longest wait grew with the clock"));
    add_limit(buf, view);
}
