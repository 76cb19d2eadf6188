#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/utc.h"
#include "cli/cli.h"

/* Makes the working folder one more --source-root. "DIR=" is one for which
 * nothing stands. */
static int settle_folder(const struct arguments *arguments,
                         struct cprof_error *err)
{
    char *folder = getcwd(NULL, 0);
    char *root = NULL;
    int rc = 0;

    /* Every path is below the root of the machine. */
    if (folder && folder[1] && asprintf(&root, "%s=", folder) < 0)
        rc = error_memory(err, (struct place){0}, "starting");
    else if (root)
        rc = cprof_options_set(arguments->options, "source-root", root, err);
    free(root);
    free(folder);
    return rc;
}

/* The time; reproducible-builds.org says which variable stands for it. */
static int settle_time(const struct arguments *arguments,
                       struct cprof_error *err)
{
    const char *given = getenv("SOURCE_DATE_EPOCH");
    uint64_t seconds = 0;
    struct buf now = {0};
    int rc;

    if (!given || !str_to_u64(str_from(given), &seconds) ||
        seconds > UINT32_MAX)
        seconds = (uint64_t)time(NULL);
    utc_add(&now, (int64_t)seconds * 1000000000);
    rc = now.failed
             ? error_memory(err, (struct place){0}, "starting")
             : cprof_options_set(arguments->options, "now", now.ptr, err);
    buf_done(&now);
    return rc;
}

int surroundings_settle(const struct arguments *arguments,
                        struct cprof_error *err)
{
    int rc = settle_folder(arguments, err);

    return rc < 0 ? rc : settle_time(arguments, err);
}
