/* words.h - figures and places as people read them.
 *
 * One spelling for explanations and reports. Nothing here depends on the
 * locale. */
#ifndef RULES_WORDS_H
#define RULES_WORDS_H

#include "base/buf.h"
#include "model/symbols.h"
#include "rules/rules.h"

/* ORDER CLASS, ORDER CONFIDENCE: as the enums in rules.h. */
enum { N_CLASSES = 4, N_CONFIDENCES = 4 };
extern const char *const class_words[N_CLASSES];
extern const char *const confidence_words[N_CONFIDENCES];

/* Appends "97,908". */
void words_count(struct buf *out, uint64_t count);

/* Appends "99.98 %" for a fraction from 0 to 1: two decimals, without zeros at
 * the end, and more where two would say 100 % of what is not all, or 0 % of
 * what is not nothing. */
void words_share(struct buf *out, double share);

/* Appends how long a goroutine has waited of which Go printed so many minutes
 * (wait_at_least): "at least 5 minutes" for 7, "perhaps 2 minutes" for 2.
 * Minutes up to two hours, then hours up to two days, then days, rounded
 * down. */
void words_age(struct buf *out, uint32_t minutes);

/* Appends a function as words_site does, without a place:
 * "(*cache).Get". */
void words_function(struct buf *out, struct str function);

/* Appends "(*httpBackend).Do (http_backend.go:172)": a method with its
 * receiver, a function with the last element of its package ("main.run"), and
 * the base name of its file, if that is known. FRAME_NONE appends nothing. */
void words_site(struct buf *out, const struct symbols *symbols, frame_id site);

#endif
