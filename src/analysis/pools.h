/* pools.h - libraries that hand out connections or places. */
#ifndef ANALYSIS_POOLS_H
#define ANALYSIS_POOLS_H

#include "base/str.h"

enum { POOL_FUNCTIONS = 7, POOL_KINDS = 8 };

struct pool_kind {
    struct str name;                  /* of one place */
    struct str waits;                 /* a function that waits for one */
    struct str holds[POOL_FUNCTIONS]; /* functions that run with one */
    struct str gives[POOL_FUNCTIONS]; /* functions that return with one, for
                                         the caller to give back later */
};

/* By number, which is their index. */
extern const struct pool_kind pool_kinds[POOL_KINDS];

#endif
