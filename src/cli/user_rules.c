#include <stdlib.h>

#include "base/buf.h"
#include "base/error.h"
#include "cli/cli.h"

/* A variable that is set and not empty, else NULL. */
static const char *variable(const char *name)
{
    const char *value = getenv(name);

    return value && value[0] ? value : NULL;
}

/* Adds HOME/TAIL to the folders of rules. */
static int add_folder(const struct arguments *arguments, const char *home,
                      const char *tail, struct cprof_error *err)
{
    struct buf path = {0};
    int rc;

    buf_addf(&path, "%s/%s", home, tail);
    rc = path.failed ? error_memory(err, (struct place){0}, "starting")
                     : cprof_options_set(arguments->options, "rules-folder",
                                         path.ptr, err);
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
