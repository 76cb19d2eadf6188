/* history_shared.h - what the commands of history have in common. */
#ifndef CLI_HISTORY_SHARED_H
#define CLI_HISTORY_SHARED_H

#include "base/json.h"
#include "cli/cli.h"
#include "cli/history_spec.h"

/* Fills *err unless -o is "text" or "json"; *ret_is_json says which. */
int history_output(const struct arguments *arguments, bool *ret_is_json,
                   struct cprof_error *err);

/* Fills *err unless there is exactly one HISTORY. */
int history_need_one(const struct arguments *arguments,
                     struct cprof_error *err);

/* Writes a text where the arguments say. */
int history_print(const struct arguments *arguments, const struct buf *text,
                  struct cprof_error *err);

/* Prints the error, if rc says that there is one. Returns the exit status. */
int history_end(int rc, const struct cprof_error *err);

/* Appends a time to the second, "2026-11-21T05:30:00Z", or "-" and blanks for
 * none, which is 0; the bytes of a file or a snapshot, "12.34MB". */
void add_time(struct buf *out, int64_t time_ns);
void add_size(struct buf *out, uint64_t bytes);

#endif
