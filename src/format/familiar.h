/* familiar.h - goroutines whose whole text is familiar.
 *
 * A dump prints a few stacks many times, and between two goroutines with one
 * stack only arguments and the id of the creator differ. A familiar is the text
 * of such a goroutine behind its header, without these: segments, each compared
 * at once, mostly from the arguments of one frame to those of the next. The
 * cache finds the familiar that the text at the cursor looks like and compares
 * it; nothing is parsed, hashed or copied. Where two stacks begin alike and
 * then part, the comparison goes on in the other one.
 *
 * Most goroutines of a stack have arguments that are as long as those of one
 * before. A mould is the whole text of that one with their digits open: a text
 * that fills it is compared without looking for the end of any field, and it is
 * known where its words stand.
 *
 * What is matched here is what the readers of lines would find, frame by frame.
 * The cache is bounded; losing it changes nothing but the time. */
#ifndef FORMAT_FAMILIAR_H
#define FORMAT_FAMILIAR_H

#include "base/hash.h"
#include "format/predict.h"
#include "model/record.h"

enum {
    FAMILIAR_BLOCK = 32,      /* bytes that may be compared at once */
    FAMILIAR_FRAMES = 256,    /* longer stacks do not become familiar */
    FAMILIAR_FIRST = 1 << 6,  /* slots, for dumps of few stacks, */
    FAMILIAR_SLOTS = 1 << 13, /* and for more */
    FAMILIAR_PROBES = 4,      /* slots that a hash may be in */
    FAMILIAR_KEY = 16,        /* bytes of a place that tell it from others */
    FAMILIAR_BYTES = 1 << 22, /* of text at a time */
    FAMILIAR_OPEN = 1,        /* the byte of a mould where any digit may be */
    FAMILIAR_ELIDES = '.',    /* begins "...4 frames elided...", and no name */
    FAMILIAR_PAUSE = 15,
    FAMILIAR_PAUSES = 1 << 10,
    FAMILIAR_EXPECTED = 2, /* what followed so often again is expected */
};

/* What stands behind a segment. */
enum familiar_field {
    FAMILIAR_END,  /* the blank line behind the goroutine */
    FAMILIAR_ARGS, /* arguments, up to the ")" that the next segment begins
                      with; no parenthesis and no line end is in them */
    FAMILIAR_ID,   /* digits, up to a line end */
};

/* Known text; it begins where the one before ends. */
struct familiar_segment {
    uint32_t end;   /* offset in the text */
    uint16_t piece; /* that the field belongs to */
    uint16_t field; /* enum familiar_field */
};

/* Two lines: a call or a creator, and its place. Before those of one may stand
 * the line that says how many frames were left out. */
struct familiar_piece {
    uint32_t begin;   /* offset in the text */
    uint32_t segment; /* that has this offset */
    uint32_t known;   /* its id in the predictor, or 0 */
};

struct familiar_mould {
    char *text; /* FAMILIAR_OPEN where digits are; padded */
    uint32_t
        size;    /* of the text with the blank line's end; 0 = there is none */
    uint32_t id; /* where digits of the creator's id are, and how many */
    uint32_t n_id;
    uint32_t room;    /* for a text */
    uint32_t n_words; /* there is room for so many */
    uint32_t *ends;   /* offsets behind each piece */
    struct arg_map args;
};

struct familiar {
    struct familiar_mould mould;
    struct group_note note;
    struct familiar *follower; /* what came behind it last */
    uint32_t n_followed;       /* how often again, to FAMILIAR_EXPECTED */
    stack_id stack;
    uint32_t n_pieces;
    uint32_t n_frames;  /* pieces without that of the creator, the last */
    uint32_t elided;    /* frames that were left out; 0 = none, and no line */
    uint32_t elided_at; /* the piece before which this is said */
    char *text;         /* right behind the segments, and padded */
    struct familiar_piece *pieces; /* one more than n_pieces: the end */
    frame_id *frames;              /* of every piece */
    uint32_t *prefixes; /* n_pieces + 1 hashes: of no frame, of one, ... */
    uint16_t pause; /* goroutines from one change of the mould to the next: more
                       while it does not fit, less while it does */
    uint16_t wait;  /* of these, still to come */
    bool is_bare;   /* its first frame that is not inlined has no offset */
    struct familiar_segment segments[]; /* the last has FAMILIAR_END */
};

/* A comparison: what it is given, and how far it came. */
struct familiar_match {
    const char *at;         /* behind the header; then what follows */
    const char *end;        /* of the bytes in memory */
    struct str *args;       /* FAMILIAR_FRAMES; filled for every frame when
                               it is not in the mould */
    struct familiar *found; /* whose first n_pieces stood there; NULL =
                                     not even one */
    unsigned n_pieces;
    bool fills_mould; /* the whole goroutine does */
    bool wants_mould; /* it does not: what familiars_mould is for */
};

struct familiars;

/* Compares what stands at the cursor with what is familiar; true when a whole
 * goroutine stood there, with the cursor at the blank line behind it. False
 * also near the end of the bytes. There is one for any processor and one for
 * those with AVX2 (cpu_has_avx2), which differ in nothing else. */
typedef bool familiar_match_fn(const struct familiars *familiars,
                               struct familiar_match *match);
bool familiar_match_plain(const struct familiars *familiars,
                          struct familiar_match *match);
bool familiar_match_avx2(const struct familiars *familiars,
                         struct familiar_match *match);

struct familiar_slot {
    struct familiar *familiar; /* NULL = free */
    uint32_t tag;              /* the upper half of its hash */
};

struct familiars {
    struct predictor *predictor;
    familiar_match_fn *match;
    struct arena arena;
    struct familiar *before; /* the goroutine that was taken last; or NULL */
    struct familiar_slot *slots; /* NULL until there is one */
    size_t n_slots;              /* a power of two */
    size_t n_learned;            /* since there are so many */
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
    uint32_t elided;  /* as in struct record */
    frame_id creator; /* FRAME_NONE = not said */
    size_t n_known;   /* how many pieces the search for it came to */
    bool is_bare;     /* as in struct familiar */
};

/* Makes a goroutine familiar. A text that holds anything but these frames in
 * the plainest form does not become so, nor does one for which there is no
 * memory. */
void familiars_learn(struct familiars *familiars,
                     const struct familiar_facts *facts);

/* Makes a whole goroutine, whose text begins there, the mould of its familiar,
 * when it is time to. Nothing happens without memory. */
void familiars_mould(struct familiars *familiars,
                     const struct familiar_match *match, const char *text);

/* The familiar that is expected at the next goroutine, because the same came
 * before, behind what was taken last; NULL when none is. To find it takes no
 * look at the text, so that the processor can compare one goroutine while it
 * reads the header of the next. */
static inline struct familiar *familiars_follower(
    const struct familiars *familiars)
{
    const struct familiar *before = familiars->before;

    return before && before->n_followed == FAMILIAR_EXPECTED ? before->follower
                                                             : NULL;
}

/* Notes that a goroutine of a familiar is taken. */
static inline void familiars_take(struct familiars *familiars,
                                  struct familiar *familiar)
{
    struct familiar *before = familiars->before;

    familiars->before = familiar;
    if (!before)
        return;
    if (before->follower != familiar) {
        before->follower = familiar;
        before->n_followed = 0;
    } else if (before->n_followed < FAMILIAR_EXPECTED) {
        before->n_followed++;
    }
}

/* The end of the second line from here, or NULL. */
static inline const char *familiar_second_end(const char *at, const char *end)
{
    const char *first = memchr(at, '\n', (size_t)(end - at));

    return first ? memchr(first + 1, '\n', (size_t)(end - first - 1)) : NULL;
}

/* Frames that were left out before piece n, said among the first pieces. */
static inline uint32_t familiar_elided(const struct familiar *familiar,
                                       unsigned n)
{
    return n > familiar->elided_at ? familiar->elided : 0;
}

/* Where to look for a familiar: a hash of the frames so far, and of the last
 * bytes of the next place, which end in its line number and offset. end is the
 * end of that line; NULL stands for the end of the goroutine. Where the next
 * line says how many frames were left out, the bytes are its first. */
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
    size_t mask = familiars->n_slots - 1;
    size_t at = hash & mask;

    for (unsigned i = 0; i < FAMILIAR_PROBES; i++) {
        struct familiar_slot *slot = &familiars->slots[(at + i) & mask];

        if (!slot->familiar || slot->tag == tag)
            return slot;
    }
    return &familiars->slots[at];
}

#endif
