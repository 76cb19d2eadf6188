#include "model/values.h"

#include "base/buf.h"
#include "base/escape.h"

static bool is_taken(const struct value_type *types, size_t n, struct str name)
{
    size_t i = 0;

    while (i < n && !str_equal(types[i].name, name))
        i++;
    return i < n;
}

/* Writes the name of a type, which none of the n types before it has. */
static void add_name(struct buf *out, struct str name,
                     const struct value_type *before, size_t n)
{
    size_t len;

    escape_add(out, name);
    len = out->len;
    for (size_t i = 2; !out->failed && is_taken(before, n, buf_str(out)); i++) {
        out->len = len;
        buf_addf(out, "#%zu", i);
    }
}

bool values_copy_types(struct arena *arena, const struct value_type *types,
                       size_t n, struct value_type *copies)
{
    struct buf name = {0};
    bool is_whole = true;

    for (size_t i = 0; i < n && is_whole; i++) {
        buf_clear(&name);
        add_name(&name, types[i].name, copies, i);
        copies[i].name = arena_copy(arena, buf_str(&name));
        copies[i].unit = arena_copy(arena, types[i].unit);
        is_whole = !name.failed && copies[i].name.ptr && copies[i].unit.ptr;
    }
    buf_done(&name);
    return is_whole;
}

int64_t value_sum(int64_t a, int64_t b)
{
    int64_t sum;

    if (__builtin_add_overflow(a, b, &sum))
        return b < 0 ? INT64_MIN : INT64_MAX;
    return sum;
}

int64_t value_difference(int64_t a, int64_t b)
{
    int64_t difference;

    if (__builtin_sub_overflow(a, b, &difference))
        return b < 0 ? INT64_MAX : INT64_MIN;
    return difference;
}

int64_t value_absolute(int64_t value)
{
    return value < 0 ? value_difference(0, value) : value;
}

void values_add(int64_t *into, const int64_t *from, size_t n)
{
    for (size_t i = 0; i < n; i++)
        into[i] = value_sum(into[i], from[i]);
}

bool values_any(const int64_t *values, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (values[i])
            return true;
    }
    return false;
}
