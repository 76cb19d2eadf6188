/* Stacks that the depth limit of profiles cut. */
#include <setjmp.h>
#include <stdarg.h>

#include "analysis/analysis.h"
#include "support/reading.h"

#include <cmocka.h>

static struct reading reading;

static int set_up(void **state)
{
    (void)state;
    reading_init(&reading);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    reading_done(&reading);
    return 0;
}

/* Appends a record of a debug=1 profile with n addresses, the last of which is
 * runtime.goexit's, not printed, when the stack is whole. */
static void add_record(struct buf *text, const char *function, int n,
                       bool is_whole)
{
    buf_add(text, STR("2 @"));
    for (int i = 0; i < n; i++)
        buf_addf(text, " 0x%x", 0x400000 + i * 16);
    buf_add_char(text, '\n');
    for (int i = 0; i < (is_whole ? n - 1 : n); i++)
        buf_addf(text, "#\t0x%x\tmain.%s+0x1\t/m.go:%d\n",
                 0x400000 + i * 16 - 1, function, i + 1);
    buf_add_char(text, '\n');
}

static void analyse(struct buf *text)
{
    struct analysis *analysis = NULL;

    assert_int_equal(reading_add(&reading, text->ptr), 0);
    assert_int_equal(analysis_new(&analysis, reading.snapshots, NULL), 0);
    analysis_free(analysis);
    buf_done(text);
}

static const struct diag *limit(void)
{
    return diag_find(&reading.snapshots->diags, "depth-limit");
}

static void a_stack_of_exactly_the_limit_is_whole(void **state)
{
    struct buf text = {0};

    (void)state;
    buf_add(&text, STR("goroutine profile: total 2\n"));
    add_record(&text, "f", 32, true);
    analyse(&text);
    assert_null(limit());
}

static void stacks_at_the_limit_are_one_diagnostic_with_their_number(
    void **state)
{
    struct buf text = {0};
    const struct diag *diag;

    (void)state;
    buf_add(&text, STR("goroutine profile: total 6\n"));
    add_record(&text, "f", 32, false);
    add_record(&text, "g", 32, false);
    add_record(&text, "h", 20, true);
    analyse(&text);
    diag = limit();
    assert_non_null(diag);
    assert_int_equal(diag->repeats, 0);
    assert_true(str_starts(diag->message, STR("2 groups (4 goroutines) ")));
    assert_true(str_contains(diag->message, STR(" 32 frames")));
    assert_false(str_contains(diag->message, STR("profstackdepth")));
}

static void newer_go_has_a_larger_limit_and_a_setting_for_it(void **state)
{
    struct buf text = {0};
    const struct diag *diag;

    (void)state;
    buf_add(&text, STR("goroutine profile: total 2\n"));
    add_record(&text, "f", 128, false);
    analyse(&text);
    diag = limit();
    assert_non_null(diag);
    assert_true(str_contains(diag->message, STR(" 128 frames")));
    assert_true(str_contains(diag->message, STR("profstackdepth")));
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(a_stack_of_exactly_the_limit_is_whole),
        TEST(stacks_at_the_limit_are_one_diagnostic_with_their_number),
        TEST(newer_go_has_a_larger_limit_and_a_setting_for_it),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
