/* reporting.h - a report made by hand, for tests of what is written. */
#ifndef SUPPORT_REPORTING_H
#define SUPPORT_REPORTING_H

#include "base/buf.h"
#include "model/collection.h"
#include "model/options.h"

enum { SAMPLE_FRAMES = 24 };

/* Goroutines with one stack. Fields that are not set say nothing. */
struct sample {
    uint64_t count;
    const char *state;    /* of a header; NULL = the dump does not say */
    struct hidden hidden; /* n_pc 0 = the dump has no such addresses */
    const char *frames[SAMPLE_FRAMES]; /* "function|file:line", leaf first */
    const char *created_by;            /* the same */
    uint64_t first_id; /* ids from here on, one for each goroutine */
    uint32_t wait_min; /* minutes; 0 = not said */
    uint32_t elided;
    bool leaked;
    bool locked;
    const char *key; /* a label */
    const char *value;
};

struct reporting {
    struct cprof_options *options;
    struct cprof_snapshots *snapshots;
    struct cprof_report *report;
    char rules_path[64];
    struct buf out;
};

/* Rules for tests: a channel send is loud from 100 goroutines on and low from
 * 10, a receive is info from 10, main.worker is normal. */
extern const char reporting_rules[];

/* Prepares options (no built-in rules, but those of a YAML text) and an empty
 * collection. */
void reporting_init(struct reporting *reporting, const char *rules);
void reporting_done(struct reporting *reporting);

/* Sets an option that must be right. */
void reporting_set(struct reporting *reporting, const char *name,
                   const char *value);

/* Adds a snapshot of a format, "debug1" or "debug2". */
struct snapshot *reporting_snapshot(struct reporting *reporting,
                                    const char *source, const char *format);

/* Counts the goroutines of a sample. */
void reporting_add(struct snapshot *snapshot, const struct sample *sample);

/* Goroutines in a chan send at acme.com/q/v2.(*Queue).Put, in a chan receive at
 * main.drain, in a select at main.worker. */
void reporting_add_senders(struct snapshot *snapshot, uint64_t count);
void reporting_add_receivers(struct snapshot *snapshot, uint64_t count);
void reporting_add_workers(struct snapshot *snapshot, uint64_t count);

/* Makes the report, unless that was done, and writes it. The text is
 * NUL-terminated and good until the next call. */
const char *reporting_write(struct reporting *reporting, const char *format);

/* Fails unless text holds what, or while it does; where it holds it. */
void text_has(const char *text, const char *what);
void text_lacks(const char *text, const char *what);
size_t text_place(const char *text, const char *what);

#endif
