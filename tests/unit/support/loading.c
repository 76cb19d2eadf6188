#include "support/loading.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

void loading_init(struct loading *loading)
{
    *loading = (struct loading){0};
    budget_init(&loading->budget, 0);
    assert_int_equal(
        rules_new(&loading->rules, &loading->budget, &loading->err), 0);
    rules_keep_details(loading->rules);
}

void loading_done(struct loading *loading)
{
    rules_free(loading->rules);
    problems_done(&loading->problems);
    buf_done(&loading->out);
    assert_int_equal(loading->budget.used, 0);
}

/* Writes the problems, and forgets them. */
static const char *write_problems(struct loading *loading)
{
    struct buf *out = &loading->out;

    buf_clear(out);
    for (size_t i = 0; i < loading->problems.count; i++) {
        const struct problem *problem = &loading->problems.items[i];

        if (strstr(problem->what.message, "stable rule needs"))
            continue;
        buf_addf(out, "%s%llu:%llu %s\n",
                 problem->severity == PROBLEM_WARNING ? "warning " : "",
                 (unsigned long long)problem->what.line,
                 (unsigned long long)problem->what.column,
                 problem->what.message);
    }
    problems_done(&loading->problems);
    return out->ptr ? out->ptr : "";
}

const char *loading_check(struct loading *loading, const char *text)
{
    assert_int_equal(rules_check_text(loading->rules, "r.yaml", str_from(text),
                                      &loading->problems, &loading->err),
                     0);
    return write_problems(loading);
}

const char *loading_lint(struct loading *loading)
{
    assert_int_equal(
        rules_lint(loading->rules, false, &loading->problems, &loading->err),
        0);
    return write_problems(loading);
}

const struct rule *loading_rule(const struct loading *loading, const char *id)
{
    const struct rule *rule = rules_find(loading->rules, str_from(id));

    if (!rule)
        fail_msg("no rule %s", id);
    return rule;
}
