#include "cli/rules_form.h"

#include "base/markup.h"
#include "model/options.h"

enum { INDENT = 2, TIER = 12 };

static void text_begin(struct page *page, struct str id, struct str title)
{
    page_add(page, TINT_HEAD, id);
    buf_add_char(page->out, '\n');
    page_paragraph(page, 0, title);
}

static void text_phrase(struct page *page, struct str text)
{
    page_add(page, TINT_NONE, text);
}

static void text_head(struct page *page, const char *head)
{
    buf_add_char(page->out, '\n');
    page_add(page, TINT_HEAD, str_from(head));
    buf_add_char(page->out, '\n');
}

static void text_paragraph(struct page *page, struct str text)
{
    page_paragraph(page, INDENT, text);
}

static void text_item(struct page *page, struct str text)
{
    buf_add(page->out, STR("  - "));
    page_wrap(page, INDENT + 2, INDENT + 2, text);
    buf_add_char(page->out, '\n');
}

static void nothing(struct page *page)
{
    (void)page;
}

static void text_tier(struct page *page, enum cprof_severity severity,
                      struct str words)
{
    struct str word = str_from(severity_text(severity));

    buf_add_repeat(page->out, ' ', INDENT);
    page_add(page, tint_of(severity), word);
    buf_add_repeat(page->out, ' ', TIER - INDENT - word.len);
    page_wrap(page, TIER, TIER, words);
    buf_add_char(page->out, '\n');
}

static void text_code(struct page *page, struct str line)
{
    buf_add_repeat(page->out, ' ', INDENT);
    page_add(page, TINT_NONE, line);
    buf_add_char(page->out, '\n');
}

const struct rule_form form_text = {
    .begin = text_begin,
    .phrase = text_phrase,
    .head = text_head,
    .paragraph = text_paragraph,
    .item = text_item,
    .address = text_item,
    .items_end = nothing,
    .tier = text_tier,
    .code_begin = nothing,
    .code = text_code,
    .code_end = nothing,
};

static void mark_add(struct page *page, struct str text)
{
    markdown_add(page->out, text);
}

static void mark_begin(struct page *page, struct str id, struct str title)
{
    buf_add(page->out, STR("### "));
    mark_add(page, id);
    buf_add(page->out, STR("\n\n"));
    mark_add(page, title);
    buf_add(page->out, STR("\n\n"));
}

static void mark_head(struct page *page, const char *head)
{
    buf_addf(page->out, "**%s**\n\n", head);
}

static void mark_paragraph(struct page *page, struct str text)
{
    mark_add(page, text);
    buf_add(page->out, STR("\n\n"));
}

static void mark_item(struct page *page, struct str text)
{
    buf_add(page->out, STR("- "));
    mark_add(page, str_trim(text));
    buf_add_char(page->out, '\n');
}

static void mark_address(struct page *page, struct str text)
{
    buf_add(page->out, STR("- "));
    markdown_add_link(page->out, str_trim(text));
    buf_add_char(page->out, '\n');
}

static void mark_items_end(struct page *page)
{
    buf_add_char(page->out, '\n');
}

static void mark_tier(struct page *page, enum cprof_severity severity,
                      struct str words)
{
    buf_addf(page->out, "- %s: ", severity_text(severity));
    mark_add(page, words);
    buf_add_char(page->out, '\n');
}

/* Four backquotes, lest a name end the block. */
static void mark_code_begin(struct page *page)
{
    buf_add(page->out, STR("````\n"));
}

static void mark_code(struct page *page, struct str line)
{
    page_add(page, TINT_NONE, line);
    buf_add_char(page->out, '\n');
}

static void mark_code_end(struct page *page)
{
    buf_add(page->out, STR("````\n\n"));
}

const struct rule_form form_markdown = {
    .begin = mark_begin,
    .phrase = mark_add,
    .head = mark_head,
    .paragraph = mark_paragraph,
    .item = mark_item,
    .address = mark_address,
    .items_end = mark_items_end,
    .tier = mark_tier,
    .code_begin = mark_code_begin,
    .code = mark_code,
    .code_end = mark_code_end,
};
