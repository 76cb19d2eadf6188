#include "support/reading.h"

#include <setjmp.h>
#include <stdarg.h>

#include "cprof/cprof.h"

#include "base/escape.h"
#include "input/source.h"

#include <cmocka.h>

void reading_init(struct reading *reading)
{
    reading_init_limited(reading, NULL);
}

void reading_init_limited(struct reading *reading, const char *max_memory)
{
    *reading = (struct reading){0};
    assert_int_equal(cprof_options_new(&reading->options, NULL), 0);
    if (max_memory)
        assert_int_equal(
            cprof_options_set(reading->options, "max-memory", max_memory, NULL),
            0);
    assert_int_equal(
        cprof_snapshots_new(&reading->snapshots, reading->options, NULL), 0);
}

void reading_done(struct reading *reading)
{
    cprof_snapshots_free(reading->snapshots);
    cprof_options_free(reading->options);
    buf_done(&reading->text);
}

int reading_add(struct reading *reading, const char *text)
{
    return reading_add_bytes(reading, str_from(text), 0);
}

int reading_add_bytes(struct reading *reading, struct str bytes, size_t step)
{
    struct source_memory memory = {bytes, step};
    struct source source = source_from_memory(&memory);

    reading->err = (struct cprof_error){0};
    return cprof_snapshots_read(reading->snapshots, "input", source.read,
                                source.user, &reading->err);
}

struct snapshot *reading_snapshot(const struct reading *reading, size_t index)
{
    assert_true(index < cprof_snapshots_count(reading->snapshots));
    return reading->snapshots->items[index];
}

static void add_frame(struct buf *buf, const struct symbols *symbols,
                      frame_id frame)
{
    struct str file = symbols_file(symbols, frame);

    buf_add(buf, symbols_function(symbols, frame));
    if (file.len)
        buf_addf(buf, " " STR_FORMAT ":%u", STR_ARG(file),
                 symbols_frame(symbols, frame).line);
}

static void add_stack(struct buf *buf, const struct symbols *symbols,
                      stack_id id)
{
    struct stack stack = symbols_stack(symbols, id);

    for (uint32_t i = 0; i < stack.n_frames; i++) {
        buf_add(buf, i ? STR(", ") : STR(" "));
        add_frame(buf, symbols, stack.frames[i]);
    }
    if (stack.elided == ELIDED_SOME)
        buf_add(buf, STR(" ..."));
    else if (stack.elided)
        buf_addf(buf, " ...%u", stack.elided);
}

static void add_group(struct buf *buf, const struct symbols *symbols,
                      const struct group *group)
{
    buf_addf(buf, "%llu " STR_FORMAT ":", (unsigned long long)group->count,
             STR_ARG(symbols_state(symbols, group->state)));
    add_stack(buf, symbols, group->stack);
    if (group->created_by) {
        buf_add(buf, STR("; by "));
        add_frame(buf, symbols, group->created_by);
    }
    buf_add_char(buf, '\n');
}

const char *reading_groups(struct reading *reading)
{
    struct buf *buf = &reading->text;

    buf_clear(buf);
    buf_add(buf, STR(""));
    for (size_t i = 0; i < cprof_snapshots_count(reading->snapshots); i++) {
        const struct snapshot *snapshot = reading->snapshots->items[i];

        if (i > 0)
            buf_add(buf, STR("--\n"));
        for (size_t j = 0; j < snapshot_n_groups(snapshot); j++)
            add_group(buf, snapshot_symbols(snapshot),
                      snapshot_group(snapshot, j));
    }
    return buf->ptr;
}

static void add_creators(struct buf *buf, const struct symbols *symbols,
                         const struct counted_set *set)
{
    buf_add(buf, STR("  creators"));
    for (uint32_t i = 0; i < set->count; i++) {
        buf_add_char(buf, ' ');
        add_frame(buf, symbols, set->items[i].id);
        buf_addf(buf, ":%llu", (unsigned long long)set->items[i].count);
    }
    buf_addf(buf, " others %llu\n", (unsigned long long)set->others);
}

/* Ids of texts would depend on when they came. */
static void add_values(struct buf *buf, const struct symbols *symbols,
                       const struct label_counts *labels)
{
    const struct counted_set *set = &labels->values;

    buf_add(buf, STR("  label "));
    escape_add(buf, symbols_text(symbols, labels->key));
    for (uint32_t i = 0; i < set->count; i++) {
        buf_add_char(buf, ' ');
        escape_add(buf, symbols_text(symbols, set->items[i].id));
        buf_addf(buf, ":%llu", (unsigned long long)set->items[i].count);
    }
    buf_addf(buf, " others %llu\n", (unsigned long long)set->others);
}

static void add_evidence(struct buf *buf, const struct symbols *symbols,
                         struct evidence *evidence)
{
    id_sample_sort(&evidence->ids);
    for (uint32_t i = 0; i < evidence->ids.count; i++)
        buf_addf(buf, " %llu", (unsigned long long)evidence->ids.ids[i]);
    buf_add(buf, STR("\n  waits"));
    for (uint32_t i = 0; i < evidence->waits.count; i++)
        buf_addf(buf, " %u:%u", evidence->waits.bars[i].minutes,
                 evidence->waits.bars[i].count);
    buf_add_char(buf, '\n');
    add_creators(buf, symbols, &evidence->creators);
    for (const struct label_counts *labels = evidence->labels; labels;
         labels = labels->next)
        add_values(buf, symbols, labels);
    buf_addf(buf, "  other labels %llu\n",
             (unsigned long long)evidence->other_labels);
}

static void add_numbers(struct buf *buf, const struct group *group)
{
    buf_addf(
        buf,
        "  leaked %llu locked %llu ids %u %llu-%llu waits %llu %u-%u "
        "hidden %u source %u\n",
        (unsigned long long)group->leaked, (unsigned long long)group->locked,
        group->n_ids, (unsigned long long)group->id_min,
        (unsigned long long)group->id_max, (unsigned long long)group->n_waits,
        group->wait_min, group->wait_max, group->hidden, group->state_source);
}

static void add_info(struct buf *buf, const struct snapshot_info *info)
{
    buf_addf(buf,
             "%s " STR_FORMAT " line %llu declared %llu total %llu other %llu "
             "max id %llu %s\n",
             info->format, STR_ARG(info->profile),
             (unsigned long long)info->line, (unsigned long long)info->declared,
             (unsigned long long)info->total, (unsigned long long)info->other,
             (unsigned long long)info->max_id,
             info->complete ? "complete" : "incomplete");
}

static void add_locks(struct buf *buf, struct snapshot *snapshot)
{
    struct arena arena;
    const struct lock_waiters *locks;
    uint64_t others = 0;
    size_t count = 0;

    arena_init(&arena, symbols_budget(snapshot_symbols(snapshot)));
    locks = snapshot_locks(snapshot, &arena, &count, &others);
    for (size_t i = 0; i < count; i++)
        buf_addf(buf, "lock %llx group %u: %llu\n",
                 (unsigned long long)locks[i].address, locks[i].group,
                 (unsigned long long)locks[i].count);
    buf_addf(buf, "other locks %llu\n", (unsigned long long)others);
    arena_done(&arena);
}

const char *reading_everything(struct reading *reading)
{
    struct buf *buf = &reading->text;

    buf_clear(buf);
    buf_add(buf, STR(""));
    for (size_t i = 0; i < cprof_snapshots_count(reading->snapshots); i++) {
        struct snapshot *snapshot = reading->snapshots->items[i];

        add_info(buf, snapshot_info(snapshot));
        for (size_t j = 0; j < snapshot_n_groups(snapshot); j++) {
            struct group *group = snapshot_group(snapshot, j);

            add_group(buf, snapshot_symbols(snapshot), group);
            add_numbers(buf, group);
            if (group->evidence)
                add_evidence(buf, snapshot_symbols(snapshot), group->evidence);
        }
        add_locks(buf, snapshot);
    }
    for (const struct diag *diag = reading->snapshots->diags.first; diag;
         diag = diag->next)
        buf_addf(buf, "%s %llu " STR_FORMAT "\n", diag->code,
                 (unsigned long long)diag->line, STR_ARG(diag->message));
    return buf->ptr;
}

const char *reading_codes(struct reading *reading)
{
    struct buf *buf = &reading->text;

    buf_clear(buf);
    buf_add(buf, STR(""));
    for (const struct diag *diag = reading->snapshots->diags.first; diag;
         diag = diag->next)
        buf_addf(buf, "%s%s", buf->len ? " " : "", diag->code);
    return buf->ptr;
}

bool reading_is_complete(const struct reading *reading)
{
    bool all = true;

    for (size_t i = 0; i < cprof_snapshots_count(reading->snapshots); i++)
        all &= snapshot_info_get(reading->snapshots->items[i])->complete;
    return all;
}

uint64_t reading_total(const struct reading *reading)
{
    uint64_t total = 0;

    for (size_t i = 0; i < cprof_snapshots_count(reading->snapshots); i++)
        total += snapshot_info(reading->snapshots->items[i])->total;
    return total;
}
