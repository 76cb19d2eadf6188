#include "export/names.h"

#include "base/escape.h"

struct str export_escaped(struct buf *scratch, struct str text)
{
    buf_clear(scratch);
    escape_add(scratch, text);
    return buf_str(scratch);
}

size_t export_n_types(const struct export_groups *groups)
{
    return groups->info->n_types ? groups->info->n_types : 1;
}

struct value_type export_type(const struct export_groups *groups, size_t index)
{
    if (groups->info->n_types)
        return groups->info->types[index];
    return (struct value_type){groups->info->profile, STR("count")};
}

int64_t export_value(const struct export_groups *groups,
                     const struct export_group *group, size_t index)
{
    if (group->values)
        return group->values[index];
    if (groups->info->n_types)
        return 0; /* there was no memory for its values */
    return group->count < INT64_MAX ? (int64_t)group->count : INT64_MAX;
}

void export_title_add(struct buf *buf, const struct export_request *request)
{
    const struct snapshot_info *info =
        snapshot_info_get(request->snapshots->items[request->chosen[0]]);

    if (request->n_chosen == 1)
        escape_add(buf, info->source);
    else
        buf_addf(buf, "%zu dumps", request->n_chosen);
}
