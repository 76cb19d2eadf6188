/* takers.h - functions that take a place of a pool and go on with it.
 *
 * Who waits in database/sql.(*DB).Begin stands at a line of a function; whoever
 * stands behind that line of the same function has perhaps got its transaction,
 * and whether it gave it back is not seen. */
#ifndef ANALYSIS_TAKERS_H
#define ANALYSIS_TAKERS_H

#include "analysis/function_index.h"
#include "analysis/pools.h"

struct taking; /* one such function */

struct takers {
    struct symbols *symbols;
    struct function_index gives; /* pool_kinds by who returns with a place */
    struct function_index takes; /* items by their function */
    struct taking *items;
};

/* What a stack has perhaps taken. */
struct taken {
    uint32_t kind;             /* of pool_kinds */
    enum connection_part part; /* as what */
    frame_id frame; /* behind the line where others wait for theirs */
};

/* Prepares for at most `most` groups that wait. False without memory. */
bool takers_init(struct takers *takers, struct symbols *symbols,
                 struct arena *arena, size_t most);

/* Notes the function that goes on with the place which a stack waits for, of a
 * pool of that kind; then takers_seal ends adding. */
void takers_add(struct takers *takers, struct stack stack, uint32_t kind);
void takers_seal(struct takers *takers);

/* Moves the line of a function that was noted up to the first where somebody
 * waits. For all stacks, after takers_seal. */
void takers_note(const struct takers *takers, struct stack stack,
                 uint32_t kind);

/* What the frames of a stack from index `first` on are behind, the outermost,
 * of a pool of that kind, or of any (FUNCTION_NONE); false when that is
 * nothing. */
bool takers_find(const struct takers *takers, struct stack stack,
                 uint32_t first, uint32_t kind, struct taken *ret);

#endif
