#include "base/width.h"

#include <stdbool.h>

static bool is_in(const struct width_range *ranges, size_t n, uint32_t point)
{
    size_t low = 0;
    size_t high = n;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (point > ranges[middle].last)
            low = middle + 1;
        else
            high = middle;
    }
    return low < n && point >= ranges[low].first;
}

unsigned char_width(uint32_t point)
{
    if (point < 0x80)
        return 1;
    if (is_in(width_zero, n_width_zero, point))
        return 0;
    return is_in(width_wide, n_width_wide, point) ? 2 : 1;
}
