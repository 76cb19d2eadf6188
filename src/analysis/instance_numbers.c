#include "analysis/instance_numbers.h"

#include "base/intern.h"

bool instance_numbers_init(struct instance_numbers *numbers,
                           struct cprof_snapshots *snapshots,
                           struct arena *arena)
{
    struct intern names;
    bool is_whole = true;

    numbers->of = arena_take(arena, snapshots->count * sizeof(*numbers->of));
    if (!numbers->of)
        return false;
    intern_init(&names, &snapshots->budget);
    for (size_t i = 0; i < snapshots->count && is_whole; i++) {
        struct str name = snapshot_info_get(snapshots->items[i])->instance;

        numbers->of[i] = intern_put(&names, name);
        is_whole = numbers->of[i] || !name.len;
    }
    numbers->count = intern_count(&names) + 1;
    intern_done(&names);
    return is_whole;
}
