#include "unwrap/clock.h"

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Cuts what the pattern describes: '0' stands for a digit, everything else for
 * itself. */
static bool cut_pattern(struct str *text, const char *pattern)
{
    size_t n = strlen(pattern);

    if (text->len < n)
        return false;
    for (size_t i = 0; i < n; i++) {
        if (pattern[i] == '0' ? !is_digit(text->ptr[i])
                              : text->ptr[i] != pattern[i])
            return false;
    }
    *text = str_skip(*text, n);
    return true;
}

static bool cut_month(struct str *text)
{
    static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";

    if (!text->len || text->ptr[0] < 'A' || text->ptr[0] > 'S')
        return false;
    for (size_t i = 0; i < sizeof(months) - 1; i += 3) {
        if (str_cut_prefix(text, (struct str){months + i, 3}))
            return true;
    }
    return false;
}

/* A date and what parts it from the time. */
static bool cut_date(struct str *text)
{
    struct str rest = *text;

    if (rest.len && !is_digit(rest.ptr[0])) {
        if (!cut_month(&rest) ||
            (!cut_pattern(&rest, " 00 ") && !cut_pattern(&rest, "  0 ")))
            return false;
    } else if (cut_pattern(&rest, "0000-00-00")) {
        if (!str_cut_prefix(&rest, STR("T")) &&
            !str_cut_prefix(&rest, STR(" ")))
            return false;
    } else if (!cut_pattern(&rest, "0000/00/00 ")) {
        return false;
    }
    *text = rest;
    return true;
}

/* ".123456" or ",123". */
static void cut_fraction(struct str *text)
{
    size_t i = 1;

    if (text->len < 2 || (text->ptr[0] != '.' && text->ptr[0] != ',') ||
        !is_digit(text->ptr[1]))
        return;
    while (i < text->len && is_digit(text->ptr[i]))
        i++;
    *text = str_skip(*text, i);
}

bool clock_cut_local(struct str *text)
{
    struct str rest = *text;

    cut_date(&rest);
    if (!cut_pattern(&rest, "00:00:00"))
        return false;
    cut_fraction(&rest);
    *text = rest;
    return true;
}

/* "@", 16 digits of seconds from 2^62 on, and 8 of nanoseconds: an external
 * TAI64N label (https://cr.yp.to/libtai/tai64.html), of this century. What
 * stands between the digits and the letters is let through, so that a stencil
 * can tell by one comparison what this function would. */
static bool cut_tai64n(struct str *text)
{
    struct str label = str_head(*text, 25);

    if (label.len < 25 || !str_cut_prefix(&label, STR("@40000000")))
        return false;
    for (size_t i = 0; i < label.len; i++) {
        if (label.ptr[i] < '0' || label.ptr[i] > 'f')
            return false;
    }
    *text = str_skip(*text, 25);
    return true;
}

bool clock_cut(struct str *text)
{
    struct str rest = *text;

    if (cut_tai64n(text))
        return true;
    if (!clock_cut_local(&rest))
        return false;
    if (!str_cut_prefix(&rest, STR("Z")) && !cut_pattern(&rest, "+00:00") &&
        !cut_pattern(&rest, "-00:00") && !cut_pattern(&rest, "+0000"))
        cut_pattern(&rest, "-0000");
    *text = rest;
    return true;
}
