#include "model/options.h"
#include "rules/load.h"
#include "rules/rule_test.h"
#include "rules/values.h"
#include "rules/words.h"

enum { STACKS_MOST = 64, LABELS_MOST = 16 };

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

/* A whole number from 1 on, such as goroutines of a stack. */
static int read_number(struct loader *loader, const struct node *node,
                       void *into)
{
    uint64_t number = 0;

    if (node->kind != NODE_TEXT || !str_to_u64(node->text, &number) || !number)
        return kind_error(loader, node, "a whole number such as 1200");
    if (number > TEST_GOROUTINES_MOST)
        return load_error(loader, node,
                          "at most %d goroutines are made for a test; give a "
                          "debug=1 dump as 'dump' for more",
                          TEST_GOROUTINES_MOST);
    *(uint64_t *)into = number;
    return 0;
}

/* The state of a stack, which a header of debug=2 can print. */
static int read_state(struct loader *loader, const struct node *node,
                      void *into)
{
    state_set states = 0;
    int failed = node->kind == NODE_TEXT
                     ? value_states(loader, node, &states)
                     : kind_error(loader, node, "a state such as 'chan send'");

    if (failed)
        return failed;
    if (states &
        ((state_set)1 << STATE_UNKNOWN | (state_set)1 << STATE_CHAN_OPERATION))
        return load_error(loader, node,
                          "no goroutine header says '%s'; give a debug=1 dump "
                          "as 'dump'",
                          quote(node->text).text);
    return value_line(loader, node, into);
}

static int read_age(struct loader *loader, const struct node *node, void *into)
{
    struct test_stack *stack = into;

    if (node->kind != NODE_TEXT || !duration_parse(node->text, &stack->age_s))
        return kind_error(loader, node, "a duration such as 10m");
    stack->has_age = true;
    return 0;
}

static int read_labels(struct loader *loader, const struct node *node,
                       void *into)
{
    struct test_stack *stack = into;

    if (node->kind != NODE_MAP || !node->count || node->count > LABELS_MOST)
        return kind_error(loader, node, "a mapping such as {tenant: acme}");
    stack->labels =
        arena_take_zero(loader->arena, node->count * sizeof(*stack->labels));
    if (!stack->labels)
        return load_memory(loader);
    for (const struct node *value = node->first; value; value = value->next) {
        struct test_label *label = &stack->labels[stack->n_labels];

        if (value->kind != NODE_TEXT)
            return kind_error(loader, value, "a text");
        label->key = arena_copy(loader->arena, value->key->text);
        label->value = arena_copy(loader->arena, value->text);
        if (!label->key.ptr || !label->value.ptr)
            return load_memory(loader);
        stack->n_labels++;
    }
    return 0;
}

/* Refuses what would end a line of the dump that is made of it. */
static int read_frames(struct loader *loader, const struct node *node,
                       void *into)
{
    struct rule_texts *frames = into;
    int failed = value_texts(loader, node, into);

    for (size_t i = 0; i < frames->count; i++) {
        if (str_find(frames->items[i], '\n') < frames->items[i].len)
            failed = load_error(loader, node, "a frame must fit one line");
    }
    return failed;
}

#define STACK(field) offsetof(struct test_stack, field)

static const struct schema_key stack_keys[] = {
    {"state", read_state, STACK(state), true},
    {"frames", read_frames, STACK(frames), true},
    {"count", read_number, STACK(count), false},
    {"age", read_age, 0, false},
    {"created_by", value_line, STACK(created_by), false},
    {"labels", read_labels, 0, false},
    {"locked", value_wanted, STACK(locked), false},
    {"leaked", value_wanted, STACK(leaked), false},
};

static const struct schema stack_schema = {"a stack of a test", stack_keys,
                                           COUNT_OF(stack_keys), false};

static int read_stacks(struct loader *loader, const struct node *node,
                       void *into)
{
    struct rule_test *test = into;
    int failed = 0;

    if (node->kind != NODE_LIST || !node->count || node->count > STACKS_MOST)
        return kind_error(loader, node,
                          "a list of stacks such as {count: 12, state: select, "
                          "frames: ['main.run main.go:7']}");
    test->stacks =
        arena_take_zero(loader->arena, node->count * sizeof(*test->stacks));
    if (!test->stacks)
        return load_memory(loader);
    for (const struct node *item = node->first; item && failed != CPROF_ENOMEM;
         item = item->next) {
        struct test_stack *stack = &test->stacks[test->n_stacks++];

        stack->count = 1;
        failed =
            load_worse(failed, schema_read(loader, &stack_schema, item, stack));
    }
    return failed;
}

static int read_severity(struct loader *loader, const struct node *node,
                         void *into)
{
    struct test_expect *expect = into;

    expect->has_severity = true;
    return value_severity(loader, node, &expect->severity);
}

static int read_count(struct loader *loader, const struct node *node,
                      void *into)
{
    struct test_expect *expect = into;

    if (node->kind != NODE_TEXT || !str_to_u64(node->text, &expect->count))
        return kind_error(loader, node, "a whole number such as 1200");
    expect->has_count = true;
    return 0;
}

/* All four words: a test may expect proof. */
static int read_confidence(struct loader *loader, const struct node *node,
                           void *into)
{
    struct test_expect *expect = into;
    size_t word = 0;
    int failed =
        word_read(loader, node, confidence_words, N_CONFIDENCES, &word);

    expect->has_confidence = true;
    expect->confidence = (enum confidence)word;
    return failed;
}

#define EXPECT(field) offsetof(struct test_expect, field)

static const struct schema_key expect_keys[] = {
    {"rule", value_id, EXPECT(rule), false},
    {"severity", read_severity, 0, false},
    {"count", read_count, 0, false},
    {"confidence", read_confidence, 0, false},
    {"site", value_line, EXPECT(site), false},
};

static const struct schema expect_schema = {"an expected finding", expect_keys,
                                            COUNT_OF(expect_keys), false};

static int read_expect(struct loader *loader, const struct node *node,
                       void *into)
{
    struct rule_test *test = into;
    int failed = 0;

    if (node->kind != NODE_LIST || node->count > TEST_EXPECT_MOST)
        return kind_error(loader, node,
                          "a list of findings such as {severity: high, count: "
                          "1200}, or [] for none");
    test->expect =
        arena_take_zero(loader->arena, node->count * sizeof(*test->expect));
    if (!test->expect)
        return load_memory(loader);
    for (const struct node *item = node->first; item && failed != CPROF_ENOMEM;
         item = item->next) {
        struct test_expect *expect = &test->expect[test->n_expect++];

        expect->line = item->line;
        expect->origin = load_origin(loader, item);
        failed = load_worse(failed,
                            schema_read(loader, &expect_schema, item, expect));
    }
    return failed;
}

/* A dump is kept as it is, blanks and all. */
static int read_dump(struct loader *loader, const struct node *node, void *into)
{
    struct str *dump = into;

    if (node->kind != NODE_TEXT || !node->text.len)
        return kind_error(loader, node, "a text; begin it with '|'");
    *dump = arena_copy(loader->arena, node->text);
    return dump->ptr ? 0 : load_memory(loader);
}

static int read_file_name(struct loader *loader, const struct node *node,
                          void *into)
{
    if (loader->is_builtin)
        return load_error(loader, node,
                          "a built-in rule has no files beside it; use 'dump' "
                          "or 'stacks'");
    return value_line(loader, node, into);
}

static int read_go(struct loader *loader, const struct node *node, void *into)
{
    uint32_t version = 0;

    if (node->kind != NODE_TEXT || !go_version_parse(node->text, &version))
        return kind_error(loader, node, "a version of Go such as \"1.26\"");
    return value_line(loader, node, into);
}

#define TEST(field) offsetof(struct rule_test, field)

static const struct schema_key test_keys[] = {
    {"name", value_line, TEST(name), true},
    {"expect", read_expect, 0, true},
    {"go", read_go, TEST(go), false},
    {"dump", read_dump, TEST(dump), false},
    {"file", read_file_name, TEST(file), false},
    {"stacks", read_stacks, 0, false},
    {"total", read_number, TEST(total), false},
};

static const struct schema test_schema = {"a test", test_keys,
                                          COUNT_OF(test_keys), false};

/* A test has one source of goroutines, and a total only where it makes them. */
static int check_test(struct loader *loader, const struct node *node,
                      const struct rule_test *test)
{
    uint64_t n = 0;

    if ((test->dump.len != 0) + (test->file.len != 0) + (test->n_stacks != 0) !=
        1)
        return load_error(loader, node->first->key,
                          "a test needs one of 'dump', 'file' and 'stacks'");
    for (size_t i = 0; i < test->n_stacks; i++)
        n += test->stacks[i].count;
    if (n > TEST_GOROUTINES_MOST)
        return load_error(loader, node_value(node, "stacks"),
                          "at most %d goroutines are made for a test",
                          TEST_GOROUTINES_MOST);
    if (test->total && !test->n_stacks)
        return load_error(loader, node_value(node, "total")->key,
                          "'total' goes with 'stacks' only");
    if (test->total && test->total < n)
        return load_error(loader, node_value(node, "total"),
                          "the stacks alone are %llu goroutines",
                          (unsigned long long)n);
    return 0;
}

static int read_test(struct loader *loader, const struct node *node,
                     struct rule_test *test)
{
    int failed = schema_read(loader, &test_schema, node, test);

    if (failed)
        return failed;
    test->line = node->line;
    return check_test(loader, node, test);
}

int load_tests(struct loader *loader, const struct node *node, void *into)
{
    struct rule_test **link = into;
    int failed = 0;

    if (!loader->rules->keep_details)
        return 0;
    if (node->kind != NODE_LIST || !node->count)
        return kind_error(loader, node, "a list of tests");
    for (const struct node *item = node->first; item && failed != CPROF_ENOMEM;
         item = item->next) {
        struct rule_test *test = arena_take_zero(loader->arena, sizeof(*test));

        if (!test)
            return load_memory(loader);
        failed = load_worse(failed, read_test(loader, item, test));
        *link = test;
        link = &test->next;
    }
    return failed;
}

void tests_settle(struct rule *rule)
{
    for (struct rule_test *test = rule->tests; test; test = test->next) {
        for (size_t i = 0; i < test->n_expect; i++) {
            if (!test->expect[i].rule.len)
                test->expect[i].rule = rule->info.id;
        }
    }
}
