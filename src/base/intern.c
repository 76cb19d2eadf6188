#include "base/intern.h"

#include "base/hash.h"

void intern_init(struct intern *intern, struct budget *budget)
{
    arena_init(&intern->arena, budget);
    pool_init(&intern->texts, budget, sizeof(struct str));
    table_init(&intern->table, budget);
}

void intern_done(struct intern *intern)
{
    table_done(&intern->table);
    pool_done(&intern->texts);
    arena_done(&intern->arena);
}

struct str intern_text(const struct intern *intern, text_id id)
{
    if (!id)
        return STR("");
    return *(const struct str *)pool_at(&intern->texts, id - 1);
}

size_t intern_count(const struct intern *intern)
{
    return intern->texts.count;
}

static uint64_t rehash(const void *user, uint32_t id)
{
    struct str text = intern_text(user, id);

    return hash_bytes(text.ptr, text.len);
}

static text_id find(const struct intern *intern, struct str text, uint64_t hash)
{
    struct table_walk walk = table_walk(&intern->table, hash);
    text_id id;

    while ((id = table_next(&intern->table, &walk)) != 0) {
        if (str_equal(intern_text(intern, id), text))
            return id;
    }
    return 0;
}

text_id intern_find(const struct intern *intern, struct str text)
{
    if (!text.len)
        return 0;
    return find(intern, text, hash_bytes(text.ptr, text.len));
}

text_id intern_put(struct intern *intern, struct str text)
{
    uint64_t hash;
    text_id id;
    struct str copy;
    struct str *slot;

    if (str_is_lost(text))
        budget_note_refusal(intern->arena.budget);
    if (!text.len)
        return 0;
    hash = hash_bytes(text.ptr, text.len);
    id = find(intern, text, hash);
    if (id)
        return id;
    copy = arena_copy(&intern->arena, text);
    if (!copy.ptr)
        return 0;
    slot = pool_add(&intern->texts);
    if (!slot)
        return 0;
    *slot = copy;
    id = (text_id)intern->texts.count;
    if (!table_put(&intern->table, hash, id, rehash, intern)) {
        intern->texts.count--;
        return 0;
    }
    return id;
}
