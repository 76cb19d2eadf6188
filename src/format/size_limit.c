#include "format/size_limit.h"

#define SIZE_LIMIT ((uint64_t)64 << 20)

bool size_limit_is_at(uint64_t offset, struct snapshot *snapshot)
{
    uint64_t size = offset - snapshot_info(snapshot)->offset;

    return size == SIZE_LIMIT || size == SIZE_LIMIT + 1;
}

bool size_limit_is_at_end(const struct section *section,
                          struct snapshot *snapshot)
{
    const struct lines *lines = section->lines;

    return lines->at_end && size_limit_is_at(lines->n_bytes, snapshot);
}

void size_limit_say(struct section *section, struct snapshot *snapshot)
{
    struct snapshot_info *info = snapshot_info(snapshot);

    info->complete = false;
    diag_add(&section->snapshots->diags, DIAG_WARNING, "cut-64mib",
             (struct place){section->lines->name, info->line, 0},
             "the dump is cut at 64 MiB, where net/http/pprof stops with "
             "debug=2: all counts are lower bounds. Take debug=1 or debug=0 "
             "instead, which are never cut");
}
