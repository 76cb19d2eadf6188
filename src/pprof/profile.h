/* profile.h - a pprof profile (profile.proto) as compact arrays.
 *
 * A profile is a list of samples. A sample has a stack, as ids of locations
 * with the leaf first, and one value for each sample type. A location is an
 * address with the calls that stand there: one line, or several when calls
 * were inlined, innermost first. A line names a function. All texts are
 * indexes into a string table, which Go writes last (runtime/pprof/proto.go:
 * profileBuilder.build), as it writes locations before the samples that need
 * them and others do the reverse; so nothing is looked up before the profile
 * is whole.
 *
 * A profile is filled field by field from its outer message (wire.h) and never
 * fails: a message that is damaged or does not fit the memory budget is
 * counted, and the rest is taken. It owns all it refers to. */
#ifndef PPROF_PROFILE_H
#define PPROF_PROFILE_H

#include "base/pool.h"
#include "pprof/sample_log.h"
#include "pprof/slots.h"
#include "pprof/unpack.h"
#include "pprof/wire.h"

enum {
    PROFILE_TYPES_MOST = 32, /* sample types that are read */
    PROFILE_COMMENTS_MOST = 16,
};

/* Index of a text in the string table; 0 is the empty text. */
typedef uint32_t profile_text_id;

struct profile_type {
    profile_text_id name; /* "inuse_space" */
    profile_text_id unit; /* "bytes" */
};

struct profile_function {
    profile_text_id name; /* or its system name where it has no other */
    profile_text_id file;
    bool is_defined; /* false while it was only mentioned */
};

struct profile_line {
    uint32_t function; /* slot; SLOT_NONE = lost */
    uint32_t line;     /* 0 = not said */
};

struct profile_location {
    uint64_t address; /* Go: the return address less 1 */
    uint32_t first;   /* of its lines, in profile.lines */
    uint32_t n_lines;
    bool is_defined; /* false while it was only mentioned */
};

struct profile_mapping {
    uint64_t id;
    profile_text_id file;
    profile_text_id build_id; /* Go 1.24 and later, ELF */
};

struct profile {
    struct budget *budget;
    size_t share; /* of it, which is kept for what comes later */
    struct unpack unpack;
    struct arena text_arena;
    struct pool texts;            /* struct str */
    profile_text_id largest_text; /* the largest index that is referred to */
    struct profile_type types[PROFILE_TYPES_MOST];
    size_t n_types;
    struct profile_type period_type;
    int64_t period;
    int64_t time_ns;              /* Unix time of its begin; 0 = not said */
    int64_t duration_ns;          /* 0 = not said */
    profile_text_id default_type; /* name of the sample type to show first */
    profile_text_id drop_frames;  /* regular expressions for pprof's reports */
    profile_text_id keep_frames;
    profile_text_id comments[PROFILE_COMMENTS_MOST];
    size_t n_comments;

    struct slots function_slots;
    struct pool functions; /* struct profile_function, at the slot */
    struct slots location_slots;
    struct pool locations; /* struct profile_location, at the slot */
    struct pool lines;     /* struct profile_line */
    struct pool mappings;  /* struct profile_mapping */
    struct sample_log samples;

    uint64_t n_bad;        /* inner messages that are damaged */
    uint64_t bad_at;       /* offset of the first of them */
    uint64_t n_lost;       /* messages and texts that did not fit the memory */
    uint64_t n_lost_texts; /* of these, texts at the end of the table */
    uint64_t n_lost_samples;
    int64_t lost[PROFILE_TYPES_MOST]; /* values of the lost samples, added up
                                         as far as they fit 64 bits */
    uint64_t seen;                    /* bit n: field n was there */
    uint32_t last_number;             /* of the last field */
};

/* An empty profile. Its samples take at most half of what the budget has, and
 * it leaves an eighth alone, lest nothing be left for what they become. The
 * budget must be used by nobody else while a field is added. */
void profile_init(struct profile *profile, struct budget *budget);
void profile_done(struct profile *profile);

/* Which fields' bytes profile_add wants (wire.h: wanted). */
uint64_t profile_wanted(void);

/* Whether a field begins another profile behind this one, as when two were
 * written to one file: what a profile says once is said again. */
bool profile_ends_before(const struct profile *profile,
                         const struct wire_field *field);

/* Takes the next field of the outer message. */
void profile_add(struct profile *profile, const struct wire_field *field);

/* A text of the string table; empty when it is not there. */
struct str profile_text(const struct profile *profile, profile_text_id id);

/* What is known under a slot; a location that was never explained is not
 * defined, and such a function has no name. */
struct profile_location profile_location(const struct profile *profile,
                                         uint32_t slot);
struct profile_function profile_function(const struct profile *profile,
                                         uint32_t slot);
struct profile_line profile_line(const struct profile *profile, size_t index);

/* How many bytes profile_head_looks_like wants. */
enum { PROFILE_HEAD = 9 };

/* Whether bytes may be the first of a profile, judged by a few of them: with a
 * type, as Go and pprof begin most profiles (runtime/pprof/proto.go:
 * newProfileBuilder; google/pprof/profile/encode.go), or with the time, as Go
 * begins CPU profiles. Cheap, and hardly ever true for text. */
bool profile_head_looks_like(struct str bytes);

/* Whether bytes, the first of an input, begin like a profile: its fields up to
 * their end, or to the fourth message, are those of a profile and well-formed
 * inside, and at least one message begins as no text does. */
bool profile_looks_like(struct str bytes);

#endif
