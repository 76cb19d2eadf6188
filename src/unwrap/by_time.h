/* by_time.h - records in memory, in the order of their times.
 *
 * Loki answers stream by stream, where a stream is what has the same labels.
 * The level that it finds in a line is one of these, so that the lines of one
 * dump stand in several streams. To read it, all of them have to be there. */
#ifndef UNWRAP_BY_TIME_H
#define UNWRAP_BY_TIME_H

#include "input/lines.h"
#include "unwrap/line_map.h"

struct timed_line;

struct by_time {
    struct budget *budget;
    struct line_map map; /* from lines in order to those that were read */
    char *text;          /* lines, each with its end */
    size_t len;
    size_t size;
    char *block; /* holds the table of lines */
    size_t block_size;
    size_t count;    /* of lines in it */
    uint64_t n_lost; /* lines for which there was no memory */
    size_t next;     /* line to be given */
    struct str rest; /* of the line that is being given */
};

/* Takes all lines from the cursor on that begin with a time as records.c writes
 * it, and orders them; lines of one time keep their order, which is turned
 * round when most lines come before older ones. Lines without a time are
 * passed; those that the budget, to which all is charged, has no room for are
 * counted. */
void by_time_fill(struct by_time *by_time, struct lines *lines);

/* Frees what it holds. */
void by_time_done(struct by_time *by_time);

/* A source of the lines in order; by_time must outlive it. */
struct source source_from_by_time(struct by_time *by_time);

#endif
