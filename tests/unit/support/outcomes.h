/* outcomes.h - runs of check made by hand, for tests of those who pass them
 * on, and texts to compare with. */
#ifndef SUPPORT_OUTCOMES_H
#define SUPPORT_OUTCOMES_H

#include "notify/notifier.h"

/* A run over two targets: one with alerts in every state, one that could not
 * be read. */
const struct outcome *outcome_sample(void);

/* The indices of its alerts. */
enum {
    SAMPLE_CRITICAL,
    SAMPLE_PENDING,
    SAMPLE_LOW, /* fires, but amounts to nothing */
    SAMPLE_RESOLVED,
    N_SAMPLE_ALERTS
};

/* A run whose every text is an attack: quotes, line ends, markup, calls of
 * channels, letters that turn the direction, broken UTF-8, and too long. */
const struct outcome *outcome_hostile(void);

/* What a kind of receiver gets about the alerts with some indices. The caller
 * frees the text. */
char *outcome_body(enum notifier_kind kind, const struct outcome *outcome,
                   const size_t *alerts, size_t n_alerts);

/* Compares a text with the file golden/NAME beside the tests, byte by byte.
 * With BLESS set in the environment the file is written instead. */
void golden_compare(const char *name, const char *text);

#endif
