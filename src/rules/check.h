/* check.h - looking at rule files rather than using them.
 *
 * The same loader as of `analyze`, with another end: right rules are added,
 * wrong ones are left out, and every mistake becomes a problem. Call
 * rules_keep_details before. When all files are there, rules_lint says what is
 * wrong or unwise about the rules together. */
#ifndef RULES_CHECK_H
#define RULES_CHECK_H

#include "rules/problems.h"
#include "rules/rules.h"

/* Checks and adds the built-in rules, a file or a directory of files, or a
 * text whose name is for messages. 0 when they were looked at, however wrong
 * they are; CPROF_EIO or CPROF_ENOMEM when that was not possible. */
int rules_check_builtin(struct rules *rules, struct problems *problems,
                        struct cprof_error *err);
int rules_check_path(struct rules *rules, const char *path,
                     struct problems *problems, struct cprof_error *err);
int rules_check_text(struct rules *rules, const char *name, struct str text,
                     struct problems *problems, struct cprof_error *err);

/* Adds what is wrong or unwise about rules that can be loaded: references to
 * rules that are not there, cycles of them, tiers that nothing can reach,
 * patterns that say too little or cost too much, missing tests and
 * explanations. The built-in rules are looked at as well only when
 * with_builtin is set. The problems are sorted by file and line. CPROF_ENOMEM
 * when there was no memory for a look. */
int rules_lint(const struct rules *rules, bool with_builtin,
               struct problems *problems, struct cprof_error *err);

#endif
