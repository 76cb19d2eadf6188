/* Baselines: which findings one accepts, and how it is written (baseline.h). */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "rules/baseline.h"
#include "support/judging.h"

#include <cmocka.h>

static const char some_rules[] = "- id: sends\n"
                                 "  title: S\n"
                                 "  match: {state: chan send}\n"
                                 "  when:\n"
                                 "    - {count: '>=100', severity: high}\n"
                                 "    - {count: '>=10', severity: low}\n"
                                 "- id: all-selects\n"
                                 "  title: A\n"
                                 "  group_by: rule\n"
                                 "  match: {state: select}\n"
                                 "  when: [{count: '>=10', severity: medium}]\n"
                                 "- id: receives\n"
                                 "  title: R\n"
                                 "  match: {state: chan receive}\n"
                                 "  when: [{count: '>=10', severity: info}]\n";

struct fixture {
    struct judging judging;
    struct budget budget;
    struct baseline *baseline;
    struct cprof_error err;
    char path[64]; /* of a file; empty = none was written */
    struct buf out;
};

static int set_up(void **state)
{
    struct fixture *fixture = calloc(1, sizeof(*fixture));

    assert_non_null(fixture);
    judging_init(&fixture->judging);
    judging_rules(&fixture->judging, some_rules);
    budget_init(&fixture->budget, 0);
    *state = fixture;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *fixture = *state;

    baseline_free(fixture->baseline);
    assert_int_equal(fixture->budget.used, 0);
    judging_done(&fixture->judging);
    buf_done(&fixture->out);
    if (fixture->path[0])
        unlink(fixture->path);
    free(fixture);
    return 0;
}

/* Puts a text into a file that an option then names. */
static void use_file(struct fixture *fixture, const char *option,
                     const char *text)
{
    FILE *file;
    int fd;

    snprintf(fixture->path, sizeof(fixture->path), "/tmp/baseline.XXXXXX");
    fd = mkstemp(fixture->path);
    assert_true(fd >= 0);
    file = fdopen(fd, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
    reporting_set(&fixture->judging.base, option, fixture->path);
}

/* Judges what was added by the rules, and that by the baseline. */
static void judge(struct fixture *fixture)
{
    judging_judge(&fixture->judging);
    assert_int_equal(baseline_judge(&fixture->baseline,
                                    fixture->judging.base.options,
                                    fixture->judging.findings, &fixture->budget,
                                    &fixture->err),
                     0);
}

/* The findings, "RULE COUNT SAID", in their order; SAID is "-" where the
 * baseline says nothing. */
static const char *said(struct fixture *fixture)
{
    const struct findings *findings = fixture->judging.findings;

    buf_clear(&fixture->out);
    for (size_t i = 0; i < findings_count(findings); i++) {
        const struct finding *finding = findings_get(findings, i);
        const struct acceptance *acceptance = finding->acceptance;

        buf_addf(&fixture->out, STR_FORMAT " %d %s\n",
                 STR_ARG(finding->rule->id), (int)finding->count,
                 acceptance ? acceptance_text(acceptance->kind) : "-");
    }
    return fixture->out.ptr;
}

/* The baseline as a file, without its first lines, which are comments. */
static const char *written(struct fixture *fixture)
{
    const char *begin;

    buf_clear(&fixture->out);
    baseline_add_text(fixture->baseline, &fixture->out);
    assert_false(fixture->out.failed);
    begin = strstr(fixture->out.ptr, "version: 1\n");
    assert_non_null(begin);
    return begin;
}

static void add(struct snapshot *snapshot, const char *state,
                const char *function, uint64_t count)
{
    char frame[128];

    snprintf(frame, sizeof(frame), "%s|/src/x.go:7", function);
    reporting_add(
        snapshot,
        &(struct sample){.count = count, .state = state, .frames = {frame}});
}

#define HEAD "version: 1\naccept:\n"

/* --- Accepting ------------------------------------------------------------ */

static void without_the_option_nothing_is_accepted(void **state)
{
    struct fixture *fixture = *state;

    add(judging_instance(&fixture->judging), "chan send", "main.a", 20);
    judge(fixture);
    assert_null(fixture->baseline);
    assert_string_equal(said(fixture), "sends 20 -\n");
}

static void a_finding_is_accepted_up_to_its_ceiling(void **state)
{
    struct fixture *fixture = *state;
    struct snapshot *snapshot = judging_instance(&fixture->judging);

    add(snapshot, "chan send", "main.over", 121);
    add(snapshot, "chan send", "main.at", 120);
    add(snapshot, "chan send", "main.new", 11);
    use_file(fixture, "baseline",
             HEAD "  - {rule: sends, site: main.over, ceiling: 120}\n"
                  "  - {rule: sends, site: main.at, ceiling: 120}\n");
    judge(fixture);
    assert_string_equal(said(fixture), "sends 121 exceeded\n"
                                       "sends 11 -\n"
                                       "sends 120 holds\n");
}

static void an_entry_is_about_its_rule_and_the_whole_name(void **state)
{
    struct fixture *fixture = *state;

    add(judging_instance(&fixture->judging), "chan send", "main.a", 20);
    use_file(fixture, "baseline",
             HEAD "  - {rule: receives, site: main.a, ceiling: 99}\n"
                  "  - {site: main.a.func1, ceiling: 99}\n"
                  "  - {site: main, ceiling: 99}\n");
    judge(fixture);
    assert_string_equal(said(fixture), "sends 20 -\n");
}

static void the_most_exact_entry_decides(void **state)
{
    struct fixture *fixture = *state;

    add(judging_instance(&fixture->judging), "chan send", "main.a", 20);
    use_file(fixture, "baseline",
             HEAD "  - {site: main.a, ceiling: 99}\n"
                  "  - {rule: sends, site: main.a, ceiling: 5}\n");
    judge(fixture);
    assert_string_equal(said(fixture), "sends 20 exceeded\n");
}

static void a_stack_alone_can_be_accepted(void **state)
{
    struct fixture *fixture = *state;
    char text[256];
    struct signature_text signature;

    add(judging_instance(&fixture->judging), "chan send", "main.a", 20);
    judging_analyse(&fixture->judging);
    signature = signature_text(
        joined_signature(judging_group(&fixture->judging, "main.a"),
                         fixture->judging.base.snapshots->symbols));
    snprintf(text, sizeof(text),
             HEAD "  - {signature: '%.12s', ceiling: 20}\n"
                  "  - {site: main.a, ceiling: 1}\n",
             signature.text);
    use_file(fixture, "baseline", text);
    judge(fixture);
    assert_string_equal(said(fixture), "sends 20 holds\n");
}

static void lines_of_one_function_count_together(void **state)
{
    struct fixture *fixture = *state;
    struct snapshot *snapshot = judging_instance(&fixture->judging);

    reporting_add(snapshot, &(struct sample){.count = 20,
                                             .state = "chan send",
                                             .frames = {"main.a|x.go:1"}});
    reporting_add(snapshot, &(struct sample){.count = 11,
                                             .state = "chan send",
                                             .frames = {"main.a|x.go:2"}});
    use_file(fixture, "baseline", HEAD "  - {site: main.a, ceiling: 30}\n");
    judge(fixture);
    assert_string_equal(said(fixture), "sends 20 exceeded\n"
                                       "sends 11 exceeded\n");
    assert_int_equal(baseline_entry(fixture->baseline, 0)->count, 31);
}

static void instances_are_counted_one_by_one(void **state)
{
    struct fixture *fixture = *state;

    add(judging_instance(&fixture->judging), "chan send", "main.a", 30);
    add(judging_instance(&fixture->judging), "chan send", "main.a", 12);
    use_file(fixture, "baseline", HEAD "  - {site: main.a, ceiling: 30}\n");
    judge(fixture);
    assert_string_equal(said(fixture), "sends 42 holds\n");
}

static void all_places_of_a_finding_must_be_accepted(void **state)
{
    struct fixture *fixture = *state;
    struct snapshot *snapshot = judging_instance(&fixture->judging);

    add(snapshot, "select", "main.a", 20);
    add(snapshot, "select", "main.b", 3);
    use_file(fixture, "baseline", HEAD "  - {site: main.a, ceiling: 30}\n");
    judge(fixture);
    assert_string_equal(said(fixture), "all-selects 23 partly\n");
    assert_int_equal(
        findings_get(fixture->judging.findings, 0)->acceptance->covered, 20);
}

static const char *diagnostics(struct fixture *fixture)
{
    const struct diag *diag = fixture->judging.base.snapshots->diags.first;

    buf_clear(&fixture->out);
    buf_add(&fixture->out, STR(""));
    for (; diag; diag = diag->next)
        buf_addf(&fixture->out, "%s %s %d: " STR_FORMAT "\n",
                 diag_severity_text(diag->severity), diag->code,
                 (int)diag->line, STR_ARG(diag->message));
    return fixture->out.ptr;
}

static void an_entry_holds_through_its_last_day(void **state)
{
    struct fixture *fixture = *state;
    struct snapshot *snapshot = judging_instance(&fixture->judging);

    add(snapshot, "chan send", "main.a", 20);
    add(snapshot, "chan send", "main.b", 30);
    use_file(fixture, "baseline",
             HEAD "  - {site: main.a, ceiling: 30, expires: 2026-11-21}\n"
                  "  - {site: main.b, ceiling: 30, expires: 2026-11-20}\n");
    reporting_set(&fixture->judging.base, "now", "2026-11-21T23:59:59Z");
    judge(fixture);
    assert_string_equal(said(fixture), "sends 30 expired\n"
                                       "sends 20 holds\n");
    assert_string_equal(diagnostics(fixture),
                        "warning baseline-expired 4: this entry accepts "
                        "nothing since its last day, 2026-11-20\n");
}

static void without_a_clock_nothing_expires(void **state)
{
    struct fixture *fixture = *state;

    add(judging_instance(&fixture->judging), "chan send", "main.a", 20);
    use_file(fixture, "baseline",
             HEAD "  - {site: main.a, ceiling: 30, expires: 1999-01-01}\n");
    judge(fixture);
    assert_string_equal(said(fixture), "sends 20 holds\n");
}

static void entries_that_match_nothing_are_said(void **state)
{
    struct fixture *fixture = *state;
    struct snapshot *snapshot = judging_instance(&fixture->judging);

    add(snapshot, "chan send", "main.few", 3);
    use_file(fixture, "baseline",
             HEAD "  - {rule: sends, site: main.few, ceiling: 30}\n"
                  "  - {rule: send, site: main.gone, ceiling: 30}\n"
                  "  - {site: main.away, ceiling: 30}\n");
    judge(fixture);
    assert_string_equal(
        diagnostics(fixture),
        "info baseline-unused 4: no goroutine stands at the place of this "
        "entry, and there is no rule 'send' (did you mean 'sends'?)\n"
        "info baseline-unused 5: no goroutine stands at the place of this "
        "entry\n");
}

static void a_missing_file_is_an_error(void **state)
{
    struct fixture *fixture = *state;

    add(judging_instance(&fixture->judging), "chan send", "main.a", 20);
    reporting_set(&fixture->judging.base, "baseline", "/nowhere/b.yaml");
    judging_judge(&fixture->judging);
    assert_int_equal(baseline_judge(&fixture->baseline,
                                    fixture->judging.base.options,
                                    fixture->judging.findings, &fixture->budget,
                                    &fixture->err),
                     CPROF_EIO);
    assert_string_equal(fixture->err.message,
                        "cannot open: No such file or directory");
    assert_string_equal(fixture->err.source, "/nowhere/b.yaml");
}

/* --- Writing -------------------------------------------------------------- */

static void a_new_baseline_accepts_what_is_low_or_worse(void **state)
{
    struct fixture *fixture = *state;
    struct snapshot *snapshot = judging_instance(&fixture->judging);

    add(snapshot, "chan send", "main.b", 200);
    add(snapshot, "chan send", "main.a", 11);
    add(snapshot, "chan receive", "main.c", 50);
    add(snapshot, "select", "main.d", 15);
    add(snapshot, "select", "main.e", 1);
    reporting_set(&fixture->judging.base, "write-baseline", "/nowhere/b.yaml");
    judge(fixture);
    assert_string_equal(written(fixture), "version: 1\n"
                                          "accept:\n"
                                          "  - rule: all-selects\n"
                                          "    site: main.d\n"
                                          "    ceiling: 25\n"
                                          "  - rule: all-selects\n"
                                          "    site: main.e\n"
                                          "    ceiling: 11\n"
                                          "  - rule: sends\n"
                                          "    site: main.a\n"
                                          "    ceiling: 21\n"
                                          "  - rule: sends\n"
                                          "    site: main.b\n"
                                          "    ceiling: 300\n");
    assert_string_equal(said(fixture), "receives 50 -\n"
                                       "sends 200 holds\n"
                                       "all-selects 16 holds\n"
                                       "sends 11 holds\n");
    assert_string_equal(baseline_name(fixture->baseline), "/nowhere/b.yaml");
}

static void with_fail_on_info_so_are_notes(void **state)
{
    struct fixture *fixture = *state;

    add(judging_instance(&fixture->judging), "chan receive", "main.c", 50);
    reporting_set(&fixture->judging.base, "write-baseline", "/nowhere/b.yaml");
    reporting_set(&fixture->judging.base, "fail-on", "info");
    judge(fixture);
    assert_string_equal(said(fixture), "receives 50 holds\n");
}

static void renewing_keeps_what_people_wrote(void **state)
{
    struct fixture *fixture = *state;
    struct snapshot *snapshot = judging_instance(&fixture->judging);

    add(snapshot, "chan send", "main.same", 20);
    add(snapshot, "chan send", "main.more", 40);
    add(snapshot, "chan send", "main.late", 20);
    add(snapshot, "chan send", "main.few", 2);
    use_file(fixture, "write-baseline",
             HEAD "  - {rule: sends, site: main.same, ceiling: 22, reason: "
                  "'a: b', expires: 2027-01-31}\n"
                  "  - {site: main.more, ceiling: 22, reason: known}\n"
                  "  - {rule: sends, site: main.late, ceiling: 99, expires: "
                  "2020-01-31}\n"
                  "  - {rule: sends, site: main.few, ceiling: 30}\n"
                  "  - {rule: sends, site: main.gone, ceiling: 30}\n");
    reporting_set(&fixture->judging.base, "now", "2026-11-21T23:59:59Z");
    judge(fixture);
    assert_string_equal(written(fixture), "version: 1\n"
                                          "accept:\n"
                                          "  - site: main.more\n"
                                          "    ceiling: 60\n"
                                          "    reason: known\n"
                                          "  - rule: sends\n"
                                          "    site: main.few\n"
                                          "    ceiling: 30\n"
                                          "  - rule: sends\n"
                                          "    site: main.late\n"
                                          "    ceiling: 99\n"
                                          "  - rule: sends\n"
                                          "    site: main.same\n"
                                          "    ceiling: 22\n"
                                          "    reason: \"a: b\"\n"
                                          "    expires: 2027-01-31\n");
    assert_string_equal(said(fixture), "sends 40 holds\n"
                                       "sends 20 holds\n"
                                       "sends 20 holds\n");
}

static void what_is_written_is_read_again(void **state)
{
    static const char *const names[] = {
        "main.run[...].func1",
        "github.com/a/b-c.(*T).M",
        "- dash: #x",
        "'quote\"",
        "main.\xc3\xa9t\xc3\xa9",
        "line\nend",
        "bell\x07",
        "\xff\xfe",
    };
    struct fixture *fixture = *state;
    struct snapshot *snapshot = judging_instance(&fixture->judging);
    char *text;

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        add(snapshot, "chan send", names[i], 20);
    reporting_set(&fixture->judging.base, "write-baseline", "/nowhere/b.yaml");
    judge(fixture);
    text = strdup(written(fixture));
    assert_non_null(text);
    baseline_free(fixture->baseline);
    fixture->baseline = NULL;
    assert_int_equal(baseline_parse(&fixture->baseline, "b.yaml",
                                    str_from(text), &fixture->budget,
                                    &fixture->err),
                     0);
    assert_int_equal(baseline_count(fixture->baseline), 8);
    assert_string_equal(written(fixture), text);
    free(text);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(without_the_option_nothing_is_accepted),
        TEST(a_finding_is_accepted_up_to_its_ceiling),
        TEST(an_entry_is_about_its_rule_and_the_whole_name),
        TEST(the_most_exact_entry_decides),
        TEST(a_stack_alone_can_be_accepted),
        TEST(lines_of_one_function_count_together),
        TEST(instances_are_counted_one_by_one),
        TEST(all_places_of_a_finding_must_be_accepted),
        TEST(an_entry_holds_through_its_last_day),
        TEST(without_a_clock_nothing_expires),
        TEST(entries_that_match_nothing_are_said),
        TEST(a_missing_file_is_an_error),
        TEST(a_new_baseline_accepts_what_is_low_or_worse),
        TEST(with_fail_on_info_so_are_notes),
        TEST(renewing_keeps_what_people_wrote),
        TEST(what_is_written_is_read_again),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
