#include "read/relocate.h"

struct relocation relocation_begin(const struct cprof_snapshots *snapshots,
                                   const struct section *section)
{
    return (struct relocation){.n_snapshots = snapshots->count,
                               .n_dropped = section->n_dropped,
                               .last = snapshots->diags.last};
}

static void relocate_diags(struct diags *diags, const struct diag *last,
                           const struct line_map *map)
{
    struct diag *diag = last ? last->next : diags->first;

    for (; diag; diag = diag->next) {
        if (diag->line)
            diag->line = line_map_outer(map, diag->line);
    }
}

void relocate(struct cprof_snapshots *snapshots, const struct section *section,
              const struct relocation *from, const struct line_map *map)
{
    /* The oldest snapshots may have been dropped to make room. */
    uint64_t dropped = section->n_dropped - from->n_dropped;
    size_t first =
        dropped < from->n_snapshots ? from->n_snapshots - (size_t)dropped : 0;

    for (size_t i = first; i < snapshots->count; i++) {
        struct snapshot_info *info = snapshot_info(snapshots->items[i]);

        info->line = line_map_outer(map, info->line);
    }
    relocate_diags(&snapshots->diags, from->last, map);
}
