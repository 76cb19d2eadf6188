/* relocate.h - line numbers of unwrapped text, as lines of the text around it.
 *
 * Readers see the lines of the inner text. What they left behind, snapshots and
 * diagnostics, is corrected once they are done; so is what they could not know:
 * that lines had been left out. */
#ifndef READ_RELOCATE_H
#define READ_RELOCATE_H

#include "format/format.h"
#include "unwrap/line_map.h"

/* What was there before the readers began. */
struct relocation {
    size_t n_snapshots;
    uint64_t n_dropped;
    struct diag *last; /* NULL = there was none */
};

/* Remembers what there is. */
struct relocation relocation_begin(const struct cprof_snapshots *snapshots,
                                   const struct section *section);

/* Corrects the lines of all that came since. */
void relocate(struct cprof_snapshots *snapshots, const struct section *section,
              const struct relocation *from, const struct line_map *map);

/* All dumps that came since are incomplete: lines of theirs may be among those
 * that were left out. */
void relocation_mark_incomplete(struct cprof_snapshots *snapshots,
                                const struct section *section,
                                const struct relocation *from);

#endif
