/* units.h - values with their units, in pprof's words.
 *
 * Bytes become kB, MB ... by powers of 1024 and nanoseconds us, ms, s, hrs, as
 * `go tool pprof` prints them; every value of one table has the same unit. */
#ifndef REPORT_UNITS_H
#define REPORT_UNITS_H

#include "base/buf.h"

/* A unit to print values in. */
struct unit {
    const char *text; /* behind the number: "kB"; "" = a plain number */
    double divisor;   /* of the profile's own unit */
};

/* The unit that suits a table whose smallest value (0 excluded) and total are
 * given, for values of a profile's unit ("bytes", "nanoseconds", "count"). */
struct unit unit_choose(struct str profile_unit, uint64_t smallest,
                        uint64_t total);

/* Appends a value: "1010.51kB", "0". */
void unit_add(struct buf *out, int64_t value, struct unit unit);

/* Appends a share of a total as pprof does: "94.48%", "0.76%", "100%". */
void percent_add(struct buf *out, int64_t value, int64_t total);

#endif
