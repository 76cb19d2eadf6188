/* What dying processes print: every panic, fatal error, signal, timed out test
 * and report of the race detector of the corpus. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"

#include <cmocka.h>

/* What the program of fixtures/programs/crash does in a mode, and what must be
 * said about it. */
struct mode {
    const char *name;
    const char *kind;
    const char *message; /* some part of it */
    const char *rule;    /* NULL = no finding of a crash */
    const char *severity;
    const char *function; /* how the site's name begins */
};

static const struct mode modes[] = {
    {"string", "panic", "something went wrong: \xce\xb1", "crash-panic", "high",
     "main.main"},
    {"error", "panic", "plain error", "crash-panic", "high", "main.main"},
    {"custom", "panic", "code 42\nsecond line of the error", "crash-panic",
     "high", "main.main"},
    {"struct", "panic", "(main.plainStruct) 0x", "crash-panic", "high",
     "main.main"},
    {"named", "panic", "main.named(\"a named string\")", "crash-panic", "high",
     "main.main"},
    {"float", "panic", "1.5", "crash-panic", "high", "main.main"},
    {"nil", "panic", "nil", "crash-panic", "high", "main.main"},
    {"multiline", "panic", "first line", "crash-panic", "high", "main.main"},
    {"nested", "panic", "first\npanic: second\npanic: third", "crash-panic",
     "high", "main.main"},
    {"repanic", "panic", "same again", "crash-repanicked", "high", "main.main"},
    {"recovered", "panic", "inner\npanic: wrapped: inner", "crash-repanicked",
     "high", "main.main"},
    {"nilptr", "panic", "invalid memory address or nil pointer dereference",
     "crash-nil-pointer", "high", "main.(*ptrish).walk2"},
    {"index", "panic", "index out of range [5] with length 2", "crash-bounds",
     "high", "main.index"},
    {"nilmap", "panic", "assignment to entry in nil map", "crash-nil-map",
     "high", "main.main"},
    {"typeassert", "panic", "interface conversion: int is not fmt.Stringer",
     "crash-type-assertion", "high", "main.main"},
    {"closed", "panic", "close of closed channel", "crash-closed-twice", "high",
     "main.main"},
    {"deadlock", "fatal error", "all goroutines are asleep - deadlock!",
     "crash-deadlock", "critical", "main.main"},
    {"goexit", "fatal error", "deadlock!", "crash-deadlock", "critical",
     "main.main.func"},
    {"unlock", "fatal error", "sync: unlock of unlocked mutex", "crash-unlock",
     "critical", "main.main"},
    {"mapwrites", "fatal error", "concurrent map writes",
     "crash-concurrent-map", "critical", "main.main.func"},
    {"overflow", "fatal error", "stack overflow", "crash-stack-overflow",
     "critical", "main.grow"},
    {"oom", "fatal error", "out of memory", "crash-out-of-memory", "critical",
     "main.main"},
    {"gopanic", "panic", "in a goroutine", "crash-panic", "high",
     "main.main.func"},
    {"manypanics", "panic", "panic number ", "crash-panic", "high",
     "main.main.func"},
    {"abort", "signal", "SIGABRT: abort", "crash-abort", "info", "main.main"},
    {"segv_user", "signal", "SIGSEGV: segmentation violation", "crash-signal",
     "high", "main.main"},
    {"labels", "panic", "with labels", "crash-panic", "high", "main.main.func"},
    {"busyquit", "signal", "SIGQUIT: quit", NULL, NULL, NULL},
    {"quit", "signal", "SIGQUIT: quit", NULL, NULL, NULL},
};

static const struct mode *find_mode(const char *name)
{
    for (size_t i = 0; i < LENGTH(modes); i++) {
        if (strcmp(modes[i].name, name) == 0)
            return &modes[i];
    }
    fail_msg("nothing is known about a crash of the kind %s", name);
    return NULL;
}

static json_t *load_truth(const char *scenario)
{
    json_error_t why;
    json_t *truth =
        json_load_file(fixture("corpus/%s/truth.json", scenario), 0, &why);

    if (!truth)
        fail_msg("%s: %s", scenario, why.text);
    return truth;
}

/* The goroutines of a crash, counted in its text: distinct ids before the dumps
 * of other threads, in which the same goroutines stand again. */
static long long count_goroutines(const char *path)
{
    size_t len;
    char *text = read_file(path, &len);
    char *end = strstr(text, "\n-----\n");
    unsigned long long ids[256];
    size_t n = 0;

    if (end)
        *end = '\0';
    for (char *line = text; line; line = strchr(line, '\n')) {
        unsigned long long id;
        size_t i = 0;

        line += *line == '\n';
        if (sscanf(line, "goroutine %llu%*[^\n[][", &id) != 1)
            continue;
        while (i < n && ids[i] != id)
            i++;
        assert_true(n < LENGTH(ids));
        ids[n] = id;
        n += i == n;
    }
    free(text);
    return (long long)n;
}

/* The only snapshot of an answer, which must be a crash. */
static json_t *only_crash(const char *path, const struct answer *answer)
{
    json_t *snapshots = get_array(answer->json, "snapshots");
    json_t *snapshot = json_array_get(snapshots, 0);

    if (json_array_size(snapshots) != 1)
        fail_msg("%s: %zu snapshots", path, json_array_size(snapshots));
    if (strcmp(get_text(snapshot, "format"), "crash") != 0)
        fail_msg("%s: read as %s", path, get_text(snapshot, "format"));
    return snapshot;
}

/* The finding of a rule about crashes, or NULL. */
static json_t *crash_finding(const struct answer *answer)
{
    size_t i;
    json_t *finding;

    json_array_foreach(get_array(answer->json, "findings"), i, finding)
    {
        if (strncmp(get_text(finding, "rule"), "crash-", 6) == 0)
            return finding;
    }
    return NULL;
}

static void check_begin(const char *path, const char *text, const char *begin)
{
    if (strncmp(text, begin, strlen(begin)) != 0)
        fail_msg("%s: '%s' does not begin with '%s'", path, text, begin);
}

static void check_reason(const char *path, const struct answer *answer,
                         const struct mode *mode)
{
    json_t *snapshot = only_crash(path, answer);
    json_t *crash = get_object(snapshot, "crash");
    json_t *finding = crash_finding(answer);

    if (strcmp(get_text(crash, "kind"), mode->kind) != 0 ||
        !strstr(get_text(crash, "message"), mode->message))
        fail_msg("%s: %s: %s", path, get_text(crash, "kind"),
                 get_text(crash, "message"));
    if (!mode->rule) {
        assert_null(finding);
        assert_true(json_is_null(json_object_get(crash, "goroutine")));
        assert_int_equal(answer->status, 0);
        return;
    }
    if (!finding || strcmp(get_text(finding, "rule"), mode->rule) != 0)
        fail_msg("%s: %s", path, finding ? get_text(finding, "rule") : "none");
    assert_string_equal(get_text(finding, "severity"), mode->severity);
    assert_int_equal(answer->status,
                     severity_rank(mode->severity) > RANK_MEDIUM);
    assert_true(get_number(crash, "goroutine") >= 0);
    check_begin(path, get_text(get_object(crash, "site"), "function"),
                mode->function);
    check_begin(path, get_text(get_object(finding, "site"), "function"),
                mode->function);
}

/* GOTRACEBACK=none: the reason alone is no dump, and the answer says so. */
static void check_empty(const char *path)
{
    const char *const arguments[] = {path, NULL};
    struct answer answer = run(NULL, arguments);

    assert_int_equal(answer.status, 2);
    if (!strstr(answer.error, "GOTRACEBACK=all"))
        fail_msg("%s: %s", path, answer.error);
    answer_done(&answer);
}

/* truth.json counts headers, also those of the other threads' dumps. */
static void check_total(const char *path, const struct answer *answer,
                        long long truth)
{
    long long total = get_number(only_crash(path, answer), "total");
    long long counted = count_goroutines(path);

    if (total != counted || (total != truth && !strstr(path, "-crash.")))
        fail_msg("%s: %lld goroutines, not %lld (truth %lld)", path, total,
                 counted, truth);
    assert_int_equal(sum_of(get_array(answer->json, "groups"), "count"), total);
}

static void check_crash(const char *path, json_t *of_file)
{
    const char *name = get_text(of_file, "mode");
    struct answer answer;

    if (!get_number(of_file, "goroutines")) {
        check_empty(path);
        return;
    }
    answer = run_json(path);
    if (strcmp(name, "notify") == 0) {
        /* It did not crash: a signal handler printed three dumps. */
        json_t *snapshots = get_array(answer.json, "snapshots");

        assert_int_equal(json_array_size(snapshots), 3);
        assert_int_equal(sum_of(snapshots, "total"),
                         get_number(of_file, "goroutines") + 3);
    } else {
        check_total(path, &answer, get_number(of_file, "goroutines"));
        check_reason(path, &answer, find_mode(name));
    }
    answer_done(&answer);
}

static void every_crash_is_understood(void **state)
{
    json_t *truth = load_truth("crash");
    const char *version;
    const char *file;
    json_t *of_version;
    json_t *of_file;
    size_t n = 0;

    (void)state;
    json_object_foreach(get_object(truth, "versions"), version, of_version)
    {
        json_object_foreach(get_object(of_version, "files"), file, of_file)
        {
            check_crash(fixture("corpus/crash/%s/%s", version, file), of_file);
            n++;
        }
    }
    assert_int_equal(n, 171);
    json_decref(truth);
}

/* How many goroutines of an answer have a place on their stack. */
static long long count_at(const struct answer *answer, const json_t *place)
{
    long long count = 0;
    size_t i;
    size_t k;
    json_t *group;
    json_t *frame;

    json_array_foreach(get_array(answer->json, "groups"), i, group)
    {
        json_array_foreach(get_array(group, "stack"), k, frame)
        {
            const json_t *file = json_object_get(frame, "file");

            if (!json_is_string(file) ||
                !ends_with(json_string_value(file), get_text(place, "file")) ||
                number_or(frame, "line", 0) != get_number(place, "line"))
                continue;
            count += get_number(group, "count");
            break;
        }
    }
    return count;
}

/* A SIGQUIT dump holds the planted goroutines and those of the runtime. */
static void check_quit(const char *path, json_t *of_version)
{
    struct answer answer = run_json(path);
    json_t *crash = get_object(only_crash(path, &answer), "crash");
    size_t i;
    json_t *planted;

    check_total(path, &answer, count_goroutines(path));
    assert_string_equal(get_text(crash, "message"), "SIGQUIT: quit");
    assert_true(json_is_null(json_object_get(crash, "goroutine")));
    assert_null(crash_finding(&answer));
    json_array_foreach(get_array(of_version, "groups"), i, planted)
    {
        json_t *places = get_array(planted, "locations");
        long long count = get_number(planted, "count");

        for (size_t k = 0; k < json_array_size(places); k++) {
            const json_t *place = json_array_get(places, k);

            if (count_at(&answer, place) != count)
                fail_msg("%s: %s: %lld, not %lld", path,
                         get_text(planted, "name"), count_at(&answer, place),
                         count);
        }
    }
    answer_done(&answer);
}

static void every_planted_goroutine_is_in_the_dump_of_a_sigquit(void **state)
{
    static const char *const files[] = {"everything.sigquit.txt",
                                        "everything386.sigquit.txt"};
    json_t *truth = load_truth("everything");
    const char *version;
    json_t *of_version;
    size_t n = 0;

    (void)state;
    json_object_foreach(get_object(truth, "versions"), version, of_version)
    {
        for (size_t i = 0; i < LENGTH(files); i++) {
            const char *path =
                fixture("corpus/everything/%s/%s", version, files[i]);

            if (!file_exists(path))
                continue;
            check_quit(path, of_version);
            n++;
        }
    }
    assert_int_equal(n, 15);
    json_decref(truth);
}

static void a_process_that_died_in_c_names_the_call(void **state)
{
    static const char *const versions[] = {"1.15", "1.21", "1.24", "1.27"};

    (void)state;
    for (size_t i = 0; i < LENGTH(versions); i++) {
        const char *path =
            fixture("corpus/cgo_blocked/%s/csegv.panic.txt", versions[i]);
        struct answer answer = run_json(path);
        json_t *finding = crash_finding(&answer);

        check_total(path, &answer, count_goroutines(path));
        assert_non_null(finding);
        assert_string_equal(get_text(finding, "rule"), "crash-cgo");
        assert_string_equal(get_text(get_object(finding, "site"), "function"),
                            "main.crash");
        answer_done(&answer);
    }
}

static bool has_site(const struct answer *answer, const char *rule,
                     const char *file, long long line)
{
    size_t i;
    json_t *finding;

    json_array_foreach(get_array(answer->json, "findings"), i, finding)
    {
        const json_t *site = json_object_get(finding, "site");

        if (strcmp(get_text(finding, "rule"), rule) == 0 &&
            json_is_object(site) && ends_with(get_text(site, "file"), file) &&
            get_number(site, "line") == line)
            return true;
    }
    return false;
}

static void a_test_that_timed_out_is_named_where_it_waits(void **state)
{
    json_t *truth = load_truth("testtimeout");
    const char *version;
    json_t *of_version;

    (void)state;
    json_object_foreach(get_object(truth, "versions"), version, of_version)
    {
        json_t *planted = json_array_get(get_array(of_version, "groups"), 0);
        const char *path =
            fixture("corpus/testtimeout/%s/timeout.panic.txt", version);
        struct answer answer = run_json(path);
        json_t *crash = get_object(only_crash(path, &answer), "crash");

        check_total(path, &answer, count_goroutines(path));
        check_begin(path, get_text(crash, "message"),
                    "test timed out after 2s");
        if (!has_site(&answer, "crash-test-timeout", get_text(planted, "file"),
                      get_number(planted, "line")))
            fail_msg("%s: the test's wait is not named", path);
        assert_int_equal(answer.status, 1);
        answer_done(&answer);
    }
    json_decref(truth);
}

static void a_panic_in_a_test_is_named_where_it_began(void **state)
{
    static const char *const versions[] = {"1.15", "1.21", "1.27"};

    (void)state;
    for (size_t i = 0; i < LENGTH(versions); i++) {
        const char *path =
            fixture("corpus/testtimeout/%s/testpanic.panic.txt", versions[i]);
        struct answer answer = run_json(path);
        json_t *crash = get_object(only_crash(path, &answer), "crash");

        assert_string_equal(get_text(crash, "message"), "in a test");
        assert_true(has_site(&answer, "crash-repanicked", "x_test.go", 23));
        answer_done(&answer);
    }
}

static void a_standstill_of_synctest_names_the_test(void **state)
{
    static const char *const versions[] = {"1.25", "1.27"};

    (void)state;
    for (size_t i = 0; i < LENGTH(versions); i++) {
        const char *path = fixture(
            "corpus/synctest_bubble/%s/deadlock.panic.txt", versions[i]);
        struct answer answer = run_json(path);

        check_total(path, &answer, 3);
        assert_true(
            has_site(&answer, "crash-synctest-exited", "x_test.go", 60));
        answer_done(&answer);
    }
}

static void reports_of_the_race_detector_are_no_dumps(void **state)
{
    static const char *const versions[] = {"1.15", "1.24", "1.27"};

    (void)state;
    for (size_t i = 0; i < LENGTH(versions); i++) {
        const char *const arguments[] = {
            fixture("corpus/race/%s/race.txt", versions[i]), NULL};
        struct answer answer = run(NULL, arguments);

        assert_int_equal(answer.status, 2);
        assert_non_null(strstr(answer.error, "report of the race detector"));
        answer_done(&answer);
    }
}

/* Two texts, one behind the other, with something between them. */
static char *join(const char *first, const char *between, const char *second,
                  size_t *ret_len)
{
    size_t len;
    char *a = read_file(first, &len);
    char *b = read_file(second, &len);
    size_t size = strlen(a) + strlen(between) + strlen(b) + 1;
    char *text = malloc(size);

    assert_non_null(text);
    *ret_len = (size_t)snprintf(text, size, "%s%s%s", a, between, b);
    free(a);
    free(b);
    return text;
}

static void check_joined(const char *first, const char *between,
                         const char *second, long long n, long long m)
{
    size_t len;
    char *text = join(first, between, second, &len);
    struct answer answer = run_bytes(text, len, 0);
    json_t *snapshots = get_array(answer.json, "snapshots");

    if (json_array_size(snapshots) != 2 ||
        get_number(json_array_get(snapshots, 0), "total") != n ||
        get_number(json_array_get(snapshots, 1), "total") != m)
        fail_msg("%s and %s: %zu snapshots", first, second,
                 json_array_size(snapshots));
    answer_done(&answer);
    free(text);
}

static void what_follows_a_crash_is_another_dump(void **state)
{
    const char *deadlock = fixture("corpus/crash/1.27/deadlock.panic.txt");
    const char *quit = fixture("corpus/crash/1.21/quit.GOTRACEBACK-crash."
                               "panic.txt");
    const char *dump = fixture("corpus/idle_http/1.27/idle_http.debug2.txt");
    const char *log = "exit status 2\n2026/01/02 03:04:05 starting again\n";

    (void)state;
    check_joined(deadlock, "", deadlock, 4, 4);
    check_joined(deadlock, log, deadlock, 4, 4);
    check_joined(deadlock, "", dump, 4, 3);
    check_joined(quit, "", deadlock, 14, 4);
    check_joined(deadlock, "", quit, 4, 14);
}

static void chunks_and_line_ends_change_nothing(void **state)
{
    const char *path =
        fixture("corpus/crash/1.27/quit.GOTRACEBACK-crash.panic.txt");
    struct answer whole = run_json(path);
    size_t len;
    char *text = read_file(path, &len);
    char *crlf = malloc(2 * len + 1);
    size_t n = 0;
    struct answer pieces = run_bytes(text, len, 1);
    struct answer windows;

    (void)state;
    assert_non_null(crlf);
    for (size_t i = 0; i < len; i++) {
        if (text[i] == '\n')
            crlf[n++] = '\r';
        crlf[n++] = text[i];
    }
    windows = run_bytes(crlf, n, 0);
    assert_true(json_equal(json_object_get(whole.json, "groups"),
                           json_object_get(pieces.json, "groups")));
    assert_true(json_equal(json_object_get(whole.json, "groups"),
                           json_object_get(windows.json, "groups")));
    assert_true(json_equal(get_object(only_crash(path, &whole), "crash"),
                           get_object(only_crash(path, &windows), "crash")));
    answer_done(&whole);
    answer_done(&pieces);
    answer_done(&windows);
    free(text);
    free(crlf);
}

/* run fails the test on a signal and on a status above 2. */
static void a_crash_cut_anywhere_is_answered_or_refused(void **state)
{
    static const char *const files[] = {"1.15/nested", "1.21/multiline",
                                        "1.27/deadlock", "1.27/nilptr"};
    const char *const arguments[] = {"-o", "json", NULL};

    (void)state;
    for (size_t i = 0; i < LENGTH(files); i++) {
        size_t len;
        char *text =
            read_file(fixture("corpus/crash/%s.panic.txt", files[i]), &len);

        for (size_t n = 0; n < len; n += 7) {
            struct feed feed = {text, n, 0};
            struct answer answer = run(&feed, arguments);

            if (answer.status < 2)
                assert_true(
                    sum_of(get_array(answer.json, "snapshots"), "total") > 0);
            answer_done(&answer);
        }
        free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_crash_is_understood),
        cmocka_unit_test(every_planted_goroutine_is_in_the_dump_of_a_sigquit),
        cmocka_unit_test(a_process_that_died_in_c_names_the_call),
        cmocka_unit_test(a_test_that_timed_out_is_named_where_it_waits),
        cmocka_unit_test(a_panic_in_a_test_is_named_where_it_began),
        cmocka_unit_test(a_standstill_of_synctest_names_the_test),
        cmocka_unit_test(reports_of_the_race_detector_are_no_dumps),
        cmocka_unit_test(what_follows_a_crash_is_another_dump),
        cmocka_unit_test(chunks_and_line_ends_change_nothing),
        cmocka_unit_test(a_crash_cut_anywhere_is_answered_or_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
