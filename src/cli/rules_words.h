/* rules_words.h - what a rule asks for, in words for people. */
#ifndef CLI_RULES_WORDS_H
#define CLI_RULES_WORDS_H

#include "base/buf.h"
#include "rules/rule.h"

/* Appends what a text has to be to match an expression: "is main.run", "begins
 * with net/http.", "ends with .Wait", "contains pool" where the expression is
 * plain text behind its escapes and anchors, otherwise "matches /a|b/". */
void words_expression(struct buf *out, struct str expression);

/* Takes one line of a description, a whole sentence. */
typedef void put_line_fn(void *user, struct str line);

/* Says what a rule's match asks for, a line for each of its conditions, all of
 * which have to hold. False when memory ran out. */
bool words_match(const struct rule *rule, put_line_fn *put, void *user);

/* Appends the bounds of a tier: "from 1,000 goroutines that are at least 50 %
 * of all", "always" when it has none. */
void words_tier(struct buf *out, const struct tier *tier);

/* Appends what the goroutines of one finding have in common: "of one place". */
void words_group_by(struct buf *out, const struct rule *rule);

/* Appends the same as rule files have it: "site", "label:tenant". */
void words_group_by_key(struct buf *out, const struct rule *rule);

/* The worst severity that a rule can reach; CPROF_SEVERITY_OK for a rule that
 * sets aside. */
enum cprof_severity rule_worst(const struct rule *rule);

#endif
