#include "report/facts.h"
#include "report/html.h"
#include "report/page.h"
#include "rules/held.h"
#include "rules/words.h"

/* A drawing is a column of boxes with arrows between them, in units that are
 * pixels on a phone. */
enum {
    WIDTH = 400,
    LEFT = 22, /* of the boxes; a circle closes beside them */
    BOX = 46,
    GAP = 40,
    TEXT = 49, /* characters that fit into a box */
    STEPS_MOST = 4,
    NODES_MOST = 12,
};

/* One goroutine, or several in one place. */
struct node {
    struct buf who;   /* "goroutine 20" */
    struct buf where; /* "(*client).Call (client.go:22), IO wait" */
    struct buf wants; /* what leads to the next one: "waits for sync.Mutex" */
    bool is_doubtful;
};

struct drawing {
    struct html *html;
    const struct symbols *symbols;
    struct node nodes[NODES_MOST];
    size_t count;
};

static struct drawing drawing_of(struct html *html)
{
    return (struct drawing){
        .html = html,
        .symbols = analysis_snapshots(report_analysis(html->report))->symbols};
}

static void drawing_done(struct drawing *drawing)
{
    for (size_t i = 0; i < drawing->count; i++) {
        buf_done(&drawing->nodes[i].who);
        buf_done(&drawing->nodes[i].where);
        buf_done(&drawing->nodes[i].wants);
    }
}

static void put_line(struct html *html, size_t x, size_t y, const char *class,
                     const struct buf *words)
{
    struct buf cut = {0};

    fit_add(&cut, buf_str(words), TEXT, CUT_MIDDLE);
    buf_addf(html->buf, "<text class=\"%s\" x=\"%zu\" y=\"%zu\">", class, x, y);
    html_text(html, buf_str(&cut));
    html_raw(html, "</text>\n");
    buf_done(&cut);
}

static void put_node(struct html *html, const struct node *node, size_t y)
{
    buf_addf(html->buf,
             "<rect class=\"%s\" x=\"%d\" y=\"%zu\" width=\"%d\" "
             "height=\"%d\" rx=\"4\"/>\n",
             node->is_doubtful ? "node doubtful" : "node", LEFT, y,
             WIDTH - LEFT - 1, BOX);
    put_line(html, LEFT + 10, y + 19, "who", &node->who);
    put_line(html, LEFT + 10, y + 36, "where", &node->where);
}

/* An arrow from below one box down to the next, with words beside it. */
static void put_arrow(struct html *html, const struct buf *words, size_t y)
{
    size_t x = LEFT + 14;

    buf_addf(html->buf,
             "<path class=\"arrow\" d=\"M%zu %zuv%d\"/>\n"
             "<path class=\"head\" d=\"M%zu %zul-4 -7h8z\"/>\n",
             x, y, GAP - 7, x, y + GAP);
    put_line(html, x + 12, y + GAP / 2 + 4, "wants", words);
}

/* The arrow beside the boxes, from the last one back up to the first. */
static void put_return(struct html *html, size_t height)
{
    buf_addf(html->buf,
             "<path class=\"arrow\" d=\"M%d %zuh-12q-6 0 -6 -6V%dq0 -6 6 "
             "-6h5\"/>\n<path class=\"head\" d=\"M%d %dl-7 -4v8z\"/>\n",
             LEFT, height - GAP - BOX / 2, BOX / 2 + 6, LEFT, BOX / 2);
}

/* Draws the nodes; words say the same, for who cannot see them. */
static void put_drawing(struct drawing *drawing, bool is_circle,
                        struct str words)
{
    struct html *html = drawing->html;
    size_t rows = drawing->count;
    size_t height = rows * BOX + (rows - 1) * GAP + (is_circle ? GAP : 2);

    buf_addf(html->buf,
             "<svg class=\"chain\" role=\"img\" viewBox=\"0 0 %d %zu\" "
             "width=\"%d\">\n<title>",
             WIDTH, height, WIDTH);
    html_text(html, words);
    html_raw(html, "</title>\n");
    for (size_t i = 0; i < rows; i++) {
        size_t y = i * (BOX + GAP) + 1;

        put_node(html, &drawing->nodes[i], y);
        if (i + 1 < rows)
            put_arrow(html, &drawing->nodes[i].wants, y + BOX);
        else if (is_circle)
            put_line(html, LEFT + 10, y + BOX + 22, "wants",
                     &drawing->nodes[i].wants);
    }
    if (is_circle)
        put_return(html, height);
    html_raw(html, "</svg>\n");
}

static void add_where(struct drawing *drawing, struct node *node,
                      frame_id frame, const struct joined_group *group)
{
    words_site(&node->where, drawing->symbols, frame);
    if (!group)
        return;
    if (node->where.len)
        buf_add(&node->where, STR(", "));
    buf_add(&node->where, symbols_state(drawing->symbols, group->state));
}

/* "goroutine 20", "one of 40 goroutines", "a goroutine" */
static void add_one(struct buf *out, uint64_t id, uint64_t count)
{
    if (id) {
        buf_addf(out, "goroutine %llu", (unsigned long long)id);
    } else if (count > 1) {
        buf_add(out, STR("one of "));
        words_count(out, count);
        buf_add(out, STR(" goroutines"));
    } else {
        buf_add(out, STR("a goroutine"));
    }
}

static void add_lock(struct drawing *drawing, struct buf *out,
                     const struct holding *holding)
{
    if (holding->name.len)
        buf_add(out, holding->name);
    else if (holding->address)
        held_add_lock(out, drawing->symbols, holding);
    else
        buf_add(out, str_from(holding_kind_text(holding->kind)));
}

/* The goroutines that wait, in front of a chain: the place is that of those of
 * the finding. */
static void add_waiters(struct drawing *drawing, const struct finding *finding)
{
    struct node *node = &drawing->nodes[drawing->count++];
    const struct holding *holding = finding->holding;
    uint64_t here = fact_waiters_here(drawing->html->report, finding);
    frame_id site = holding->site;

    words_count(&node->who, holding->waiters);
    buf_add(&node->who, holding->waiters == 1 ? STR(" waits") : STR(" wait"));
    if (finding->n_holdings == 1 && holding->waiters > here) {
        buf_add(&node->who, STR(", "));
        words_count(&node->who, holding->waiters - here);
        buf_add(&node->who, STR(" of them elsewhere"));
        if (finding->site != FRAME_NONE)
            site = finding->site;
    }
    add_where(drawing, node, site, NULL);
    buf_add(&node->wants, STR("for "));
    add_lock(drawing, &node->wants, holding);
}

static void add_holder(struct drawing *drawing, const struct holding *holding,
                       const struct holder *holder)
{
    struct node *node = &drawing->nodes[drawing->count++];

    if (held_by_many(holding)) {
        words_count(&node->who, holder->count);
        if (holder->certainty == CERTAINTY_LOW)
            buf_add(&node->who, STR(" perhaps"));
        buf_add(&node->who, holder->count == 1 ? STR(" holds a place")
                                               : STR(" hold places"));
    } else {
        buf_add(&node->who, str_from(held_adverb(holder->certainty)));
        buf_add(&node->who, STR("held by "));
        add_one(&node->who, holder->goroutine, holder->count);
    }
    node->is_doubtful = holder->certainty == CERTAINTY_LOW;
    add_where(drawing, node, holder->frame, holder->group);
    if (holder->waits) {
        buf_add(&node->wants, STR("waits for "));
        add_lock(drawing, &node->wants, holder->waits);
    }
}

static void add_nobody(struct drawing *drawing, const struct holding *holding)
{
    struct node *node = &drawing->nodes[drawing->count++];

    if (holding->starter.len)
        buf_add(&node->who, STR("who started them has returned"));
    else
        buf_add(&node->who, holding->n_again
                                ? STR("perhaps held by some that wait")
                                : STR("no holder was found"));
    node->is_doubtful = true;
}

/* Who holds it, what that one waits for, who holds that, and so on. */
static void add_chain(struct drawing *drawing, const struct holding *holding)
{
    const struct holding *first = holding;

    for (unsigned i = 0; i < STEPS_MOST && holding; i++) {
        const struct holder *holder = holding->holders;

        if (!holding->n_holders) {
            add_nobody(drawing, holding);
            return;
        }
        add_holder(drawing, holding, holder);
        if (held_by_many(holding) || holder->is_itself)
            return;
        holding = holder->waits;
        if (holding == first)
            return;
    }
}

void html_held(struct html *html, const struct finding *finding)
{
    struct drawing drawing = drawing_of(html);
    struct buf words = {0};

    if (!fact_is_held(finding) || finding->cycle)
        return;
    add_waiters(&drawing, finding);
    add_chain(&drawing, finding->holding);
    held_add(&words, drawing.symbols, finding->holding);
    html_raw(html, "<h3>Who waits for whom</h3>\n");
    put_drawing(&drawing, false, buf_str(&words));
    drawing_done(&drawing);
    buf_done(&words);
}

static void add_link(struct drawing *drawing, const struct cycle_link *link)
{
    struct node *node = &drawing->nodes[drawing->count++];

    add_one(&node->who, link->goroutine, link->count);
    node->is_doubtful = link->certainty == CERTAINTY_LOW;
    add_where(drawing, node, link->frame, link->group);
    buf_add(&node->wants, STR("waits for "));
    if (link->wants)
        add_lock(drawing, &node->wants, link->wants);
    else
        buf_add(&node->wants, STR("a channel"));
}

static void put_cycle(struct html *html, const struct wait_cycle *cycle)
{
    struct drawing drawing = drawing_of(html);
    struct buf words = {0};

    html_raw(html, cycle->certainty == CERTAINTY_LOW ? "<h3>Perhaps a deadlock"
                                                     : "<h3>Deadlock");
    buf_addf(html->buf,
             " (%s confidence): each waits for the next one</h3>\n"
             "<div class=\"finding\">\n<ol class=\"prose\">\n",
             certainty_text(cycle->certainty));
    for (size_t i = 0; i < cycle->n_links; i++) {
        html_raw(html, "<li>");
        held_add_link(&words, drawing.symbols, cycle, i);
        html_words(html, &words);
        html_raw(html, "</li>\n");
        if (drawing.count < NODES_MOST)
            add_link(&drawing, &cycle->links[i]);
    }
    html_raw(html, "</ol>\n<div class=\"evidence\">\n");
    if (drawing.count == cycle->n_links)
        put_drawing(&drawing, true,
                    STR("each waits for the one below it, the "
                        "last for the first"));
    html_raw(html, "</div>\n</div>\n");
    drawing_done(&drawing);
    buf_done(&words);
}

void html_cycles(struct html *html)
{
    size_t n = 0;
    const struct wait_cycle *cycles =
        analysis_cycles(report_analysis(html->report), &n);

    if (!n)
        return;
    html_section(html, "cycles", "Waiting in a circle");
    for (size_t i = 0; i < n; i++)
        put_cycle(html, &cycles[i]);
    html_raw(html, "</section>\n");
}
