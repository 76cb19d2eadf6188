#include "report/units.h"

#include <math.h>

static const struct unit bytes[] = {
    {"B", 1},
    {"kB", 1024.0},
    {"MB", 1024.0 * 1024},
    {"GB", 1024.0 * 1024 * 1024},
    {"TB", 1024.0 * 1024 * 1024 * 1024},
    {"PB", 1024.0 * 1024 * 1024 * 1024 * 1024},
};

static const struct unit times[] = {
    {"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}, {"hrs", 3600e9},
};

/* From so many units on a total is shown in a larger one. */
static const double digits_most = 1e7;

static const struct unit plain = {"", 1};

/* The largest unit of a list in which a value is at least one. */
static struct unit largest(const struct unit *units, size_t n, double value)
{
    size_t i = n;

    while (i > 1 && value < units[i - 1].divisor)
        i--;
    return units[i - 1];
}

static struct unit unit_of(struct str profile_unit, double value)
{
    if (str_equal(profile_unit, STR("bytes")))
        return largest(bytes, sizeof(bytes) / sizeof(bytes[0]), value);
    if (str_equal(profile_unit, STR("nanoseconds")))
        return largest(times, sizeof(times) / sizeof(times[0]), value);
    return plain;
}

struct unit unit_choose(struct str profile_unit, uint64_t smallest,
                        uint64_t total)
{
    double least = (double)(smallest ? smallest : total);
    double most = (double)total;
    struct unit small = unit_of(profile_unit, least);
    struct unit readable = unit_of(profile_unit, most / 1000);

    /* Where values lie far apart, the small ones may go down to 0.01, and below
     * where the large ones would get more digits than anybody reads. */
    if (small.divisor < unit_of(profile_unit, most).divisor &&
        least * 100 < most)
        small = unit_of(profile_unit, least * 100);
    return most / small.divisor >= digits_most ? readable : small;
}

void unit_add(struct buf *out, int64_t value, struct unit unit)
{
    size_t begin = out->len;

    if (!value) {
        buf_add_char(out, '0');
        return;
    }
    buf_addf(out, "%.2f", (double)value / unit.divisor);
    if (!out->failed && out->len - begin > 3 &&
        str_ends(buf_str(out), STR(".00")))
        out->len -= 3;
    buf_add(out, str_from(unit.text));
}

void percent_add(struct buf *out, int64_t value, int64_t total)
{
    double share = total ? fabs(100.0 * (double)value / (double)total) : 0;

    if (share >= 99.95 && share <= 100.05)
        buf_add(out, STR("100%"));
    else if (share >= 1)
        buf_addf(out, "%.2f%%", share);
    else
        buf_addf(out, "%.2g%%", share);
}
