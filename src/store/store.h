/* store.h - the history of a service: snapshots in, snapshots out.
 *
 * One SQLite file holds one service. Its snapshots belong to instances, each in
 * order of time; times are kept to the microsecond. What is kept of a snapshot
 * is what analysis asks of it, so that a stored one gives the same answer as
 * the dump did: its counts in one blob, for as long as it is stored, and its
 * evidence (ids, waits, labels, locks, pointers) in another, which is dropped
 * from older ones ("thinned"). Beside them stands what `check` has to remember
 * from run to run: alerts, and when it last succeeded.
 *
 * Each call that writes is one transaction, or a part of the one that
 * store_begin opened: whenever the process dies, what was committed is there
 * and nothing else is. Other processes may use the same file; a writer waits
 * for the others as long as the options say. A file is an input as any other:
 * whatever it holds, the worst is CPROF_EFORMAT.
 *
 * Every message names the file. CPROF_EIO: it cannot be read or written (no
 * permission, a full disk, locked by others for too long). CPROF_EFORMAT: it is
 * damaged, no history, or of a newer version. CPROF_ENOMEM: no memory left.
 * These three are what every call below can return. */
#ifndef STORE_STORE_H
#define STORE_STORE_H

#include "base/arena.h"
#include "model/collection.h"

struct store;

enum store_mode {
    STORE_READ,  /* the file must be there; nothing is written */
    STORE_WRITE, /* the file must be there */
    STORE_CREATE /* a new file is made, for its owner alone (mode 0600), in a
                    folder that exists */
};

struct store_options {
    enum store_mode mode;
    uint64_t wait_ms; /* for other writers; 0 = STORE_WAIT_MS */
};

enum { STORE_WAIT_MS = 10000 };

/* Opens a history. The path is copied. */
int store_open(struct store **ret, const char *path,
               const struct store_options *options, struct cprof_error *err);

/* Closes it; what an open transaction wrote is taken back. NULL is fine. */
void store_close(struct store *store);

/* Makes the calls that follow one transaction, up to store_commit, which keeps
 * it whole or not at all, or store_rollback, which takes it back and changes
 * nothing without one. Other writers wait meanwhile: nothing slow belongs
 * between. */
int store_begin(struct store *store, struct cprof_error *err);
int store_commit(struct store *store, struct cprof_error *err);
void store_rollback(struct store *store);

/* Snapshots in. */

/* A snapshot that is to be stored. */
struct store_snapshot {
    struct str instance;       /* of the service; may be empty: the only one */
    struct str address;        /* where it came from, without credentials */
    struct snapshot *snapshot; /* whole, its states inferred
                                  (analysis/states.h) */
    int64_t taken_ns;          /* Unix time that orders the series; not 0 */
    bool is_timed; /* taken_ns says when it was taken: an equal dump of another
                      time is another moment. Otherwise equal dumps are the
                      same one, however often they are given. */
    bool is_new_segment; /* another process than that of the snapshot before
                            it: ids and ages do not go on */
};

/* What became of it. */
struct store_added {
    bool was_known;   /* it is stored already; nothing changed */
    int64_t id;       /* of the stored snapshot, or of the known one */
    uint64_t segment; /* of the instance, from 1 */
    bool is_first;    /* the instance had none before */
};

/* Stores a snapshot, and drops the evidence of older ones of its instance. */
int store_add(struct store *store, const struct store_snapshot *snapshot,
              struct store_added *ret, struct cprof_error *err);

/* Snapshots out. */

/* Which snapshots are meant. All zero but has_instance means all of all
 * instances. */
struct store_query {
    bool has_instance; /* only those of: */
    struct str instance;
    int64_t id;        /* only that one; 0 = any */
    int64_t from_ns;   /* taken at or after; 0 = any */
    int64_t to_ns;     /* taken at or before; 0 = any */
    int64_t span_ns;   /* taken at most so long before the newest of the others
                         that are meant, of each instance; 0 = any */
    bool last_segment; /* only the newest segment of each instance */
    size_t newest;     /* only so many of each instance, the newest; 0 = all */
    size_t oldest;     /* only so many of each instance, the oldest; 0 = all */
    size_t points; /* at most so many of each instance out of all the time, out
                      of the newest week, the newest day and the newest hour
                      each, the windows of analysis/growth.h; 0 = all */
};

/* A stored snapshot, without what it counts. */
struct store_entry {
    int64_t id;
    struct str instance;
    struct str address;
    struct str format; /* "debug2" */
    struct str go_version;
    int64_t taken_ns;
    uint64_t segment;
    uint64_t goroutines; /* the larger of declared and counted total */
    uint64_t groups;
    uint64_t max_id; /* largest goroutine id; 0 = none is known */
    uint64_t bytes;  /* of its blobs */
    bool complete;
    bool has_evidence; /* it was not thinned */
};

/* Lists what a query means, in order of instance and time, in arena. */
int store_list(struct store *store, const struct store_query *query,
               struct arena *arena, struct store_entry **ret, size_t *ret_count,
               struct cprof_error *err);

/* Reads what a query means into a collection, in order of instance and time, as
 * snapshots whose states are known and whose source is "history:NAME@INSTANCE
 * #ID", with the file's name without folder and ".db". Their time is the one
 * they were stored with. At most `whole` of each instance come whole: the
 * newest, and others at equal distances; the rest, and those that were thinned,
 * are folded (model/snapshot.h). Snapshots that measure, or are of a crash, are
 * always whole. whole 0 = all that are not thinned. *ret_count (or NULL) is how
 * many were read; none is no error. On failure the collection may have some of
 * them. */
int store_read(struct store *store, const struct store_query *query,
               size_t whole, struct cprof_snapshots *into, size_t *ret_count,
               struct cprof_error *err);

/* An instance and what is stored of it. */
struct store_instance {
    struct str name;
    struct str address; /* of its newest snapshot */
    uint64_t snapshots;
    uint64_t segments;
    int64_t first_ns; /* of its snapshots; 0 = it has none */
    int64_t last_ns;
    uint64_t bytes;      /* of their blobs */
    int64_t last_run_ns; /* as store_run_write had them; 0 = never */
    int64_t last_success_ns;
    int64_t last_error_ns;
    struct str last_error; /* empty = the last run succeeded, or none was */
};

/* Lists the instances by name, in arena. */
int store_instances(struct store *store, struct arena *arena,
                    struct store_instance **ret, size_t *ret_count,
                    struct cprof_error *err);

/* What check remembers. */

/* What a run found of one thing of an instance. The store only keeps it: what
 * the fields mean is for those who write them. */
struct store_alert {
    struct str key;   /* its stable name, unique in its instance */
    struct str state; /* a word: "pending", "firing", "resolved" */
    struct str rule;
    struct str severity;
    struct str site;    /* function, file and line, as shown */
    struct str text;    /* one line that says it */
    struct str data;    /* anything else; may hold any bytes */
    uint64_t held;      /* runs in a row that found it */
    uint64_t missed;    /* runs in a row that did not, since */
    uint64_t count;     /* goroutines, when it was last found */
    int64_t first_ns;   /* when it was first found; times 0 = never */
    int64_t last_ns;    /* when it was last found */
    int64_t changed_ns; /* when its state became what it is */
    int64_t sent_ns;    /* when somebody was last told */
};

/* All alerts of an instance by key, in arena. An unknown instance has none. */
int store_alerts_read(struct store *store, struct str instance,
                      struct arena *arena, struct store_alert **ret,
                      size_t *ret_count, struct cprof_error *err);

/* The names of the instances that have alerts, in order, in arena. */
int store_alerts_instances(struct store *store, struct arena *arena,
                           struct str **ret, size_t *ret_count,
                           struct cprof_error *err);

/* Makes these all the alerts of an instance: others that were there are
 * gone. */
int store_alerts_write(struct store *store, struct str instance,
                       const struct store_alert *alerts, size_t count,
                       struct cprof_error *err);

/* Notes that a run for an instance ended at a time, well (error empty) or with
 * an error, which is one line without credentials. */
int store_run_write(struct store *store, struct str instance, int64_t now_ns,
                    struct str error, struct cprof_error *err);

/* Care. */

struct store_limits {
    struct str instance; /* only of this one, if has_instance */
    bool has_instance;
    int64_t before_ns; /* drop what was taken before; 0 = no limit */
    size_t keep;       /* and all but the newest of each instance; 0 = none */
    bool compact; /* also give the room back to the file system, which writes
                     the whole file anew */
};

/* Drops old snapshots. The newest of an instance always stays, and so do its
 * alerts. Names and stacks that nothing refers to any more go when they are
 * many, or with compact. *ret_dropped (or NULL) is how many snapshots went.
 * CPROF_EFORMAT when there is no such instance. */
int store_prune(struct store *store, const struct store_limits *limits,
                uint64_t *ret_dropped, struct cprof_error *err);

/* Reads all of the file: whether SQLite finds it whole, and every blob and
 * every reference is right. CPROF_EFORMAT says what is not. */
int store_verify(struct store *store, struct cprof_error *err);

/* The default retention: 35 days. */
#define STORE_KEPT_NS ((int64_t)35 * 24 * 3600 * 1000000000)

#endif
