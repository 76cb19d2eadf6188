/* load.h - YAML into rules.
 *
 * load.c knows the keys of a file, load_rule.c those of a rule, load_tests.c
 * those of its tests: one table for each kind of mapping. A new key is one
 * line there, with its reader from values.h and its field in rule.h; what rules
 * are judged by is a line in image.c as well, or built-in rules would lose
 * it. */
#ifndef RULES_LOAD_H
#define RULES_LOAD_H

#include "rules/check.h"
#include "rules/schema.h"

/* Adds the rules of a text, or none of them: then the error is the first
 * mistake, and says how many more there are. The name is for messages. */
int load_text(struct rules *rules, const char *name, struct str text,
              bool is_builtin, struct cprof_error *err);

/* Adds those rules of a text that are right, and every mistake to the
 * problems, in order of place. Only CPROF_ENOMEM is a failure. */
int load_checked(struct rules *rules, const char *name, struct str text,
                 bool is_builtin, struct problems *problems,
                 struct cprof_error *err);

/* value_fn: `rules` of a file. */
value_fn load_rules;

/* value_fn for struct rule (its tests): `tests` of a rule. They are not looked
 * at unless details are kept. */
value_fn load_tests;

/* Names a rule in those findings that its tests expect of itself. */
void tests_settle(struct rule *rule);

/* Reads `override` and the keys of a patch of an earlier rule, which takes the
 * place of that rule. */
int load_override(struct loader *loader, const struct node *node,
                  struct rule *patch);

/* The id that is most like one that is wrong, for the words of an error: empty
 * when none is near, or when the error would not be kept. */
struct str load_nearest(const struct loader *loader, struct str id);

/* What a rule says of a finding when its file does not. */
struct str rule_explain_default(void);

/* How closely a match describes what it matches. */
enum specificity match_specificity(const struct match *match);

/* The keys of a rule, of its match, of one of its tiers. */
extern const struct schema rule_schema;
extern const struct schema match_schema;
extern const struct schema tier_schema;
extern const struct schema with_schema;

#endif
