/* What the runtime has proven leaked, brought from one dump to another. */
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

static void add(const char *text)
{
    assert_int_equal(reading_add(&reading, text), 0);
}

static void add_proof(const char *text)
{
    add(text);
    snapshot_info(reading_snapshot(
                      &reading, cprof_snapshots_count(reading.snapshots) - 1))
        ->is_proof = true;
}

/* How many goroutines of all judged dumps are proven leaked. */
static uint64_t proven(void)
{
    uint64_t n = 0;

    assert_int_equal(analysis_new(&analysis, reading.snapshots, NULL), 0);
    for (size_t i = 0; i < analysis_n_groups(analysis); i++)
        n += joined_extra(analysis_group(analysis, i))->leaked;
    return n;
}

/* The same of one dump. */
static uint64_t proven_in(size_t index)
{
    const struct snapshot *snapshot = reading_snapshot(&reading, index);
    uint64_t n = 0;

    for (size_t i = 0; i < snapshot_n_groups(snapshot); i++)
        n += snapshot_group(snapshot, i)->leaked;
    return n;
}

static const char dump[] = "goroutine 5 [chan receive, 3 minutes]:\n"
                           "main.wait(0xc000010000)\n"
                           "\t/src/main.go:12 +0x1d\n"
                           "created by main.start in goroutine 1\n"
                           "\t/src/main.go:40 +0x2d\n\n"
                           "goroutine 6 [chan receive]:\n"
                           "main.wait(0xc000010008)\n"
                           "\t/src/main.go:12 +0x1d\n"
                           "created by main.start in goroutine 1\n"
                           "\t/src/main.go:40 +0x2d\n\n"
                           "goroutine 7 [runnable]:\n"
                           "main.wait(0xc000010010)\n"
                           "\t/src/main.go:12 +0x1d\n"
                           "created by main.start in goroutine 1\n"
                           "\t/src/main.go:40 +0x2d\n";

static const char one_leaked[] =
    "goroutineleak profile: total 1\n"
    "1 @ 0x43a0ce 0x406b5d 0x406757 0x4aa01e 0x46a1c1\n"
    "#\t0x4aa01d\tmain.wait+0x1d\t/src/main.go:12\n\n";

static const char five_leaked[] =
    "goroutineleak profile: total 5\n"
    "5 @ 0x43a0ce 0x406b5d 0x406757 0x4aa01e 0x46a1c1\n"
    "#\t0x4aa01d\tmain.wait+0x1d\t/src/main.go:12\n\n";

static const char other_line[] =
    "goroutineleak profile: total 1\n"
    "1 @ 0x43a0ce 0x406b5d 0x406757 0x4aa02e 0x46a1c1\n"
    "#\t0x4aa02d\tmain.wait+0x2d\t/src/main.go:13\n\n";

static void proof_is_brought_to_the_same_place(void **state)
{
    (void)state;
    add(dump);
    add_proof(one_leaked);
    assert_int_equal(proven(), 1);
    assert_int_equal(analysis_total(analysis), 3);
    assert_string_equal(reading_codes(&reading), "proof");
}

static void no_more_is_proven_than_waits_there(void **state)
{
    (void)state;
    add(dump);
    add_proof(five_leaked);
    /* The third one is about to run. */
    assert_int_equal(proven(), 2);
    assert_string_equal(reading_codes(&reading), "proof-unmatched");
}

static void another_line_of_the_function_is_another_place(void **state)
{
    (void)state;
    add(dump);
    add_proof(other_line);
    assert_int_equal(proven(), 0);
    assert_string_equal(reading_codes(&reading), "proof-unmatched");
}

static void two_headers_that_differ_are_two_goroutines(void **state)
{
    (void)state;
    add(dump);
    add_proof("goroutine 9 [chan send (leaked)]:\n"
              "main.wait(0xc000010000)\n"
              "\t/src/main.go:12 +0x1d\n"
              "created by main.start in goroutine 1\n"
              "\t/src/main.go:40 +0x2d\n");
    assert_int_equal(proven(), 0);
}

static void marks_in_a_stack_dump_are_proof_and_the_rest_of_it_is_not(
    void **state)
{
    (void)state;
    add(dump);
    add_proof("goroutine 5 [chan receive (leaked)]:\n"
              "main.wait(0xc000010000)\n"
              "\t/src/main.go:12 +0x1d\n"
              "created by main.start in goroutine 1\n"
              "\t/src/main.go:40 +0x2d\n\n"
              "goroutine 6 [chan receive]:\n"
              "main.wait(0xc000010008)\n"
              "\t/src/main.go:12 +0x1d\n"
              "created by main.start in goroutine 1\n"
              "\t/src/main.go:40 +0x2d\n");
    assert_int_equal(proven(), 1);
}

static void the_same_proof_twice_proves_no_more(void **state)
{
    (void)state;
    add(dump);
    add_proof(one_leaked);
    add_proof(one_leaked);
    assert_int_equal(proven(), 1);
}

static void an_empty_proof_clears_nobody_and_says_so(void **state)
{
    (void)state;
    add(dump);
    add_proof("goroutineleak profile: total 0\n");
    assert_int_equal(proven(), 0);
    assert_string_equal(reading_codes(&reading), "nothing-proven");
    assert_true(analysis_is_judged(analysis, 0));
    assert_false(analysis_is_judged(analysis, 1));
}

static const char small[] = "goroutine profile: total 1\n"
                            "1 @ 0x43a0ce 0x406b5d 0x406757 0x4aa01e 0x46a1c1\n"
                            "#\t0x4aa01d\tmain.wait+0x1d\t/src/main.go:12\n\n";

static const char large[] = "goroutine profile: total 9\n"
                            "9 @ 0x43a0ce 0x406b5d 0x406757 0x4aa01e 0x46a1c1\n"
                            "#\t0x4aa01d\tmain.wait+0x1d\t/src/main.go:12\n\n";

static void one_proof_goes_to_the_instance_that_holds_most_of_it(void **state)
{
    (void)state;
    add(small);
    add(large);
    add_proof(five_leaked);
    assert_int_equal(proven(), 5);
    assert_int_equal(proven_in(0), 0);
    assert_int_equal(proven_in(1), 5);
}

static void as_many_proofs_as_dumps_belong_together_in_order(void **state)
{
    (void)state;
    add(small);
    add(large);
    add_proof(five_leaked);
    add_proof(one_leaked);
    proven();
    assert_int_equal(proven_in(0), 1);
    assert_int_equal(proven_in(1), 1);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(proof_is_brought_to_the_same_place),
        TEST(no_more_is_proven_than_waits_there),
        TEST(another_line_of_the_function_is_another_place),
        TEST(two_headers_that_differ_are_two_goroutines),
        TEST(marks_in_a_stack_dump_are_proof_and_the_rest_of_it_is_not),
        TEST(the_same_proof_twice_proves_no_more),
        TEST(an_empty_proof_clears_nobody_and_says_so),
        TEST(one_proof_goes_to_the_instance_that_holds_most_of_it),
        TEST(as_many_proofs_as_dumps_belong_together_in_order),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
