#include "model/options.h"
#include "rules/load.h"
#include "rules/rule_test.h"
#include "rules/values.h"
#include "rules/words.h"

enum { STACKS_MOST = 64, LABELS_MOST = 16, SIZES_MOST = 32 };

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

#define SIZE(field) offsetof(struct test_size, field)

static const struct schema_key size_keys[] = {
    {"severity", value_severity, SIZE(severity), true},
    {"count", read_number, SIZE(stack.count), false},
    {"age", read_age, SIZE(stack), false},
    {"total", read_number, SIZE(total), false},
};

static const struct schema size_schema = {"a size of a test", size_keys,
                                          COUNT_OF(size_keys), false};

static int read_sizes(struct loader *loader, const struct node *node,
                      void *into)
{
    struct rule_test *test = into;
    int failed = 0;

    if (node->kind != NODE_LIST || !node->count || node->count > SIZES_MOST)
        return kind_error(loader, node,
                          "a list of sizes such as {count: 1200, age: 10m, "
                          "severity: high}");
    test->sizes =
        arena_take_zero(loader->arena, node->count * sizeof(*test->sizes));
    if (!test->sizes)
        return load_memory(loader);
    for (const struct node *item = node->first; item && failed != CPROF_ENOMEM;
         item = item->next)
        failed = load_worse(failed, schema_read(loader, &size_schema, item,
                                                &test->sizes[test->n_sizes++]));
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
    {"sizes", read_sizes, 0, false},
};

static const struct schema test_schema = {"a test", test_keys,
                                          COUNT_OF(test_keys), false};

/* A test has one source of goroutines, and a total only where it makes them.
 * The node is of the test, or of one of its sizes. */
static int check_test(struct loader *loader, const struct node *node,
                      const struct rule_test *test)
{
    const struct node *stacks = node_value(node, "stacks");
    uint64_t n = 0;

    if ((test->dump.len != 0) + (test->file.len != 0) + (test->n_stacks != 0) !=
        1)
        return load_error(loader, node->first->key,
                          "a test needs one of 'dump', 'file' and 'stacks'");
    for (size_t i = 0; i < test->n_stacks; i++)
        n += test->stacks[i].count;
    if (n > TEST_GOROUTINES_MOST)
        return load_error(loader, stacks ? stacks : node,
                          "at most %d goroutines are made for a test",
                          TEST_GOROUTINES_MOST);
    if (test->total && !test->n_stacks)
        return load_error(loader, node_value(node, "total")->key,
                          "'total' goes with 'stacks' only");
    if (test->n_sizes && !test->n_stacks)
        return load_error(loader, node_value(node, "sizes")->key,
                          "'sizes' goes with 'stacks' only");
    if (test->total && test->total < n)
        return load_error(loader, node_value(node, "total"),
                          "the stacks alone are %llu goroutines",
                          (unsigned long long)n);
    return 0;
}

static struct test_stack *largest_stack(const struct rule_test *test)
{
    struct test_stack *largest = test->stacks;

    for (size_t i = 1; i < test->n_stacks; i++) {
        if (test->stacks[i].count > largest->count)
            largest = &test->stacks[i];
    }
    return largest;
}

/* Names a size: "ten, 1200 of them", or "ten, for 10m". */
static struct str name_size(struct loader *loader, const struct node *node,
                            const struct rule_test *test)
{
    const struct node *count = node_value(node, "count");
    const struct node *age = node_value(node, "age");
    struct buf name = {0};
    struct str copy = {0};

    buf_add(&name, test->name);
    if (count)
        buf_addf(&name, ", " STR_FORMAT " of them", STR_ARG(count->text));
    if (age)
        buf_addf(&name, ", for " STR_FORMAT, STR_ARG(age->text));
    if (!name.failed)
        copy = arena_copy(loader->arena, buf_str(&name));
    buf_done(&name);
    return copy;
}

/* Makes a test of a size: the same stacks, of which the largest has another
 * count, or has waited, and one finding of the rule. */
static int size_test(struct loader *loader, const struct node *node,
                     const struct rule_test *test, const struct test_size *size,
                     struct rule_test *ret)
{
    struct test_stack *stacks =
        arena_take(loader->arena, test->n_stacks * sizeof(*stacks));
    struct test_expect *expect =
        arena_take_zero(loader->arena, sizeof(*expect));
    struct test_stack *largest;

    *ret = *test;
    ret->next = NULL;
    ret->sizes = NULL;
    ret->n_sizes = 0;
    ret->stacks = stacks;
    ret->expect = expect;
    ret->n_expect = 1;
    ret->total = size->total;
    ret->line = node->line;
    ret->name = name_size(loader, node, test);
    if (!stacks || !expect || !ret->name.ptr)
        return load_memory(loader);
    memcpy(stacks, test->stacks, test->n_stacks * sizeof(*stacks));
    largest = largest_stack(ret);
    if (size->stack.count)
        largest->count = size->stack.count;
    largest->has_age = size->stack.has_age;
    largest->age_s = size->stack.age_s;
    *expect = (struct test_expect){.has_severity = true,
                                   .severity = size->severity,
                                   .has_count = test->n_stacks == 1,
                                   .count = largest->count,
                                   .line = node->line,
                                   .origin = load_origin(loader, node)};
    return check_test(loader, node, ret);
}

/* Appends the sizes of a test to the list that link ends. */
static int add_sizes(struct loader *loader, const struct node *node,
                     const struct rule_test *test, struct rule_test ***link)
{
    const struct node *sizes = node_value(node, "sizes");
    const struct node *item = sizes ? sizes->first : NULL;
    int failed = 0;

    for (size_t i = 0; item && i < test->n_sizes && !failed;
         i++, item = item->next) {
        struct rule_test *more = arena_take_zero(loader->arena, sizeof(*more));

        if (!more)
            return load_memory(loader);
        failed = size_test(loader, item, test, &test->sizes[i], more);
        if (failed == CPROF_ENOMEM)
            return failed;
        **link = more;
        *link = &more->next;
    }
    return failed;
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
        if (!failed)
            failed = add_sizes(loader, item, test, &link);
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
