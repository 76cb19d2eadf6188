#include "base/count.h"

#include <string.h>

struct count_text count_text(uint64_t number)
{
    struct count_text digits;
    size_t at = sizeof(digits.text) - 1;
    unsigned n = 0;

    digits.text[at] = '\0';
    do {
        if (n && n % 3 == 0)
            digits.text[--at] = ',';
        digits.text[--at] = (char)('0' + number % 10);
        number /= 10;
        n++;
    } while (number);
    memmove(digits.text, digits.text + at, sizeof(digits.text) - at);
    return digits;
}
