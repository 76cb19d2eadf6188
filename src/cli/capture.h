/* capture.h - the bytes of an input, kept while they are read.
 *
 * Whoever looks into an alert wants the dump that raised it, as it was
 * received. */
#ifndef CLI_CAPTURE_H
#define CLI_CAPTURE_H

#include "http/spool.h"
#include "input/source.h"

struct capture {
    struct source from; /* what is read */
    struct spool *into; /* what was read goes here; NULL = it is only counted */
    bool is_broken;     /* not all of it could be kept */
    uint64_t bytes;
};

/* A source that reads another one and captures it. Capture and source must
 * outlive it; closing it closes neither. */
struct source capture_source(struct capture *capture, struct source from);

#endif
