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

/* The first snapshot that came since; the oldest may have been dropped to make
 * room. */
static size_t first_since(const struct relocation *from,
                          const struct section *section)
{
    uint64_t dropped = section->n_dropped - from->n_dropped;

    return dropped < from->n_snapshots ? from->n_snapshots - (size_t)dropped
                                       : 0;
}

void relocate(struct cprof_snapshots *snapshots, const struct section *section,
              const struct relocation *from, const struct line_map *map)
{
    size_t i = first_since(from, section);

    for (; i < snapshots->count; i++) {
        struct snapshot_info *info = snapshot_info(snapshots->items[i]);

        info->line = line_map_outer(map, info->line);
    }
    relocate_diags(&snapshots->diags, from->last, map);
}

void relocation_mark_incomplete(struct cprof_snapshots *snapshots,
                                const struct section *section,
                                const struct relocation *from)
{
    size_t i = first_since(from, section);

    for (; i < snapshots->count; i++)
        snapshot_info(snapshots->items[i])->complete = false;
}
