/* database.h - SQLite, as this room uses it.
 *
 * A database is a file with the tables of sql.h and nothing else. Opening it
 * makes them where nothing is, and refuses any other file. Statements are
 * compiled once, at their first use. Every failure becomes a message with the
 * file's name (store.h says which). */
#ifndef STORE_DATABASE_H
#define STORE_DATABASE_H

#include <sqlite3.h>

#include "base/error.h"
#include "base/str.h"
#include "store/sql.h"
#include "store/store.h"

enum {
    BLOB_MOST = 256 << 20, /* bytes of one blob, as SQLite's limit */
    ROW_MORE = 1 << 12,    /* that a row may have besides its blobs */
};

struct database {
    sqlite3 *db;
    char *path;
    uint64_t wait_ms;
    bool is_read_only;
    sqlite3_stmt *statements[N_SQL]; /* NULL until they are used */
};

/* Opens a file; *ret is closed with database_close, on failure too. */
int database_open(struct database *ret, const char *path,
                  const struct store_options *options, struct cprof_error *err);
void database_close(struct database *database);

/* Fills *err for a call of SQLite that failed with a result code. */
int database_error(const struct database *database, int code,
                   struct cprof_error *err);

/* Fills *err for a file that SQLite finds whole, but whose contents are wrong:
 * CPROF_EFORMAT. What is a few words: "a snapshot refers to no stack". */
int database_damaged(const struct database *database, const char *what,
                     struct cprof_error *err);

/* Begins a transaction, to read one state of the file or to write; ends it and
 * keeps what was written; takes it back. The last does nothing without one. */
int database_begin(struct database *database, bool to_write,
                   struct cprof_error *err);
int database_commit(struct database *database, struct cprof_error *err);
void database_rollback(struct database *database);

/* Runs words that give no rows. */
int database_exec(struct database *database, const char *words,
                  struct cprof_error *err);

/* A statement at work. Its first failure stays: binding does nothing from then
 * on, there are no rows, and query_end says why.
 *
 *     struct query query = query_begin(database, SQL_TEXT_GET, err);
 *
 *     query_number(&query, id);
 *     while (query_next(&query))
 *         use(query_bytes(&query, 0));
 *     rc = query_end(&query);
 */
struct query {
    struct database *database;
    sqlite3_stmt *statement;
    int n_bound;
    size_t n_bytes; /* of all that is bound */
    int rc;
    struct cprof_error *err;
};

/* Begins a statement, which must have ended before. */
struct query query_begin(struct database *database, enum sql sql,
                         struct cprof_error *err);

/* Binds the next parameter: a number, bytes, a text. Bytes and texts are not
 * copied and live until the end. */
void query_number(struct query *query, int64_t number);
void query_blob(struct query *query, struct str bytes);
void query_text(struct query *query, struct str text);

/* Goes on to the next row; false behind the last, and after a failure. */
bool query_next(struct query *query);

/* A column of the row, the first being 0: a number; one that is not negative (0
 * stands for one that is); bytes, which live until the next row. */
int64_t query_get_number(const struct query *query, int column);
uint64_t query_get_count(const struct query *query, int column);
struct str query_get_bytes(const struct query *query, int column);

/* Ends the statement: 0, or why it failed. */
int query_end(struct query *query);

/* Runs a statement that gives no rows, and ends it. */
int query_run(struct query *query);

#endif
