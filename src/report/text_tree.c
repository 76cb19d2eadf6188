#include "base/escape.h"
#include "report/text_row.h"
#include "report/tree.h"
#include "rules/words.h"

enum { ROWS_USUAL = 30, STATE_MOST = 20, SHAPE_DEPTH = 20 };

struct widths {
    size_t total;
    size_t own;
    size_t state;
};

static void add_state(struct buf *words, const struct tree_row *row)
{
    buf_add(words, row->state);
    if (row->has_states)
        buf_add(words, STR(", ..."));
}

static void measure(const struct text *text, struct widths *widths,
                    const struct tree_row *row)
{
    struct buf words = {0};

    add_state(&words, row);
    widths->total = row_wider(widths->total, row_count_width(row->total));
    widths->own = row_wider(widths->own, row_count_width(row->own));
    widths->state = row_wider(widths->state, row_words_width(text, &words));
    if (widths->state > STATE_MOST)
        widths->state = STATE_MOST;
    buf_done(&words);
}

/* The branches in front of a name: "│  ├─ ". */
static void add_shape(struct buf *words, const struct tree_row *row)
{
    unsigned depth = row->depth < SHAPE_DEPTH ? row->depth : SHAPE_DEPTH;

    for (unsigned i = 1; i <= depth; i++) {
        bool goes_on = row->rails >> (i - 1) & 1;

        if (i < depth)
            buf_add(words, goes_on ? STR("│  ") : STR("   "));
        else
            buf_add(words, goes_on ? STR("├─ ") : STR("└─ "));
    }
}

/* "├─ main.worker <- main.go:64". Returns the bytes from the arrow on, which
 * are not cut together with the name. */
static size_t add_name(struct buf *words, const struct tree_row *row)
{
    size_t start;

    add_shape(words, row);
    if (row->entry.len)
        text_function_short(words, row->entry);
    else
        buf_add(words, STR("(no frames)"));
    if (!row->created_by.function.len)
        return 0;
    start = words->len;
    buf_add(words, STR(" <- "));
    if (!row->depth || !row->created_by.file.len)
        text_place_short(words, &row->created_by);
    else
        text_file(words, &row->created_by, 1);
    return words->len - start;
}

static void put_heads(struct text *text, const struct widths *widths)
{
    page_tint(&text->page, TINT_FAINT);
    buf_add_repeat(text->page.out, ' ', ROW_INDENT);
    cell_add(text->page.out, STR("TOTAL"), widths->total, ALIGN_RIGHT, CUT_END);
    row_cell(text, STR("OWN"), widths->own, ALIGN_RIGHT);
    row_cell(text, STR("STATE"), widths->state, ALIGN_LEFT);
    buf_add(text->page.out, STR("  BEGAN IN <- STARTED AT\n"));
    page_plain(&text->page);
}

static void put_row(struct text *text, const struct widths *widths,
                    const struct tree_row *row)
{
    struct buf words = {0};
    size_t tail;

    row_count(text, row->total, widths->total);
    words_count(&words, row->own);
    row_cell(text, buf_str(&words), widths->own, ALIGN_RIGHT);
    buf_clear(&words);
    add_state(&words, row);
    row_cell(text, buf_str(&words), widths->state, ALIGN_LEFT);
    buf_clear(&words);
    tail = add_name(&words, row);
    row_place(text, buf_str(&words), tail,
              ROW_INDENT + widths->total + ROW_GAP + widths->own + ROW_GAP +
                  widths->state);
    buf_done(&words);
}

static void put_rows(struct text *text, const struct tree *tree)
{
    size_t most = report_top(text->report, ROWS_USUAL);
    size_t shown = tree->n < most ? tree->n : most;
    struct widths widths = {strlen("TOTAL"), strlen("OWN"), strlen("STATE")};

    for (size_t i = 0; i < shown; i++)
        measure(text, &widths, &tree->rows[i]);
    put_heads(text, &widths);
    for (size_t i = 0; i < shown; i++)
        put_row(text, &widths, &tree->rows[i]);
    row_more(text, tree->n - shown, "");
}

int text_tree(struct text *text, struct cprof_error *err)
{
    struct arena arena = report_scratch(text->report);
    struct tree tree = {0};
    int rc = tree_build(&tree, text->report, &arena, err);

    if (rc == 0) {
        text_head(text, STR("Who started whom"));
        if (tree.has_creators)
            put_rows(text, &tree);
        else
            page_paragraph(&text->page, ROW_INDENT,
                           STR("These dumps do not say who started a "
                               "goroutine; those of debug=2 do."));
    }
    arena_done(&arena);
    return rc;
}
