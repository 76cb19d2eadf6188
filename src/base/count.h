/* count.h - numbers as people read them. */
#ifndef BASE_COUNT_H
#define BASE_COUNT_H

#include <stdint.h>

/* What two counts come to, at most INT64_MAX, beyond which no reader of JSON is
 * sure to go: dumps may claim any number of goroutines, each. */
static inline uint64_t count_sum(uint64_t a, uint64_t b)
{
    return a > INT64_MAX || b > INT64_MAX - a ? INT64_MAX : a + b;
}

/* The whole number that is next to a figure: 0 for what is below it or no
 * number, and UINT64_MAX for what is above that, as C leaves open what a figure
 * out of range becomes. */
static inline uint64_t count_near(double figure)
{
    if (!(figure > 0))
        return 0;
    return figure < 0x1p64 ? (uint64_t)(figure + 0.5) : UINT64_MAX;
}

/* "18,446,744,073,709,551,615" and a NUL. */
struct count_text {
    char text[27];
};

/* A number with a comma between thousands, by value, for use as an argument of
 * printf: count_text(n).text. */
struct count_text count_text(uint64_t number);

#endif
