#include "rules/prepare.h"

#include <stdlib.h>

#include "rules/match.h"
#include "rules/ruleset.h"

struct pattern_list {
    struct pattern **items;
    size_t count;
};

static void count_pattern(void *user, struct pattern *pattern,
                          const struct origin *origin)
{
    struct pattern_list *list = user;

    (void)pattern;
    (void)origin;
    list->count++;
}

/* Adds a pattern once: rules share those that are equal. */
static void add_pattern(void *user, struct pattern *pattern,
                        const struct origin *origin)
{
    struct pattern_list *list = user;

    (void)origin;
    if (pattern_mark(pattern))
        list->items[list->count++] = pattern;
}

static void visit_enabled(const struct rules *rules, pattern_visit_fn *visit,
                          struct pattern_list *list)
{
    list->count = 0;
    for (size_t i = 0; i < rules->count; i++) {
        if (rule_is_enabled(rules->items[i]))
            rule_each_name(rules->items[i], visit, list);
    }
}

/* Lists the patterns of all rules that take part, each once. False when memory
 * ran out. */
static bool list_patterns(struct pattern_list *list, const struct rules *rules)
{
    visit_enabled(rules, count_pattern, list);
    list->items = malloc((list->count + 1) * sizeof(struct pattern *));
    if (!list->items)
        return false;
    visit_enabled(rules, add_pattern, list);
    for (size_t i = 0; i < list->count; i++)
        pattern_unmark(list->items[i]);
    return true;
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
    size_t n = 0;
    text_id *functions = list_functions(symbols, &n);
    bool is_done =
        functions && list_patterns(&list, rules) &&
        patterns_prepare(list.items, list.count, symbols, functions, n);

    free(list.items);
    free(functions);
    return is_done;
}
