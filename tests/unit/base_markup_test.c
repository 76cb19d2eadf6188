#include <setjmp.h>
#include <stdarg.h>

#include "base/markup.h"

#include <cmocka.h>

struct example {
    struct str text;
    const char *written;
};

typedef void add_fn(struct buf *out, struct str text);

static void expect(add_fn *add, const struct example *examples, size_t count)
{
    struct buf buf = {0};

    for (size_t i = 0; i < count; i++) {
        buf_clear(&buf);
        add(&buf, examples[i].text);
        assert_string_equal(buf.ptr, examples[i].written);
    }
    buf_done(&buf);
}

#define EXPECT(add, examples)                                                  \
 expect(add, examples, sizeof(examples) / sizeof((examples)[0]))

static void markdown_is_shown_and_not_obeyed(void **state)
{
    static const struct example examples[] = {
        {STR_INIT("plain words, 3 of 5 (60 %)"), "plain words, 3 of 5 (60 %)"},
        {STR_INIT("main.(*T).Do_it"), "main.(\\*T).Do\\_it"},
        {STR_INIT("a | b"), "a \\| b"},
        {STR_INIT("<img src=x>"), "\\<img src=x\\>"},
        {STR_INIT("[x](y) `c` ~~s~~"), "\\[x\\](y) \\`c\\` \\~\\~s\\~\\~"},
        {STR_INIT("$HOME costs $5"), "\\$HOME costs \\$5"},
        {STR_INIT("&lt;"), "&amp;lt;"},
        {STR_INIT("one\ntwo\n"), "one two "},
        {STR_INIT("\x1b[2J"), "\\\\x1b\\[2J"},
    };

    (void)state;
    EXPECT(markdown_add, examples);
}

/* A report is passed on: it must call nobody and close nothing. */
static void markdown_mentions_and_links_nothing(void **state)
{
    static const struct example examples[] = {
        {STR_INIT("@everyone and a@b.c"),
         "@<!-- -->everyone and a@<!-- -->b.c"},
        {STR_INIT("module@ v2"), "module@ v2"},
        {STR_INIT("fixes #12, C#"), "fixes #<!-- -->12, C\\#"},
        {STR_INIT("http://evil.example"), "http:\\//evil.example"},
        {STR_INIT("at www.evil.example"), "at www\\.evil.example"},
    };

    (void)state;
    EXPECT(markdown_add, examples);
}

static void markdown_begins_no_list_and_no_heading(void **state)
{
    static const struct example examples[] = {
        {STR_INIT("- a"), "\\- a"},     {STR_INIT("+ a"), "\\+ a"},
        {STR_INIT("12. a"), "12\\. a"}, {STR_INIT("1) a"), "1\\) a"},
        {STR_INIT("12 a"), "12 a"},     {STR_INIT("# a"), "\\# a"},
        {STR_INIT("=="), "\\=="},       {STR_INIT("a - b"), "a - b"},
    };

    (void)state;
    EXPECT(markdown_add, examples);
}

static void add_code(struct buf *out, struct str text)
{
    markdown_add_code(out, text, false);
}

static void add_code_cell(struct buf *out, struct str text)
{
    markdown_add_code(out, text, true);
}

static void code_ends_where_its_text_ends(void **state)
{
    static const struct example examples[] = {
        {STR_INIT("main.(*T).Do"), "`main.(*T).Do`"},
        {STR_INIT("a`b"), "`` a`b ``"},
        {STR_INIT("``"), "``` `` ```"},
        {STR_INIT("a|b"), "`a|b`"},
        {STR_INIT(" a"), "`  a `"},
        {STR_INIT("@team\n#1"), "`@team #1`"},
    };

    (void)state;
    EXPECT(add_code, examples);
}

static void a_bar_in_code_does_not_end_a_cell(void **state)
{
    static const struct example examples[] = {
        {STR_INIT("a|b"), "`a\\|b`"},
        {STR_INIT("`|`"), "`` `\\|` ``"},
    };

    (void)state;
    EXPECT(add_code_cell, examples);
}

static void no_line_ends_a_block_of_code(void **state)
{
    static const struct example examples[] = {
        {STR_INIT("a\nb\n"), "```text\na\nb\n```\n"},
        {STR_INIT("a"), "```text\na\n```\n"},
        {STR_INIT("````\n<x>\n"), "`````text\n````\n<x>\n`````\n"},
    };

    (void)state;
    EXPECT(markdown_add_block, examples);
}

static void only_addresses_of_http_are_links(void **state)
{
    static const struct example examples[] = {
        {STR_INIT("https://go.dev/ref/spec#Send_statements"),
         "<https://go.dev/ref/spec#Send_statements>"},
        {STR_INIT("javascript:alert(1)"), "javascript:alert(1)"},
        {STR_INIT("https://a> <b"), "https:\\//a\\> \\<b"},
    };

    (void)state;
    EXPECT(markdown_add_link, examples);
}

static void markup_is_shown_and_not_obeyed(void **state)
{
    static const struct example examples[] = {
        {STR_INIT("</script><b a=\"1\">&'"),
         "&lt;/script&gt;&lt;b a=&quot;1&quot;&gt;&amp;'"},
        {STR_INIT("a\nb\x01\xff"), "a b\\x01\\xff"},
    };
    static const struct example lines[] = {
        {STR_INIT("a <b>\n c\n"), "a &lt;b&gt;\n c\n"},
    };

    (void)state;
    EXPECT(markup_add, examples);
    EXPECT(markup_add_lines, lines);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(markdown_is_shown_and_not_obeyed),
        cmocka_unit_test(markdown_mentions_and_links_nothing),
        cmocka_unit_test(markdown_begins_no_list_and_no_heading),
        cmocka_unit_test(code_ends_where_its_text_ends),
        cmocka_unit_test(a_bar_in_code_does_not_end_a_cell),
        cmocka_unit_test(no_line_ends_a_block_of_code),
        cmocka_unit_test(only_addresses_of_http_are_links),
        cmocka_unit_test(markup_is_shown_and_not_obeyed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
