/* Which input the dump of one process of many counts for. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include "read/instances.h"

#include <cmocka.h>

enum { BASE = 3 };

static struct instances instances;

static int set_up(void **state)
{
    (void)state;
    instances = (struct instances){.base = BASE};
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    instances_done(&instances);
    return 0;
}

/* A text of ten lines from there on. */
static struct whose whose(const char *instance, const char *process,
                          uint64_t line)
{
    return (struct whose){.instance = str_from(instance),
                          .process = str_from(process),
                          .section = 1,
                          .first_line = line,
                          .last_line = line + 9};
}

/* Reads that text, which counts for that input by that name. */
static void expect(struct whose whose, bool has_ended, uint32_t input,
                   const char *name)
{
    struct str got;

    assert_int_equal(instances_input(&instances, &whose, &got), BASE + input);
    assert_true(str_equal(got, str_from(name)));
    instances_end(&instances, &whose, has_ended);
}

static void each_pod_is_an_input(void **state)
{
    (void)state;
    assert_int_equal(instances_count(&instances), 1);
    expect(whose("api-1", "", 1), false, 0, "api-1");
    expect(whose("api-2", "", 11), false, 1, "api-2");
    expect(whose("api-1", "", 21), false, 0, "api-1");
    assert_int_equal(instances_count(&instances), 2);
}

static void a_process_that_was_started_anew_goes_on(void **state)
{
    (void)state;
    expect(whose("web", "web[17]", 1), true, 0, "web");
    expect(whose("web", "web[23]", 11), true, 0, "web");
    /* Its text began before the end of that one. */
    expect(whose("web", "web[31]", 20), true, 1, "web[31]");
    /* Another text may begin anywhere. */
    expect((struct whose){STR("web"), STR("web[40]"), 2, 1, 5}, true, 1,
           "web[40]");
    /* Another program is not that one. */
    expect(whose("web", "api[50]", 91), true, 2, "api[50]");
    assert_int_equal(instances_count(&instances), 3);
}

static void processes_that_live_at_once_are_told_by_their_names(void **state)
{
    (void)state;
    expect(whose("host", "web[17]", 1), false, 0, "host");
    expect(whose("host", "web[18]", 11), false, 1, "web[18]");
    expect(whose("host", "web[17]", 21), false, 0, "host");
}

static void those_beyond_the_limit_count_for_the_first(void **state)
{
    char name[16];

    (void)state;
    for (uint32_t i = 0; i < INSTANCES_MOST; i++) {
        snprintf(name, sizeof(name), "api-%u", i);
        expect(whose(name, "", i * 10), false, i, name);
    }
    assert_false(instances.has_others);
    expect(whose("late", "", 0), true, 0, "late");
    assert_true(instances.has_others);
    expect(whose("api-4095", "", 0), false, INSTANCES_MOST - 1, "api-4095");
    assert_int_equal(instances_count(&instances), INSTANCES_MOST);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(each_pod_is_an_input),
        TEST(a_process_that_was_started_anew_goes_on),
        TEST(processes_that_live_at_once_are_told_by_their_names),
        TEST(those_beyond_the_limit_count_for_the_first),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
