/* words.h - what every message says of an alert, in the same words. */
#ifndef NOTIFY_WORDS_H
#define NOTIFY_WORDS_H

#include "base/buf.h"
#include "notify/outcome.h"

/* What a receiver is told of an alert in a run. */
enum alert_event { EVENT_NONE, EVENT_FIRING, EVENT_RESOLVED };

/* "firing", "resolved"; not for EVENT_NONE. */
const char *event_text(enum alert_event event);

/* Whether an alert counts in this run: it fires, and amounts to a status. */
bool alert_counts(const struct outcome_alert *alert);

/* What there is to tell of an alert as it stands, whether or not it changed. */
enum alert_event alert_event_now(const struct outcome_alert *alert);

/* What there is to tell of an alert because it changed, or because an earlier
 * change could not be told (is_unsent). */
enum alert_event alert_event_of(const struct outcome_alert *alert,
                                bool is_unsent);

/* The target of an alert. */
const struct outcome_target *alert_target(const struct outcome *outcome,
                                          const struct outcome_alert *alert);

/* Appends "CRITICAL", "WARNING" or "RESOLVED". */
void alert_add_headword(struct buf *buf, const struct outcome_alert *alert);

/* Where an alert waits: its site, or the places that it has instead. Empty =
 * nobody knows. */
struct str alert_where(const struct outcome_alert *alert);

/* How many goroutines there are, as far as this run knows. */
uint64_t alert_count_now(const struct outcome_alert *alert);

/* Appends "97,908 goroutines (99.98 %), +1,200, +340 an hour", as far as it is
 * known: of the run that found it, and ", now 98,000" behind it where this one
 * only counted. Of what is over, "was 97,908 goroutines (99.98 %), now 12". */
void alert_add_figures(struct buf *buf, const struct outcome_alert *alert);

/* Appends "CRITICAL api: TITLE, 97,908 goroutines on host:6060", uncleaned;
 * of what is over, "RESOLVED api: TITLE, was 97,908 goroutines, now 12 on
 * host:6060", and "no longer watched" behind it, if that ended it. */
void alert_add_summary(struct buf *buf, const struct outcome *outcome,
                       const struct outcome_alert *alert);

/* One line of a message about an alert: "where", "api-1". */
struct alert_fact {
    const char *name;
    struct str text; /* uncleaned; empty = there is nothing to say */
};

enum { ALERT_FACTS = 9 };

/* The facts of an alert, in the order in which people read them. Texts are
 * borrowed from the alert or stand in *made, which is the caller's. */
void alert_facts(const struct outcome *outcome,
                 const struct outcome_alert *alert, struct buf *made,
                 struct alert_fact ret[ALERT_FACTS]);

#endif
