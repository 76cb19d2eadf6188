#include "unwrap/priority.h"

enum { DIGITS_MOST = 3 };

bool priority_cut(struct str *text)
{
    struct str rest = *text;
    size_t before;
    uint64_t number;

    if (!str_cut_prefix(&rest, STR("<")))
        return false;
    before = rest.len;
    if (!str_cut_decimal(&rest, &number) || before - rest.len > DIGITS_MOST ||
        !str_cut_prefix(&rest, STR(">")))
        return false;
    *text = rest;
    return true;
}
