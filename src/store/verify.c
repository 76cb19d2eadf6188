/* Whether all of a history can be read. */
#include "base/error.h"
#include "model/options.h"
#include "store/parts.h"

/* Asks SQLite whether the file is whole, and for its first complaint. */
static int check_file(struct store *store, struct cprof_error *err)
{
    struct query query = query_begin(&store->database, SQL_INTEGRITY, err);
    struct buf said = {0};
    int rc = 0;

    if (query_next(&query)) {
        struct str words = query_get_bytes(&query, 0);

        str_cut_prefix(&words, STR("*** in database main ***\n"));
        buf_add(&said, str_head(words, str_find(words, '\n')));
    }
    if (query_end(&query) < 0)
        rc = query.rc;
    else if (said.failed)
        rc = error_memory(err, (struct place){store->database.path, 0, 0},
                          "reading the history");
    else if (!str_equal(buf_str(&said), STR("ok")))
        rc = database_damaged(&store->database, said.len ? said.ptr : "?", err);
    buf_done(&said);
    return rc;
}

/* Asks for rows that belong to nothing. */
static int check_rows(struct store *store, struct cprof_error *err)
{
    struct query query = query_begin(&store->database, SQL_LOST_ROWS, err);
    uint64_t lost = query_next(&query) ? query_get_count(&query, 0) : 0;

    if (query_end(&query) < 0)
        return query.rc;
    return lost ? database_damaged(&store->database, "rows belong to nothing",
                                   err)
                : 0;
}

/* Makes one snapshot after another, so that only one takes memory. */
static int check_snapshots(struct store *store, struct arena *arena,
                           struct cprof_error *err)
{
    static const struct cprof_options options = {0};
    static const struct store_query all = {0};
    struct store_entry *entries;
    size_t n = 0;
    int rc = store_list(store, &all, arena, &entries, &n, err);

    for (size_t i = 0; i < n && rc == 0; i++) {
        struct store_query query = {.id = entries[i].id};
        struct cprof_snapshots *snapshots = NULL;

        rc = cprof_snapshots_new(&snapshots, &options, err);
        if (rc == 0)
            rc = store_read(store, &query, 0, snapshots, NULL, err);
        cprof_snapshots_free(snapshots);
    }
    return rc;
}

int store_verify(struct store *store, struct cprof_error *err)
{
    struct budget budget;
    struct arena arena;
    bool own;
    int rc = store_enter(store, false, &own, err);

    if (rc < 0)
        return rc;
    budget_init(&budget, 0);
    arena_init(&arena, &budget);
    rc = check_file(store, err);
    if (rc == 0)
        rc = check_rows(store, err);
    if (rc == 0)
        rc = check_snapshots(store, &arena, err);
    arena_done(&arena);
    return store_leave(store, own, false, rc, err);
}
