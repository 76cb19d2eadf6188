/* store_fuzz.c - any bytes as a history, or as the blobs of a snapshot in one.
 *
 * What begins as an SQLite file is one: it is opened, all of it is read and
 * pruned, and whatever fails says so with the file's name. Other bytes are the
 * length of counts in two bytes, counts, and evidence (snapshot_blobs.h) over a
 * history whose texts and stacks are known. They are refused, or give a
 * snapshot whose goroutines add up, which can be analysed, and which encoded
 * and decoded again stays the same. All memory comes back (under the
 * sanitizers). */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "analysis/analysis.h"
#include "reading.h"
#include "store/snapshot_blobs.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { NAMES = 256 };

static const char *const words[] = {
    "debug2",          "goroutine",          "chan send",
    "sync.Mutex.Lock", "sync.(*Mutex).Lock", "internal/sync.(*Mutex).lockSlow",
    "main.(*T).f",     "/src/main.go",       "select",
    "go1.24.4",        "runtime.gopark",     "sync.runtime_SemacquireMutex",
};

enum { N_WORDS = sizeof(words) / sizeof(words[0]) };

static int run(struct database *database, enum sql sql, struct str bytes)
{
    struct query query = query_begin(database, sql, NULL);

    query_blob(&query, bytes);
    return query_run(&query);
}

/* A history in memory with texts and stacks 1 to NAMES. It is made once; what
 * an input adds is taken back. */
static struct database *names_of_all(void)
{
    static struct database names;
    struct database *ret = &names;

    if (names.db)
        return ret;
    names.path = strdup("fuzz.db");
    CHECK(sqlite3_open(":memory:", &ret->db) == SQLITE_OK);
    for (size_t i = 0; i < sql_n_objects; i++)
        CHECK(database_exec(ret, sql_objects[i].words, NULL) == 0);
    for (unsigned i = 0; i < NAMES; i++) {
        struct buf text = {0};
        struct buf stack = {0};

        if (i < N_WORDS)
            buf_add(&text, str_from(words[i]));
        else
            buf_addf(&text, "f%u", i);
        blob_add(&stack, i % 3);
        for (unsigned k = 0; k < i % 5; k++) {
            blob_add(&stack, 1 + (i * 7 + k) % NAMES);
            blob_add(&stack, 8);
            blob_add(&stack, i);
        }
        blob_add(&stack, 1 + i);
        blob_add(&stack, 0);
        blob_add(&stack, 0);
        CHECK(run(ret, SQL_TEXT_ADD, buf_str(&text)) == 0);
        CHECK(run(ret, SQL_STACK_ADD, buf_str(&stack)) == 0);
        buf_done(&text);
        buf_done(&stack);
    }
    return ret;
}

static void check_sums(const struct snapshot *snapshot)
{
    const struct snapshot_info *info = snapshot_info_get(snapshot);
    uint64_t sum = info->other;
    size_t n;
    const struct folded_group *folded = snapshot_folded(snapshot, &n);

    for (size_t i = 0; i < snapshot_n_groups(snapshot); i++)
        sum += snapshot_group(snapshot, i)->count;
    for (size_t i = 0; i < n; i++)
        sum += folded[i].count;
    CHECK(sum == info->total);
}

/* Decodes blobs into a new snapshot; NULL when they are refused. */
static struct snapshot *decode(struct reading *reading,
                               struct database *database, struct str counts,
                               const struct str *evidence, bool is_folded)
{
    struct cprof_snapshots *snapshots = reading->snapshots;
    struct snapshot *snapshot = NULL;
    struct cprof_error err = {0};
    struct names_in in;
    struct counts begun;

    if (!counts_read(&begun, counts))
        return NULL;
    CHECK(collection_add(snapshots, &snapshot, NULL) == 0);
    names_in_init(&in, database, snapshots->symbols, &err);
    if (is_folded)
        snapshot_decode_folded(snapshot, &begun, &in);
    else
        snapshot_decode(snapshot, &begun, evidence, &in);
    names_in_done(&in);
    if (in.rc < 0) {
        CHECK(err.code == in.rc && err.message[0]);
        CHECK(str_equal(str_from(err.source), STR("fuzz.db")));
        collection_drop(snapshots);
        return NULL;
    }
    check_sums(snapshot);
    return snapshot;
}

static void encode(struct database *database, struct snapshot *snapshot,
                   struct buf *counts, struct buf *evidence)
{
    struct names_out out;

    CHECK(names_out_init(&out, database, snapshot_symbols(snapshot), NULL) ==
          0);
    counts_write(counts, &out, snapshot);
    evidence_write(evidence, &out, snapshot);
    CHECK(out.rc == 0 && !counts->failed && !evidence->failed);
    names_out_done(&out);
}

/* What was decoded stays the same when it goes through the blobs again. */
static void check_again(struct reading *reading, struct database *database,
                        struct snapshot *snapshot)
{
    struct buf counts[2] = {{0}, {0}};
    struct buf evidence[2] = {{0}, {0}};
    struct snapshot *again;
    struct str bytes;

    encode(database, snapshot, &counts[0], &evidence[0]);
    bytes = buf_str(&evidence[0]);
    again = decode(reading, database, buf_str(&counts[0]), &bytes, false);
    CHECK(again != NULL);
    encode(database, again, &counts[1], &evidence[1]);
    CHECK(str_equal(buf_str(&counts[0]), buf_str(&counts[1])));
    CHECK(str_equal(buf_str(&evidence[0]), buf_str(&evidence[1])));
    for (int i = 0; i < 2; i++) {
        buf_done(&counts[i]);
        buf_done(&evidence[i]);
    }
    collection_drop(reading->snapshots);
}

static void try_blobs(struct str counts, struct str evidence)
{
    struct analysis *analysis = NULL;
    struct database *database = names_of_all();
    struct snapshot *snapshot;
    struct reading reading;

    reading_init(&reading, NULL);
    CHECK(database_begin(database, true, NULL) == 0);
    decode(&reading, database, counts, NULL, true);
    decode(&reading, database, counts, NULL, false);
    /* Those two are forgotten: the analysis is of the whole one. */
    while (reading.snapshots->count)
        collection_drop(reading.snapshots);
    snapshot = decode(&reading, database, counts, &evidence, false);
    if (snapshot) {
        check_again(&reading, database, snapshot);
        snapshot_info(snapshot)->source = STR("history:fuzz#1");
    }
    if (snapshot &&
        analysis_new(&analysis, reading.snapshots, &reading.err) == 0)
        analysis_free(analysis);
    reading_done(&reading);
    database_rollback(database);
}

static void check_error(int rc, const struct cprof_error *err, const char *path)
{
    if (rc == 0)
        return;
    CHECK(rc == CPROF_EFORMAT || rc == CPROF_EIO || rc == CPROF_ENOMEM);
    CHECK(err->code == rc && err->message[0]);
    CHECK(str_equal(str_from(err->source), str_from(path)));
}

/* Uses an open history in every way. */
static void use(struct store *store, const char *path)
{
    struct store_limits limits = {.keep = 1, .compact = true};
    struct store_alert *alerts;
    struct cprof_error err = {0};
    struct budget budget;
    struct arena arena;
    size_t n;

    budget_init(&budget, 0);
    arena_init(&arena, &budget);
    check_error(store_verify(store, &err), &err, path);
    check_error(store_alerts_read(store, STR(""), &arena, &alerts, &n, &err),
                &err, path);
    check_error(store_prune(store, &limits, NULL, &err), &err, path);
    arena_done(&arena);
}

static void try_file(const uint8_t *data, size_t size)
{
    static const char folder[] = "/dev/shm";
    struct store_options options = {.mode = STORE_WRITE, .wait_ms = 1};
    struct cprof_error err = {0};
    struct store *store = NULL;
    char path[64];
    int fd;

    snprintf(path, sizeof(path), "%s/store-fuzz-XXXXXX",
             access(folder, W_OK) == 0 ? folder : "/tmp");
    fd = mkstemp(path);
    CHECK(fd >= 0);
    CHECK(write(fd, data, size) == (ssize_t)size);
    close(fd);
    check_error(store_open(&store, path, &options, &err), &err, path);
    if (store)
        use(store, path);
    store_close(store);
    unlink(path);
    for (int i = 0; i < 3; i++) {
        static const char *const ends[] = {"-wal", "-shm", "-journal"};
        char beside[80];

        snprintf(beside, sizeof(beside), "%s%s", path, ends[i]);
        unlink(beside);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str all = {(const char *)data, size};
    size_t n;

    if (str_starts(all, STR("SQLite format 3"))) {
        try_file(data, size);
        return 0;
    }
    if (size < 2)
        return 0;
    n = (size_t)data[0] | (size_t)data[1] << 8;
    all = str_skip(all, 2);
    try_blobs(str_head(all, n), str_skip(all, n));
    return 0;
}
