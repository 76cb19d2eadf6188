#include <setjmp.h>
#include <stdarg.h>

#include "model/name.h"

#include <cmocka.h>

struct example {
    const char *printed;
    const char *canonical;
};

static void expect_canonical(const struct example *examples, size_t count)
{
    struct buf buf = {0};

    for (size_t i = 0; i < count; i++) {
        buf_clear(&buf);
        name_canonical_add(&buf, str_from(examples[i].printed));
        assert_string_equal(buf.ptr, examples[i].canonical);
        /* A canonical name without a '%' is its own canonical form. */
        if (strchr(buf.ptr, '%'))
            continue;
        buf_clear(&buf);
        name_canonical_add(&buf, str_from(examples[i].canonical));
        assert_string_equal(buf.ptr, examples[i].canonical);
    }
    buf_done(&buf);
}

#define EXPECT_CANONICAL(examples)                                             \
 expect_canonical(examples, sizeof(examples) / sizeof((examples)[0]))

static void plain_names_stay_as_printed(void **state)
{
    static const struct example examples[] = {
        {"main.main", "main.main"},
        {"main.(*httpBackend).Do", "main.(*httpBackend).Do"},
        {"net/http.HandlerFunc.ServeHTTP", "net/http.HandlerFunc.ServeHTTP"},
        {"main.(*\xe6\x9c\x8d).\xc3\xbc", "main.(*\xe6\x9c\x8d).\xc3\xbc"},
        {"crosscall2", "crosscall2"},
        {"_cgoexp_644b576cdfca_goCallback", "_cgoexp_644b576cdfca_goCallback"},
        {"main._Cfunc_c_outer", "main._Cfunc_c_outer"},
        {"type..eq.struct { F uintptr }", "type..eq.struct { F uintptr }"},
        {"github.com/gocolly/colly/v2.(*httpBackend).Do",
         "github.com/gocolly/colly/v2.(*httpBackend).Do"},
    };

    (void)state;
    EXPECT_CANONICAL(examples);
}

static void closures_are_kept_as_printed(void **state)
{
    static const struct example examples[] = {
        {"main.main.func1", "main.main.func1"},
        {"main.nested.func1.1.1", "main.nested.func1.1.1"},
        {"main.glob..func1", "main.glob..func1"},
        {"main.init.0.func1", "main.init.0.func1"},
        {"main.rangeOver-range1-range1", "main.rangeOver-range1-range1"},
        {"main.x.func1\302\267dwrap\302\2671",
         "main.x.func1\302\267dwrap\302\2671"},
    };

    (void)state;
    EXPECT_CANONICAL(examples);
}

static void vendor_folders_are_cut(void **state)
{
    static const struct example examples[] = {
        {"vendor/golang.org/x/net/http2.(*Framer).ReadFrame",
         "golang.org/x/net/http2.(*Framer).ReadFrame"},
        {"github.com/acme/shop/vendor/github.com/foo/bar.Wait",
         "github.com/foo/bar.Wait"},
        {"a.b/vendor/c.d/vendor/e.f/g.H", "e.f/g.H"},
        {"github.com/my/vendor.Wait", "github.com/my/vendor.Wait"},
        {"github.com/myvendor/x.Wait", "github.com/myvendor/x.Wait"},
        {"main.T[a/vendor/b.C].F", "main.T[...].F"},
    };

    (void)state;
    EXPECT_CANONICAL(examples);
}

static void nothing_but_a_vendor_folder_keeps_its_name(void **state)
{
    static const struct example examples[] = {
        {"vendor/", "vendor/"},
        {"a/vendor/", "a/vendor/"},
    };

    (void)state;
    EXPECT_CANONICAL(examples);
}

static void escapes_of_the_import_path_are_decoded(void **state)
{
    static const struct example examples[] = {
        {"gopkg.in/acme/leaky%2ev3.(*Hub).Listen",
         "gopkg.in/acme/leaky.v3.(*Hub).Listen"},
        {"example.com/caf%c3%a9/a%22b.F", "example.com/caf\xc3\xa9/a\"b.F"},
        {"a.b/100%25.F", "a.b/100%.F"},
        {"a.b/c%2.F%2e", "a.b/c%2.F%2e"},
        {"a.b/c%zz.F", "a.b/c%zz.F"},
        {"a.b/c%", "a.b/c%"},
    };

    (void)state;
    EXPECT_CANONICAL(examples);
}

static void type_arguments_are_left_out(void **state)
{
    static const struct example examples[] = {
        {"main.WaitAny[...]", "main.WaitAny[...]"},
        {"main.(*Stack[go.shape.struct { main.v int },go.shape.func(int, "
         "int) (string, error)]).Pop",
         "main.(*Stack[...]).Pop"},
        {"main.Map[go.shape.[]int,go.shape.map[string]int].func1",
         "main.Map[...].func1"},
        {"a.b/c.F[d.e/f.T].G[int]", "a.b/c.F[...].G[...]"},
        {"main.Open[", "main.Open["},
        {"main.Open[[]", "main.Open[[]"},
        {"main.a]b[c]", "main.a]b[...]"},
    };

    (void)state;
    EXPECT_CANONICAL(examples);
}

struct parts {
    const char *name;
    const char *package;
    const char *symbol;
};

static void a_name_is_its_package_and_its_symbol(void **state)
{
    static const struct parts examples[] = {
        {"main.(*T).Do", "main", "(*T).Do"},
        {"net/http.(*conn).serve", "net/http", "(*conn).serve"},
        {"github.com/a.b/c.F", "github.com/a.b/c", "F"},
        {"gopkg.in/acme/leaky.v3.(*Hub).Listen", "gopkg.in/acme/leaky.v3",
         "(*Hub).Listen"},
        {"gopkg.in/yaml.v2.Unmarshal.func1", "gopkg.in/yaml.v2",
         "Unmarshal.func1"},
        {"github.com/nats-io/nats.go.(*Conn).readLoop",
         "github.com/nats-io/nats.go", "(*Conn).readLoop"},
        {"github.com/nats-io/nats.gopher", "github.com/nats-io/nats", "gopher"},
        {"main.v3.Run", "main", "v3.Run"},
        {"a.b/c.version.F", "a.b/c", "version.F"},
        {"main.F[...].func1", "main", "F[...].func1"},
        {"main.T[a.b/c].F", "main", "T[a.b/c].F"},
        {"crosscall2", "", "crosscall2"},
        {"", "", ""},
        {"a/b", "", "a/b"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(examples) / sizeof(examples[0]); i++) {
        struct str name = str_from(examples[i].name);

        assert_true(
            str_equal(name_package(name), str_from(examples[i].package)));
        assert_true(str_equal(name_symbol(name), str_from(examples[i].symbol)));
    }
}

static void the_standard_library_is_known_by_its_first_element(void **state)
{
    (void)state;
    assert_true(name_is_std(STR("net/http.(*conn).serve")));
    assert_true(name_is_std(STR("sync.(*Mutex).Lock")));
    assert_true(name_is_std(STR("internal/poll.runtime_pollWait")));
    assert_true(name_is_std(STR("database/sql.(*DB).conn")));
    assert_true(name_is_std(STR("crosscall2")));
    assert_false(name_is_std(STR("main.main")));
    assert_false(name_is_std(STR("golang.org/x/net/http2.(*Framer).F")));
    assert_false(name_is_std(STR("netproxy/http.Serve")));
    assert_false(name_is_std(STR("shop/net.Serve")));
}

static void the_runtime_is_told_from_packages_below_it(void **state)
{
    (void)state;
    assert_true(name_is_runtime(STR("runtime.gopark")));
    assert_true(name_is_runtime(STR("internal/runtime/maps.(*Map).Get")));
    assert_true(name_is_runtime(STR("runtime/internal/atomic.Load")));
    assert_true(name_is_runtime(STR("panic")));
    assert_false(name_is_runtime(STR("runtime/pprof.writeGoroutine")));
    assert_false(name_is_runtime(STR("internal/sync.(*Mutex).Lock")));
    assert_false(name_is_runtime(STR("runtimex.F")));
    assert_false(name_is_runtime(STR("main.main")));
}

static void wrappers_are_not_stable(void **state)
{
    (void)state;
    assert_true(name_is_unstable(STR("main.main.gowrap12")));
    assert_true(name_is_unstable(STR("main.main.deferwrap1")));
    assert_true(name_is_unstable(STR("main.(*T).M-fm")));
    assert_true(name_is_unstable(STR("main.x.func1\302\267dwrap\302\2671")));
    assert_true(name_is_unstable(STR("runtime.goexit")));
    assert_false(name_is_unstable(STR("main.main.func1")));
    assert_false(name_is_unstable(STR("main.gowrapper")));
    assert_false(name_is_unstable(STR("main.mygowrap1")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_names_stay_as_printed),
        cmocka_unit_test(closures_are_kept_as_printed),
        cmocka_unit_test(vendor_folders_are_cut),
        cmocka_unit_test(nothing_but_a_vendor_folder_keeps_its_name),
        cmocka_unit_test(escapes_of_the_import_path_are_decoded),
        cmocka_unit_test(type_arguments_are_left_out),
        cmocka_unit_test(a_name_is_its_package_and_its_symbol),
        cmocka_unit_test(the_standard_library_is_known_by_its_first_element),
        cmocka_unit_test(the_runtime_is_told_from_packages_below_it),
        cmocka_unit_test(wrappers_are_not_stable),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
