#include <stdlib.h>

#include "base/buf.h"
#include "base/error.h"
#include "cli/cli.h"

static bool is_set(const char *name)
{
    const char *value = getenv(name);

    return value && value[0];
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
    int rc = 0;

    if (arguments->no_user_rules)
        return 0;
    if (!is_set("CPROF_LEAKS_NOSYSTEM"))
        rc = add_folder(arguments, "/etc", "cprof-leaks/rules.d", err);
    if (rc < 0)
        return rc;
    /* The XDG base directories: a path that is not absolute is ignored. */
    if (is_set("XDG_CONFIG_HOME") && getenv("XDG_CONFIG_HOME")[0] == '/')
        return add_folder(arguments, getenv("XDG_CONFIG_HOME"),
                          "cprof-leaks/rules", err);
    if (is_set("HOME"))
        return add_folder(arguments, getenv("HOME"),
                          ".config/cprof-leaks/rules", err);
    return 0;
}
