#include "reading.h"

#include <stdio.h>
#include <stdlib.h>

#include "input/source.h"
#include "model/signature.h"
#include "pprof/profile.h"
#include "read/newest_first.h"
#include "unwrap/begin.h"
#include "unwrap/unwrap.h"

void reading_check(int holds, const char *what, const char *file, int line)
{
    if (holds)
        return;
    fprintf(stderr, "%s:%d: does not hold: %s\n", file, line, what);
    abort();
}

void reading_init(struct reading *reading, const char *max_memory)
{
    *reading = (struct reading){0};
    CHECK(cprof_options_new(&reading->options, NULL) == 0);
    if (max_memory)
        CHECK(cprof_options_set(reading->options, "max-memory", max_memory,
                                NULL) == 0);
    CHECK(cprof_snapshots_new(&reading->snapshots, reading->options, NULL) ==
          0);
}

void reading_done(struct reading *reading)
{
    cprof_snapshots_free(reading->snapshots);
    cprof_options_free(reading->options);
}

static int is_huge(int64_t value)
{
    return value > INT64_MAX / 4 || value < INT64_MIN / 4;
}

/* The values of all groups add up to the totals, unless stacks were not kept,
 * which an export says of the dump before, perhaps of values alone; or unless
 * sums were cut to 64 bits: of large values that cancel each other, only the
 * sum of absolute values tells. */
static void check_values(const struct snapshot *snapshot)
{
    const struct snapshot_info *info = snapshot_info_get(snapshot);
    int may_be_lost = info->n_other || info->origin;

    for (size_t i = 0; i < info->n_types && !may_be_lost; i++) {
        uint64_t sum = 0;
        int huge = is_huge(info->magnitudes[i]);

        for (size_t j = 0; j < snapshot_n_groups(snapshot); j++) {
            const int64_t *values = snapshot_values(snapshot, j);

            huge |= values && is_huge(values[i]);
            sum += values ? (uint64_t)values[i] : 0;
        }
        CHECK(huge || sum == (uint64_t)info->totals[i]);
    }
}

static void check_snapshot(const struct snapshot *snapshot)
{
    const struct snapshot_info *info = snapshot_info_get(snapshot);
    uint64_t sum = info->other;

    for (size_t i = 0; i < snapshot_n_groups(snapshot); i++) {
        const struct group *group = snapshot_group(snapshot, i);

        sum += group->count;
        /* What was allocated and freed again has values but no count. */
        CHECK(group->count > 0 || snapshot_values(snapshot, i));
        CHECK(group->leaked <= group->count);
        CHECK(group->locked <= group->count);
        CHECK(group->n_ids <= group->count);
        CHECK(group->n_waits <= group->count);
        CHECK(group->id_min <= group->id_max);
        CHECK(group->wait_min <= group->wait_max);
    }
    CHECK(sum == info->total);
    check_values(snapshot);
}

/* Checks what was read behind so many snapshots. */
static void check_input(const struct reading *reading, size_t before)
{
    size_t after = cprof_snapshots_count(reading->snapshots);

    CHECK(reading->rc <= 0);
    CHECK((reading->rc < 0) == (after == before));
    CHECK((int)reading->err.code == reading->rc);
    CHECK((reading->rc < 0) == (reading->err.message[0] != '\0'));
    for (size_t i = before; i < after; i++)
        check_snapshot(reading->snapshots->items[i]);
}

static void add_source(struct reading *reading, const char *name,
                       struct source_memory *memory)
{
    struct source source = source_from_memory(memory);
    size_t before = cprof_snapshots_count(reading->snapshots);

    reading->err = (struct cprof_error){0};
    reading->rc = cprof_snapshots_read(reading->snapshots, name, source.read,
                                       source.user, &reading->err);
    check_input(reading, before);
}

void reading_add(struct reading *reading, const void *bytes, size_t size,
                 size_t step)
{
    struct source_memory memory = {{bytes, size}, step};

    add_source(reading, "input", &memory);
}

void reading_add_named(struct reading *reading, const char *name,
                       struct str bytes)
{
    struct source_memory memory = {bytes, 0};

    add_source(reading, name, &memory);
}

void reading_add_proof(struct reading *reading, struct str bytes)
{
    struct source_memory memory = {bytes, 0};
    struct source source = source_from_memory(&memory);
    size_t before = cprof_snapshots_count(reading->snapshots);

    reading->err = (struct cprof_error){0};
    reading->rc = cprof_snapshots_read_leaks_from(
        reading->snapshots, "proof", source.read, source.user, &reading->err);
    check_input(reading, before);
}

void reading_add_file(struct reading *reading, const char *path)
{
    size_t before = cprof_snapshots_count(reading->snapshots);

    reading->err = (struct cprof_error){0};
    reading->rc =
        cprof_snapshots_read_file(reading->snapshots, path, &reading->err);
    check_input(reading, before);
}

uint64_t reading_total(const struct reading *reading)
{
    uint64_t total = 0;

    for (size_t i = 0; i < cprof_snapshots_count(reading->snapshots); i++)
        total += snapshot_info_get(reading->snapshots->items[i])->total;
    return total;
}

static void same_text(struct str a, struct str b)
{
    CHECK(str_equal(a, b));
}

static void same_info(const struct snapshot_info *a,
                      const struct snapshot_info *b)
{
    same_text(a->profile, b->profile);
    same_text(str_from(a->format), str_from(b->format));
    CHECK(a->kind == b->kind);
    CHECK(a->has_declared == b->has_declared);
    CHECK(a->complete == b->complete);
    CHECK(a->declared == b->declared);
    CHECK(a->total == b->total);
    CHECK(a->other == b->other);
    CHECK(a->max_id == b->max_id);
    CHECK(a->line == b->line);
}

static struct signature id_of(const struct snapshot *snapshot,
                              const struct group *group)
{
    return group_id_of(snapshot_symbols(snapshot), group->stack, group->state,
                       (struct str){0});
}

static void same_hidden(const struct hidden *a, const struct hidden *b)
{
    CHECK(!a == !b);
    if (!a || !b)
        return;
    CHECK(a->count == b->count && a->n_pc == b->n_pc);
    CHECK(memcmp(a->pc, b->pc, a->n_pc * sizeof(a->pc[0])) == 0);
}

static void same_group(const struct snapshot *in_a, const struct snapshot *in_b,
                       size_t index)
{
    const struct group *a = snapshot_group(in_a, index);
    const struct group *b = snapshot_group(in_b, index);
    struct signature id_a = id_of(in_a, a);
    struct signature id_b = id_of(in_b, b);

    CHECK(id_a.high == id_b.high && id_a.low == id_b.low);
    CHECK(a->count == b->count && a->leaked == b->leaked);
    CHECK(a->locked == b->locked && a->n_ids == b->n_ids);
    CHECK(a->id_min == b->id_min && a->id_max == b->id_max);
    CHECK(a->wait_min == b->wait_min && a->wait_max == b->wait_max);
    CHECK(a->n_waits == b->n_waits);
    CHECK(!a->evidence == !b->evidence);
    same_hidden(snapshot_hidden(in_a, a), snapshot_hidden(in_b, b));
}

static void same_diags(const struct diag *a, const struct diag *b)
{
    for (; a && b; a = a->next, b = b->next) {
        same_text(str_from(a->code), str_from(b->code));
        same_text(a->message, b->message);
        CHECK(a->line == b->line && a->repeats == b->repeats);
    }
    CHECK(!a && !b);
}

void reading_same(const struct reading *a, const struct reading *b)
{
    size_t count = cprof_snapshots_count(a->snapshots);

    CHECK(a->rc == b->rc);
    same_text(str_from(a->err.message), str_from(b->err.message));
    CHECK(count == cprof_snapshots_count(b->snapshots));
    for (size_t i = 0; i < count; i++) {
        const struct snapshot *in_a = a->snapshots->items[i];
        const struct snapshot *in_b = b->snapshots->items[i];

        same_info(snapshot_info_get(in_a), snapshot_info_get(in_b));
        CHECK(snapshot_n_groups(in_a) == snapshot_n_groups(in_b));
        for (size_t j = 0; j < snapshot_n_groups(in_a); j++)
            same_group(in_a, in_b, j);
    }
    same_diags(a->snapshots->diags.first, b->snapshots->diags.first);
}

/* Groups of a reading, reduced to what may be compared over snapshots. */
struct total {
    struct signature id;
    uint64_t count;
};

struct totals {
    struct total *items;
    size_t count;
};

static int compare_totals(const void *a, const void *b)
{
    const struct total *left = a;
    const struct total *right = b;

    if (left->id.high != right->id.high)
        return left->id.high < right->id.high ? -1 : 1;
    return (left->id.low > right->id.low) - (left->id.low < right->id.low);
}

static void add_totals(struct totals *totals, const struct snapshot *snapshot,
                       struct str but_state)
{
    size_t n = snapshot_n_groups(snapshot);

    totals->items = realloc(totals->items,
                            (totals->count + n + 1) * sizeof(*totals->items));
    CHECK(totals->items != NULL);
    for (size_t i = 0; i < n; i++) {
        const struct group *group = snapshot_group(snapshot, i);
        struct str state =
            symbols_state(snapshot_symbols(snapshot), group->state);

        if (!str_equal(state, but_state))
            totals->items[totals->count++] =
                (struct total){id_of(snapshot, group), group->count};
    }
}

/* The totals of all snapshots, in order of id, each id once. */
static struct totals sum_up(const struct reading *reading, struct str but_state)
{
    struct totals totals = {0};
    size_t kept = 0;

    for (size_t i = 0; i < cprof_snapshots_count(reading->snapshots); i++)
        add_totals(&totals, reading->snapshots->items[i], but_state);
    if (totals.count)
        qsort(totals.items, totals.count, sizeof(*totals.items),
              compare_totals);
    for (size_t i = 0; i < totals.count; i++) {
        if (kept && !compare_totals(&totals.items[kept - 1], &totals.items[i]))
            totals.items[kept - 1].count += totals.items[i].count;
        else
            totals.items[kept++] = totals.items[i];
    }
    totals.count = kept;
    return totals;
}

void reading_same_groups(const struct reading *a, const struct reading *b,
                         const char *but_state)
{
    struct totals in_a = sum_up(a, str_from(but_state));
    struct totals in_b = sum_up(b, str_from(but_state));

    CHECK(in_a.count == in_b.count);
    for (size_t i = 0; i < in_a.count; i++) {
        CHECK(!compare_totals(&in_a.items[i], &in_b.items[i]));
        CHECK(in_a.items[i].count == in_b.items[i].count);
    }
    free(in_a.items);
    free(in_b.items);
}

/* Whether a wrapping recognises itself at some line of the text, or the text
 * seems to stand upside down. */
static bool is_recognised(struct str text)
{
    struct source_memory memory = {text, 0};
    struct unwrap_outlook outlook;
    struct budget budget;
    struct lines lines;
    struct shape shape;
    struct str line;
    bool found = false;

    budget_init(&budget, 0);
    unwrap_outlook_init(&outlook);
    CHECK(lines_init(&lines, source_from_memory(&memory), "input", &budget,
                     NULL) == 0);
    found = is_newest_first(&lines);
    while (!found && lines_peek(&lines, &line)) {
        struct begin begin;

        found = begin_find(line, 1, &begin) ||
                unwrap_recognise(&lines, line, true, &outlook, &shape) ||
                (lines_peek(&lines, &line) &&
                 unwrap_recognise(&lines, line, false, &outlook, &shape));
        lines_next(&lines);
    }
    lines_done(&lines);
    return found;
}

/* Whether a profile can begin at the text, behind its byte order mark, or at a
 * later line of it. */
static bool has_profile(struct str text)
{
    bool has = profile_looks_like(text);

    str_cut_prefix(&text, STR("\xef\xbb\xbf"));
    has = has || profile_looks_like(text);
    for (size_t at; !has && (at = str_find(text, '\n')) < text.len;) {
        text = str_skip(text, at + 1);
        has = profile_head_looks_like(text) && profile_looks_like(text);
    }
    return has;
}

bool has_wrapping(struct str text)
{
    return str_starts(text, STR("\x1f\x8b")) ||
           str_starts(text, STR("\xff\xfe")) ||
           str_starts(text, STR("\xfe\xff")) || has_profile(text) ||
           is_recognised(text);
}
