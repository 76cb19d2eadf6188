/* history_spec.h - which snapshots of which history an input means.
 *
 *     [history:]HISTORY[@INSTANCE][#WHICH]
 *
 * HISTORY is the name of a service, whose file lies in the default folder, or a
 * path: it has a slash or ends in ".db". WHICH says which snapshots:
 *
 *     last  first        the newest or oldest one of each instance
 *     all                every one
 *     run                those since the process last restarted
 *     42                 the one with this number (history show has them)
 *     -12                the newest 12
 *     7d  12h  90m       those of so long before the newest one
 *     2026-11-21T05:30Z  the newest one at that time: RFC 3339, of which the
 *                        seconds, the time and the zone (UTC) may be missing;
 *                        a minute or a day alone means its end
 *     FROM..TO           those between two times, either of which may be
 *                        missing
 *
 * What has the prefix is no file and no address: "./history:x" is a file. */
#ifndef CLI_HISTORY_SPEC_H
#define CLI_HISTORY_SPEC_H

#include "cli/history_place.h"
#include "store/store.h"

struct history_spec {
    struct history_place place;
    char *text; /* what was given, cut in pieces: query points into it */
    bool has_which;
    struct store_query query;
};

/* Whether an input has the prefix. */
bool history_is(const char *input);

/* Reads a SPEC, with or without the prefix. When it has no WHICH, the query is
 * for all. CPROF_EUSAGE says what is wrong with it. Freed with
 * history_spec_done, on failure too. */
int history_spec_parse(struct history_spec *ret, const char *text,
                       struct cprof_error *err);
void history_spec_done(struct history_spec *spec);

/* Parses a SPEC and opens its history in a mode; the store is closed by the
 * caller. Where the history is one of the default folder, a new one makes that
 * first. */
int history_spec_open(struct history_spec *ret, const char *text,
                      enum store_mode mode, struct store **ret_store,
                      struct cprof_error *err);

#endif
