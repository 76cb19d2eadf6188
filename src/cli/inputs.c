#include <unistd.h>

#include "base/error.h"
#include "cli/cli.h"
#include "model/options.h"

static bool is_stdin(const char *input)
{
    return str_equal(str_from(input), STR("-"));
}

static bool reads_stdin(const struct arguments *arguments)
{
    for (size_t i = 0; i < arguments->n_inputs; i++) {
        if (is_stdin(arguments->inputs[i]))
            return true;
    }
    return arguments->n_inputs == 0;
}

/* The word "auto" asks for the leak profile that stands beside an address. */
static int check_leak_profile(const struct arguments *arguments,
                              const char *input, struct cprof_error *err)
{
    if (str_equal(str_from(input), STR("auto")))
        return error_set(err, CPROF_EUSAGE, (struct place){0},
                         "--leak-profile auto needs an address as input, and "
                         "'%.200s' is none: save /debug/pprof/goroutineleak"
                         "?debug=1 of the same process and name that file",
                         arguments->n_inputs ? arguments->inputs[0] : "-");
    if (is_stdin(input) && reads_stdin(arguments))
        return error_set(err, CPROF_EUSAGE, (struct place){0},
                         "standard input cannot be the dump and its leak "
                         "profile: give one of them as a file");
    return 0;
}

int inputs_check(const struct arguments *arguments, struct cprof_error *err)
{
    const struct option_list *proofs = &arguments->options->leak_profile;
    int rc = 0;

    if (!arguments->n_inputs && isatty(STDIN_FILENO)) {
        rc = error_set(err, CPROF_EUSAGE, (struct place){0},
                       "no input: give a file, or pipe a dump in");
        error_detail(err, "Try 'cprof-leaks --help'.");
    }
    for (size_t i = 0; i < proofs->count && rc == 0; i++)
        rc = check_leak_profile(arguments, proofs->values[i], err);
    return rc;
}

size_t inputs_read(const struct arguments *arguments,
                   struct cprof_snapshots *snapshots)
{
    const struct option_list *proofs = &arguments->options->leak_profile;
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
    for (size_t i = 0; i < proofs->count; i++) {
        struct cprof_error err = {0};

        if (cprof_snapshots_read_leaks(snapshots, proofs->values[i], &err) <
            0) {
            error_print(&err);
            failed++;
        }
    }
    return failed;
}
