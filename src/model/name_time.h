/* name_time.h - the time that stands in the name of a file. */
#ifndef MODEL_NAME_TIME_H
#define MODEL_NAME_TIME_H

#include "base/str.h"

/* Finds a time in the last part of a path, as people name dumps:
 * "api-2026-11-21T05:39:11Z.pb.gz", "20261121_053911", "goroutine.1795239551"
 * (Unix seconds, or milliseconds of 13 digits). A time without a zone is UTC:
 * only distances matter. False when there is none, or only a day. */
bool name_time_find(struct str path, int64_t *ret_ns);

/* Reads a whole text as a time of RFC 3339: "2026-11-21T05:39:11.5+02:00". A
 * blank may stand for the T, and the zone may be missing (UTC). */
bool rfc3339_parse(struct str text, int64_t *ret_ns);

/* Whether a whole text is a day of the calendar, "2026-11-21". As texts, days
 * are in order. */
bool day_is_valid(struct str text);

#endif
