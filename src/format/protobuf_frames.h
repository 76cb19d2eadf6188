/* protobuf_frames.h - the frames of a profile's locations, made once each.
 *
 * A location of pprof is an address with one line for each call that was
 * inlined there, the innermost first (profile.proto: Location.line). Samples
 * name the same ones again and again, and so do functions their names. */
#ifndef FORMAT_PROTOBUF_FRAMES_H
#define FORMAT_PROTOBUF_FRAMES_H

#include "base/buf.h"
#include "base/pool.h"
#include "model/symbols.h"

struct profile;

/* The frames of a location: a run of those in profile_frames. */
struct located {
    uint32_t first;
    uint32_t n_frames;
    bool is_done;
    bool is_lost; /* no memory for some of its frames */
    bool has_gap; /* a line of it names a function of which nothing is said */
};

struct profile_frames {
    const struct profile *profile;
    struct symbols *symbols;
    struct pool located; /* struct located, at the slot */
    struct pool frames;  /* frame_id */
    struct pool named;   /* struct named, at the index of the text */
    struct buf scratch;
};

/* Begins with none. The profile, the symbols and the budget are borrowed. */
void profile_frames_init(struct profile_frames *made,
                         const struct profile *profile, struct symbols *symbols,
                         struct budget *budget);

/* Frees what was made; the names stay with the symbols. */
void profile_frames_done(struct profile_frames *made);

/* The frames of the location under a slot, valid until the next call; NULL when
 * there is no memory to keep them. */
const struct located *profile_frames_find(struct profile_frames *made,
                                          uint32_t slot);

/* One of them, from located.first on. */
frame_id profile_frame(const struct profile_frames *made, uint32_t index);

#endif
