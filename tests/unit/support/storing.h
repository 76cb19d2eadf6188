/* storing.h - a history in a folder of its own, and all that is known of a
 * snapshot as text. */
#ifndef SUPPORT_STORING_H
#define SUPPORT_STORING_H

#include "store/store.h"
#include "support/reading.h"

struct storing {
    char folder[64];
    char path[96]; /* of the history: "api.db" in the folder */
    struct store *store;
    struct budget budget;
    struct arena arena; /* for lists */
    struct cprof_error err;
};

/* A new folder, and an empty history open in it; closed, with all removed. */
void storing_init(struct storing *storing);
void storing_done(struct storing *storing);

/* Closes the history and opens it in a mode. Returns what store_open returns;
 * the history is open only if that is 0. */
int storing_open(struct storing *storing, enum store_mode mode);
void storing_close(struct storing *storing);

/* Stores a snapshot of an instance, taken at a second; must succeed. Its states
 * are inferred first. */
struct store_added storing_add(struct storing *storing, const char *instance,
                               struct snapshot *snapshot, int64_t second);

/* Reads what a query means into an empty reading; must succeed. Returns how
 * many snapshots that are. */
size_t storing_read(struct storing *storing, const struct store_query *query,
                    size_t whole, struct reading *into);

/* Appends everything that is known of a snapshot, but its source, instance,
 * times and place in the input, with names and not with ids. */
void storing_describe(struct buf *buf, struct snapshot *snapshot);

/* Runs words on the file by another handle, as somebody else's program would;
 * must succeed. */
void storing_exec(const struct storing *storing, const char *words);

/* One number that words ask for. */
int64_t storing_ask(const struct storing *storing, const char *words);

#endif
