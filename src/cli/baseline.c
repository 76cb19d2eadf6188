#include "cli/cli.h"
#include "model/options.h"

static int produce_baseline(const void *product, cprof_write_fn *write,
                            void *user, struct cprof_error *err)
{
    return cprof_report_write_baseline(product, write, user, err);
}

int baseline_write(const struct arguments *arguments,
                   const struct cprof_report *report, struct cprof_error *err)
{
    const char *path = arguments->options->write_baseline;

    return path ? file_write(path, 0644, produce_baseline, report, err) : 0;
}
