/* stack_state.h - what the parts of the stack reader share.
 *
 * stack_quick.c compares the bytes at the cursor with what was seen before, and
 * stack_header.c those of a header; stack_reader.c reads line by line what
 * these do not know. Nobody else includes this. */
#ifndef FORMAT_STACK_STATE_H
#define FORMAT_STACK_STATE_H

#include "format/familiar.h"
#include "format/go_text.h"
#include "format/header_tails.h"
#include "format/stack_reader.h"

enum {
    FRAMES_MOST = 1024, /* kept a stack; the rest is counted as elided */
    LABELS_MOST = 64,   /* read a goroutine */
    MEMOS = 16,         /* states remembered with what follows them */
    MEMO_MOST = 48,     /* bytes of a state that is taken without parsing */
};

/* A state seen lately, and the leaf frames that followed its headers. */
struct state_memo {
    struct str word; /* in the predictor's arena or state.c */
    state_id state;
    uint64_t first; /* its first bytes as a number, those of mask */
    uint64_t mask;
    bool is_plain; /* says no more than a state, and is short */
    uint32_t next[PREDICT_WAYS];
};

/* What the places of a goroutine tell of whether it has begun. The runtime
 * prints how far behind its function's entry a frame stands, but for one that
 * stands there (runtime/traceback.go: traceback2), and for inlined ones, whose
 * arguments are "...". Who stands there and has no other frame has not run. */
enum entry {
    ENTRY_OPEN,  /* only inlined frames came so far */
    ENTRY_BARE,  /* the first that is not inlined has no offset, nor has any
                    other line: what prints the dump may leave them out */
    ENTRY_FRESH, /* another line has one */
    ENTRY_BEGUN,
};

enum pending { PENDING_NONE, PENDING_CALL, PENDING_CREATOR };

struct stack_reader {
    struct section *section;
    struct lines *lines;
    struct symbols *symbols;
    struct predictor predictor;
    struct state_memo memos[MEMOS];
    unsigned next_memo;
    uint8_t hints[64]; /* which memo the first bytes of a state stand for */
    struct header_tails *tails; /* NULL without memory */
    struct familiars familiars;

    /* The goroutine that is being read. */
    struct record record;
    uint32_t *ways;    /* predictions for the next frame */
    uint64_t moves;    /* lines->n_moves when it began */
    struct str text;   /* its lines behind the header, without moves */
    size_t n_familiar; /* pieces of it that were familiar */
    bool is_familiar;  /* all of it was */
    const struct arg_map *arg_map; /* of its arguments; NULL = in args */
    bool is_plain; /* so was its header, without labels or marks */
    enum entry entry;
    enum pending pending;
    struct buf call; /* "main.f" or "created by main.f" */
    struct str call_args;
    bool is_inlined;       /* the pending call, which has no arguments then */
    bool prints_creators;  /* some goroutine before said who created it */
    uint64_t lost_creator; /* line of a goroutine whose own did not fit */
    bool in_ancestors;
    bool is_unavailable; /* "stack unavailable" instead of frames */
    bool ends_cut;       /* its last line lacks an end and says too little */
    bool ends_in_header; /* so does the dump, behind its last goroutine */
    bool is_damaged;     /* frames were lost among its lines */
    bool has_damaged; /* so it was in this dump, of this goroutine or another */
    unsigned n_foreign;  /* lines of others in a row */
    uint64_t foreign_at; /* offset of the first of them, and its end */
    uint64_t foreign_end;

    struct buf scratch;
    struct label labels[LABELS_MOST];
    frame_id frames[FRAMES_MOST];
    struct str args[FRAMES_MOST];
};

/* A header that was read, and where the lines behind it begin. */
struct quick_header {
    struct go_header parts;
    struct state_memo *memo;
    struct str tail; /* from behind its state and wait to its line end, where
                        that had to be parsed; else empty */
    const struct label_set *set; /* its labels; NULL = in its parts */
    const char *text;
    bool is_plain; /* it says no more than an id, a state, a wait and a set */
};

/* The memo of a state, made when it is new; another one is then forgotten. */
struct state_memo *stack_find_memo(struct stack_reader *reader,
                                   struct str word);

/* Reads the header at the cursor when its line is in memory; false when it is
 * not, or there is none. The cursor stays. */
bool stack_read_header(struct stack_reader *reader,
                       struct quick_header *header);

/* What stack_take_familiar did. */
enum taken {
    TAKEN_NOTHING, /* the cursor stands where it stood */
    TAKEN_PART,    /* the goroutine has begun and may go on */
    TAKEN_WHOLE,   /* it is all there */
};

/* Takes the header at the cursor and the lines behind it, as far as both are
 * familiar and in memory. */
enum taken stack_take_familiar(struct stack_reader *reader);

/* The same for the lines of a goroutine that has begun, behind its header. */
enum taken stack_take_familiar_frames(struct stack_reader *reader);

/* Begins a goroutine, whose record has no frames yet. */
void stack_begin(struct stack_reader *reader, const struct go_header *header);

/* Takes the frame, two lines at the cursor, if it is one of those that followed
 * before. */
bool stack_take_predicted(struct stack_reader *reader);

/* Adds a frame with the text between its parentheses. Those beyond FRAMES_MOST
 * are counted as elided. */
void stack_add_frame(struct stack_reader *reader, frame_id frame,
                     struct str args);

/* Sees the place of a frame or creator with what stands behind its line
 * number. */
void stack_see_place(struct stack_reader *reader, bool is_inlined,
                     struct str rest);

/* Counts a frame that is not kept, and says so once for a stack. */
void stack_skip_frame(struct stack_reader *reader);

/* Whether the stack has as many frames as are kept. */
bool stack_is_full(const struct stack_reader *reader);

/* Counts frames that the dump left out. */
void stack_add_elided(struct stack_reader *reader, uint32_t n);

/* Says who created the goroutine. */
void stack_set_creator(struct stack_reader *reader, frame_id creator);

/* Predictions from before a flush of the predictor are void. */
void stack_forget(struct stack_reader *reader);

/* Puts the stack of a goroutine that was read into the symbols. When it came
 * before, its text becomes familiar. */
void stack_learn(struct stack_reader *reader);

#endif
