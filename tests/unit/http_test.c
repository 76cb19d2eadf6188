/* Requests over a libcurl that is written down: retries, bounds, order, and
 * the words for each failure. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "support/fake_curl.h"

#include <cmocka.h>

static struct http *http;
static struct cprof_error error;

static void start(const struct fake_attempt *attempts, size_t count,
                  const struct http_options *options)
{
    error = (struct cprof_error){0};
    fake_begin(attempts, count);
    assert_int_equal(http_new(&http, fake_api(), options, &error), 0);
}

static void stop(void)
{
    http_free(http);
    http = NULL;
    assert_int_equal(fake_n_open(), 0);
}

static size_t add(const char *url)
{
    struct http_request request = {.url = url, .name = url};
    size_t number = SIZE_MAX;

    assert_int_equal(http_add(http, &request, &number, NULL), 0);
    return number;
}

/* Waits for an answer that must come, and compares its body. */
static struct http_answer get(size_t number, const char *body)
{
    struct http_answer answer = {0};
    char bytes[8192] = {0};

    assert_int_equal(http_wait(http, number, &answer, &error), 0);
    assert_true(spool_read(answer.body, bytes, sizeof(bytes) - 1) >= 0);
    assert_string_equal(bytes, body);
    return answer;
}

/* One attempt of one request, which must fail; the message. */
static const char *fails(struct fake_attempt attempt, const char *url)
{
    struct http_options options = fake_options(0);
    struct http_answer answer;
    size_t number;
    int rc;

    start(&attempt, 1, &options);
    number = add(url);
    rc = http_wait(http, number, &answer, &error);
    assert_true(rc < 0);
    assert_int_equal(rc, error.code);
    assert_string_equal(error.source, url);
    stop();
    return error.message;
}

static void has(const char *text, const char *what)
{
    if (!strstr(text, what))
        fail_msg("'%s' has no '%s'", text, what);
}

static void an_answer_is_given_whole(void **state)
{
    const struct fake_attempt attempts[] = {
        {.status = 200, .body = "goroutine profile: total 3\n", .turns = 3}};
    struct http_options options = fake_options(0);
    struct http_answer answer;

    (void)state;
    start(attempts, 1, &options);
    answer = get(add("http://h:1/p"), "goroutine profile: total 3\n");
    assert_int_equal(answer.status, 200);
    assert_false(answer.is_redirected);
    assert_string_equal(fake_asked(0)->url, "http://h:1/p");
    assert_int_equal(fake_asked(0)->timeout_ms, 10000);
    assert_int_equal(fake_asked(0)->connect_timeout_ms, 1000);
    assert_int_equal(fake_asked(0)->verify_peer, -1);
    stop();
}

static void what_broke_off_is_asked_for_again_from_the_start(void **state)
{
    const struct fake_attempt attempts[] = {
        {.code = CURL_COULDNT_CONNECT, .os_error = ECONNREFUSED},
        {.code = CURL_PARTIAL_FILE, .status = 200, .body = "gorout"},
        {.status = 503, .body = "no healthy upstream"},
        {.status = 200, .body = "whole"},
    };
    struct http_options options = fake_options(3);

    (void)state;
    start(attempts, 4, &options);
    get(add("http://h:1/p"), "whole");
    assert_int_equal(fake_asked(1)->at_ms - fake_asked(0)->at_ms, 250);
    assert_int_equal(fake_asked(2)->at_ms - fake_asked(1)->at_ms, 500);
    assert_int_equal(fake_asked(3)->at_ms - fake_asked(2)->at_ms, 1000);
    /* The time for all attempts is one. */
    assert_int_equal(fake_asked(3)->timeout_ms, 10000 - 1750);
    stop();
}

static void attempts_end_with_their_number_and_with_the_time(void **state)
{
    struct fake_attempt attempts[FAKE_ATTEMPTS];
    struct http_options options = fake_options(2);
    struct http_answer answer;

    (void)state;
    for (size_t i = 0; i < FAKE_ATTEMPTS; i++)
        attempts[i] = (struct fake_attempt){.code = CURL_COULDNT_CONNECT,
                                            .os_error = ECONNREFUSED};
    start(attempts, FAKE_ATTEMPTS, &options);
    assert_int_equal(http_wait(http, add("http://h:1/p"), &answer, &error),
                     CPROF_EIO);
    assert_int_equal(fake_n_asked(), 3);
    stop();
    options.retries = 1000;
    start(attempts, FAKE_ATTEMPTS, &options);
    assert_int_equal(http_wait(http, add("http://h:1/p"), &answer, &error),
                     CPROF_EIO);
    /* 0.25 + 0.5 + 1 + 2 + 4 s; another 4 s would pass the 10 s. */
    assert_int_equal(fake_n_asked(), 6);
    stop();
}

static void what_will_not_pass_is_asked_once(void **state)
{
    static const int codes[] = {CURL_URL_MALFORMAT, CURL_SSL_CONNECT_ERROR,
                                CURL_PEER_FAILED_VERIFICATION,
                                CURL_TOO_MANY_REDIRECTS};
    struct http_options options = fake_options(3);
    struct http_answer answer;

    (void)state;
    for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++) {
        struct fake_attempt attempt = {.code = codes[i]};

        start(&attempt, 1, &options);
        assert_int_equal(http_wait(http, add("http://h:1/p"), &answer, &error),
                         CPROF_EIO);
        assert_int_equal(fake_n_asked(), 1);
        stop();
    }
    start(&(struct fake_attempt){.status = 404, .body = "404 page not found"},
          1, &options);
    assert_int_equal(get(add("http://h:1/p"), "404 page not found").status,
                     404);
    stop();
}

static void a_few_run_at_a_time_and_not_far_ahead(void **state)
{
    struct fake_attempt attempts[40];
    struct http_options options = fake_options(0);

    (void)state;
    for (size_t i = 0; i < 40; i++)
        attempts[i] = (struct fake_attempt){
            .status = 200, .body = "x", .turns = (unsigned)i % 3 + 1};
    start(attempts, 40, &options);
    for (size_t i = 0; i < 40; i++)
        add("http://h:1/p");
    for (size_t i = 0; i < 40; i++) {
        get(i, "x");
        assert_true(fake_n_asked() <= i + HTTP_AHEAD);
        http_drop(http, i);
    }
    assert_int_equal(fake_most_running(), HTTP_PARALLEL);
    stop();
}

static void requests_that_run_end_with_the_client(void **state)
{
    const struct fake_attempt attempts[] = {
        {.status = 200, .body = "x"},
        {.status = 200, .body = "x", .turns = 1000}};
    struct http_options options = fake_options(0);
    size_t number;

    (void)state;
    start(attempts, 2, &options);
    number = add("http://h:1/p");
    add("http://h:2/p");
    get(number, "x");
    assert_int_equal(fake_n_open(), 1);
    stop();
}

static void a_request_that_libcurl_does_not_take_ends(void **state)
{
    const struct fake_attempt attempts[] = {{.status = 200}};
    struct http_options options = fake_options(3);
    struct http_answer answer;

    (void)state;
    start(attempts, 1, &options);
    fake_refuse();
    assert_int_equal(http_wait(http, add("http://h:1/p"), &answer, &error),
                     CPROF_ENOMEM);
    stop();
}

static void an_answer_may_not_be_larger_than_it_may(void **state)
{
    struct http_options options = fake_options(1);
    struct http_answer answer;

    (void)state;
    options.max_bytes = 10;
    start(&(struct fake_attempt){.status = 200, .body = "0123456789ab"}, 1,
          &options);
    assert_int_equal(http_wait(http, add("http://h:1/p"), &answer, &error),
                     CPROF_ELIMIT);
    has(error.message, "larger than 10 bytes");
    has(error.message, "--max-download");
    stop();
}

static void of_a_refusal_only_the_beginning_is_kept(void **state)
{
    struct http_options options = fake_options(0);
    struct http_answer answer;
    char *body = calloc(1, 100001);

    (void)state;
    assert_non_null(body);
    memset(body, 'x', 100000);
    start(&(struct fake_attempt){.status = 500, .body = body}, 1, &options);
    assert_int_equal(http_wait(http, add("http://h:1/p"), &answer, &error), 0);
    assert_int_equal(answer.status, 500);
    assert_int_equal(answer.body->size, HTTP_ERROR_BODY);
    stop();
    free(body);
}

static void credentials_go_into_the_request_and_nowhere_else(void **state)
{
    const struct fake_attempt attempts[] = {
        {.code = CURL_COULDNT_CONNECT, .os_error = ECONNREFUSED}};
    struct http_options options = fake_options(0);
    struct http_answer answer;

    (void)state;
    options.user = "ann:hunter2";
    start(attempts, 1, &options);
    http_wait(http, add("https://h:1/p"), &answer, &error);
    assert_string_equal(fake_asked(0)->user, "ann:hunter2");
    assert_int_equal(fake_asked(0)->auth, CURL_AUTH_BASIC);
    assert_int_equal(fake_asked(0)->redirect_protocols, CURL_PROTOCOL_HTTPS);
    assert_null(strstr(error.message, "hunter2"));
    stop();
    options.user = NULL;
    options.bearer = "t0ken";
    options.insecure = true;
    start(attempts, 1, &options);
    http_wait(http, add("http://h:1/p"), &answer, &error);
    assert_string_equal(fake_asked(0)->bearer, "t0ken");
    assert_int_equal(fake_asked(0)->auth, CURL_AUTH_BEARER);
    assert_int_equal(fake_asked(0)->verify_peer, 0);
    assert_int_equal(fake_asked(0)->redirect_protocols,
                     CURL_PROTOCOL_HTTP | CURL_PROTOCOL_HTTPS);
    assert_null(strstr(error.message, "t0ken"));
    stop();
}

static const char *const json_field[] = {"Content-Type: application/json",
                                         "X-Key: s3cret", NULL};

static size_t add_post(const char *body)
{
    struct http_request request = {.url = "http://h:1/hook/T0",
                                   .name = "hook (h:1)",
                                   .is_post = true,
                                   .body = str_from(body),
                                   .fields = json_field};
    size_t number = SIZE_MAX;

    assert_int_equal(http_add(http, &request, &number, NULL), 0);
    return number;
}

static void a_body_is_posted_and_not_redirected(void **state)
{
    const struct fake_attempt attempts[] = {{.status = 200, .body = "ok"}};
    struct http_options options = fake_options(0);

    (void)state;
    start(attempts, 1, &options);
    assert_int_equal(get(add_post("{}"), "ok").status, 200);
    assert_int_equal(fake_asked(0)->is_post, 1);
    assert_int_equal(fake_asked(0)->follows, 0);
    assert_string_equal(fake_asked(0)->body, "{}");
    assert_string_equal(fake_asked(0)->fields,
                        "Content-Type: application/json\nX-Key: s3cret\n"
                        "Expect:\n");
    stop();
    start(attempts, 1, &options);
    get(add("http://h:1/p"), "ok");
    assert_int_equal(fake_asked(0)->is_post, 0);
    assert_int_equal(fake_asked(0)->follows, 1);
    stop();
}

static void a_post_is_tried_again_when_the_server_failed(void **state)
{
    const struct fake_attempt attempts[] = {
        {.code = CURL_COULDNT_CONNECT, .os_error = ECONNREFUSED},
        {.status = 500, .body = "oops"},
        {.status = 429, .body = "slowly", .retry_after_s = 3},
        {.status = 202, .body = "taken"},
    };
    struct http_options options = fake_options(3);

    (void)state;
    start(attempts, 4, &options);
    assert_int_equal(get(add_post("{}"), "taken").status, 202);
    assert_int_equal(fake_asked(1)->at_ms - fake_asked(0)->at_ms, 250);
    assert_int_equal(fake_asked(2)->at_ms - fake_asked(1)->at_ms, 500);
    assert_int_equal(fake_asked(3)->at_ms - fake_asked(2)->at_ms, 3000);
    assert_string_equal(fake_asked(3)->body, "{}");
    stop();
}

static void a_post_that_is_refused_is_not_tried_again(void **state)
{
    static const long statuses[] = {301, 400, 401, 404, 413};
    struct http_options options = fake_options(3);

    (void)state;
    for (size_t i = 0; i < sizeof(statuses) / sizeof(statuses[0]); i++) {
        struct fake_attempt attempt = {.status = statuses[i], .body = "no"};

        start(&attempt, 1, &options);
        assert_int_equal(get(add_post("{}"), "no").status, statuses[i]);
        assert_int_equal(fake_n_asked(), 1);
        stop();
    }
    /* A server that wants more time than there is. */
    start(&(struct fake_attempt){.status = 503, .retry_after_s = 11}, 1,
          &options);
    assert_int_equal(get(add_post("{}"), "").status, 503);
    assert_int_equal(fake_n_asked(), 1);
    stop();
    start(&(struct fake_attempt){.status = 429, .retry_after_s = INT64_MAX}, 1,
          &options);
    assert_int_equal(get(add_post("{}"), "").status, 429);
    stop();
}

static void a_get_waits_as_long_as_the_server_asks_for(void **state)
{
    const struct fake_attempt attempts[] = {
        {.status = 503, .body = "busy", .retry_after_s = 2},
        {.status = 200, .body = "x"}};
    struct http_options options = fake_options(1);

    (void)state;
    start(attempts, 2, &options);
    get(add("http://h:1/p"), "x");
    assert_int_equal(fake_asked(1)->at_ms - fake_asked(0)->at_ms, 2000);
    stop();
}

static void of_an_answer_to_a_post_only_the_beginning_is_kept(void **state)
{
    struct http_options options = fake_options(0);
    struct http_answer answer;
    char *body = calloc(1, 100001);

    (void)state;
    assert_non_null(body);
    memset(body, 'x', 100000);
    options.max_bytes = 5000;
    start(&(struct fake_attempt){.status = 200, .body = body}, 1, &options);
    assert_int_equal(http_wait(http, add_post(""), &answer, &error), 0);
    assert_int_equal(answer.status, 200);
    assert_int_equal(answer.body->size, HTTP_ERROR_BODY);
    stop();
    free(body);
}

static void a_receiver_has_options_of_its_own(void **state)
{
    const struct fake_attempt attempts[] = {
        {.code = CURL_PEER_FAILED_VERIFICATION,
         .text = "unable to get local issuer certificate"}};
    struct http_options options = fake_options(0);
    struct http_answer answer;

    (void)state;
    start(attempts, 1, &options);
    assert_int_equal(http_wait(http, add_post("{}"), &answer, &error),
                     CPROF_EIO);
    assert_string_equal(error.source, "hook (h:1)");
    has(error.message, "--notify-cacert");
    assert_null(strstr(error.message, "T0"));
    stop();
}

/* How an attempt ends, and what has to be said of it. */
static const struct {
    struct fake_attempt attempt;
    const char *url;
    const char *says[3];
} failures[] = {
    {{.code = CURL_COULDNT_CONNECT, .os_error = ECONNREFUSED},
     "http://h:1/p",
     {"Connection refused", "the port"}},
    {{.code = CURL_COULDNT_CONNECT,
      .os_error = ECONNREFUSED,
      .text = "Failed to connect to h port 1 after 0 ms: Couldn't connect"},
     "http://h:1/p",
     {"cannot connect: Connection refused", "the port"}},
    {{.code = CURL_COULDNT_CONNECT,
      .os_error = ECONNREFUSED,
      .text = "Failed to connect to h port 443 after 0 ms: Couldn't connect"},
     "https://h/p",
     {"cannot connect: Connection refused"}},
    {{.code = CURL_COULDNT_CONNECT,
      .os_error = ECONNREFUSED,
      .text = "Failed to connect to ::1 port 80 after 0 ms: Couldn't connect"},
     "http://[::1]/p",
     {"cannot connect: Connection refused"}},
    {{.code = CURL_COULDNT_CONNECT,
      .os_error = ECONNREFUSED,
      .text = "Failed to connect to h port 3128 after 0 ms: Couldn't connect"},
     "http://h:1/p",
     {"to port 3128, where a proxy", "refused", "http_proxy"}},
    {{.code = CURL_COULDNT_RESOLVE_HOST},
     "http://h:1/p",
     {"cannot be resolved", "spelling"}},
    {{.code = CURL_OPERATION_TIMEDOUT},
     "http://h:1/p",
     {"no connection within 1 s", "firewalls"}},
    {{.code = CURL_OPERATION_TIMEDOUT,
      .status = 200,
      .body = "1234567",
      .connect_us = 10},
     "http://h:1/p",
     {"no whole answer within 10 s", "7 bytes", "--timeout"}},
    {{.code = CURL_PARTIAL_FILE, .status = 200, .body = "123"},
     "http://h:1/p",
     {"broke after 3 bytes"}},
    {{.code = CURL_RECV_ERROR, .os_error = ECONNRESET},
     "http://h:1/p",
     {"Connection reset"}},
    {{.code = CURL_GOT_NOTHING}, "http://h:1/p", {"without an answer"}},
    {{.code = CURL_UNSUPPORTED_PROTOCOL,
      .text = "Received HTTP/0.9 when not allowed"},
     "http://h:1/p",
     {"does not speak HTTP"}},
    {{.code = CURL_SSL_CONNECT_ERROR,
      .text = "error:0A00010B:SSL routines::wrong version number"},
     "https://h:1/p",
     {"does not speak TLS", "http://"}},
    {{.code = CURL_PEER_FAILED_VERIFICATION,
      .text = "SSL certificate problem: certificate has expired"},
     "https://h:1/p",
     {"has expired"}},
    {{.code = CURL_PEER_FAILED_VERIFICATION,
      .text = "SSL: no alternative certificate subject name matches target "
              "host name 'h'"},
     "https://h:1/p",
     {"for another name", "'h'"}},
    {{.code = CURL_PEER_FAILED_VERIFICATION,
      .text = "SSL certificate problem: unable to get local issuer "
              "certificate"},
     "https://h:1/p",
     {"not known here", "--cacert"}},
    {{.code = CURL_TOO_MANY_REDIRECTS}, "http://h:1/p", {"redirects"}},
    {{.code = 93}, "http://h:1/p", {"failed: Some error"}},
};

static void each_failure_says_what_to_check(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(failures) / sizeof(failures[0]); i++) {
        const char *message = fails(failures[i].attempt, failures[i].url);

        for (size_t k = 0; k < 3 && failures[i].says[k]; k++)
            has(message, failures[i].says[k]);
        assert_null(strchr(message, '\n'));
    }
}

static void a_library_that_is_not_there_is_named_with_its_package(void **state)
{
    static const char *const nowhere[] = {"libcurl-of-nobody.so.9",
                                          "libcurl-of-nobody-else.so.9", NULL};
    static const char *const other[] = {"libcurl-of-nobody.so.9", "libc.so.6",
                                        NULL};
    struct curl_api api;

    (void)state;
    assert_int_equal(
        libcurl_load(&api, nowhere, "a thing", ", or leave it", &error),
        CPROF_EIO);
    has(error.message, "a thing needs libcurl");
    has(error.message, ", or leave it");
    has(error.message, "libcurl-of-nobody.so.9");
    has(error.message, "install the package libcurl4");
    /* A library, but another one. */
    assert_int_equal(libcurl_load(&api, other, "a thing", "", &error),
                     CPROF_EIO);
    has(error.message, "has no curl_global_init");
}

static void a_large_body_goes_to_a_file_and_comes_back(void **state)
{
    enum { PIECE = 65536, PIECES = 3 * SPOOL_MEMORY / PIECE };
    struct spool spool;
    char *piece = malloc(PIECE);

    (void)state;
    assert_non_null(piece);
    spool_init(&spool, "/tmp", SPOOL_MEMORY);
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < PIECES; i++) {
            memset(piece, i, PIECE);
            assert_true(spool_add(&spool, piece, PIECE));
        }
        assert_true(spool.fd >= 0);
        assert_int_equal(spool.size, (uint64_t)PIECES * PIECE);
        assert_int_equal(spool_peek(&spool, piece, 1), 1);
        assert_int_equal(piece[0], 0);
        for (int i = 0; i < PIECES; i++) {
            assert_int_equal(spool_read(&spool, piece, PIECE), PIECE);
            assert_int_equal(piece[0], (char)i);
            assert_int_equal(piece[PIECE - 1], (char)i);
        }
        assert_int_equal(spool_read(&spool, piece, PIECE), 0);
        spool_clear(&spool);
    }
    spool_done(&spool);
    free(piece);
}

static void without_a_folder_memory_is_used_up_to_a_bound(void **state)
{
    enum { PIECE = 65536 };
    struct spool spool;
    char *piece = calloc(1, PIECE);
    size_t n = 0;

    (void)state;
    assert_non_null(piece);
    spool_init(&spool, "/nowhere/at/all", (size_t)2 * SPOOL_MEMORY);
    while (n < 1000 && spool_add(&spool, piece, PIECE))
        n++;
    assert_int_equal(errno, ENOENT);
    assert_int_equal(n, 2 * SPOOL_MEMORY / PIECE);
    assert_int_equal(spool.fd, -1);
    spool_done(&spool);
    free(piece);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_answer_is_given_whole),
        cmocka_unit_test(what_broke_off_is_asked_for_again_from_the_start),
        cmocka_unit_test(attempts_end_with_their_number_and_with_the_time),
        cmocka_unit_test(what_will_not_pass_is_asked_once),
        cmocka_unit_test(a_few_run_at_a_time_and_not_far_ahead),
        cmocka_unit_test(requests_that_run_end_with_the_client),
        cmocka_unit_test(a_request_that_libcurl_does_not_take_ends),
        cmocka_unit_test(an_answer_may_not_be_larger_than_it_may),
        cmocka_unit_test(of_a_refusal_only_the_beginning_is_kept),
        cmocka_unit_test(credentials_go_into_the_request_and_nowhere_else),
        cmocka_unit_test(a_body_is_posted_and_not_redirected),
        cmocka_unit_test(a_post_is_tried_again_when_the_server_failed),
        cmocka_unit_test(a_post_that_is_refused_is_not_tried_again),
        cmocka_unit_test(a_get_waits_as_long_as_the_server_asks_for),
        cmocka_unit_test(of_an_answer_to_a_post_only_the_beginning_is_kept),
        cmocka_unit_test(a_receiver_has_options_of_its_own),
        cmocka_unit_test(each_failure_says_what_to_check),
        cmocka_unit_test(a_library_that_is_not_there_is_named_with_its_package),
        cmocka_unit_test(a_large_body_goes_to_a_file_and_comes_back),
        cmocka_unit_test(without_a_folder_memory_is_used_up_to_a_bound),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
