#include "notify/persistence.h"

#include <limits.h>

static unsigned one_more(unsigned n)
{
    return n < UINT_MAX ? n + 1 : n;
}

/* Counts a run that saw what is counted, or ends the row. */
static void count_row(unsigned *row, bool was_seen)
{
    *row = was_seen ? one_more(*row) : 0;
}

static void count(struct persistence *alert, struct sight sight,
                  enum check_status level)
{
    count_row(&alert->held, level != CHECK_OK);
    count_row(&alert->held_warning, sight.grown != CHECK_OK);
    count_row(&alert->held_critical, sight.grown == CHECK_CRITICAL);
    count_row(&alert->missed, level == CHECK_OK);
    count_row(&alert->below,
              alert->state == ALERT_FIRING && level < alert->status);
}

/* UNKNOWN is nothing that a run can see. */
static enum check_status level_of(struct sight sight)
{
    return sight.grown > sight.at_once ? sight.grown : sight.at_once;
}

/* What a run amounts to once growth that did not hold long enough is left
 * out. */
static enum check_status confirmed(const struct persistence *alert,
                                   struct sight sight, unsigned needed)
{
    if (sight.at_once == CHECK_CRITICAL || alert->held_critical >= needed)
        return CHECK_CRITICAL;
    if (sight.at_once == CHECK_WARNING || alert->held_warning >= needed)
        return CHECK_WARNING;
    return CHECK_OK;
}

/* A firing alert rises at once with what is confirmed, and falls slowly. */
static void step_firing(struct persistence *alert, enum check_status level,
                        enum check_status sure, unsigned needed)
{
    if (sure > alert->status) {
        alert->status = sure;
        alert->is_changed = true;
        alert->below = 0;
    } else if (alert->missed >= needed) {
        alert->state = ALERT_RESOLVED;
        alert->is_changed = true;
    } else if (alert->below >= needed && alert->status == CHECK_CRITICAL) {
        /* Not seen for a moment is no reason to say less than a warning. */
        alert->status = level == CHECK_OK ? CHECK_WARNING : level;
        alert->is_changed = true;
        alert->below = 0;
    }
}

bool persistence_step(struct persistence *alert, struct sight sight,
                      unsigned needed, bool is_repeat)
{
    enum check_status level = level_of(sight);
    enum check_status sure;

    if (alert->state == ALERT_RESOLVED)
        *alert = (struct persistence){0};
    if (level == CHECK_OK &&
        (!alert->is_known || (alert->state == ALERT_PENDING && !is_repeat)))
        return false;
    if (!is_repeat || !alert->is_known)
        count(alert, sight, level);
    alert->is_known = true;
    alert->is_changed = false;
    sure = confirmed(alert, sight, needed);
    if (alert->state == ALERT_FIRING) {
        step_firing(alert, level, sure, needed);
    } else if (sure != CHECK_OK) {
        alert->state = ALERT_FIRING;
        alert->status = sure;
        alert->is_changed = true;
    } else if (level != CHECK_OK) {
        alert->status = level;
    }
    return true;
}
