/* builtin.h - the rule files compiled into the binary.
 *
 * The array is generated from the files of rules/ in order of file name
 * (scripts/embed_rules.sh), so that one copied file works on a bare host. Each
 * file is there twice: as it is, and as the tree of what its rules say to
 * people (packed.h). What `analyze` loads of all files is one image
 * (image.h). */
#ifndef RULES_BUILTIN_H
#define RULES_BUILTIN_H

#include <stddef.h>

struct builtin_rules {
    const char *name; /* "rules/sync.yaml" */
    const char *text; /* NUL-terminated behind its len bytes */
    size_t len;
    const char *prose; /* what its rules say, packed */
    size_t prose_len;
};

extern const struct builtin_rules builtin_rules[];
extern const size_t builtin_rules_count;

extern const char *const builtin_image;
extern const size_t builtin_image_len;

#endif
