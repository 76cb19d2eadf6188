/* run.h - what the driver knows of the lines that it reads. */
#ifndef READ_RUN_H
#define READ_RUN_H

#include "format/format.h"
#include "read/instances.h"
#include "read/strays.h"
#include "read/unrecognised.h"
#include "unwrap/unwrap.h"

struct run {
    struct section section;
    struct lines lines;
    const struct format *last; /* the reader of section.previous */
    uint64_t n_skipped;        /* lines in which nothing was recognised */
    uint64_t first_skipped;
    struct first_line first; /* to say what an unknown input looks like */
    unsigned depth;          /* wrappings around these lines */
    struct unwrap_outlook outlook;
    struct columns columns; /* of the table that the lines are, by the first */
    bool is_likely;       /* something could begin in the line at the cursor */
    bool is_turned;       /* these lines were turned round */
    bool has_times;       /* they have to be read by their times */
    bool are_records;     /* they are of a document of JSON */
    uint64_t n_cut_lines; /* of wrapped lines */
    uint64_t cut_line;
    uint64_t n_unread; /* headers of goroutines that nobody recognised */
    uint64_t unread_line;
    struct strays strays;
    unsigned n_race;    /* lines so far of a report of the race detector */
    uint64_t gzip_line; /* where gzip'd data begins behind text; 0 = nowhere */
    struct instances *instances;
};

/* Counts n headers of goroutines that no reader recognised, the first of them
 * on a line of the run. */
void run_count_unread(struct run *run, uint64_t n, uint64_t line);

/* Ends the run over an input, of which it counts the snapshots from number
 * first on: adds what was odd about the whole as diagnostics. Without a
 * snapshot the input holds no dump: fails, and says what it holds instead. */
int run_finish(struct run *run, size_t first, struct cprof_error *err);

#endif
