/* protobuf.h - pprof profiles as protobuf, which /debug/pprof gives without
 * ?debug=1: of goroutines and of everything else, by any producer.
 *
 * runtime/pprof/proto.go writes them; gzip was taken off before. */
#ifndef FORMAT_PROTOBUF_H
#define FORMAT_PROTOBUF_H

#include "format/format.h"
#include "pprof/profile.h"

extern const struct format protobuf_format;

/* Counts the samples of a profile that is whole into a snapshot, with its kind,
 * time and types, and empties its list of samples on the way. What is odd
 * about them becomes diagnostics. False when there is no memory to begin. */
bool profile_to_snapshot(struct profile *profile, struct section *section,
                         struct snapshot *snapshot);

#endif
