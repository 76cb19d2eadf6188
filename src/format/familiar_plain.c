/* Comparing with what is familiar, by the functions of the C library. */
#include "format/familiar.h"

#define BYTES_TARGET

static inline bool bytes_same(const char *a, const char *b, size_t n)
{
    return memcmp(a, b, n) == 0;
}

static inline const char *bytes_second_end(const char *at, const char *end)
{
    return familiar_second_end(at, end);
}

static inline const char *bytes_args(const char *at, const char *end)
{
    for (; end - at > FAMILIAR_BLOCK * 2; at++) {
        if (*at == ')')
            return at;
        if (*at == '(' || *at == '\n' || !*at)
            return NULL;
    }
    return NULL;
}

#include "format/familiar_match.h"

bool familiar_match_plain(const struct familiars *familiars,
                          struct familiar_match *match)
{
    return match_goroutine(familiars, match);
}
