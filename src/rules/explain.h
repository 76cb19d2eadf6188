/* explain.h - the {placeholders} of a rule's explanation.
 *
 * A placeholder is a word of letters and '_' in braces; other braces, such as
 * those of "select {}", stand for themselves. */
#ifndef RULES_EXPLAIN_H
#define RULES_EXPLAIN_H

#include "base/buf.h"
#include "model/symbols.h"
#include "rules/rules.h"

/* ORDER PLACEHOLDER: as the table in explain.c. */
#define EXPLAIN_PLACEHOLDERS                                                   \
 "{count}, {share}, {age}, {site}, {state}, {leaked}, {holder} and {title}"

/* Finds the first known placeholder of a text: where its '{' stands and how
 * long it is with its braces. */
bool explain_find(struct str text, size_t *ret_at, size_t *ret_len);

/* Finds the first placeholder that is not known, and the name of the known
 * one that is nearest (empty = none is near). */
bool explain_find_unknown(struct str text, size_t *ret_at, size_t *ret_len,
                          struct str *ret_near);

/* What placeholders stand for besides the fields of the finding. */
struct explain_facts {
    const struct symbols *symbols;
    uint64_t leaked; /* goroutines of the finding that are proven leaked */
    bool has_sites;  /* its groups stand at several sites */
    bool has_states; /* its groups are in several states */
};

/* Appends the explanation of a finding's rule with its placeholders filled
 * in. */
void explain_add(struct buf *out, const struct finding *finding,
                 const struct explain_facts *facts);

#endif
