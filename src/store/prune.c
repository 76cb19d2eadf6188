/* Dropping old snapshots, and names that nothing refers to any more. */
#include <stdlib.h>

#include "base/hash.h"
#include "base/pool.h"
#include "base/table.h"
#include "store/parts.h"
#include "store/snapshot_blobs.h"

/* Names are looked through when so many stacks came since the last time, and
 * as many as stayed then. */
enum { SWEEP_AFTER = 1024 };

static const struct str kept_key = STR_INIT("stacks-kept");
static const struct str newest_key = STR_INIT("newest-stack");

/* A set of numbers. */
struct numbers {
    struct pool pool; /* uint64_t */
    struct table table;
    bool failed; /* one did not fit */
};

static void numbers_init(struct numbers *numbers, struct budget *budget)
{
    pool_init(&numbers->pool, budget, sizeof(uint64_t));
    table_init(&numbers->table, budget);
    numbers->failed = false;
}

static void numbers_done(struct numbers *numbers)
{
    pool_done(&numbers->pool);
    table_done(&numbers->table);
}

static uint64_t hash_number(uint64_t number)
{
    return hash_mix(number, 0x2545f4914f6cdd1du);
}

static uint64_t rehash(const void *user, uint32_t at)
{
    const struct numbers *numbers = user;

    return hash_number(*(uint64_t *)pool_at(&numbers->pool, at - 1));
}

static bool numbers_have(const struct numbers *numbers, uint64_t number)
{
    struct table_walk walk = table_walk(&numbers->table, hash_number(number));
    uint32_t at;

    while ((at = table_next(&numbers->table, &walk)) != 0) {
        if (*(uint64_t *)pool_at(&numbers->pool, at - 1) == number)
            return true;
    }
    return false;
}

static void numbers_add(struct numbers *numbers, uint64_t number)
{
    uint64_t *slot;

    if (!number || numbers_have(numbers, number))
        return;
    slot = pool_add(&numbers->pool);
    if (slot)
        *slot = number;
    if (!slot || !table_put(&numbers->table, hash_number(number),
                            (uint32_t)numbers->pool.count, rehash, numbers))
        numbers->failed = true;
}

/* The names that are in use. */
struct sweep {
    struct store *store;
    struct budget budget;
    struct numbers stacks;
    struct numbers texts;
    struct cprof_error *err;
};

static int damaged(struct sweep *sweep, const char *what)
{
    return database_damaged(&sweep->store->database, what, sweep->err);
}

static int mark_counts(struct sweep *sweep, struct str bytes)
{
    struct counts counts;
    struct counts_group group;
    struct blob labels;

    if (!counts_read(&counts, bytes))
        return damaged(sweep, "the counts of a snapshot are not readable");
    numbers_add(&sweep->texts, counts.format);
    numbers_add(&sweep->texts, counts.origin);
    numbers_add(&sweep->texts, counts.profile);
    numbers_add(&sweep->texts, counts.go_version);
    labels = counts.labels;
    for (size_t i = 0; i < counts.n_labels * 2; i++)
        numbers_add(&sweep->texts, blob_get(&labels));
    while (counts_next(&counts, &group)) {
        numbers_add(&sweep->stacks, group.stack);
        numbers_add(&sweep->texts, group.state);
    }
    if (!counts_is_done(&counts))
        return damaged(sweep, "the counts of a snapshot are not readable");
    return 0;
}

static void use_stack(void *user, uint64_t stack)
{
    struct sweep *sweep = user;

    numbers_add(&sweep->stacks, stack);
}

static int mark_evidence(struct sweep *sweep, struct str bytes)
{
    if (evidence_stacks(bytes, use_stack, sweep))
        return 0;
    return damaged(sweep, "the evidence of a snapshot is not readable");
}

/* Marks what the rows of a statement use. */
static int mark_rows(struct sweep *sweep, enum sql sql,
                     int (*mark)(struct sweep *sweep, struct str bytes))
{
    struct query query = query_begin(&sweep->store->database, sql, sweep->err);
    int rc = 0;

    while (rc == 0 && query_next(&query))
        rc = mark(sweep, query_get_bytes(&query, 0));
    return query_end(&query) < 0 ? query.rc : rc;
}

/* Marks the texts of a stack. */
static void mark_frames(struct sweep *sweep, struct str bytes)
{
    struct blob blob = blob_begin(bytes);

    blob_get(&blob);
    while (blob.at < blob.end) {
        numbers_add(&sweep->texts, blob_get(&blob));
        numbers_add(&sweep->texts, blob_get(&blob));
        blob_get(&blob);
    }
}

/* Lists the rows of a statement that a set does not have. */
static int list_unused(struct sweep *sweep, enum sql sql,
                       const struct numbers *used, struct buf *ids)
{
    struct query query = query_begin(&sweep->store->database, sql, sweep->err);

    while (query_next(&query)) {
        int64_t id = query_get_number(&query, 0);

        if (!numbers_have(used, (uint64_t)id))
            buf_add(ids, (struct str){(const char *)&id, sizeof(id)});
        else if (sql == SQL_STACK_ALL)
            mark_frames(sweep, query_get_bytes(&query, 1));
    }
    if (query_end(&query) < 0)
        return query.rc;
    return ids->failed ? store_memory(sweep->store, sweep->err) : 0;
}

/* Runs a statement for each number of a list of int64_t. */
static int run_each(struct store *store, enum sql sql, const struct buf *ids,
                    struct cprof_error *err)
{
    int rc = 0;

    for (size_t at = 0; at < ids->len && rc == 0; at += sizeof(int64_t)) {
        struct query query = query_begin(&store->database, sql, err);
        int64_t id;

        memcpy(&id, ids->ptr + at, sizeof(id));
        query_number(&query, id);
        rc = query_run(&query);
    }
    return rc;
}

static int drop_unused(struct sweep *sweep, enum sql all, enum sql drop,
                       const struct numbers *used)
{
    struct buf ids = {0};
    int rc = list_unused(sweep, all, used, &ids);

    if (rc == 0 && (sweep->stacks.failed || sweep->texts.failed))
        rc = store_memory(sweep->store, sweep->err);
    if (rc == 0)
        rc = run_each(sweep->store, drop, &ids, sweep->err);
    buf_done(&ids);
    return rc;
}

static int meta_set(struct store *store, struct str key, uint64_t value,
                    struct cprof_error *err)
{
    struct query query = query_begin(&store->database, SQL_META_SET, err);

    query_text(&query, key);
    query_number(&query, (int64_t)value);
    return query_run(&query);
}

/* One number that a statement gives, with a key or without; 0 when it gives
 * none. */
static int ask(struct store *store, enum sql sql, const struct str *key,
               uint64_t *ret, struct cprof_error *err)
{
    struct query query = query_begin(&store->database, sql, err);

    if (key)
        query_text(&query, *key);
    *ret = query_next(&query) ? query_get_count(&query, 0) : 0;
    return query_end(&query);
}

static int sweep_names(struct store *store, struct cprof_error *err)
{
    struct sweep sweep = {.store = store, .err = err};
    uint64_t newest;
    int rc;

    budget_init(&sweep.budget, 0);
    numbers_init(&sweep.stacks, &sweep.budget);
    numbers_init(&sweep.texts, &sweep.budget);
    rc = mark_rows(&sweep, SQL_SNAPSHOT_ALL, mark_counts);
    if (rc == 0)
        rc = mark_rows(&sweep, SQL_EVIDENCE_ALL, mark_evidence);
    if (rc == 0)
        rc = drop_unused(&sweep, SQL_STACK_ALL, SQL_STACK_DROP, &sweep.stacks);
    if (rc == 0)
        rc = drop_unused(&sweep, SQL_TEXT_ALL, SQL_TEXT_DROP, &sweep.texts);
    if (rc == 0)
        rc = ask(store, SQL_NEWEST_STACK, NULL, &newest, err);
    if (rc == 0)
        rc = meta_set(store, newest_key, newest, err);
    if (rc == 0)
        rc = meta_set(store, kept_key, sweep.stacks.pool.count, err);
    numbers_done(&sweep.stacks);
    numbers_done(&sweep.texts);
    return rc;
}

/* Whether so many stacks came since names were looked through that it is worth
 * doing again. */
static int is_worth_sweeping(struct store *store, bool *ret,
                             struct cprof_error *err)
{
    uint64_t newest;
    uint64_t before;
    uint64_t kept;
    int rc = ask(store, SQL_NEWEST_STACK, NULL, &newest, err);

    if (rc == 0)
        rc = ask(store, SQL_META_GET, &newest_key, &before, err);
    if (rc == 0)
        rc = ask(store, SQL_META_GET, &kept_key, &kept, err);
    if (rc == 0)
        *ret = newest > before && newest - before > kept + SWEEP_AFTER;
    return rc;
}

/* Lists what the limits drop of an instance. */
static int list_old(struct store *store, int64_t instance,
                    const struct store_limits *limits, struct buf *ids,
                    struct cprof_error *err)
{
    static const struct store_query all = {0};
    struct picks picks = {0};
    int rc = picks_find(store, instance, &all, 0, &picks, err);

    for (size_t i = 0; i + 1 < picks.n && rc == 0; i++) {
        if ((limits->before_ns &&
             picks.items[i].taken_us < us_of_ns(limits->before_ns)) ||
            (limits->keep && picks.n - i > limits->keep))
            buf_add(ids, (struct str){(const char *)&picks.items[i].id,
                                      sizeof(picks.items[i].id)});
    }
    free(picks.items);
    if (rc == 0 && ids->failed)
        rc = store_memory(store, err);
    return rc;
}

static int list_all_old(struct store *store, const struct store_limits *limits,
                        struct buf *ids, struct cprof_error *err)
{
    struct instance_row *instances;
    struct budget budget;
    struct arena arena;
    size_t n = 0;
    int rc;

    budget_init(&budget, 0);
    arena_init(&arena, &budget);
    rc = instance_list(store, limits->has_instance ? &limits->instance : NULL,
                       &arena, &instances, &n, err);
    /* A name that is mistyped is no instance of which nothing is old. */
    if (rc == 0 && !n && limits->has_instance)
        rc = error_set(err, CPROF_EFORMAT,
                       (struct place){store->database.path, 0, 0},
                       "the history has no instance '" STR_FORMAT "'",
                       STR_ARG(limits->instance));
    for (size_t i = 0; i < n && rc == 0; i++)
        rc = list_old(store, instances[i].id, limits, ids, err);
    arena_done(&arena);
    return rc;
}

static int drop_old(struct store *store, const struct store_limits *limits,
                    uint64_t *ret_dropped, struct cprof_error *err)
{
    struct buf ids = {0};
    bool is_worth = limits->compact;
    int rc = list_all_old(store, limits, &ids, err);

    if (rc == 0)
        rc = run_each(store, SQL_SNAPSHOT_DROP, &ids, err);
    if (rc == 0)
        rc = run_each(store, SQL_EVIDENCE_DROP, &ids, err);
    *ret_dropped = ids.len / sizeof(int64_t);
    if (rc == 0 && *ret_dropped && !is_worth)
        rc = is_worth_sweeping(store, &is_worth, err);
    if (rc == 0 && is_worth)
        rc = sweep_names(store, err);
    buf_done(&ids);
    return rc;
}

int store_prune(struct store *store, const struct store_limits *limits,
                uint64_t *ret_dropped, struct cprof_error *err)
{
    uint64_t dropped = 0;
    bool own;
    int rc = store_enter(store, true, &own, err);

    if (rc < 0)
        return rc;
    rc = drop_old(store, limits, &dropped, err);
    rc = store_leave(store, own, true, rc, err);
    if (rc == 0 && limits->compact && own)
        rc = database_exec(&store->database, "VACUUM", err);
    if (rc == 0 && ret_dropped)
        *ret_dropped = dropped;
    return rc;
}
