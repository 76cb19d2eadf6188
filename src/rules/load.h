/* load.h - YAML into rules.
 *
 * load.c has one table for each kind of mapping that a rule file holds: a new
 * key is one line there, with its reader from values.h and its field in
 * rule.h. */
#ifndef RULES_LOAD_H
#define RULES_LOAD_H

#include "rules/rule.h"

/* Adds the rules of a text, or none of them. The name is for messages. */
int load_text(struct rules *rules, const char *name, struct str text,
              bool is_builtin, struct cprof_error *err);

#endif
