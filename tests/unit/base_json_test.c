#include <jansson.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>

#include "base/json.h"

#include <cmocka.h>

static void an_object_is_indented_and_a_flat_one_is_not(void **state)
{
    struct buf out = {0};
    struct json json = json_begin(&out);

    (void)state;
    json_open_object(&json);
    json_put_key(&json, "a");
    json_put_u64(&json, 1);
    json_put_key(&json, "b");
    json_open_array_flat(&json);
    json_put_u64(&json, 2);
    json_open_object(&json);
    json_put_key(&json, "c");
    json_put_null(&json);
    json_close_object(&json);
    json_close_array(&json);
    json_put_key(&json, "d");
    json_open_array(&json);
    json_close_array(&json);
    json_close_object(&json);
    assert_string_equal(out.ptr,
                        "{\n  \"a\": 1,\n  \"b\": [2, {\"c\": null}],\n"
                        "  \"d\": []\n}\n");
    buf_done(&out);
}

static void every_string_is_valid_json_and_utf8(void **state)
{
    struct buf out = {0};
    struct json json = json_begin(&out);
    char all[256];
    json_error_t error;
    json_t *parsed;

    (void)state;
    for (int i = 0; i < 256; i++)
        all[i] = (char)i;
    json_open_array(&json);
    json_put_string(&json, (struct str){all, 256});
    json_put_string(&json, STR("\xe6\x9c\x8d \xed\xa0\x80 \xf0\x9f\x90\xb9"));
    json_put_text(&json, NULL);
    json_put_text(&json, "\"\\");
    json_close_array(&json);
    assert_false(out.failed);
    parsed = json_loads(out.ptr, JSON_ALLOW_NUL, &error);
    assert_non_null(parsed);
    assert_string_equal(json_string_value(json_array_get(parsed, 1)),
                        "\xe6\x9c\x8d \xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd "
                        "\xf0\x9f\x90\xb9");
    assert_true(json_is_null(json_array_get(parsed, 2)));
    assert_string_equal(json_string_value(json_array_get(parsed, 3)), "\"\\");
    json_decref(parsed);
    buf_done(&out);
}

/* What is looked at eight bytes at a time is written as what is looked at one
 * by one: each byte, at each of 17 places. */
static void a_byte_is_written_alike_wherever_it_stands(void **state)
{
    enum { PLACES = 17 };
    struct buf out = {0};

    (void)state;
    for (int c = 0; c < 256; c++) {
        char byte = (char)c;
        struct json json = json_begin(&out);
        struct str alone;
        char expected[64];

        buf_clear(&out);
        json_put_string(&json, (struct str){&byte, 1});
        alone = (struct str){out.ptr + 1, out.len - 2};
        snprintf(expected, sizeof(expected), "%.*s", (int)alone.len, alone.ptr);
        for (size_t at = 0; at < PLACES; at++) {
            char text[PLACES];
            char all[128];
            size_t behind = PLACES - 1 - at;

            memset(text, '!', sizeof(text));
            text[at] = byte;
            buf_clear(&out);
            json = json_begin(&out);
            json_put_string(&json, (struct str){text, sizeof(text)});
            snprintf(all, sizeof(all), "\"%.*s%s%.*s\"", (int)at,
                     "!!!!!!!!!!!!!!!!", expected, (int)behind,
                     "!!!!!!!!!!!!!!!!");
            assert_string_equal(out.ptr, all);
        }
    }
    buf_done(&out);
}

static void keys_are_escaped_like_strings(void **state)
{
    struct buf out = {0};
    struct json json = json_begin(&out);

    (void)state;
    json_open_object_flat(&json);
    json_put_key_str(&json, STR("a\"\n"));
    json_put_bool(&json, true);
    json_put_key(&json, "b");
    json_put_bool(&json, false);
    json_close_object(&json);
    assert_string_equal(out.ptr, "{\"a\\\"\\n\": true, \"b\": false}\n");
    buf_done(&out);
}

static void numbers_keep_their_digits(void **state)
{
    struct buf out = {0};
    struct json json = json_begin(&out);

    (void)state;
    json_open_array_flat(&json);
    json_put_u64(&json, UINT64_MAX);
    json_put_u64(&json, 0);
    json_put_u64(&json, 10);
    json_put_double(&json, 0.99981623, 4);
    json_put_double(&json, NAN, 4);
    json_put_double(&json, -INFINITY, 4);
    json_close_array(&json);
    assert_string_equal(out.ptr,
                        "[18446744073709551615, 0, 10, 0.9998, null, null]\n");
    buf_done(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_object_is_indented_and_a_flat_one_is_not),
        cmocka_unit_test(every_string_is_valid_json_and_utf8),
        cmocka_unit_test(a_byte_is_written_alike_wherever_it_stands),
        cmocka_unit_test(keys_are_escaped_like_strings),
        cmocka_unit_test(numbers_keep_their_digits),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
