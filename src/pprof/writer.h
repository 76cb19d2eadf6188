/* writer.h - writes a profile, message by message.
 *
 * The outer message is put together on the wire, as it is read (wire.h), and
 * the inner ones are packed by protobuf-c. What is finished is appended to the
 * caller's buffer, who may empty it after any call; only the string table and
 * the functions stay in memory until the end. Like Go (runtime/pprof/proto.go:
 * profileBuilder) it writes a location before the first sample that needs it,
 * and the string table last. */
#ifndef PPROF_WRITER_H
#define PPROF_WRITER_H

#include "base/buf.h"
#include "base/intern.h"
#include "pprof/profile.h"

/* The outer message's fields that are numbers: profile_writer_number. */
enum {
    PROFILE_DROP_FRAMES = 7,
    PROFILE_KEEP_FRAMES = 8,
    PROFILE_TIME_NANOS = 9,
    PROFILE_DURATION_NANOS = 10,
    PROFILE_PERIOD = 12,
    PROFILE_COMMENT = 13,
    PROFILE_DEFAULT_TYPE = 14,
};

struct profile_writer {
    struct buf *out;
    struct intern texts;   /* the string table, but for its first, empty one */
    struct pool functions; /* struct profile_function, at id - 1 */
    struct table table;    /* of their ids */
    uint64_t *locations;   /* of the sample at hand, as protobuf-c wants them */
    size_t size_locations;
    struct budget *budget;
    bool failed; /* memory ran out: what was written is not whole */
};

/* Begins a profile that is appended to out, which the caller owns. */
void profile_writer_init(struct profile_writer *writer, struct buf *out,
                         struct budget *budget);

/* Frees what the writer holds; what it wrote stays. */
void profile_writer_done(struct profile_writer *writer);

/* The index of a text in the string table, which puts it there. */
profile_text_id profile_writer_text(struct profile_writer *writer,
                                    struct str text);

/* Writes a sample type; each sample then carries one value more. */
void profile_writer_sample_type(struct profile_writer *writer, struct str name,
                                struct str unit);

/* Writes what the period counts. */
void profile_writer_period_type(struct profile_writer *writer, struct str name,
                                struct str unit);

/* Writes a number of the outer message, unless it is 0, which is what a
 * missing one means. */
void profile_writer_number(struct profile_writer *writer, uint32_t field,
                           uint64_t value);

/* Writes the mapping that all locations are in. It says that they have their
 * functions, files and lines, so that nobody looks for a binary. */
void profile_writer_mapping(struct profile_writer *writer);

/* Writes a location, which is one call: a function, its file, and the line
 * there. The id is the caller's and not 0. */
void profile_writer_location(struct profile_writer *writer, uint64_t id,
                             uint64_t address, struct str function,
                             struct str file, uint32_t line);

/* Writes a sample. Its locations are slots: ids less 1. */
void profile_writer_sample(struct profile_writer *writer,
                           const struct profile_sample *sample);

/* Writes the string table, the end of the profile. False when memory ran out
 * anywhere: the profile is then not whole. */
bool profile_writer_end(struct profile_writer *writer);

#endif
