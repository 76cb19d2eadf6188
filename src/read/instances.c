#include "read/instances.h"

#include <stdlib.h>

void instances_done(struct instances *instances)
{
    for (size_t i = 0; i < instances->count; i++)
        free((void *)(uintptr_t)instances->names[i].ptr);
    free(instances->names);
    instances->names = NULL;
    instances->count = 0;
}

/* A copy at the end of the list. */
static bool add_name(struct instances *instances, struct str name)
{
    char *copy;

    if (instances->count == INSTANCES_MOST)
        return false;
    if (!instances->names)
        instances->names = calloc(INSTANCES_MOST, sizeof(*instances->names));
    copy = instances->names ? malloc(name.len + 1) : NULL;
    if (!copy)
        return false;
    memcpy(copy, name.ptr, name.len);
    instances->names[instances->count++] = (struct str){copy, name.len};
    return true;
}

uint32_t instances_input(struct instances *instances, struct str name)
{
    for (size_t i = 0; i < instances->count; i++) {
        if (str_equal(instances->names[i], name))
            return instances->base + (uint32_t)i;
    }
    if (!add_name(instances, name)) {
        instances->has_others = true;
        return instances->base;
    }
    return instances->base + (uint32_t)instances->count - 1;
}

uint32_t instances_count(const struct instances *instances)
{
    return instances->count ? (uint32_t)instances->count : 1;
}
