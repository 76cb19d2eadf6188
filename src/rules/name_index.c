#include "rules/name_index.h"

#include "base/hash.h"

void name_index_init(struct name_index *index, struct budget *budget)
{
    *index = (struct name_index){0};
    table_init(&index->table, budget);
}

void name_index_done(struct name_index *index)
{
    table_done(&index->table);
    index->n_entered = 0;
}

/* Where names are asked for. */
struct names {
    nearest_word_fn *name;
    const void *user;
};

static uint64_t hash_of(const struct names *names, size_t item)
{
    struct str name = names->name(names->user, item);

    return hash_bytes(name.ptr, name.len);
}

static uint64_t rehash(const void *user, uint32_t id)
{
    return hash_of(user, id - 1);
}

void name_index_enter(struct name_index *index, size_t n, nearest_word_fn *name,
                      const void *user)
{
    struct names names = {name, user};

    while (index->n_entered < n &&
           table_put(&index->table, hash_of(&names, index->n_entered),
                     (uint32_t)index->n_entered + 1, rehash, &names))
        index->n_entered++;
}

size_t name_index_find(const struct name_index *index, struct str text,
                       size_t n, nearest_word_fn *name, const void *user)
{
    struct table_walk walk =
        table_walk(&index->table, hash_bytes(text.ptr, text.len));
    size_t last = n;
    uint32_t id;

    for (size_t i = n; i > index->n_entered; i--) {
        if (str_equal(name(user, i - 1), text))
            return i - 1;
    }
    while ((id = table_next(&index->table, &walk)) != 0) {
        if (id <= n && (last == n || id > last) &&
            str_equal(name(user, id - 1), text))
            last = id - 1;
    }
    return last;
}
