/* range.h - ranges as monitoring plugins take them (-w and -c).
 *
 *     10      alerts below 0 and above 10
 *     10:     below 10
 *     ~:10    above 10
 *     10:20   below 10 and above 20
 *     @10:20  from 10 to 20, both included
 *
 * "~" is minus infinity. Numbers may have a sign and a fraction
 * (monitoring-plugins.org: development guidelines, "Threshold and ranges"). */
#ifndef NOTIFY_RANGE_H
#define NOTIFY_RANGE_H

#include "base/buf.h"

struct range {
    bool is_given;
    bool is_inside; /* "@": alerts within it */
    double low;     /* -INFINITY, INFINITY = no bound */
    double high;
};

/* Reads a range. False, with nothing stored, for anything else. */
bool range_parse(struct str text, struct range *ret);

/* Whether a value alerts; never by a range that was not given. */
bool range_alerts(const struct range *range, double value);

/* Appends a range as it is written; nothing for one that was not given. */
void range_add(struct buf *buf, const struct range *range);

#endif
