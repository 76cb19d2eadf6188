#include <stdio.h>

#include "base/error.h"
#include "cli/addresses.h"
#include "cli/cli.h"
#include "model/collection.h"
#include "model/options.h"
#include "report/answer_words.h"
#include "report/report.h"
#include "report/writers.h"
#include "rules/filter.h"

static void say_unjudged(const struct cprof_report *report)
{
    struct buf words = {0};

    words_of_unjudged(&words, report);
    fprintf(stderr,
            "cprof-leaks: " STR_FORMAT "; see the diagnostics of the report\n",
            STR_ARG(buf_str(&words)));
    buf_done(&words);
}

static int status_of(const struct arguments *arguments,
                     const struct cprof_report *report)
{
    const struct cprof_options *options = arguments->options;

    if (report_has_lost(report)) {
        fputs("cprof-leaks: out of memory: parts of the answer are missing\n",
              stderr);
        return EXIT_TROUBLE;
    }
    if (!cprof_report_is_judged(report)) {
        say_unjudged(report);
        return EXIT_TROUBLE;
    }
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

/* A report in a form. */
struct written {
    const struct cprof_report *report;
    const char *format;
};

static int produce(const void *product, cprof_write_fn *write, void *user,
                   struct cprof_error *err)
{
    const struct written *written = product;

    return cprof_report_write(written->report, written->format, write, user,
                              err);
}

static int answer(const struct arguments *arguments,
                  struct cprof_snapshots *snapshots, struct cprof_error *err)
{
    struct cprof_report *report = NULL;
    int rc = cprof_report_new(&report, snapshots, arguments->options, err);
    int status = EXIT_TROUBLE;

    if (rc >= 0 && snapshots->is_series && !report_compares(report))
        rc = error_set(err, CPROF_EUSAGE, (struct place){0},
                       "there are %zu snapshots, and no two of one profile and "
                       "instance: give a second of each, some minutes later",
                       snapshots->count);
    if (rc >= 0)
        rc = baseline_write(arguments, report, err);
    if (rc >= 0 && (!arguments->quiet || arguments->output_file))
        rc = output_write(arguments, produce,
                          &(struct written){report, arguments->output}, err);
    if (rc >= 0)
        status = status_of(arguments, report);
    cprof_report_free(report);
    return status;
}

/* Two moments are the least that can be compared; times that are given must
 * be those of all. */
static bool can_compare(const struct cprof_snapshots *snapshots,
                        struct cprof_error *err)
{
    size_t n_times = snapshots->options->times.count;

    if (snapshots->count >= 2 && n_times && n_times != snapshots->count)
        return error_set(err, CPROF_EUSAGE, (struct place){0},
                         "--times gives %zu time%s, and there are %zu "
                         "snapshots: each needs one, in the order of the "
                         "inputs",
                         n_times, n_times == 1 ? "" : "s",
                         snapshots->count) == 0;
    if (snapshots->count >= 2)
        return true;
    error_set(err, CPROF_EUSAGE, (struct place){0},
              "there is only one snapshot, and nothing to compare it with: "
              "give a second, some minutes later");
    return false;
}

/* Addresses are asked at once, so that one given twice compares a moment with
 * itself. */
static int refuse_twice(const struct arguments *arguments,
                        struct cprof_error *err)
{
    for (size_t i = 1; i < arguments->n_inputs; i++) {
        for (size_t j = 0; j < i && address_is(arguments->inputs[i]); j++) {
            if (str_equal(str_from(arguments->inputs[i]),
                          str_from(arguments->inputs[j])))
                return error_set(err, CPROF_EUSAGE,
                                 (struct place){arguments->inputs[i], 0, 0},
                                 "is given twice, and would be asked twice at "
                                 "once: keep a dump in a file, and compare the "
                                 "address with it some minutes later");
        }
    }
    return 0;
}

/* What is wrong with the form and the filter of the answer is said before
 * anything is read: a service is not asked for what nobody will see. */
static int check_answer(const struct arguments *arguments,
                        struct cprof_error *err)
{
    if (!writer_find(arguments->output, err))
        return CPROF_EUSAGE;
    return filter_check(arguments->options, err);
}

static int run(const struct arguments *arguments, bool is_series)
{
    struct cprof_snapshots *snapshots = NULL;
    struct cprof_error err = {0};
    size_t failed;
    int status = EXIT_TROUBLE;

    if (user_rules_settle(arguments, &err) < 0 ||
        inputs_check(arguments, &err) < 0 ||
        check_answer(arguments, &err) < 0 ||
        (is_series && refuse_twice(arguments, &err) < 0) ||
        terminal_settle(arguments, &err) < 0 ||
        surroundings_settle(arguments, &err) < 0 ||
        cprof_snapshots_new(&snapshots, arguments->options, &err) < 0) {
        error_print(&err);
        return EXIT_TROUBLE;
    }
    if (is_series)
        cprof_snapshots_compare(snapshots);
    failed = inputs_read(arguments, snapshots);
    if (cprof_snapshots_count(snapshots) &&
        (!is_series || can_compare(snapshots, &err)))
        status = answer(arguments, snapshots, &err);
    if (err.code != CPROF_OK)
        error_print(&err);
    cprof_snapshots_free(snapshots);
    return failed ? EXIT_TROUBLE : status;
}

int analyze_run(const struct arguments *arguments)
{
    return run(arguments, false);
}

int diff_run(const struct arguments *arguments)
{
    return run(arguments, true);
}
