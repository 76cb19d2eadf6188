/* records.h - the answer of a store of logs, as lines of JSON.
 *
 * Stores answer with one document of JSON, on one line or spread over many: a
 * list of records, of which each has a line of a log and says whose it is. As
 * one line a record it is what log shippers write, which quoted.c unwraps, pods
 * apart from each other:
 *
 *     {"hits":{"hits":[{"_source":{"message":"goroutine 1 [running]:",...
 *     {"events":[{"logStreamName":"api-1","message":"goroutine 1 [runni...
 *     [{"textPayload":"goroutine 1 [running]:","resource":{"labels":{"p...
 *
 * Loki has lists of texts beside their labels: each is a line with both and its
 * time. Objects of their own, spread over lines, are records too. Whatever the
 * size, the document is read as it comes. */
#ifndef UNWRAP_RECORDS_H
#define UNWRAP_RECORDS_H

#include "base/buf.h"
#include "input/lines.h"
#include "unwrap/line_map.h"

enum { RECORDS_WORD_MOST = 16 };

struct records {
    struct lines *outer;
    struct line_map map; /* from lines given to those of the document */
    uint64_t n_lines;    /* ends of lines given */
    bool are_roots;      /* each root is a record; else there is one root */
    bool has_times;      /* texts of Loki, each with its time: by_time.h */
    bool has_ended;
    bool is_at_begin;   /* of a line of the document */
    uint64_t n_records; /* that ended */
    bool is_muted;      /* what is read is not given */
    bool has_text;      /* something stands on the line that is given */
    bool is_in_string;
    bool is_escaped; /* a backslash stands before */
    uint64_t arrays; /* bit N: the bracket that opened depth N is one */
    unsigned depth;
    unsigned record;  /* depth inside of the record; 0 = none is open */
    unsigned labels;  /* the same of the labels of Loki */
    unsigned values;  /* and of its list of texts */
    unsigned element; /* of one of them: 0 is the time, 1 the text */
    char word[RECORDS_WORD_MOST]; /* the string that was read last */
    size_t word_len;
    struct buf label_text;
    struct buf *outside; /* for what is in no record; NULL = it is dropped */
    struct buf pending;  /* to be given */
    size_t n_given;      /* of it */
};

/* Whether such a document begins at the cursor, in which records name their
 * pods, or whose first line is too long to be looked at as a whole. Looks at
 * LINES_WINDOW bytes; slices taken before are void. When it does, *ret reads
 * it; lines and budget must outlive that. */
bool records_begin(struct records *ret, struct lines *lines,
                   struct budget *budget);

/* Frees what it holds. */
void records_done(struct records *records);

/* A source of the lines. At its end the cursor stands behind the document. */
struct source source_from_records(struct records *records);

#endif
