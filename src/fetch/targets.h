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
 * target of a group. All that do not begin with "__" describe the target. */
#ifndef FETCH_TARGETS_H
#define FETCH_TARGETS_H

#include "base/error.h"

enum { TARGETS_MOST = 10000, TARGETS_BYTES_MOST = 4 * 1024 * 1024 };

/* All texts are owned by the targets. */
struct target_label {
    char *key;
    char *value;
};

/* What the targets of a group share. */
struct target_group {
    struct target_label *labels; /* in order of the file, each key once */
    size_t n_labels;
};

struct target {
    char *address;
    size_t group; /* index of its group */
};

struct targets {
    struct target *items; /* in order of the file */
    size_t count;
    struct target_group *groups;
    size_t n_groups;
};

/* The value of a label of a group, or NULL. */
const char *target_label(const struct target_group *group, const char *key);

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
