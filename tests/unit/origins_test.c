/* origins.h: who started those that wait to hand over what they made. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "support/made_dump.h"

#include <cmocka.h>

static void add_senders(const char *created_by)
{
    for (unsigned i = 1; i < 4; i++)
        MADE_GOROUTINE(i, "chan send", "main.fetch.func1() 17", created_by);
}

static void who_started_them_has_returned(void **state)
{
    (void)state;
    add_senders("created by main.fetch 15");
    MADE_GOROUTINE(9, "IO wait", "main.main() 40");
    assert_string_equal(made_held_at("main.fetch.func1"),
                        "they were started by main.fetch, which has returned: "
                        "no goroutine is in it");
}

static void who_started_them_waits_elsewhere(void **state)
{
    (void)state;
    add_senders("created by main.fetch 15");
    MADE_GOROUTINE(9, "select", "main.save() 50", "main.fetch() 23",
                   "main.serve() 9");
    assert_string_equal(made_held_at("main.fetch.func1"),
                        "they were started by main.fetch, and 1 goroutine is "
                        "in it: 1 in main.fetch (m.go:23), select at main.save "
                        "(m.go:50)");
}

/* Where no line tells it, as in debug=1, the closure does. */
static void a_closure_tells_who_started_it(void **state)
{
    (void)state;
    add_senders(NULL);
    MADE_GOROUTINE(9, "IO wait", "main.main() 40");
    assert_string_equal(made_held_at("main.fetch.func1"),
                        "they were started by main.fetch, which has returned: "
                        "no goroutine is in it");
}

/* What only starts others always returns at once. */
static void libraries_that_start_are_not_asked(void **state)
{
    static const char *const starters[] = {
        "created by golang.org/x/sync/errgroup.(*Group).Go 72",
        "created by os/exec.(*Cmd).watchCtx 600", "created by main.main 12"};

    (void)state;
    for (unsigned i = 0; i < 3; i++) {
        made_anew();
        add_senders(starters[i]);
        MADE_GOROUTINE(9, "IO wait", "main.main() 40");
        assert_string_equal(made_held_at("main.fetch.func1"),
                            "no goroutine in the dump is behind the send: if "
                            "the channel limits work, its places are lost; if "
                            "it is a queue, whoever takes from it is busy or "
                            "gone");
    }
}

#define TEST(name)                                                             \
 cmocka_unit_test_setup_teardown(name, made_set_up, made_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(who_started_them_has_returned),
        TEST(who_started_them_waits_elsewhere),
        TEST(a_closure_tells_who_started_it),
        TEST(libraries_that_start_are_not_asked),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
