#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include "support/reporting.h"

#include <cmocka.h>

static struct reporting reporting;

static int set_up(void **state)
{
    (void)state;
    reporting_init(&reporting, reporting_rules);
    reporting_set(&reporting, "tree", NULL);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    reporting_done(&reporting);
    return 0;
}

/* Goroutines of one stack that some line started. */
static void add(struct snapshot *snapshot, uint64_t count, const char *leaf,
                const char *entry, const char *creator)
{
    reporting_add(snapshot, &(struct sample){.count = count,
                                             .state = "chan receive",
                                             .frames = {leaf, entry},
                                             .created_by = creator});
}

static void what_a_goroutine_started_stands_below_it(void **state)
{
    struct snapshot *snapshot = reporting_snapshot(&reporting, "x", "debug2");

    (void)state;
    add(snapshot, 1, "main.run|/main.go:9", "main.main|/main.go:3", NULL);
    add(snapshot, 5, "main.read|/a.go:1", "main.serve|/a.go:2",
        "main.run|/main.go:11");
    add(snapshot, 70, "main.wait|/a.go:3", "main.job|/a.go:4",
        "main.read|/a.go:5");
    add(snapshot, 8, "main.tick|/a.go:6", "main.loop|/a.go:7",
        "main.main|/main.go:12");
    text_has(reporting_write(&reporting, "text"),
             "\nWho started whom\n"
             "  TOTAL  OWN  STATE         BEGAN IN <- STARTED AT\n"
             "     84    1  chan receive  main.main\n"
             "     75    5  chan receive  ├─ main.serve <- main.go:11\n"
             "     70   70  chan receive  │  └─ main.job <- a.go:5\n"
             "      8    8  chan receive  └─ main.loop <- main.go:12\n");
}

static void what_starts_itself_hangs_below_nothing(void **state)
{
    struct snapshot *snapshot = reporting_snapshot(&reporting, "x", "debug2");
    const char *text;

    (void)state;
    add(snapshot, 30, "main.walk|/a.go:1", "main.walk|/a.go:1",
        "main.walk|/a.go:2");
    add(snapshot, 4, "main.ping|/a.go:3", "main.ping|/a.go:3",
        "main.pong|/a.go:4");
    add(snapshot, 3, "main.pong|/a.go:5", "main.pong|/a.go:5",
        "main.ping|/a.go:6");
    text = reporting_write(&reporting, "text");
    text_has(text,
             "     30   30  chan receive  main.walk <- main.walk a.go:2\n");
    text_has(text, "      7    3  chan receive  main.pong <- main.ping a.go:6\n"
                   "      4    4  chan receive  └─ main.ping <- a.go:4\n");
}

static void who_started_it_may_be_gone(void **state)
{
    struct snapshot *snapshot = reporting_snapshot(&reporting, "x", "debug2");

    (void)state;
    add(snapshot, 30, "main.f|/a.go:1", "main.f|/a.go:1", "main.gone|/a.go:2");
    text_has(reporting_write(&reporting, "text"),
             "     30   30  chan receive  main.f <- main.gone a.go:2\n");
}

static void one_function_started_at_two_lines_is_two_rows(void **state)
{
    struct snapshot *snapshot = reporting_snapshot(&reporting, "x", "debug2");

    (void)state;
    add(snapshot, 1, "main.main|/main.go:9", "main.main|/main.go:9", NULL);
    add(snapshot, 30, "main.f|/a.go:1", "main.f|/a.go:1", "main.main|/a.go:2");
    add(snapshot, 20, "main.f|/a.go:1", "main.f|/a.go:1", "main.main|/a.go:3");
    text_has(reporting_write(&reporting, "text"),
             "     51    1  chan receive  main.main\n"
             "     30   30  chan receive  ├─ main.f <- a.go:2\n"
             "     20   20  chan receive  └─ main.f <- a.go:3\n");
}

static void a_deep_chain_ends_at_some_depth(void **state)
{
    struct snapshot *snapshot = reporting_snapshot(&reporting, "x", "debug2");
    char names[3][32];

    (void)state;
    add(snapshot, 1, "main.f0|/a.go:1", "main.f0|/a.go:1", NULL);
    for (int i = 1; i < 3000; i++) {
        snprintf(names[0], sizeof(names[0]), "main.f%d|/a.go:1", i);
        snprintf(names[1], sizeof(names[1]), "main.f%d|/a.go:2", i - 1);
        add(snapshot, 1, names[0], names[0], names[1]);
    }
    reporting_set(&reporting, "all", NULL);
    text_has(reporting_write(&reporting, "text"), "main.f2999 <- ");
}

static void dumps_without_creators_say_so(void **state)
{
    (void)state;
    reporting_add_receivers(reporting_snapshot(&reporting, "x", "debug1"), 30);
    text_has(reporting_write(&reporting, "text"),
             "\nWho started whom\n  These dumps do not say who started a "
             "goroutine; those of debug=2 do.\n");
}

static void filters_may_leave_nothing(void **state)
{
    (void)state;
    reporting_add_receivers(reporting_snapshot(&reporting, "x", "debug2"), 30);
    reporting_set(&reporting, "focus", "nothing_like_it");
    text_has(reporting_write(&reporting, "text"), "\nWho started whom\n");
}

int main(void)
{
#define CASE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        CASE(what_a_goroutine_started_stands_below_it),
        CASE(what_starts_itself_hangs_below_nothing),
        CASE(who_started_it_may_be_gone),
        CASE(one_function_started_at_two_lines_is_two_rows),
        CASE(a_deep_chain_ends_at_some_depth),
        CASE(dumps_without_creators_say_so),
        CASE(filters_may_leave_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
