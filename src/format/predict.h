/* predict.h - what a stack text will say next.
 *
 * A dump repeats a few stacks many times. For every frame that was seen, the
 * predictor keeps its text as printed and which frames followed it, so that
 * the next frame is recognised by comparing bytes; only a surprise is parsed.
 * It is a bounded cache whose loss changes nothing but the time. */
#ifndef FORMAT_PREDICT_H
#define FORMAT_PREDICT_H

#include "model/symbols.h"

enum { PREDICT_WAYS = 2, PREDICT_MOST = 1 << 16 };

/* A frame, or a creator, as a dump prints it. */
struct known_frame {
    struct str name;  /* "main.f", or "created by main.f" */
    struct str place; /* "\t/src/main.go:21", as indented */
    frame_id frame;
    uint32_t next[PREDICT_WAYS]; /* what followed, the latest first; 0 = none */
};

struct predictor {
    struct symbols *symbols;
    struct arena arena;
    struct pool known; /* struct known_frame, at id - 1 */
    struct table table;
    uint64_t n_flushes; /* ids from before a flush are void */
};

/* An empty predictor over symbols. */
void predict_init(struct predictor *predictor, struct symbols *symbols);
void predict_done(struct predictor *predictor);

/* The frame with an id that predict_learn gave since the last flush. */
static inline struct known_frame *predict_frame(
    const struct predictor *predictor, uint32_t id)
{
    return pool_at(&predictor->known, id - 1);
}

/* Remembers a frame by its texts; name is its function's name as printed,
 * without arguments, file and line are its place's parts. Returns its id, and
 * its frame in *ret_frame (FRAME_NONE: the memory budget is reached; then the
 * id is 0). The id is 0 when it could not be remembered, which is no error. */
uint32_t predict_learn(struct predictor *predictor, struct str text,
                       struct str place_text, struct frame frame,
                       frame_id *ret_frame);

/* The id of a frame with these texts, or 0. */
uint32_t predict_find(const struct predictor *predictor, struct str text,
                      struct str place_text);

/* Notes that after was seen to follow a frame, whose ways are given. */
void predict_follow(uint32_t ways[static PREDICT_WAYS], uint32_t after);

#endif
