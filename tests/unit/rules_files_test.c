#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/buf.h"
#include "rules/match.h"
#include "rules/prose.h"

#include <cmocka.h>

static struct budget budget;
static struct rules *rules;
static struct cprof_error err;

static int set_up(void **state)
{
    (void)state;
    budget_init(&budget, 0);
    err = (struct cprof_error){0};
    return rules_new(&rules, &budget, &err);
}

static int tear_down(void **state)
{
    (void)state;
    rules_free(rules);
    assert_int_equal(budget.used, 0);
    return 0;
}

static int load(const char *text)
{
    return rules_load_text(rules, "r.yaml", str_from(text), &err);
}

/* A rule that is right. */
#define HEAD "version: 1\nrules:\n- id: a\n  title: T\n"
#define WHEN "  when: [{severity: low}]\n"

static void a_wrong_file_adds_no_rule_and_can_be_mended(void **state)
{
    (void)state;
    assert_int_equal(load(HEAD WHEN "- id: b\n  title: U\n"), CPROF_ERULE);
    assert_int_equal(rules_count(rules), 0);
    assert_int_equal(load(HEAD WHEN "- id: b\n  title: U\n" WHEN), 0);
    assert_int_equal(rules_count(rules), 2);
}

static void the_same_id_in_two_files_names_both(void **state)
{
    (void)state;
    assert_int_equal(load(HEAD WHEN), 0);
    assert_int_equal(rules_load_text(rules, "own.yaml", STR(HEAD WHEN), &err),
                     CPROF_ERULE);
    assert_string_equal(err.source, "own.yaml");
    assert_string_equal(err.message, "rule id 'a' is already used by r.yaml:3; "
                                     "'override' changes a rule");
}

static void a_rule_keeps_what_it_says(void **state)
{
    const struct rule_info *info;

    (void)state;
    assert_int_equal(load("version: 1\n"
                          "rules:\n"
                          "# a comment\n"
                          "- id: full-rule-2\n"
                          "  title: 'A ''full'' rule'\n"
                          "  class: bad\n"
                          "  status: experimental\n"
                          "  match:\n"
                          "    state: [chan send, select (no cases)]\n"
                          "    leaf: [a, b]\n"
                          "    all: a\n"
                          "    not: {leaked: true}\n"
                          "  group_by: rule\n"
                          "  when:\n"
                          "  - {severity: high, count: '>= 1000', share: "
                          "'>=12.5%', age: '>=1h30m'}\n"
                          "  confidence: high\n"
                          "  explain: |\n"
                          "    Two\n"
                          "    lines.\n"
                          "  cause: >-\n"
                          "    Folded\n"
                          "    text.\n"
                          "  decide: One way.\n"
                          "  advice: [First., Second.]\n"
                          "  false_positives: [None.]\n"
                          "  references: https://go.dev/\n"),
                     0);
    info = rules_info(rules, 0);
    assert_string_equal(info->id.ptr, "full-rule-2");
    assert_string_equal(info->title.ptr, "A 'full' rule");
    assert_int_equal(info->class, CLASS_BAD);
    assert_string_equal(info->explain.ptr, "Two\nlines.");
    assert_string_equal(info->cause.ptr, "Folded text.");
    assert_int_equal(info->decide.count, 1);
    assert_int_equal(info->advice.count, 2);
    assert_string_equal(info->advice.items[1].ptr, "Second.");
    assert_string_equal(info->false_positives.items[0].ptr, "None.");
    assert_string_equal(info->references.items[0].ptr, "https://go.dev/");
    assert_true(str_equal(info->file, STR("r.yaml")));
    assert_int_equal(info->line, 4);
}

static void a_rule_need_not_say_more_than_three_things(void **state)
{
    (void)state;
    assert_int_equal(
        load("{version: 1, rules: [{id: a, title: T, when: [{severity: "
             "low}]}]}"),
        0);
    assert_int_equal(rules_info(rules, 0)->class, CLASS_SUSPECT);
    assert_int_equal(rules_info(rules, 0)->advice.count, 0);
}

/* Writes a file into a folder. */
static void write_file(const char *folder, const char *name, const char *text)
{
    char path[128];
    FILE *file;

    snprintf(path, sizeof(path), "%s/%s", folder, name);
    file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static void remove_file(const char *folder, const char *name)
{
    char path[128];

    snprintf(path, sizeof(path), "%s/%s", folder, name);
    assert_int_equal(unlink(path), 0);
}

#define RULE(id)                                                               \
 "{version: 1, rules: [{id: " id ", title: T, when: "                          \
 "[{severity: low}]}]}"

static void a_folder_is_read_in_order_of_name(void **state)
{
    char folder[] = "/tmp/rules_load.XXXXXX";

    (void)state;
    assert_non_null(mkdtemp(folder));
    write_file(folder, "b.yml", RULE("second"));
    write_file(folder, "a.yaml", RULE("first"));
    write_file(folder, ".hidden.yaml", "wrong");
    write_file(folder, "notes.txt", "wrong");
    assert_int_equal(rules_load_path(rules, folder, &err), 0);
    assert_int_equal(rules_count(rules), 2);
    assert_string_equal(rules_info(rules, 0)->id.ptr, "first");
    assert_string_equal(rules_info(rules, 1)->id.ptr, "second");

    write_file(folder, "c.yaml", "wrong");
    write_file(folder, "b.yml", RULE("third"));
    write_file(folder, "a.yaml", RULE("fourth"));
    assert_int_equal(rules_load_path(rules, folder, &err), CPROF_ERULE);
    assert_non_null(strstr(err.source, "/c.yaml"));
    assert_int_equal(rules_count(rules), 2);
    remove_file(folder, "a.yaml");
    remove_file(folder, "b.yml");
    remove_file(folder, "c.yaml");
    remove_file(folder, ".hidden.yaml");
    assert_int_equal(rules_load_path(rules, folder, &err), CPROF_ERULE);
    assert_string_equal(err.message,
                        "no *.yaml or *.yml file in this directory");
    remove_file(folder, "notes.txt");
    assert_int_equal(rmdir(folder), 0);
    assert_int_equal(rules_load_path(rules, folder, &err), CPROF_EIO);
    assert_string_equal(err.message,
                        "cannot open rules: No such file or directory");
    assert_string_equal(err.source, folder);
}

static void a_file_is_read_whatever_its_name(void **state)
{
    char folder[] = "/tmp/rules_load.XXXXXX";
    char path[64];

    (void)state;
    assert_non_null(mkdtemp(folder));
    write_file(folder, "mine", RULE("mine"));
    snprintf(path, sizeof(path), "%s/mine", folder);
    assert_int_equal(rules_load_path(rules, path, &err), 0);
    assert_string_equal(rules_info(rules, 0)->id.ptr, "mine");
    assert_int_equal(truncate(path, (1 << 20) + 100), 0);
    assert_int_equal(rules_load_path(rules, path, &err), CPROF_ERULE);
    assert_string_equal(err.message,
                        "a file of more than 1048576 bytes is not read");
    remove_file(folder, "mine");
    assert_int_equal(rmdir(folder), 0);
}

static void the_built_in_rules_are_right(void **state)
{
    (void)state;
    if (rules_load_builtin(rules, &err) < 0)
        fail_msg("%s:%llu:%llu: %s\n%s", err.source,
                 (unsigned long long)err.line, (unsigned long long)err.column,
                 err.message, err.detail);
    assert_true(rules_count(rules) >= 25);
    assert_true(str_starts(rules_info(rules, 0)->file, STR("rules/")));
}

static void add_pattern(void *user, struct pattern *pattern,
                        const struct origin *origin)
{
    (void)origin;
    buf_addf(user, " %s", pattern_expression(pattern).ptr);
}

static void add_texts(struct buf *out, const struct rule_texts *texts)
{
    buf_addf(out, "\n%zu", texts->count);
    for (size_t i = 0; i < texts->count; i++)
        buf_addf(out, "\n%s", texts->items[i].ptr);
}

/* What judging knows of a rule and what it says, as text. */
static void describe(struct buf *out, const struct rule *rule)
{
    buf_clear(out);
    buf_addf(out, "%s:%llu %s %d %d %d %s\n", rule->info.file.ptr,
             (unsigned long long)rule->info.line, rule->info.id.ptr,
             rule->info.class, rule->confidence, rule->group_by.by,
             rule->info.explain.ptr);
    buf_addf(out, "%llx", (unsigned long long)rule->match.states);
    rule_each_pattern(rule, add_pattern, out);
    for (size_t i = 0; i < rule->when.count; i++) {
        const struct tier *tier = &rule->when.items[i];

        buf_addf(out, "\n%d", tier->severity);
        for (unsigned key = 0; key < N_BOUNDS; key++)
            buf_addf(out, " %s%g", bound_op_text(tier->bounds[key].op),
                     tier->bounds[key].value);
    }
    add_texts(out, &rule->info.advice);
    add_texts(out, &rule->info.decide);
    add_texts(out, &rule->info.false_positives);
    add_texts(out, &rule->info.references);
    buf_add(out, rule->info.cause);
}

static void without_tests_the_built_in_rules_are_the_same(void **state)
{
    struct rules *full = NULL;
    struct buf one = {0};
    struct buf other = {0};

    (void)state;
    assert_int_equal(rules_new(&full, &budget, &err), 0);
    rules_keep_details(full);
    assert_int_equal(rules_load_builtin(full, &err), 0);
    assert_int_equal(rules_load_builtin(rules, &err), 0);

    assert_true(prose_read_all(rules));
    assert_int_equal(rules_count(rules), rules_count(full));
    for (size_t i = 0; i < rules_count(rules); i++) {
        describe(&one, rules_get(rules, i));
        describe(&other, rules_get(full, i));
        assert_string_equal(one.ptr, other.ptr);
        assert_null(rules_get(rules, i)->tests);
    }
    rules_free(full);
    buf_done(&one);
    buf_done(&other);
}

static void a_built_in_rule_is_appended_to_with_all_that_it_says(void **state)
{
    const struct rule *rule;
    size_t n;

    (void)state;
    assert_int_equal(rules_load_builtin(rules, &err), 0);
    rule = rules_find(rules, STR("chan-send-blocked"));
    assert_non_null(rule);
    assert_true(prose_read(rules, rule));
    n = rule->info.advice.count;
    assert_true(n > 0);
    rules_free(rules);
    assert_int_equal(rules_new(&rules, &budget, &err), 0);
    assert_int_equal(rules_load_builtin(rules, &err), 0);
    assert_int_equal(load("version: 1\nrules:\n- id: chan-send-blocked\n"
                          "  override: {advice: append}\n  advice: mine\n"),
                     0);
    rule = rules_find(rules, STR("chan-send-blocked"));
    assert_int_equal(rule->info.advice.count, n + 1);
    assert_string_equal(rule->info.advice.items[n].ptr, "mine");
    assert_true(rule->info.cause.len > 0);
}

static void equal_patterns_are_one(void **state)
{
    const struct rule *a;
    const struct rule *b;

    (void)state;
    assert_int_equal(
        load("version: 1\nrules:\n- {id: a, title: T, match: {leaf: x, any: "
             "y}, when: [{severity: low}]}\n- {id: b, title: T, match: {site: "
             "x}, when: [{severity: low}]}\n"),
        0);
    a = rules_find(rules, STR("a"));
    b = rules_find(rules, STR("b"));
    assert_ptr_equal(a->match.leaf.items[0], b->match.site.items[0]);
    assert_ptr_not_equal(a->match.leaf.items[0], a->match.any.items[0]);
}

static void a_folder_that_may_be_missing_adds_nothing_then(void **state)
{
    char folder[] = "/tmp/rules_load.XXXXXX";

    (void)state;
    assert_int_equal(rules_load_folder(rules, "/nowhere/rules", &err), 0);
    assert_non_null(mkdtemp(folder));
    assert_int_equal(rules_load_folder(rules, folder, &err), 0);
    assert_int_equal(rules_load_path(rules, folder, &err), CPROF_ERULE);
    assert_int_equal(rmdir(folder), 0);
    assert_int_equal(rules_count(rules), 0);
}

static void memory_that_runs_out_is_an_error_and_leaks_nothing(void **state)
{
    size_t limit = 1;
    int code;

    (void)state;
    do {
        budget.limit = limit;
        code = load("macros: {m: q, n: '${m}x'}\n" HEAD WHEN
                    "  match: {leaf: [a, '${n}'], labels: {k: v}}\n"
                    "  advice: [x, y]\n  exceptions: [{name: e, any: z}]\n"
                    "  with: {any_of: b}\n"
                    "- {id: b, title: T, when: [{severity: low}]}\n"
                    "- {id: a, override: {advice: append}, advice: [w]}\n"
                    "disable: [b]\n");
        if (code) {
            assert_int_equal(code, CPROF_ENOMEM);
            assert_int_equal(rules_count(rules), 0);
        }
        limit += 500;
    } while (code);
    assert_true(limit > 5000);
    assert_int_equal(rules_count(rules), 2);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_wrong_file_adds_no_rule_and_can_be_mended),
        TEST(the_same_id_in_two_files_names_both),
        TEST(a_rule_keeps_what_it_says),
        TEST(a_rule_need_not_say_more_than_three_things),
        TEST(a_folder_is_read_in_order_of_name),
        TEST(a_file_is_read_whatever_its_name),
        TEST(the_built_in_rules_are_right),
        TEST(without_tests_the_built_in_rules_are_the_same),
        TEST(a_built_in_rule_is_appended_to_with_all_that_it_says),
        TEST(equal_patterns_are_one),
        TEST(a_folder_that_may_be_missing_adds_nothing_then),
        TEST(memory_that_runs_out_is_an_error_and_leaks_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
