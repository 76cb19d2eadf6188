/* What check remembers of findings: kept as it is given. */
#include "store/parts.h"

/* Numbers of more than 63 bits are kept as the largest that fits. */
static int64_t number_of(uint64_t number)
{
    return number > INT64_MAX ? INT64_MAX : (int64_t)number;
}

/* ORDER ALERTS: as the columns in sql.c. */
static struct store_alert get_alert(const struct query *query,
                                    struct arena *arena)
{
    return (struct store_alert){
        .key = arena_copy(arena, query_get_bytes(query, 0)),
        .state = arena_copy(arena, query_get_bytes(query, 1)),
        .rule = arena_copy(arena, query_get_bytes(query, 2)),
        .severity = arena_copy(arena, query_get_bytes(query, 3)),
        .site = arena_copy(arena, query_get_bytes(query, 4)),
        .text = arena_copy(arena, query_get_bytes(query, 5)),
        .data = arena_copy(arena, query_get_bytes(query, 6)),
        .held = query_get_count(query, 7),
        .missed = query_get_count(query, 8),
        .count = query_get_count(query, 9),
        .first_ns = ns_of_us(query_get_number(query, 10)),
        .last_ns = ns_of_us(query_get_number(query, 11)),
        .changed_ns = ns_of_us(query_get_number(query, 12)),
        .sent_ns = ns_of_us(query_get_number(query, 13)),
    };
}

static int read_alerts(struct store *store, struct str instance,
                       struct arena *arena, struct buf *rows,
                       struct cprof_error *err)
{
    struct query query;
    int64_t id;
    int rc = instance_find(store, instance, &id, err);

    if (rc < 0 || !id)
        return rc;
    query = query_begin(&store->database, SQL_ALERT_LIST, err);
    query_number(&query, id);
    while (query_next(&query)) {
        struct store_alert alert = get_alert(&query, arena);

        buf_add(rows, (struct str){(const char *)&alert, sizeof(alert)});
    }
    return query_end(&query);
}

/* The names of instances that have alerts; instance is not asked. */
static int list_alerting(struct store *store, struct str instance,
                         struct arena *arena, struct buf *rows,
                         struct cprof_error *err)
{
    struct query query =
        query_begin(&store->database, SQL_ALERT_INSTANCES, err);

    (void)instance;
    while (query_next(&query)) {
        struct str name = arena_copy(arena, query_get_bytes(&query, 0));

        buf_add(rows, (struct str){(const char *)&name, sizeof(name)});
    }
    return query_end(&query);
}

typedef int read_fn(struct store *store, struct str instance,
                    struct arena *arena, struct buf *rows,
                    struct cprof_error *err);

/* Lets a function read rows in one transaction, and keeps them in the arena:
 * *ret has their bytes. What a part of a row had no memory for shows in the
 * budget alone. */
static int keep_rows(struct store *store, read_fn *read, struct str instance,
                     struct arena *arena, struct str *ret,
                     struct cprof_error *err)
{
    struct buf rows = {0};
    size_t n_refused = atomic_load(&arena->budget->n_refused);
    bool own;
    int rc = store_enter(store, false, &own, err);

    if (rc < 0)
        return rc;
    rc = read(store, instance, arena, &rows, err);
    rc = store_leave(store, own, false, rc, err);
    ret->len = rows.len;
    ret->ptr = rows_keep(&rows, arena);
    if (rc < 0)
        return rc;
    if (!ret->ptr || atomic_load(&arena->budget->n_refused) != n_refused)
        return store_memory(store, err);
    return 0;
}

int store_alerts_read(struct store *store, struct str instance,
                      struct arena *arena, struct store_alert **ret,
                      size_t *ret_count, struct cprof_error *err)
{
    struct str rows;
    int rc = keep_rows(store, read_alerts, instance, arena, &rows, err);

    if (rc < 0)
        return rc;
    *ret = (struct store_alert *)(uintptr_t)rows.ptr;
    *ret_count = rows.len / sizeof(**ret);
    return 0;
}

int store_alerts_instances(struct store *store, struct arena *arena,
                           struct str **ret, size_t *ret_count,
                           struct cprof_error *err)
{
    struct str rows;
    int rc = keep_rows(store, list_alerting, STR(""), arena, &rows, err);

    if (rc < 0)
        return rc;
    *ret = (struct str *)(uintptr_t)rows.ptr;
    *ret_count = rows.len / sizeof(**ret);
    return 0;
}

/* ORDER ALERTS */
static int add_alert(struct store *store, int64_t instance,
                     const struct store_alert *alert, struct cprof_error *err)
{
    struct query query = query_begin(&store->database, SQL_ALERT_ADD, err);

    query_number(&query, instance);
    query_text(&query, alert->key);
    query_text(&query, alert->state);
    query_text(&query, alert->rule);
    query_text(&query, alert->severity);
    query_text(&query, alert->site);
    query_text(&query, alert->text);
    query_blob(&query, alert->data);
    query_number(&query, number_of(alert->held));
    query_number(&query, number_of(alert->missed));
    query_number(&query, number_of(alert->count));
    query_number(&query, us_of_ns(alert->first_ns));
    query_number(&query, us_of_ns(alert->last_ns));
    query_number(&query, us_of_ns(alert->changed_ns));
    query_number(&query, us_of_ns(alert->sent_ns));
    return query_run(&query);
}

int store_alerts_write(struct store *store, struct str instance,
                       const struct store_alert *alerts, size_t count,
                       struct cprof_error *err)
{
    struct query query;
    int64_t id = 0;
    bool own;
    int rc = store_enter(store, true, &own, err);

    if (rc < 0)
        return rc;
    rc = instance_put(store, instance, &id, err);
    if (rc == 0) {
        query = query_begin(&store->database, SQL_ALERT_CLEAR, err);
        query_number(&query, id);
        rc = query_run(&query);
    }
    for (size_t i = 0; i < count && rc == 0; i++)
        rc = add_alert(store, id, &alerts[i], err);
    return store_leave(store, own, true, rc, err);
}
