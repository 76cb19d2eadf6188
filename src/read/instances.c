#include "read/instances.h"

#include <stdlib.h>
#include <string.h>

struct instance {
    char *text; /* owned: the name, and the process behind it */
    struct str name;
    struct str process;
    uint32_t input; /* counted from the base */
    bool has_ended;
    bool is_followed; /* another goes on as this */
    uint64_t section; /* of the text that was read last */
    uint64_t last_line;
};

void instances_done(struct instances *instances)
{
    for (size_t i = 0; i < instances->count; i++)
        free(instances->items[i].text);
    free(instances->items);
    instances->items = NULL;
    instances->count = 0;
}

/* The name of a process without its number, which is the last one in it. */
static struct str cut_number(struct str process, struct str *ret_end)
{
    size_t end = process.len;
    size_t begin;

    while (end > 0 && !chars_have("0123456789", process.ptr[end - 1]))
        end--;
    begin = end;
    while (begin > 0 && chars_have("0123456789", process.ptr[begin - 1]))
        begin--;
    *ret_end = str_skip(process, end);
    return str_head(process, begin);
}

static bool is_same_program(struct str a, struct str b)
{
    struct str end_of_a;
    struct str end_of_b;

    return str_equal(cut_number(a, &end_of_a), cut_number(b, &end_of_b)) &&
           str_equal(end_of_a, end_of_b);
}

static struct instance *find(const struct instances *instances,
                             const struct whose *whose)
{
    for (size_t i = 0; i < instances->count; i++) {
        struct instance *item = &instances->items[i];

        if (str_equal(item->name, whose->instance) &&
            str_equal(item->process, whose->process))
            return item;
    }
    return NULL;
}

/* The process that has ended before this one began, and that none goes on for
 * yet; NULL = none. */
static struct instance *find_ended(const struct instances *instances,
                                   const struct whose *whose)
{
    for (size_t i = instances->count; i-- > 0;) {
        struct instance *item = &instances->items[i];

        if (item->has_ended && !item->is_followed &&
            str_equal(item->name, whose->instance) &&
            is_same_program(item->process, whose->process) &&
            (item->section < whose->section ||
             item->last_line < whose->first_line))
            return item;
    }
    return NULL;
}

/* At the end of the list. */
static struct instance *add(struct instances *instances,
                            const struct whose *whose)
{
    size_t size = whose->instance.len + whose->process.len;
    struct instance *item;

    if (instances->count == INSTANCES_MOST)
        return NULL;
    if (!instances->items)
        instances->items = calloc(INSTANCES_MOST, sizeof(*instances->items));
    if (!instances->items)
        return NULL;
    item = &instances->items[instances->count];
    item->text = malloc(size + 1);
    if (!item->text)
        return NULL;
    if (whose->instance.len)
        memcpy(item->text, whose->instance.ptr, whose->instance.len);
    item->name = (struct str){item->text, whose->instance.len};
    item->process =
        (struct str){item->text + item->name.len, whose->process.len};
    if (whose->process.len)
        memcpy(item->text + item->name.len, whose->process.ptr,
               whose->process.len);
    instances->count++;
    return item;
}

/* Whether another input has the name. */
static bool is_taken(const struct instances *instances,
                     const struct instance *of)
{
    const struct instance *item = instances->items;

    while (!str_equal(item->name, of->name))
        item++;
    return item->input != of->input;
}

uint32_t instances_input(struct instances *instances, const struct whose *whose,
                         struct str *ret_name)
{
    struct instance *item = find(instances, whose);
    struct instance *ended;

    *ret_name = whose->instance;
    if (!item) {
        ended = find_ended(instances, whose);
        item = add(instances, whose);
        if (!item) {
            instances->has_others |= instances->count == INSTANCES_MOST;
            instances->has_lost |= instances->count < INSTANCES_MOST;
            return instances->base;
        }
        item->input = ended ? ended->input : instances->n_inputs++;
        if (ended)
            ended->is_followed = true;
    }
    if (is_taken(instances, item))
        *ret_name = whose->process;
    return instances->base + item->input;
}

void instances_end(struct instances *instances, const struct whose *whose,
                   bool has_ended)
{
    struct instance *item = find(instances, whose);

    if (!item)
        return;
    item->has_ended = has_ended;
    item->section = whose->section;
    item->last_line = whose->last_line;
}

uint32_t instances_count(const struct instances *instances)
{
    return instances->n_inputs ? instances->n_inputs : 1;
}
