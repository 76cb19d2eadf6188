/* name_index.h - finds by name what stands in an array.
 *
 * The index knows how many items from the front it has; those behind them are
 * compared one by one, so that it is right, only slower, where memory ran
 * out. */
#ifndef RULES_NAME_INDEX_H
#define RULES_NAME_INDEX_H

#include "base/table.h"
#include "rules/nearest.h"

struct name_index {
    struct table table;
    size_t n_entered;
};

/* An empty index. */
void name_index_init(struct name_index *index, struct budget *budget);

/* Frees it; it is empty afterwards. So must it be once items that it has are
 * taken away. */
void name_index_done(struct name_index *index);

/* Enters those of n items that it does not have yet. Their names must stay as
 * they are. */
void name_index_enter(struct name_index *index, size_t n, nearest_word_fn *name,
                      const void *user);

/* The last of n items with a name, or n. */
size_t name_index_find(const struct name_index *index, struct str text,
                       size_t n, nearest_word_fn *name, const void *user);

#endif
