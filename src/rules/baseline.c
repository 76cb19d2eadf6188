#include "rules/baseline.h"

#include <stdio.h>
#include <stdlib.h>

#include "model/name_time.h"
#include "rules/baselines.h"
#include "rules/schema.h"
#include "rules/values.h"

enum { SIGNATURE_LEAST = 8, SIGNATURE_DIGITS = 32 };

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

/* What the keys of a file are read into. */
struct baseline_file {
    struct baseline *baseline;
};

int baseline_new(struct baseline **ret, const char *name, struct budget *budget,
                 struct cprof_error *err)
{
    struct baseline *baseline = calloc(1, sizeof(*baseline));
    struct place place = {name, 0, 0};

    if (!baseline)
        return error_memory(err, place, "reading the baseline");
    arena_init(&baseline->arena, budget);
    baseline->name = arena_copy(&baseline->arena, str_from(name)).ptr;
    if (!baseline->name) {
        baseline_free(baseline);
        return error_memory(err, place, "reading the baseline");
    }
    *ret = baseline;
    return 0;
}

void baseline_free(struct baseline *baseline)
{
    if (!baseline)
        return;
    arena_done(&baseline->arena);
    free(baseline->entries);
    free(baseline);
}

struct baseline_entry *baseline_add(struct baseline *baseline)
{
    struct baseline_entry *entry =
        arena_take_zero(&baseline->arena, sizeof(*entry));

    if (entry && baseline->count == baseline->size) {
        size_t size = baseline->size ? baseline->size * 2 : 16;
        struct baseline_entry **entries =
            realloc(baseline->entries, size * sizeof(struct baseline_entry *));

        if (!entries)
            return NULL;
        baseline->entries = entries;
        baseline->size = size;
    }
    if (entry)
        baseline->entries[baseline->count++] = entry;
    return entry;
}

/* --- Values --------------------------------------------------------------- */

static int read_version(struct loader *loader, const struct node *node,
                        void *into)
{
    (void)into;
    if (node->kind == NODE_TEXT && str_equal(node->text, STR("1")))
        return 0;
    return load_error(loader, node,
                      "this program knows 'version: 1' of baselines only");
}

/* struct str: a text on one line. Unlike one of a rule it may hold braces. */
static int read_line(struct loader *loader, const struct node *node, void *into)
{
    struct str *text = into;
    struct str read = node->text;

    str_cut_suffix(&read, STR("\n"));
    read = str_trim(read);
    if (node->kind != NODE_TEXT || !read.len)
        return kind_error(loader, node, "a text");
    if (str_find(read, '\n') < read.len)
        return load_error(loader, node, "'" STR_FORMAT "' must fit one line",
                          STR_ARG(node->key->text));
    *text = arena_copy(loader->arena, read);
    return text->ptr ? 0 : load_memory(loader);
}

static int read_signature(struct loader *loader, const struct node *node,
                          void *into)
{
    struct str *text = into;
    int failed = read_line(loader, node, into);
    size_t i = 0;

    if (failed)
        return failed;
    while (i < text->len && chars_have("0123456789abcdef", text->ptr[i]))
        i++;
    if (i == text->len && i >= SIGNATURE_LEAST && i <= SIGNATURE_DIGITS)
        return 0;
    return load_error(loader, node,
                      "'signature' must be %d to %d digits of 0-9 and a-f, as "
                      "reports print them",
                      SIGNATURE_LEAST, SIGNATURE_DIGITS);
}

static int read_ceiling(struct loader *loader, const struct node *node,
                        void *into)
{
    uint64_t *ceiling = into;

    if (node->kind == NODE_TEXT && str_to_u64(node->text, ceiling) && *ceiling)
        return 0;
    return load_error(loader, node,
                      "'ceiling' must be a number of goroutines, at least 1");
}

/* struct str: a day, "2027-01-31". As texts, days are in order. */
static int read_expires(struct loader *loader, const struct node *node,
                        void *into)
{
    int failed = read_line(loader, node, into);

    if (failed || day_is_valid(*(struct str *)into))
        return failed;
    return load_error(loader, node,
                      "'expires' must be the last day that counts, such as "
                      "2027-01-31");
}

#define FIELD(field) offsetof(struct baseline_entry, field)

static const struct schema_key entry_keys[] = {
    {"rule", value_id, FIELD(rule), false},
    {"site", read_line, FIELD(site), false},
    {"signature", read_signature, FIELD(signature), false},
    {"ceiling", read_ceiling, FIELD(ceiling), true},
    {"reason", read_line, FIELD(reason), false},
    {"expires", read_expires, FIELD(expires), false},
};

static const struct schema entry_schema = {"an entry", entry_keys,
                                           COUNT_OF(entry_keys), false};

/* --- Entries -------------------------------------------------------------- */

static bool is_same_place(const struct baseline_entry *a,
                          const struct baseline_entry *b)
{
    return str_equal(a->rule, b->rule) && str_equal(a->site, b->site) &&
           str_equal(a->signature, b->signature);
}

/* Refuses an entry that names no place, or one that another names. */
static int check_entry(struct loader *loader, const struct node *node,
                       const struct baseline *baseline,
                       const struct baseline_entry *entry)
{
    if (!entry->site.len && !entry->signature.len)
        return load_error(loader, node,
                          "an entry needs a key 'site' or 'signature'");
    for (size_t i = 0; i + 1 < baseline->count; i++) {
        if (is_same_place(baseline->entries[i], entry))
            return load_error(loader, node,
                              "this place was accepted before, on line %llu",
                              (unsigned long long)baseline->entries[i]->line);
    }
    return 0;
}

static int read_entry(struct loader *loader, const struct node *node,
                      struct baseline *baseline)
{
    struct baseline_entry *entry = baseline_add(baseline);
    int failed;

    if (!entry)
        return load_memory(loader);
    entry->line = node->line;
    failed = schema_read(loader, &entry_schema, node, entry);
    return failed ? failed : check_entry(loader, node, baseline, entry);
}

static int read_entries(struct loader *loader, const struct node *node,
                        void *into)
{
    struct baseline *baseline = *(struct baseline **)into;
    int failed = 0;

    /* `accept:` with nothing behind it accepts nothing. */
    if (node->kind == NODE_TEXT && !node->text.len)
        return 0;
    if (node->kind != NODE_LIST)
        return kind_error(loader, node, "a list of entries");
    for (const struct node *item = node->first; item && failed != CPROF_ENOMEM;
         item = item->next)
        failed = load_worse(failed, read_entry(loader, item, baseline));
    return failed;
}

static const struct schema_key file_keys[] = {
    {"version", read_version, 0, true},
    {"accept", read_entries, offsetof(struct baseline_file, baseline), true},
};

static const struct schema file_schema = {"a baseline", file_keys,
                                          COUNT_OF(file_keys), false};

/* --- The file ------------------------------------------------------------- */

/* Makes one error of all problems: the first, and the others as far as there
 * is room for them. */
static int report(const struct problems *problems, struct cprof_error *err)
{
    struct buf detail = {0};

    if (!problems->count)
        return error_memory(err, (struct place){0}, "reading the baseline");
    if (err) {
        *err = problems->items[0].what;
        buf_addf(&detail, "%s", err->detail);
        for (size_t i = 1; i < problems->count; i++) {
            const struct cprof_error *what = &problems->items[i].what;

            buf_addf(&detail, "\n%s:%llu:%llu: %s", what->source,
                     (unsigned long long)what->line,
                     (unsigned long long)what->column, what->message);
        }
        if (detail.ptr)
            error_detail(err, "%s", detail.ptr);
        buf_done(&detail);
    }
    return CPROF_ERULE;
}

static int read_root(struct loader *loader, struct source *source,
                     struct arena *nodes, struct baseline *baseline)
{
    struct baseline_file file = {baseline};
    struct cprof_error what = {0};
    const struct node *root = NULL;
    int failed = source_check(source, &what);

    if (!failed)
        failed = node_parse(&root, source, nodes, &what);
    if (failed == CPROF_ENOMEM)
        return load_memory(loader);
    if (failed) {
        problems_add(loader->problems, PROBLEM_ERROR, &what);
        return failed;
    }
    if (!root)
        return load_error_at(loader, (struct span){0, 0},
                             "no baseline here, expected 'version: 1' and "
                             "'accept:'");
    return schema_read(loader, &file_schema, root, &file);
}

int baseline_parse(struct baseline **ret, const char *name, struct str text,
                   struct budget *budget, struct cprof_error *err)
{
    struct baseline *baseline = NULL;
    struct problems problems = {0};
    struct arena nodes;
    struct source source = {.name = name, .text = text};
    struct loader loader = {
        .source = &source, .file = name, .problems = &problems, .err = err};
    int failed = baseline_new(&baseline, name, budget, err);

    if (failed)
        return failed;
    str_cut_prefix(&source.text, STR("\xef\xbb\xbf"));
    loader.arena = &baseline->arena;
    arena_init(&nodes, budget);
    failed = read_root(&loader, &source, &nodes, baseline);
    arena_done(&nodes);
    if (failed == CPROF_ERULE) {
        problems_sort(&problems, 0);
        failed = report(&problems, err);
    }
    problems_done(&problems);
    if (failed)
        baseline_free(baseline);
    else
        *ret = baseline;
    return failed;
}

const char *baseline_name(const struct baseline *baseline)
{
    return baseline->name;
}

size_t baseline_count(const struct baseline *baseline)
{
    return baseline->count;
}

const struct baseline_entry *baseline_entry(const struct baseline *baseline,
                                            size_t index)
{
    return baseline->entries[index];
}
