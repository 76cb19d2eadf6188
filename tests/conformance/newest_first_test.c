/* Dumps in logs that list their newest line first. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "corpus.h"
#include "texts.h"

#include <cmocka.h>

static bool has_code(const struct answer *answer, const char *code)
{
    const json_t *diagnostics = get_array(answer->json, "diagnostics");

    for (size_t i = 0; i < json_array_size(diagnostics); i++) {
        if (strcmp(get_text(json_array_get(diagnostics, i), "code"), code) == 0)
            return true;
    }
    return false;
}

static void assert_turned_same(const struct dump *dump)
{
    struct text turned = {0};
    struct answer answer;

    text_add_turned(&turned, dump->text, dump->len);
    answer = run_bytes(turned.bytes, turned.len, 0);
    if (!has_code(&answer, "newest-first"))
        fail_msg("%s: not recognised", dump->name);
    if (!json_equal(get_array(answer.json, "groups"),
                    get_array(dump->answer.json, "groups")))
        fail_msg("%s: other groups", dump->name);
    answer_done(&answer);
    free(turned.bytes);
}

static void every_dump_can_be_turned_round(void **state)
{
    const struct corpus *all = corpus();
    size_t n = 0;

    (void)state;
    for (size_t i = 0; i < all->count; i++) {
        const struct dump *dump = &all->dumps[i];

        if (!dump->is_goroutines ||
            json_array_size(get_array(dump->answer.json, "groups")) == 0)
            continue;
        assert_turned_same(dump);
        n++;
    }
    assert_true(n > 100);
}

static void no_dump_is_taken_for_a_turned_one(void **state)
{
    const struct corpus *all = corpus();

    (void)state;
    for (size_t i = 0; i < all->count; i++) {
        if (all->dumps[i].answer.json &&
            has_code(&all->dumps[i].answer, "newest-first"))
            fail_msg("%s", all->dumps[i].name);
    }
}

/* Line numbers are those of the log: its last line holds the title. */
static void places_are_those_of_the_log(void **state)
{
    const struct dump *dump =
        corpus_dump("chan_send_leak/1.24/chan_send_leak.debug1.txt");
    struct text turned = {0};
    struct answer answer;
    long long n_lines = 0;

    (void)state;
    text_add_turned(&turned, dump->text, dump->len);
    for (size_t i = 0; i < turned.len; i++)
        n_lines += turned.bytes[i] == '\n';
    answer = run_bytes(turned.bytes, turned.len, 1);
    assert_int_equal(
        get_number(json_array_get(get_array(answer.json, "snapshots"), 0),
                   "line"),
        n_lines);
    answer_done(&answer);
    free(turned.bytes);
}

/* What does not fit is left out, and said to be. */
static void a_log_larger_than_memory_is_read_in_part(void **state)
{
    const struct dump *dump =
        corpus_dump("chan_send_leak/1.24/chan_send_leak.debug2.txt");
    const char *arguments[] = {"-o", "json", "--max-memory=4MiB", "-", NULL};
    struct text turned = {0};
    struct feed feed = {0};
    struct answer answer;

    (void)state;
    while (turned.len < 8 * 1024 * 1024)
        text_add_turned(&turned, dump->text, dump->len);
    feed = (struct feed){turned.bytes, turned.len, 0};
    answer = run(&feed, arguments);
    assert_non_null(strstr(answer.text, "\"memory-limit\""));
    assert_int_equal(
        get_number(get_object(answer.json, "summary"), "goroutines"),
        get_number(get_object(dump->answer.json, "summary"), "goroutines"));
    answer_done(&answer);
    free(turned.bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_dump_can_be_turned_round),
        cmocka_unit_test(no_dump_is_taken_for_a_turned_one),
        cmocka_unit_test(places_are_those_of_the_log),
        cmocka_unit_test(a_log_larger_than_memory_is_read_in_part),
    };

    return cmocka_run_group_tests(tests, corpus_setup, corpus_teardown);
}
