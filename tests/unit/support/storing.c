#include "support/storing.h"

#include <setjmp.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "analysis/states.h"
#include "base/escape.h"

#include <cmocka.h>

void storing_init(struct storing *storing)
{
    *storing = (struct storing){0};
    strcpy(storing->folder, "/tmp/cprof-leaks-store-XXXXXX");
    assert_non_null(mkdtemp(storing->folder));
    snprintf(storing->path, sizeof(storing->path), "%s/api.db",
             storing->folder);
    budget_init(&storing->budget, 0);
    arena_init(&storing->arena, &storing->budget);
    assert_int_equal(storing_open(storing, STORE_CREATE), 0);
}

void storing_done(struct storing *storing)
{
    char command[192];

    storing_close(storing);
    arena_done(&storing->arena);
    snprintf(command, sizeof(command), "chmod -R u+w %s && rm -rf %s",
             storing->folder, storing->folder);
    assert_int_equal(system(command), 0);
}

int storing_open(struct storing *storing, enum store_mode mode)
{
    struct store_options options = {.mode = mode, .wait_ms = 100};

    storing_close(storing);
    storing->err = (struct cprof_error){0};
    return store_open(&storing->store, storing->path, &options, &storing->err);
}

void storing_close(struct storing *storing)
{
    store_close(storing->store);
    storing->store = NULL;
}

struct store_added storing_add(struct storing *storing, const char *instance,
                               struct snapshot *snapshot, int64_t second)
{
    struct store_snapshot wanted = {.instance = str_from(instance),
                                    .address = STR("dump.txt"),
                                    .snapshot = snapshot,
                                    .taken_ns = second * 1000000000,
                                    .is_timed = true};
    struct store_added added = {0};
    int rc;

    states_infer(snapshot);
    rc = store_add(storing->store, &wanted, &added, &storing->err);
    if (rc < 0)
        fail_msg("%s: %s", storing->err.source, storing->err.message);
    return added;
}

size_t storing_read(struct storing *storing, const struct store_query *query,
                    size_t whole, struct reading *into)
{
    size_t n = 0;

    if (store_read(storing->store, query, whole, into->snapshots, &n,
                   &storing->err) < 0)
        fail_msg("%s: %s", storing->err.source, storing->err.message);
    return n;
}

static void add_text(struct buf *buf, const char *name, struct str text)
{
    buf_addf(buf, " %s ", name);
    escape_add(buf, text);
}

static void add_number(struct buf *buf, const char *name, uint64_t number)
{
    buf_addf(buf, " %s %llu", name, (unsigned long long)number);
}

static void add_frame(struct buf *buf, const struct symbols *symbols,
                      frame_id frame)
{
    buf_addf(buf, " " STR_FORMAT "|" STR_FORMAT ":%u",
             STR_ARG(symbols_function(symbols, frame)),
             STR_ARG(symbols_file(symbols, frame)),
             symbols_frame(symbols, frame).line);
}

static void add_labels(struct buf *buf, const struct symbols *symbols,
                       const struct label_counts *labels)
{
    for (; labels; labels = labels->next) {
        add_text(buf, "key", symbols_text(symbols, labels->key));
        for (uint32_t i = 0; i < labels->values.count; i++) {
            add_text(buf, "value",
                     symbols_text(symbols, labels->values.items[i].id));
            add_number(buf, "of", labels->values.items[i].count);
        }
        add_number(buf, "others", labels->values.others);
    }
}

static void add_evidence(struct buf *buf, const struct symbols *symbols,
                         struct evidence *evidence)
{
    id_sample_sort(&evidence->ids);
    for (uint32_t i = 0; i < evidence->ids.count; i++)
        add_number(buf, "id", evidence->ids.ids[i]);
    for (uint32_t i = 0; i < evidence->waits.count; i++) {
        add_number(buf, "wait", evidence->waits.bars[i].minutes);
        add_number(buf, "of", evidence->waits.bars[i].count);
    }
    for (uint32_t i = 0; i < evidence->creators.count; i++) {
        add_frame(buf, symbols, evidence->creators.items[i].id);
        add_number(buf, "of", evidence->creators.items[i].count);
    }
    add_number(buf, "creators", evidence->creators.others);
    add_labels(buf, symbols, evidence->labels);
    add_number(buf, "labels", evidence->other_labels);
    buf_add_char(buf, '\n');
}

static void add_pointers(struct buf *buf, const struct pool *pool,
                         uint32_t head)
{
    for (const struct pointers *at = pointers_get(pool, head); at;
         at = pointers_get(pool, at->next)) {
        add_number(buf, "goroutine", at->id);
        add_number(buf, "lock", at->lock);
        for (unsigned i = 0; i < at->n; i++)
            buf_addf(buf, " %u/%u/%llx", at->frames[i], at->flags[i],
                     (unsigned long long)at->addresses[i]);
        buf_add_char(buf, '\n');
    }
}

static void add_figures(struct buf *buf, const struct group *group)
{
    add_number(buf, "source", group->state_source);
    add_number(buf, "lock_frame", group->lock_frame);
    add_number(buf, "leaked", group->leaked);
    add_number(buf, "locked", group->locked);
    add_number(buf, "ids", group->n_ids);
    add_number(buf, "min", group->id_min);
    add_number(buf, "max", group->id_max);
    add_number(buf, "waits", group->n_waits);
    add_number(buf, "min", group->wait_min);
    add_number(buf, "max", group->wait_max);
}

static void add_group(struct buf *buf, const struct snapshot *snapshot,
                      size_t index)
{
    const struct symbols *symbols = snapshot_symbols(snapshot);
    const struct group *group = snapshot_group(snapshot, index);
    const struct hidden *hidden = snapshot_hidden(snapshot, group);
    struct stack stack = symbols_stack(symbols, group->stack);
    const int64_t *values = snapshot_values(snapshot, index);

    add_number(buf, "count", group->count);
    add_text(buf, "state", symbols_state(symbols, group->state));
    add_number(buf, "elided", stack.elided);
    for (uint32_t i = 0; i < stack.n_frames; i++)
        add_frame(buf, symbols, stack.frames[i]);
    buf_add(buf, STR(" by"));
    add_frame(buf, symbols, group->created_by);
    add_figures(buf, group);
    for (unsigned i = 0; hidden && i < hidden->n_pc; i++)
        buf_addf(buf, " hidden %d %llx", hidden->count,
                 (unsigned long long)hidden->pc[i]);
    for (size_t i = 0; i < snapshot_info_get(snapshot)->n_types; i++)
        buf_addf(buf, " %lld", values ? (long long)values[i] : 0);
    buf_add_char(buf, '\n');
    if (group->evidence)
        add_evidence(buf, symbols, group->evidence);
    add_pointers(buf, snapshot_pointers(snapshot), group->pointers);
}

static void add_measures(struct buf *buf, const struct snapshot_info *info)
{
    for (size_t i = 0; i < info->n_types; i++) {
        add_text(buf, "type", info->types[i].name);
        add_text(buf, "in", info->types[i].unit);
        buf_addf(buf, " %lld %lld %lld", (long long)info->totals[i],
                 (long long)info->magnitudes[i], (long long)info->bases[i]);
    }
    add_number(buf, "default", info->default_type);
    add_number(buf, "negative", info->has_negative);
    add_number(buf, "duration", (uint64_t)info->duration_ns);
    add_text(buf, "period", info->period_type.name);
    add_text(buf, "in", info->period_type.unit);
    add_number(buf, "every", (uint64_t)info->period);
    add_text(buf, "drop", info->drop_frames);
    add_text(buf, "keep", info->keep_frames);
    for (size_t i = 0; i < info->n_comments; i++)
        add_text(buf, "comment", info->comments[i]);
    if (info->memstats) {
        const struct memstats *memstats = info->memstats;

        add_number(buf, "alloc", memstats->alloc);
        add_number(buf, "mallocs", memstats->mallocs);
        add_number(buf, "stack", memstats->stack_inuse);
        add_number(buf, "rss", memstats->max_rss);
        add_number(buf, "gc", memstats->num_gc);
        buf_addf(buf, " %a", memstats->gc_cpu_fraction);
    }
    buf_add_char(buf, '\n');
}

static void add_crash(struct buf *buf, const struct symbols *symbols,
                      const struct crash *crash)
{
    add_number(buf, "kind", crash->kind);
    add_text(buf, "message", crash->message);
    add_text(buf, "signal", crash->signal);
    add_text(buf, "reason", symbols_text(symbols, crash->reason));
    add_number(buf, "request", crash->is_request);
    add_number(buf, "elsewhere", crash->is_elsewhere);
    add_number(buf, "goroutine", crash->has_goroutine);
    add_number(buf, "id", crash->goroutine);
    for (uint32_t i = 0; i < crash->n_groups; i++)
        add_number(buf, "group", crash->groups[i]);
    buf_add_char(buf, '\n');
}

static void add_info(struct buf *buf, const struct snapshot_info *info)
{
    buf_addf(buf, "%s from %s", info->format,
             info->origin ? info->origin : "itself");
    add_number(buf, "kind", info->kind);
    add_text(buf, "profile", info->profile);
    add_text(buf, "go", info->go_version);
    for (size_t i = 0; i < info->n_labels; i++) {
        add_text(buf, "label", info->labels[i].key);
        add_text(buf, "is", info->labels[i].value);
    }
    buf_addf(buf, " %d%d%d%d%d", info->has_declared, info->is_proof,
             info->complete, info->has_parking, info->has_states);
    add_number(buf, "declared", info->declared);
    add_number(buf, "total", info->total);
    add_number(buf, "other", info->other);
    add_number(buf, "id", info->max_id);
    buf_add_char(buf, '\n');
}

void storing_describe(struct buf *buf, struct snapshot *snapshot)
{
    const struct snapshot_info *info = snapshot_info_get(snapshot);
    uint64_t addresses[RUNTIME_ADDRESSES];
    size_t n_addresses = snapshot_runtime_addresses(snapshot, addresses);
    const struct lock_waiters *locks;
    struct arena arena;
    uint64_t others;
    size_t n_locks;

    arena_init(&arena, symbols_budget(snapshot_symbols(snapshot)));
    add_info(buf, info);
    add_measures(buf, info);
    for (size_t i = 0; i < n_addresses; i++)
        add_number(buf, "runtime", addresses[i]);
    buf_add_char(buf, '\n');
    for (size_t i = 0; i < snapshot_n_groups(snapshot); i++)
        add_group(buf, snapshot, i);
    locks = snapshot_locks(snapshot, &arena, &n_locks, &others);
    for (size_t i = 0; i < n_locks; i++)
        buf_addf(buf, " lock %u %u %llx %llu", locks[i].group, locks[i].known,
                 (unsigned long long)locks[i].address,
                 (unsigned long long)locks[i].count);
    add_number(buf, "other locks", others);
    arena_done(&arena);
    buf_add_char(buf, '\n');
    if (info->crash)
        add_crash(buf, snapshot_symbols(snapshot), info->crash);
}

void storing_exec(const struct storing *storing, const char *words)
{
    char *message = NULL;
    sqlite3 *db = NULL;

    assert_int_equal(sqlite3_open(storing->path, &db), SQLITE_OK);
    if (sqlite3_exec(db, words, NULL, NULL, &message) != SQLITE_OK)
        fail_msg("%s: %s", words, message);
    sqlite3_close(db);
}

int64_t storing_ask(const struct storing *storing, const char *words)
{
    sqlite3_stmt *statement = NULL;
    sqlite3 *db = NULL;
    int64_t number;

    assert_int_equal(sqlite3_open(storing->path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(db, words, -1, &statement, NULL),
                     SQLITE_OK);
    assert_int_equal(sqlite3_step(statement), SQLITE_ROW);
    number = sqlite3_column_int64(statement, 0);
    sqlite3_finalize(statement);
    sqlite3_close(db);
    return number;
}
