#include "store/database.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

static struct place place_of(const struct database *database)
{
    return (struct place){database->path, 0, 0};
}

/* The words for a failure of the operating system below SQLite, which does not
 * always keep its number. */
static int system_error(const struct database *database, const char *doing,
                        int code, struct cprof_error *err)
{
    int number = sqlite3_system_errno(database->db);
    const char *why = sqlite3_errstr(code);

    if (number)
        why = strerror(number);
    else if (code == SQLITE_IOERR_WRITE || code == SQLITE_IOERR_SHMSIZE)
        why = "the system takes no more bytes";
    return error_set(err, CPROF_EIO, place_of(database), "%s: %s", doing, why);
}

int database_damaged(const struct database *database, const char *what,
                     struct cprof_error *err)
{
    int rc = error_set(err, CPROF_EFORMAT, place_of(database),
                       "the history is damaged: %s", what);

    if (err)
        error_detail(err, "Move the file away, and the next run begins a new "
                          "one; sqlite3's .recover may\nsave what it holds.");
    return rc;
}

int database_error(const struct database *database, int code,
                   struct cprof_error *err)
{
    struct place place = place_of(database);

    switch (code & 0xff) {
    case SQLITE_NOMEM:
        return error_memory(err, place, "using the history");
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return error_set(err, CPROF_EIO, place,
                         "the history is locked: another program has been "
                         "writing to it for more than %g s",
                         (double)database->wait_ms / 1000);
    case SQLITE_FULL:
        return error_set(err, CPROF_EIO, place,
                         "cannot write the history: the disk is full");
    case SQLITE_READONLY:
    case SQLITE_PERM:
    case SQLITE_AUTH:
        return error_set(err, CPROF_EIO, place,
                         "cannot write the history: the file or its folder is "
                         "read-only");
    case SQLITE_CANTOPEN:
        return system_error(database, "cannot open the history", code, err);
    case SQLITE_IOERR:
        return system_error(database, "cannot read or write the history", code,
                            err);
    case SQLITE_NOTADB:
        return error_set(err, CPROF_EFORMAT, place,
                         "this is no history of cprof-leaks: it is not an "
                         "SQLite file");
    default:
        return database_damaged(database, sqlite3_errmsg(database->db), err);
    }
}

int database_exec(struct database *database, const char *words,
                  struct cprof_error *err)
{
    int code = sqlite3_exec(database->db, words, NULL, NULL, NULL);

    return code == SQLITE_OK ? 0 : database_error(database, code, err);
}

void database_rollback(struct database *database)
{
    /* SQLite may have done it by itself, on a full disk for one. */
    if (database->db && !sqlite3_get_autocommit(database->db))
        sqlite3_exec(database->db, "ROLLBACK", NULL, NULL, NULL);
}

int database_begin(struct database *database, bool to_write,
                   struct cprof_error *err)
{
    /* The one before may not have been ended: that, too, takes memory. */
    database_rollback(database);
    if (!sqlite3_get_autocommit(database->db))
        return error_memory(err, place_of(database), "using the history");
    return database_exec(database, to_write ? "BEGIN IMMEDIATE" : "BEGIN", err);
}

int database_commit(struct database *database, struct cprof_error *err)
{
    return database_exec(database, "COMMIT", err);
}

struct query query_begin(struct database *database, enum sql sql,
                         struct cprof_error *err)
{
    struct query query = {.database = database, .err = err};
    sqlite3_stmt **statement = &database->statements[sql];
    int code = SQLITE_OK;

    if (!*statement)
        code = sqlite3_prepare_v3(database->db, sql_words(sql), -1,
                                  SQLITE_PREPARE_PERSISTENT, statement, NULL);
    if (code != SQLITE_OK)
        query.rc = database_error(database, code, err);
    query.statement = *statement;
    return query;
}

/* What SQLite finds too large is so because of what is bound, or else stands in
 * a damaged file. */
static void fail(struct query *query, int code)
{
    if ((code & 0xff) == SQLITE_TOOBIG && query->n_bytes + ROW_MORE > BLOB_MOST)
        query->rc =
            error_set(query->err, CPROF_ELIMIT, place_of(query->database),
                      "this is too much for one snapshot of a history");
    else
        query->rc = database_error(query->database, code, query->err);
}

/* Notes how a call that binds so many bytes ended. */
static void note(struct query *query, size_t n_bytes, int code)
{
    query->n_bytes += n_bytes;
    if (code != SQLITE_OK && query->rc == 0)
        fail(query, code);
}

/* A pointer that is never NULL, which would be SQL's NULL. */
static const char *not_null(struct str text)
{
    return text.len ? text.ptr : "";
}

void query_number(struct query *query, int64_t number)
{
    if (query->rc == 0)
        note(query, sizeof(number),
             sqlite3_bind_int64(query->statement, ++query->n_bound, number));
}

void query_blob(struct query *query, struct str bytes)
{
    if (query->rc == 0)
        note(query, bytes.len,
             sqlite3_bind_blob64(query->statement, ++query->n_bound,
                                 not_null(bytes), bytes.len, SQLITE_STATIC));
}

void query_text(struct query *query, struct str text)
{
    if (query->rc == 0)
        note(query, text.len,
             sqlite3_bind_text64(query->statement, ++query->n_bound,
                                 not_null(text), text.len, SQLITE_STATIC,
                                 SQLITE_UTF8));
}

bool query_next(struct query *query)
{
    int code;

    if (query->rc < 0)
        return false;
    code = sqlite3_step(query->statement);
    if (code != SQLITE_ROW && code != SQLITE_DONE)
        fail(query, code);
    return code == SQLITE_ROW;
}

int64_t query_get_number(const struct query *query, int column)
{
    return sqlite3_column_int64(query->statement, column);
}

uint64_t query_get_count(const struct query *query, int column)
{
    int64_t number = query_get_number(query, column);

    return number > 0 ? (uint64_t)number : 0;
}

struct str query_get_bytes(const struct query *query, int column)
{
    const char *ptr = sqlite3_column_blob(query->statement, column);
    int len = sqlite3_column_bytes(query->statement, column);

    return (struct str){ptr, ptr && len > 0 ? (size_t)len : 0};
}

int query_end(struct query *query)
{
    sqlite3_reset(query->statement);
    return query->rc;
}

int query_run(struct query *query)
{
    query_next(query);
    return query_end(query);
}

void database_close(struct database *database)
{
    database_rollback(database);
    for (size_t i = 0; i < N_SQL; i++)
        sqlite3_finalize(database->statements[i]);
    sqlite3_close(database->db);
    free(database->path);
    *database = (struct database){0};
}
