#include "analysis/function_index.h"

#include <stdlib.h>

#include "analysis/scopes.h"
#include "base/hash.h"

bool function_index_init(struct function_index *index,
                         const struct symbols *symbols, struct arena *arena,
                         size_t most)
{
    size_t n_texts = symbols_n_texts(symbols) + 1;

    *index = (struct function_index){.symbols = symbols};
    index->entries = arena_take(arena, most * sizeof(*index->entries));
    index->direct = arena_take_zero(arena, n_texts * sizeof(*index->direct));
    index->closure = arena_take_zero(arena, n_texts * sizeof(*index->closure));
    return index->entries && index->direct && index->closure;
}

void function_index_put(struct function_index *index, struct str name,
                        uint32_t value)
{
    index->entries[index->count++] =
        (struct function_entry){hash_bytes(name.ptr, name.len), value};
}

static int compare_entries(const void *a, const void *b)
{
    const struct function_entry *left = a;
    const struct function_entry *right = b;

    if (left->hash != right->hash)
        return left->hash < right->hash ? -1 : 1;
    return (left->value > right->value) - (left->value < right->value);
}

void function_index_seal(struct function_index *index)
{
    qsort(index->entries, index->count, sizeof(*index->entries),
          compare_entries);
}

uint32_t function_index_find(const struct function_index *index,
                             struct str name)
{
    uint64_t hash = hash_bytes(name.ptr, name.len);
    size_t low = 0;
    size_t high = index->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (index->entries[middle].hash < hash)
            low = middle + 1;
        else
            high = middle;
    }
    return low < index->count && index->entries[low].hash == hash
               ? index->entries[low].value
               : FUNCTION_NONE;
}

uint32_t function_index_get(const struct function_index *index, text_id text)
{
    uint32_t *known = &index->direct[text];

    if (!*known)
        *known =
            function_index_find(index, symbols_text(index->symbols, text)) + 1;
    return *known - 1;
}

uint32_t function_index_closure(const struct function_index *index,
                                text_id text)
{
    uint32_t *known = &index->closure[text];
    struct str name;
    uint32_t found = FUNCTION_NONE;

    if (*known)
        return *known - 1;
    name = closure_parent(symbols_text(index->symbols, text));
    for (unsigned i = 0;
         i < CLOSURES_DEEP && name.len && found == FUNCTION_NONE; i++) {
        found = function_index_find(index, name);
        name = closure_parent(name);
    }
    *known = found + 1;
    return found;
}
