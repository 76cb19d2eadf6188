/* parts.h - what the files of this room share of a history. */
#ifndef STORE_PARTS_H
#define STORE_PARTS_H

#include "base/arena.h"
#include "base/buf.h"
#include "store/database.h"

struct store {
    struct database database;
    char *name; /* of the file, without folder and ".db" */
};

/* Begins a transaction for one call, unless one is open that serves. *ret_own
 * says which, for store_leave: it ends a transaction of its own, keeping what
 * was written when rc is 0 and to_write says that something was. Returns rc, or
 * why it could not be kept. */
int store_enter(struct store *store, bool to_write, bool *ret_own,
                struct cprof_error *err);
int store_leave(struct store *store, bool own, bool to_write, int rc,
                struct cprof_error *err);

/* The number of an instance, 0 of one that is not known; the second makes it
 * known. */
int instance_find(struct store *store, struct str name, int64_t *ret,
                  struct cprof_error *err);
int instance_put(struct store *store, struct str name, int64_t *ret,
                 struct cprof_error *err);

/* An instance of the file. */
struct instance_row {
    int64_t id;
    struct str name;
};

/* Lists the instances by name, or only the one with a name, in arena. */
int instance_list(struct store *store, const struct str *name,
                  struct arena *arena, struct instance_row **ret,
                  size_t *ret_count, struct cprof_error *err);

/* A snapshot that a query means. */
struct pick {
    int64_t id;
    int64_t taken_us;
    int64_t segment;
    bool has_evidence;
    bool is_whole; /* it is to be read whole */
};

struct picks {
    struct pick *items; /* freed by the caller; NULL = none */
    size_t n;
};

/* Lists the snapshots of an instance that a query means, in order of time;
 * `whole` as store_read has it. */
int picks_find(struct store *store, int64_t instance,
               const struct store_query *query, size_t whole, struct picks *ret,
               struct cprof_error *err);

/* Copies rows, which a buf holds one behind the other, into an arena and
 * empties the buf; NULL when there is no memory, now or before. */
void *rows_keep(struct buf *rows, struct arena *arena);

/* Microseconds as nanoseconds, cut to what these can be, and back. */
int64_t ns_of_us(int64_t us);
int64_t us_of_ns(int64_t ns);

/* Fills *err for memory that ran out while using a history. */
int store_memory(const struct store *store, struct cprof_error *err);

#endif
