/* persistence.h - what becomes of an alert from run to run.
 *
 * What one dump shows is judged at once: a rule that calls for an alert gets
 * it. What growth shows has to hold in as many runs one after the other as
 * asked for (`needed`); until then the alert is pending. A status that was
 * reached falls only after as many runs that were milder, and the alert goes
 * after as many that saw nothing. */
#ifndef NOTIFY_PERSISTENCE_H
#define NOTIFY_PERSISTENCE_H

#include "notify/outcome.h"

/* What one run saw. */
struct sight {
    enum check_status at_once; /* what the dump alone amounts to */
    enum check_status grown;   /* what growth does */
};

/* What is remembered. All zero is an alert that was never seen. */
struct persistence {
    bool is_known; /* it was seen before */
    enum alert_state state;
    enum check_status status; /* of a pending one, what it would amount to */
    bool is_changed;          /* by the last step, as outcome.h has it */
    unsigned held;            /* runs in a row that saw it */
    unsigned held_warning;    /* in which growth amounted to WARNING or more */
    unsigned held_critical;   /* in which it amounted to CRITICAL */
    unsigned missed;          /* runs in a row that did not see it */
    unsigned below;           /* that saw it milder than its status, or not */
};

/* Takes in what a run saw; needed is at least 1. A run that looked at the same
 * dump as the one before (is_repeat) adds to no row. False when nothing is left
 * to remember: a pending alert that was not seen again, or one that was
 * resolved before. Whoever could not read a target calls nothing: its alerts
 * stay as they are. */
bool persistence_step(struct persistence *alert, struct sight sight,
                      unsigned needed, bool is_repeat);

#endif
