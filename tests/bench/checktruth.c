/* checktruth.c - compares an answer with the truth that gendump wrote.
 *
 *     checktruth TRUTH REPORT
 *
 * REPORT is what `cprof-leaks -o json --all DUMP` prints. Totals, states, and
 * groups with their places, counts and ages all have to agree. Prints what
 * differs and exits with status 1, or says in one line what was found and exits
 * with 0; status 2 when a file is not what it should be. */
#include <jansson.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A list of texts, one for each group. */
struct keys {
    char **at;
    size_t n;
};

static unsigned n_differences;

/* Differences are printed up to this number, and all counted. */
enum { DIFFERENCES_SHOWN = 10 };

static _Noreturn void die(const char *format, ...)
    __attribute__((format(printf, 1, 2)));

static void die(const char *format, ...)
{
    va_list args;

    fputs("checktruth: ", stderr);
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fputc('\n', stderr);
    exit(2);
}

static void differ(const char *format, ...)
    __attribute__((format(printf, 1, 2)));

static void differ(const char *format, ...)
{
    va_list args;

    if (n_differences++ >= DIFFERENCES_SHOWN)
        return;
    va_start(args, format);
    vprintf(format, args);
    va_end(args);
    putchar('\n');
}

static json_t *load(const char *path)
{
    json_error_t error;
    json_t *value = json_load_file(path, 0, &error);

    if (!value)
        die("%s:%d: %s", path, error.line, error.text);
    return value;
}

/* Returns a member that has to be there. */
static json_t *get(json_t *object, const char *key)
{
    json_t *value = json_object_get(object, key);

    if (!value)
        die("there is no \"%s\"", key);
    return value;
}

static const char *text_of(json_t *value)
{
    return json_is_string(value) ? json_string_value(value) : "-";
}

static void compare_number(const char *what, json_t *expected, json_t *found)
{
    json_int_t a =
        json_is_integer(expected) ? json_integer_value(expected) : -1;
    json_int_t b = json_is_integer(found) ? json_integer_value(found) : -1;

    if (a != b)
        differ("%s: expected %lld, found %lld", what, (long long)a,
               (long long)b);
}

/* Returns whether debug=1 tells a state at all: a kind of wait, and not whether
 * a goroutine runs. */
static bool state_is_clear(const char *state)
{
    static const char *const beginnings[] = {"chan ", "select", "IO wait",
                                             "sleep", "sync."};

    for (size_t i = 0; i < sizeof(beginnings) / sizeof(beginnings[0]); i++)
        if (strncmp(state, beginnings[i], strlen(beginnings[i])) == 0)
            return true;
    return false;
}

static void compare_states(json_t *truth, json_t *report, bool is_debug1)
{
    json_t *expected = get(truth, "by_state");
    json_t *found = get(get(report, "summary"), "by_state");
    const char *state;
    json_t *count;

    json_object_foreach(expected, state, count)
    {
        if (!is_debug1 || state_is_clear(state))
            compare_number(state, count, json_object_get(found, state));
    }
    json_object_foreach(found, state, count)
    {
        if ((!is_debug1 || state_is_clear(state)) &&
            !json_object_get(expected, state))
            differ("state %s: nothing is in it, found %lld", state,
                   (long long)json_integer_value(count));
    }
}

/* The longest name that is compared. */
enum { NAME_SIZE = 512 };

/* Copies a function's name into `to`, "-" for none, and returns `to`. Dots of
 * import paths are written as dots: how Go escapes them is nobody's concern. */
static const char *name_of(json_t *value, char to[NAME_SIZE])
{
    const char *name = text_of(value);
    size_t len = 0;

    while (*name && len + 1 < NAME_SIZE) {
        bool escaped = strncmp(name, "%2e", 3) == 0;

        to[len++] = escaped ? '.' : *name;
        name += escaped ? 3 : 1;
    }
    to[len] = '\0';
    return to;
}

/* What is compared of a group. */
struct facts {
    json_t *group;       /* has "count", "created_by", "locked_to_thread" */
    const char *state;   /* "-" where the dump does not tell it */
    json_t *leaf;        /* has "function", "file", "line" */
    json_t *site;        /* likewise, or NULL */
    json_int_t age_s[2]; /* the smallest and the largest; -1: none is said */
};

/* Returns a number of a group, or -1 where it is null, as everything is that a
 * dump does not say. */
static json_int_t number_of(json_t *group, const char *key)
{
    json_t *value = get(group, key);

    return json_is_integer(value) ? json_integer_value(value) : -1;
}

/* Adds the text that stands for a group. */
static void keys_add(struct keys *keys, const struct facts *facts)
{
    char **key = &keys->at[keys->n++];
    json_t *creator = get(facts->group, "created_by");
    char leaf[NAME_SIZE], site[NAME_SIZE], by[NAME_SIZE];

    if (json_is_object(creator))
        creator = get(creator, "function");
    if (asprintf(key,
                 "%lld in %s, %s %s:%lld, site %s:%lld, by %s, "
                 "%lld to %lld s, %lld locked to their threads",
                 (long long)number_of(facts->group, "count"), facts->state,
                 name_of(get(facts->leaf, "function"), leaf),
                 text_of(get(facts->leaf, "file")),
                 (long long)number_of(facts->leaf, "line"),
                 facts->site ? name_of(get(facts->site, "function"), site)
                             : "-",
                 (long long)(facts->site ? number_of(facts->site, "line") : 0),
                 name_of(creator, by), (long long)facts->age_s[0],
                 (long long)facts->age_s[1],
                 (long long)number_of(facts->group, "locked_to_thread")) < 0)
        die("no memory");
}

static struct keys keys_new(size_t most)
{
    struct keys keys = {.at = calloc(most + 1, sizeof(*keys.at))};

    if (!keys.at)
        die("no memory");
    return keys;
}

/* Returns the state of a group as far as the format tells it. */
static const char *told_state(json_t *group, bool is_debug1)
{
    const char *state = text_of(get(group, "state"));

    return is_debug1 && !state_is_clear(state) ? "-" : state;
}

static struct keys keys_of_truth(json_t *truth, bool is_debug1)
{
    json_t *groups = get(truth, "groups");
    struct keys keys = keys_new(json_array_size(groups));
    json_t *group;
    size_t i;

    json_array_foreach(groups, i, group)
    {
        json_t *site = get(group, "site");
        struct facts facts = {
            .group = group,
            .state = told_state(group, is_debug1),
            .leaf = group,
            .site = json_is_object(site) ? site : NULL,
            .age_s = {number_of(group, "min_age_minutes"),
                      number_of(group, "max_age_minutes")},
        };

        /* A goroutine that says no age waits for less than a minute. */
        if (facts.age_s[0] > 0 && number_of(group, "without_age") > 0)
            facts.age_s[0] = 0;
        for (unsigned end = 0; end < 2; end++)
            facts.age_s[end] *= facts.age_s[end] > 0 ? 60 : 1;
        keys_add(&keys, &facts);
    }
    return keys;
}

/* Returns whether a frame is of Go's own library, as gendump invents them: its
 * user functions are in main or in a path that begins with a host's name.
 * Where a stack has no other frames, a report may take any of them for the
 * site. */
static bool is_library(const char *function)
{
    const char *slash = strchr(function, '/');
    const char *dot = strchr(function, '.');

    return strncmp(function, "main.", 5) != 0 &&
           (!slash || !dot || slash < dot);
}

static struct keys keys_of_report(json_t *report, bool is_debug1)
{
    json_t *groups = get(report, "groups");
    struct keys keys = keys_new(json_array_size(groups));
    json_t *group;
    size_t i;

    json_array_foreach(groups, i, group)
    {
        json_t *stack = get(group, "stack");
        json_int_t at = number_of(group, "site");
        json_t *site = at < 0 ? NULL : json_array_get(stack, (size_t)at);
        struct facts facts = {
            .group = group,
            .state = told_state(group, is_debug1),
            .leaf = json_array_get(stack, 0),
            .age_s = {number_of(group, "age_min_s"),
                      number_of(group, "age_max_s")},
        };

        if (!facts.leaf)
            die("a group has no stack");
        if (site && !is_library(text_of(get(site, "function"))))
            facts.site = site;
        keys_add(&keys, &facts);
    }
    return keys;
}

static int compare_texts(const void *left, const void *right)
{
    const char *const *a = left;
    const char *const *b = right;

    return strcmp(*a, *b);
}

static void compare_groups(struct keys expected, struct keys found)
{
    size_t i = 0, j = 0;

    qsort(expected.at, expected.n, sizeof(*expected.at), compare_texts);
    qsort(found.at, found.n, sizeof(*found.at), compare_texts);
    while (i < expected.n || j < found.n) {
        int order = i == expected.n ? 1
                    : j == found.n  ? -1
                                    : strcmp(expected.at[i], found.at[j]);

        if (order < 0)
            differ("missing: %s", expected.at[i]);
        if (order > 0)
            differ("invented: %s", found.at[j]);
        i += order <= 0;
        j += order >= 0;
    }
}

/* Compares how many goroutines have each value of a label; a value that no
 * goroutine has is not in the truth. */
static void compare_labels(json_t *truth, json_t *report)
{
    json_t *groups = get(report, "groups");
    json_t *group, *label, *values, *count;
    const char *key, *value;
    size_t i, j;

    json_array_foreach(groups, i, group)
    {
        json_array_foreach(get(group, "labels"), j, label)
        {
            values = json_object_get(get(truth, "labels"),
                                     text_of(get(label, "key")));
            value = text_of(get(label, "value"));
            count = json_object_get(values, value);
            if (count)
                json_integer_set(count, json_integer_value(count) -
                                            number_of(label, "count"));
            else
                differ("label %s: nobody has '%s'", text_of(get(label, "key")),
                       value);
        }
    }
    json_object_foreach(get(truth, "labels"), key, values)
    {
        json_object_foreach(values, value, count)
        {
            if (json_integer_value(count) != 0)
                differ("label %s: %lld of '%s' are not there", key,
                       (long long)json_integer_value(count), value);
        }
    }
}

static void keys_free(struct keys keys)
{
    for (size_t i = 0; i < keys.n; i++)
        free(keys.at[i]);
    free(keys.at);
}

static void compare(json_t *truth, json_t *report)
{
    bool is_debug1 = strcmp(text_of(get(truth, "format")), "debug1") == 0;
    json_t *summary = get(report, "summary");
    json_t *snapshots = get(report, "snapshots");
    json_t *snapshot = json_array_get(snapshots, 0);
    struct keys expected = keys_of_truth(truth, is_debug1);
    struct keys found = keys_of_report(report, is_debug1);

    if (json_array_size(snapshots) != 1)
        die("expected one snapshot, found %zu", json_array_size(snapshots));
    compare_number("goroutines", get(truth, "total"),
                   get(summary, "goroutines"));
    compare_number("total of the snapshot", get(truth, "total"),
                   get(snapshot, "total"));
    /* An export as debug=0 has no header. */
    if (strcmp(text_of(get(snapshot, "format")), "debug1") == 0)
        compare_number("declared total", get(truth, "total"),
                       get(snapshot, "declared_total"));
    compare_number("largest id", get(truth, "max_goroutine_id"),
                   get(snapshot, "max_goroutine_id"));
    compare_number("groups", get(truth, "stacks"), get(summary, "groups"));
    if (!json_is_true(get(snapshot, "complete")))
        differ("the dump is whole, and called incomplete");
    compare_states(truth, report, is_debug1);
    compare_groups(expected, found);
    compare_labels(truth, report);
    keys_free(expected);
    keys_free(found);
}

int main(int argc, char **argv)
{
    json_t *truth, *report;

    if (argc != 3)
        die("usage: checktruth TRUTH REPORT");
    truth = load(argv[1]);
    report = load(argv[2]);
    compare(truth, report);
    if (n_differences > DIFFERENCES_SHOWN)
        printf("... and %u differences more\n",
               n_differences - DIFFERENCES_SHOWN);
    if (n_differences == 0)
        printf("%lld goroutines in %lld groups, as they are\n",
               (long long)json_integer_value(get(truth, "total")),
               (long long)json_integer_value(get(truth, "stacks")));
    json_decref(truth);
    json_decref(report);
    return n_differences > 0;
}
