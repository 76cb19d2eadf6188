/* record.h - one entry of a dump, as a reader hands it on.
 *
 * An entry of debug=2 is one goroutine, of debug=1 a count of goroutines with
 * one stack. Everything a record points to is borrowed and lives until the
 * reader goes on. */
#ifndef MODEL_RECORD_H
#define MODEL_RECORD_H

#include "model/symbols.h"

/* A label as runtime/pprof sets it, unquoted. */
struct label {
    struct str key;
    struct str value;
};

enum { HIDDEN_MOST = 4 };

/* What debug=1 keeps of the runtime frames that it does not print: the first
 * addresses of a record's "@" list (runtime/pprof/pprof.go: printStackRecord
 * skips leading runtime frames, printCountProfile prints all addresses). */
struct hidden {
    int count;                /* hidden leading addresses; -1 = cannot tell */
    unsigned n_pc;            /* how many of pc are set */
    uint64_t pc[HIDDEN_MOST]; /* the first addresses, hidden or not */
};

struct record {
    uint64_t count;         /* goroutines it stands for */
    const frame_id *frames; /* leaf first */
    size_t n_frames;
    uint32_t elided; /* as in struct stack */
    stack_id stack;  /* all of this in the symbols, when the reader knows it;
                        else STACK_EMPTY */
    uint32_t *group; /* where the snapshot notes the group of the record, for
                        the next one like it; NULL = nowhere. A reader that
                        keeps it begins with 0 */

    state_id state;
    enum state_source state_source;
    struct hidden hidden; /* count -1 and n_pc 0 in other formats */

    bool has_id;
    bool has_wait;
    bool leaked;       /* "(leaked)": proven by the runtime's collector */
    bool locked;       /* locked to its thread */
    bool lost;         /* its frames did not fit the memory budget */
    bool is_base;      /* what others are compared with: `pprof -diff_base` */
    uint64_t id;       /* goroutine id */
    uint32_t wait_min; /* whole minutes of waiting, a lower bound */

    frame_id created_by; /* the go statement; FRAME_NONE = not said */

    const struct label *labels;
    size_t n_labels;

    /* debug=2: the text between a frame's parentheses, one for each frame, or
     * NULL. An entry may be empty. All lie in memory that can be read up to
     * args_end, unless that is NULL. */
    const struct str *args;
    const char *args_end;

    /* One for each sample type of the snapshot, or NULL. */
    const int64_t *values;

    uint64_t line; /* of the input where the entry begins */
};

#endif
