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
 * rule_status, enum rule_needs, struct grouping (with label:KEY), enum
 * cprof_severity (without "ok"), and enum wanted for true and false. */
value_fn value_class;
value_fn value_confidence;
value_fn value_status;
value_fn value_needs;
value_fn value_group_by;
value_fn value_severity;
value_fn value_wanted;

/* Finds a text among n words and gives its index; the problem of a wrong one
 * names the nearest, or all. */
int word_read(struct loader *loader, const struct node *node,
              const char *const *words, size_t n, size_t *ret);

/* Says that a value is of the wrong kind: "'count' must be EXPECTED, not a
 * list". Returns CPROF_ERULE. */
int kind_error(const struct loader *loader, const struct node *node,
               const char *expected);

/* struct rule (its go_text and go): ">=1.21", "<1.24" or both. */
value_fn value_go;

/* Reads "1.21" or "go1.21.3" as GO_VERSION of its first two numbers. */
bool go_version_parse(struct str text, uint32_t *ret);

/* struct patterns: one expression or a list of them; an expression that
 * matches the empty text is refused. value_chain: '...' may stand among
 * them. ${names} are replaced (definitions.h). */
value_fn value_patterns;
value_fn value_chain;

/* Gives the compiled pattern for an expression that a node holds, with its
 * names already replaced. It may match the empty text. */
int pattern_compile(struct loader *loader, const struct node *node,
                    struct str expression, struct pattern **ret);

/* struct match (its labels): a mapping of label keys to patterns. */
value_fn value_labels;

/* state_set: one of Go's words for states or a list of them. */
value_fn value_states;

/* struct rule_refs: an id of a rule or a list of them. */
value_fn value_refs;

/* struct bound: a count (">=100", "<=3"), a share (">=0.5" or ">=50%"), a
 * duration (">=10m"), a word of confidence ("medium" or ">=medium"), goroutines
 * an hour (">=50"). */
value_fn value_count;
value_fn value_share;
value_fn value_age;
value_fn value_growth;
value_fn value_slope;

/* struct tier: {rule: ID, value: ">=1.2"}. */
value_fn value_ratio;

#endif
