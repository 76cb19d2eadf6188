#include "input/metered.h"

static ptrdiff_t read_metered(void *user, void *into, size_t size)
{
    struct metered *metered = user;
    ptrdiff_t n = metered->inner.read(metered->inner.user, into, size);

    if (n > 0) {
        metered->bytes = metered->file < 0 ? metered->bytes + (uint64_t)n
                                           : source_position(metered->file);
        metered->tell(metered->user, metered->name, metered->bytes);
    }
    return n;
}

static void close_metered(void *user)
{
    struct metered *metered = user;

    source_close(&metered->inner);
}

static const char *trouble_metered(void *user)
{
    struct metered *metered = user;

    return metered->inner.trouble ? metered->inner.trouble(metered->inner.user)
                                  : NULL;
}

struct source source_metered(struct metered *metered, struct source inner,
                             const char *name, cprof_progress_fn *tell,
                             void *user)
{
    *metered = (struct metered){
        .inner = inner,
        .name = name,
        .file = source_file(&inner),
        .tell = tell,
        .user = user,
    };
    return (struct source){read_metered, metered, close_metered,
                           trouble_metered};
}
