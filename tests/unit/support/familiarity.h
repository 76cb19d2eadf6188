/* familiarity.h - familiars that know one goroutine. */
#ifndef SUPPORT_FAMILIARITY_H
#define SUPPORT_FAMILIARITY_H

#include "format/familiar.h"

struct familiarity {
    struct budget budget;
    struct symbols *symbols;
    struct predictor predictor;
    struct familiars familiars;
};

/* The text that is familiar, of three frames and a creator, and what may follow
 * a goroutine in memory, so that none of it stands at the end. */
extern const struct str familiarity_learned;
extern const struct str familiarity_behind;

/* For cmocka: *state becomes a struct familiarity, whose stack is 1. */
int familiarity_set_up(void **state);
int familiarity_tear_down(void **state);

/* A frame of no function, at that line. */
frame_id familiarity_frame(struct familiarity *familiarity, uint32_t line);

#endif
