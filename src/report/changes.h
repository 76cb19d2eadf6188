/* changes.h - what a comparison shows, settled: words and figures that text and
 * JSON print alike. */
#ifndef REPORT_CHANGES_H
#define REPORT_CHANGES_H

#include "base/buf.h"
#include "report/report.h"

enum {
    SPARKS = 12, /* columns of a course */
    CHANGE_DECIDES = 2,
};

/* One place over time, as it is shown. */
struct change_view {
    const struct site_growth *site;
    struct code_place place; /* function empty = without frames */
    struct str state;
    const char *verdict; /* as in JSON */
    double delta;
    bool is_filtered;     /* the user's filters leave it out */
    bool is_shown;        /* not within the usual coming and going */
    bool waits;           /* its goroutines are those of the first moment, where
                             few should wait or a finding tells of them */
    bool has_limit;       /* the limit will be reached, at the rate measured */
    double limit;         /* goroutines */
    uint64_t limit_bytes; /* of memory, where that is the limit; else 0 */
    double hours_left;    /* until then; 0 = it is reached */
    double hours_low;     /* the same at the bounds of the rate's interval; */
    double hours_high;    /* INFINITY = not at that rate */
    bool has_line;        /* the rate can be drawn as a line */
    double hours_from;    /* from the first moment that was judged */
    double hours_to;      /* to the last one, */
    double level;         /* through this count, halfway between them */
};

/* Places, what rose by most first, by their index in growth_site. */
struct change_view change_view(const struct cprof_report *report, size_t index);
struct change_view change_view_of(const struct cprof_report *report,
                                  const struct site_growth *site);

/* How bad it is that a place grows, for somebody who is woken by it, whatever
 * its rule says of so many goroutines in one dump. Growth that only counts show
 * and that does not stand out is medium at most: each place follows the traffic
 * in its own way, and whoever watches fifty of them for a week meets every kind
 * of morning. */
enum cprof_severity change_alert_level(const struct cprof_report *report,
                                       const struct site_growth *site);

/* Whether anything is other than it was at the first moment, and how many of
 * the places that are not filtered out grow, or have grown. */
bool changes_any(const struct cprof_report *report);
size_t changes_grown(const struct cprof_report *report);

/* How many of those that grow, or have grown, still have the goroutines of the
 * first moment, as ids show. */
size_t changes_staying(const struct cprof_report *report);

/* How many places have clearly more goroutines than at the first moment, which
 * is too little, or seen too seldom, to call it growth; filtered ones are left
 * out. */
size_t changes_risen(const struct cprof_report *report);

/* Whether the one process that is compared has half as many goroutines again as
 * at first, and 50 more. */
bool changes_total(const struct cprof_report *report, uint64_t *ret_before,
                   uint64_t *ret_after);

/* How many goroutines of findings, those that the baseline accepts left out,
 * wait on where the first moment had them; with them those of whom a rule
 * speaks only from more on. */
uint64_t changes_still_waiting(const struct cprof_report *report);

/* Whether goroutine ids are known at both ends of what is compared. */
bool changes_have_ids(const struct cprof_report *report);

/* What would decide whether a place leaks, in sentences: what these snapshots
 * cannot tell. has_ids tells whether they have ids, which of some places tell
 * nothing. Returns how many there are. */
size_t change_decides(const struct site_growth *site, bool has_ids,
                      struct str ret[CHANGE_DECIDES]);

/* Gives `put` the sentences of what would decide a finding: those above, and
 * with_rule what its rule says; but where snapshots are compared, and where the
 * process ended, no advice of a rule to take a second dump (docs/rules.md).
 * Returns how many there are; put may be NULL. */
typedef void decide_put_fn(void *user, struct str text);
size_t finding_decides(const struct cprof_report *report,
                       const struct finding *finding, bool with_rule,
                       decide_put_fn *put, void *user);

/* The verdict of a place in one word for people: that of JSON, but "waiting" as
 * above, and "varies" for what is stable without being level. */
struct str change_verdict_word(const struct change_view *view);

/* Appends a figure, with four significant digits where it is below 100 or from
 * 10^15 on: "0.5", "67.9", "12,500", "3.159e+19". */
void change_add_figure(struct buf *buf, double figure);

/* Appends the same with its sign: "+67.9", "-3", "0". */
void change_add_signed(struct buf *buf, double figure);

/* Appends the course of a place over all snapshots as bars of eighths, the
 * highest that of its largest count; "_" is none. */
void change_add_course(struct buf *buf, const struct change_view *view);

/* Appends what a series covers, for a title: "8 snapshots, 35m", or "the last 4
 * of 8 snapshots, since a restart". */
void change_add_span(struct buf *buf, const struct moments *series);

/* Appends what growth says of a place, for people: "grew from 60 to 523 over 8
 * snapshots, ...". */
void change_add_words(struct buf *buf, const struct change_view *view);

#endif
