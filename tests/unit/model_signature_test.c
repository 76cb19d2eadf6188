#include <setjmp.h>
#include <stdarg.h>

#include "model/signature.h"

#include <cmocka.h>

static struct budget budget;
static struct symbols *symbols;

static int set_up(void **state)
{
    (void)state;
    budget_init(&budget, 0);
    return symbols_new(&symbols, &budget, NULL);
}

static int tear_down(void **state)
{
    (void)state;
    symbols_free(symbols);
    return 0;
}

enum { MOST_FRAMES = 8 };

/* A stack of functions, all in one file at one line. */
static stack_id stack_at(const char *const functions[MOST_FRAMES],
                         const char *file, uint32_t line)
{
    frame_id frames[MOST_FRAMES];
    size_t n = 0;

    for (; n < MOST_FRAMES && functions[n]; n++)
        frames[n] = symbols_frame_put(
            symbols, (struct frame){
                         symbols_function_put(symbols, str_from(functions[n])),
                         symbols_text_put(symbols, str_from(file)), line});
    return symbols_stack_put(symbols, frames, n, 0);
}

static struct signature_text sign(const char *const functions[MOST_FRAMES])
{
    return signature_text(
        signature_of_stack(symbols, stack_at(functions, "/m.go", 1)));
}

#define SIGN(...) sign((const char *const[MOST_FRAMES]){__VA_ARGS__}).text

/* People store signatures: these values must never change without a new
 * SIGNATURE_VERSION. */
static void signatures_never_change(void **state)
{
    (void)state;
    assert_string_equal(SIGN("main.main"), "c26143f5eccffdd73cf2aec8a00cdb5f");
    assert_string_equal(SIGN("github.com/gocolly/colly/v2.(*httpBackend).Do",
                             "github.com/gocolly/colly/v2.(*httpBackend).Cache",
                             "github.com/gocolly/colly/v2.(*Collector).fetch",
                             "github.com/gocolly/colly/v2.(*Collector).scrape"),
                        "2577a63ce073fe41cecb7bbca1a20981");
    assert_string_equal(SIGN("runtime.gopark", "runtime.goexit"),
                        "01af7f1dc1206d8a01151289cdaaddfa");
    assert_string_equal(SIGN(NULL), "bdc94bce2eda264dbc08dc21994df8a2");
}

static void the_runtime_and_wrappers_do_not_count(void **state)
{
    struct signature_text plain =
        sign((const char *const[MOST_FRAMES]){"main.f", "main.main.func1"});

    (void)state;
    assert_string_equal(SIGN("runtime.gopark", "runtime.chansend1", "main.f",
                             "main.main.func1", "runtime.goexit"),
                        plain.text);
    assert_string_equal(SIGN("main.f", "main.main.func1", "main.main.gowrap1"),
                        plain.text);
    assert_string_not_equal(SIGN("main.f", "main.main.func2"), plain.text);
    assert_string_not_equal(SIGN("main.f"), plain.text);
    assert_string_not_equal(SIGN("main.main.func1", "main.f"), plain.text);
}

static void vendoring_and_shapes_do_not_count(void **state)
{
    (void)state;
    assert_string_equal(SIGN("a.b/c.F[...]"), SIGN("a.b/c.F[go.shape.int]"));
    assert_string_equal(SIGN("a.b/c.F"), SIGN("d.e/f/vendor/a.b/c.F"));
    assert_string_equal(SIGN("a.b/c%2ev1.F"), SIGN("a.b/c.v1.F"));
}

static void names_do_not_run_together(void **state)
{
    (void)state;
    assert_string_not_equal(SIGN("main.ab", "c.d"), SIGN("main.a", "bc.d"));
    assert_string_not_equal(SIGN("main.a", "main.a"), SIGN("main.a"));
}

static void lines_change_the_id_but_not_the_signature(void **state)
{
    static const char *const functions[MOST_FRAMES] = {"main.f", "main.main"};
    stack_id a = stack_at(functions, "/m.go", 1);
    stack_id b = stack_at(functions, "/m.go", 2);
    stack_id c = stack_at(functions, "/n.go", 1);

    (void)state;
    assert_int_equal(signature_of_stack(symbols, a).low,
                     signature_of_stack(symbols, b).low);
    assert_int_equal(signature_of_stack(symbols, a).high,
                     signature_of_stack(symbols, c).high);
    assert_int_not_equal(
        group_id_of(symbols, a, STATE_SELECT, (struct str){0}).low,
        group_id_of(symbols, b, STATE_SELECT, (struct str){0}).low);
    assert_int_not_equal(
        group_id_of(symbols, a, STATE_SELECT, (struct str){0}).low,
        group_id_of(symbols, c, STATE_SELECT, (struct str){0}).low);
    assert_int_not_equal(
        group_id_of(symbols, a, STATE_SELECT, (struct str){0}).low,
        group_id_of(symbols, a, STATE_SLEEP, (struct str){0}).low);
    assert_int_not_equal(
        group_id_of(symbols, a, STATE_SELECT, (struct str){0}).low,
        group_id_of(symbols, a, STATE_SELECT, STR("heap")).low);
}

static void elided_frames_change_the_id_but_not_the_signature(void **state)
{
    static const char *const functions[MOST_FRAMES] = {"main.f"};
    stack_id whole = stack_at(functions, "/m.go", 1);
    struct stack view = symbols_stack(symbols, whole);
    stack_id cut = symbols_stack_put(symbols, view.frames, 1, 7);

    (void)state;
    assert_int_equal(signature_of_stack(symbols, whole).low,
                     signature_of_stack(symbols, cut).low);
    assert_int_not_equal(
        group_id_of(symbols, whole, STATE_SLEEP, (struct str){0}).low,
        group_id_of(symbols, cut, STATE_SLEEP, (struct str){0}).low);
}

static void the_order_of_arrival_does_not_count(void **state)
{
    struct signature_text before =
        sign((const char *const[MOST_FRAMES]){"main.x", "main.y"});

    tear_down(state);
    assert_int_equal(set_up(state), 0);
    sign((const char *const[MOST_FRAMES]){"main.z", "main.y"});
    assert_string_equal(SIGN("main.x", "main.y"), before.text);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(signatures_never_change),
        TEST(the_runtime_and_wrappers_do_not_count),
        TEST(vendoring_and_shapes_do_not_count),
        TEST(names_do_not_run_together),
        TEST(lines_change_the_id_but_not_the_signature),
        TEST(elided_frames_change_the_id_but_not_the_signature),
        TEST(the_order_of_arrival_does_not_count),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
