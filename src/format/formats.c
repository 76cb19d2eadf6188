#include "format/count_profile.h"
#include "format/format.h"
#include "format/stacks.h"

const struct format *const formats[] = {
    &stacks_format,
    &count_profile_format,
};

const size_t n_formats = sizeof(formats) / sizeof(formats[0]);

const struct format *format_recognise(struct lines *lines, struct str line)
{
    for (size_t i = 0; i < n_formats; i++) {
        if (formats[i]->recognise(lines, line))
            return formats[i];
    }
    return NULL;
}

int section_snapshot(struct section *section, const char *format,
                     struct snapshot **ret, struct cprof_error *err)
{
    struct snapshot_info *info;
    int rc = collection_add(section->snapshots, ret, err);

    if (rc < 0)
        return rc;
    info = snapshot_info(*ret);
    info->source = snapshot_copy(*ret, section->source);
    info->format = format;
    info->input = section->input;
    info->line = section->lines->number;
    info->profile = STR("goroutine");
    return 0;
}
