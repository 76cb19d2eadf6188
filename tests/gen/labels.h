/* labels.h - the labels of a goroutine in the three forms that Go gives them.
 */
#ifndef GEN_LABELS_H
#define GEN_LABELS_H

#include "population.h"

enum label_form {
    LABELS_NONE,
    LABELS_COUNTS,      /* debug=1: # labels: {"handler":"a", "tenant":"b"} */
    LABELS_IN_BRACKETS, /* Go 1.26:  labels:{"handler": "a", "tenant": "b"} */
    LABELS_BEHIND,      /* Go 1.27:  {handler: a, tenant: b} */
};

/* The longest that label_put writes. */
enum { LABELS_LONGEST = 160 };

/* Returns the form in which a debug=2 header of that release shows labels. */
enum label_form label_form_of(const struct release *release);

/* Writes the labels of one handler and one tenant, with the blank before them
 * in a header and the line end behind them in debug=1. Returns the place behind
 * what it wrote. */
char *label_put(char *to, enum label_form form, unsigned handler,
                unsigned tenant);

#endif
