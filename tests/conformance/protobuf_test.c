/* Every protobuf profile of the corpus: against what `go tool pprof -raw` of
 * the same release of Go says of it, against the text of the same process, and
 * against truth.json. */
#include <glob.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "corpus.h"
#include "raw.h"

#include <cmocka.h>

/* A protobuf profile and what the program answers. */
struct profile {
    char path[256];
    char base[256]; /* the path up to ".debug0.pb.gz" */
    struct answer answer;
    const json_t *snapshot;
    const json_t *groups;
};

static struct profile *profiles;
static size_t n_profiles;

static void load(struct profile *profile, const char *path)
{
    char *end;

    snprintf(profile->path, sizeof(profile->path), "%s", path);
    snprintf(profile->base, sizeof(profile->base), "%s", path);
    end = strstr(profile->base, ".debug0.pb");
    assert_non_null(end);
    *end = '\0';
    profile->answer = run_json(path);
    profile->snapshot =
        json_array_get(get_array(profile->answer.json, "snapshots"), 0);
    profile->groups = get_array(profile->answer.json, "groups");
}

static int load_all(void **state)
{
    glob_t found;

    assert_int_equal(0,
                     glob(fixture("corpus/*/*/*.debug0.pb*"), 0, NULL, &found));
    profiles = calloc(found.gl_pathc, sizeof(*profiles));
    assert_non_null(profiles);
    n_profiles = found.gl_pathc;
    for (size_t i = 0; i < n_profiles; i++)
        load(&profiles[i], found.gl_pathv[i]);
    globfree(&found);
    return corpus_setup(state);
}

static int free_all(void **state)
{
    for (size_t i = 0; i < n_profiles; i++)
        answer_done(&profiles[i].answer);
    free(profiles);
    return corpus_teardown(state);
}

static bool is_of(const struct profile *profile, const char *name)
{
    return strcmp(get_text(profile->snapshot, "profile"), name) == 0;
}

static bool is_goroutines(const struct profile *profile)
{
    return is_of(profile, "goroutine") || is_of(profile, "goroutineleak");
}

/* The profile that a file's name speaks of; the program must not look at it. */
static const char *name_of_file(const char *base)
{
    static const char *const names[] = {
        "goroutineleak", "threadcreate", "heap", "allocs", "block", "mutex"};

    for (size_t i = 0; i < LENGTH(names); i++) {
        if (ends_with(base, names[i]))
            return names[i];
    }
    return "goroutine";
}

/* Whether something is said of a profile but that stacks reached Go's depth
 * limit, which they did. */
static bool has_complaint(const struct profile *profile)
{
    const json_t *diagnostics = get_array(profile->answer.json, "diagnostics");

    for (size_t i = 0; i < json_array_size(diagnostics); i++) {
        if (strcmp(get_text(json_array_get(diagnostics, i), "code"),
                   "depth-limit") != 0)
            return true;
    }
    return false;
}

static void all_are_recognised_and_whole(void **state)
{
    (void)state;
    assert_int_equal(272, n_profiles);
    for (size_t i = 0; i < n_profiles; i++) {
        const struct profile *profile = &profiles[i];
        const char *name = name_of_file(profile->base);

        assert_string_equal("debug0", get_text(profile->snapshot, "format"));
        if (!is_of(profile, name) &&
            !(strcmp(name, "mutex") == 0 && !json_array_size(profile->groups)))
            fail_msg("%s: profile %s", profile->path,
                     get_text(profile->snapshot, "profile"));
        if (!json_is_true(json_object_get(profile->snapshot, "complete")) ||
            has_complaint(profile))
            fail_msg("%s: is whole, and is said not to be", profile->path);
        /* In a bubble of testing/synctest it is always the year 2000. */
        if (strncmp(get_text(profile->snapshot, "taken_at"),
                    strstr(profile->path, "synctest") ? "2000-01-" : "2026-11-",
                    8) != 0)
            fail_msg("%s: taken at %s", profile->path,
                     get_text(profile->snapshot, "taken_at"));
        if (sum_of(profile->groups, "count") !=
            get_number(profile->snapshot, "total"))
            fail_msg("%s: the groups have another sum", profile->path);
    }
}

/* --- go tool pprof -raw --- */

/* The value of a group by the name of its type; its count in profiles that
 * have no values. */
static long long value_of(const json_t *group, const char *type)
{
    const json_t *values = json_object_get(group, "values");

    return json_is_null(values) ? get_number(group, "count")
                                : get_number(values, type);
}

/* Takes the values of a group off the stack of raw samples that it is. */
static void take_off(const struct profile *profile, struct raw *raw,
                     const json_t *group)
{
    char *key = raw_key_of_stack(get_array(group, "stack"));
    struct raw_stack *stack = raw_find(raw, key);

    /* pprof of old releases drops samples without a location. */
    if (!stack && *key)
        fail_msg("%s: not in raw: %s", profile->path, key);
    for (size_t i = 0; stack && i < raw->n_types; i++)
        stack->values[i] -= value_of(group, raw->types[i]);
    free(key);
}

static void check_raw(const struct profile *profile, const char *path)
{
    struct raw raw;

    raw_load(&raw, path,
             is_goroutines(profile) || is_of(profile, "threadcreate"));
    for (size_t i = 0; i < json_array_size(profile->groups); i++)
        take_off(profile, &raw, json_array_get(profile->groups, i));
    for (size_t i = 0; i < raw.n_stacks; i++) {
        for (size_t j = 0; j < raw.n_types; j++) {
            if (raw.stacks[i].values[j])
                fail_msg("%s: %s is off by %lld at %s", profile->path,
                         raw.types[j], raw.stacks[i].values[j],
                         raw.stacks[i].key);
        }
    }
    raw_done(&raw);
}

static void samples_are_those_of_pprof(void **state)
{
    size_t checked = 0;

    (void)state;
    for (size_t i = 0; i < n_profiles; i++) {
        char path[300];

        snprintf(path, sizeof(path), "%s.debug0.raw.txt", profiles[i].base);
        if (!file_exists(path))
            continue;
        check_raw(&profiles[i], path);
        checked++;
    }
    assert_int_equal(196, checked);
}

/* --- The text of the same process --- */

/* The debug=1 dump of goroutines beside a profile, or NULL. */
static const struct dump *text_beside(const struct profile *profile)
{
    const char *name = profile->base + strlen(fixture("corpus/"));
    char wanted[300];

    snprintf(wanted, sizeof(wanted), "%s.debug1.txt", name);
    for (size_t i = 0; i < corpus()->count; i++) {
        if (strcmp(corpus()->dumps[i].name, wanted) == 0)
            return &corpus()->dumps[i];
    }
    return NULL;
}

/* What changes between two requests: each is served by a goroutine of its own,
 * the load of a series and of finalizer_gc never stops. */
static long long most_between(const struct dump *dump)
{
    if (strcmp(dump->scenario, "series_diurnal") == 0)
        return 20;
    if (strncmp(dump->scenario, "series_", 7) == 0 ||
        strcmp(dump->scenario, "finalizer_gc") == 0)
        return 5;
    return 2;
}

static void totals_are_those_of_the_text(void **state)
{
    size_t checked = 0;

    (void)state;
    for (size_t i = 0; i < n_profiles; i++) {
        const struct dump *dump = text_beside(&profiles[i]);
        long long total = get_number(profiles[i].snapshot, "total");
        long long difference;

        if (!dump)
            continue;
        difference = total - text_goroutines(dump);
        if (llabs(difference) > most_between(dump))
            fail_msg("%s: %lld, the text has %lld", profiles[i].path, total,
                     text_goroutines(dump));
        checked++;
    }
    assert_true(checked >= 200);
}

static long long count_by_id(const json_t *groups, const char *id)
{
    for (size_t i = 0; i < json_array_size(groups); i++) {
        const json_t *group = json_array_get(groups, i);

        if (strcmp(get_text(group, "id"), id) == 0)
            return get_number(group, "count");
    }
    return 0;
}

/* The goroutines of groups by which a exceeds b. */
static long long excess(const char *path, const json_t *a, const json_t *b,
                        long long most)
{
    long long sum = 0;

    for (size_t i = 0; i < json_array_size(a); i++) {
        const json_t *group = json_array_get(a, i);
        long long more =
            get_number(group, "count") - count_by_id(b, get_text(group, "id"));

        if (more > most)
            fail_msg("%s: %lld goroutines more than in the text, or less, in "
                     "%s at %s",
                     path, more, get_text(group, "state"),
                     get_text(group, "id"));
        sum += more > 0 ? more : 0;
    }
    return sum;
}

/* A group's id covers functions, lines and state: where the ids agree, all of
 * them do, though debug=0 shows the frames of the runtime and debug=1 hides
 * them. */
static void groups_and_states_are_those_of_the_text(void **state)
{
    size_t checked = 0;

    (void)state;
    for (size_t i = 0; i < n_profiles; i++) {
        const struct profile *profile = &profiles[i];
        const struct dump *dump = text_beside(profile);
        const json_t *groups;

        if (!dump || strncmp(dump->scenario, "series_", 7) == 0 ||
            strcmp(dump->scenario, "finalizer_gc") == 0)
            continue;
        groups = get_array(dump->answer.json, "groups");
        /* Connections of the dumps before and after come and go. */
        if (excess(profile->path, profile->groups, groups, 2) > 5 ||
            excess(profile->path, groups, profile->groups, 2) > 5)
            fail_msg("%s: too many groups differ from the text", profile->path);
        checked++;
    }
    assert_true(checked >= 120);
}

/* --- truth.json --- */

static void check_planted(const struct profile *profile,
                          const struct dump *dump, const json_t *planted)
{
    long long count = 0;
    long long from;
    long long to;

    for (size_t i = 0; i < json_array_size(profile->groups); i++) {
        const json_t *group = json_array_get(profile->groups, i);

        if (is_planted(dump, group, planted))
            count += get_number(group, "count");
    }
    planted_count(dump, planted, &from, &to);
    if (dump->is_leak)
        from = 0;
    /* The counts of a series were taken around its texts. */
    if (dump->of_snapshot) {
        from -= most_between(dump);
        to += most_between(dump);
    }
    if (count < from || count > to)
        fail_msg("%s: %s: %lld goroutines, not %lld to %lld", profile->path,
                 get_text(planted, "name"), count, from, to);
}

static void planted_groups_have_their_count_and_place(void **state)
{
    size_t checked = 0;

    (void)state;
    for (size_t i = 0; i < n_profiles; i++) {
        const struct dump *dump = text_beside(&profiles[i]);
        const json_t *planted = dump ? dump_planted(dump) : NULL;

        for (size_t j = 0;
             is_goroutines(&profiles[i]) && j < json_array_size(planted);
             j++, checked++)
            check_planted(&profiles[i], dump, json_array_get(planted, j));
    }
    assert_true(checked > 1000);
}

/* --- Values --- */

/* How many groups of a have the very same values in b. */
static size_t same_values(const json_t *a, const json_t *b)
{
    size_t same = 0;

    for (size_t i = 0; i < json_array_size(a); i++) {
        const json_t *group = json_array_get(a, i);

        for (size_t j = 0; j < json_array_size(b); j++) {
            const json_t *other = json_array_get(b, j);

            if (strcmp(get_text(group, "id"), get_text(other, "id")) == 0)
                same += (size_t)json_equal(json_object_get(group, "values"),
                                           json_object_get(other, "values"));
        }
    }
    return same;
}

/* The text of a heap profile has samples, which are scaled when read, and that
 * of a mutex profile has cycles; the protobuf has neither. Most stacks of most
 * processes did nothing between the two requests. */
static void texts_are_scaled_to_the_same_values(void **state)
{
    static const char *const kinds[] = {"heap", "block", "mutex"};
    size_t same[LENGTH(kinds)] = {0};
    size_t of[LENGTH(kinds)] = {0};

    (void)state;
    for (size_t i = 0; i < n_profiles; i++) {
        char path[300];
        struct answer text;

        snprintf(path, sizeof(path), "%s.debug1.txt", profiles[i].base);
        if (!file_exists(path))
            snprintf(path, sizeof(path), "%s.debug1.txt.gz", profiles[i].base);
        for (size_t k = 0; k < LENGTH(kinds); k++) {
            if (!ends_with(profiles[i].base, kinds[k]) || !file_exists(path) ||
                strstr(path, "finalizer_gc"))
                continue;
            text = run_json(path);
            of[k] += json_array_size(profiles[i].groups);
            same[k] +=
                same_values(profiles[i].groups, get_array(text.json, "groups"));
            answer_done(&text);
        }
    }
    for (size_t k = 0; k < LENGTH(kinds); k++) {
        print_message("%s: %zu of %zu groups have the same values\n", kinds[k],
                      same[k], of[k]);
        assert_true(of[k] > 20);
        assert_true(same[k] * 10 > of[k] * 6);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_are_recognised_and_whole),
        cmocka_unit_test(samples_are_those_of_pprof),
        cmocka_unit_test(totals_are_those_of_the_text),
        cmocka_unit_test(groups_and_states_are_those_of_the_text),
        cmocka_unit_test(planted_groups_have_their_count_and_place),
        cmocka_unit_test(texts_are_scaled_to_the_same_values),
    };

    return cmocka_run_group_tests(tests, load_all, free_all);
}
