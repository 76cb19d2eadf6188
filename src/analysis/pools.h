/* pools.h - libraries that hand out connections or places. */
#ifndef ANALYSIS_POOLS_H
#define ANALYSIS_POOLS_H

#include "model/symbols.h"

/* As what a connection of database/sql is taken, so that a goroutine stands
 * beside it while it is kept. */
enum connection_part { PART_NONE, PART_TX, PART_ROWS, CONNECTION_PARTS };

enum { POOL_FUNCTIONS = 13, POOL_KINDS = 8 };

struct pool_kind {
    struct str name;                  /* of one place */
    struct str waits;                 /* a function that waits for one */
    struct str holds[POOL_FUNCTIONS]; /* functions that run with one */
    struct str gives[POOL_FUNCTIONS]; /* functions that return with one, for
                                         the caller to give back later */
};

/* By number, which is their index. */
extern const struct pool_kind pool_kinds[POOL_KINDS];

/* Whether of those that hold, a function makes a connection that is not there
 * yet. */
bool pool_is_opening(struct str function);

/* Whether who waits in a function of pool_kinds (waits) makes the connection
 * itself when the pool has room for one: it calls the driver from there. */
bool pool_opens_inside(uint32_t kind);

/* What a function of pool_kinds (holds, gives) has a connection for. */
enum connection_part connection_part_of(struct str function);

/* Whether a function runs what was given to an errgroup: with a place of it,
 * when it has a limit. */
bool pool_is_member(struct str function);

/* How far a stack is that makes a connection, by its innermost step: "in a name
 * lookup", "in a TLS handshake"; empty when it is at none of these. */
struct str pool_step(const struct symbols *symbols, struct stack stack);

#endif
