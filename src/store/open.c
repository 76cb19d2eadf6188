/* Opening a history: a new file, one of ours, or one that is refused. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "store/database.h"

/* Between two tries to change the journal, which SQLite does not wait for. */
enum { TRY_AGAIN_MS = 20 };

static struct place place_of(const struct database *database)
{
    return (struct place){database->path, 0, 0};
}

/* A file of the process may hold no lock while another handle of it is closed,
 * so only a file that is not there yet is touched. Dumps can hold secrets: the
 * file is for its owner alone, and SQLite gives its companions the same mode
 * (sqlite3 os_unix.c: findCreateFileMode). */
static int make_file(const struct database *database, struct cprof_error *err)
{
    int fd = open(database->path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

    if (fd >= 0) {
        close(fd);
        return 0;
    }
    if (errno == EEXIST)
        return 0;
    return error_system(err, place_of(database), "cannot make a history");
}

/* SQLite has no words for what is no file. */
static int check_file(const struct database *database, struct cprof_error *err)
{
    struct stat about;

    if (stat(database->path, &about) < 0 && errno == ENOENT)
        return error_set(err, CPROF_EIO, place_of(database),
                         "there is no such history");
    if (stat(database->path, &about) < 0)
        return error_system(err, place_of(database), "cannot open the history");
    if (!S_ISREG(about.st_mode))
        return error_set(err, CPROF_EFORMAT, place_of(database),
                         "this is no history of cprof-leaks: it is no file");
    return 0;
}

/* What the file holds is not trusted, and none of it is run. */
static int set_bounds(struct database *database, struct cprof_error *err)
{
    sqlite3 *db = database->db;

    sqlite3_extended_result_codes(db, 1);
    sqlite3_busy_timeout(
        db, database->wait_ms < INT32_MAX ? (int)database->wait_ms : INT32_MAX);
    sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite3_db_config(db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
    sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
    sqlite3_limit(db, SQLITE_LIMIT_LENGTH, BLOB_MOST);
    return database_exec(database,
                         "PRAGMA cell_size_check = ON;"
                         "PRAGMA synchronous = FULL;"
                         "PRAGMA temp_store = MEMORY",
                         err);
}

/* Opens the file and sets the bounds. */
static int connect(struct database *database, const char *name, int flags,
                   struct cprof_error *err)
{
    int code =
        sqlite3_open_v2(name, &database->db, flags | SQLITE_OPEN_NOMUTEX, NULL);

    if (!database->db)
        return error_memory(err, place_of(database), "opening a history");
    if (code != SQLITE_OK)
        return database_error(database, code, err);
    return set_bounds(database, err);
}

/* A number that words ask for. */
static int ask_number(struct database *database, const char *words,
                      int64_t *ret, struct cprof_error *err)
{
    sqlite3_stmt *statement = NULL;
    int code = sqlite3_prepare_v2(database->db, words, -1, &statement, NULL);

    if (code == SQLITE_OK)
        code = sqlite3_step(statement);
    if (code == SQLITE_ROW)
        *ret = sqlite3_column_int64(statement, 0);
    sqlite3_finalize(statement);
    return code == SQLITE_ROW ? 0 : database_error(database, code, err);
}

/* Makes the tables, within a transaction. */
static int make_tables(struct database *database, struct cprof_error *err)
{
    char header[96];
    int rc = 0;

    for (size_t i = 0; i < sql_n_objects && rc == 0; i++)
        rc = database_exec(database, sql_objects[i].words, err);
    snprintf(header, sizeof(header),
             "PRAGMA application_id = %d; PRAGMA user_version = %d",
             SQL_APPLICATION, SQL_VERSION);
    return rc < 0 ? rc : database_exec(database, header, err);
}

static bool is_expected(struct str name, struct str words)
{
    if (str_equal(name, STR("sqlite_sequence")))
        return str_equal(words, STR("CREATE TABLE sqlite_sequence(name,seq)"));
    for (size_t i = 0; i < sql_n_objects; i++) {
        if (str_equal(name, str_from(sql_objects[i].name)))
            return str_equal(words, str_from(sql_objects[i].words));
    }
    return false;
}

static struct str column_text(sqlite3_stmt *statement, int column)
{
    const char *text = sqlite3_column_blob(statement, column);

    return (struct str){text, (size_t)sqlite3_column_bytes(statement, column)};
}

/* Whether the file has our tables and no others. */
static int check_tables(struct database *database, struct cprof_error *err)
{
    sqlite3_stmt *statement = NULL;
    int code = sqlite3_prepare_v2(database->db,
                                  "SELECT name, sql FROM sqlite_schema "
                                  "WHERE sql IS NOT NULL",
                                  -1, &statement, NULL);
    size_t n = 0;
    bool is_right = true;

    if (code == SQLITE_OK)
        code = SQLITE_ROW;
    while (code == SQLITE_ROW && is_right) {
        code = sqlite3_step(statement);
        if (code != SQLITE_ROW)
            continue;
        is_right =
            is_expected(column_text(statement, 0), column_text(statement, 1));
        n++;
    }
    sqlite3_finalize(statement);
    if (code != SQLITE_DONE && is_right)
        return database_error(database, code, err);
    if (!is_right || n != sql_n_objects + 1)
        return database_damaged(database, "its tables were changed", err);
    return 0;
}

/* What the header of the file says it is. */
struct header {
    int64_t application;
    int64_t version;
    int64_t n_objects;
};

static int read_header(struct database *database, struct header *ret,
                       struct cprof_error *err)
{
    int rc =
        ask_number(database, "PRAGMA application_id", &ret->application, err);

    if (rc == 0)
        rc = ask_number(database, "PRAGMA user_version", &ret->version, err);
    if (rc == 0)
        rc = ask_number(database, "SELECT count(*) FROM sqlite_schema",
                        &ret->n_objects, err);
    return rc;
}

/* The same as the file was at one moment: in between, another process may make
 * the tables. */
static int read_header_at_once(struct database *database, struct header *ret,
                               struct cprof_error *err)
{
    int rc = database_begin(database, false, err);

    if (rc == 0)
        rc = read_header(database, ret, err);
    if (rc == 0)
        rc = database_commit(database, err);
    if (rc < 0)
        database_rollback(database);
    return rc;
}

static bool is_new(const struct header *header)
{
    return !header->application && !header->version && !header->n_objects;
}

static int check_header(struct database *database, const struct header *header,
                        struct cprof_error *err)
{
    struct place place = place_of(database);

    if (is_new(header))
        return error_set(err, CPROF_EFORMAT, place,
                         "the history is empty: nothing was stored in it yet");
    if (header->application != SQL_APPLICATION)
        return error_set(err, CPROF_EFORMAT, place,
                         "this is no history of cprof-leaks: it is a database "
                         "of another program");
    if (header->version > SQL_VERSION)
        return error_set(err, CPROF_EFORMAT, place,
                         "the history is of a newer cprof-leaks: its version "
                         "is %lld, and this program knows %d",
                         (long long)header->version, SQL_VERSION);
    if (header->version < SQL_VERSION)
        return database_damaged(database, "its version is not known", err);
    return check_tables(database, err);
}

/* Makes the tables of a new file, unless another process was quicker. */
static int settle_new(struct database *database, struct cprof_error *err)
{
    struct header header = {0};
    int rc = database_exec(database, "BEGIN EXCLUSIVE", err);

    if (rc == 0)
        rc = read_header(database, &header, err);
    if (rc == 0 && is_new(&header))
        rc = make_tables(database, err);
    if (rc == 0)
        rc = database_commit(database, err);
    if (rc < 0)
        database_rollback(database);
    return rc;
}

/* Has SQLite keep a log beside the file, so that readers and a writer do not
 * wait for each other. Where the file system cannot, it stays as it is. */
static int use_log(struct database *database, struct cprof_error *err)
{
    uint64_t waited = 0;
    int code;

    do {
        code = sqlite3_exec(database->db, "PRAGMA journal_mode = WAL", NULL,
                            NULL, NULL);
        if ((code & 0xff) != SQLITE_BUSY)
            break;
        sqlite3_sleep(TRY_AGAIN_MS);
        waited += TRY_AGAIN_MS;
    } while (waited < database->wait_ms);
    return code == SQLITE_OK ? 0 : database_error(database, code, err);
}

static int settle_to_write(struct database *database, struct cprof_error *err)
{
    struct header header = {0};
    int rc;

    /* Without permission SQLite opens a file to read. */
    if (sqlite3_db_readonly(database->db, "main"))
        return database_error(database, SQLITE_READONLY, err);
    rc = read_header_at_once(database, &header, err);
    if (rc == 0 && is_new(&header)) {
        rc = settle_new(database, err);
        if (rc == 0)
            rc = read_header_at_once(database, &header, err);
    }
    if (rc == 0)
        rc = check_header(database, &header, err);
    if (rc == 0)
        rc = use_log(database, err);
    return rc;
}

/* Whether a log stands beside the file, with what is not in it yet. */
static bool has_log(const struct database *database)
{
    struct buf name = {0};
    struct stat about;
    bool has;

    buf_addf(&name, "%s-wal", database->path);
    has = name.failed || (stat(name.ptr, &about) == 0 && about.st_size > 0);
    buf_done(&name);
    return has;
}

/* The path as a URI that says nobody writes to the file. */
static void add_uri(struct buf *uri, const char *path)
{
    buf_add(uri, STR("file:"));
    for (const char *at = path; *at; at++) {
        if (chars_have("%?#", *at))
            buf_addf(uri, "%%%02X", (unsigned char)*at);
        else
            buf_add_char(uri, *at);
    }
    buf_add(uri, STR("?immutable=1"));
}

/* Opens the file again as one that nobody writes to: in a folder that is
 * read-only SQLite cannot keep the index of its log. */
static int connect_immutable(struct database *database, struct cprof_error *err)
{
    struct buf uri = {0};
    int rc;

    sqlite3_close(database->db);
    database->db = NULL;
    add_uri(&uri, database->path);
    rc = uri.failed ? error_memory(err, place_of(database), "opening a history")
                    : connect(database, uri.ptr,
                              SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, err);
    buf_done(&uri);
    return rc;
}

/* Without permission to write, SQLite opens the file to read. With it, the last
 * reader puts the log in order that a killed writer left. */
static int open_to_read(struct database *database, struct cprof_error *err)
{
    struct header header = {0};
    int rc = connect(database, database->path, SQLITE_OPEN_READWRITE, err);

    if (rc == 0)
        rc = database_exec(database, "PRAGMA query_only = ON", err);
    if (rc == 0)
        rc = read_header_at_once(database, &header, err);
    if (rc == CPROF_EIO && access(database->path, R_OK) == 0 &&
        !has_log(database)) {
        rc = connect_immutable(database, err);
        if (rc == 0)
            rc = read_header_at_once(database, &header, err);
    }
    return rc < 0 ? rc : check_header(database, &header, err);
}

/* A copy of the path; SQLite would take one that begins with a colon for a
 * database in memory. */
static char *copy_path(const char *path)
{
    char *copy = NULL;

    if (asprintf(&copy, "%s%s", path[0] == ':' ? "./" : "", path) < 0)
        return NULL;
    return copy;
}

int database_open(struct database *ret, const char *path,
                  const struct store_options *options, struct cprof_error *err)
{
    int rc = 0;

    *ret = (struct database){.path = copy_path(path),
                             .wait_ms = options->wait_ms ? options->wait_ms
                                                         : STORE_WAIT_MS,
                             .is_read_only = options->mode == STORE_READ};
    if (!ret->path)
        return error_memory(err, (struct place){path, 0, 0},
                            "opening a history");
    if (options->mode == STORE_CREATE)
        rc = make_file(ret, err);
    if (rc == 0)
        rc = check_file(ret, err);
    if (rc == 0 && ret->is_read_only)
        return open_to_read(ret, err);
    if (rc == 0)
        rc = connect(ret, ret->path, SQLITE_OPEN_READWRITE, err);
    return rc < 0 ? rc : settle_to_write(ret, err);
}
