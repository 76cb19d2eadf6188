/* builtin.h - the rule files compiled into the binary.
 *
 * The array is generated from the files of rules/ in order of file name
 * (scripts/embed_rules.sh), so that one copied file works on a bare host. Each
 * file is there three times: as it is, and as the trees of what `analyze` loads
 * of it and of what its rules say to people (packed.h). */
#ifndef RULES_BUILTIN_H
#define RULES_BUILTIN_H

#include <stddef.h>

struct builtin_rules {
    const char *name; /* "rules/sync.yaml" */
    const char *text; /* NUL-terminated behind its len bytes */
    size_t len;
    const char *tree; /* what is loaded of it, packed */
    size_t tree_len;
    const char *prose; /* what its rules say, packed */
    size_t prose_len;
};

extern const struct builtin_rules builtin_rules[];
extern const size_t builtin_rules_count;

#endif
