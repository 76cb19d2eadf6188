#include "report/tree.h"

#include <stdlib.h>

#include "base/count.h"
#include "base/hash.h"
#include "report/built.h"

enum { NOBODY = 0 }; /* nodes are named by their index + 1 */

struct node {
    text_id entry;    /* 0 = not known */
    frame_id creator; /* FRAME_NONE = not known */
    uint32_t parent;
    uint32_t above;      /* a node on the way to its root; NOBODY = it is one */
    uint32_t n_children; /* whose totals are to come */
    bool is_added;       /* its own went to its parent */
    uint64_t own;
    uint64_t total;
    uint64_t largest; /* goroutines of its largest group */
    state_id state;   /* of that group */
    bool has_states;
};

/* The node whose goroutines most often have a function on their stack. */
struct host {
    text_id function;
    uint32_t node;
    uint64_t count;
};

struct grove {
    const struct cprof_report *report;
    struct symbols *symbols;
    struct pool nodes;
    struct pool hosts;
    struct table by_key;      /* nodes */
    struct table by_function; /* hosts */
    bool failed;
};

static uint64_t hash_of_node(text_id entry, frame_id creator)
{
    return hash_mix(entry, creator);
}

static uint64_t rehash_node(const void *user, uint32_t id)
{
    const struct grove *grove = user;
    const struct node *node = pool_at(&grove->nodes, id - 1);

    return hash_of_node(node->entry, node->creator);
}

static uint64_t rehash_host(const void *user, uint32_t id)
{
    const struct grove *grove = user;
    const struct host *host = pool_at(&grove->hosts, id - 1);

    return hash_mix(host->function, 1);
}

/* The node for a function and the line that started it; made when it is not
 * there. NOBODY when there is no memory. */
static uint32_t find_node(struct grove *grove, text_id entry, frame_id creator)
{
    uint64_t hash = hash_of_node(entry, creator);
    struct table_walk walk = table_walk(&grove->by_key, hash);
    struct node *node;
    uint32_t id;

    while ((id = table_next(&grove->by_key, &walk)) != 0) {
        node = pool_at(&grove->nodes, id - 1);
        if (node->entry == entry && node->creator == creator)
            return id;
    }
    node = pool_add(&grove->nodes);
    id = (uint32_t)grove->nodes.count;
    if (!node || !table_put(&grove->by_key, hash, id, rehash_node, grove)) {
        grove->failed = true;
        return NOBODY;
    }
    node->entry = entry;
    node->creator = creator;
    return id;
}

static struct host *find_host(const struct grove *grove, text_id function)
{
    struct table_walk walk =
        table_walk(&grove->by_function, hash_mix(function, 1));
    uint32_t id;

    while ((id = table_next(&grove->by_function, &walk)) != 0) {
        struct host *host = pool_at(&grove->hosts, id - 1);

        if (host->function == function)
            return host;
    }
    return NULL;
}

static void want_host(struct grove *grove, frame_id creator)
{
    text_id function = symbols_frame(grove->symbols, creator).function;
    struct host *host = find_host(grove, function);

    if (host)
        return;
    host = pool_add(&grove->hosts);
    if (!host || !table_put(&grove->by_function, hash_mix(function, 1),
                            (uint32_t)grove->hosts.count, rehash_host, grove))
        grove->failed = true;
    else
        host->function = function;
}

/* The function that a stack begins in. */
static text_id entry_of(const struct grove *grove,
                        const struct joined_group *group)
{
    struct stack stack = symbols_stack(grove->symbols, group->stack);

    if (!stack.n_frames)
        return 0;
    return symbols_frame(grove->symbols, stack.frames[stack.n_frames - 1])
        .function;
}

static void add(struct grove *grove, const struct joined_group *group,
                frame_id creator, uint64_t count)
{
    uint32_t id =
        count ? find_node(grove, entry_of(grove, group), creator) : NOBODY;
    struct node *node;

    if (id == NOBODY)
        return;
    node = pool_at(&grove->nodes, id - 1);
    node->has_states |= node->own && node->state != group->state;
    node->own += count;
    if (count > node->largest) {
        node->largest = count;
        node->state = group->state;
    }
    if (creator != FRAME_NONE)
        want_host(grove, creator);
}

static void add_group(struct grove *grove, const struct joined_group *group)
{
    struct plain_evidence room;
    const struct counted_set *creators =
        &joined_evidence(group, &room)->creators;
    uint64_t rest = group->count;

    if (!creators->count) {
        add(grove, group, group->created_by, rest);
        return;
    }
    for (uint32_t i = 0; i < creators->count; i++) {
        add(grove, group, creators->items[i].id, creators->items[i].count);
        rest -= creators->items[i].count;
    }
    add(grove, group, FRAME_NONE, rest);
}

/* Offers a group as the home of the functions on its stack. */
static void offer(struct grove *grove, const struct joined_group *group)
{
    struct stack stack = symbols_stack(grove->symbols, group->stack);

    for (uint32_t i = 0; i < stack.n_frames; i++) {
        struct host *host = find_host(
            grove, symbols_frame(grove->symbols, stack.frames[i]).function);

        if (!host || host->count >= group->count)
            continue;
        host->count = group->count;
        host->node =
            find_node(grove, entry_of(grove, group), group->created_by);
    }
}

static struct node *node_at(const struct grove *grove, uint32_t id)
{
    return pool_at(&grove->nodes, id - 1);
}

/* The topmost node above one, or itself. Makes the ways shorter that it goes,
 * so that a chain of any length costs little. */
static uint32_t find_root(struct grove *grove, uint32_t id)
{
    uint32_t above;

    while ((above = node_at(grove, id)->above) != NOBODY) {
        uint32_t next = node_at(grove, above)->above;

        if (next != NOBODY)
            node_at(grove, id)->above = next;
        id = above;
    }
    return id;
}

/* Hangs each node below the one that has its creator on the stack, but for
 * circles: a function that starts itself. A node is a root until then. */
static void link_nodes(struct grove *grove)
{
    for (uint32_t id = 1; id <= grove->nodes.count; id++) {
        struct node *node = node_at(grove, id);
        const struct host *host =
            node->creator == FRAME_NONE
                ? NULL
                : find_host(
                      grove,
                      symbols_frame(grove->symbols, node->creator).function);

        if (!host || host->node == NOBODY || find_root(grove, host->node) == id)
            continue;
        node->parent = node->above = host->node;
        node_at(grove, host->node)->n_children++;
    }
}

/* Gives a node's total to those above it, as far as it was the last child that
 * they waited for. */
static void pass_total(struct grove *grove, uint32_t id)
{
    struct node *node = node_at(grove, id);

    while (!node->n_children && !node->is_added) {
        struct node *parent;

        node->is_added = true;
        if (node->parent == NOBODY)
            break;
        parent = node_at(grove, node->parent);
        parent->total = count_sum(parent->total, node->total);
        parent->n_children--;
        node = parent;
    }
}

static void add_totals(struct grove *grove)
{
    for (uint32_t id = 1; id <= grove->nodes.count; id++)
        node_at(grove, id)->total = node_at(grove, id)->own;
    for (uint32_t id = 1; id <= grove->nodes.count; id++)
        pass_total(grove, id);
}

/* A node on its way to a row. */
struct place_in_tree {
    uint32_t id;
    uint32_t parent;
    struct tree_row row;
};

/* By parent, then the largest first, then by name and line. */
static int compare(const void *a, const void *b)
{
    const struct place_in_tree *left = a;
    const struct place_in_tree *right = b;
    int order = (left->parent > right->parent) - (left->parent < right->parent);

    if (!order)
        order = (left->row.total < right->row.total) -
                (left->row.total > right->row.total);
    if (!order)
        order = str_compare(left->row.entry, right->row.entry);
    if (!order)
        order =
            str_compare(left->row.created_by.file, right->row.created_by.file);
    if (!order)
        order = (left->row.created_by.line > right->row.created_by.line) -
                (left->row.created_by.line < right->row.created_by.line);
    return order;
}

static void describe(const struct grove *grove, uint32_t id,
                     struct place_in_tree *ret)
{
    const struct node *node = pool_at(&grove->nodes, id - 1);

    ret->id = id;
    ret->parent = node->parent;
    ret->row = (struct tree_row){
        .entry = node->entry ? symbols_text(grove->symbols, node->entry)
                             : (struct str){0},
        .created_by = place_of_frame(grove->report, node->creator),
        .own = node->own,
        .total = node->total,
        .state = symbols_state(grove->symbols, node->state),
        .has_states = node->has_states,
    };
}

/* Sorted nodes, and where to go from one of them. */
struct walk {
    struct place_in_tree *sorted;
    const size_t *first; /* of each node id: its first child; n = none */
    const size_t *where; /* of each node id: itself */
    size_t n;
};

static bool has_next(const struct walk *walk, size_t at)
{
    return at + 1 < walk->n &&
           walk->sorted[at + 1].parent == walk->sorted[at].parent;
}

/* Settles how a node is drawn, by its parent. Deeper ones than TREE_DEPTH stand
 * at that depth. */
static void draw(struct walk *walk, size_t at)
{
    struct place_in_tree *node = &walk->sorted[at];
    const struct tree_row *parent;
    uint64_t rail;

    if (node->parent == NOBODY)
        return;
    parent = &walk->sorted[walk->where[node->parent]].row;
    node->row.depth =
        parent->depth < TREE_DEPTH ? parent->depth + 1 : TREE_DEPTH;
    rail = (uint64_t)1 << (node->row.depth - 1);
    node->row.rails =
        has_next(walk, at) ? parent->rails | rail : parent->rails & ~rail;
}

/* The node behind one: its first child, or else the next child of the nearest
 * above that has one. n at the end. */
static size_t next_of(const struct walk *walk, size_t at)
{
    if (walk->first[walk->sorted[at].id] < walk->n)
        return walk->first[walk->sorted[at].id];
    while (!has_next(walk, at)) {
        if (walk->sorted[at].parent == NOBODY)
            return walk->n;
        at = walk->where[walk->sorted[at].parent];
    }
    return at + 1;
}

static int take_rows(struct tree *ret, const struct grove *grove,
                     struct arena *arena, struct cprof_error *err)
{
    size_t n = grove->nodes.count;
    struct place_in_tree *sorted = arena_take_zero(arena, n * sizeof(*sorted));
    size_t *first = arena_take(arena, (n + 1) * sizeof(*first));
    size_t *where = arena_take(arena, (n + 1) * sizeof(*where));
    struct tree_row *rows = arena_take_zero(arena, n * sizeof(*rows));
    struct walk walk = {sorted, first, where, n};

    *ret = (struct tree){rows, 0, grove->hosts.count > 0};
    if (!n && !grove->failed)
        return 0;
    if (grove->failed || !sorted || !first || !where || !rows)
        return error_memory(err, (struct place){0}, "building the tree");
    for (uint32_t id = 1; id <= n; id++)
        describe(grove, id, &sorted[id - 1]);
    qsort(sorted, n, sizeof(*sorted), compare);
    for (size_t i = 0; i <= n; i++)
        first[i] = n;
    for (size_t i = n; i-- > 0;) {
        first[sorted[i].parent] = i;
        where[sorted[i].id] = i;
    }
    for (size_t at = first[NOBODY]; at < n; at = next_of(&walk, at)) {
        draw(&walk, at);
        rows[ret->n++] = sorted[at].row;
    }
    return 0;
}

int tree_build(struct tree *ret, const struct cprof_report *report,
               struct arena *arena, struct cprof_error *err)
{
    struct grove grove = {.report = report, .symbols = report_symbols(report)};
    int rc;

    pool_init(&grove.nodes, report->budget, sizeof(struct node));
    pool_init(&grove.hosts, report->budget, sizeof(struct host));
    table_init(&grove.by_key, report->budget);
    table_init(&grove.by_function, report->budget);
    for (size_t i = report_next_leading(report, 0); i != SIZE_MAX;
         i = report_next_leading(report, i + 1))
        add_group(&grove, analysis_group(report->analysis, i));
    for (size_t i = report_next_leading(report, 0); i != SIZE_MAX;
         i = report_next_leading(report, i + 1))
        offer(&grove, analysis_group(report->analysis, i));
    link_nodes(&grove);
    add_totals(&grove);
    rc = take_rows(ret, &grove, arena, err);
    pool_done(&grove.nodes);
    pool_done(&grove.hosts);
    table_done(&grove.by_key);
    table_done(&grove.by_function);
    return rc;
}
