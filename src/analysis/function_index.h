/* function_index.h - a few functions by name, asked for many times.
 *
 * The answer for each function of the symbols is remembered, so that a walk
 * over all frames of a dump costs one look into an array for each. */
#ifndef ANALYSIS_FUNCTION_INDEX_H
#define ANALYSIS_FUNCTION_INDEX_H

#include "base/arena.h"
#include "model/symbols.h"

struct function_entry {
    uint64_t hash; /* of the name */
    uint32_t value;
};

struct function_index {
    const struct symbols *symbols;
    struct function_entry *entries; /* by hash, once sealed */
    size_t count;
    uint32_t *direct;  /* by text: 0 = not asked, else the value + 1 */
    uint32_t *closure; /* the same for the function it is a closure of */
};

#define FUNCTION_NONE (UINT32_MAX - 1)

/* An empty index for at most `most` functions in an arena. False when memory
 * ran out. */
bool function_index_init(struct function_index *index,
                         const struct symbols *symbols, struct arena *arena,
                         size_t most);

/* Adds a function with a value below FUNCTION_NONE. Of one name only the first
 * counts. */
void function_index_put(struct function_index *index, struct str name,
                        uint32_t value);

/* Ends adding; asking begins. */
void function_index_seal(struct function_index *index);

/* The value of a function by its name, which is looked up each time;
 * FUNCTION_NONE when there is none. */
uint32_t function_index_find(const struct function_index *index,
                             struct str name);

/* The value of a function, or of the innermost one in the index whose closure
 * it is, at any depth; FUNCTION_NONE when there is none. */
uint32_t function_index_get(const struct function_index *index, text_id text);
uint32_t function_index_closure(const struct function_index *index,
                                text_id text);

#endif
