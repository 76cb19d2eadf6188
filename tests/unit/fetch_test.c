/* Addresses as sources: what is read, and what servers answer instead. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "fetch/fetch.h"
#include "support/fake_curl.h"

#include <cmocka.h>

static struct fetch *fetch;
static struct cprof_error error;

static void start(const struct fake_attempt *attempts, size_t count,
                  const struct http_options *options)
{
    error = (struct cprof_error){0};
    fake_begin(attempts, count);
    assert_int_equal(fetch_new(&fetch, fake_api(), options, &error), 0);
}

static size_t add(const char *text, enum fetch_what what)
{
    struct address_options options = {.debug = ADDRESS_DEBUG_UNSET};
    struct address address;
    size_t number = SIZE_MAX;

    assert_int_equal(address_parse(&address, text, &options, &error), 0);
    assert_int_equal(fetch_add(fetch, &address, what, &number, &error), 0);
    address_done(&address);
    return number;
}

static void stop(void)
{
    fetch_free(fetch);
    assert_int_equal(fake_n_open(), 0);
}

static void answers_are_sources_in_their_order(void **state)
{
    const struct fake_attempt attempts[] = {
        {.status = 200, .body = "first", .turns = 5},
        {.status = 200, .body = "second"},
        {.status = 200, .body = "leaks"}};
    static const char *const bodies[] = {"first", "second", "leaks"};
    struct http_options options = fake_options(0);
    struct source source;
    char bytes[16];

    (void)state;
    start(attempts, 3, &options);
    add("a:1", FETCH_PROFILE);
    add("b:1", FETCH_PROFILE);
    add("a:1", FETCH_LEAKS);
    for (size_t i = 0; i < 3; i++) {
        ptrdiff_t n;

        assert_int_equal(fetch_open(fetch, i, &source, NULL, &error), 0);
        n = source.read(source.user, bytes, sizeof(bytes));
        assert_int_equal(n, strlen(bodies[i]));
        assert_memory_equal(bytes, bodies[i], strlen(bodies[i]));
        assert_int_equal(source.read(source.user, bytes, sizeof(bytes)), 0);
        fetch_drop(fetch, i);
    }
    assert_string_equal(fake_asked(2)->url,
                        "http://a:1/debug/pprof/goroutineleak?debug=1");
    stop();
}

/* The message for an answer that is no profile, which must have all texts. */
static void refuses(struct fake_attempt attempt, const char *user,
                    const char *const *says)
{
    struct http_options options = fake_options(0);
    struct source source;

    options.user = user;
    start(&attempt, 1, &options);
    add("h:1", FETCH_PROFILE);
    assert_int_equal(fetch_open(fetch, 0, &source, NULL, &error), CPROF_EIO);
    assert_string_equal(error.source, "http://h:1/debug/pprof/goroutine");
    assert_null(strchr(error.message, '\n'));
    for (size_t i = 0; i < 3 && says[i]; i++) {
        if (!strstr(error.message, says[i]))
            fail_msg("'%s' has no '%s'", error.message, says[i]);
    }
    stop();
}

static void what_is_no_profile_is_quoted_with_its_cause(void **state)
{
    static const struct {
        struct fake_attempt attempt;
        const char *user;
        const char *says[3];
    } cases[] = {
        {{.status = 404, .body = "404 page not found\n"},
         NULL,
         {"status 404, '404 page not found'", "import net/http/pprof"}},
        {{.status = 404, .body = "Unknown profile\n"},
         NULL,
         {"no profile of that name"}},
        {{.status = 400,
          .body = "Client sent an HTTP request to an HTTPS server.\n"},
         NULL,
         {"status 400", "speaks TLS", "https://"}},
        {{.status = 401}, NULL, {"status 401:", "--user-file"}},
        {{.status = 401}, "ann:hunter2", {"does not take these credentials"}},
        {{.status = 403, .body = "\n\n  {\"error\":\"forbidden\"}\n"},
         NULL,
         {"'{\"error\":\"forbidden\"}'", "may not see"}},
        {{.status = 502, .body = "<html>\r\n<head>"},
         NULL,
         {"'<html>'", "a proxy"}},
        {{.status = 500, .body = "a\033[31mb"}, NULL, {"a\\x1b[31mb", "log"}},
        {{.status = 418, .body = "tea"}, NULL, {"418, 'tea'", "no profile"}},
        {{.status = 200}, NULL, {"status 200 and no body"}},
        {{.status = 204}, NULL, {"status 204 and no body"}},
        {{.status = 200, .url = "http://u:p@sso/login?t=1"},
         NULL,
         {"redirected to http://sso/login?...: ", "no body"}},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        refuses(cases[i].attempt, cases[i].user, cases[i].says);
        assert_null(strstr(error.message, "hunter2"));
    }
}

static void a_profile_that_the_program_lacks_is_absent(void **state)
{
    const struct fake_attempt attempts[] = {
        {.status = 404, .body = "Unknown profile\n"},
        {.status = 404, .body = "404 page not found\n"}};
    struct http_options options = fake_options(0);
    struct source source;
    bool is_absent = false;

    (void)state;
    start(attempts, 2, &options);
    add("h:1", FETCH_LEAKS);
    add("h:1", FETCH_LEAKS);
    assert_int_equal(fetch_open(fetch, 0, &source, &is_absent, &error),
                     CPROF_EIO);
    assert_true(is_absent);
    assert_int_equal(fetch_open(fetch, 1, &source, &is_absent, &error),
                     CPROF_EIO);
    assert_false(is_absent);
    stop();
}

static void nobody_knows_the_leak_profile_beside_any_path(void **state)
{
    struct address_options options = {.debug = ADDRESS_DEBUG_UNSET};
    struct http_options http = fake_options(0);
    struct address address;
    size_t number;

    (void)state;
    start(NULL, 0, &http);
    assert_int_equal(address_parse(&address, "h:1/dump", &options, &error), 0);
    assert_int_equal(fetch_add(fetch, &address, FETCH_LEAKS, &number, &error),
                     CPROF_EUSAGE);
    assert_string_equal(error.source, "http://h:1/dump");
    address_done(&address);
    stop();
}

static void an_error_says_where_redirects_led_to(void **state)
{
    const struct fake_attempt attempts[] = {
        {.status = 200, .body = "<html>", .url = "http://sso:2/login"},
        {.status = 200, .body = "<html>"}};
    struct http_options options = fake_options(0);
    struct source source;

    (void)state;
    start(attempts, 2, &options);
    for (size_t i = 0; i < 2; i++) {
        add("h:1", FETCH_PROFILE);
        assert_int_equal(fetch_open(fetch, i, &source, NULL, NULL), 0);
        error_set(&error, CPROF_EFORMAT, (struct place){"h", 1, 0}, "no dump");
        fetch_say_way(fetch, i, &error);
        assert_string_equal(error.message,
                            i == 0 ? "redirected to http://sso:2/login: no dump"
                                   : "no dump");
        assert_int_equal(error.code, CPROF_EFORMAT);
        assert_string_equal(error.source, "h");
        assert_int_equal(error.line, 1);
    }
    stop();
}

static void a_query_is_not_repeated_by_an_answer(void **state)
{
    static const struct {
        const char *address;
        const char *body;
        const char *shown;
    } cases[] = {
        {"h:1/p?token=s3cretpw", "GET /p?token=s3cretpw HTTP/1.1",
         "'GET /p?*** HTTP/1.1'"},
        {"h:1/p?debug=2&key=s3cretpw", "no s3cretpw for debug=2",
         "'no *** for debug=2'"},
        {"h:1/p?s3cretpw", "s3cretpw is unknown", "'*** is unknown'"},
        {"h:1/p?token=a%2fb%3dcd", "a/b=cd or a%2Fb%3Dcd", "'*** or ***'"},
        {"h:1/p?pin=123", "123 is no pin", "'123 is no pin'"},
        {"h:1/p?debug=2", "/p?debug=2", "'/p?debug=2'"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct fake_attempt attempt = {.status = 401, .body = cases[i].body};
        struct http_options options = fake_options(0);
        struct source source;

        start(&attempt, 1, &options);
        add(cases[i].address, FETCH_PROFILE);
        assert_int_equal(fetch_open(fetch, 0, &source, NULL, &error),
                         CPROF_EIO);
        if (!strstr(error.message, cases[i].shown))
            fail_msg("'%s' has no %s", error.message, cases[i].shown);
        assert_non_null(strstr(error.message, "--user-file"));
        error_set(&error, CPROF_EFORMAT, (struct place){0}, "no dump: '%s'",
                  cases[i].body);
        fetch_hide(fetch, &error);
        assert_non_null(strstr(error.message, cases[i].shown));
        stop();
    }
}

/* Where a login led to, its query is as secret. */
static void the_query_of_a_redirect_is_not_repeated(void **state)
{
    struct fake_attempt attempt = {.status = 403,
                                   .body = "GET /login?next=s3cretpw",
                                   .url = "http://sso/login?next=s3cretpw"};
    struct http_options options = fake_options(0);
    struct source source;

    (void)state;
    start(&attempt, 1, &options);
    add("h:1", FETCH_PROFILE);
    assert_int_equal(fetch_open(fetch, 0, &source, NULL, &error), CPROF_EIO);
    assert_non_null(strstr(error.message, "'GET /login?***'"));
    stop();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_are_sources_in_their_order),
        cmocka_unit_test(what_is_no_profile_is_quoted_with_its_cause),
        cmocka_unit_test(a_profile_that_the_program_lacks_is_absent),
        cmocka_unit_test(nobody_knows_the_leak_profile_beside_any_path),
        cmocka_unit_test(an_error_says_where_redirects_led_to),
        cmocka_unit_test(a_query_is_not_repeated_by_an_answer),
        cmocka_unit_test(the_query_of_a_redirect_is_not_repeated),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
