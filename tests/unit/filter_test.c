#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include "support/judging.h"

#include <cmocka.h>

static struct judging judging;

static int set_up(void **state)
{
    static const struct sample samples[] = {
        {.count = 30,
         .state = "chan send",
         .frames = {"example.com/app.(*Queue).Put|/srv/app/queue.go:7",
                    "main.produce|/srv/app/main.go:20"},
         .key = "tenant",
         .value = "acme"},
        {.count = 20,
         .state = "select",
         .wait_min = 12,
         .frames = {"example.com/lib.(*Loop).Run|/srv/lib/loop.go:5",
                    "main.watch|/srv/app/main.go:30"},
         .key = "tenant",
         .value = "other"},
        {.count = 10,
         .state = "glacial wait", /* of a Go that is not out yet */
         .wait_min = 3,
         .frames = {"main.sleepy|/srv/app/main.go:40"}},
    };
    struct snapshot *snapshot;

    (void)state;
    judging_init(&judging);
    snapshot = judging_instance(&judging);
    for (size_t i = 0; i < 3; i++)
        reporting_add(snapshot, &samples[i]);
    judging_analyse(&judging);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    judging_done(&judging);
    return 0;
}

static void option(const char *name, const char *value)
{
    reporting_set(&judging.base, name, value);
}

/* The counts of the groups that are left, such as "30 10 ". */
static const char *kept(void)
{
    struct buf *out = &judging.base.out;
    struct cprof_error err = {0};

    buf_clear(out);
    if (filter_apply(judging.analysis, judging.base.options, &err) < 0)
        fail_msg("%s", err.message);
    for (size_t i = 0; i < analysis_n_groups(judging.analysis); i++) {
        const struct joined_group *group = analysis_group(judging.analysis, i);

        if (!group->is_filtered)
            buf_addf(out, "%llu ", (unsigned long long)group->count);
    }
    return out->ptr ? out->ptr : "";
}

/* What is wrong with the options. */
static struct cprof_error refused(void)
{
    struct cprof_error err = {0};

    assert_int_equal(filter_apply(judging.analysis, judging.base.options, &err),
                     CPROF_EUSAGE);
    return err;
}

static void without_options_everything_is_kept(void **state)
{
    (void)state;
    assert_string_equal(kept(), "30 20 10 ");
}

static void focus_keeps_stacks_where_a_frame_matches(void **state)
{
    (void)state;
    option("focus", "Queue");
    assert_string_equal(kept(), "30 ");
    option("focus", "^main\\.watch$");
    assert_string_equal(kept(), "30 20 ");
}

static void focus_looks_at_files_as_well(void **state)
{
    (void)state;
    option("focus", "^/srv/lib/");
    assert_string_equal(kept(), "20 ");
}

static void ignore_drops_stacks_where_a_frame_matches(void **state)
{
    (void)state;
    option("ignore", "Queue");
    option("ignore", "sleepy");
    assert_string_equal(kept(), "20 ");
}

static void ignore_wins_over_focus(void **state)
{
    (void)state;
    option("focus", "main");
    option("ignore", "watch");
    assert_string_equal(kept(), "30 10 ");
}

static void states_are_kept_by_their_word(void **state)
{
    (void)state;
    option("state", "chan send");
    assert_string_equal(kept(), "30 ");
    option("state", "select");
    assert_string_equal(kept(), "30 20 ");
}

static void a_word_that_only_the_dump_knows_is_a_state(void **state)
{
    (void)state;
    option("state", "glacial wait");
    assert_string_equal(kept(), "10 ");
}

static void a_wrong_state_is_refused_with_the_nearest(void **state)
{
    (void)state;
    option("state", "chan snd");
    assert_string_equal(
        refused().message,
        "--state 'chan snd' is no state of Go (did you mean 'chan send'?)");
}

static void a_state_like_no_other_is_refused_with_examples(void **state)
{
    (void)state;
    option("state", "qqqqqqqqqqqqq");
    assert_string_equal(refused().message,
                        "--state 'qqqqqqqqqqqqq' is no state of Go; examples "
                        "are 'chan send', 'IO wait' and 'sync.Mutex.Lock'");
}

static void labels_are_kept_by_key_and_expression(void **state)
{
    (void)state;
    option("label", "tenant=^ac");
    assert_string_equal(kept(), "30 ");
    /* The same key again is another choice. */
    option("label", "tenant=^other$");
    assert_string_equal(kept(), "30 20 ");
    /* Another key must hold as well. */
    option("label", "user=.");
    assert_string_equal(kept(), "");
}

static void a_label_without_key_or_expression_is_refused(void **state)
{
    (void)state;
    option("label", "tenant");
    assert_string_equal(refused().message,
                        "--label takes KEY=REGEX, not 'tenant'");
}

static void small_and_young_groups_are_left_out(void **state)
{
    (void)state;
    option("min-count", "20");
    assert_string_equal(kept(), "30 20 ");
    option("min-age", "10m");
    assert_string_equal(kept(), "20 ");
}

static void an_unknown_age_is_not_old_enough(void **state)
{
    (void)state;
    option("min-age", "3m");
    assert_string_equal(kept(), "20 10 ");
}

static void a_wrong_expression_is_refused_with_a_caret(void **state)
{
    struct cprof_error err;

    (void)state;
    option("focus", "ab(c");
    err = refused();
    assert_string_equal(err.message,
                        "--focus 'ab(c': bad regular expression: missing "
                        "closing parenthesis");
    assert_string_equal(err.detail, "    ab(c\n        ^");
}

static void shares_stay_those_of_the_whole_process(void **state)
{
    (void)state;
    option("focus", "Queue");
    kept();
    assert_true(analysis_share(judging.analysis,
                               analysis_group(judging.analysis, 0)) == 0.5);
}

static void an_expression_that_gives_up_is_reported(void **state)
{
    struct buf frame = {0};
    struct sample sample = {.count = 5, .state = "select"};

    (void)state;
    tear_down(NULL);
    judging_init(&judging);
    buf_add(&frame, STR("main."));
    buf_add_repeat(&frame, 'a', 3000);
    buf_add(&frame, STR("b|a.go:1"));
    sample.frames[0] = frame.ptr;
    reporting_add(judging_instance(&judging), &sample);
    judging_analyse(&judging);
    buf_done(&frame);
    option("focus", "(a+)+$");
    assert_string_equal(kept(), "");
    assert_non_null(diag_find(&judging.base.snapshots->diags, "filter-limit"));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(without_options_everything_is_kept),
        TEST(focus_keeps_stacks_where_a_frame_matches),
        TEST(focus_looks_at_files_as_well),
        TEST(ignore_drops_stacks_where_a_frame_matches),
        TEST(ignore_wins_over_focus),
        TEST(states_are_kept_by_their_word),
        TEST(a_word_that_only_the_dump_knows_is_a_state),
        TEST(a_wrong_state_is_refused_with_the_nearest),
        TEST(a_state_like_no_other_is_refused_with_examples),
        TEST(labels_are_kept_by_key_and_expression),
        TEST(a_label_without_key_or_expression_is_refused),
        TEST(small_and_young_groups_are_left_out),
        TEST(an_unknown_age_is_not_old_enough),
        TEST(a_wrong_expression_is_refused_with_a_caret),
        TEST(shares_stay_those_of_the_whole_process),
        TEST(an_expression_that_gives_up_is_reported),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
