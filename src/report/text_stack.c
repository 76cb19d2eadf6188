#include "base/escape.h"
#include "model/name.h"
#include "report/human.h"
#include "report/text.h"
#include "report/text_row.h"

enum {
    LINES_MOST = 8, /* of a stack that is not shown whole */
    SAME_LEAST = 2, /* repetitions that are folded */
    RUN_MOST = 2,   /* frames of the standard library that are not folded */
    PACKAGES_MOST = 3,
    INDENT = 4,
};

/* One line of a stack: a frame, or `n` frames from it on, folded: of the
 * standard library, or the one above it again and again. */
struct line {
    size_t frame;
    size_t n; /* 0 = the frame itself */
    bool is_same;
};

struct lines {
    struct line items[LINES_MOST + RUN_MOST];
    size_t count;
    size_t next; /* the first frame that is in no line */
};

/* Where a panic begins stays in sight: what is below it has panicked. So does
 * an address without a name, which need not be of the runtime. */
static bool is_foldable(const struct group_view *view, size_t frame)
{
    struct str function = view->frames[frame].function;

    return (int32_t)frame != view->site && name_is_std(function) &&
           !str_starts(function, STR("0x")) &&
           !str_equal(function, STR("panic")) &&
           !str_equal(function, STR("runtime.gopanic"));
}

static void add_line(struct lines *lines, size_t frame, size_t n)
{
    lines->items[lines->count++] = (struct line){.frame = frame, .n = n};
    lines->next = frame + (n ? n : 1);
}

/* How many frames from one on are the frame before it: a recursion. */
static size_t count_same(const struct group_view *view, size_t start)
{
    const struct code_place *first = &view->frames[start - 1];
    size_t end = start;

    while (end < view->n_frames && view->frames[end].line == first->line &&
           str_equal(view->frames[end].function, first->function) &&
           str_equal(view->frames[end].file, first->file))
        end++;
    return end - start;
}

/* Folds what only says the line above once more. */
static bool fold_same(struct lines *lines, const struct group_view *view)
{
    size_t n = lines->next ? count_same(view, lines->next) : 0;

    if (n < SAME_LEAST)
        return false;
    add_line(lines, lines->next, n);
    lines->items[lines->count - 1].is_same = true;
    return true;
}

/* Folds all of a run but its last frame: above the user's code it is the call
 * that the user made, below it where the goroutine comes from. */
static struct lines fold(const struct group_view *view)
{
    struct lines lines = {.count = 0};

    while (lines.next < view->n_frames && lines.count < LINES_MOST) {
        size_t start = lines.next;
        size_t end = start;

        if (fold_same(&lines, view))
            continue;
        while (end < view->n_frames && is_foldable(view, end))
            end++;
        if (end - start > RUN_MOST)
            add_line(&lines, start, end - start - 1);
        else
            add_line(&lines, start, 0);
    }
    return lines;
}

static void add_indent(struct text *text)
{
    buf_add_repeat(text->page.out, ' ', INDENT);
}

/* "... 8 frames of internal/poll, net, bufio" */
static void put_folded(struct text *text, const struct group_view *view,
                       const struct line *line)
{
    struct buf words = {0};
    struct str last = {0};
    unsigned packages = 0;

    buf_addf(&words, "... %zu frames of ", line->n);
    for (size_t i = line->frame; i < line->frame + line->n; i++) {
        struct str package = name_package(view->frames[i].function);

        if (!package.len || str_equal(package, last))
            continue;
        if (packages == PACKAGES_MOST) {
            buf_add(&words, STR(", ..."));
            break;
        }
        buf_addf(&words, "%s", packages++ ? ", " : "");
        buf_add(&words, package);
        last = package;
    }
    if (!packages)
        buf_add(&words, STR("the runtime"));
    page_tint(&text->page, TINT_FAINT);
    fit_add(text->page.out, buf_str(&words), text->page.columns - INDENT,
            CUT_END);
    page_plain(&text->page);
    buf_done(&words);
}

/* "... the same 97 times more" */
static void put_same(struct text *text, size_t n)
{
    struct buf words = {0};

    buf_addf(&words, "... the same %zu times more", n);
    page_add(&text->page, TINT_FAINT, buf_str(&words));
    buf_done(&words);
}

/* The function and the end of its path, side by side. */
static void put_frame(struct text *text, const struct code_place *frame,
                      size_t width)
{
    size_t rest = text->page.columns - INDENT - width - 2;
    struct buf name = {0};
    struct buf file = {0};

    text_function_short(&name, frame->function);
    text_file(&file, frame, 2);
    if (!buf_is_empty(&file)) {
        cell_add(text->page.out, buf_str(&name), width, ALIGN_LEFT, CUT_MIDDLE);
        buf_add_repeat(text->page.out, ' ', 2);
        fit_add(text->page.out, buf_str(&file), rest, CUT_MIDDLE);
    } else {
        fit_add(text->page.out, buf_str(&name), width + 2 + rest, CUT_MIDDLE);
    }
    buf_done(&name);
    buf_done(&file);
}

/* As Go prints it: the name, and the whole path below. */
static void put_frame_whole(struct text *text, const struct code_place *frame)
{
    struct buf file = {0};

    fit_add(text->page.out, frame->function, WORD_MOST, CUT_MIDDLE);
    text_file(&file, frame, 0);
    if (!buf_is_empty(&file)) {
        buf_add_char(text->page.out, '\n');
        add_indent(text);
        add_indent(text);
        fit_add(text->page.out, buf_str(&file), WORD_MOST, CUT_MIDDLE);
    }
    buf_done(&file);
}

/* The width of the column of functions: as wide as the widest, but leaving
 * room for the files. */
static size_t name_width(const struct text *text, const struct group_view *view,
                         const struct lines *lines)
{
    size_t most = (text->page.columns - INDENT) * 3 / 5;
    size_t widest = 0;

    for (size_t i = 0; i < lines->count; i++) {
        struct buf name = {0};
        size_t width;

        if (lines->items[i].n)
            continue;
        text_function_short(&name,
                            view->frames[lines->items[i].frame].function);
        width = row_words_width(text, &name);
        if (width > widest)
            widest = width;
        buf_done(&name);
    }
    return widest < most ? widest : most;
}

/* What the stack has and the lines do not show. */
static void put_rest(struct text *text, const struct group_view *view,
                     size_t left)
{
    struct buf words = {0};

    if (left) {
        buf_addf(&words, "... %zu more frame%s", left, left == 1 ? "" : "s");
        page_tint(&text->page, TINT_FAINT);
        page_paragraph(&text->page, INDENT, buf_str(&words));
        page_plain(&text->page);
        buf_clear(&words);
    }
    if (view->elided == ELIDED_SOME)
        buf_add(&words, STR("... frames that the dump left out"));
    else if (view->elided)
        buf_addf(&words, "... %u frame%s that the dump left out",
                 (unsigned)view->elided, view->elided == 1 ? "" : "s");
    if (view->n_hidden)
        buf_addf(&words, "%s%zu hidden", words.len ? ", " : "... ",
                 view->n_hidden);
    if (words.len) {
        page_tint(&text->page, TINT_FAINT);
        page_paragraph(&text->page, INDENT, buf_str(&words));
        page_plain(&text->page);
    }
    buf_done(&words);
}

static void put_whole(struct text *text, const struct group_view *view)
{
    for (size_t i = 0; i < view->n_frames; i++) {
        add_indent(text);
        put_frame_whole(text, &view->frames[i]);
        buf_add_char(text->page.out, '\n');
    }
}

void text_stack(struct text *text, const struct group_view *view)
{
    struct lines lines;
    size_t width;

    if (!view->n_frames && !view->n_hidden) {
        page_paragraph(&text->page, INDENT, STR("(no frames)"));
        return;
    }
    if (text->all) {
        put_whole(text, view);
        put_rest(text, view, 0);
        return;
    }
    lines = fold(view);
    width = name_width(text, view, &lines);
    for (size_t i = 0; i < lines.count; i++) {
        const struct line *line = &lines.items[i];

        add_indent(text);
        if (line->is_same)
            put_same(text, line->n);
        else if (line->n)
            put_folded(text, view, line);
        else if (text->verbose)
            put_frame_whole(text, &view->frames[line->frame]);
        else
            put_frame(text, &view->frames[line->frame], width);
        buf_add_char(text->page.out, '\n');
    }
    put_rest(text, view, view->n_frames - lines.next);
}
