#include "corpus.h"

#include <glob.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { SCENARIOS_MOST = 64 };

static struct corpus loaded;
static struct {
    char scenario[64];
    json_t *truth;
} truths[SCENARIOS_MOST];

const struct corpus *corpus(void)
{
    return &loaded;
}

const json_t *corpus_truth(const char *scenario)
{
    json_error_t error;
    size_t i = 0;

    while (truths[i].truth && strcmp(truths[i].scenario, scenario) != 0)
        assert_true(++i < SCENARIOS_MOST);
    if (truths[i].truth)
        return truths[i].truth;
    snprintf(truths[i].scenario, sizeof(truths[i].scenario), "%s", scenario);
    truths[i].truth =
        json_load_file(fixture("corpus/%s/truth.json", scenario), 0, &error);
    if (!truths[i].truth)
        fail_msg("%s/truth.json:%d: %s", scenario, error.line, error.text);
    return truths[i].truth;
}

/* Looks for the file in the truth of its version, and in that of each moment
 * of a series. */
static void find_truth(struct dump *dump)
{
    const json_t *versions =
        get_object(corpus_truth(dump->scenario), "versions");
    const json_t *snapshots;

    dump->of_version = get_object(versions, dump->version);
    dump->of_file =
        json_object_get(json_object_get(dump->of_version, "files"), dump->file);
    snapshots = json_object_get(dump->of_version, "snapshots");
    for (size_t i = 0; !dump->of_file && i < json_array_size(snapshots); i++) {
        dump->of_snapshot = json_array_get(snapshots, i);
        dump->of_file =
            json_object_get(get_object(dump->of_snapshot, "files"), dump->file);
    }
}

/* Files of a profile other than "goroutine" carry its name in theirs. */
static bool is_of_profile(const char *file, const char *profile)
{
    char part[64];

    snprintf(part, sizeof(part), ".%s.debug", profile);
    return strstr(file, part) != NULL;
}

static bool is_wanted(const char *file)
{
    static const char *const others[] = {"heap", "allocs", "block", "mutex"};

    for (size_t i = 0; i < LENGTH(others); i++) {
        if (is_of_profile(file, others[i]))
            return false;
    }
    return true;
}

/* Cuts "chan_send_leak/1.24/chan_send_leak.debug1.txt" into its three names,
 * which are kept. */
static void split_name(struct dump *dump)
{
    char *names = strdup(dump->name);
    char *file;
    char *version;

    assert_non_null(names);
    file = strrchr(names, '/');
    *file++ = '\0';
    version = strchr(names, '/');
    *version++ = '\0';
    dump->scenario = names;
    dump->version = version;
    dump->file = file;
}

static void load(struct dump *dump, const char *path)
{
    const char *name = path + strlen(fixture("corpus/"));

    snprintf(dump->path, sizeof(dump->path), "%s", path);
    snprintf(dump->name, sizeof(dump->name), "%s", name);
    if (ends_with(dump->name, ".gz"))
        dump->name[strlen(dump->name) - strlen(".gz")] = '\0';
    split_name(dump);
    find_truth(dump);
    dump->is_debug1 = ends_with(dump->file, ".debug1.txt");
    dump->is_leak = is_of_profile(dump->file, "goroutineleak");
    dump->is_goroutines = !is_of_profile(dump->file, "threadcreate");
    dump->text = read_file(path, &dump->len);
    dump->answer = run_json(path);
}

int corpus_setup(void **state)
{
    const char *pattern = fixture("corpus/*/*/*.debug[12].txt*");
    glob_t found;

    (void)state;
    assert_int_equal(0, glob(pattern, 0, NULL, &found));
    loaded.dumps = calloc(found.gl_pathc, sizeof(*loaded.dumps));
    assert_non_null(loaded.dumps);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        if (is_wanted(found.gl_pathv[i]))
            load(&loaded.dumps[loaded.count++], found.gl_pathv[i]);
    }
    globfree(&found);
    return 0;
}

int corpus_teardown(void **state)
{
    (void)state;
    for (size_t i = 0; i < loaded.count; i++) {
        free((char *)(uintptr_t)loaded.dumps[i].scenario);
        free(loaded.dumps[i].text);
        answer_done(&loaded.dumps[i].answer);
    }
    free(loaded.dumps);
    for (size_t i = 0; truths[i].truth; i++)
        json_decref(truths[i].truth);
    return 0;
}

const struct dump *corpus_dump(const char *name)
{
    for (size_t i = 0; i < loaded.count; i++) {
        if (strcmp(loaded.dumps[i].name, name) == 0)
            return &loaded.dumps[i];
    }
    fail_msg("no dump '%s' in the corpus", name);
    return NULL;
}

/* --- Planted groups --- */

const json_t *dump_planted(const struct dump *dump)
{
    return json_object_get(dump->of_version, "groups");
}

void planted_count(const struct dump *dump, const json_t *planted,
                   long long *ret_from, long long *ret_to)
{
    const char *name = get_text(planted, "name");
    long long before;
    long long after;

    if (!dump->of_snapshot) {
        *ret_from = *ret_to = get_number(planted, "count");
        return;
    }
    before = get_number(get_object(dump->of_snapshot, "before"), name);
    after = get_number(get_object(dump->of_snapshot, "after"), name);
    *ret_from = before < after ? before : after;
    *ret_to = before < after ? after : before;
    /* What comes and goes may do so between two looks. */
    if (!json_is_true(json_object_get(planted, "leak"))) {
        *ret_from -= 1;
        *ret_to += 1;
    }
}

/* Whether a path is that file in any folder. -trimpath prints the path of the
 * module instead of the folder that truth.json names, so there only the last
 * name counts. */
static bool is_file(const struct dump *dump, const char *path, const char *file)
{
    char end[128];

    if (strstr(dump->version, "-trimpath") && strrchr(file, '/'))
        file = strrchr(file, '/') + 1;
    snprintf(end, sizeof(end), "/%s", file);
    return strcmp(path, file) == 0 || ends_with(path, end);
}

static bool stands_at(const struct dump *dump, const json_t *stack,
                      const json_t *place)
{
    const char *file = get_text(place, "file");
    long long line = get_number(place, "line");

    for (size_t i = 0; i < json_array_size(stack); i++) {
        const json_t *frame = json_array_get(stack, i);

        if (get_number(frame, "line") == line &&
            is_file(dump, get_text(frame, "file"), file))
            return true;
    }
    return false;
}

static bool stands_in(const json_t *stack, const char *function)
{
    for (size_t i = 0; i < json_array_size(stack); i++) {
        if (strcmp(get_text(json_array_get(stack, i), "function"), function) ==
            0)
            return true;
    }
    return false;
}

bool is_planted(const struct dump *dump, const json_t *group,
                const json_t *planted)
{
    const json_t *stack = get_array(group, "stack");
    const json_t *places = json_object_get(planted, "locations");

    if (json_object_get(planted, "line"))
        return stands_at(dump, stack, planted);
    if (json_array_size(places) == 0)
        return stands_in(stack, get_text(planted, "func"));
    for (size_t i = 0; i < json_array_size(places); i++) {
        if (stands_at(dump, stack, json_array_get(places, i)))
            return true;
    }
    return false;
}

/* --- The text of a dump --- */

/* The next header of debug=2 from there on, NULL at the end; headers stand at
 * the beginning of a line. */
static const char *next_header(const char *text, const char *from)
{
    const char *at = from;

    while ((at = strstr(at, "goroutine ")) != NULL) {
        if (at == text || at[-1] == '\n')
            return at;
        at++;
    }
    return NULL;
}

long long text_goroutines(const struct dump *dump)
{
    if (!dump->is_debug1)
        return text_headers_with(dump, "[");
    return atoll(strstr(dump->text, "profile: total ") +
                 strlen("profile: total "));
}

long long text_headers_with(const struct dump *dump, const char *word)
{
    const char *at = dump->text;
    long long count = 0;

    while ((at = next_header(dump->text, at)) != NULL) {
        size_t len = strcspn(at, "\n");

        count += memmem(at, len, word, strlen(word)) != NULL;
        at += len;
    }
    return count;
}

long long text_minutes(const struct dump *dump)
{
    const char *at = dump->text;
    long long most = 0;

    while ((at = next_header(dump->text, at)) != NULL) {
        size_t len = strcspn(at, "\n");
        const char *end = memmem(at, len, " minutes", strlen(" minutes"));
        const char *from = end;

        while (from && from > at && from[-1] != ' ')
            from--;
        if (from && atoll(from) > most)
            most = atoll(from);
        at += len;
    }
    return most;
}
