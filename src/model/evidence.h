/* evidence.h - what a group remembers of its goroutines, in bounded memory.
 *
 * All of it can be merged and does not depend on the order of the input: what
 * is kept of many is chosen by hash or by value. A group of one goroutine
 * has no evidence object; struct group itself holds the extremes. */
#ifndef MODEL_EVIDENCE_H
#define MODEL_EVIDENCE_H

#include "base/arena.h"
#include "model/record.h"

enum {
    EVIDENCE_IDS = 256,      /* goroutine ids kept a group */
    EVIDENCE_IDS_ROOM = 384, /* of these and others, until the next choice */
    EVIDENCE_HINTS = 128,    /* waits whose bar is found without a search */
    EVIDENCE_VALUES = 16,    /* values kept a label key, then "other" */
    EVIDENCE_KEYS = 16,      /* label keys kept a group */
    EVIDENCE_CREATORS = 16,  /* creators kept a group */
    EVIDENCE_LOCKS = 65536,  /* lock addresses kept a snapshot */
    EVIDENCE_ASIDE = 10,     /* goroutines put aside a group */
    EVIDENCE_SETS = 8,       /* different labels put aside a group */
};

/* Ids of up to EVIDENCE_IDS goroutines: those with the smallest hash. Others
 * are with them until id_sample_settle: to choose now and then costs less than
 * to choose at each id. */
struct id_sample {
    uint64_t *ids; /* in no order; id_sample_sort puts them in one */
    uint32_t count;
    uint32_t size;
    uint64_t below; /* no hash from here on is wanted; 0 = any is */
};

/* How many goroutines waited how many minutes. Exact to 63 minutes, then in
 * steps of a 32nd of a power of two; sparse, in order of minutes. */
struct wait_bar {
    uint32_t minutes; /* the lower edge of the bar */
    uint32_t count;
};

struct wait_histogram {
    struct wait_bar *bars;
    uint32_t count;
    uint32_t size;
    uint16_t *hints; /* where the bar of an edge stood last; NULL while there
                        are few */
};

/* A counted thing: a label value or a creator. */
struct counted {
    uint32_t id; /* text_id (0 = the empty text) or frame_id */
    uint64_t count;
};

/* The first n distinct ids in order of the input, with their counts; what
 * comes later is counted in others. */
struct counted_set {
    struct counted *items;
    uint32_t count;
    uint32_t size;
    uint64_t others;
};

struct label_counts {
    text_id key;
    struct counted_set values; /* of text_id */
    struct label_counts *next; /* in order of first arrival */
};

/* Goroutines of which ids and waits are still to be looked at, and labels that
 * are still to be counted. */
struct aside {
    uint32_t n;
    uint32_t n_sets;
    uint32_t waits[EVIDENCE_ASIDE]; /* minutes, or WAIT_NONE */
    uint64_t ids[EVIDENCE_ASIDE];
    struct {
        const struct label_set *set;
        uint64_t count;
    } sets[EVIDENCE_SETS]; /* in order of first arrival */
};

#define WAIT_NONE UINT32_MAX

struct evidence {
    struct aside *aside;    /* NULL while the group is small */
    uint64_t pointers_from; /* the hash of an id from which on no arguments of
                               its goroutine are kept; 0 = not known yet */
    struct counted_set creators; /* of frame_id */
    struct id_sample ids;
    struct wait_histogram waits;
    struct label_counts *labels;
    uint64_t other_labels; /* goroutines with keys beyond EVIDENCE_KEYS */
};

/* Adds an id that is not in the sample yet (the ids of one dump differ); keeps
 * it if its hash is small enough. */
void id_sample_add(struct id_sample *sample, struct arena *arena, uint64_t id);

/* The same for several ids. */
void id_sample_add_all(struct id_sample *sample, struct arena *arena,
                       const uint64_t *ids, uint32_t n);

/* Whether an id with that hash would be kept. */
static inline bool id_sample_wants(const struct id_sample *sample,
                                   uint64_t hash)
{
    return !sample->below || hash < sample->below;
}

/* Gives up what is not to be kept; more may be added after that. What reads a
 * sample expects it: snapshot_seal does it for those of a snapshot. */
void id_sample_settle(struct id_sample *sample);

/* The same, and sorts the kept ids, the smallest first. */
void id_sample_sort(struct id_sample *sample);

/* Whether id is in the sample. */
bool id_sample_has(const struct id_sample *sample, uint64_t id);

/* The hash that chooses ids, the same on every machine: the finaliser of
 * SplitMix64, one to one, so that ids never tie. */
static inline uint64_t id_sample_hash(uint64_t id)
{
    id = (id ^ id >> 30) * 0xbf58476d1ce4e5b9u;
    id = (id ^ id >> 27) * 0x94d049bb133111ebu;
    return id ^ id >> 31;
}

/* Minutes from one collection of garbage to the next, at most, unless GOGC=off
 * (runtime/proc.go: forcegcperiod). */
enum { COLLECTED_WITHIN = 2 };

/* Whole minutes that a goroutine has waited at least, of which Go has printed
 * so many. The runtime notes that it waits when it collects garbage, and takes
 * the time at which the collection before that ended (runtime/mgcmark.go:
 * markroot and runtime/mgc.go: gcMark, work.tstart). So a wait of a moment may
 * be printed as four minutes. */
static inline uint32_t wait_at_least(uint32_t minutes)
{
    return minutes > COLLECTED_WITHIN ? minutes - COLLECTED_WITHIN : 0;
}

/* Adds count goroutines that waited so many minutes. */
void wait_histogram_add(struct wait_histogram *histogram, struct arena *arena,
                        uint32_t minutes, uint32_t count);

/* The median of the minutes: the lower edge of the bar that holds it; 0 of an
 * empty histogram. */
uint32_t wait_histogram_median(const struct wait_histogram *histogram);

/* Adds count to the item with that id, keeping at most `most` items. */
void counted_set_add(struct counted_set *set, struct arena *arena, uint32_t id,
                     uint64_t count, uint32_t most);

/* The frame of most goroutines in a set of creators, of equals the first by its
 * texts; FRAME_NONE when the set is empty. */
frame_id creators_most_common(const struct counted_set *creators,
                              const struct symbols *symbols);

/* Adds count goroutines with a label. Keys and values are put into symbols
 * only while there is room for them here, so that labels which differ for
 * every goroutine do not grow it. */
void evidence_label_add(struct evidence *evidence, struct arena *arena,
                        struct symbols *symbols, const struct label *label,
                        uint64_t count);

/* Adds all of from to into. */
void evidence_merge(struct evidence *into, const struct evidence *from,
                    struct arena *arena);

#endif
