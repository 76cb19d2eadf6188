/* rules check: says everything that is wrong with rule files. */
#include "base/error.h"
#include "cli/rules_shared.h"
#include "model/options.h"
#include "rules/check.h"
#include "rules/words.h"

static const char *const check_formats[] = {"text", NULL};

/* Looks at the files that were named, behind the built-in rules, or at the
 * built-in ones. A file that cannot be read is said to be so, and the others
 * are looked at all the same. Returns how many there were of that kind. */
static size_t look(struct rules_view *view, struct problems *problems,
                   struct cprof_error *err)
{
    const struct arguments *arguments = view->arguments;
    size_t unreadable = 0;

    if (!arguments->n_inputs)
        rules_check_builtin(view->rules, problems, err);
    else if (!arguments->options->no_builtin_rules)
        rules_load_builtin(view->rules, err);
    for (size_t i = 0; i < arguments->n_inputs && !err->code; i++) {
        struct cprof_error why = {0};

        if (rules_check_path(view->rules, arguments->inputs[i], problems,
                             &why) < 0) {
            error_print(&why);
            unreadable++;
        }
    }
    if (!err->code)
        rules_lint(view->rules, !arguments->n_inputs, problems, err);
    return unreadable;
}

/* "rules.yaml:5:11: error: unknown key ..." and its line with a caret. */
static void put_problem(struct page *page, const struct problem *problem)
{
    const struct cprof_error *what = &problem->what;
    bool is_error = problem->severity == PROBLEM_ERROR;

    page_add(page, TINT_NONE, str_from(what->source));
    if (what->source[0])
        buf_add_char(page->out, ':');
    if (what->line)
        buf_addf(page->out, "%llu:", (unsigned long long)what->line);
    if (what->column)
        buf_addf(page->out, "%llu:", (unsigned long long)what->column);
    if (what->source[0])
        buf_add_char(page->out, ' ');
    page_add(page, is_error ? TINT_HIGH : TINT_MEDIUM,
             is_error ? STR("error:") : STR("warning:"));
    buf_addf(page->out, " %s\n", what->message);
    if (what->detail[0])
        buf_addf(page->out, "%s\n", what->detail);
}

static void add_counted(struct buf *out, size_t n, const char *noun)
{
    words_count(out, n);
    buf_addf(out, " %s%s", noun, n == 1 ? "" : "s");
}

/* How many of the rules were looked at. */
static size_t count_rules(const struct rules_view *view)
{
    size_t n = 0;

    for (size_t i = 0; i < rules_count(view->rules); i++)
        n += !view->arguments->n_inputs ||
             !rules_get(view->rules, i)->is_builtin;
    return n;
}

/* Appends ", 2 errors", if there are any. */
static void add_tally(struct buf *out, bool *is_first, size_t n,
                      const char *what)
{
    if (!n)
        return;
    if (!*is_first)
        buf_add(out, STR(", "));
    add_counted(out, n, what);
    *is_first = false;
}

/* "5 rules can be used; 2 errors, 1 warning", or "5 rules; nothing is wrong".
 * Of what could not be read nothing is known. */
static void put_summary(struct rules_view *view,
                        const struct problems *problems, size_t n_unreadable)
{
    struct buf *out = &view->out;
    size_t lost = problems_lost(problems);
    bool is_first = true;

    if (lost) {
        add_counted(out, lost, "more problem");
        buf_add(out,
                problems->is_starved ? STR("; out of memory\n") : STR("\n"));
    }
    if (problems->count)
        buf_add_char(out, '\n');
    add_counted(out, count_rules(view), "rule");
    buf_add(out, problems->n_errors ? STR(" can be used; ") : STR("; "));
    add_tally(out, &is_first, problems->n_errors, "error");
    add_tally(out, &is_first, problems->n_warnings, "warning");
    add_tally(out, &is_first, n_unreadable, "unreadable path");
    if (is_first)
        buf_add(out, STR("nothing is wrong"));
    buf_add_char(out, '\n');
}

static int status_of(const struct arguments *arguments,
                     const struct problems *problems)
{
    if (problems->n_errors ||
        (arguments->options->strict && problems->n_warnings))
        return EXIT_FINDING;
    return EXIT_OK;
}

int rules_check_run(const struct arguments *arguments)
{
    struct rules_view view;
    struct problems problems = {0};
    struct cprof_error err = {0};
    size_t unreadable = 0;
    int status = EXIT_TROUBLE;

    if (rules_view_init(&view, arguments, check_formats, &err) == 0)
        unreadable = look(&view, &problems, &err);
    if (!err.code) {
        status = status_of(arguments, &problems);
        for (size_t i = 0; i < problems.count; i++)
            put_problem(&view.page, &problems.items[i]);
        put_summary(&view, &problems, unreadable);
        if (!arguments->quiet)
            rules_view_write(&view, &err);
    }
    problems_done(&problems);
    return rules_view_end(&view, unreadable ? EXIT_TROUBLE : status, &err);
}
