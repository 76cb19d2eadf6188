#include "report/answer_words.h"
#include "report/html.h"
#include "report/text.h"
#include "report/tree.h"
#include "rules/words.h"

/* Rows of the tree that a page holds. */
enum { ROWS_USUAL = 400 };

/* The state of the largest group, "and others" where there are more. */
static void put_state(struct html *html, const struct tree_row *row)
{
    buf_addf(html->buf, " <i class=\"dot s-%s\"></i><span class=\"faint\">",
             html_state_class(state_find(row->state)));
    html_text(html, row->state);
    html_raw(html, row->has_states ? " and others</span>" : "</span>");
}

/* "309 main.worker, started at main.go:64, chan receive" */
static void put_row(struct html *html, const struct tree_row *row)
{
    struct buf words = {0};

    html_raw(html, "<b class=\"num\">");
    words_count(&words, row->total);
    html_words(html, &words);
    html_raw(html, "</b><code>");
    if (row->entry.len)
        text_function_short(&words, row->entry);
    else
        buf_add(&words, STR("(no frames)"));
    html_words(html, &words);
    html_raw(html, "</code>");
    if (row->created_by.function.len) {
        html_raw(html, " <span class=\"faint\">started in</span> ");
        html_place(html, &row->created_by);
    }
    if (row->own < row->total) {
        html_raw(html, " <span class=\"faint\">itself ");
        words_count(&words, row->own);
        html_words(html, &words);
        html_raw(html, "</span>");
    }
    put_state(html, row);
    buf_done(&words);
}

/* Rows as lists in lists; one that has rows below it unfolds, and the first one
 * is open. */
static int put_rows(struct html *html, const struct tree *tree, size_t n,
                    struct cprof_error *err)
{
    unsigned depth = 0;
    int rc = 0;

    html_raw(html, "<ul class=\"tree\">\n");
    for (size_t i = 0; i < n && rc == 0; i++) {
        const struct tree_row *row = &tree->rows[i];
        bool has_rows = i + 1 < n && tree->rows[i + 1].depth > row->depth;

        for (; depth > row->depth; depth--)
            html_raw(html, "</ul></details></li>\n");
        html_raw(html, !has_rows ? "<li><span class=\"leaf\">"
                       : i       ? "<li><details><summary>"
                                 : "<li><details open><summary>");
        put_row(html, row);
        html_raw(html, has_rows ? "</summary>\n<ul>\n" : "</span></li>\n");
        depth += has_rows;
        rc = output_relieve(html->out, err);
    }
    for (; depth; depth--)
        html_raw(html, "</ul></details></li>\n");
    html_raw(html, "</ul>\n");
    return rc;
}

static int put_tree(struct html *html, const struct tree *tree,
                    struct cprof_error *err)
{
    size_t most = report_top(html->report, ROWS_USUAL);
    size_t n = tree->n < most ? tree->n : most;
    struct buf words = {0};
    int rc;

    html_section(html, "creators", "Who started whom");
    rc = put_rows(html, tree, n, err);
    if (n < tree->n) {
        words_count(&words, tree->n - n);
        buf_add(&words, STR(" more"));
        html_paragraph(html, "faint", &words);
    }
    html_raw(html, "</section>\n");
    buf_done(&words);
    return rc;
}

int html_tree(struct html *html, struct cprof_error *err)
{
    struct arena arena = report_scratch(html->report);
    struct tree tree = {0};
    int rc = 0;

    if (!profile_is_measured(html->sum->kind))
        rc = tree_build(&tree, html->report, &arena, err);
    if (rc == 0 && tree.has_creators)
        rc = put_tree(html, &tree, err);
    arena_done(&arena);
    return rc;
}
