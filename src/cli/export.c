#include "export/export.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "analysis/analysis.h"
#include "analysis/sites.h"
#include "base/error.h"
#include "cli/cli.h"
#include "model/options.h"

static int produce(const void *product, cprof_write_fn *write, void *user,
                   struct cprof_error *err)
{
    return export_write(product, write, user, err);
}

/* The form that --to asks for. */
static const struct export_format *find_format(
    const struct arguments *arguments, struct cprof_error *err)
{
    const struct export_format *format;

    if (!arguments->to) {
        error_set(err, CPROF_EUSAGE, (struct place){0},
                  "export needs --to FORMAT: pprof, folded, speedscope or "
                  "jsonl");
        return NULL;
    }
    format = export_format_find(arguments->to, err);
    if (format && export_is_binary(format) && !arguments->output_file &&
        isatty(STDOUT_FILENO)) {
        error_set(err, CPROF_EUSAGE, (struct place){0},
                  "a terminal cannot show %s: name a file with -O, or pipe it "
                  "on",
                  arguments->to);
        return NULL;
    }
    return format;
}

/* An export of another form than the answer has no place for warnings. */
static void say_warnings(const struct cprof_snapshots *snapshots)
{
    for (const struct diag *diag = snapshots->diags.first; diag;
         diag = diag->next) {
        struct cprof_error warning;

        if (diag->severity == DIAG_INFO)
            continue;
        error_set(&warning, CPROF_OK, (struct place){diag->source, 0, 0},
                  "%s: " STR_FORMAT, diag_severity_text(diag->severity),
                  STR_ARG(diag->message));
        error_print(&warning);
    }
}

static bool is_complete(const struct cprof_snapshots *snapshots)
{
    for (size_t i = 0; i < snapshots->count; i++) {
        if (!snapshot_info_get(snapshots->items[i])->complete)
            return false;
    }
    return true;
}

/* Lists the judged snapshots. The analysis that knows them is not kept: an
 * export needs its memory. States and proof stay with the snapshots. */
static int choose(struct cprof_snapshots *snapshots, size_t *chosen,
                  size_t *ret_count, struct cprof_error *err)
{
    struct analysis *analysis = NULL;
    int rc = analysis_new(&analysis, snapshots, err);

    if (rc < 0)
        return rc;
    *ret_count = 0;
    for (size_t i = 0; i < snapshots->count; i++) {
        if (analysis_is_judged(analysis, i))
            chosen[(*ret_count)++] = i;
    }
    analysis_free(analysis);
    return 0;
}

/* Says that an export of the judged dumps does not hold the others. */
static void say_left_out(const struct cprof_snapshots *snapshots,
                         size_t n_chosen)
{
    size_t left = 0;

    for (size_t i = 0; i < snapshots->count; i++)
        left += !snapshot_info_get(snapshots->items[i])->is_proof;
    left -= n_chosen;
    if (left)
        fprintf(stderr,
                "cprof-leaks: warning: %zu of %zu dumps are left out: the last "
                "complete one of each input is exported (--to jsonl has all)\n",
                left, left + n_chosen);
}

static int run(const struct arguments *arguments,
               const struct export_format *format,
               struct cprof_snapshots *snapshots, struct cprof_error *err)
{
    size_t *chosen = malloc((snapshots->count + 1) * sizeof(*chosen));
    struct export_request request = {.format = format,
                                     .snapshots = snapshots,
                                     .chosen = chosen,
                                     .site = site_find};
    int rc = 0;

    if (!chosen)
        return error_memory(err, (struct place){0}, "exporting");
    if (arguments->options->strict && !is_complete(snapshots))
        rc = error_set(err, CPROF_EFORMAT, (struct place){0},
                       "an input is incomplete (--strict): nothing was "
                       "written");
    if (rc == 0)
        rc = choose(snapshots, chosen, &request.n_chosen, err);
    if (rc == 0 && collection_has_lost(snapshots))
        rc = error_memory(err, (struct place){0}, "exporting");
    if (rc == 0)
        rc = output_write(arguments, produce, &request, err);
    if (!arguments->quiet)
        say_warnings(snapshots);
    if (rc == 0 && !arguments->quiet &&
        !str_equal(str_from(arguments->to), STR("jsonl")))
        say_left_out(snapshots, request.n_chosen);
    free(chosen);
    return rc;
}

int export_run(const struct arguments *arguments)
{
    struct cprof_snapshots *snapshots = NULL;
    struct cprof_error err = {0};
    const struct export_format *format = find_format(arguments, &err);
    int rc = format ? 0 : err.code;

    if (rc == 0)
        rc = inputs_check(arguments, &err);
    if (rc == 0)
        rc = cprof_snapshots_new(&snapshots, arguments->options, &err);
    /* Half of the inputs would pass for all of them: nothing is written. */
    if (rc == 0 && inputs_read(arguments, snapshots))
        rc = CPROF_EFORMAT;
    else if (rc == 0)
        rc = run(arguments, format, snapshots, &err);
    if (err.code != CPROF_OK)
        error_print(&err);
    cprof_snapshots_free(snapshots);
    return rc == 0 ? EXIT_OK : EXIT_TROUBLE;
}
