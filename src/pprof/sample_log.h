/* sample_log.h - the samples of a profile, until its names are known.
 *
 * Names stand at the end of a profile, so all samples have to be kept until
 * then. They are written to chunks as numbers of variable length: a sample of
 * 12 frames takes some 30 bytes. A chunk is freed as soon as its samples were
 * taken out, which makes room for what they become. */
#ifndef PPROF_SAMPLE_LOG_H
#define PPROF_SAMPLE_LOG_H

#include "base/budget.h"
#include "base/str.h"

/* A label of a sample: a text or a number. Texts are indexes into the string
 * table; those beyond 32 bits, which no table has, are 0. */
struct profile_label {
    uint32_t key;
    uint32_t text; /* 0 = the label is a number */
    uint32_t unit; /* of the number; 0 = not said */
    int64_t number;
};

struct profile_sample {
    const uint32_t *locations; /* slots, leaf first; SLOT_NONE = lost */
    size_t n_locations;
    const int64_t *values; /* one for each sample type, as far as written */
    size_t n_values;
    const struct profile_label *labels;
    size_t n_labels;
};

struct sample_chunk;

struct sample_log {
    struct budget *budget;
    size_t most; /* bytes that all chunks may take */
    size_t used;
    struct sample_chunk *first;
    struct sample_chunk *last;
    uint64_t count; /* samples in the log */

    /* Where one sample is read into; large enough for any in the log. */
    uint32_t *locations;
    int64_t *values;
    struct profile_label *labels;
    size_t size_locations;
    size_t size_values;
    size_t size_labels;
};

/* An empty log that takes at most `most` bytes of the budget. */
void sample_log_init(struct sample_log *log, struct budget *budget,
                     size_t most);
void sample_log_done(struct sample_log *log);

/* Writes a sample behind the others; false when there is no room. */
bool sample_log_add(struct sample_log *log,
                    const struct profile_sample *sample);

/* Calls visit with each sample in order, and empties the log on the way if
 * is_last. What visit is given lives until it returns. */
typedef void sample_visit_fn(void *user, const struct profile_sample *sample);
void sample_log_each(struct sample_log *log, bool is_last,
                     sample_visit_fn *visit, void *user);

#endif
