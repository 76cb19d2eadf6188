/* Files that are no history, or that cannot be read or written: a clear error
 * with the file's name, and nothing that was committed is lost. */
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "store/database.h"
#include "support/storing.h"

#include <cmocka.h>

static struct storing storing;
static struct reading reading;

static int set_up(void **state)
{
    (void)state;
    storing_init(&storing);
    reading_init(&reading);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    reading_done(&reading);
    storing_done(&storing);
    return 0;
}

/* A new dump, whose goroutines stand at so many lines. */
static struct snapshot *dump(unsigned lines, unsigned first)
{
    struct buf text = {0};

    for (unsigned i = 0; i < lines; i++)
        buf_addf(&text,
                 "goroutine %u [chan send]:\nmain.f%u(0xc000010000)\n"
                 "\t/m.go:%u +0x1d\n\n",
                 i + 1, first + i, i + 1);
    assert_int_equal(reading_add(&reading, text.ptr), 0);
    buf_done(&text);
    return reading_snapshot(&reading,
                            cprof_snapshots_count(reading.snapshots) - 1);
}

static size_t count_stored(void)
{
    struct store_entry *entries;
    size_t n = 0;

    if (store_list(storing.store, &(struct store_query){0}, &storing.arena,
                   &entries, &n, &storing.err) < 0)
        fail_msg("%s", storing.err.message);
    return n;
}

/* Opening in a mode must fail with a code and such words, and name the file. */
static void refused(enum store_mode mode, int code, const char *words)
{
    assert_int_equal(storing_open(&storing, mode), code);
    assert_int_equal(storing.err.code, code);
    assert_string_equal(storing.err.source, storing.path);
    if (!strstr(storing.err.message, words))
        fail_msg("'%s' does not say '%s'", storing.err.message, words);
}

static void write_file(const char *bytes, size_t n)
{
    FILE *file = fopen(storing.path, "w");

    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, n, file), n);
    assert_int_equal(fclose(file), 0);
}

static void begin_anew(void)
{
    storing_close(&storing);
    assert_int_equal(unlink(storing.path), 0);
}

static void a_new_file_is_for_its_owner_alone(void **state)
{
    struct stat about;

    (void)state;
    begin_anew();
    umask(0);
    assert_int_equal(storing_open(&storing, STORE_CREATE), 0);
    umask(022);
    assert_int_equal(stat(storing.path, &about), 0);
    assert_int_equal(about.st_mode & 07777, 0600);
    storing_add(&storing, "a", dump(3, 0), 1);
    strcat(storing.path, "-wal");
    assert_int_equal(stat(storing.path, &about), 0);
    assert_int_equal(about.st_mode & 07777, 0600);
    storing.path[strlen(storing.path) - 4] = '\0';
}

static void a_missing_file_is_said(void **state)
{
    (void)state;
    begin_anew();
    refused(STORE_READ, CPROF_EIO, "there is no such history");
    refused(STORE_WRITE, CPROF_EIO, "there is no such history");
}

static void a_missing_folder_is_said(void **state)
{
    (void)state;
    snprintf(storing.path, sizeof(storing.path), "%s/none/api.db",
             storing.folder);
    refused(STORE_CREATE, CPROF_EIO, "cannot make a history: No such file");
}

static void a_folder_is_no_history(void **state)
{
    (void)state;
    snprintf(storing.path, sizeof(storing.path), "%s", storing.folder);
    refused(STORE_READ, CPROF_EFORMAT, "it is no file");
    refused(STORE_CREATE, CPROF_EFORMAT, "it is no file");
}

static void a_text_is_no_history(void **state)
{
    static const char text[] = "goroutine profile: total 6\n1 @ 0x1 0x2\n";

    (void)state;
    begin_anew();
    write_file(text, sizeof(text) - 1);
    refused(STORE_READ, CPROF_EFORMAT, "it is not an SQLite file");
    refused(STORE_CREATE, CPROF_EFORMAT, "it is not an SQLite file");
}

static void an_empty_file_is_a_new_history(void **state)
{
    (void)state;
    begin_anew();
    write_file("", 0);
    refused(STORE_READ, CPROF_EFORMAT, "the history is empty");
    assert_int_equal(storing_open(&storing, STORE_WRITE), 0);
    assert_int_equal(count_stored(), 0);
}

static void a_database_of_others_is_left_alone(void **state)
{
    (void)state;
    begin_anew();
    storing_exec(&storing, "CREATE TABLE users (name TEXT)");
    refused(STORE_CREATE, CPROF_EFORMAT, "of another program");
    assert_int_equal(
        storing_ask(&storing, "SELECT count(*) FROM sqlite_schema"), 1);
}

static void a_newer_version_is_left_alone(void **state)
{
    (void)state;
    storing_close(&storing);
    storing_exec(&storing, "PRAGMA user_version = 7");
    refused(STORE_CREATE, CPROF_EFORMAT, "its version is 7");
    refused(STORE_READ, CPROF_EFORMAT, "of a newer cprof-leaks");
}

static void a_file_with_a_trigger_is_refused(void **state)
{
    (void)state;
    storing_close(&storing);
    storing_exec(&storing, "CREATE TRIGGER t AFTER INSERT ON text BEGIN "
                           "DELETE FROM snapshot; END");
    refused(STORE_WRITE, CPROF_EFORMAT, "its tables were changed");
}

static void a_table_that_was_changed_is_refused(void **state)
{
    (void)state;
    storing_close(&storing);
    storing_exec(&storing, "ALTER TABLE meta ADD COLUMN more TEXT");
    refused(STORE_READ, CPROF_EFORMAT, "its tables were changed");
    begin_anew();
}

static void a_missing_index_is_refused(void **state)
{
    (void)state;
    storing_close(&storing);
    storing_exec(&storing, "DROP INDEX snapshot_time");
    refused(STORE_READ, CPROF_EFORMAT, "its tables were changed");
}

/* What stands in a blob is not trusted: words that change the first snapshot,
 * and what reading or verifying it says. */
static void damaged(const char *words, const char *said)
{
    struct reading back;
    int rc;

    storing_add(&storing, "a", dump(3, 0), 1);
    storing_close(&storing);
    storing_exec(&storing, words);
    assert_int_equal(storing_open(&storing, STORE_READ), 0);
    reading_init(&back);
    rc = store_read(storing.store, &(struct store_query){0}, 0, back.snapshots,
                    NULL, &storing.err);
    reading_done(&back);
    assert_int_equal(rc, CPROF_EFORMAT);
    assert_string_equal(storing.err.source, storing.path);
    if (!strstr(storing.err.message, said))
        fail_msg("'%s' does not say '%s'", storing.err.message, said);
    assert_true(strlen(storing.err.detail) > 0);
    assert_int_equal(store_verify(storing.store, &storing.err), CPROF_EFORMAT);
}

static void counts_that_are_no_counts(void **state)
{
    (void)state;
    damaged("UPDATE snapshot SET counts = x'ff00ff'", "counts");
}

static void counts_that_are_too_short(void **state)
{
    (void)state;
    damaged("UPDATE snapshot SET counts = "
            "substr(counts, 1, length(counts) - 1)",
            "not readable");
}

static void counts_with_more_behind(void **state)
{
    (void)state;
    damaged("UPDATE snapshot SET counts = CAST(counts || x'010105' AS BLOB)",
            "counts");
}

static void evidence_that_is_none(void **state)
{
    (void)state;
    damaged("UPDATE evidence SET data = x'00'", "evidence");
}

static void evidence_that_is_too_short(void **state)
{
    (void)state;
    damaged("UPDATE evidence SET data = substr(data, 1, length(data) - 2)",
            "evidence");
}

static void a_stack_that_is_missing(void **state)
{
    (void)state;
    damaged("DELETE FROM stack WHERE id = 2", "a stack is missing");
}

static void a_name_that_is_missing(void **state)
{
    (void)state;
    damaged("DELETE FROM text WHERE text = CAST('main.f1' AS BLOB)",
            "a name is missing");
}

static void a_stack_that_is_cut(void **state)
{
    (void)state;
    damaged("UPDATE stack SET frames = substr(frames, 1, 3) WHERE id = 1",
            "a stack is not readable");
}

static void a_form_that_is_no_word(void **state)
{
    (void)state;
    damaged("UPDATE text SET text = x'1b5b31' WHERE text = "
            "CAST('debug2' AS BLOB)",
            "no known form");
}

static void rows_that_belong_to_nothing_are_found(void **state)
{
    (void)state;
    storing_add(&storing, "a", dump(3, 0), 1);
    storing_close(&storing);
    storing_exec(&storing, "INSERT INTO evidence VALUES (99, x'00')");
    assert_int_equal(storing_open(&storing, STORE_READ), 0);
    assert_int_equal(store_verify(storing.store, &storing.err), CPROF_EFORMAT);
    assert_non_null(strstr(storing.err.message, "belong to nothing"));
}

/* Each byte of the file is changed in turn, at some distance: whatever is read
 * then, nothing but the three errors of store.h comes of it. */
static void bytes_that_were_changed(void **state)
{
    enum { STEP = 37 };
    static unsigned char good[1 << 17];
    size_t n_refused = 0;
    size_t size;
    FILE *file;

    (void)state;
    for (unsigned i = 0; i < 4; i++)
        storing_add(&storing, "a", dump(10, i * 5), 1 + i);
    storing_close(&storing);
    file = fopen(storing.path, "r");
    assert_non_null(file);
    size = fread(good, 1, sizeof(good), file);
    fclose(file);
    assert_in_range(size, 10000, sizeof(good) - 1);
    for (size_t at = 0; at < size; at += STEP) {
        unsigned char was = good[at];
        int rc;

        good[at] = (unsigned char)(was ^ (1u << at % 8 | 0x40));
        write_file((const char *)good, size);
        good[at] = was;
        rc = storing_open(&storing, at % 2 ? STORE_READ : STORE_WRITE);
        if (rc == 0)
            rc = store_verify(storing.store, &storing.err);
        assert_true(rc == 0 || rc == CPROF_EFORMAT || rc == CPROF_EIO);
        assert_true(rc == 0 || strlen(storing.err.message) > 0);
        n_refused += rc != 0;
    }
    /* Some bytes are of free room, of counters, or of names. */
    assert_true(n_refused > size / STEP / 20);
}

static void a_locked_history_is_said(void **state)
{
    struct store *other = NULL;
    struct store_options options = {.mode = STORE_WRITE};
    struct store_added added;
    struct store_snapshot wanted = {.snapshot = dump(3, 0),
                                    .taken_ns = 1000000000};

    (void)state;
    assert_int_equal(store_open(&other, storing.path, &options, &storing.err),
                     0);
    assert_int_equal(store_begin(other, &storing.err), 0);
    assert_int_equal(store_add(storing.store, &wanted, &added, &storing.err),
                     CPROF_EIO);
    assert_non_null(strstr(storing.err.message, "the history is locked"));
    assert_string_equal(storing.err.source, storing.path);
    /* Readers do not wait. */
    assert_int_equal(count_stored(), 0);
    store_rollback(other);
    assert_int_equal(store_add(storing.store, &wanted, &added, &storing.err),
                     0);
    store_close(other);
}

/* As somebody who is not root, for whom permissions count. */
static void as_nobody(void (*run)(void))
{
    int status;
    pid_t pid = fork();

    assert_true(pid >= 0);
    if (pid == 0) {
        if (geteuid() == 0 && (setegid(65534) < 0 || seteuid(65534) < 0))
            _exit(9);
        run();
        _exit(0);
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, 0);
}

/* Ends the child with a status that names the line, unless what holds. */
#define MUST(what)                                                             \
 do {                                                                          \
  if (!(what)) {                                                               \
   fprintf(stderr, "%d: not so: %s (%s)\n", __LINE__, #what,                   \
           storing.err.message);                                               \
   _exit(1);                                                                   \
  }                                                                            \
 } while (0)

static void read_a_closed_folder(void)
{
    struct store_entry *entries;
    size_t n = 0;

    MUST(storing_open(&storing, STORE_READ) == 0);
    MUST(store_list(storing.store, &(struct store_query){0}, &storing.arena,
                    &entries, &n, &storing.err) == 0);
    MUST(n == 1);
    MUST(storing_open(&storing, STORE_WRITE) == CPROF_EIO);
    MUST(strstr(storing.err.message, "read-only"));
    _exit(0);
}

static void a_read_only_folder_can_be_read(void **state)
{
    (void)state;
    storing_add(&storing, "a", dump(3, 0), 1);
    storing_close(&storing);
    assert_int_equal(chmod(storing.path, 0444), 0);
    assert_int_equal(chmod(storing.folder, 0555), 0);
    as_nobody(read_a_closed_folder);
}

static void open_a_closed_file(void)
{
    MUST(storing_open(&storing, STORE_READ) == CPROF_EIO);
    MUST(strstr(storing.err.message, "cannot open the history"));
    MUST(strcmp(storing.err.source, storing.path) == 0);
    _exit(0);
}

static void a_file_without_permission_is_said(void **state)
{
    (void)state;
    storing_close(&storing);
    assert_int_equal(chmod(storing.path, 0), 0);
    assert_int_equal(chmod(storing.folder, 0755), 0);
    as_nobody(open_a_closed_file);
}

/* A limit of file sizes is a disk that fills up. */
static void a_full_disk_loses_nothing(void **state)
{
    struct rlimit old;
    struct rlimit tight;
    struct store_snapshot wanted = {.instance = STR("a")};
    struct store_added added;
    size_t n = 0;
    int rc = 0;

    (void)state;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    tight = (struct rlimit){200000, old.rlim_max};
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &tight), 0);
    while (rc == 0 && n < 1000) {
        wanted.snapshot = dump(50, (unsigned)n * 50);
        wanted.taken_ns = ((int64_t)n + 1) * 1000000000;
        rc = store_add(storing.store, &wanted, &added, &storing.err);
        n += rc == 0;
    }
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
    assert_int_equal(rc, CPROF_EIO);
    assert_string_equal(storing.err.source, storing.path);
    if (!strstr(storing.err.message, "the disk is full") &&
        !strstr(storing.err.message, "takes no more bytes"))
        fail_msg("%s", storing.err.message);
    assert_in_range(n, 2, 900);
    assert_int_equal(count_stored(), n);
    assert_int_equal(storing_open(&storing, STORE_WRITE), 0);
    assert_int_equal(count_stored(), n);
    assert_int_equal(store_verify(storing.store, &storing.err), 0);
    assert_int_equal(store_add(storing.store, &wanted, &added, &storing.err),
                     0);
}

/* What SQLite finds too large may stand in a damaged file; here it does not. */
static void what_is_too_large_is_said(void **state)
{
    struct database database = {.path = strdup("large.db")};
    struct cprof_error err = {0};
    size_t size = (size_t)BLOB_MOST + 1;
    char *bytes = calloc(1, size);
    struct query query;

    (void)state;
    assert_non_null(bytes);
    assert_int_equal(sqlite3_open(":memory:", &database.db), SQLITE_OK);
    sqlite3_limit(database.db, SQLITE_LIMIT_LENGTH, BLOB_MOST);
    for (size_t i = 0; i < sql_n_objects; i++)
        assert_int_equal(database_exec(&database, sql_objects[i].words, &err),
                         0);
    query = query_begin(&database, SQL_TEXT_ADD, &err);
    query_blob(&query, (struct str){bytes, size});
    assert_int_equal(query_run(&query), CPROF_ELIMIT);
    assert_string_equal(err.message,
                        "this is too much for one snapshot of a history");
    database_close(&database);
    free(bytes);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_new_file_is_for_its_owner_alone),
        TEST(a_missing_file_is_said),
        TEST(a_missing_folder_is_said),
        TEST(a_folder_is_no_history),
        TEST(a_text_is_no_history),
        TEST(an_empty_file_is_a_new_history),
        TEST(a_database_of_others_is_left_alone),
        TEST(a_newer_version_is_left_alone),
        TEST(a_file_with_a_trigger_is_refused),
        TEST(a_table_that_was_changed_is_refused),
        TEST(a_missing_index_is_refused),
        TEST(counts_that_are_no_counts),
        TEST(counts_that_are_too_short),
        TEST(counts_with_more_behind),
        TEST(evidence_that_is_none),
        TEST(evidence_that_is_too_short),
        TEST(a_stack_that_is_missing),
        TEST(a_name_that_is_missing),
        TEST(a_stack_that_is_cut),
        TEST(a_form_that_is_no_word),
        TEST(rows_that_belong_to_nothing_are_found),
        TEST(bytes_that_were_changed),
        TEST(a_locked_history_is_said),
        TEST(a_read_only_folder_can_be_read),
        TEST(a_file_without_permission_is_said),
        TEST(a_full_disk_loses_nothing),
        TEST(what_is_too_large_is_said),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
