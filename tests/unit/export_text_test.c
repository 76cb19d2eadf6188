/* The exports that are text: folded, speedscope, jsonl. */
#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include "support/exporting.h"

#include <cmocka.h>

static struct reading reading;
static struct buf out;
static struct cprof_error err;

static int set_up(void **state)
{
    (void)state;
    reading_init(&reading);
    err = (struct cprof_error){0};
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    reading_done(&reading);
    buf_done(&out);
    return 0;
}

static const char *export_text(const char *dump, const char *form)
{
    assert_int_equal(reading_add(&reading, dump), 0);
    assert_int_equal(exporting_write(&reading, form, &out, &err), 0);
    return out.ptr ? out.ptr : "";
}

static json_t *export_json(const char *dump, const char *form)
{
    json_error_t error;
    json_t *json = json_loads(export_text(dump, form), 0, &error);

    if (!json)
        fail_msg("%d: %s", error.line, error.text);
    return json;
}

static const char dump[] =
    "goroutine 5 [chan receive, 3 minutes]:\n"
    "main.wait(0xc000010000)\n\t/src/main.go:12 +0x1d\n"
    "main.run(...)\n\t/src/main.go:20\n"
    "created by main.start in goroutine 1\n\t/src/main.go:40 +0x2d\n\n"
    "goroutine 6 [chan receive] {tenant: a}:\n"
    "main.wait(0xc000010008)\n\t/src/main.go:12 +0x1d\n"
    "main.run(...)\n\t/src/main.go:20\n"
    "created by main.start in goroutine 1\n\t/src/main.go:40 +0x2d\n\n"
    "goroutine 8 [sleep]:\n"
    "time.Sleep(0x1)\n\t/go/src/runtime/time.go:195 +0x2d\n"
    "created by main.start in goroutine 1\n\t/src/main.go:40 +0x2d\n";

static void folded_stacks_stand_root_first_with_the_state_on_top(void **state)
{
    (void)state;
    assert_string_equal(export_text(dump, "folded"),
                        "main.run;main.wait;[chan receive] 2\n"
                        "time.Sleep;[sleep] 1\n");
}

static void folded_names_cannot_break_the_line(void **state)
{
    (void)state;
    assert_string_equal(export_text("goroutine 5 [chan; receive]:\n"
                                    "main.a;b\x1b 7(0x1)\n\t/m.go:1 +0x1\n"
                                    "created by main.c\n\t/m.go:2 +0x1\n",
                                    "folded"),
                        "main.a,b\\x1b 7;[chan, receive] 1\n");
}

static void nothing_is_an_empty_folded_file(void **state)
{
    (void)state;
    assert_string_equal(
        export_text("goroutineleak profile: total 0\n", "folded"), "");
}

static void speedscope_samples_name_their_frames_and_add_up(void **state)
{
    json_t *json = export_json(dump, "speedscope");
    json_t *frames = json_object_get(json_object_get(json, "shared"), "frames");
    json_t *profile = json_array_get(json_object_get(json, "profiles"), 0);
    json_t *samples = json_object_get(profile, "samples");
    json_t *weights = json_object_get(profile, "weights");
    json_t *sample = json_array_get(samples, 0);
    const char *names[] = {"main.run", "main.wait", "[chan receive]"};

    (void)state;
    assert_int_equal(json_array_size(samples), 2);
    assert_int_equal(json_array_size(weights), 2);
    assert_int_equal(json_array_size(sample), 3);
    for (size_t i = 0; i < 3; i++) {
        json_int_t place = json_integer_value(json_array_get(sample, i));
        json_t *frame = json_array_get(frames, (size_t)place);

        assert_string_equal(json_string_value(json_object_get(frame, "name")),
                            names[i]);
    }
    assert_int_equal(json_integer_value(json_array_get(weights, 0)), 2);
    assert_int_equal(json_integer_value(json_object_get(profile, "endValue")),
                     3);
    assert_string_equal(json_string_value(json_object_get(profile, "unit")),
                        "none");
    json_decref(json);
}

static void speedscope_has_a_profile_for_each_value(void **state)
{
    json_t *json =
        export_json("heap profile: 1: 524288 [3: 1572864] @ heap/1048576\n"
                    "1: 524288 [3: 1572864] @ 0x4aa01e 0x46a1c1\n"
                    "#\t0x4aa01d\tmain.grow+0x1d\t/src/main.go:12\n\n",
                    "speedscope");
    json_t *profiles = json_object_get(json, "profiles");
    size_t active =
        (size_t)json_integer_value(json_object_get(json, "activeProfileIndex"));
    json_t *shown = json_array_get(profiles, active);

    (void)state;
    assert_int_equal(json_array_size(profiles), 4);
    assert_string_equal(json_string_value(json_object_get(shown, "name")),
                        "inuse_space");
    assert_string_equal(json_string_value(json_object_get(shown, "unit")),
                        "bytes");
    json_decref(json);
}

/* The line of jsonl at an index, as JSON. */
static json_t *line_of(const char *text, int index)
{
    size_t length;
    json_t *json;

    for (; index > 0; index--)
        text = strchr(text, '\n') + 1;
    length = strcspn(text, "\n");
    json = json_loadb(text, length, 0, NULL);
    assert_non_null(json);
    return json;
}

static int count_lines(const char *text)
{
    int n = 0;

    for (; *text; text++)
        n += *text == '\n';
    return n;
}

static const char *text_in(json_t *json, const char *key)
{
    return json_string_value(json_object_get(json, key));
}

static void a_line_of_jsonl_says_all_of_one_group(void **state)
{
    const char *text = export_text(dump, "jsonl");
    json_t *json = line_of(text, 0);
    json_t *label = json_array_get(json_object_get(json, "labels"), 0);

    (void)state;
    assert_int_equal(count_lines(text), 2);
    assert_string_equal(text_in(json, "source"), "input");
    assert_string_equal(text_in(json, "state"), "chan receive");
    assert_string_equal(text_in(json, "state_source"), "header");
    assert_string_equal(text_in(json_object_get(json, "site"), "function"),
                        "main.wait");
    assert_string_equal(
        text_in(json_object_get(json, "created_by"), "function"), "main.start");
    assert_int_equal(json_integer_value(json_object_get(json, "count")), 2);
    assert_int_equal(json_integer_value(json_object_get(json, "age_max_s")),
                     180);
    assert_int_equal(json_integer_value(json_object_get(json, "age_min_s")), 0);
    assert_int_equal(json_integer_value(json_object_get(json, "id_max")), 6);
    assert_int_equal(json_array_size(json_object_get(json, "stack")), 2);
    assert_string_equal(text_in(label, "value"), "a");
    assert_true(json_is_null(json_object_get(json, "leaked")));
    assert_int_equal(strlen(text_in(json, "signature")), 32);
    json_decref(json);
}

static void jsonl_has_every_dump_of_an_input(void **state)
{
    (void)state;
    assert_int_equal(count_lines(export_text("goroutine profile: total 1\n"
                                             "1 @ 0x46a1c1\n\n"
                                             "goroutine profile: total 2\n"
                                             "2 @ 0x46a1c1\n\n",
                                             "jsonl")),
                     2);
}

static void a_wrong_form_is_named_with_the_right_ones(void **state)
{
    (void)state;
    assert_null(export_format_find("folder", &err));
    assert_int_equal(err.code, CPROF_EUSAGE);
    assert_non_null(strstr(err.message, "did you mean 'folded'?"));
    assert_null(export_format_find("svg", NULL));
}

static int refuse(void *user, const char *bytes, size_t size)
{
    (void)user;
    (void)bytes;
    (void)size;
    return 1;
}

static void a_receiver_that_wants_no_more_ends_the_export(void **state)
{
    static const char *const forms[] = {"pprof", "folded", "speedscope"};
    size_t chosen = 0;

    (void)state;
    assert_int_equal(reading_add(&reading, dump), 0);
    assert_int_equal(exporting_write(&reading, "jsonl", &out, &err), 0);
    for (size_t i = 0; i < 3; i++) {
        struct export_request request = {.format =
                                             export_format_find(forms[i], &err),
                                         .snapshots = reading.snapshots,
                                         .chosen = &chosen,
                                         .n_chosen = 1};

        assert_int_equal(export_write(&request, refuse, NULL, &err), CPROF_EIO);
    }
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(folded_stacks_stand_root_first_with_the_state_on_top),
        TEST(folded_names_cannot_break_the_line),
        TEST(nothing_is_an_empty_folded_file),
        TEST(speedscope_samples_name_their_frames_and_add_up),
        TEST(speedscope_has_a_profile_for_each_value),
        TEST(a_line_of_jsonl_says_all_of_one_group),
        TEST(jsonl_has_every_dump_of_an_input),
        TEST(a_wrong_form_is_named_with_the_right_ones),
        TEST(a_receiver_that_wants_no_more_ends_the_export),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
