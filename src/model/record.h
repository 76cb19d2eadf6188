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

/* Labels that many goroutines have. */
struct label_set {
    const struct label *labels;
    size_t n;
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

enum { NOTE_NEAR = 5 };

/* What a snapshot notes of a group where a reader can find it at once, for the
 * next record like the one before. All is 0 at first. */
struct group_note {
    uint32_t group; /* its index */
    /* What counting will look at: to be fetched while the reader is still busy,
     * for the text of the dump drives it out of the nearest caches. NULL where
     * there is nothing yet. */
    const void *near[NOTE_NEAR];
};

/* Hexadecimal digits behind "0x" in the text of a goroutine. */
struct arg_word {
    uint32_t begin; /* offset in the text */
    uint8_t length; /* 1 to 16 */
    uint8_t frame;
    uint8_t flags;  /* pointers.h */
    uint8_t before; /* in a map, the last before it that is of its frame, from
                       1; 0 = none is */
};

/* Where the arguments of a frame stand there. */
struct arg_place {
    uint32_t begin;
    uint32_t length;
};

/* What a reader knows of the arguments of a goroutine whose text is like one
 * that it took apart before: only the digits of words may be others, and may be
 * anything but parentheses and line ends. */
struct arg_map {
    struct arg_place *places; /* one a frame */
    struct arg_word *words;   /* in the order of pointers_rank */
    size_t n_words;
    size_t n_ranked; /* of these, that may be kept; the others only have to be
                        there */
};

struct record {
    uint64_t count;         /* goroutines it stands for */
    const frame_id *frames; /* leaf first */
    size_t n_frames;
    uint32_t elided; /* as in struct stack */
    stack_id stack;  /* all of this in the symbols, when the reader knows it;
                        else STACK_EMPTY */
    struct group_note *note; /* of records like this one; NULL = nowhere */

    state_id state;
    enum state_source state_source;
    struct hidden hidden; /* count -1 and n_pc 0 in other formats */

    bool has_id;
    bool has_wait;
    bool leaked;       /* "(leaked)": proven by the runtime's collector */
    bool locked;       /* locked to its thread */
    bool lost;         /* its frames did not fit the memory budget */
    bool is_base;      /* what others are compared with: `pprof -diff_base` */
    bool is_plain;     /* one goroutine with an id and a note, and of all that
                          may be said of it only a wait, a creator, arguments
                          and the labels of a set */
    uint64_t id;       /* goroutine id */
    uint32_t wait_min; /* whole minutes of waiting, as printed */

    frame_id created_by; /* the go statement; FRAME_NONE = not said */

    const struct label *labels;
    size_t n_labels;
    const struct label_set *set; /* the same labels, which then live until
                                    snapshot_settle; or NULL */

    /* debug=2: the text between a frame's parentheses, one for each frame, or
     * NULL; then a map, or NULL, says where in args_text they are. An entry may
     * be empty. All lie in memory that can be read up to args_end, unless that
     * is NULL, and of a map 16 bytes further than its last word. */
    const struct str *args;
    const struct arg_map *arg_map;
    const char *args_text;
    const char *args_end;

    /* One for each sample type of the snapshot, or NULL. */
    const int64_t *values;

    uint64_t line; /* of the input where the entry begins */
};

/* Whether a record has arguments. */
static inline bool record_has_args(const struct record *record)
{
    return record->args || record->arg_map;
}

/* The arguments of a frame of a record that has some. */
static inline struct str record_args(const struct record *record, size_t frame)
{
    const struct arg_place *place;

    if (record->args)
        return record->args[frame];
    place = &record->arg_map->places[frame];
    return (struct str){record->args_text + place->begin, place->length};
}

#endif
