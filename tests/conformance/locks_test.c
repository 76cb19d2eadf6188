/* Who holds what others wait for, and who waits in a circle: programs that were
 * made to be stuck in a known way (fixtures/programs/locks), and the corpus. A
 * rule that matches every place shows the holder of each. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"

#include <cmocka.h>

static const char *const forms[] = {"debug2.txt", "debug1.txt", "debug0.pb.gz"};

static json_t *truth;

static int set_up(void **state)
{
    size_t len = 0;
    char *text = read_file(fixture("locks/truth.json"), &len);

    (void)state;
    truth = json_loads(text, 0, NULL);
    free(text);
    return truth ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    json_decref(truth);
    return 0;
}

static struct answer ask(const char *path)
{
    const char *const arguments[] = {"-o",      "json",
                                     "--all",   "--no-builtin-rules",
                                     "--rules", fixture("locks/rules.yaml"),
                                     path,      NULL};
    struct answer answer = run(NULL, arguments);

    assert_non_null(answer.json);
    return answer;
}

/* Whether a place of an answer is one of the truth. */
static bool is_place(const json_t *place, const json_t *wanted)
{
    return strcmp(get_text(place, "function"), get_text(wanted, "function")) ==
               0 &&
           ends_with(get_text(place, "file"), get_text(wanted, "file")) &&
           get_number(place, "line") == get_number(wanted, "line");
}

/* The holder of what waits at a place; fails when nothing waits there. */
static const json_t *holder_at(const struct answer *answer, const char *name,
                               const json_t *place)
{
    const json_t *findings = get_array(answer->json, "findings");

    for (size_t i = 0; i < json_array_size(findings); i++) {
        const json_t *finding = json_array_get(findings, i);
        const json_t *site = json_object_get(finding, "site");

        if (json_is_object(site) && is_place(site, place))
            return get_object(finding, "holder");
    }
    fail_msg("%s: nothing waits in %s", name, get_text(place, "function"));
    return NULL;
}

/* A number that not every scenario has. */
static long long optional(const json_t *wanted, const char *key,
                          long long otherwise)
{
    const json_t *number = json_object_get(wanted, key);

    return number ? json_integer_value(number) : otherwise;
}

static void check_holder(const char *name, const char *form,
                         const json_t *wanted, const json_t *holder)
{
    const json_t *who = json_object_get(wanted, "holder");
    const json_t *holders = get_array(holder, "holders");
    const json_t *first = json_array_get(holders, 0);
    bool has_addresses = strcmp(form, "debug2.txt") == 0;

    if (json_is_null(who)) {
        assert_int_equal(0, json_array_size(holders));
        assert_int_equal(0, get_number(holder, "count"));
        return;
    }
    if (!first)
        fail_msg("%s/%s: nobody was found", name, form);
    if (!is_place(first, who))
        fail_msg("%s/%s: %s:%lld is no holder", name, form,
                 get_text(first, "function"), get_number(first, "line"));
    assert_string_equal(get_text(wanted, "state"), get_text(first, "state"));
    assert_int_equal(has_addresses ? get_number(wanted, "count")
                                   : optional(wanted, "only_of",
                                              get_number(wanted, "count")),
                     get_number(holder, "count"));
    if (has_addresses && json_object_get(wanted, "goroutine"))
        assert_int_equal(get_number(wanted, "goroutine"),
                         get_number(first, "goroutine"));
    if (!has_addresses)
        assert_string_not_equal("high", get_text(first, "confidence"));
}

static bool is_known(const json_t *wanted, const char *form)
{
    return json_is_true(json_object_get(wanted, "by_name")) ||
           strcmp(form, "debug2.txt") == 0;
}

static void the_true_holder_is_named_first(void **state)
{
    const char *name;
    json_t *wanted;
    size_t checked = 0;

    (void)state;
    json_object_foreach(truth, name, wanted)
    {
        for (size_t i = 0; i < LENGTH(forms); i++) {
            struct answer answer = ask(fixture("locks/%s/%s", name, forms[i]));
            const json_t *holder =
                holder_at(&answer, name, json_object_get(wanted, "waits"));

            assert_string_equal(get_text(wanted, "kind"),
                                get_text(holder, "kind"));
            if (is_known(wanted, forms[i]))
                check_holder(name, forms[i], wanted, holder);
            checked++;
            answer_done(&answer);
        }
    }
    assert_int_equal(78, checked);
}

/* Whether a circle goes through those functions, wherever it begins. */
static bool is_circle(const json_t *cycle, const json_t *functions)
{
    const json_t *links = get_array(cycle, "links");
    size_t n = json_array_size(links);

    if (n != json_array_size(functions))
        return false;
    for (size_t start = 0; start < n; start++) {
        size_t same = 0;

        for (size_t i = 0; i < n; i++)
            same +=
                strcmp(get_text(json_array_get(links, (start + i) % n),
                                "function"),
                       json_string_value(json_array_get(functions, i))) == 0;
        if (same == n)
            return true;
    }
    return false;
}

static void circles_are_found_where_they_are_and_nowhere_else(void **state)
{
    const char *name;
    json_t *wanted;
    size_t n_circles = 0;

    (void)state;
    json_object_foreach(truth, name, wanted)
    {
        const json_t *functions = json_object_get(wanted, "cycle");

        for (size_t i = 0; i < LENGTH(forms); i++) {
            struct answer answer = ask(fixture("locks/%s/%s", name, forms[i]));
            const json_t *cycles = get_array(answer.json, "cycles");
            bool is_one =
                json_is_array(functions) && is_known(wanted, forms[i]);

            if (json_array_size(cycles) != is_one)
                fail_msg("%s/%s: %zu circles", name, forms[i],
                         json_array_size(cycles));
            if (is_one && !is_circle(json_array_get(cycles, 0), functions))
                fail_msg("%s/%s: another circle", name, forms[i]);
            n_circles += is_one;
            answer_done(&answer);
        }
    }
    assert_int_equal(23, n_circles);
}

/* Addresses prove both directions of the simplest of all deadlocks. */
static void an_inversion_with_addresses_is_sure(void **state)
{
    struct answer answer = ask(fixture("locks/inversion/debug2.txt"));
    const json_t *cycles = get_array(answer.json, "cycles");

    (void)state;
    assert_string_equal("high",
                        get_text(json_array_get(cycles, 0), "confidence"));
    answer_done(&answer);
}

static const char *const versions[] = {"1.15", "1.19", "1.21", "1.23", "1.27"};

/* One holder keeps a Mutex, a reader keeps an RWMutex; in all versions and
 * forms that the corpus has. */
static void the_holders_of_the_corpus_are_named(void **state)
{
    static const struct {
        const char *waits;
        const char *holder;
        long long line;
    } known[] = {
        {"main.(*cache).Get", "main.(*cache).slowRefresh", 23},
        {"main.(*conf).Read", "main.(*conf).longReader", 46},
        {"main.(*conf).Write", "main.(*conf).longReader", 46},
    };
    static const char *const kinds[] = {"debug2.txt", "debug1.txt",
                                        "debug0.pb.gz"};
    size_t checked = 0;

    (void)state;
    for (size_t i = 0; i < LENGTH(versions) * LENGTH(kinds); i++) {
        const char *path =
            fixture("corpus/mutex_contention/%s/mutex_contention.%s",
                    versions[i / LENGTH(kinds)], kinds[i % LENGTH(kinds)]);
        struct answer answer;
        const json_t *findings;

        if (!file_exists(path))
            continue;
        answer = ask(path);
        findings = get_array(answer.json, "findings");
        assert_int_equal(0, json_array_size(get_array(answer.json, "cycles")));
        for (size_t k = 0; k < json_array_size(findings); k++) {
            const json_t *finding = json_array_get(findings, k);
            const json_t *site = json_object_get(finding, "site");

            for (size_t j = 0; j < LENGTH(known) && json_is_object(site); j++) {
                const json_t *first;

                if (strcmp(get_text(site, "function"), known[j].waits) != 0)
                    continue;
                first = json_array_get(
                    get_array(get_object(finding, "holder"), "holders"), 0);
                assert_string_equal(known[j].holder,
                                    get_text(first, "function"));
                assert_int_equal(known[j].line, get_number(first, "line"));
                checked++;
            }
        }
        answer_done(&answer);
    }
    assert_true(checked >= 3 * 14);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_true_holder_is_named_first),
        cmocka_unit_test(circles_are_found_where_they_are_and_nowhere_else),
        cmocka_unit_test(an_inversion_with_addresses_is_sure),
        cmocka_unit_test(the_holders_of_the_corpus_are_named),
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
