#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/buf.h"
#include "base/error.h"
#include "cli/cli.h"

/* A variable that is set and not empty, else NULL. */
static const char *variable(const char *name)
{
    const char *value = getenv(name);

    return value && value[0] ? value : NULL;
}

/* Whether a folder may not be looked for: HOME is that of somebody else, as
 * "sudo -u" leaves it. That is said, and no reason not to answer. */
static bool is_closed(const char *path)
{
    struct cprof_error warning = {0};
    struct stat st;

    if (stat(path, &st) == 0 || errno != EACCES)
        return false;
    error_system(&warning, (struct place){path, 0, 0},
                 "left out, with what rules it may have");
    error_print(&warning);
    return true;
}

/* Adds HOME/TAIL to the folders of rules. */
static int add_folder(const struct arguments *arguments, const char *home,
                      const char *tail, struct cprof_error *err)
{
    struct buf path = {0};
    int rc = 0;

    buf_addf(&path, "%s/%s", home, tail);
    if (path.failed)
        rc = error_memory(err, (struct place){0}, "starting");
    else if (!is_closed(path.ptr))
        rc = cprof_options_set(arguments->options, "rules-folder", path.ptr,
                               err);
    buf_done(&path);
    return rc;
}

int user_rules_settle(const struct arguments *arguments,
                      struct cprof_error *err)
{
    const char *config = variable("XDG_CONFIG_HOME");
    const char *home = variable("HOME");
    int rc = 0;

    if (arguments->no_user_rules)
        return 0;
    if (!variable("CPROF_LEAKS_NOSYSTEM"))
        rc = add_folder(arguments, "/etc", "cprof-leaks/rules.d", err);
    if (rc < 0)
        return rc;
    /* The XDG base directories: a path that is not absolute is ignored. */
    if (config && config[0] == '/')
        return add_folder(arguments, config, "cprof-leaks/rules", err);
    return home ? add_folder(arguments, home, ".config/cprof-leaks/rules", err)
                : 0;
}
