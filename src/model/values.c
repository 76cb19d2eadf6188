#include "model/values.h"

void values_add(int64_t *into, const int64_t *from, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (__builtin_add_overflow(into[i], from[i], &into[i]))
            into[i] = from[i] < 0 ? INT64_MIN : INT64_MAX;
    }
}

bool values_any(const int64_t *values, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (values[i])
            return true;
    }
    return false;
}
