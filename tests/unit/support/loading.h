/* loading.h - rule files from memory, and what is wrong with them as text. */
#ifndef SUPPORT_LOADING_H
#define SUPPORT_LOADING_H

#include "base/buf.h"
#include "rules/check.h"
#include "rules/rule.h"

struct loading {
    struct budget budget;
    struct rules *rules; /* details are kept */
    struct problems problems;
    struct cprof_error err;
    struct buf out;
};

/* Prepares an empty set of rules, and its end, after which nothing may be left
 * of its memory. */
void loading_init(struct loading *loading);
void loading_done(struct loading *loading);

/* Checks a text as a rule file and returns its problems, a line each, as
 * "LINE:COLUMN message"; those of warnings begin with "warning ". Good until
 * the next call. */
const char *loading_check(struct loading *loading, const char *text);

/* The same for what rules_lint says, without "a stable rule needs", which every
 * short rule of a test would hear. */
const char *loading_lint(struct loading *loading);

/* The rule with that id, which must be there. */
const struct rule *loading_rule(const struct loading *loading, const char *id);

#endif
