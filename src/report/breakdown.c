#include <stdlib.h>

#include "base/count.h"
#include "base/hash.h"
#include "model/name.h"
#include "report/built.h"

/* Rows are found by a small number: a frame, a text or a state, depending on
 * what is grouped by; REST stands for goroutines without such a thing. */
enum { REST = 0 };

struct row {
    uint32_t key;
    uint64_t count;
    size_t n_groups;
    size_t last_group; /* counted last + 1, so that no group counts twice */
    size_t largest;    /* the group with most of its goroutines */
    uint64_t of_largest;
    bool has_states; /* not all of its groups are in the same state */
};

struct breakdown {
    struct cprof_report *report;
    struct intern packages; /* texts that the symbols do not have */
    struct pool rows;       /* struct row */
    struct table table;     /* index of row + 1, by key */
    bool failed;
};

static uint64_t hash_key(uint32_t key)
{
    return hash_mix(key, 1);
}

static uint64_t rehash_row(const void *user, uint32_t id)
{
    const struct breakdown *breakdown = user;
    const struct row *row = pool_at(&breakdown->rows, id - 1);

    return hash_key(row->key);
}

static struct row *find_row(struct breakdown *breakdown, uint32_t key)
{
    uint64_t hash = hash_key(key);
    struct table_walk walk = table_walk(&breakdown->table, hash);
    struct row *row;
    uint32_t id;

    while ((id = table_next(&breakdown->table, &walk)) != 0) {
        row = pool_at(&breakdown->rows, id - 1);
        if (row->key == key)
            return row;
    }
    row = pool_add(&breakdown->rows);
    if (!row)
        return NULL;
    row->key = key;
    if (!table_put(&breakdown->table, hash, (uint32_t)breakdown->rows.count,
                   rehash_row, breakdown))
        return NULL;
    return row;
}

static void add(struct breakdown *breakdown, size_t group, uint32_t key,
                uint64_t count)
{
    const struct cprof_report *report = breakdown->report;
    struct row *row = count ? find_row(breakdown, key) : NULL;

    if (!row) {
        breakdown->failed |= count > 0;
        return;
    }
    if (row->count && analysis_group(report->analysis, group)->state !=
                          analysis_group(report->analysis, row->largest)->state)
        row->has_states = true;
    if (count > row->of_largest) {
        row->largest = group;
        row->of_largest = count;
    }
    row->count = count_sum(row->count, count);
    row->n_groups += row->last_group != group + 1;
    row->last_group = group + 1;
}

static frame_id site_frame(const struct breakdown *breakdown,
                           const struct joined_group *group)
{
    struct symbols *symbols = report_symbols(breakdown->report);

    if (group->site < 0)
        return FRAME_NONE;
    return symbols_stack(symbols, group->stack).frames[group->site];
}

static void add_creators(struct breakdown *breakdown, size_t index,
                         const struct joined_group *group)
{
    struct plain_evidence room;
    const struct counted_set *creators =
        &joined_evidence(group, &room)->creators;
    uint64_t rest = group->count;

    if (!creators->count) {
        add(breakdown, index, group->created_by, group->count);
        return;
    }
    for (uint32_t i = 0; i < creators->count; i++) {
        add(breakdown, index, creators->items[i].id, creators->items[i].count);
        rest -= creators->items[i].count;
    }
    add(breakdown, index, REST, rest);
}

/* The empty value is a value too, so label values are keyed by id + 1. */
static void add_labels(struct breakdown *breakdown, size_t index,
                       const struct joined_group *group, struct str key)
{
    struct symbols *symbols = report_symbols(breakdown->report);
    uint64_t rest = group->count;

    for (const struct label_counts *labels = joined_labels(group); labels;
         labels = labels->next) {
        const struct counted_set *values = &labels->values;

        if (!str_equal(symbols_text(symbols, labels->key), key))
            continue;
        for (uint32_t i = 0; i < values->count; i++) {
            add(breakdown, index, values->items[i].id + 1,
                values->items[i].count);
            rest -= values->items[i].count;
        }
    }
    add(breakdown, index, REST, rest);
}

static void add_group(struct breakdown *breakdown, size_t index,
                      const struct joined_group *group)
{
    const struct cprof_options *options = breakdown->report->options;
    struct symbols *symbols = report_symbols(breakdown->report);
    frame_id site = site_frame(breakdown, group);
    uint32_t key = REST;

    switch (options->group_by) {
    case GROUP_BY_STACK:
        return;
    case GROUP_BY_CREATOR:
        add_creators(breakdown, index, group);
        return;
    case GROUP_BY_LABEL:
        add_labels(breakdown, index, group, str_from(options->group_by_label));
        return;
    case GROUP_BY_SITE:
        key = site;
        break;
    case GROUP_BY_FUNCTION:
        key = site ? symbols_frame(symbols, site).function : REST;
        break;
    case GROUP_BY_PACKAGE:
        key = site ? intern_put(&breakdown->packages,
                                name_package(symbols_function(symbols, site)))
                   : REST;
        break;
    case GROUP_BY_STATE:
        key = (uint32_t)group->state + 1;
        break;
    }
    add(breakdown, index, key, group->count);
}

/* What most of the goroutines of a row do, and where. */
static void describe_largest(const struct breakdown *breakdown,
                             const struct row *row, struct breakdown_row *ret)
{
    const struct cprof_report *report = breakdown->report;
    const struct joined_group *group =
        analysis_group(report->analysis, row->largest);
    struct stack stack = symbols_stack(report_symbols(report), group->stack);

    ret->state = symbols_state(report_symbols(report), group->state);
    ret->has_states = row->has_states;
    ret->largest = place_of_site(report, group);
    if (!ret->largest.function.len && stack.n_frames)
        ret->largest = place_of_frame(report, stack.frames[0]);
}

/* Says what a row stands for. */
static void describe(struct breakdown *breakdown, const struct row *row,
                     struct breakdown_row *ret)
{
    struct cprof_report *report = breakdown->report;
    struct symbols *symbols = report_symbols(report);

    ret->is_rest = row->key == REST;
    if (ret->is_rest)
        return;
    switch (report->options->group_by) {
    case GROUP_BY_STACK:
        return;
    case GROUP_BY_SITE:
    case GROUP_BY_CREATOR:
        ret->place = place_of_frame(report, row->key);
        return;
    case GROUP_BY_FUNCTION:
        ret->place.function = symbols_text(symbols, row->key);
        return;
    case GROUP_BY_PACKAGE:
        ret->text = arena_copy(&report->arena,
                               intern_text(&breakdown->packages, row->key));
        return;
    case GROUP_BY_STATE:
        ret->text = symbols_state(symbols, (state_id)(row->key - 1));
        return;
    case GROUP_BY_LABEL:
        ret->text = symbols_text(symbols, row->key - 1);
        return;
    }
}

static int compare_places(const struct code_place *a,
                          const struct code_place *b)
{
    int order = str_compare(a->function, b->function);

    if (!order)
        order = str_compare(a->file, b->file);
    if (!order)
        order = (a->line > b->line) - (a->line < b->line);
    return order;
}

/* More goroutines first, then by name; the rest comes last. */
static int compare_rows(const void *a, const void *b)
{
    const struct breakdown_row *left = a;
    const struct breakdown_row *right = b;
    int order = left->is_rest - right->is_rest;

    if (!order)
        order = (left->count < right->count) - (left->count > right->count);
    if (!order)
        order = str_compare(left->text, right->text);
    return order ? order : compare_places(&left->place, &right->place);
}

static int take_rows(struct breakdown *breakdown, struct cprof_error *err)
{
    struct cprof_report *report = breakdown->report;
    size_t n = breakdown->rows.count;
    struct breakdown_row *rows =
        arena_take_zero(&report->arena, n * sizeof(*rows));

    if (!rows || breakdown->failed)
        return error_memory(err, (struct place){0}, "grouping");
    for (size_t i = 0; i < n; i++) {
        const struct row *row = pool_at(&breakdown->rows, i);

        rows[i].count = row->count;
        rows[i].n_groups = row->n_groups;
        if (report->summary.share_of)
            rows[i].share =
                (double)row->count / (double)report->summary.share_of;
        describe(breakdown, row, &rows[i]);
        describe_largest(breakdown, row, &rows[i]);
    }
    qsort(rows, n, sizeof(*rows), compare_rows);
    report->rows = rows;
    report->n_rows = n;
    return 0;
}

int breakdown_build(struct cprof_report *report, struct cprof_error *err)
{
    struct breakdown breakdown = {.report = report};
    int rc;

    if (report->options->group_by == GROUP_BY_STACK)
        return 0;
    intern_init(&breakdown.packages, report->budget);
    pool_init(&breakdown.rows, report->budget, sizeof(struct row));
    table_init(&breakdown.table, report->budget);
    for (size_t i = report_next_leading(report, 0); i != SIZE_MAX;
         i = report_next_leading(report, i + 1))
        add_group(&breakdown, i, analysis_group(report->analysis, i));
    rc = take_rows(&breakdown, err);
    intern_done(&breakdown.packages);
    pool_done(&breakdown.rows);
    table_done(&breakdown.table);
    return rc;
}
