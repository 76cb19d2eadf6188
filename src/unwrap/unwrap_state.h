/* unwrap_state.h - what the files of the source over wrapped lines share:
 * unwrap.c takes lines, unwrap_streams.c gives what is inside of them. */
#ifndef UNWRAP_UNWRAP_STATE_H
#define UNWRAP_UNWRAP_STATE_H

#include "unwrap/stencil.h"
#include "unwrap/unwrap.h"

enum {
    KEY_MOST = 512,    /* bytes of a stream's name; longer ones are cut */
    QUIET_MOST = 1024, /* lines of a stream that are kept behind its last
                           goroutine: more than twice what any stack has */
    TEXT_FIRST = 4 * 1024,
    BUCKETS = 1024, /* of a table of streams; a power of 2 */
};

/* A stream other than the first: its lines wait here. */
struct other {
    struct other *next;
    struct other *alike; /* the next one of its bucket */
    char key[KEY_MOST];
    size_t key_len;
    size_t instance_len;
    char instance[KEY_MOST];
    bool is_process;     /* the key names a process of the instance */
    uint64_t first_line; /* outer lines that are kept */
    uint64_t last_line;
    char *text;
    size_t len;
    size_t size;
    uint64_t lines; /* ends of lines in text */
    uint64_t n_lost_bytes;
    unsigned quiet; /* lines since the last begin */
    bool is_kept;   /* lines are kept at the moment */
    bool is_open;   /* its last line goes on */
    struct line_map map;
    struct source_memory memory;
};

struct unwrap {
    struct lines *outer;
    struct shape shape;
    struct budget *budget;
    struct buf scratch;
    bool has_ended;
    bool in_line;       /* the rest of a long line is to come */
    unsigned n_foreign; /* lines in a row that did not fit */
    struct stencil stencil;
    struct begin_scanner scanner;

    /* The first stream, which is given as it comes. */
    char key[KEY_MOST];
    size_t key_len;
    char instance[KEY_MOST];
    size_t instance_len;
    bool is_process;
    uint64_t first_line; /* outer lines of it */
    uint64_t last_line;
    struct line_map map;
    uint64_t lines; /* ends of lines given */
    bool is_open;
    char *into; /* where a read wants its bytes, and how much room is left */
    size_t room;
    struct buf pending; /* what did not fit there */
    size_t n_given;     /* of pending */

    struct other *current; /* stream of the last line; NULL = the first */
    bool is_nowhere;       /* it was of a stream that is not kept */
    bool has_hole;         /* zeros stood in a line, which is yet to be told */
    struct other *others;
    struct other **last;
    struct other *next; /* to be given next */
    size_t n_others;
    struct other *by_key[BUCKETS];
    bool has_more; /* a dump of a stream beyond UNWRAP_STREAMS */
    bool first_given;
    uint64_t n_skipped;
    uint64_t first_skipped;
};

/* Gives a piece of the first stream to who reads it; what does not fit there
 * waits. */
void unwrap_give_first(struct unwrap *unwrap, const struct piece *piece);

/* Keeps a piece of another stream until that is read, as long as a dump goes on
 * in it; else its line is counted as skipped. */
void unwrap_give_other(struct unwrap *unwrap, const struct piece *piece);

/* Whether a piece is one of the first stream. */
bool unwrap_is_of_first(const struct unwrap *unwrap, const struct piece *piece);

/* Gives what did not fit before. */
void unwrap_drain(struct unwrap *unwrap);

/* Copies a text into KEY_MOST bytes, as much as there is room for; its
 * length there. */
size_t unwrap_keep_text(char *into, struct str text);

/* Frees the streams other than the first. */
void unwrap_free_others(struct unwrap *unwrap);

#endif
