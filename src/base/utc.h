/* utc.h - moments as text. */
#ifndef BASE_UTC_H
#define BASE_UTC_H

#include "base/buf.h"

/* Appends a Unix time in nanoseconds as RFC 3339 in UTC,
 * "2026-11-21T04:01:10Z", with a fraction when it has one. */
void utc_add(struct buf *buf, int64_t unix_ns);

#endif
