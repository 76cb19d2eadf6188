#include <setjmp.h>
#include <stdarg.h>

#include "rules/builtin.h"
#include "rules/packed.h"

#include <cmocka.h>

/* The values of a rule stand below the root, the list and the rule. */
enum { DEPTH_OF_LISTS = 2, DEPTH_OF_KEYS = 4 };

/* Whether a node is not in the tree. */
static bool is_no_prose(const struct node *node, unsigned depth)
{
    if (depth == DEPTH_OF_LISTS)
        return !str_equal(node->key->text, STR("rules"));
    return depth == DEPTH_OF_KEYS && node->key &&
           !packed_is_prose(node->key->text);
}

static void expect_node(const struct node *got, const struct node *want)
{
    assert_non_null(got);
    assert_int_equal(got->kind, want->kind);
    assert_int_equal(got->style, want->style);
    assert_int_equal(got->span.offset, want->span.offset);
    assert_int_equal(got->span.len, want->span.len);
    assert_int_equal(got->line, want->line);
    assert_true(str_equal(got->text, want->text));
    if (got->kind == NODE_TEXT)
        assert_int_equal(got->text.ptr[got->text.len], '\0');
}

/* Compares what is at some depth with what was parsed there; *n_left_out counts
 * what is not there. */
static void expect_tree(const struct node *got, const struct node *want,
                        unsigned depth, size_t *n_left_out)
{
    const struct node *at = got->first;
    uint32_t count = 0;

    expect_node(got, want);
    for (const struct node *child = want->first; child; child = child->next) {
        if (is_no_prose(child, depth + 1)) {
            ++*n_left_out;
            continue;
        }
        assert_non_null(at);
        if (child->key)
            expect_node(at->key, child->key);
        else
            assert_null(at->key);
        expect_tree(at, child, depth + 1, n_left_out);
        at = at->next;
        count++;
    }
    assert_null(at);
    assert_int_equal(got->count, count);
}

static void what_was_packed_is_what_would_be_parsed(void **state)
{
    struct cprof_error err = {0};
    struct budget budget;

    (void)state;
    budget_init(&budget, 0);
    assert_true(builtin_rules_count > 0);
    for (size_t i = 0; i < builtin_rules_count; i++) {
        const struct builtin_rules *file = &builtin_rules[i];
        struct source source = {.name = file->name,
                                .text = {file->text, file->len}};
        const struct node *want = NULL;
        const struct node *got = NULL;
        size_t n_left_out = 0;
        struct arena arena;

        arena_init(&arena, &budget);
        assert_int_equal(node_parse(&want, &source, &arena, &err), 0);
        assert_non_null(want);
        assert_true(packed_read(
            &got, (struct str){file->prose, file->prose_len}, &arena));
        assert_non_null(got);
        expect_tree(got, want, 1, &n_left_out);
        assert_true(n_left_out > 0);
        arena_done(&arena);
    }
}

/* A mapping of one key to a list of one text, by hand. */
static const char small[] = "\x04" /* nodes */
                            "\x02"
                            "\x00\x00\x01"     /* the mapping, one pair */
                            "\x20\x83\x01\x03" /* two lines and 131 bytes on */
                            "\x03key\0"
                            "\x01\x04\x01\x01"     /* the list */
                            "\xf8\x02"             /* in quotes, 17 lines on */
                            "\xff\xff\xff\xff\x0f" /* one byte back */
                            "\x04\x02hi";

static void bytes_mean_what_the_header_says(void **state)
{
    const struct node *root = NULL;
    const struct node *list;
    struct budget budget;
    struct arena arena;

    (void)state;
    budget_init(&budget, 0);
    arena_init(&arena, &budget);
    assert_true(
        packed_read(&root, (struct str){small, sizeof(small) - 1}, &arena));
    assert_int_equal(root->kind, NODE_MAP);
    assert_int_equal(root->line, 0);
    assert_int_equal(root->count, 1);
    list = node_value(root, "key");
    assert_non_null(list);
    assert_int_equal(list->key->line, 2);
    assert_int_equal(list->key->span.offset, 131);
    assert_int_equal(list->key->span.len, 3);
    assert_int_equal(list->kind, NODE_LIST);
    assert_int_equal(list->line, 2);
    assert_int_equal(list->span.offset, 135);
    assert_int_equal(list->first->style, STYLE_DOUBLE);
    assert_int_equal(list->first->line, 19);
    assert_int_equal(list->first->span.offset, 134);
    assert_int_equal(list->first->span.len, 4);
    assert_string_equal(list->first->text.ptr, "hi");
    assert_null(list->first->next);
    arena_done(&arena);
}

static void nothing_packed_is_no_document(void **state)
{
    const struct node *root = NULL;
    struct budget budget;
    struct arena arena;

    (void)state;
    budget_init(&budget, 0);
    arena_init(&arena, &budget);
    assert_true(packed_read(&root, STR(""), &arena));
    assert_null(root);
    assert_true(packed_read(&root, STR("\0"), &arena));
    assert_null(root);
    arena_done(&arena);
}

static void memory_may_run_out(void **state)
{
    const struct node *root = NULL;
    struct budget budget;
    struct arena arena;

    (void)state;
    budget_init(&budget, 100);
    arena_init(&arena, &budget);
    assert_false(
        packed_read(&root, (struct str){small, sizeof(small) - 1}, &arena));
    assert_null(root);
    arena_done(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_packed_is_what_would_be_parsed),
        cmocka_unit_test(bytes_mean_what_the_header_says),
        cmocka_unit_test(nothing_packed_is_no_document),
        cmocka_unit_test(memory_may_run_out),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
