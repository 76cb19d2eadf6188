#include "report/measures.h"

#include <stdlib.h>

/* pprof's -nodefraction: functions below it are noise. */
enum { CUTOFF_PER_MILLE = 5 };

struct builder {
    struct snapshot *snapshot;
    const struct symbols *symbols;
    struct arena *arena;
    struct measures *measures;
    size_t type;
    struct measure_row *by_text; /* a row for each text of the symbols */
    uint32_t *seen;              /* the stack that a text was last met on */
};

static int64_t magnitude(int64_t value)
{
    return value < 0 ? -value : value;
}

/* The judged snapshot that the table is of. */
static struct snapshot *find_measured(const struct analysis *analysis)
{
    const struct cprof_snapshots *snapshots = analysis_snapshots(analysis);

    for (size_t i = 0; i < snapshots->count; i++) {
        const struct snapshot_info *info =
            snapshot_info_get(snapshots->items[i]);

        if (analysis_is_judged(analysis, i) && info->n_types &&
            profile_is_measured(info->kind))
            return snapshots->items[i];
    }
    return NULL;
}

static int unknown_type(const struct snapshot_info *info, const char *wanted,
                        struct cprof_error *err)
{
    struct buf names = {0};
    int rc;

    for (size_t i = 0; i < info->n_types; i++) {
        buf_add(&names, i ? STR(", ") : STR(""));
        buf_add(&names, info->types[i].name);
    }
    rc = error_set(err, CPROF_EUSAGE, (struct place){info->source.ptr, 0, 0},
                   "no sample type '%.100s' (there are: " STR_FORMAT ")",
                   wanted, STR_ARG(buf_str(&names)));
    buf_done(&names);
    return rc;
}

static int choose_type(struct builder *builder, const char *wanted,
                       struct cprof_error *err)
{
    const struct snapshot_info *info = builder->measures->info;
    size_t type = info->default_type;

    if (wanted) {
        for (type = 0; type < info->n_types; type++) {
            if (str_equal(info->types[type].name, str_from(wanted)))
                break;
        }
    }
    if (type >= info->n_types)
        return unknown_type(info, wanted ? wanted : "", err);
    builder->type = type;
    builder->measures->type = info->types[type];
    return 0;
}

static void add_stack(struct builder *builder, uint32_t number,
                      struct stack stack, int64_t value)
{
    for (uint32_t i = 0; i < stack.n_frames; i++) {
        text_id text =
            symbols_frame(builder->symbols, stack.frames[i]).function;
        struct measure_row *row = &builder->by_text[text];

        if (i == 0)
            row->flat += value;
        if (builder->seen[text] == number)
            continue;
        builder->seen[text] = number;
        row->cum += value;
    }
}

static void add_stacks(struct builder *builder)
{
    for (size_t i = 0; i < snapshot_n_groups(builder->snapshot); i++) {
        const int64_t *values = snapshot_values(builder->snapshot, i);
        const struct group *group = snapshot_group(builder->snapshot, i);
        int64_t value = values ? values[builder->type] : 0;

        builder->measures->total += magnitude(value);
        if (value)
            add_stack(builder, (uint32_t)i + 1,
                      symbols_stack(builder->symbols, group->stack), value);
    }
}

/* By the value, the larger first, then by name. */
static int compare(const struct measure_row *a, const struct measure_row *b,
                   int64_t of_a, int64_t of_b)
{
    if (magnitude(of_a) != magnitude(of_b))
        return magnitude(of_a) > magnitude(of_b) ? -1 : 1;
    return str_compare(a->function, b->function);
}

static int compare_flat(const void *a, const void *b)
{
    const struct measure_row *left = a;
    const struct measure_row *right = b;

    return compare(left, right, left->flat, right->flat);
}

static int compare_cum(const void *a, const void *b)
{
    const struct measure_row *left = a;
    const struct measure_row *right = b;

    return compare(left, right, left->cum, right->cum);
}

/* Moves the rows that count to the front, and drops what is noise. */
static size_t keep_rows(struct builder *builder, size_t n_texts, bool all)
{
    struct measures *measures = builder->measures;
    size_t n = 0;

    if (!all)
        measures->cutoff = measures->total * CUTOFF_PER_MILLE / 1000;
    for (size_t i = 0; i < n_texts; i++) {
        struct measure_row row = builder->by_text[i];

        if (!row.cum && !row.flat)
            continue;
        if (magnitude(row.cum) < measures->cutoff) {
            measures->n_dropped++;
            continue;
        }
        row.function = symbols_text(builder->symbols, (text_id)i);
        builder->by_text[n++] = row;
    }
    return n;
}

static struct unit choose_unit(const struct measures *measures)
{
    uint64_t smallest = 0;

    for (size_t i = 0; i < measures->n_rows; i++) {
        const struct measure_row *row = &measures->rows[i];
        uint64_t value = (uint64_t)magnitude(row->flat ? row->flat : row->cum);

        if (!smallest || value < smallest)
            smallest = value;
    }
    return unit_choose(measures->type.unit, smallest,
                       (uint64_t)measures->total);
}

static void settle_rows(struct builder *builder, size_t n_texts, bool all)
{
    struct measures *measures = builder->measures;
    struct measure_row *rows = builder->by_text;
    int64_t sum = 0;

    measures->rows = rows;
    measures->n_rows = keep_rows(builder, n_texts, all);
    if (measures->n_rows)
        qsort(rows, measures->n_rows, sizeof(*rows),
              measures->by_cum ? compare_cum : compare_flat);
    for (size_t i = 0; i < measures->n_rows; i++) {
        sum += rows[i].flat;
        rows[i].sum = sum;
    }
    measures->unit = choose_unit(measures);
}

int measures_build(const struct measures **ret, struct arena *arena,
                   const struct analysis *analysis,
                   const struct cprof_options *options, struct cprof_error *err)
{
    struct builder builder = {.snapshot = find_measured(analysis),
                              .arena = arena};
    size_t n;
    int rc;

    *ret = NULL;
    if (!builder.snapshot)
        return 0;
    builder.symbols = snapshot_symbols(builder.snapshot);
    n = symbols_n_texts(builder.symbols) + 1;
    builder.measures = arena_take_zero(arena, sizeof(*builder.measures));
    builder.by_text = arena_take_zero(arena, n * sizeof(*builder.by_text));
    builder.seen = arena_take_zero(arena, n * sizeof(*builder.seen));
    if (!builder.measures || !builder.by_text || !builder.seen)
        return error_memory(err, (struct place){0}, "making the table");
    builder.measures->info = snapshot_info_get(builder.snapshot);
    builder.measures->by_cum = options->sort_by_cum;
    rc = choose_type(&builder, options->sample_type, err);
    if (rc < 0)
        return rc;
    add_stacks(&builder);
    settle_rows(&builder, n, options->all);
    *ret = builder.measures;
    return 0;
}
