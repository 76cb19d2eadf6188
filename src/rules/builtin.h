/* builtin.h - the rule files compiled into the binary.
 *
 * The array is generated from the files of rules/ in order of file name, so
 * that one copied file works on a bare host. */
#ifndef RULES_BUILTIN_H
#define RULES_BUILTIN_H

#include <stddef.h>

struct builtin_rules {
    const char *name; /* "rules/sync.yaml" */
    const char *text; /* NUL-terminated behind its len bytes */
    size_t len;
};

extern const struct builtin_rules builtin_rules[];
extern const size_t builtin_rules_count;

#endif
