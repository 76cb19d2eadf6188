#include "store/store.h"

#include <stdlib.h>
#include <string.h>

#include "store/parts.h"

/* The name of a file without its folder and ".db". */
static char *name_of(const char *path)
{
    struct str name = str_from(path);
    size_t slash = str_rfind(name, '/');

    if (slash < name.len)
        name = str_skip(name, slash + 1);
    str_cut_suffix(&name, STR(".db"));
    return strndup(name.ptr, name.len);
}

int store_open(struct store **ret, const char *path,
               const struct store_options *options, struct cprof_error *err)
{
    struct store *store = calloc(1, sizeof(*store));
    int rc;

    if (!store)
        return error_memory(err, (struct place){path, 0, 0},
                            "opening a history");
    rc = database_open(&store->database, path, options, err);
    if (rc == 0) {
        store->name = name_of(path);
        if (!store->name)
            rc = store_memory(store, err);
    }
    if (rc < 0) {
        store_close(store);
        return rc;
    }
    *ret = store;
    return 0;
}

void store_close(struct store *store)
{
    if (!store)
        return;
    database_close(&store->database);
    free(store->name);
    free(store);
}

int store_begin(struct store *store, struct cprof_error *err)
{
    return database_begin(&store->database, true, err);
}

int store_commit(struct store *store, struct cprof_error *err)
{
    int rc = database_commit(&store->database, err);

    if (rc < 0)
        database_rollback(&store->database);
    return rc;
}

void store_rollback(struct store *store)
{
    database_rollback(&store->database);
}

int store_enter(struct store *store, bool to_write, bool *ret_own,
                struct cprof_error *err)
{
    *ret_own = sqlite3_get_autocommit(store->database.db);
    return *ret_own ? database_begin(&store->database, to_write, err) : 0;
}

int store_leave(struct store *store, bool own, bool to_write, int rc,
                struct cprof_error *err)
{
    if (own && to_write && rc == 0)
        rc = database_commit(&store->database, err);
    if (own)
        database_rollback(&store->database);
    return rc;
}

int store_memory(const struct store *store, struct cprof_error *err)
{
    return error_memory(err, (struct place){store->database.path, 0, 0},
                        "using the history");
}

void *rows_keep(struct buf *rows, struct arena *arena)
{
    void *copy = rows->failed ? NULL : arena_take(arena, rows->len);

    if (copy && rows->len)
        memcpy(copy, rows->ptr, rows->len);
    buf_done(rows);
    return copy;
}

int64_t ns_of_us(int64_t us)
{
    if (us > INT64_MAX / 1000 || us < INT64_MIN / 1000)
        return us > 0 ? INT64_MAX : INT64_MIN;
    return us * 1000;
}

int64_t us_of_ns(int64_t ns)
{
    /* Towards the past, before 1970 too. */
    return ns / 1000 - (ns % 1000 < 0);
}
