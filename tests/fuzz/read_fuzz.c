/* Any bytes through the driver: read at once, in small pieces, and with next to
 * no memory. */
#include "reading.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Less memory loses stacks, never goroutines. */
static void check_small(const struct reading *whole, const uint8_t *data,
                        size_t size)
{
    struct reading small;

    reading_init(&small, "320k");
    reading_add(&small, data, size, 0);
    if (small.rc == 0 && whole->rc == 0)
        CHECK(reading_total(&small) == reading_total(whole));
    if (small.rc < 0 && whole->rc == 0)
        CHECK(small.rc == CPROF_ENOMEM);
    reading_done(&small);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct reading whole;
    struct reading pieces;

    reading_init(&whole, NULL);
    reading_init(&pieces, NULL);
    reading_add(&whole, data, size, 0);
    reading_add(&pieces, data, size, 1 + size % 7);
    reading_same(&whole, &pieces);
    check_small(&whole, data, size);
    reading_done(&whole);
    reading_done(&pieces);
    return 0;
}
