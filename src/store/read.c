/* Snapshots out: listed, or made again in a collection. */
#include <stdlib.h>

#include "store/parts.h"
#include "store/snapshot_blobs.h"

/* A stored snapshot while its row is at hand. */
struct row {
    struct query query;
    struct query evidence;
    struct counts counts;
    struct str address;
    struct str evidence_bytes;
    size_t bytes; /* of the counts */
    bool is_lasting;
};

/* Finds the row of a snapshot and reads the beginning of its counts. It is to
 * be ended with row_end, on failure too. */
static int row_begin(struct store *store, struct row *row, int64_t id,
                     struct cprof_error *err)
{
    struct query *query = &row->query;

    *query = query_begin(&store->database, SQL_SNAPSHOT_GET, err);
    query_number(query, id);
    if (!query_next(query))
        return query->rc < 0 ? query->rc
                             : database_damaged(&store->database,
                                                "a snapshot is missing", err);
    row->bytes = query_get_bytes(query, 0).len;
    row->address = query_get_bytes(query, 1);
    row->is_lasting = query_get_number(query, 2);
    if (!counts_read(&row->counts, query_get_bytes(query, 0)))
        return database_damaged(
            &store->database, "the counts of a snapshot are not readable", err);
    return 0;
}

static void row_end(struct row *row)
{
    query_end(&row->query);
}

/* Listing. */

/* The list while it grows. */
struct listing {
    struct store *store;
    struct arena *arena;
    struct names_in in;
    struct buf rows;
};

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* How many bytes the evidence of a snapshot takes. */
static int ask_evidence_size(struct store *store, int64_t id, uint64_t *ret,
                             struct cprof_error *err)
{
    struct query query = query_begin(&store->database, SQL_EVIDENCE_SIZE, err);

    *ret = 0;
    query_number(&query, id);
    if (query_next(&query))
        *ret = query_get_count(&query, 0);
    return query_end(&query);
}

static int list_snapshot(struct listing *list, struct str instance,
                         const struct pick *pick, struct cprof_error *err)
{
    struct store_entry entry = {.id = pick->id,
                                .instance = instance,
                                .taken_ns = ns_of_us(pick->taken_us),
                                .segment = (uint64_t)pick->segment,
                                .has_evidence = pick->has_evidence};
    struct row row;
    int rc = row_begin(list->store, &row, pick->id, err);

    if (rc == 0) {
        const struct counts *counts = &row.counts;

        entry.address = arena_copy(list->arena, row.address);
        entry.format =
            arena_copy(list->arena, names_get_text(&list->in, counts->format));
        entry.go_version = arena_copy(
            list->arena, names_get_text(&list->in, counts->go_version));
        entry.goroutines = larger(counts->total, counts->declared);
        entry.groups = counts->n_groups;
        entry.max_id = counts->max_id;
        entry.complete = counts->flags & COUNTS_COMPLETE;
        rc = list->in.rc;
    }
    row_end(&row);
    if (rc == 0)
        rc = ask_evidence_size(list->store, pick->id, &entry.bytes, err);
    entry.bytes += row.bytes;
    buf_add(&list->rows, (struct str){(const char *)&entry, sizeof(entry)});
    return rc;
}

static int list_instance(struct listing *list,
                         const struct instance_row *instance,
                         const struct store_query *query,
                         struct cprof_error *err)
{
    struct picks picks = {0};
    int rc = picks_find(list->store, instance->id, query, 0, &picks, err);

    for (size_t i = 0; i < picks.n && rc == 0; i++)
        rc = list_snapshot(list, instance->name, &picks.items[i], err);
    free(picks.items);
    return rc;
}

static int list_all(struct listing *list, const struct store_query *query,
                    struct cprof_error *err)
{
    struct instance_row *instances;
    size_t n;
    int rc = instance_list(list->store,
                           query->has_instance ? &query->instance : NULL,
                           list->arena, &instances, &n, err);

    for (size_t i = 0; rc == 0 && i < n; i++)
        rc = list_instance(list, &instances[i], query, err);
    return rc;
}

int store_list(struct store *store, const struct store_query *query,
               struct arena *arena, struct store_entry **ret, size_t *ret_count,
               struct cprof_error *err)
{
    struct listing list = {.store = store, .arena = arena};
    struct symbols *symbols = NULL;
    struct store_entry *entries = NULL;
    bool own;
    int rc = store_enter(store, false, &own, err);

    if (rc < 0)
        return rc;
    rc = symbols_new(&symbols, arena->budget, err);
    if (rc == 0) {
        names_in_init(&list.in, &store->database, symbols, err);
        rc = list_all(&list, query, err);
        names_in_done(&list.in);
    }
    symbols_free(symbols);
    if (rc == 0 && atomic_load(&arena->budget->n_refused))
        rc = store_memory(store, err);
    rc = store_leave(store, own, false, rc, err);
    *ret_count = list.rows.len / sizeof(*entries);
    entries = rows_keep(&list.rows, arena);
    if (rc == 0 && !entries)
        rc = store_memory(store, err);
    if (rc == 0)
        *ret = entries;
    return rc;
}

/* Reading. */

struct reading {
    struct store *store;
    struct cprof_snapshots *into;
    struct names_in in;
    size_t n; /* snapshots read */
};

/* Whether a snapshot says enough as counts alone (analysis/folding.c asks the
 * same of one that is read from a dump). */
static bool is_foldable(const struct row *row)
{
    const struct counts *counts = &row->counts;

    return counts->kind == PROFILE_GOROUTINE && counts->total &&
           counts->flags & COUNTS_COMPLETE && !(counts->flags & COUNTS_PROOF);
}

/* Text that lives as long as the collection, which outlives the arena of a
 * snapshot that is folded. */
static struct str keep(const struct reading *reading, struct str text)
{
    struct symbols *symbols = reading->into->symbols;

    return symbols_text(symbols, symbols_text_put(symbols, text));
}

/* "history:api@10.0.0.7:6060#42" */
static struct str name_source(const struct reading *reading,
                              struct str instance, int64_t id)
{
    struct buf name = {0};
    struct str kept;

    buf_addf(&name, "history:%s", reading->store->name);
    if (instance.len)
        buf_addf(&name, "@" STR_FORMAT, STR_ARG(instance));
    buf_addf(&name, "#%lld", (long long)id);
    kept = keep(reading, buf_str(&name));
    buf_done(&name);
    return kept;
}

/* Makes a snapshot of a row. */
static int decode(struct reading *reading, struct row *row,
                  const struct pick *pick, struct snapshot *snapshot)
{
    struct query *query = &row->evidence;
    struct names_in *in = &reading->in;
    struct str bytes;

    if (!pick->is_whole && !row->is_lasting && is_foldable(row)) {
        snapshot_decode_folded(snapshot, &row->counts, in);
        return in->rc;
    }
    *query = query_begin(&reading->store->database, SQL_EVIDENCE_GET, in->err);
    query_number(query, pick->id);
    if (query_next(query)) {
        bytes = query_get_bytes(query, 0);
        snapshot_decode(snapshot, &row->counts, &bytes, in);
    } else if (query->rc == 0) {
        snapshot_decode(snapshot, &row->counts, NULL, in);
    }
    return query_end(query) < 0 ? query->rc : in->rc;
}

static int read_snapshot(struct reading *reading, struct str instance,
                         const struct pick *pick)
{
    struct cprof_error *err = reading->in.err;
    struct snapshot_info *info;
    struct snapshot *snapshot;
    struct row row;
    int rc = row_begin(reading->store, &row, pick->id, err);

    if (rc == 0)
        rc = collection_add(reading->into, &snapshot, err);
    if (rc == 0) {
        rc = decode(reading, &row, pick, snapshot);
        info = snapshot_info(snapshot);
        info->source = name_source(reading, instance, pick->id);
        info->instance = keep(reading, instance);
        info->input = reading->into->n_inputs;
        info->taken_ns = ns_of_us(pick->taken_us);
        reading->n++;
    }
    row_end(&row);
    return rc;
}

/* Says of the newest snapshot of an instance that it is less than it was. */
static void say_thinned(struct reading *reading, const struct pick *pick)
{
    struct cprof_snapshots *into = reading->into;
    const struct snapshot_info *info =
        snapshot_info_get(into->items[into->count - 1]);

    if (pick->has_evidence)
        return;
    diag_add(&into->diags, DIAG_INFO, "thinned",
             (struct place){info->source.ptr, 0, 0},
             "of a snapshot so old the history keeps counts only: ids, waiting "
             "times, labels and locks are gone");
}

static int read_instance(struct reading *reading,
                         const struct instance_row *instance,
                         const struct store_query *query, size_t whole)
{
    struct picks picks = {0};
    int rc = picks_find(reading->store, instance->id, query, whole, &picks,
                        reading->in.err);

    for (size_t i = 0; i < picks.n && rc == 0; i++)
        rc = read_snapshot(reading, instance->name, &picks.items[i]);
    if (rc == 0 && picks.n) {
        say_thinned(reading, &picks.items[picks.n - 1]);
        reading->into->n_inputs++;
    }
    free(picks.items);
    return rc;
}

static int read_all(struct reading *reading, const struct store_query *query,
                    size_t whole, struct arena *arena)
{
    struct instance_row *instances;
    size_t n;
    int rc = instance_list(reading->store,
                           query->has_instance ? &query->instance : NULL, arena,
                           &instances, &n, reading->in.err);

    for (size_t i = 0; rc == 0 && i < n; i++)
        rc = read_instance(reading, &instances[i], query, whole);
    return rc;
}

int store_read(struct store *store, const struct store_query *query,
               size_t whole, struct cprof_snapshots *into, size_t *ret_count,
               struct cprof_error *err)
{
    struct reading reading = {.store = store, .into = into};
    struct arena arena;
    bool own;
    int rc = store_enter(store, false, &own, err);

    if (rc < 0)
        return rc;
    arena_init(&arena, &into->budget);
    names_in_init(&reading.in, &store->database, into->symbols, err);
    rc = read_all(&reading, query, whole, &arena);
    names_in_done(&reading.in);
    arena_done(&arena);
    rc = store_leave(store, own, false, rc, err);
    if (ret_count)
        *ret_count = reading.n;
    return rc;
}
