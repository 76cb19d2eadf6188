#include "base/str.h"

const char str_lost_text[] = "";

int str_compare(struct str a, struct str b)
{
    size_t n = a.len < b.len ? a.len : b.len;
    int order = n ? memcmp(a.ptr, b.ptr, n) : 0;

    if (order)
        return order;
    return (a.len > b.len) - (a.len < b.len);
}

size_t str_find(struct str s, char c)
{
    const char *at = s.len ? memchr(s.ptr, c, s.len) : NULL;

    return at ? (size_t)(at - s.ptr) : s.len;
}

size_t str_rfind(struct str s, char c)
{
    const char *at = s.len ? memrchr(s.ptr, c, s.len) : NULL;

    return at ? (size_t)(at - s.ptr) : s.len;
}

size_t str_search(struct str s, struct str what)
{
    const char *at;

    if (what.len == 0 || s.len < what.len)
        return what.len == 0 ? 0 : s.len;
    at = memmem(s.ptr, s.len, what.ptr, what.len);
    return at ? (size_t)(at - s.ptr) : s.len;
}

bool str_contains(struct str s, struct str what)
{
    return what.len == 0 || str_search(s, what) < s.len;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

bool str_has_blank(struct str s)
{
    return str_find(s, ' ') < s.len || str_find(s, '\t') < s.len;
}

bool str_has_zeros(struct str s)
{
    return str_find(s, '\0') < s.len;
}

struct str str_trim(struct str s)
{
    while (s.len && is_blank(s.ptr[0]))
        s = str_skip(s, 1);
    while (s.len && is_blank(s.ptr[s.len - 1]))
        s.len--;
    return s;
}

bool str_cut_prefix(struct str *s, struct str prefix)
{
    if (!str_starts(*s, prefix))
        return false;
    *s = str_skip(*s, prefix.len);
    return true;
}

bool str_cut_suffix(struct str *s, struct str suffix)
{
    if (!str_ends(*s, suffix))
        return false;
    s->len -= suffix.len;
    return true;
}

bool str_cut_spelled_tab(struct str *s)
{
    static const struct str spellings[] = {STR_INIT("#011"), STR_INIT("\\t"),
                                           STR_INIT("^I"), STR_INIT("\\x09")};

    if (!s->len || !chars_have("#\\^", s->ptr[0]))
        return false;
    for (size_t i = 0; i < sizeof(spellings) / sizeof(spellings[0]); i++) {
        if (str_cut_prefix(s, spellings[i]))
            return true;
    }
    return false;
}

struct str str_cut_line(struct str *s)
{
    size_t end = str_find(*s, '\n');
    struct str line = str_head(*s, end);

    *s = str_skip(*s, end + 1);
    str_cut_suffix(&line, STR("\r"));
    return line;
}

bool str_cut_decimal(struct str *s, uint64_t *ret)
{
    uint64_t value = 0;
    size_t i = 0;

    for (; i < s->len && s->ptr[i] >= '0' && s->ptr[i] <= '9'; i++) {
        unsigned digit = (unsigned)(s->ptr[i] - '0');

        if (value > (UINT64_MAX - digit) / 10)
            return false;
        value = value * 10 + digit;
    }
    if (i == 0)
        return false;
    *s = str_skip(*s, i);
    *ret = value;
    return true;
}

/* One more than the value of each hexadecimal digit; 0 = none. */
static const uint8_t hex_digits[256] = {
    ['0'] = 1,  ['1'] = 2,  ['2'] = 3,  ['3'] = 4,  ['4'] = 5,  ['5'] = 6,
    ['6'] = 7,  ['7'] = 8,  ['8'] = 9,  ['9'] = 10, ['a'] = 11, ['b'] = 12,
    ['c'] = 13, ['d'] = 14, ['e'] = 15, ['f'] = 16, ['A'] = 11, ['B'] = 12,
    ['C'] = 13, ['D'] = 14, ['E'] = 15, ['F'] = 16,
};

bool str_cut_hex(struct str *s, uint64_t *ret)
{
    uint64_t value = 0;
    size_t i = 0;

    for (; i < s->len; i++) {
        uint8_t digit = hex_digits[(unsigned char)s->ptr[i]];

        if (!digit)
            break;
        if (value >> 60)
            return false;
        value = value << 4 | (uint64_t)(digit - 1);
    }
    if (i == 0)
        return false;
    *s = str_skip(*s, i);
    *ret = value;
    return true;
}

bool str_to_u64(struct str s, uint64_t *ret)
{
    uint64_t value;

    if (!str_cut_decimal(&s, &value) || s.len)
        return false;
    *ret = value;
    return true;
}

size_t str_distance(struct str a, struct str b, size_t limit)
{
    size_t row[65];

    if (a.len > 64 || b.len > 64)
        return limit + 1;
    for (size_t j = 0; j <= b.len; j++)
        row[j] = j;
    for (size_t i = 1; i <= a.len; i++) {
        size_t diagonal = row[0];

        row[0] = i;
        for (size_t j = 1; j <= b.len; j++) {
            size_t change = diagonal + (a.ptr[i - 1] != b.ptr[j - 1]);
            size_t best = row[j] < row[j - 1] ? row[j] + 1 : row[j - 1] + 1;

            diagonal = row[j];
            row[j] = change < best ? change : best;
        }
    }
    return row[b.len] > limit ? limit + 1 : row[b.len];
}
