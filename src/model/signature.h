/* signature.h - stable names for stacks and groups.
 *
 * A signature is XXH3-128 over the version of the normaliser and the
 * canonical function names of a stack, leaf first, without those frames that
 * name_is_unstable names (unless nothing else is left). No lines, files,
 * addresses, arguments, labels, creators or states: it is the same on every
 * machine, run and format. A group id also covers files, lines, the state and
 * how many frames were elided, so it is unique in a report. */
#ifndef MODEL_SIGNATURE_H
#define MODEL_SIGNATURE_H

#include "model/symbols.h"

enum { SIGNATURE_VERSION = 1 };

struct signature {
    uint64_t high;
    uint64_t low;
};

/* 32 hex digits and a NUL. */
struct signature_text {
    char text[33];
};

/* The signature of a stack. */
struct signature signature_of_stack(const struct symbols *symbols,
                                    stack_id stack);

/* The id of a group: a stack in a state. Groups of other profiles than those of
 * goroutines stand apart by the profile's name, which is empty for the
 * latter. */
struct signature group_id_of(const struct symbols *symbols, stack_id stack,
                             state_id state, struct str profile);

/* A name for any bytes: XXH3-128 over them. */
struct signature signature_of_bytes(struct str bytes);

/* A name for some texts in their order, wherever the borders between them
 * lie. */
struct signature signature_of_texts(const struct str *texts, size_t count);

/* As 32 lower-case hex digits. */
struct signature_text signature_text(struct signature signature);

#endif
