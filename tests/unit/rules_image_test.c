#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include "rules/builtin.h"
#include "rules/image.h"
#include "rules/link.h"
#include "rules/prose.h"
#include "support/loading.h"

#include <cmocka.h>

static const struct str names_file = STR_INIT("r.yaml");

/* The image of rules of one file. */
static struct buf image_of(const struct rules *rules)
{
    const char *names[] = {names_file.ptr};
    struct buf made = {0};

    image_write(rules, names, 1, &made);
    assert_false(made.failed);
    return made;
}

static void expect_same(struct str got, struct str want)
{
    assert_int_equal(got.len, want.len);
    assert_memory_equal(got.ptr, want.ptr, want.len);
}

static void the_built_in_image_is_what_loading_the_files_gives(void **state)
{
    const char **names = malloc(builtin_rules_count * sizeof(*names));
    struct loading files;
    struct buf made = {0};

    (void)state;
    assert_non_null(names);
    for (size_t i = 0; i < builtin_rules_count; i++)
        names[i] = builtin_rules[i].name;
    loading_init(&files);
    assert_int_equal(rules_load_builtin(files.rules, &files.err), 0);
    assert_true(rules_count(files.rules) > 100);
    image_write(files.rules, names, builtin_rules_count, &made);
    expect_same(buf_str(&made), (struct str){builtin_image, builtin_image_len});
    buf_done(&made);
    loading_done(&files);
    free(names);
}

/* Every key that a rule is judged by. */
static const char all_keys[] =
    "version: 1\n"
    "lists: {dbs: [pgx, sql]}\n"
    "macros: {one: 'm\\.${dbs}'}\n"
    "rules:\n"
    "- id: other\n"
    "  title: t\n"
    "  match: {state: select, locked: true, leaked: false}\n"
    "  when: [{severity: info, count: '>=1'}]\n"
    "- id: every-key\n"
    "  title: All of them\n"
    "  class: bad\n"
    "  status: experimental\n"
    "  needs: debug2\n"
    "  enabled: false\n"
    "  go: '>=1.18 <1.27'\n"
    "  match:\n"
    "    state: [chan send, chan receive]\n"
    "    leaf: l\n"
    "    site: '(?i)s'\n"
    "    any: [a, '${one}']\n"
    "    all: [a, 'b|c']\n"
    "    chain: [a, ..., b]\n"
    "    bottom: d\n"
    "    created_by: e\n"
    "    labels: {tenant: acme, k: [v, w]}\n"
    "    file: f\n"
    "    locked: false\n"
    "    leaked: true\n"
    "    cycle: true\n"
    "    stranded: true\n"
    "    request: false\n"
    "    tended: false\n"
    "    limit: false\n"
    "    crash: g\n"
    "    finalizer: false\n"
    "    not: {any: n, state: IO wait}\n"
    "    state_required: true\n"
    "  exceptions:\n"
    "  - {name: first, any: x}\n"
    "  - {name: second, leaf: y, not: {leaf: z}}\n"
    "  with: {any_of: other, all_of: [other], none_of: other}\n"
    "  group_by: 'label:tenant'\n"
    "  when:\n"
    "  - {severity: high, count: '>=100', share: '>0.5', age: '>=5m',\n"
    "     rank: '<=3', age_p50: '<1h', slope: '>2', survivors: '>=0.9',\n"
    "     ids_old: '>0.1'}\n"
    "  - {severity: low, growth: medium, ratio_to: {rule: other, value: "
    "'>=2'}}\n"
    "  confidence: high\n";

/* Loads a text, which must be right. */
static void load(struct loading *into, const char *text)
{
    int failed = rules_load_text(into->rules, names_file.ptr, str_from(text),
                                 &into->err);

    if (failed)
        print_error("%s\n", into->err.message);
    assert_int_equal(failed, 0);
}

/* Rules of every key, their image, and what was read from it. */
static struct loading loading;
static struct loading other;
static struct buf image;

static int set_up(void **state)
{
    (void)state;
    loading_init(&loading);
    load(&loading, all_keys);
    image = image_of(loading.rules);
    loading_init(&other);
    assert_true(image_read(other.rules, buf_str(&image)));
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    loading_done(&other);
    buf_done(&image);
    loading_done(&loading);
    return 0;
}

static void every_key_comes_back(void **state)
{
    const struct rule *rule = loading_rule(&other, "every-key");

    (void)state;
    assert_string_equal(rule->info.title.ptr, "All of them");
    assert_string_equal(rule->info.file.ptr, builtin_rules[0].name);
    assert_int_equal(rule->info.line, 9);
    assert_true(rule->is_builtin);
    assert_int_equal(rule->match.chain.count, 3);
    assert_null(rule->match.chain.items[1]);
    assert_string_equal(pattern_expression(rule->match.any.items[1]).ptr,
                        "(?:m\\.(?:pgx|sql))");
    assert_int_equal(rule->match.n_labels, 2);
    assert_string_equal(rule->exceptions->next->name.ptr, "second");
    assert_int_equal(rule->exceptions->next->match.except->leaf.count, 1);
    assert_null(rule->exceptions->next->next);
    assert_float_equal(rule->when.items[0].bounds[BOUND_SHARE].value, 0.5, 0);
    assert_string_equal(rule->when.items[1].ratio_to.id.ptr, "other");
    assert_string_equal(other.rules->definitions[1]->text.ptr,
                        "(?:m\\.(?:pgx|sql))");
}

static void what_was_read_has_the_same_image(void **state)
{
    struct buf again;

    (void)state;
    /* The name of the file is another now. */
    for (size_t i = 0; i < other.rules->count; i++)
        other.rules->items[i]->info.file = names_file;
    again = image_of(other.rules);
    expect_same(buf_str(&again), buf_str(&image));
    buf_done(&again);
}

static void users_rules_share_the_patterns_of_an_image(void **state)
{
    const struct rule *mine;

    (void)state;
    load(&other, "version: 1\nrules:\n- id: mine\n  title: t\n"
                 "  match: {any: ['${one}', new]}\n"
                 "  when: [{severity: info, count: '>=1'}]\n");
    mine = loading_rule(&other, "mine");
    assert_ptr_equal(mine->match.any.items[0],
                     loading_rule(&other, "every-key")->match.any.items[1]);
    assert_int_equal(other.rules->patterns.count,
                     loading.rules->patterns.count + 1);
}

static size_t size_of(const struct image_field *field)
{
    static const size_t sizes[] = {
        [FIELD_NUMBER] = sizeof(uint32_t),
        [FIELD_LONG] = sizeof(uint64_t),
        [FIELD_PATTERNS] = sizeof(struct patterns),
        [FIELD_LABELS] = 0, /* two fields, added below */
        [FIELD_NOT] = sizeof(const struct match *),
    };

    return sizes[field->kind];
}

/* A new key of `match` that is not in the table would be lost. */
static void every_field_of_a_match_is_in_the_table(void **state)
{
    size_t sum = sizeof(((struct match *)NULL)->labels) +
                 sizeof(((struct match *)NULL)->n_labels);
    size_t padding = offsetof(struct match, except) -
                     offsetof(struct match, state_required) -
                     sizeof(enum wanted);

    (void)state;
    for (size_t i = 0; i < image_match.count; i++)
        sum += size_of(&image_match.fields[i]);
    assert_int_equal(sum + padding, sizeof(struct match));
}

static void memory_may_run_out_anywhere(void **state)
{
    size_t n_failed = 0;
    bool is_done = false;

    (void)state;
    for (size_t limit = 1000; !is_done; limit += 20000) {
        struct rules *rules = NULL;
        struct cprof_error err = {0};
        struct budget budget;

        budget_init(&budget, limit);
        assert_int_equal(rules_new(&rules, &budget, &err), 0);
        is_done = rules_load_builtin(rules, &err) == 0;
        if (!is_done) {
            n_failed++;
            assert_int_equal(err.code, CPROF_ENOMEM);
            assert_int_equal(rules_count(rules), 0);
        }
        rules_free(rules);
        assert_int_equal(budget.used, 0);
    }
    assert_true(n_failed > 10);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_built_in_image_is_what_loading_the_files_gives),
        TEST(every_key_comes_back),
        TEST(what_was_read_has_the_same_image),
        TEST(users_rules_share_the_patterns_of_an_image),
        cmocka_unit_test(every_field_of_a_match_is_in_the_table),
        cmocka_unit_test(memory_may_run_out_anywhere),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
