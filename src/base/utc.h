/* utc.h - moments as text. */
#ifndef BASE_UTC_H
#define BASE_UTC_H

#include "base/buf.h"

/* Appends a Unix time in nanoseconds as RFC 3339 in UTC,
 * "2026-11-21T04:01:10Z", with a fraction when it has one. */
void utc_add(struct buf *buf, int64_t unix_ns);

/* The nanoseconds of a Unix time in seconds and a part of one; 0 when that is
 * before 1970 or behind what 64 bits hold, 2262. */
int64_t utc_ns(int64_t seconds, int64_t part_ns);

#endif
