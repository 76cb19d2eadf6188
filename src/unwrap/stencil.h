/* stencil.h - lines that look like one that was taken apart before.
 *
 * Thousands of lines of a log differ only in their insides and in the digits
 * of a time. A stencil is what stood around the inside of the last line that a
 * wrapping took apart. Lines that fit it are copied without asking the
 * wrapping, which gives the same, only slower. A line is read once: the bytes
 * of its inside are copied, block by block, while its end is looked for. */
#ifndef UNWRAP_STENCIL_H
#define UNWRAP_STENCIL_H

#include "unwrap/wrapping.h"

enum {
    STENCIL_MOST = 1024, /* bytes of a side */
    STENCIL_BLOCK = 32,  /* bytes that may be compared at once */
};

/* What stands on one side of the inside. A byte of a line fits when it is one
 * from low to low + span: span is 0, 9 for a digit, or more in hex. Behind len
 * bytes up to the next whole block, any byte fits. */
struct stencil_side {
    size_t len;
    size_t n_blocks;
    uint8_t low[STENCIL_MOST];
    uint8_t span[STENCIL_MOST];
};

/* Where lines come from, and where their insides go. */
struct stencil_copy {
    const char *at; /* of the first line */
    const char *end;
    char *into;
    size_t room; /* bytes left there; those behind what is copied may be
                    written as well */
    uint64_t n_lines;
};

struct stencil;

/* Copies the insides of lines up to the first that does not fit, stands near
 * the end, or finds no room for whole blocks, each with a line end; moves all
 * fields on. There is one for any processor and one for those with AVX2
 * (base/cpu.h), which differ in nothing else. */
typedef void stencil_run_fn(const struct stencil *stencil,
                            struct stencil_copy *copy);
void stencil_run_plain(const struct stencil *stencil,
                       struct stencil_copy *copy);
void stencil_run_avx2(const struct stencil *stencil, struct stencil_copy *copy);

/* All zero is a stencil that knows nothing. */
struct stencil {
    stencil_run_fn *run; /* NULL = no line was learned */
    bool is_escaped;     /* the inside is that of a quoted string */
    struct stencil_side head;
    struct stencil_side tail;
};

/* Learns from a line and what its wrapping, which is regular, made of it, or
 * keeps what was known where a line cannot be learned from: the inside is
 * empty, has escapes in it, or goes on in another line. */
void stencil_learn(struct stencil *stencil, struct str line,
                   const struct piece *piece);

#endif
