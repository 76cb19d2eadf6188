/* nearest.h - "did you mean": the known word that looks most like a wrong one.
 */
#ifndef RULES_NEAREST_H
#define RULES_NEAREST_H

#include "base/str.h"

/* The index of the word that is the most like text, or n when none is near: a
 * few edits away, with upper and lower case taken as the same, or else the
 * first that holds text (or that text holds) whole. Words are asked for by
 * index, so that they may stand anywhere. */
typedef struct str nearest_word_fn(const void *user, size_t index);
size_t nearest_find(struct str text, size_t n, nearest_word_fn *word,
                    const void *user);

/* The same over NUL-terminated words. */
size_t nearest_of(struct str text, const char *const *words, size_t n);

/* The state word (model/state.h) nearest to text, empty when none is near. */
struct str nearest_state(struct str text);

#endif
