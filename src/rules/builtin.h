/* builtin.h - the rule files compiled into the binary.
 *
 * The array is generated from the files of rules/ in order of file name
 * (scripts/embed_rules.sh), so that one copied file works on a bare host. Each
 * file is there twice: as it is, and with every line of its tests and of what
 * its rules say to people empty. That is what `analyze` loads, so that these
 * cost it next to nothing; see prose.h. */
#ifndef RULES_BUILTIN_H
#define RULES_BUILTIN_H

#include <stddef.h>

struct builtin_rules {
    const char *name; /* "rules/sync.yaml" */
    const char *text; /* NUL-terminated behind its len bytes */
    size_t len;
    const char *bare; /* the same without these, on the same lines */
    size_t bare_len;
};

extern const struct builtin_rules builtin_rules[];
extern const size_t builtin_rules_count;

#endif
