/* changes.h - what a comparison shows, settled: words and figures that text and
 * JSON print alike. */
#ifndef REPORT_CHANGES_H
#define REPORT_CHANGES_H

#include "base/buf.h"
#include "report/report.h"

enum { SPARKS = 12 }; /* columns of a course */

/* One place over time, as it is shown. */
struct change_view {
    const struct site_growth *site;
    struct code_place place; /* function empty = without frames */
    struct str state;
    const char *verdict; /* as in JSON */
    double delta;
    bool is_shown;     /* not within the usual coming and going */
    bool has_limit;    /* the limit will be reached, at the rate measured */
    double hours_left; /* until then; 0 = it is reached */
};

/* Places, what rose by most first, by their index in growth_site. */
struct change_view change_view(const struct cprof_report *report, size_t index);
struct change_view change_view_of(const struct cprof_report *report,
                                  const struct site_growth *site);

/* Appends a figure with four significant digits: "67.9", "0.5", "12,500". */
void change_add_figure(struct buf *buf, double figure);

/* Appends a rate: "+67.9". It is an hour's where times are known
 * (site->has_rate), else that of a step from one snapshot to the next. */
void change_add_rate(struct buf *buf, const struct site_growth *site);

/* Appends the course of a place over all snapshots as bars of eighths, the
 * highest that of its largest count. */
void change_add_course(struct buf *buf, const struct change_view *view);

/* Appends how long a series took: ", 35m". */
void change_add_span(struct buf *buf, const struct moments *series);

/* Appends what growth says of a place, for people: "grew from 60 to 523 over 8
 * snapshots, ...". */
void change_add_words(struct buf *buf, const struct change_view *view);

#endif
