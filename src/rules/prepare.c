#include "rules/prepare.h"

#include <stdlib.h>

#include "rules/match.h"
#include "rules/ruleset.h"

struct pattern_list {
    struct pattern **items; /* NULL while they are only counted */
    size_t count;
};

static void add_pattern(void *user, struct pattern *pattern,
                        const struct origin *origin)
{
    struct pattern_list *list = user;

    (void)origin;
    if (list->items)
        list->items[list->count] = pattern;
    list->count++;
}

static void add_patterns(struct pattern_list *list, const struct rules *rules)
{
    list->count = 0;
    for (size_t i = 0; i < rules->count; i++) {
        if (rule_is_enabled(rules->items[i]))
            rule_each_name(rules->items[i], add_pattern, list);
    }
}

static int compare_pointers(const void *a, const void *b)
{
    const struct pattern *left = *(struct pattern *const *)a;
    const struct pattern *right = *(struct pattern *const *)b;

    return left < right ? -1 : left > right;
}

/* Leaves each pattern once: rules share those that are equal. */
static void drop_doubles(struct pattern_list *list)
{
    size_t n = 0;

    if (!list->count)
        return;
    qsort(list->items, list->count, sizeof(struct pattern *), compare_pointers);
    for (size_t i = 0; i < list->count; i++) {
        if (!i || list->items[i] != list->items[i - 1])
            list->items[n++] = list->items[i];
    }
    list->count = n;
}

/* The functions of all frames, each once; NULL when memory ran out. */
static text_id *list_functions(const struct symbols *symbols, size_t *ret_count)
{
    bool *is_listed = calloc(symbols_n_texts(symbols) + 1, sizeof(*is_listed));
    text_id *functions =
        malloc((symbols_n_frames(symbols) + 1) * sizeof(*functions));
    size_t n = 0;

    for (size_t i = 1; functions && is_listed && i <= symbols_n_frames(symbols);
         i++) {
        text_id function = symbols_frame(symbols, (frame_id)i).function;

        if (is_listed[function])
            continue;
        is_listed[function] = true;
        functions[n++] = function;
    }
    if (!is_listed) {
        free(functions);
        functions = NULL;
    }
    free(is_listed);
    *ret_count = n;
    return functions;
}

bool prepare_rules(const struct rules *rules, const struct symbols *symbols)
{
    struct pattern_list list = {0};
    text_id *functions;
    size_t n = 0;
    bool is_done = false;

    add_patterns(&list, rules);
    list.items = malloc((list.count + 1) * sizeof(struct pattern *));
    functions = list_functions(symbols, &n);
    if (list.items && functions) {
        add_patterns(&list, rules);
        drop_doubles(&list);
        is_done =
            patterns_prepare(list.items, list.count, symbols, functions, n);
    }
    free(list.items);
    free(functions);
    return is_done;
}
