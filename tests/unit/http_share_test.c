/* Many requests in a time that they share: http.h. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "support/fake_curl.h"

#include <cmocka.h>

/* Nine servers that hang, four at a time, and eight seconds for all. */
static void the_time_of_all_is_shared(void **state)
{
    struct fake_attempt attempts[9];
    struct http_options options = fake_options(0);
    struct http_request request = {.url = "http://h:1/p", .name = "h"};
    struct http_answer answer;
    struct cprof_error error = {0};
    struct http *http = NULL;
    size_t number;

    (void)state;
    for (size_t i = 0; i < 9; i++)
        attempts[i] = (struct fake_attempt){
            .code = CURL_OPERATION_TIMEDOUT, .connect_us = 1, .turns = 45};
    fake_begin(attempts, 9); /* sets the clock */
    options.until_ms = fake_now_ms(NULL) + 8000;
    options.least_ms = 3000;
    assert_int_equal(http_new(&http, fake_api(), &options, &error), 0);
    for (size_t i = 0; i < 9; i++)
        assert_int_equal(http_add(http, &request, &number, &error), 0);
    for (size_t i = 0; i < 9; i++) {
        assert_int_equal(http_wait(http, i, &answer, &error), CPROF_EIO);
        if (i == 0)
            assert_non_null(strstr(error.message, "within 3 s"));
    }
    /* Three rounds of 2.7 s are less than the least. */
    assert_int_equal(fake_asked(0)->timeout_ms, 3000);
    assert_int_equal(fake_asked(4)->timeout_ms, 3000);
    assert_int_equal(fake_n_asked(), 8);
    assert_non_null(strstr(error.message, "no time was left"));
    http_free(http);
    assert_int_equal(fake_n_open(), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_time_of_all_is_shared),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
