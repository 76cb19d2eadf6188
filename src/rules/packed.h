/* packed.h - what built-in rules say to people, as bytes.
 *
 * The built-in files never change. So the build parses each of them once
 * (tools/pack_rules.c) and writes the tree of what its rules say, and of
 * nothing else, as bytes. From these the nodes are made again when somebody
 * hears a rule (prose.h).
 *
 * The bytes begin with the number of all nodes, keys included. A node stands
 * before its children, a key before its value:
 *
 *     1 byte   kind + style * PACKED_STYLE + lines * PACKED_LINES, where lines
 *              is how many lines the node begins below the one before it
 *     number   lines - PACKED_LINES_MOST, where lines has reached that
 *     number   how many bytes it begins behind the one before it
 *     number   the length of its span
 *     number   of a text its length, otherwise how many children follow
 *     bytes    of a text, and a NUL
 *
 * Numbers are taken modulo 2^32 and written in groups of seven bits, the
 * lowest first; the upper bit of a byte says that another follows. */
#ifndef RULES_PACKED_H
#define RULES_PACKED_H

#include "rules/node.h"

enum {
    PACKED_STYLE = 4,
    PACKED_LINES = 16,
    PACKED_LINES_MOST = 15,
};

/* Makes the tree that was packed. The nodes live in the arena; their texts are
 * those in the bytes, which the build made and which are therefore trusted.
 * *ret is NULL where no bytes are, and for a file without a document. False
 * when memory ran out. */
bool packed_read(const struct node **ret, struct str packed,
                 struct arena *arena);

/* Whether a key of a rule is in the tree. */
bool packed_is_prose(struct str key);

#endif
