/* The curve of one place: its counts over time, drawn in units that are pixels
 * where the page has room. */
#include <math.h>

#include "base/count.h"
#include "report/html.h"
#include "report/human.h"
#include "rules/words.h"

enum {
    WIDTH = 320,
    HEIGHT = 112,
    TOP = 16,
    BOTTOM = 16,
    DOTS = 60,
    POINTS = 2 * WIDTH
};

static const double plot_height = HEIGHT - TOP - BOTTOM;
static const double margin = 3; /* for the dots at the ends */

struct chart {
    struct html *html;
    const struct change_view *view;
    const struct moments *series;
    double most;  /* the largest count, at the top */
    double hours; /* over all moments, or steps */
};

static struct chart chart_of(struct html *html, const struct change_view *view)
{
    const struct moments *series = view->site->series;
    struct chart chart = {html, view, series, 1, series->hours[series->n - 1]};

    for (size_t i = 0; i < series->n; i++)
        chart.most = fmax(chart.most, view->site->counts[series->snapshots[i]]);
    if (chart.hours <= 0)
        chart.hours = 1;
    return chart;
}

static double x_of(const struct chart *chart, double hours)
{
    return margin + hours / chart->hours * (WIDTH - 2 * margin);
}

static double y_of(const struct chart *chart, double count)
{
    return plot_height - count / chart->most * (plot_height - margin);
}

static double count_at(const struct chart *chart, size_t moment)
{
    return chart->view->site->counts[chart->series->snapshots[moment]];
}

static void put_point(const struct chart *chart, double hours, double count)
{
    buf_addf(chart->html->buf, "%.1f,%.1f ", x_of(chart, hours),
             y_of(chart, count));
}

/* The rate that was found, and how far it may lie from that: lines through the
 * middle of the moments it was found over. */
static void put_rate(const struct chart *chart)
{
    const struct change_view *view = chart->view;
    const struct slope *rate = &view->site->rate;
    double ends[] = {view->hours_from, view->hours_to};
    double middle = (ends[0] + ends[1]) / 2;

    if (!view->has_line)
        return;
    if (view->site->n >= TREND_WHOLE && isfinite(rate->low) &&
        isfinite(rate->high)) {
        html_raw(chart->html, "<polygon class=\"band\" points=\"");
        for (int i = 0; i < 2; i++) {
            put_point(chart, ends[i],
                      view->level + rate->low * (ends[i] - middle));
            put_point(chart, ends[1 - i],
                      view->level + rate->high * (ends[1 - i] - middle));
            put_point(chart, middle, view->level);
        }
        html_raw(chart->html, "\"/>\n");
    }
    html_raw(chart->html, "<polyline class=\"rate\" points=\"");
    for (int i = 0; i < 2; i++)
        put_point(chart, ends[i],
                  view->level + rate->median * (ends[i] - middle));
    html_raw(chart->html, "\"/>\n");
}

/* The counts from one moment to another; of very many some, the last one among
 * them. */
static void put_counts(const struct chart *chart, const char *class,
                       size_t start, size_t end)
{
    size_t step = 1 + (end - start) / POINTS;

    buf_addf(chart->html->buf, "<polyline class=\"%s\" points=\"", class);
    for (size_t i = start + (end - start - 1) % step; i < end; i += step)
        put_point(chart, chart->series->hours[i], count_at(chart, i));
    html_raw(chart->html, "\"/>\n");
    if (end - start > DOTS)
        return;
    for (size_t i = start; i < end; i++)
        buf_addf(chart->html->buf,
                 "<circle class=\"%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"2\"/>\n",
                 class, x_of(chart, chart->series->hours[i]),
                 y_of(chart, count_at(chart, i)));
}

/* Before a restart is another process. */
static void put_course(const struct chart *chart)
{
    const struct moments *series = chart->series;

    if (series->first > 0)
        put_counts(chart, "earlier", 0, series->first);
    put_counts(chart, "counts", series->first, series->n);
    if (series->first > 0 && series->has_restart) {
        double x = x_of(chart, (series->hours[series->first - 1] +
                                series->hours[series->first]) /
                                   2);

        buf_addf(chart->html->buf,
                 "<line class=\"restart\" x1=\"%.1f\" x2=\"%.1f\" y1=\"-20\" "
                 "y2=\"%.1f\"><title>restart</title></line>\n",
                 x, x, plot_height);
    }
}

/* The largest count above the plot, the time below it. */
static void put_scales(const struct chart *chart)
{
    struct html *html = chart->html;
    struct buf words = {0};

    change_add_figure(&words, chart->most);
    html_raw(html, "<text x=\"0\" y=\"11\">");
    html_words(html, &words);
    buf_addf(html->buf, "</text>\n<text x=\"0\" y=\"%d\">0</text>\n",
             HEIGHT - 4);
    if (chart->series->clock == CLOCK_STEPS) {
        words_count(&words, chart->series->n);
        buf_add(&words, STR(" snapshots"));
    } else {
        age_add_short(&words, count_near(chart->hours * 3600));
    }
    buf_addf(html->buf, "<text class=\"end\" x=\"%d\" y=\"%d\">", WIDTH,
             HEIGHT - 4);
    html_words(html, &words);
    html_raw(html, "</text>\n");
    buf_done(&words);
}

void html_chart(struct html *html, const struct change_view *view)
{
    struct chart chart = chart_of(html, view);
    struct buf words = {0};

    buf_addf(html->buf,
             "<svg class=\"chart\" role=\"img\" viewBox=\"0 0 %d %d\" "
             "width=\"%d\">\n<title>",
             WIDTH, HEIGHT, WIDTH);
    change_add_words(&words, view);
    html_words(html, &words);
    html_raw(html, "</title>\n");
    put_scales(&chart);
    buf_addf(html->buf,
             "<line class=\"axis\" x1=\"0\" x2=\"%d\" y1=\"%d\" y2=\"%d\"/>\n"
             "<svg y=\"%d\" width=\"%d\" height=\"%.0f\" class=\"plot\">\n",
             WIDTH, HEIGHT - BOTTOM, HEIGHT - BOTTOM, TOP, WIDTH, plot_height);
    put_rate(&chart);
    put_course(&chart);
    html_raw(html, "</svg>\n</svg>\n");
    buf_done(&words);
}
