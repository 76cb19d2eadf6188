/* check_away.h - alerts of instances that no run asks for any more.
 *
 * A pod that was replaced leaves the list of targets, and what it fired would
 * stay red for ever at whoever was told. */
#ifndef CLI_CHECK_AWAY_H
#define CLI_CHECK_AWAY_H

#include "cli/check.h"

/* Steps the alerts of all instances of the history that the run does not ask
 * for, writes them, and leaves them in check->away. One that another run has in
 * work is left out. What fails is a line on standard error: no target of the
 * run is worse for it. */
void check_away(struct check *check);

#endif
