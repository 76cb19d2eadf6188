/* What users write for an address, and what is asked, shown and refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "fetch/address.h"

#include <cmocka.h>

static struct cprof_error error;

static void parse(struct address *ret, const char *text, int debug)
{
    struct address_options options = {.debug = debug};

    if (address_parse(ret, text, &options, &error) != 0)
        fail_msg("%s: %s", text, error.message);
}

static void the_form_decides_what_is_an_address(void **state)
{
    static const char *const sure[] = {"http://h", "HTTPS://h:1/p", "unix:/s"};
    static const char *const perhaps[] = {"localhost:6060", ":6060",
                                          "10.0.0.1:80/debug/pprof/",
                                          "[::1]:6060", "api_1.x-y:65535"};
    static const char *const files[] = {
        "dump.txt",   "-",       "a/b:1",    "host",      "host:", "host:0",
        "host:65536", "host:1x", "c:\\dump", "ftp://h:1", "./h:1", ""};
    bool is_sure;

    (void)state;
    for (size_t i = 0; i < sizeof(sure) / sizeof(sure[0]); i++) {
        assert_true(address_looks(str_from(sure[i]), &is_sure));
        assert_true(is_sure);
    }
    for (size_t i = 0; i < sizeof(perhaps) / sizeof(perhaps[0]); i++) {
        assert_true(address_looks(str_from(perhaps[i]), &is_sure));
        assert_false(is_sure);
    }
    for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
        assert_false(address_looks(str_from(files[i]), &is_sure));
}

static void paths_are_completed(void **state)
{
    static const struct {
        const char *text;
        const char *url;
        const char *instance;
    } cases[] = {
        {"h:6060", "http://h:6060/debug/pprof/goroutine", "h:6060"},
        {":6060", "http://localhost:6060/debug/pprof/goroutine",
         "localhost:6060"},
        {"http://h", "http://h/debug/pprof/goroutine", "h"},
        {"HTTPS://h:1/", "https://h:1/debug/pprof/goroutine", "h:1"},
        {"http://h/admin/debug/pprof", "http://h/admin/debug/pprof/goroutine",
         "h"},
        {"http://h/admin/debug/pprof/", "http://h/admin/debug/pprof/goroutine",
         "h"},
        {"h:1/debug/pprof/heap", "http://h:1/debug/pprof/heap", "h:1"},
        {"http://h/log.txt#L3", "http://h/log.txt", "h"},
        {"http://h?debug=2", "http://h/debug/pprof/goroutine?debug=2", "h"},
        {"http://[::1]:6060/", "http://[::1]:6060/debug/pprof/goroutine",
         "[::1]:6060"},
    };
    struct address address;

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        parse(&address, cases[i].text, ADDRESS_DEBUG_UNSET);
        assert_string_equal(address.url, cases[i].url);
        assert_string_equal(address.name, cases[i].url);
        assert_string_equal(address.instance, cases[i].instance);
        assert_null(address.socket);
        address_done(&address);
    }
}

static void a_form_is_asked_for_where_no_query_asks(void **state)
{
    struct address address;

    (void)state;
    parse(&address, "h:1", 2);
    assert_string_equal(address.url,
                        "http://h:1/debug/pprof/goroutine?debug=2");
    assert_string_equal(address.leak_url,
                        "http://h:1/debug/pprof/goroutineleak?debug=1");
    address_done(&address);
    parse(&address, "h:1", 0);
    assert_string_equal(address.url, "http://h:1/debug/pprof/goroutine");
    address_done(&address);
    parse(&address, "h:1/x/goroutine?debug=1", 2);
    assert_string_equal(address.url, "http://h:1/x/goroutine?debug=1");
    assert_string_equal(address.leak_url, "http://h:1/x/goroutineleak?debug=1");
    address_done(&address);
    parse(&address, "h:1/dump", ADDRESS_DEBUG_UNSET);
    assert_null(address.leak_url);
    address_done(&address);
}

static void sockets_have_a_path_of_their_own(void **state)
{
    struct address_options options = {.debug = ADDRESS_DEBUG_UNSET,
                                      .socket = "/run/x.sock"};
    struct address address;

    (void)state;
    parse(&address, "unix:/run/api.sock", ADDRESS_DEBUG_UNSET);
    assert_string_equal(address.socket, "/run/api.sock");
    assert_string_equal(address.url, "http://localhost/debug/pprof/goroutine");
    assert_string_equal(address.name,
                        "unix:/run/api.sock:/debug/pprof/goroutine");
    assert_string_equal(address.instance, "/run/api.sock");
    address_done(&address);
    parse(&address, "unix:/run/api.sock:/pprof/?debug=1", ADDRESS_DEBUG_UNSET);
    assert_string_equal(address.url,
                        "http://localhost/pprof/goroutine?debug=1");
    assert_string_equal(address.leak_name,
                        "unix:/run/api.sock:/pprof/goroutineleak?debug=1");
    address_done(&address);
    assert_int_equal(address_parse(&address, "http://api/", &options, &error),
                     0);
    assert_string_equal(address.socket, "/run/x.sock");
    assert_string_equal(address.instance, "api");
    address_done(&address);
}

static void secrets_in_an_address_are_never_shown(void **state)
{
    struct address_options options = {.debug = ADDRESS_DEBUG_UNSET};
    struct address address;
    struct buf shown = {0};

    (void)state;
    assert_int_equal(
        address_parse(&address, "http://ann:hunter2@h:1/p", &options, &error),
        CPROF_EUSAGE);
    assert_null(strstr(error.message, "hunter2"));
    assert_non_null(strstr(error.message, "h:1"));
    assert_non_null(strstr(error.message, "--user-file"));
    assert_int_equal(
        address_parse(&address, "http://ann:hunt/er2@h:1/p", &options, &error),
        CPROF_EUSAGE);
    assert_null(strstr(error.message, "er2@"));
    assert_int_equal(
        address_parse(&address, "http://h/?token=hunter2 ", &options, &error),
        CPROF_EUSAGE);
    assert_null(strstr(error.message, "hunter2"));
    parse(&address, "http://h/p?token=hunter2&debug=1", ADDRESS_DEBUG_UNSET);
    assert_string_equal(address.url, "http://h/p?token=hunter2&debug=1");
    assert_string_equal(address.name, "http://h/p?...");
    address_done(&address);
    parse(&address, "http://h/p?debug=1&seconds=5", ADDRESS_DEBUG_UNSET);
    assert_string_equal(address.name, "http://h/p?debug=1&seconds=5");
    address_done(&address);
    address_add_shown(&shown, STR("http://a:b@c@h:1/login?next=x#y"));
    assert_string_equal(shown.ptr, "http://h:1/login?...");
    buf_done(&shown);
}

/* A text that is no address, or one that is wrong. */
static void odd_spellings_of_a_password_are_refused_unseen(void **state)
{
    static const char *const files[] = {
        "//u:hunter2@h:1/ok",    "///u:hunter2@h:1",     "http//u:hunter2@h/",
        "http:/u:hunter2@h/",    "u:hunter2%40h/",       "u%3Ahunter2%40h",
        "u%3ahunter2@h/p",       "hunter2%40h:1",        "//hunter2@h:1/",
        "bob:hunt//er2@h:1",     "ftp://u:hunter2%40h/", "ftp://u:hunter2",
        "ftp://u:hunter2@h%40x/"};
    static const char *const sure[] = {
        "http://u:hunter2%40h/", "http://u:hunter2%40h:1/p?x",
        "http://u:x@hunter2%40h/", "https://u%3Ahunter2%40h"};
    static const char *const paths[] = {"//srv/dumps/a:b@c", "a/b%40c",
                                        "someone@somewhere", "a%40b", "//h/a"};
    struct address_options options = {.debug = ADDRESS_DEBUG_UNSET};
    struct address address;

    (void)state;
    for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
        if (address_refuse(files[i], &error) != CPROF_EUSAGE)
            fail_msg("'%s' was taken", files[i]);
        assert_null(strstr(error.message, "hunt"));
        assert_null(strstr(error.message, "er2"));
    }
    for (size_t i = 0; i < sizeof(sure) / sizeof(sure[0]); i++) {
        if (address_parse(&address, sure[i], &options, &error) != CPROF_EUSAGE)
            fail_msg("'%s' was taken", sure[i]);
        assert_null(strstr(error.message, "hunter2"));
        assert_non_null(strstr(error.message, "--user-file"));
    }
    for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++)
        assert_int_equal(address_refuse(paths[i], &error), 0);
}

static void what_is_wrong_is_said(void **state)
{
    static const char *const wrong[] = {
        "http://",       "http:///p",      "http://h:x/",  "http://h:99999/",
        "http://h/a b",  "http://h/\n",    "http://[::1/", "unix:",
        "http://[a b]/", "http://h:1:2/p", "http://a b/p", "https://h:/p",
        "unix::/p"};
    struct address_options options = {.debug = ADDRESS_DEBUG_UNSET};
    struct address address;

    (void)state;
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        error.message[0] = '\0';
        if (address_parse(&address, wrong[i], &options, &error) != CPROF_EUSAGE)
            fail_msg("'%s' was taken", wrong[i]);
        assert_true(error.message[0]);
        assert_null(strchr(error.message, '\n'));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_form_decides_what_is_an_address),
        cmocka_unit_test(paths_are_completed),
        cmocka_unit_test(a_form_is_asked_for_where_no_query_asks),
        cmocka_unit_test(sockets_have_a_path_of_their_own),
        cmocka_unit_test(secrets_in_an_address_are_never_shown),
        cmocka_unit_test(odd_spellings_of_a_password_are_refused_unseen),
        cmocka_unit_test(what_is_wrong_is_said),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
