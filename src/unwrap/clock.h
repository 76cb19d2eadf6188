/* clock.h - times as logs write them. */
#ifndef UNWRAP_CLOCK_H
#define UNWRAP_CLOCK_H

#include "base/str.h"

/* Cuts a date and time off the front of *text, and nothing behind it:
 *
 *     2026-11-20T14:02:00.123456789Z, 2026-11-20 14:02:00,123+01:00
 *     2026/11/20 14:02:00.123456
 *     Nov 20 14:02:00, Nov  2 14:02:00.123456
 *     14:02:00.123
 *     @400000006a5f1b2c075bcd15 (TAI64N, of multilog, svlogd and s6-log)
 *
 * False, with nothing changed, when none stands there. */
bool clock_cut(struct str *text);

/* The same without the zone at its end, "Z" or "+01:00". */
bool clock_cut_local(struct str *text);

#endif
