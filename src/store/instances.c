/* Instances of a service, what is stored of them, and how their runs ended. */
#include "store/parts.h"

int instance_find(struct store *store, struct str name, int64_t *ret,
                  struct cprof_error *err)
{
    struct query query = query_begin(&store->database, SQL_INSTANCE_FIND, err);

    *ret = 0;
    query_text(&query, name);
    if (query_next(&query))
        *ret = query_get_number(&query, 0);
    return query_end(&query);
}

int instance_put(struct store *store, struct str name, int64_t *ret,
                 struct cprof_error *err)
{
    struct query query;
    int rc = instance_find(store, name, ret, err);

    if (rc < 0 || *ret)
        return rc;
    query = query_begin(&store->database, SQL_INSTANCE_ADD, err);
    query_text(&query, name);
    rc = query_run(&query);
    *ret = sqlite3_last_insert_rowid(store->database.db);
    return rc;
}

int instance_list(struct store *store, const struct str *name,
                  struct arena *arena, struct instance_row **ret,
                  size_t *ret_count, struct cprof_error *err)
{
    struct query query = query_begin(&store->database, SQL_INSTANCE_LIST, err);
    struct buf rows = {0};

    while (query_next(&query)) {
        struct instance_row row = {.id = query_get_number(&query, 0)};

        if (name && !str_equal(*name, query_get_bytes(&query, 1)))
            continue;
        row.name = arena_copy(arena, query_get_bytes(&query, 1));
        buf_add(&rows, (struct str){(const char *)&row, sizeof(row)});
    }
    *ret_count = rows.len / sizeof(**ret);
    *ret = rows_keep(&rows, arena);
    if (query_end(&query) < 0)
        return query.rc;
    return *ret ? 0 : store_memory(store, err);
}

/* Reads what is stored of an instance. */
static int read_sums(struct store *store, int64_t id,
                     struct store_instance *instance, struct arena *arena,
                     struct cprof_error *err)
{
    struct query query = query_begin(&store->database, SQL_INSTANCE_SUMS, err);

    query_number(&query, id);
    if (query_next(&query)) {
        instance->snapshots = query_get_count(&query, 0);
        instance->segments = query_get_count(&query, 1);
        instance->first_ns = ns_of_us(query_get_number(&query, 2));
        instance->last_ns = ns_of_us(query_get_number(&query, 3));
    }
    if (query_end(&query) < 0)
        return query.rc;
    query = query_begin(&store->database, SQL_INSTANCE_SIZE, err);
    query_number(&query, id);
    if (query_next(&query))
        instance->bytes = query_get_count(&query, 0);
    if (query_end(&query) < 0)
        return query.rc;
    query = query_begin(&store->database, SQL_INSTANCE_NEWEST, err);
    query_number(&query, id);
    if (query_next(&query))
        instance->address = arena_copy(arena, query_get_bytes(&query, 1));
    return query_end(&query);
}

/* Lists the instances, without what is stored of them. */
static int list_instances(struct store *store, struct arena *arena,
                          struct buf *rows, struct buf *ids,
                          struct cprof_error *err)
{
    struct query query = query_begin(&store->database, SQL_INSTANCE_LIST, err);

    while (query_next(&query)) {
        int64_t id = query_get_number(&query, 0);
        struct store_instance row = {
            .name = arena_copy(arena, query_get_bytes(&query, 1)),
            .last_run_ns = ns_of_us(query_get_number(&query, 2)),
            .last_success_ns = ns_of_us(query_get_number(&query, 3)),
            .last_error_ns = ns_of_us(query_get_number(&query, 4)),
            .last_error = arena_copy(arena, query_get_bytes(&query, 5)),
        };

        buf_add(rows, (struct str){(const char *)&row, sizeof(row)});
        buf_add(ids, (struct str){(const char *)&id, sizeof(id)});
    }
    return query_end(&query);
}

int store_instances(struct store *store, struct arena *arena,
                    struct store_instance **ret, size_t *ret_count,
                    struct cprof_error *err)
{
    struct store_instance *instances = NULL;
    struct buf rows = {0};
    struct buf ids = {0};
    size_t n = 0;
    bool own;
    int rc = store_enter(store, false, &own, err);

    if (rc == 0)
        rc = list_instances(store, arena, &rows, &ids, err);
    if (rc == 0) {
        n = rows.len / sizeof(*instances);
        instances = rows_keep(&rows, arena);
        if (!instances || ids.failed)
            rc = store_memory(store, err);
    }
    for (size_t i = 0; instances && i < n && rc == 0; i++) {
        int64_t id;

        memcpy(&id, ids.ptr + i * sizeof(id), sizeof(id));
        rc = read_sums(store, id, &instances[i], arena, err);
    }
    if (rc == 0 && atomic_load(&arena->budget->n_refused))
        rc = store_memory(store, err);
    rc = store_leave(store, own, false, rc, err);
    buf_done(&rows);
    buf_done(&ids);
    if (rc == 0) {
        *ret = instances;
        *ret_count = n;
    }
    return rc;
}

int store_run_write(struct store *store, struct str instance, int64_t now_ns,
                    struct str error, struct cprof_error *err)
{
    struct query query;
    int64_t id = 0;
    bool own;
    int rc = store_enter(store, true, &own, err);

    if (rc < 0)
        return rc;
    rc = instance_put(store, instance, &id, err);
    if (rc == 0) {
        query = query_begin(
            &store->database,
            error.len ? SQL_INSTANCE_FAILED : SQL_INSTANCE_SUCCEEDED, err);
        query_number(&query, id);
        query_number(&query, us_of_ns(now_ns));
        if (error.len)
            query_text(&query, error);
        rc = query_run(&query);
    }
    return store_leave(store, own, true, rc, err);
}
