/* targets.h - a file with targets, as Prometheus takes them from file_sd.
 *
 *     - targets: ['10.0.0.1:6060', '10.0.0.2:6060']
 *       labels:
 *         __scheme__: https
 *         instance: api-1
 *
 * in YAML, or the same in JSON, which YAML includes
 * (prometheus/discovery/file/file.go: readFile). A target is an address as
 * fetch/address.h has it. Of the labels, __scheme__ and __profile_path__ are
 * put into addresses that have none of their own, and instance names the one
 * target of a group. Others are allowed, and mean nothing here. */
#ifndef FETCH_TARGETS_H
#define FETCH_TARGETS_H

#include "base/error.h"

enum { TARGETS_MOST = 10000, TARGETS_BYTES_MOST = 4 * 1024 * 1024 };

struct target {
    char *address;  /* owned, as the name is */
    char *instance; /* NULL = not named */
};

struct targets {
    struct target *items; /* in order of the file */
    size_t count;
};

/* Parses a text; the name is for messages. CPROF_EFORMAT says what is wrong
 * where; nothing is added then. */
int targets_parse(struct targets *ret, const char *name, struct str text,
                  struct cprof_error *err);

/* Reads and parses a file. */
int targets_read(struct targets *ret, const char *path,
                 struct cprof_error *err);

/* Frees the targets. */
void targets_done(struct targets *targets);

#endif
