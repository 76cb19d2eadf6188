/* pattern.h - a regular expression, matched once for each distinct text.
 *
 * PCRE2 without UTF mode (names may hold any byte), unanchored, over the first
 * 1,024 bytes of a text and with a limit of steps. It is interpreted: few names
 * get past the sieve, and machine code would count steps in another way. The
 * answer for a text of the symbols is remembered by its id: a dump of ten
 * million goroutines costs as much as one with the same names. */
#ifndef RULES_PATTERN_H
#define RULES_PATTERN_H

#include "base/error.h"
#include "model/symbols.h"
#include "rules/sieve.h"

struct pattern;

enum pattern_answer {
    PATTERN_NO,
    PATTERN_YES,
    PATTERN_LIMIT, /* gave up: neither a match nor none */
};

/* Compiles an expression. CPROF_ERULE says what is wrong with it; the column
 * of the error is the 1-based offset in the expression. */
int pattern_new(struct pattern **ret, struct str expression,
                struct cprof_error *err);
void pattern_free(struct pattern *pattern);

/* The same for an expression that is known to be right, whose sieve is known
 * and which outlives the pattern: it is compiled when it is first run, which
 * for most of a catalogue is never. Should there be no memory then, it gives up
 * on every text. NULL when there is no memory now. */
struct pattern *pattern_new_known(struct str expression,
                                  const struct sieve *sieve);

/* Forgets all answers and reached limits: the next texts may be those of other
 * symbols. */
void pattern_forget(struct pattern *pattern);

/* The expression as written, and its sieve; both live as long as the
 * pattern. */
struct str pattern_expression(const struct pattern *pattern);
const struct sieve *pattern_sieve(const struct pattern *pattern);

/* Marks a pattern; false when it was marked already. pattern_unmark takes that
 * back. */
bool pattern_mark(struct pattern *pattern);
void pattern_unmark(struct pattern *pattern);

/* Whether it matches, or gives up on, the empty text: it says nothing about a
 * name then. */
bool pattern_matches_empty(struct pattern *pattern);

/* Whether a text matches. */
enum pattern_answer pattern_match(struct pattern *pattern, struct str text);

/* What of a text matches: the first group in parentheses that the expression
 * has, or all of it. False when nothing does. */
bool pattern_find(struct pattern *pattern, struct str text, struct str *ret);

/* The same as pattern_match for a text of symbols, remembered by its id. A
 * pattern must forget (pattern_forget) before these symbols go, or others
 * come. */
enum pattern_answer pattern_match_id(struct pattern *pattern,
                                     const struct symbols *symbols, text_id id);

/* Settles by the sieves (sieve.h) which of the texts each pattern cannot match:
 * for these pattern_match_id need only look the answer up, and those are most.
 * False when there is no room to remember all answers. */
bool patterns_prepare(struct pattern *const *patterns, size_t n,
                      const struct symbols *symbols, const text_id *texts,
                      size_t n_texts);

/* Whether the system had no memory for an answer, which then was
 * PATTERN_LIMIT. */
bool pattern_is_starved(const struct pattern *pattern);

/* Whether a pattern may match one of the texts of patterns_prepare. */
bool pattern_may_match(const struct pattern *pattern);

/* How often the limit was reached, and the first text where it was (0 =
 * none, or not a text of symbols). */
uint64_t pattern_limit_hits(const struct pattern *pattern, text_id *ret_first);

#endif
