#include <stdio.h>
#include <unistd.h>

#include "cli/cli.h"
#include "model/options.h"

/* Reads all inputs; those that fail are reported and the rest goes on. Returns
 * how many failed. */
static size_t read_inputs(const struct arguments *arguments,
                          struct cprof_snapshots *snapshots)
{
    size_t n = arguments->n_inputs ? arguments->n_inputs : 1;
    size_t failed = 0;

    for (size_t i = 0; i < n; i++) {
        const char *input = arguments->n_inputs ? arguments->inputs[i] : "-";
        struct cprof_error err = {0};

        if (cprof_snapshots_read_file(snapshots, input, &err) < 0) {
            error_print(&err);
            failed++;
        }
    }
    return failed;
}

static int status_of(const struct arguments *arguments,
                     const struct cprof_report *report)
{
    const struct cprof_options *options = arguments->options;

    if (options->strict && !cprof_report_is_complete(report)) {
        fputs("cprof-leaks: an input is incomplete (--strict); see the "
              "diagnostics of the report\n",
              stderr);
        return EXIT_TROUBLE;
    }
    if (options->fail_on != CPROF_SEVERITY_OK &&
        cprof_report_verdict(report) >= options->fail_on)
        return EXIT_FINDING;
    return EXIT_OK;
}

static int answer(const struct arguments *arguments,
                  struct cprof_snapshots *snapshots, struct cprof_error *err)
{
    struct cprof_report *report = NULL;
    int rc = cprof_report_new(&report, snapshots, arguments->options, err);
    int status = EXIT_TROUBLE;

    if (rc >= 0 && !arguments->quiet)
        rc = output_write(arguments, report, err);
    if (rc >= 0)
        status = status_of(arguments, report);
    cprof_report_free(report);
    return status;
}

int analyze_run(const struct arguments *arguments)
{
    struct cprof_snapshots *snapshots = NULL;
    struct cprof_error err = {0};
    size_t failed;
    int status = EXIT_TROUBLE;

    if (!arguments->n_inputs && isatty(STDIN_FILENO)) {
        fputs("cprof-leaks: no input: give a file, or pipe a dump in\n"
              "Try 'cprof-leaks --help'.\n",
              stderr);
        return EXIT_TROUBLE;
    }
    if (terminal_settle(arguments, &err) < 0 ||
        cprof_snapshots_new(&snapshots, arguments->options, &err) < 0) {
        error_print(&err);
        return EXIT_TROUBLE;
    }
    failed = read_inputs(arguments, snapshots);
    if (cprof_snapshots_count(snapshots))
        status = answer(arguments, snapshots, &err);
    if (err.code != CPROF_OK)
        error_print(&err);
    cprof_snapshots_free(snapshots);
    return failed ? EXIT_TROUBLE : status;
}
