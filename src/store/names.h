/* names.h - texts and stacks, each stored once.
 *
 * In the file a text has a number, and so has a stack; 0 is the empty text, or
 * the stack without frames. A stack is a blob: how many frames were left out
 * (0; 1 = some; 2 and more = that many less one), and then for each frame,
 * leaf first, the numbers of its function and file, and its line. Equal stacks
 * have equal blobs. */
#ifndef STORE_NAMES_H
#define STORE_NAMES_H

#include "base/pool.h"
#include "store/blob.h"
#include "store/database.h"

enum { FRAMES_MOST = 1 << 20 }; /* of one stack */

/* Puts names into the file, within a transaction. The first failure stays: all
 * calls give 0 from then on, and rc says why. */
struct names_out {
    struct database *database;
    const struct symbols *symbols;
    int64_t *texts; /* the numbers of those of the symbols; 0 = not asked yet */
    struct buf scratch;
    int rc;
    struct cprof_error *err;
};

/* Prepares for the names of symbols; ends it. */
int names_out_init(struct names_out *out, struct database *database,
                   const struct symbols *symbols, struct cprof_error *err);
void names_out_done(struct names_out *out);

/* The number of a text, of a text of the symbols, of a stack, and of the stack
 * that a single frame makes. */
uint64_t names_put_text(struct names_out *out, struct str text);
uint64_t names_put_text_id(struct names_out *out, text_id id);
uint64_t names_put_stack(struct names_out *out, stack_id id);
uint64_t names_put_frame(struct names_out *out, frame_id id);

/* A stored stack, as the symbols have it: STACK_OTHER = no memory for it. */
struct stored_stack {
    int64_t number;
    stack_id whole;
    stack_id cut; /* stack_cut of it (model/cut.h) */
};

/* Gets names from the file into symbols, each once. The first failure stays:
 * rc says why, as the caller's *err does. */
struct names_in {
    struct database *database;
    struct symbols *symbols;
    struct pool texts; /* struct stored_text */
    struct table text_table;
    struct pool stacks; /* struct stored_stack */
    struct table stack_table;
    struct buf frames; /* frame_id, of the stack that is read */
    int rc;
    struct cprof_error *err;
};

/* Prepares for reading into symbols; ends it. */
void names_in_init(struct names_in *in, struct database *database,
                   struct symbols *symbols, struct cprof_error *err);
void names_in_done(struct names_in *in);

/* What has a number: a text, 0 also without memory for it; a text that lives as
 * long as the symbols; a state by its word; a stack, NULL after a failure; the
 * only frame of a stack, FRAME_NONE of one that has none. */
text_id names_get_text_id(struct names_in *in, uint64_t number);
struct str names_get_text(struct names_in *in, uint64_t number);
state_id names_get_state(struct names_in *in, uint64_t number);
const struct stored_stack *names_get_stack(struct names_in *in,
                                           uint64_t number);
frame_id names_get_frame(struct names_in *in, uint64_t number);

#endif
