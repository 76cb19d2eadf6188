#include "notify/range.h"

#include <math.h>

/* Ten digits before the point are more goroutines than there can be, and few
 * enough for a double. */
enum { DIGITS_MOST = 10 };

/* Cuts digits off *text and returns what they are worth; *ret_n says how many
 * there were. */
static double cut_digits(struct str *text, size_t *ret_n)
{
    double value = 0;

    *ret_n = 0;
    while (text->len && text->ptr[0] >= '0' && text->ptr[0] <= '9') {
        value = value * 10 + (text->ptr[0] - '0');
        *text = str_skip(*text, 1);
        ++*ret_n;
    }
    return value;
}

/* Cuts a number off the front of *text: digits with a sign and a fraction, in
 * no locale. */
static bool cut_number(struct str *text, double *ret)
{
    struct str rest = *text;
    bool is_negative = str_cut_prefix(&rest, STR("-"));
    size_t n_whole;
    size_t n_part = 0;
    double value;

    if (!is_negative)
        str_cut_prefix(&rest, STR("+"));
    value = cut_digits(&rest, &n_whole);
    if (str_cut_prefix(&rest, STR("."))) {
        value += cut_digits(&rest, &n_part) / pow(10, (double)n_part);
        if (!n_part)
            return false;
    }
    if (n_whole + n_part == 0 || n_whole > DIGITS_MOST || n_part > DIGITS_MOST)
        return false;
    *ret = is_negative ? -value : value;
    *text = rest;
    return true;
}

bool range_parse(struct str text, struct range *ret)
{
    struct range range = {.is_given = true, .high = INFINITY};
    size_t colon;

    range.is_inside = str_cut_prefix(&text, STR("@"));
    colon = str_find(text, ':');
    if (colon < text.len) {
        if (text.len == 1)
            return false;
        if (str_cut_prefix(&text, STR("~")))
            range.low = -INFINITY;
        else if (colon && !cut_number(&text, &range.low))
            return false;
        if (!str_cut_prefix(&text, STR(":")))
            return false;
        if (text.len && !cut_number(&text, &range.high))
            return false;
    } else if (!cut_number(&text, &range.high)) {
        return false;
    }
    if (text.len || range.low > range.high)
        return false;
    *ret = range;
    return true;
}

bool range_alerts(const struct range *range, double value)
{
    bool is_within = value >= range->low && value <= range->high;

    return range->is_given && is_within == range->is_inside;
}

/* A whole number without a fraction, any other with what it has. */
static void add_number(struct buf *buf, double value)
{
    size_t from = buf->len;

    buf_addf(buf, "%.10f", value);
    if (buf->failed)
        return;
    while (buf->len > from && buf->ptr[buf->len - 1] == '0')
        buf->ptr[--buf->len] = '\0';
    if (buf->len > from && buf->ptr[buf->len - 1] == '.')
        buf->ptr[--buf->len] = '\0';
}

void range_add(struct buf *buf, const struct range *range)
{
    if (!range->is_given)
        return;
    if (range->is_inside)
        buf_add_char(buf, '@');
    if (range->low == -INFINITY)
        buf_add_char(buf, '~');
    else if (range->low != 0 || range->high == INFINITY)
        add_number(buf, range->low);
    if (range->low != 0 || range->high == INFINITY)
        buf_add_char(buf, ':');
    if (range->high != INFINITY)
        add_number(buf, range->high);
}
