/* Snapshots that count the same are added up, and no others. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

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

static const char goroutines[] = "goroutine profile: total 7\n"
                                 "7 @ 0x439ec5\n"
                                 "#\t0x439ec4\tmain.f+0x3b\t/m.go:11\n\n";

static const char threads[] = "threadcreate profile: total 3\n"
                              "3 @ 0x439ec5\n"
                              "#\t0x439ec4\tmain.f+0x3b\t/m.go:11\n\n";

static const struct family *family(size_t index)
{
    assert_true(index < analysis_n_families(analysis));
    return analysis_family(analysis, index);
}

static void equal_stacks_of_instances_add_up(void **state)
{
    const struct snapshot_info *info;

    (void)state;
    assert_int_equal(reading_add(&reading, heap), 0);
    assert_int_equal(reading_add(&reading, heap), 0);
    analyse();
    assert_int_equal(analysis_n_families(analysis), 1);
    info = family(0)->info;
    assert_int_equal(info->n_types, 4);
    assert_true(str_equal(info->types[0].name, STR("alloc_objects")));
    assert_int_equal(family(0)->n_judged, 2);
    assert_int_equal(family(0)->bases[3], 4000);
    assert_int_equal(analysis_n_groups(analysis), 2);
    assert_int_equal(joined_extra(group_of("runtime.allocm"))->values[3], 4000);
    assert_int_equal(group_of("runtime.allocm")->count, 4);
    /* Nothing of it is in use, but it was allocated. */
    assert_int_equal(joined_extra(group_of("main.g"))->values[1], 60);
    assert_int_equal(group_of("main.g")->count, 0);
}

static void each_profile_is_a_family_with_its_own_sums(void **state)
{
    (void)state;
    assert_int_equal(reading_add(&reading, heap), 0);
    assert_int_equal(reading_add(&reading, mutex), 0);
    analyse();
    assert_int_equal(analysis_n_families(analysis), 2);
    assert_int_equal(family(0)->goroutines, 2);
    assert_int_equal(family(1)->goroutines, 5);
    assert_int_equal(analysis_total(analysis), 2);
    assert_int_equal(group_of("main.h")->family, 1);
    assert_int_equal(joined_extra(group_of("main.h"))->values[0], 5);
    assert_int_equal(joined_extra(group_of("main.h"))->values[1], 400);
    assert_true(analysis_share(analysis, group_of("main.h")) == 1.0);
    assert_int_equal(joined_extra(group_of("main.g"))->values[1], 30);
}

static void goroutines_lead_wherever_they_stand(void **state)
{
    (void)state;
    assert_int_equal(reading_add(&reading, mutex), 0);
    assert_int_equal(reading_add(&reading, threads), 0);
    assert_int_equal(reading_add(&reading, goroutines), 0);
    analyse();
    assert_int_equal(analysis_n_families(analysis), 3);
    assert_int_equal(family(0)->info->kind, PROFILE_GOROUTINE);
    assert_int_equal(analysis_family_of(analysis, 0), 1);
    assert_int_equal(analysis_family_of(analysis, 2), 0);
    assert_int_equal(analysis_total(analysis), 7);
    /* Groups of the leading family come first, also where others count
     * more. */
    assert_int_equal(analysis_group(analysis, 0)->family, 0);
    assert_int_equal(analysis_group(analysis, 0)->count, 7);
}

/* A thread and a goroutine may stand in the very same frames. */
static void the_same_stack_is_a_group_in_each_family(void **state)
{
    (void)state;
    assert_int_equal(reading_add(&reading, goroutines), 0);
    assert_int_equal(reading_add(&reading, threads), 0);
    analyse();
    assert_int_equal(analysis_n_groups(analysis), 2);
    assert_int_equal(joined_count(analysis_group(analysis, 0), 0), 7);
    assert_int_equal(joined_count(analysis_group(analysis, 0), 1), 0);
    assert_int_equal(joined_count(analysis_group(analysis, 1), 0), 0);
    assert_int_equal(joined_count(analysis_group(analysis, 1), 1), 3);
}

static void several_profiles_in_one_input_are_all_judged(void **state)
{
    char both[sizeof(goroutines) + sizeof(mutex)];

    (void)state;
    snprintf(both, sizeof(both), "%s%s", goroutines, mutex);
    assert_int_equal(reading_add(&reading, both), 0);
    analyse();
    assert_int_equal(analysis_n_families(analysis), 2);
    assert_true(analysis_is_judged(analysis, 0));
    assert_true(analysis_is_judged(analysis, 1));
    assert_int_equal(analysis_total(analysis), 7);
}

static void a_leak_profile_beside_a_dump_is_its_proof(void **state)
{
    (void)state;
    assert_int_equal(reading_add(&reading,
                                 "goroutineleak profile: total 2\n"
                                 "2 @ 0x439ec5\n"
                                 "#\t0x439ec4\tmain.f+0x3b\t/m.go:11\n\n"),
                     0);
    assert_int_equal(reading_add(&reading, goroutines), 0);
    analyse();
    assert_false(analysis_is_judged(analysis, 0));
    assert_int_equal(analysis_n_families(analysis), 1);
    assert_int_equal(analysis_total(analysis), 7);
    assert_int_equal(joined_extra(group_of("main.f"))->leaked, 2);
}

static void goroutines_have_no_values(void **state)
{
    (void)state;
    assert_int_equal(reading_add(&reading, goroutines), 0);
    analyse();
    assert_int_equal(family(0)->info->n_types, 0);
    assert_null(family(0)->bases);
    assert_null(joined_extra(group_of("main.f"))->values);
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
        cmocka_unit_test_setup_teardown(
            each_profile_is_a_family_with_its_own_sums, set_up, tear_down),
        cmocka_unit_test_setup_teardown(goroutines_lead_wherever_they_stand,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            the_same_stack_is_a_group_in_each_family, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            several_profiles_in_one_input_are_all_judged, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            a_leak_profile_beside_a_dump_is_its_proof, set_up, tear_down),
        cmocka_unit_test_setup_teardown(goroutines_have_no_values, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(measured_profiles_are_no_goroutines,
                                        set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
