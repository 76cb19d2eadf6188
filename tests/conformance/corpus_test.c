/* Every goroutine dump of the corpus in the two text formats: what the program
 * says of it is what truth.json and the text itself say. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "corpus.h"

#include <cmocka.h>

/* The words for a kind of wait of truth.json, where it is not itself Go's. */
static const struct {
    const char *class;
    const char *states[2];
} classes[] = {
    {"mutex", {"sync.Mutex.Lock"}},
    {"rwmutex read", {"sync.RWMutex.RLock"}},
    /* The first writer waits for the readers, the next ones for the Mutex
     * inside, and Go names what each waits for (sync/rwmutex.go). */
    {"rwmutex write", {"sync.RWMutex.Lock", "sync.Mutex.Lock"}},
    {"waitgroup", {"sync.WaitGroup.Wait"}},
    {"cond wait", {"sync.Cond.Wait"}},
    {"sleep or select", {"sleep", "select"}},
};

static bool is_state_of(const char *state, const char *class)
{
    for (size_t i = 0; i < LENGTH(classes); i++) {
        const char *const *states = classes[i].states;

        if (strcmp(classes[i].class, class) == 0)
            return strcmp(states[0], state) == 0 ||
                   (states[1] && strcmp(states[1], state) == 0);
    }
    return strcmp(state, class) == 0;
}

/* --- Files and totals --- */

static void check_listed(const char *scenario, const char *version,
                         json_t *files)
{
    const char *file;
    json_t *of_file;

    json_object_foreach(files, file, of_file)
    {
        const char *path = fixture("corpus/%s/%s/%s", scenario, version, file);

        if (ends_with(file, ".txt") && json_object_get(of_file, "debug") &&
            !file_exists(path))
            fail_msg("%s is listed and not there", path);
    }
}

static void every_dump_that_truth_lists_is_there(void **state)
{
    (void)state;
    for (size_t i = 0; i < corpus()->count; i++) {
        const char *scenario = corpus()->dumps[i].scenario;
        json_t *versions = get_object(corpus_truth(scenario), "versions");
        const char *version;
        json_t *truth;

        json_object_foreach(versions, version, truth)
        {
            json_t *snapshots = json_object_get(truth, "snapshots");

            check_listed(scenario, version, json_object_get(truth, "files"));
            for (size_t j = 0; j < json_array_size(snapshots); j++)
                check_listed(scenario, version,
                             get_object(json_array_get(snapshots, j), "files"));
        }
    }
    assert_int_equal(418, corpus()->count);
}

/* truth.json counts the records of debug=1 and the headers of debug=2; so does
 * the text. */
static void check_total(const struct dump *dump)
{
    const json_t *snapshots = get_array(dump->answer.json, "snapshots");
    const json_t *snapshot = json_array_get(snapshots, 0);
    const json_t *summary = get_object(dump->answer.json, "summary");
    const char *key = dump->is_debug1 ? "total" : "goroutines";
    long long total = text_goroutines(dump);

    if (json_array_size(snapshots) != 1)
        fail_msg("%s: %zu snapshots", dump->name, json_array_size(snapshots));
    if (dump->of_file && json_object_get(dump->of_file, key) &&
        get_number(dump->of_file, key) != total)
        fail_msg("%s: truth has another total", dump->name);
    if (get_number(snapshot, "total") != total ||
        get_number(summary, "goroutines") != total ||
        number_or(snapshot, "declared_total", total) != total)
        fail_msg("%s: total %lld, not %lld", dump->name,
                 get_number(snapshot, "total"), total);
    if (sum_of(get_array(dump->answer.json, "groups"), "count") != total)
        fail_msg("%s: the groups have another sum", dump->name);
    if (!json_is_true(json_object_get(snapshot, "complete")))
        fail_msg("%s: is whole, and is said not to be", dump->name);
}

/* All that is to be said of a whole dump is that debug=1 cuts deep stacks. */
static void check_diagnostics(const struct dump *dump)
{
    const json_t *diagnostics = get_array(dump->answer.json, "diagnostics");

    for (size_t i = 0; i < json_array_size(diagnostics); i++) {
        const json_t *diagnostic = json_array_get(diagnostics, i);
        bool is_deep = strcmp(dump->scenario, "deep_stack") == 0 ||
                       strcmp(dump->scenario, "everything") == 0;

        if (!dump->is_debug1 || !is_deep ||
            strcmp(get_text(diagnostic, "code"), "depth-limit") != 0)
            fail_msg("%s: %s", dump->name, get_text(diagnostic, "message"));
    }
}

static void totals_are_those_of_the_header_or_the_records(void **state)
{
    (void)state;
    for (size_t i = 0; i < corpus()->count; i++) {
        check_total(&corpus()->dumps[i]);
        check_diagnostics(&corpus()->dumps[i]);
    }
}

static void check_format(const struct dump *dump)
{
    const json_t *snapshot =
        json_array_get(get_array(dump->answer.json, "snapshots"), 0);
    const char *profile = !dump->is_goroutines ? "threadcreate"
                          : dump->is_leak && dump->is_debug1
                              ? "goroutineleak"
                              : "goroutine"; /* as the text has no name */

    if (strcmp(get_text(snapshot, "profile"), profile) != 0)
        fail_msg("%s: profile %s", dump->name, get_text(snapshot, "profile"));
    if (dump->is_goroutines &&
        strcmp(get_text(snapshot, "format"),
               dump->is_debug1 ? "debug1" : "debug2") != 0)
        fail_msg("%s: format %s", dump->name, get_text(snapshot, "format"));
}

static void formats_and_profiles_are_recognised_by_content(void **state)
{
    (void)state;
    for (size_t i = 0; i < corpus()->count; i++)
        check_format(&corpus()->dumps[i]);
}

/* --- Planted groups --- */

/* The function of a planted group as it is reported: without what stands
 * before a vendor folder, "%2e" as a dot. NULL for a name that truth.json only
 * outlines, or that of a closure, which is another in each release of Go. */
static const char *plain_function(const json_t *planted, char buf[256])
{
    const char *name = get_text(planted, "func");
    const char *vendor = strstr(name, "/vendor/");
    const char *escape;

    if (strpbrk(name, " ") || strstr(name, ".func") || ends_with(name, "..."))
        return NULL;
    snprintf(buf, 256, "%s", vendor ? vendor + strlen("/vendor/") : name);
    escape = strstr(buf, "%2e");
    if (escape) {
        buf[escape - buf] = '.';
        memmove(buf + (escape - buf) + 1, escape + 3, strlen(escape + 3) + 1);
    }
    return buf;
}

static void check_function(const struct dump *dump, const json_t *group,
                           const json_t *planted)
{
    char buf[256];
    const char *function = plain_function(planted, buf);
    const json_t *stack = get_array(group, "stack");
    bool has = !function;

    for (size_t i = 0; i < json_array_size(stack) && !has; i++)
        has = strcmp(get_text(json_array_get(stack, i), "function"),
                     function) == 0;
    if (!has)
        fail_msg("%s: %s: no frame %s", dump->name, get_text(planted, "name"),
                 function);
}

static void check_planted(const struct dump *dump, const json_t *planted)
{
    const json_t *groups = get_array(dump->answer.json, "groups");
    const char *name = get_text(planted, "name");
    const char *class = get_text(planted, "class");
    long long count = 0;
    long long from;
    long long to;

    for (size_t i = 0; i < json_array_size(groups); i++) {
        const json_t *group = json_array_get(groups, i);

        if (!is_planted(dump, group, planted))
            continue;
        count += get_number(group, "count");
        check_function(dump, group, planted);
        if (!is_state_of(get_text(group, "state"), class))
            fail_msg("%s: %s: state '%s', not %s", dump->name, name,
                     get_text(group, "state"), class);
    }
    planted_count(dump, planted, &from, &to);
    /* The text of a goroutineleak profile holds only what is proven. */
    if (dump->is_leak && dump->is_debug1)
        from = 0;
    if (count < from || count > to)
        fail_msg("%s: %s: %lld goroutines, not %lld to %lld", dump->name, name,
                 count, from, to);
}

static void planted_groups_have_their_count_place_and_state(void **state)
{
    size_t checked = 0;

    (void)state;
    for (size_t i = 0; i < corpus()->count; i++) {
        const struct dump *dump = &corpus()->dumps[i];
        const json_t *planted = dump_planted(dump);

        for (size_t j = 0; dump->is_goroutines && j < json_array_size(planted);
             j++, checked++)
            check_planted(dump, json_array_get(planted, j));
    }
    assert_true(checked > 2000);
}

/* Of the seven writers that wait for one RWMutex, one waits for the readers and
 * six for the Mutex inside, whatever words the release of Go has for it. */
static void writers_of_an_rwmutex_wait_for_two_things(void **state)
{
    size_t checked = 0;

    (void)state;
    for (size_t i = 0; i < corpus()->count; i++) {
        const struct dump *dump = &corpus()->dumps[i];
        const json_t *by_state = json_object_get(
            get_object(dump->answer.json, "summary"), "by_state");

        if (strcmp(dump->scenario, "mutex_contention") != 0 ||
            !dump->is_goroutines)
            continue;
        assert_int_equal(1, get_number(by_state, "sync.RWMutex.Lock"));
        assert_int_equal(200 + 6, get_number(by_state, "sync.Mutex.Lock"));
        assert_int_equal(120, get_number(by_state, "sync.RWMutex.RLock"));
        checked++;
    }
    assert_int_equal(11, checked);
}

/* --- Nothing is invented --- */

/* The bytes of a dump with "%2e" as a dot, as names are reported; freed by the
 * caller. */
static char *decoded_text(const struct dump *dump)
{
    char *text = strdup(dump->text);
    char *to = text;

    assert_non_null(text);
    for (const char *from = text; *from; from++) {
        bool is_dot = strncmp(from, "%2e", 3) == 0;

        *to++ = is_dot ? '.' : *from;
        from += is_dot ? 2 : 0;
    }
    *to = '\0';
    return text;
}

static void check_frame(const struct dump *dump, const char *text,
                        const json_t *frame)
{
    const char *function = get_text(frame, "function");
    char place[1024];

    snprintf(place, sizeof(place), "%s:%lld", get_text(frame, "file"),
             get_number(frame, "line"));
    if (!strstr(text, place))
        fail_msg("%s: nowhere in it: %s", dump->name, place);
    if (!strstr(text, function))
        fail_msg("%s: nowhere in it: %s", dump->name, function);
}

static void check_ids(const struct dump *dump, const json_t *ids)
{
    char header[64];

    for (size_t i = 0; i < json_array_size(ids); i++) {
        snprintf(header, sizeof(header), "goroutine %lld ",
                 (long long)json_integer_value(json_array_get(ids, i)));
        if (!strstr(dump->text, header))
            fail_msg("%s: nowhere in it: %s", dump->name, header);
    }
}

/* A state that is said to be read from a header stands in one. "semacquire" is
 * what older releases print for every wait of package sync, and who has not
 * started is runnable there. */
static void check_state_source(const struct dump *dump, const json_t *group)
{
    const char *source = get_text(group, "state_source");
    const char *word = get_text(group, "state");

    if (dump->is_debug1 && strcmp(source, "header") == 0)
        fail_msg("%s: debug=1 has no states in headers", dump->name);
    if (strcmp(word, "runnable (not started)") == 0)
        word = "runnable";
    if (strncmp(word, "sync.", strlen("sync.")) == 0 &&
        text_headers_with(dump, "semacquire"))
        return;
    if (strcmp(source, "header") == 0 && !text_headers_with(dump, word))
        fail_msg("%s: no header has '%s'", dump->name, word);
}

static void check_invented(const struct dump *dump)
{
    const json_t *groups = get_array(dump->answer.json, "groups");
    char *text = decoded_text(dump);

    for (size_t i = 0; i < json_array_size(groups); i++) {
        const json_t *group = json_array_get(groups, i);
        const json_t *stack = get_array(group, "stack");
        const json_t *creator = json_object_get(group, "created_by");

        assert_true(get_number(group, "count") > 0);
        for (size_t j = 0; j < json_array_size(stack); j++)
            check_frame(dump, text, json_array_get(stack, j));
        if (!json_is_null(creator))
            check_frame(dump, text, creator);
        check_ids(dump, get_array(group, "goroutine_ids"));
        check_state_source(dump, group);
    }
    free(text);
}

static void nothing_is_invented(void **state)
{
    (void)state;
    for (size_t i = 0; i < corpus()->count; i++) {
        if (corpus()->dumps[i].is_goroutines)
            check_invented(&corpus()->dumps[i]);
    }
}

/* --- What headers say of single goroutines --- */

static long long largest(const json_t *groups, const char *key)
{
    long long most = 0;

    for (size_t i = 0; i < json_array_size(groups); i++) {
        long long value = number_or(json_array_get(groups, i), key, 0);

        most = value > most ? value : most;
    }
    return most;
}

static void ages_marks_and_threads_are_those_of_the_headers(void **state)
{
    long long minutes = 0;
    long long locked = 0;
    long long leaked = 0;

    (void)state;
    for (size_t i = 0; i < corpus()->count; i++) {
        const struct dump *dump = &corpus()->dumps[i];
        const json_t *groups = get_array(dump->answer.json, "groups");

        if (dump->is_debug1)
            continue;
        assert_int_equal(60 * text_minutes(dump), largest(groups, "age_max_s"));
        assert_int_equal(text_headers_with(dump, ", locked to thread"),
                         sum_of(groups, "locked_to_thread"));
        assert_int_equal(text_headers_with(dump, " (leaked)"),
                         sum_of(groups, "leaked"));
        minutes += text_minutes(dump);
        locked += sum_of(groups, "locked_to_thread");
        leaked += sum_of(groups, "leaked");
    }
    assert_true(minutes > 0 && locked > 0 && leaked > 0);
}

/* debug=1 of goroutineleak lists what its debug=2 marks. */
static void both_forms_of_goroutineleak_prove_the_same(void **state)
{
    size_t checked = 0;

    (void)state;
    for (size_t i = 0; i + 1 < corpus()->count; i++) {
        const struct dump *one = &corpus()->dumps[i];
        const struct dump *two = &corpus()->dumps[i + 1];

        if (!one->is_leak || !one->is_debug1 || !two->is_leak || two->is_debug1)
            continue;
        assert_int_equal(text_goroutines(one),
                         text_headers_with(two, " (leaked)"));
        assert_int_equal(
            text_goroutines(one),
            get_number(get_object(one->answer.json, "summary"), "leaked"));
        /* Without a mark in it, that text is any debug=2 text. */
        assert_int_equal(
            text_goroutines(one),
            number_or(get_object(two->answer.json, "summary"), "leaked", 0));
        checked++;
    }
    assert_true(checked >= 20);
}

/* --- Labels --- */

static long long labelled(const struct dump *dump, const char *key,
                          const char *value)
{
    const json_t *groups = get_array(dump->answer.json, "groups");
    long long count = 0;

    for (size_t i = 0; i < json_array_size(groups); i++) {
        const json_t *labels = get_array(json_array_get(groups, i), "labels");

        for (size_t j = 0; j < json_array_size(labels); j++) {
            const json_t *label = json_array_get(labels, j);

            if (strcmp(get_text(label, "key"), key) == 0 &&
                strcmp(get_text(label, "value"), value) == 0)
                count += get_number(label, "count");
        }
    }
    return count;
}

static void labels_are_counted(void **state)
{
    static const char *const names[] = {
        "labels/1.15/labels.debug1.txt", "labels/1.21/labels.debug1.txt",
        "labels/1.26/labels.debug1.txt", "labels/1.27/labels.debug1.txt",
        "labels/1.27/labels.debug2.txt", /* printed from 1.27 on */
    };

    (void)state;
    for (size_t i = 0; i < LENGTH(names); i++) {
        const struct dump *dump = corpus_dump(names[i]);

        assert_int_equal(40, labelled(dump, "tenant", "acme"));
        assert_int_equal(25, labelled(dump, "tenant", "globex"));
        assert_int_equal(5, labelled(dump, "tenant", "initech"));
        assert_int_equal(1, labelled(dump, "bracket]", "[x]"));
        assert_int_equal(1, labelled(dump, "brace{", "}"));
        assert_int_equal(1, labelled(dump, "comma, ", ": colon"));
        assert_int_equal(1, labelled(dump, "crlf", "a\r\nb"));
        assert_int_equal(1, labelled(dump, "", ""));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_dump_that_truth_lists_is_there),
        cmocka_unit_test(totals_are_those_of_the_header_or_the_records),
        cmocka_unit_test(formats_and_profiles_are_recognised_by_content),
        cmocka_unit_test(planted_groups_have_their_count_place_and_state),
        cmocka_unit_test(writers_of_an_rwmutex_wait_for_two_things),
        cmocka_unit_test(nothing_is_invented),
        cmocka_unit_test(ages_marks_and_threads_are_those_of_the_headers),
        cmocka_unit_test(both_forms_of_goroutineleak_prove_the_same),
        cmocka_unit_test(labels_are_counted),
    };

    return cmocka_run_group_tests(tests, corpus_setup, corpus_teardown);
}
