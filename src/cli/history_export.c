/* history export: what export does, of stored snapshots. */
#include <stdlib.h>

#include "base/error.h"
#include "cli/history_shared.h"

int history_export_run(const struct arguments *arguments)
{
    struct arguments with_prefix = *arguments;
    struct cprof_error err = {0};
    struct buf input = {0};
    int rc = history_need_one(arguments, &err);
    int status;

    if (rc < 0)
        return history_end(rc, &err);
    buf_addf(&input, "%s%s", history_is(arguments->inputs[0]) ? "" : "history:",
             arguments->inputs[0]);
    with_prefix.inputs = &input.ptr;
    status = input.failed
                 ? history_end(
                       error_memory(&err, (struct place){0}, "exporting"), &err)
                 : export_run(&with_prefix);
    buf_done(&input);
    return status;
}
