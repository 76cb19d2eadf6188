/* Storing a snapshot, and thinning those before it. */
#include "model/signature.h"
#include "store/parts.h"
#include "store/snapshot_blobs.h"

/* Which snapshots of an instance keep their evidence: the newest, and of the
 * older ones of some days one an hour. A comparison asks ids, waits and labels
 * of its ends and of some moments between (analysis/folding.h), and a week of
 * hours has more of these than it takes. */
enum {
    EVIDENCE_NEWEST = 24,
    EVIDENCE_DAYS = 8,
};

static const int64_t hour_us = 3600000000;

/* A snapshot on its way into the file. */
struct adding {
    struct store *store;
    const struct store_snapshot *from;
    int64_t instance;
    int64_t taken_us;
    struct buf counts;
    struct buf evidence;
    unsigned char hash[16];
};

static void put_hash(struct adding *adding)
{
    struct buf all = {0};
    struct signature signature;

    buf_add(&all, buf_str(&adding->counts));
    buf_add(&all, buf_str(&adding->evidence));
    if (adding->from->is_timed)
        blob_add_signed(&all, adding->taken_us);
    signature = signature_of_bytes(buf_str(&all));
    adding->counts.failed |= all.failed;
    buf_done(&all);
    for (int i = 0; i < 8; i++) {
        adding->hash[i] = (unsigned char)(signature.high >> (56 - 8 * i));
        adding->hash[8 + i] = (unsigned char)(signature.low >> (56 - 8 * i));
    }
}

static struct str hash_of(const struct adding *adding)
{
    return (struct str){(const char *)adding->hash, sizeof(adding->hash)};
}

/* Whether the system refused memory for parts of what is to be stored: a
 * history must not take them for gone. */
static bool has_lost(const struct snapshot *snapshot)
{
    const struct budget *budget = symbols_budget(snapshot_symbols(snapshot));

    return atomic_load(&budget->n_refused) != 0;
}

/* Makes the blobs; names that are new are stored on the way. */
static int encode(struct adding *adding, struct cprof_error *err)
{
    struct snapshot *snapshot = adding->from->snapshot;
    struct names_out out;
    int rc = names_out_init(&out, &adding->store->database,
                            snapshot_symbols(snapshot), err);

    if (rc == 0) {
        counts_write(&adding->counts, &out, snapshot);
        evidence_write(&adding->evidence, &out, snapshot);
        put_hash(adding);
        rc = out.rc;
    }
    names_out_done(&out);
    if (rc == 0 && (adding->counts.failed || adding->evidence.failed ||
                    has_lost(snapshot)))
        rc = store_memory(adding->store, err);
    return rc;
}

/* Looks whether an equal snapshot is stored already. */
static int find_equal(const struct adding *adding, struct store_added *ret,
                      struct cprof_error *err)
{
    struct query query =
        query_begin(&adding->store->database, SQL_SNAPSHOT_FIND, err);

    query_number(&query, adding->instance);
    query_blob(&query, hash_of(adding));
    if (query_next(&query)) {
        ret->was_known = true;
        ret->id = query_get_number(&query, 0);
        ret->segment = query_get_count(&query, 1);
    }
    return query_end(&query);
}

/* The newest segment of the instance, 0 = it has no snapshot yet. */
static int newest_segment(const struct adding *adding, uint64_t *ret,
                          struct cprof_error *err)
{
    struct query query =
        query_begin(&adding->store->database, SQL_INSTANCE_SEGMENT, err);

    query_number(&query, adding->instance);
    *ret = query_next(&query) ? query_get_count(&query, 0) : 0;
    return query_end(&query);
}

/* Begins another segment. */
static int grow_segments(const struct adding *adding, uint64_t segment,
                         struct cprof_error *err)
{
    struct query query =
        query_begin(&adding->store->database, SQL_INSTANCE_GROWN, err);

    query_number(&query, adding->instance);
    query_number(&query, (int64_t)segment);
    return query_run(&query);
}

/* Finds the segment: a new one, or that of the snapshot before, by time. */
static int find_segment(const struct adding *adding, struct store_added *ret,
                        struct cprof_error *err)
{
    struct query query;
    uint64_t newest;
    int rc = newest_segment(adding, &newest, err);

    if (rc < 0)
        return rc;
    ret->is_first = newest == 0;
    ret->segment = newest + 1;
    if (ret->is_first || adding->from->is_new_segment)
        return grow_segments(adding, ret->segment, err);
    query = query_begin(&adding->store->database, SQL_SNAPSHOT_BEFORE, err);
    query_number(&query, adding->instance);
    query_number(&query, adding->taken_us);
    ret->segment = query_next(&query) ? query_get_count(&query, 0) : 1;
    return query_end(&query);
}

/* Whether what a snapshot measures, or why it ended, is all it is about. */
static bool is_lasting(const struct snapshot *snapshot)
{
    const struct snapshot_info *info = snapshot_info_get(snapshot);

    return info->n_types || info->crash;
}

static int insert(const struct adding *adding, struct store_added *ret,
                  struct cprof_error *err)
{
    struct database *database = &adding->store->database;
    struct query query = query_begin(database, SQL_SNAPSHOT_ADD, err);
    int rc;

    query_number(&query, adding->instance);
    query_number(&query, adding->taken_us);
    query_number(&query, (int64_t)ret->segment);
    query_blob(&query, hash_of(adding));
    query_text(&query, adding->from->address);
    query_number(&query, is_lasting(adding->from->snapshot));
    query_blob(&query, buf_str(&adding->counts));
    rc = query_run(&query);
    ret->id = sqlite3_last_insert_rowid(database->db);
    if (rc < 0)
        return rc;
    query = query_begin(database, SQL_EVIDENCE_ADD, err);
    query_number(&query, ret->id);
    query_blob(&query, buf_str(&adding->evidence));
    return query_run(&query);
}

/* Lists the snapshots whose evidence is to go, as int64_t. */
static int find_thin(const struct adding *adding, struct buf *ids,
                     struct cprof_error *err)
{
    struct query query =
        query_begin(&adding->store->database, SQL_EVIDENCE_TIMES, err);
    int64_t newest_us = 0;
    int64_t last_hour = INT64_MAX;

    query_number(&query, adding->instance);
    for (size_t i = 0; query_next(&query); i++) {
        int64_t id = query_get_number(&query, 0);
        int64_t taken_us = query_get_number(&query, 1);
        int64_t hour = taken_us / hour_us;

        if (!i)
            newest_us = taken_us;
        if (i < EVIDENCE_NEWEST)
            continue;
        if (hour == last_hour ||
            newest_us / hour_us - hour > EVIDENCE_DAYS * 24)
            buf_add(ids, (struct str){(const char *)&id, sizeof(id)});
        else
            last_hour = hour;
    }
    return query_end(&query);
}

static int thin(const struct adding *adding, struct cprof_error *err)
{
    struct buf ids = {0};
    int rc = find_thin(adding, &ids, err);

    for (size_t at = 0; at < ids.len && rc == 0; at += sizeof(int64_t)) {
        struct query query =
            query_begin(&adding->store->database, SQL_EVIDENCE_DROP, err);
        int64_t id;

        memcpy(&id, ids.ptr + at, sizeof(id));
        query_number(&query, id);
        rc = query_run(&query);
    }
    buf_done(&ids);
    return rc;
}

static int add(struct adding *adding, struct store_added *ret,
               struct cprof_error *err)
{
    int rc = instance_put(adding->store, adding->from->instance,
                          &adding->instance, err);

    if (rc == 0)
        rc = encode(adding, err);
    if (rc == 0)
        rc = find_equal(adding, ret, err);
    if (rc < 0 || ret->was_known)
        return rc;
    rc = find_segment(adding, ret, err);
    if (rc == 0)
        rc = insert(adding, ret, err);
    return rc == 0 ? thin(adding, err) : rc;
}

int store_add(struct store *store, const struct store_snapshot *snapshot,
              struct store_added *ret, struct cprof_error *err)
{
    struct adding adding = {.store = store,
                            .from = snapshot,
                            .taken_us = us_of_ns(snapshot->taken_ns)};
    struct store_added added = {0};
    bool own;
    int rc = store_enter(store, true, &own, err);

    if (rc == 0) {
        rc = add(&adding, &added, err);
        rc = store_leave(store, own, true, rc, err);
    }
    buf_done(&adding.counts);
    buf_done(&adding.evidence);
    if (rc == 0)
        *ret = added;
    return rc;
}
