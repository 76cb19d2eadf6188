/* familiar.h - goroutines whose whole text is familiar.
 *
 * A dump prints a few stacks many times, and between two goroutines with one
 * stack only arguments and the id of the creator differ. A familiar is the text
 * of such a goroutine behind its header: pieces, one a frame, of which all
 * bytes are known but those between the parentheses. The cache finds the
 * familiar that the text at the cursor looks like and compares it block by
 * block; nothing is parsed, hashed or copied. Where two stacks begin alike and
 * then part, the comparison goes on in the other one.
 *
 * What is matched here is what the readers of lines would find, frame by frame.
 * The cache is bounded; losing it changes nothing but the time. */
#ifndef FORMAT_FAMILIAR_H
#define FORMAT_FAMILIAR_H

#include "base/hash.h"
#include "format/predict.h"

enum {
    FAMILIAR_BLOCK = 32,   /* bytes that may be compared at once */
    FAMILIAR_FRAMES = 256, /* longer stacks do not become familiar */
    FAMILIAR_SLOTS = 1 << 13,
    FAMILIAR_PROBES = 4,      /* slots that a hash may be in */
    FAMILIAR_KEY = 16,        /* bytes of a place that tell it from others */
    FAMILIAR_BYTES = 1 << 22, /* of text at a time */
};

enum familiar_kind {
    FAMILIAR_FIXED, /* all bytes are in the head */
    FAMILIAR_ARGS,  /* between head and tail, arguments up to ")\n" */
    FAMILIAR_ID,    /* between them, digits up to "\n" */
};

/* Two lines: a call or a creator, and its place. */
struct familiar_piece {
    const char *head; /* "main.f(", or "created by f in goroutine " */
    const char *tail; /* "\t/src/main.go:21 +0x3b\n"; both are padded to whole
                         blocks */
    uint16_t n_head;  /* bytes, without the padding */
    uint16_t n_tail;
    uint32_t kind; /* enum familiar_kind */
    frame_id frame;
    uint32_t known; /* its id in the predictor, or 0 */
};

struct familiar {
    stack_id stack;
    uint32_t n_pieces;
    uint32_t n_frames; /* pieces without that of the creator, the last */
    uint32_t group;    /* of the snapshot, noted by record.group */
    struct familiar_piece **pieces;
    frame_id *frames;   /* of every piece */
    uint32_t *prefixes; /* n_pieces + 1 hashes: of no frame, of one, ... */
};

/* A comparison: what it is given, and how far it came. */
struct familiar_match {
    const char *at;         /* behind the header; then what follows */
    const char *end;        /* of the bytes in memory */
    struct str *args;       /* FAMILIAR_FRAMES; filled for every frame */
    struct familiar *found; /* whose first n_pieces stood there; NULL =
                                     not even one */
    unsigned n_pieces;
};

struct familiars;

/* Compares what stands at the cursor with what is familiar; true when a whole
 * goroutine stood there, with the cursor at the blank line behind it. False
 * also near the end of the bytes. There is one for any processor and one for
 * those with AVX2, which differ in nothing else. */
typedef bool familiar_match_fn(const struct familiars *familiars,
                               struct familiar_match *match);
bool familiar_match_plain(const struct familiars *familiars,
                          struct familiar_match *match);
bool familiar_match_avx2(const struct familiars *familiars,
                         struct familiar_match *match);

/* Whether this processor, and this build, can run familiar_match_avx2. */
bool familiar_has_avx2(void);

struct familiar_slot {
    struct familiar *familiar; /* NULL = free */
    uint32_t tag;              /* the upper half of its hash */
};

struct familiars {
    struct predictor *predictor;
    familiar_match_fn *match;
    struct arena arena;
    struct pool pieces; /* struct familiar_piece, at id - 1 */
    struct table piece_table;
    struct familiar_slot *slots; /* FAMILIAR_SLOTS of them once there is one */
    size_t n_bytes;              /* of the texts that are familiar */
    size_t n_refused; /* bytes that found the cache full since then */
};

/* An empty cache beside a predictor, which must outlive it, and its end. */
void familiars_init(struct familiars *familiars, struct predictor *predictor);
void familiars_done(struct familiars *familiars);

/* Forgets everything, as is needed when the predictor forgot its ids. */
void familiars_flush(struct familiars *familiars);

/* A goroutine as the reader of lines understood it. */
struct familiar_facts {
    struct str text; /* from behind its header to the end of its last line that
                        is not blank */
    stack_id stack;
    const frame_id *frames;
    size_t n_frames;
    frame_id creator; /* FRAME_NONE = not said */
    size_t n_known;   /* how many pieces the search for it came to */
};

/* Makes a goroutine familiar. A text that holds anything but these frames in
 * the plainest form does not become so, nor does one for which there is no
 * memory. */
void familiars_learn(struct familiars *familiars,
                     const struct familiar_facts *facts);

/* Where to look for a familiar: a hash of the frames so far, and of the last
 * bytes of the next place, which end in its line number and offset. end is the
 * end of that line; NULL stands for the end of the goroutine. */
static inline uint64_t familiar_hash(uint32_t prefix, const char *end)
{
    uint64_t words[FAMILIAR_KEY / 8] = {0, 0};

    if (end)
        memcpy(words, end - sizeof(words), sizeof(words));
    return hash_mix(prefix ^ words[1], words[0]);
}

/* The slot with that hash, or the one to put it in. */
static inline struct familiar_slot *familiar_slot(
    const struct familiars *familiars, uint64_t hash)
{
    uint32_t tag = (uint32_t)(hash >> 32);
    size_t at = hash & (FAMILIAR_SLOTS - 1);

    for (unsigned i = 0; i < FAMILIAR_PROBES; i++) {
        struct familiar_slot *slot =
            &familiars->slots[(at + i) & (FAMILIAR_SLOTS - 1)];

        if (!slot->familiar || slot->tag == tag)
            return slot;
    }
    return &familiars->slots[at];
}

#endif
