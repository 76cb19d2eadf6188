#include "model/cut.h"
#include "model/rebuild.h"
#include "model/snapshot_parts.h"

/* Moves a text of the info to `at`, and returns the end of it. */
static char *move_text(char *at, struct str *text)
{
    memcpy(at, text->ptr ? text->ptr : "", text->len);
    at[text->len] = '\0';
    *text = (struct str){at, text->len};
    return at + text->len + 1;
}

/* A block for the counts of n groups and for so many bytes behind them; NULL
 * when there is no memory. */
static struct folded *new_folded(const struct snapshot *snapshot, size_t n,
                                 size_t more)
{
    size_t size =
        sizeof(struct folded) + n * sizeof(struct folded_group) + more;
    struct folded *folded =
        budget_resize(symbols_budget(snapshot->symbols), NULL, 0, size);

    if (!folded)
        return NULL;
    folded->size = size;
    folded->n_addresses = 0;
    folded->n_groups = n;
    return folded;
}

void snapshot_fold(struct snapshot *snapshot)
{
    struct snapshot_info *info = &snapshot->info;
    struct str *texts[] = {&info->source, &info->profile, &info->go_version,
                           &info->instance};
    size_t n = snapshot->groups.count;
    size_t size = 0;
    struct folded *folded;
    char *at;

    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
        size += texts[i]->len + 1;
    if (snapshot->folded || info->n_types || info->crash)
        return;
    folded = new_folded(snapshot, n, size);
    if (!folded)
        return;
    folded->n_addresses =
        snapshot_runtime_addresses(snapshot, folded->addresses);
    for (size_t i = 0; i < n; i++) {
        const struct group *group = snapshot_group(snapshot, i);

        folded->groups[i] =
            (struct folded_group){stack_cut(snapshot->symbols, group->stack),
                                  group->state, group->count};
    }
    at = (char *)&folded->groups[n];
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
        at = move_text(at, texts[i]);
    info->labels = NULL; /* they lived with the groups */
    info->n_labels = 0;
    snapshot_free_groups(snapshot);
    pool_init(&snapshot->groups, symbols_budget(snapshot->symbols),
              sizeof(struct group));
    snapshot->folded = folded;
}

bool snapshot_put_folded(struct snapshot *snapshot,
                         const struct folded_group *groups, size_t n,
                         const uint64_t *addresses, size_t n_addresses)
{
    struct folded *folded = new_folded(snapshot, n, 0);

    if (!folded)
        return false;
    if (n)
        memcpy(folded->groups, groups, n * sizeof(*groups));
    folded->n_addresses = n_addresses;
    if (n_addresses)
        memcpy(folded->addresses, addresses, n_addresses * sizeof(*addresses));
    snapshot->folded = folded;
    return true;
}

const struct folded_group *snapshot_folded(const struct snapshot *snapshot,
                                           size_t *ret_count)
{
    *ret_count = snapshot->folded ? snapshot->folded->n_groups : 0;
    return snapshot->folded ? snapshot->folded->groups : NULL;
}
