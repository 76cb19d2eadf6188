/* image.h - the built-in rules as bytes, ready to judge.
 *
 * Reading YAML would be most of what a short run costs, and so would reading
 * the trees that it makes; the built-in files never change. So the build loads
 * them once as it would a user's (tools/pack_rules.c), and writes down what
 * came of it: the rules, without their tests and what they say to people
 * (prose.h), with the sieve of each pattern. The program only puts that back.
 *
 * An image is, one behind the other:
 *
 *     number   of patterns, then each of them:
 *                  text, its expression
 *                  number, of choices * 2 + whether it is caseless
 *                  32 bytes, the bits that are needed, and as many for each
 *                  choice; the lowest byte of the lowest word first
 *     number   of definitions, the oldest first, then of each two texts: its
 *              name and what it stands for
 *     number   of rules, then the fields of each, of image_rule
 *
 * Numbers are written in groups of seven bits, the lowest first; the upper bit
 * of a byte says that another follows. A text is its length as a number, its
 * bytes, and a NUL. Of the fields of an object only those are there that are
 * not zero: the place of the field in its table plus one, as a byte, and its
 * value; a zero ends them. */
#ifndef RULES_IMAGE_H
#define RULES_IMAGE_H

#include "base/buf.h"
#include "rules/ruleset.h"

/* What a field is, and so how it is written. ORDER FIELD: as the tables of
 * image_read.c and image_write.c. */
enum field_kind {
    FIELD_NUMBER, /* an enum or uint32_t */
    FIELD_LONG,   /* uint64_t */
    FIELD_DOUBLE,
    FIELD_TEXT,       /* struct str */
    FIELD_PATTERNS,   /* struct patterns: its number, and of each its place
                         among all plus one; 0 = '...' */
    FIELD_LABELS,     /* struct match: its labels */
    FIELD_NOT,        /* const struct match * */
    FIELD_EXCEPTIONS, /* struct exception * */
    FIELD_REFS,       /* struct rule_refs */
    FIELD_TIERS,      /* struct tiers */
    N_FIELD_KINDS
};

struct image_field {
    size_t offset;
    enum field_kind kind;
};

/* The fields of a kind of object. */
struct image_table {
    const struct image_field *fields;
    size_t count;
};

extern const struct image_table image_rule;
extern const struct image_table image_match;
extern const struct image_table image_exception;
extern const struct image_table image_tier;

/* Appends the image of rules that were loaded from files of these names:
 * which of them a rule is of, is its place there. */
void image_write(const struct rules *rules, const char *const *names,
                 size_t n_names, struct buf *out);

/* Adds the rules of an image to rules that have none. Texts and expressions
 * are those in the image, which the build made and which is therefore trusted.
 * False when memory ran out; what was added until then is to be rolled back. */
bool image_read(struct rules *rules, struct str image);

#endif
