/* judge.h - what must hold of any answer to damaged bytes. */
#ifndef DAMAGE_JUDGE_H
#define DAMAGE_JUDGE_H

#include <stdbool.h>

#include "damage/mutate.h"

/* What can be counted in a text of a form without the program. */
enum form {
    FORM_OTHER,  /* nothing */
    FORM_STACKS, /* the headers of goroutines: debug=2 */
    FORM_COUNTS, /* the first numbers of records: debug=1 */
};

/* How the damages of one file ended. */
struct tally {
    size_t n_inputs;
    size_t n_answers;
    size_t n_warned;  /* answers with a diagnostic */
    size_t n_refused; /* nothing was recognised */
};

/* The goroutines that whole bytes hold over all their dumps, at least one; for
 * a profile that measures UINT64_MAX: which of its values counts depends on
 * their names, which a cut may lose. */
uint64_t judge_whole(struct str bytes);

/* Reads damaged bytes, whole and byte by byte, and ends the program unless
 * - both came to the same: an answer, or "nothing recognised" with a message;
 * - every snapshot holds what its groups hold, and one that is not complete
 *   has a diagnostic;
 * - an answer without a diagnostic counts what stands in the text, and bytes
 *   that begin a goroutine give no zero without one;
 * - a beginning of the file holds no more than the file, which is whole;
 * - what zeros in a text have taken, or may have, is warned of, and what was
 *   in the end of a line;
 * - packed bytes say what they say unpacked. */
void judge_damage(const struct damage *damage, enum form form, uint64_t whole,
                  struct tally *tally);

/* Reports on the bytes, and ends the program unless the report adds up: its
 * groups hold what its snapshots hold, and it is incomplete when they are. */
void judge_report(struct str bytes);

#endif
