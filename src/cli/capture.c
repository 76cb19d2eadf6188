#include "cli/capture.h"

static ptrdiff_t read_on(void *user, void *into, size_t size)
{
    struct capture *capture = user;
    ptrdiff_t n = capture->from.read(capture->from.user, into, size);

    if (n <= 0)
        return n;
    capture->bytes += (uint64_t)n;
    if (capture->into && !capture->is_broken &&
        !spool_add(capture->into, into, (size_t)n))
        capture->is_broken = true;
    return n;
}

struct source capture_source(struct capture *capture, struct source from)
{
    capture->from = from;
    return (struct source){.read = read_on, .user = capture};
}
