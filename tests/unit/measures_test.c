/* Values of groups, joined over inputs. */
#include <setjmp.h>
#include <stdarg.h>

#include "analysis/analysis.h"
#include "support/reading.h"

#include <cmocka.h>

static struct reading reading;
static struct analysis *analysis;

static int set_up(void **state)
{
    (void)state;
    reading_init(&reading);
    analysis = NULL;
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    analysis_free(analysis);
    reading_done(&reading);
    return 0;
}

static const char heap[] = "heap profile: 2: 2000 [4: 4000] @ heap/2\n"
                           "2: 2000 [4: 4000] @ 0x1\n"
                           "#\t0x1\truntime.allocm+0x50\t/proc.go:11\n"
                           "#\t0x2\tmain.f+0x50\t/m.go:11\n"
                           "\n"
                           "0: 0 [3: 30] @ 0x2\n"
                           "#\t0x2\tmain.g+0x50\t/m.go:22\n";

static const char mutex[] = "--- mutex:\n"
                            "cycles/second=1000000000\n"
                            "sampling period=1\n"
                            "400 5 @ 0x3\n"
                            "#\t0x3\tmain.h+0x50\t/m.go:33\n";

static void analyse(void)
{
    assert_int_equal(analysis_new(&analysis, reading.snapshots, NULL), 0);
}

static const struct joined_group *group_of(const char *leaf)
{
    for (size_t i = 0; i < analysis_n_groups(analysis); i++) {
        const struct joined_group *group = analysis_group(analysis, i);
        const struct symbols *symbols = reading.snapshots->symbols;
        struct stack stack = symbols_stack(symbols, group->stack);

        if (str_equal(symbols_function(symbols, stack.frames[0]),
                      str_from(leaf)))
            return group;
    }
    fail_msg("no group with the leaf %s", leaf);
    return NULL;
}

static void equal_stacks_of_instances_add_up(void **state)
{
    const struct value_type *types;
    size_t n;

    (void)state;
    assert_int_equal(reading_add(&reading, heap), 0);
    assert_int_equal(reading_add(&reading, heap), 0);
    analyse();
    types = analysis_types(analysis, &n);
    assert_int_equal(n, 4);
    assert_true(str_equal(types[0].name, STR("alloc_objects")));
    assert_int_equal(analysis_n_groups(analysis), 2);
    assert_int_equal(group_of("runtime.allocm")->values[3], 4000);
    assert_int_equal(group_of("runtime.allocm")->count, 4);
    /* Nothing of it is in use, but it was allocated. */
    assert_int_equal(group_of("main.g")->values[1], 60);
    assert_int_equal(group_of("main.g")->count, 0);
}

static void each_profile_brings_its_types(void **state)
{
    size_t n;

    (void)state;
    assert_int_equal(reading_add(&reading, heap), 0);
    assert_int_equal(reading_add(&reading, mutex), 0);
    analyse();
    analysis_types(analysis, &n);
    assert_int_equal(n, 6);
    assert_int_equal(group_of("main.h")->values[0], 0);
    assert_int_equal(group_of("main.h")->values[4], 5);
    assert_int_equal(group_of("main.h")->values[5], 400);
    assert_int_equal(group_of("main.g")->values[5], 0);
}

static void goroutines_have_no_values(void **state)
{
    size_t n;

    (void)state;
    assert_int_equal(reading_add(&reading, "goroutine profile: total 1\n"
                                           "1 @ 0x439ec5\n"
                                           "#\t0x439ec4\tmain.g+0x3b\t/m.go:2"
                                           "\n"),
                     0);
    analyse();
    analysis_types(analysis, &n);
    assert_int_equal(n, 0);
    assert_null(group_of("main.g")->values);
    assert_true(analysis_has_goroutines(analysis));
}

static void measured_profiles_are_no_goroutines(void **state)
{
    (void)state;
    assert_int_equal(reading_add(&reading, mutex), 0);
    analyse();
    assert_false(analysis_has_goroutines(analysis));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(equal_stacks_of_instances_add_up,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(each_profile_brings_its_types, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(goroutines_have_no_values, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(measured_profiles_are_no_goroutines,
                                        set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
