/* debug1.h - writes a count profile, as runtime/pprof does for debug=1. */
#ifndef GEN_DEBUG1_H
#define GEN_DEBUG1_H

#include "out.h"
#include "tally.h"

/* Writes the whole profile of what has been counted. */
void debug1_write(struct out *out, const struct population *population,
                  const struct tally *tally);

#endif
