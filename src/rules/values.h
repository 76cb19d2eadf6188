/* values.h - the kinds of values that keys of a rule file take.
 *
 * Each function is a value_fn of schema.h: it checks a node and writes the
 * field, whose type its comment names, or fills the loader's error at the
 * exact place. Texts are copied into the arena of the rules. */
#ifndef RULES_VALUES_H
#define RULES_VALUES_H

#include "rules/schema.h"

/* struct str: a text that is not empty, without blanks and line ends around
 * it; value_line: on one line as well; value_id: of a-z, 0-9 and '-'. */
value_fn value_text;
value_fn value_line;
value_fn value_id;

/* struct str: an explanation, whose {placeholders} are checked. */
value_fn value_explain;

/* struct rule_texts: a text or a list of texts; value_urls: each is an http or
 * https address. */
value_fn value_texts;
value_fn value_urls;

/* Words: enum rule_class, enum confidence (without "proven"), enum
 * rule_status, enum bucket_by, enum cprof_severity (without "ok"), and enum
 * wanted for true and false. */
value_fn value_class;
value_fn value_confidence;
value_fn value_status;
value_fn value_group_by;
value_fn value_severity;
value_fn value_wanted;

/* struct patterns: one expression or a list of them; an expression that
 * matches the empty text is refused. value_chain: '...' may stand among them.
 * They belong to the loader's rule. */
value_fn value_patterns;
value_fn value_chain;

/* struct match (its labels): a mapping of label keys to patterns. */
value_fn value_labels;

/* state_set: one of Go's words for states or a list of them. */
value_fn value_states;

/* struct tier: its count (">=100"), its share (">=0.5" or ">=50%"), its age
 * (">=10m"). */
value_fn value_count;
value_fn value_share;
value_fn value_age;

#endif
