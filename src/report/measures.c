#include <stdlib.h>

#include "model/name.h"
#include "report/built.h"

/* pprof's -nodefraction: functions below it are noise. */
static const double node_fraction = 0.005;

struct builder {
    const struct cprof_report *report;
    struct arena *arena;
    struct measures *measures;
    struct measure_row *by_text;   /* a row for each text of the symbols */
    uint32_t *seen;                /* the stack that a text was last met on */
    struct measure_site *by_frame; /* of each frame, and of none at 0 */
};

static size_t find_type(const struct snapshot_info *info, struct str name)
{
    size_t i = 0;

    while (i < info->n_types && !str_equal(info->types[i].name, name))
        i++;
    return i;
}

/* Whether a family has a table. */
static bool is_measured(const struct family *family)
{
    return family->n_judged && family->bases &&
           profile_is_measured(family->info->kind);
}

/* No family has the type that was asked for. */
static int unknown_type(const struct cprof_report *report,
                        struct cprof_error *err)
{
    const struct analysis *analysis = report->analysis;
    struct buf names = {0};
    struct place place = {0};
    int rc;

    for (size_t f = 0; f < analysis_n_families(analysis); f++) {
        const struct family *family = analysis_family(analysis, f);

        for (size_t i = 0; is_measured(family) && i < family->info->n_types;
             i++) {
            place.source = family->info->source.ptr;
            buf_add(&names, names.len ? STR(", ") : STR(""));
            buf_add(&names, family->info->types[i].name);
        }
    }
    rc = error_set(err, CPROF_EUSAGE, place,
                   "no sample type '%.100s' (there are: " STR_FORMAT ")",
                   report->options->sample_type, STR_ARG(buf_str(&names)));
    buf_done(&names);
    return rc;
}

static bool is_count(struct value_type type)
{
    return str_equal(type.unit, STR("count")) ||
           str_equal(type.unit, STR("objects"));
}

/* The type that counts what another one measures: inuse_objects belongs to
 * inuse_space, and contentions to delay. */
static size_t count_type_of(const struct snapshot_info *info, size_t type)
{
    struct str name = info->types[type].name;
    struct str prefix = str_head(name, str_find(name, '_'));
    size_t found = type;

    for (size_t i = info->n_types; i-- > 0;) {
        if (is_count(info->types[i]))
            found = i;
    }
    for (size_t i = 0; i < info->n_types && prefix.len < name.len; i++) {
        if (is_count(info->types[i]) && str_starts(info->types[i].name, prefix))
            found = i;
    }
    return found;
}

/* The type that the user asks for, in the families that have it; in the others
 * the one that the profile wants shown. */
static void choose_type(struct measures *measures,
                        const struct cprof_options *options)
{
    const struct snapshot_info *info = measures->family->info;
    size_t type = info->n_types;

    if (options->sample_type)
        type = find_type(info, str_from(options->sample_type));
    if (type == info->n_types)
        type = info->default_type;
    measures->type_index = type;
    measures->type = info->types[type];
    measures->count_index = count_type_of(info, type);
    measures->count = measures->family->sums[measures->count_index];
    measures->total = measures->family->bases[type];
    measures->by_cum = options->sort_by_cum;
    measures->is_comparison = measures->family->befores != NULL;
    if (measures->is_comparison)
        measures->count = value_difference(
            measures->count, measures->family->befores[measures->count_index]);
    if (measures->family->n_judged == 1)
        measures->memstats = measures->family->last->memstats;
}

/* Adds the value of a stack to its functions; hidden ones are as if they were
 * not on it. */
static void add_stack(struct builder *builder, uint32_t number,
                      struct stack stack, int64_t value)
{
    const struct symbols *symbols = report_symbols(builder->report);
    bool is_leaf = true;

    for (uint32_t i = 0; i < stack.n_frames; i++) {
        text_id text = symbols_frame(symbols, stack.frames[i]).function;
        struct measure_row *row = &builder->by_text[text];

        if (is_hidden(builder->report, stack.frames[i]))
            continue;
        if (is_leaf)
            row->flat = value_sum(row->flat, value);
        is_leaf = false;
        if (builder->seen[text] == number)
            continue;
        builder->seen[text] = number;
        row->cum = value_sum(row->cum, value);
    }
}

/* A value of a group at the end of a comparison, and at its beginning. */
static int64_t value_at(const int64_t *values, size_t type)
{
    return values ? values[type] : 0;
}

/* The same as what is shown: in a comparison the difference. */
static int64_t value_of(const struct joined_group *group, size_t type)
{
    return value_difference(value_at(joined_extra(group)->values, type),
                            value_at(joined_extra(group)->befores, type));
}

static void add_site(struct builder *builder, const struct joined_group *group,
                     struct stack stack, int64_t value)
{
    size_t type = builder->measures->type_index;
    frame_id frame = group->site < 0 ? FRAME_NONE : stack.frames[group->site];
    struct measure_site *site = &builder->by_frame[frame];

    site->place = place_of_frame(builder->report, frame);
    site->value = value_sum(site->value, value);
    site->count =
        value_sum(site->count, value_of(group, builder->measures->count_index));
    site->before =
        value_sum(site->before, value_at(joined_extra(group)->befores, type));
    site->after =
        value_sum(site->after, value_at(joined_extra(group)->values, type));
}

static void add_groups(struct builder *builder)
{
    const struct analysis *analysis = builder->report->analysis;
    const struct symbols *symbols = report_symbols(builder->report);
    const struct measures *measures = builder->measures;

    for (size_t i = report_next_group(builder->report, 0); i != SIZE_MAX;
         i = report_next_group(builder->report, i + 1)) {
        const struct joined_group *group = analysis_group(analysis, i);
        struct stack stack = symbols_stack(symbols, group->stack);
        int64_t value;

        if (group->family != measures->family_index)
            continue;
        value = value_of(group, measures->type_index);
        if (value)
            add_stack(builder, (uint32_t)i + 1, stack, value);
        /* What did not change is part of before and after. */
        add_site(builder, group, stack, value);
    }
}

/* By the value, the larger first, then by name. */
static int compare(const struct measure_row *a, const struct measure_row *b,
                   int64_t of_a, int64_t of_b)
{
    if (value_absolute(of_a) != value_absolute(of_b))
        return value_absolute(of_a) > value_absolute(of_b) ? -1 : 1;
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

/* Functions whose cum is smaller are left out. As pprof does it, of what the
 * kept stacks add up to: a negative value takes away from a positive one
 * (google/pprof/internal/report/report.go: newTrimmedGraph). */
static int64_t find_cutoff(const struct measure_row *rows, size_t n)
{
    int64_t sum = 0;

    for (size_t i = 0; i < n; i++)
        sum = value_sum(sum, rows[i].flat);
    return value_absolute((int64_t)((double)sum * node_fraction));
}

/* Moves the rows that count to the front, and drops what is noise. */
static size_t keep_rows(struct builder *builder, size_t n_texts, bool all)
{
    struct measures *measures = builder->measures;
    size_t n = 0;

    if (!all && measures->is_comparison)
        measures->cutoff = (int64_t)((double)measures->total * node_fraction);
    else if (!all)
        measures->cutoff = find_cutoff(builder->by_text, n_texts);
    for (size_t i = 0; i < n_texts; i++) {
        struct measure_row row = builder->by_text[i];

        if (!row.cum && !row.flat)
            continue;
        if (value_absolute(row.cum) < measures->cutoff) {
            measures->n_dropped++;
            continue;
        }
        row.function =
            symbols_text(report_symbols(builder->report), (text_id)i);
        builder->by_text[n++] = row;
    }
    return n;
}

static struct unit choose_unit(const struct measures *measures)
{
    uint64_t smallest = 0;

    for (size_t i = 0; i < measures->n_rows; i++) {
        const struct measure_row *row = &measures->rows[i];
        uint64_t value =
            (uint64_t)value_absolute(row->flat ? row->flat : row->cum);

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
        sum = value_sum(sum, rows[i].flat);
        rows[i].sum = sum;
    }
    measures->unit = choose_unit(measures);
}

/* Stacks without frames could be anybody's. */
static bool is_library(const struct measure_site *site)
{
    return site->place.function.len && name_is_std(site->place.function);
}

/* Own code first, then by the value, the larger first, then by place. */
static int compare_sites(const void *a, const void *b)
{
    const struct measure_site *left = a;
    const struct measure_site *right = b;
    int order = is_library(left) - is_library(right);

    if (order)
        return order;
    if (value_absolute(left->value) != value_absolute(right->value))
        return value_absolute(left->value) > value_absolute(right->value) ? -1
                                                                          : 1;
    order = str_compare(left->place.function, right->place.function);
    if (!order)
        order = str_compare(left->place.file, right->place.file);
    return order ? order
                 : (left->place.line > right->place.line) -
                       (left->place.line < right->place.line);
}

static void add_to_library(struct measure_site *library,
                           const struct measure_site *site)
{
    library->value = value_sum(library->value, site->value);
    library->count = value_sum(library->count, site->count);
    library->before = value_sum(library->before, site->before);
    library->after = value_sum(library->after, site->after);
}

static void settle_sites(struct builder *builder, size_t n_frames)
{
    struct measures *measures = builder->measures;
    struct measure_site *sites = builder->by_frame;
    size_t n = 0;

    for (size_t i = 0; i < n_frames; i++) {
        bool is_shown = sites[i].value != 0;

        if (is_library(&sites[i]))
            add_to_library(&measures->library, &sites[i]);
        else
            measures->n_own += is_shown;
        if (!is_shown)
            continue;
        sites[n++] = sites[i];
    }
    if (n)
        qsort(sites, n, sizeof(*sites), compare_sites);
    measures->sites = sites;
    measures->n_sites = n;
    measures->n_listed = measures->n_own ? measures->n_own : n;
}

static int build_table(struct cprof_report *report, struct measures *measures,
                       struct cprof_error *err)
{
    const struct symbols *symbols = report_symbols(report);
    size_t n_texts = symbols_n_texts(symbols) + 1;
    size_t n_frames = symbols_n_frames(symbols) + 1;
    struct arena *arena = &report->arena;
    struct builder builder = {
        .report = report,
        .arena = arena,
        .measures = measures,
        .by_text = arena_take_zero(arena, n_texts * sizeof(*builder.by_text)),
        .seen = arena_take_zero(arena, n_texts * sizeof(*builder.seen)),
        .by_frame =
            arena_take_zero(arena, n_frames * sizeof(*builder.by_frame)),
    };

    if (!builder.by_text || !builder.seen || !builder.by_frame)
        return error_memory(err, (struct place){0}, "making the table");
    choose_type(measures, report->options);
    add_groups(&builder);
    settle_rows(&builder, n_texts, report->options->all);
    settle_sites(&builder, n_frames);
    return 0;
}

int measures_build(struct cprof_report *report, struct cprof_error *err)
{
    const struct analysis *analysis = report->analysis;
    const char *wanted = report->options->sample_type;
    size_t n = analysis_n_families(analysis);
    bool is_known = !wanted;
    int rc = 0;

    report->measures =
        arena_take_zero(&report->arena, n * sizeof(*report->measures));
    if (!report->measures)
        return error_memory(err, (struct place){0}, "making the table");
    for (size_t i = 0; i < n && rc == 0; i++) {
        const struct family *family = analysis_family(analysis, i);
        struct measures *measures = &report->measures[report->n_measures];

        if (!is_measured(family))
            continue;
        is_known |= wanted && find_type(family->info, str_from(wanted)) <
                                  family->info->n_types;
        measures->family = family;
        measures->family_index = (uint32_t)i;
        rc = build_table(report, measures, err);
        report->n_measures++;
    }
    if (rc == 0 && !is_known && report->n_measures)
        rc = unknown_type(report, err);
    return rc;
}
