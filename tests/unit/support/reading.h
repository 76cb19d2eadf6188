/* reading.h - dumps from memory, and what was understood of them as text. */
#ifndef SUPPORT_READING_H
#define SUPPORT_READING_H

#include "base/buf.h"
#include "model/collection.h"

struct reading {
    struct cprof_options *options;
    struct cprof_snapshots *snapshots;
    struct cprof_error err; /* of the last input */
    struct buf text;        /* what a describing call returned last */
};

/* An empty reading, and its end. */
void reading_init(struct reading *reading);
void reading_done(struct reading *reading);

/* The same with --max-memory. */
void reading_init_limited(struct reading *reading, const char *max_memory);

/* Reads a text as one input named "input" and returns what
 * cprof_snapshots_read returns. A step is how many bytes come at most at a
 * time; 0 = all at once. */
int reading_add(struct reading *reading, const char *text);
int reading_add_bytes(struct reading *reading, struct str bytes, size_t step);

/* A snapshot that must be there. */
struct snapshot *reading_snapshot(const struct reading *reading, size_t index);

/* All groups of all snapshots, a line each, as
 *
 *     2 chan send: main.f /m.go:1, main.main /m.go:9; by main.init /m.go:3
 *
 * with "..." or "...5" behind the frames where some were elided, and a line
 * "--" between snapshots. */
const char *reading_groups(struct reading *reading);

/* All that is known of a snapshot, evidence included, for comparing. */
const char *reading_everything(struct reading *reading);

/* The codes of the diagnostics in order, with one blank between them. */
const char *reading_codes(struct reading *reading);

/* Whether every snapshot is complete. */
bool reading_is_complete(const struct reading *reading);

/* The goroutines of all snapshots. */
uint64_t reading_total(const struct reading *reading);

#endif
