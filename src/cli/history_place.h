/* history_place.h - where the history of a service lies on this machine.
 *
 * A history is one file a service. --history FILE names the file, and the
 * service is called as that is, without its folders and ".db"; --service NAME
 * names the service, whose file lies in the default folder:
 *
 *     $STATE_DIRECTORY              in a unit of systemd (StateDirectory=)
 *     /var/lib/cprof-leaks          for root
 *     $XDG_STATE_HOME/cprof-leaks   for others, if that is an absolute path
 *     ~/.local/state/cprof-leaks    else
 *
 * With both, the file is that of --history and the name that of --service; with
 * neither, the service is "default". */
#ifndef CLI_HISTORY_PLACE_H
#define CLI_HISTORY_PLACE_H

#include "cprof/cprof.h"

#define HISTORY_SERVICE "default"

struct history_place {
    char *service; /* both owned */
    char *path;
    bool is_default; /* it lies in the default folder, which is ours to make */
};

/* Finds the place; file and service are the options, NULL where they were not
 * given. CPROF_EUSAGE: the service's name cannot be that of a file, or nothing
 * tells a default folder. The place need not exist. */
int history_place_find(struct history_place *ret, const char *file,
                       const char *service, struct cprof_error *err);

/* Makes the default folder, for its owner alone, with all above it that is
 * missing. Where --history said the place, nothing is made. */
int history_place_make(const struct history_place *place,
                       struct cprof_error *err);

/* Frees the texts. */
void history_place_done(struct history_place *place);

#endif
