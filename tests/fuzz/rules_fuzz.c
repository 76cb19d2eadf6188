/* rules_fuzz.c - any text as a rule file.
 *
 * It is either refused, with a place inside the text and a line with a caret,
 * and nothing is added; or it adds rules that have an id, a title and an
 * explanation, and can be linked. Looking at it finds a mistake exactly when it
 * is refused, each with a place inside the text, and the dump of every test in
 * it can be made. In all cases all memory comes back, and a right file can be
 * loaded afterwards. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "rules/check.h"
#include "rules/rule_test.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool holds, const char *what)
{
    if (holds)
        return;
    fprintf(stderr, "rules_fuzz: not so: %s\n", what);
    abort();
}

/* Whether a line and column stand in the text, or one byte behind a line. */
static bool is_inside(struct str text, uint64_t line, uint64_t column)
{
    uint64_t at = 1;

    str_cut_prefix(&text, STR("\xef\xbb\xbf"));
    while (at < line) {
        size_t end = str_find(text, '\n');

        if (end == text.len)
            return false;
        text = str_skip(text, end + 1);
        at++;
    }
    return line >= 1 && column >= 1 && column <= str_find(text, '\n') + 1;
}

static void check_refused(const struct rules *rules, struct str text, int code,
                          const struct cprof_error *err)
{
    must(code == CPROF_ERULE && err->code == code,
         "a wrong file is a rule error");
    must(rules_count(rules) == 0, "a wrong file adds no rule");
    must(err->message[0] != '\0', "an error has a message");
    if (text.len > 1 << 20)
        return;
    must(is_inside(text, err->line, err->column), "an error has a place");
    must(strchr(err->detail, '^') || strlen(err->detail) > 200,
         "an error shows its place");
}

static void check_loaded(const struct rules *rules)
{
    for (size_t i = 0; i < rules_count(rules); i++) {
        const struct rule_info *info = rules_info(rules, i);

        must(info->id.len && info->title.len && info->explain.len,
             "a rule has an id, a title and an explanation");
        must(info->line >= 1, "a rule knows its line");
    }
}

/* A rule that is spoken of and not there is named, and may be missing. */
static void check_linked(struct rules *rules)
{
    struct cprof_error err = {0};
    int code = rules_link(rules, false, &err);

    must(!code || (code == CPROF_ERULE && err.message[0] && err.line >= 1),
         "a rule that is missing is named, with a place");
    must(rules_link(rules, true, &err) == 0, "a rule may be missing");
}

/* Makes the dumps of all tests that need no file. */
static void make_dumps(const struct rules *rules)
{
    for (size_t i = 0; i < rules_count(rules); i++) {
        const struct rule *rule = rules_get(rules, i);

        for (const struct rule_test *test = rule->tests; test;
             test = test->next) {
            struct cprof_error err = {0};
            struct buf dump = {0};

            if (!test->file.len && test->total < 1000)
                must(rule_test_dump(rule, test, &dump, &err) == 0,
                     "a test's dump can be made");
            buf_done(&dump);
        }
    }
}

/* Looks at the text as `rules check` does. */
static void check_looked_at(struct str text, bool is_refused)
{
    struct problems problems = {0};
    struct cprof_error err = {0};
    struct budget budget;
    struct rules *rules = NULL;

    budget_init(&budget, 0);
    must(rules_new(&rules, &budget, &err) == 0, "rules can be made");
    rules_keep_details(rules);
    must(rules_check_text(rules, "fuzz.yaml", text, &problems, &err) == 0,
         "any text can be looked at");
    must(!is_refused || problems.n_errors, "what is refused has a mistake");
    for (size_t i = 0; i < problems.count && text.len <= 1 << 20; i++)
        must(is_inside(text, problems.items[i].what.line,
                       problems.items[i].what.column),
             "a problem has a place");
    must(rules_lint(rules, true, &problems, &err) == 0, "rules can be linted");
    make_dumps(rules);
    problems_done(&problems);
    rules_free(rules);
    must(budget.used == 0, "all memory comes back from looking");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char right[] = "{version: 1, rules: [{id: zzz-right, title: "
                                "T, when: [{severity: low}]}]}";
    struct str text = {(const char *)data, size};
    struct cprof_error err = {0};
    struct budget budget;
    struct rules *rules = NULL;
    int code;

    budget_init(&budget, 0);
    must(rules_new(&rules, &budget, &err) == 0, "rules can be made");
    code = rules_load_text(rules, "fuzz.yaml", text, &err);
    if (!code) {
        check_loaded(rules);
        check_linked(rules);
    } else {
        check_refused(rules, text, code, &err);
        must(rules_load_text(rules, "right.yaml", str_from(right), &err) == 0,
             "a right file can follow a wrong one");
    }
    rules_free(rules);
    must(budget.used == 0, "all memory comes back");
    check_looked_at(text, code != 0);
    return 0;
}
