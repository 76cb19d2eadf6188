/* Which functions belong together. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/scopes.h"

#include <cmocka.h>

static void functions_of_one_type_or_closure_family_share_a_scope(void **state)
{
    static const char *const same[][2] = {
        {"main.(*cache).Get", "main.(*cache).refresh"},
        {"main.(*cache).Get", "main.cache.Len"},
        {"main.(*cache).Get", "main.(*cache).Get.func1"},
        {"main.(*box[...]).Load", "main.(*box[...]).Store"},
        {"main.run", "main.run.func2.1"},
        {"main.run[...]", "main.run[...].func1"},
        {"a.com/x/v2.(*T).f", "a.com/x/v2.(*T).g"},
    };
    static const char *const different[][2] = {
        {"main.(*cache).Get", "main.(*conf).Get"},
        {"main.(*cache).Get", "other.(*cache).Get"},
        {"main.run", "main.walk"},
        {"a.com/x.(*T).f", "a.com/y.(*T).f"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(same) / sizeof(same[0]); i++)
        assert_true(scope_of(str_from(same[i][0])) ==
                    scope_of(str_from(same[i][1])));
    for (size_t i = 0; i < sizeof(different) / sizeof(different[0]); i++)
        assert_false(scope_of(str_from(different[i][0])) ==
                     scope_of(str_from(different[i][1])));
    assert_int_equal(scope_of((struct str){0}), 0);
}

static void closures_lead_to_the_function_around_them(void **state)
{
    static const char *const examples[][2] = {
        {"main.run.func2", "main.run"},
        {"main.run.func2.1", "main.run.func2"},
        {"main.(*T).f.gowrap1", "main.(*T).f"},
        {"main.(*T).f.deferwrap3", "main.(*T).f"},
        {"main.(*T).f.func1.2.3", "main.(*T).f.func1.2"},
        {"main.run", ""},
        {"main.run2", ""},
        {"main.func1", "main"},
        {"main.(*T).f", ""},
        {"", ""},
        {"12", ""},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(examples) / sizeof(examples[0]); i++)
        assert_true(str_equal(closure_parent(str_from(examples[i][0])),
                              str_from(examples[i][1])));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(functions_of_one_type_or_closure_family_share_a_scope),
        cmocka_unit_test(closures_lead_to_the_function_around_them),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
