#include "base/count.h"
#include "base/escape.h"
#include "report/answer_words.h"
#include "report/human.h"
#include "report/text_row.h"
#include "rules/words.h"

/* Room for the words of a state, on a usual page and on a narrow one. */
enum { STATE_MOST = 24, STATE_NARROW = 14 };

struct group_widths {
    size_t count;
    size_t state;
    size_t age;   /* 0 = no group tells one */
    size_t dumps; /* 0 = only one is judged */
    size_t n;
    size_t n_inferred; /* of these, by how their state is known */
    size_t n_unknown;
};

/* Calls visit for the groups of the table, the largest first. */
typedef void visit_fn(struct text *text, const struct group_view *view,
                      void *user);

static int each_group(struct text *text, visit_fn *visit, void *user,
                      struct cprof_error *err)
{
    size_t left = report_top(text->report, GROUPS_USUAL);
    struct arena scratch = report_scratch(text->report);
    struct group_view view;
    int rc = 0;

    for (size_t i = report_next_leading(text->report, 0);
         i != SIZE_MAX && left && rc == 0;
         i = report_next_leading(text->report, i + 1)) {
        if (!text->all && report_is_normal(text->report, i))
            continue;
        rc = report_group(text->report, i, &view, &scratch, err);
        if (rc == 0)
            visit(text, &view, user);
        if (rc == 0)
            rc = output_relieve(text->out, err);
        left--;
    }
    arena_done(&scratch);
    return rc;
}

/* Whether no state of the table was read from a dump. */
static bool is_all_inferred(const struct group_widths *widths)
{
    return widths->n_inferred + widths->n_unknown == widths->n;
}

static void measure_group(struct text *text, const struct group_view *view,
                          void *user)
{
    struct group_widths *widths = user;
    struct buf words = {0};

    (void)text;
    widths->count =
        row_wider(widths->count, row_count_width(view->group->count));
    widths->state = row_wider(widths->state, display_width(view->state));
    if (joined_has_wait(view->group)) {
        age_add_wait(&words, view->group->facts->wait_max);
        widths->age = row_wider(widths->age, words.len);
    }
    widths->n_inferred += view->is_inferred;
    widths->n_unknown += view->group->state_source == STATE_FROM_NONE;
    widths->n++;
    buf_done(&words);
}

static void put_age(struct text *text, const struct joined_group *group,
                    size_t width)
{
    struct buf words = {0};

    if (joined_has_wait(group))
        age_add_wait(&words, group->facts->wait_max);
    else
        buf_add_char(&words, '-');
    buf_add_repeat(text->page.out, ' ', ROW_GAP);
    cell_add(text->page.out, buf_str(&words), width, ALIGN_RIGHT, CUT_END);
    buf_done(&words);
}

static void put_state(struct text *text, const struct group_view *view,
                      const struct group_widths *widths)
{
    bool marked = view->is_inferred && !is_all_inferred(widths);
    struct buf words = {0};

    buf_add(&words, view->state);
    if (marked)
        buf_add_char(&words, '~');
    row_cell(text, buf_str(&words), widths->state, ALIGN_LEFT);
    buf_done(&words);
}

/* The columns that are taken before the last one. */
static size_t used_by(const struct group_widths *widths)
{
    return ROW_INDENT + widths->count + ROW_GAP + ROW_SHARE +
           (widths->state ? ROW_GAP + widths->state : 0) +
           (widths->age ? ROW_GAP + widths->age : 0) +
           (widths->dumps ? ROW_GAP + widths->dumps : 0);
}

static void put_group_row(struct text *text, const struct group_view *view,
                          void *user)
{
    const struct group_widths *widths = user;
    struct buf words = {0};
    size_t tail;

    row_count(text, view->group->count, widths->count);
    row_share(text, view->share);
    if (widths->state)
        put_state(text, view, widths);
    if (widths->age)
        put_age(text, view->group, widths->age);
    if (widths->dumps) {
        buf_addf(&words, "%s", count_text(view->n_dumps).text);
        row_cell(text, buf_str(&words), widths->dumps, ALIGN_RIGHT);
        buf_clear(&words);
    }
    tail = text_place_short(&words, &view->place);
    row_place(text, buf_str(&words), tail, used_by(widths));
    buf_done(&words);
}

/* The same with everything about the group: --all. */
static void put_group_block(struct text *text, const struct group_view *view,
                            void *user)
{
    struct page *page = &text->page;
    struct buf words = {0};

    (void)user;
    buf_add_char(page->out, '\n');
    counted_of_add(&words, text->report, view->group->count, view->share);
    buf_add(&words, STR(", "));
    buf_add(&words, view->state);
    if (view->is_inferred)
        buf_add(&words, STR(" (inferred)"));
    if (joined_has_wait(view->group)) {
        buf_add(&words, STR(", "));
        words_age(&words, view->group->facts->wait_max);
    }
    dumps_add(&words, text->report, view->n_dumps);
    page_paragraph(page, ROW_INDENT, buf_str(&words));
    buf_clear(&words);
    buf_addf(&words, "signature %.12s", view->signature.text);
    if (view->rule) {
        buf_add(&words, STR(", "));
        buf_add(&words, view->rule->id);
        buf_addf(&words, " (%s)",
                 view->finding ? severity_text(view->finding->severity)
                 : view->class == CLASS_NORMAL ? rule_class_text(view->class)
                                               : "below its tiers");
    }
    page_tint(page, TINT_FAINT);
    page_paragraph(page, ROW_INDENT, buf_str(&words));
    page_plain(page);
    text_stack(text, view);
    if (view->created_by.function.len) {
        buf_clear(&words);
        buf_add(&words, STR("created by "));
        buf_add(&words, view->created_by.function);
        buf_add_char(&words, ' ');
        text_file(&words, &view->created_by, 0);
        page_paragraph(page, ROW_INDENT + 2, buf_str(&words));
    }
    buf_done(&words);
}

static void put_group_heads(struct text *text,
                            const struct group_widths *widths)
{
    struct str state =
        is_all_inferred(widths) ? STR("STATE (inferred)") : STR("STATE");
    struct buf *out = text->page.out;

    page_tint(&text->page, TINT_FAINT);
    buf_add_repeat(out, ' ', ROW_INDENT);
    cell_add(out, STR("COUNT"), widths->count, ALIGN_RIGHT, CUT_END);
    row_cell(text, STR("SHARE"), ROW_SHARE, ALIGN_RIGHT);
    if (widths->state)
        row_cell(text, state, widths->state, ALIGN_LEFT);
    if (widths->age)
        row_cell(text, STR("AGE"), widths->age, ALIGN_RIGHT);
    if (widths->dumps)
        row_cell(text, STR("DUMPS"), widths->dumps, ALIGN_RIGHT);
    row_last(text, STR("WHERE"), used_by(widths));
    page_plain(&text->page);
}

/* Settles the column of states: none when nothing is known of any. */
static void settle_states(const struct text *text, struct group_widths *widths)
{
    size_t taken = ROW_INDENT + widths->count + ROW_GAP + ROW_SHARE + ROW_GAP;
    size_t most = text->page.columns < PAGE_NARROW  ? text->page.columns - taken
                  : text->page.columns < PAGE_USUAL ? STATE_NARROW
                                                    : STATE_MOST;

    if (widths->n_unknown == widths->n)
        widths->state = 0;
    else if (is_all_inferred(widths))
        widths->state = row_wider(widths->state, strlen("STATE (inferred)"));
    else if (widths->n_inferred)
        widths->state++;
    if (widths->state > most)
        widths->state = most;
}

/* What the table does not show. */
static void put_group_foot(struct text *text, const struct group_widths *widths)
{
    size_t n = text->sum->n_groups - text->sum->n_normal_groups;
    struct buf words = {0};

    if (widths->n_inferred && !is_all_inferred(widths))
        page_paragraph(&text->page, ROW_INDENT,
                       STR("~ inferred, not written in the dump"));
    row_more(text, n - widths->n, "group");
    if (text->sum->other) {
        counted_add(&words, text->sum->nouns, text->sum->other);
        buf_add(&words, STR(" in stacks that memory had no room for "
                            "(--max-memory)"));
        page_paragraph(&text->page, ROW_INDENT, buf_str(&words));
    }
    buf_done(&words);
}

/* Whether every group of the table already stands in one of the first
 * findings. */
static bool is_all_said(const struct text *text, size_t n_findings)
{
    size_t n = report_n_findings(text->report);
    size_t said = 0;

    for (size_t i = 0; i < n && i < n_findings; i++)
        said += report_finding(text->report, i).finding->n_groups == 1;
    return said == text->sum->n_groups - text->sum->n_normal_groups;
}

/* Whether the table would say what stands above it: in findings in full, or on
 * their lines, which have neither ages nor dumps. */
static bool is_needless(const struct text *text,
                        const struct group_widths *widths)
{
    size_t most = report_top(text->report, FINDINGS_USUAL);
    size_t listed =
        text->n_loud - text->n_full > most ? text->n_full : text->n_loud;

    if (text->verbose)
        return false;
    if (is_all_said(text, text->n_full))
        return true;
    return !widths->age && text->sum->n_judged == 1 &&
           is_all_said(text, listed + most);
}

int text_groups(struct text *text, struct cprof_error *err)
{
    struct group_widths widths = {.count = strlen("COUNT"),
                                  .state = strlen("STATE")};
    int rc;

    if (text->all) {
        text_head(text, STR("All groups"));
        return each_group(text, put_group_block, NULL, err);
    }
    rc = each_group(text, measure_group, &widths, err);
    if (rc < 0 || !widths.n || is_needless(text, &widths))
        return rc;
    settle_states(text, &widths);
    if (text->sum->n_judged > 1)
        widths.dumps =
            row_wider(strlen("DUMPS"), row_count_width(text->sum->n_judged));
    text_head(text, STR("Largest groups"));
    put_group_heads(text, &widths);
    rc = each_group(text, put_group_row, &widths, err);
    if (rc == 0)
        put_group_foot(text, &widths);
    return rc;
}
