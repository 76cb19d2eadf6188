#include <setjmp.h>
#include <stdarg.h>

#include "model/source_link.h"

#include <cmocka.h>

static struct buf template;
static struct buf link;

static int tear_down(void **state)
{
    (void)state;
    buf_done(&template);
    buf_done(&link);
    return 0;
}

/* What a value of the option makes of a place; "none" when there is no link. */
static const char *link_of(const char *value, const char *function,
                           const char *file, uint32_t line)
{
    const char *problem;

    buf_clear(&template);
    buf_clear(&link);
    problem = source_link_expand(&template, str_from(value));
    if (problem)
        fail_msg("%s: %s", value, problem);
    return source_link_add(&link, buf_str(&template),
                           &(struct source_line){.function = str_from(function),
                                                 .file = str_from(file),
                                                 .line = line})
               ? link.ptr
               : "none";
}

static void refuse(const char *value)
{
    buf_clear(&template);
    assert_non_null(source_link_expand(&template, str_from(value)));
    assert_int_equal(template.len, 0);
}

static void a_repository_has_paths_by_the_package(void **state)
{
    static const char shop[] = "github:acme/shop@v1.2";

    (void)state;
    assert_string_equal(
        link_of(shop, "github.com/acme/shop/internal/cart.(*Cart).Add",
                "/build/x/internal/cart/cart.go", 12),
        "https://github.com/acme/shop/blob/v1.2/internal/cart/cart.go#L12");
    assert_string_equal(
        link_of(shop, "github.com/acme/shop.New", "C:\\src\\shop.go", 3),
        "https://github.com/acme/shop/blob/v1.2/shop.go#L3");
    assert_string_equal(
        link_of(shop, "github.com/acme/shop/v2/cart.Add",
                "/go/pkg/mod/x/cart/add.go", 7),
        "https://github.com/acme/shop/blob/v1.2/cart/add.go#L7");
}

static void package_main_has_a_path_by_its_folder(void **state)
{
    static const char shop[] = "github:acme/shop";

    (void)state;
    assert_string_equal(
        link_of(shop, "main.run", "/builds/acme/shop/cmd/shop/main.go", 9),
        "https://github.com/acme/shop/blob/HEAD/cmd/shop/main.go#L9");
    assert_string_equal(
        link_of(shop, "main.run", "github.com/acme/shop/cmd/main.go", 9),
        "https://github.com/acme/shop/blob/HEAD/cmd/main.go#L9");
    assert_string_equal(link_of(shop, "main.run", "/src/other/main.go", 9),
                        "none");
    assert_string_equal(link_of(shop, "main.run", "/src/workshop/main.go", 9),
                        "none");
}

static void a_path_that_is_known_is_taken(void **state)
{
    struct source_line source = {.function = STR("net/http.Serve"),
                                 .file = STR("/go/src/x/serve.go"),
                                 .path = STR("x/serve.go"),
                                 .line = 5};

    (void)state;
    buf_clear(&link);
    assert_true(
        source_link_add(&link, STR("https://x.org/{path:m}#{line}"), &source));
    assert_string_equal(link.ptr, "https://x.org/x/serve.go#5");
}

static void code_of_others_is_not_linked_to_a_repository(void **state)
{
    static const char shop[] = "github:acme/shop";

    (void)state;
    assert_string_equal(link_of(shop, "net/http.(*conn).serve",
                                "/shop/go/src/net/http/x.go", 1),
                        "none");
    assert_string_equal(link_of(shop, "github.com/acme/shopper.Run",
                                "/go/pkg/mod/github.com/acme/shopper/x.go", 1),
                        "none");
    assert_string_equal(
        link_of(shop, "github.com/other/lib.Run",
                "/build/shop/vendor/github.com/other/lib/x.go", 1),
        "https://github.com/acme/shop/blob/HEAD/vendor/github.com/other/lib/"
        "x.go#L1");
}

static void a_group_of_gitlab_may_be_deep(void **state)
{
    (void)state;
    assert_string_equal(
        link_of("gitlab:a/b/c@main", "gitlab.com/a/b/c/x.F", "/x/f.go", 2),
        "https://gitlab.com/a/b/c/-/blob/main/x/f.go#L2");
}

static void an_editor_opens_the_file(void **state)
{
    (void)state;
    assert_string_equal(link_of("vscode", "main.f", "/src/a b.go", 0),
                        "vscode://file/src/a%20b.go:1");
    assert_string_equal(link_of("vscode", "main.f", "C:\\src\\a.go", 4),
                        "vscode://file/C:/src/a.go:4");
    assert_string_equal(link_of("idea", "main.f", "/src/a.go", 4),
                        "idea://open?file=/src/a.go&line=4");
    assert_string_equal(link_of("vscode", "main.f", "", 4), "none");
}

static void what_is_filled_in_cannot_leave_its_place(void **state)
{
    (void)state;
    assert_string_equal(
        link_of("https://x.org/{package}/{function}?{file}", "a.b/c.F<\"&#'>",
                "\xff?\n{line}", 4),
        "https://x.org/a.b/c/a.b/c.F%3C%22%26%23%27%3E?%FF%3F%0A%7Bline%7D");
}

static void other_schemes_and_broken_templates_are_refused(void **state)
{
    (void)state;
    refuse("");
    refuse("javascript:alert(1)//{file}");
    refuse("javascript://x/{file}");
    refuse("data://x/{file}");
    refuse("file:///{file}");
    refuse("HTTPS://x.org/{file}");
    refuse("//x.org/{file}");
    refuse("https://x.org/");
    refuse("https://x.org/{line}");
    refuse("https://x.org/{file");
    refuse("https://x.org/file}{file}");
    refuse("https://x.org/{file}{name}");
    refuse("https://x.org/{path:}");
    refuse("https://x.org/\"{file}");
    refuse("https://x.org/ {file}");
    refuse("github:acme");
    refuse("github:acme@a/b");
    refuse("gitlab:");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_repository_has_paths_by_the_package),
        cmocka_unit_test(package_main_has_a_path_by_its_folder),
        cmocka_unit_test(a_path_that_is_known_is_taken),
        cmocka_unit_test(code_of_others_is_not_linked_to_a_repository),
        cmocka_unit_test(a_group_of_gitlab_may_be_deep),
        cmocka_unit_test(an_editor_opens_the_file),
        cmocka_unit_test(what_is_filled_in_cannot_leave_its_place),
        cmocka_unit_test(other_schemes_and_broken_templates_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, tear_down);
}
