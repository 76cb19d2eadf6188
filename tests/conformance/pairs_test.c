/* debug=1 and debug=2 of one process have the same signatures, counts and
 * states, though debug=1 carries no state at all. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "corpus.h"

#include <cmocka.h>

/* By what a group is looked for in the other format. */
enum match {
    BY_STACK_AND_STATE,
    BY_STACK, /* its state may change between the two requests */
    BY_LEAF,  /* by its innermost frame and state: stacks are cut otherwise */
};

/* What the two texts cannot agree on. A row speaks of the groups with that
 * function on their stack; an empty name of those without a frame. */
struct exception {
    const char *scenario; /* NULL = each */
    const char *function;
    enum match match;
    long long most; /* goroutines that may stand in one text only */
    const char *why;
};

static const struct exception exceptions[] = {
    {NULL, "runtime/pprof.", BY_STACK_AND_STATE, 2,
     "each format has a function that writes it (runtime/pprof/pprof.go)"},
    {"synctest_bubble", "synctest_bubble.dump", BY_STACK_AND_STATE, 1,
     "debug=2 of this program was taken by runtime.Stack, which hides itself"},
    {NULL, "", BY_STACK_AND_STATE, 1,
     "debug=2 names the function that a goroutine will start with, debug=1 "
     "has nothing of one that has not run yet"},
    {"series_diurnal", "main.(*frontend).", BY_STACK_AND_STATE, 4,
     "requests come and go between the dumps"},
    {"series_diurnal", "main.echo.", BY_STACK_AND_STATE, 1,
     "and so does the connection that one has"},
    {NULL, "net/http.(*connReader).", BY_STACK_AND_STATE, 4,
     "reads ahead on the connection that asks for the dump; the one before "
     "may still be there: two in each text"},
    {NULL, "net/http.(*conn).serve", BY_STACK_AND_STATE, 4,
     "serves the connection that asks for the dump; the same"},
    {NULL, "net/http.(*Server).Serve", BY_STACK_AND_STATE, 2,
     "has just accepted the connection that asks for the dump"},
    {"deep_stack", "main.(*expr).eval", BY_LEAF, 0,
     "debug=1 has the inner 32 (128 from Go 1.23) frames, debug=2 the inner "
     "100 or 50 inner and 50 outer ones"},
    {"everything", "main.deep", BY_LEAF, 0, "151 frames: the same"},
    {"finalizer_gc", "main.churn", BY_STACK, 0,
     "collections go on between the dumps"},
    {"finalizer_gc", "main.forcer", BY_STACK, 0,
     "collections go on between the dumps"},
    {"series_leak", "main.(*svc).", BY_STACK_AND_STATE, 2,
     "requests come and go between the dumps"},
};

enum { N_EXCEPTIONS = LENGTH(exceptions), NO_EXCEPTION = N_EXCEPTIONS };

static bool has_function(const json_t *group, const char *part)
{
    const json_t *stack = get_array(group, "stack");

    if (!part[0])
        return json_array_size(stack) == 0;
    for (size_t i = 0; i < json_array_size(stack); i++) {
        const json_t *frame = json_array_get(stack, i);

        if (strncmp(get_text(frame, "function"), part, strlen(part)) == 0)
            return true;
    }
    return false;
}

static size_t exception_of(const char *scenario, const json_t *group)
{
    size_t i = 0;

    while (i < N_EXCEPTIONS &&
           ((exceptions[i].scenario &&
             strcmp(exceptions[i].scenario, scenario) != 0) ||
            !has_function(group, exceptions[i].function)))
        i++;
    return i;
}

/* Groups with one key are the same group. */
static void make_key(const json_t *group, enum match match, char key[1024])
{
    const json_t *leaf = json_array_get(get_array(group, "stack"), 0);
    const char *state = get_text(group, "state");

    if (match == BY_LEAF)
        snprintf(key, 1024, "%s:%lld %s", get_text(leaf, "function"),
                 get_number(leaf, "line"), state);
    else
        snprintf(key, 1024, "%s %s", get_text(group, "signature"),
                 match == BY_STACK ? "" : state);
}

/* Adds the counts of an answer, times one or minus one, to what is kept for
 * each key: a number and the exception. */
static void tally(json_t *sums, const char *scenario, const json_t *answer,
                  long long sign)
{
    const json_t *groups = get_array(answer, "groups");

    for (size_t i = 0; i < json_array_size(groups); i++) {
        const json_t *group = json_array_get(groups, i);
        size_t exception = exception_of(scenario, group);
        char key[1024];
        json_t *sum;

        make_key(group,
                 exception == NO_EXCEPTION ? BY_STACK_AND_STATE
                                           : exceptions[exception].match,
                 key);
        sum = json_object_get(sums, key);
        if (!sum) {
            sum = json_pack("[I, I]", (json_int_t)0, (json_int_t)exception);
            json_object_set_new(sums, key, sum);
        }
        json_array_set_new(
            sum, 0,
            json_integer(json_integer_value(json_array_get(sum, 0)) +
                         sign * get_number(group, "count")));
    }
}

/* Compares two answers; returns how many groups there were. */
static size_t compare(const char *scenario, const char *name, const json_t *one,
                      const json_t *two)
{
    json_t *sums = json_object();
    long long used[N_EXCEPTIONS + 1] = {0};
    size_t compared;
    const char *key;
    json_t *sum;

    tally(sums, scenario, one, 1);
    tally(sums, scenario, two, -1);
    json_object_foreach(sums, key, sum)
    {
        size_t exception = (size_t)json_integer_value(json_array_get(sum, 1));
        long long more = json_integer_value(json_array_get(sum, 0));

        used[exception] += llabs(more);
        if (used[exception] >
            (exception == NO_EXCEPTION ? 0 : exceptions[exception].most))
            fail_msg("%s: %lld more in debug=%d: %s", name, llabs(more),
                     more > 0 ? 1 : 2, key);
    }
    compared = json_object_size(sums);
    json_decref(sums);
    return compared;
}

static void both_formats_of_a_capture_agree(void **state)
{
    size_t captures = 0;
    size_t groups = 0;

    (void)state;
    for (size_t i = 0; i + 1 < corpus()->count; i++) {
        const struct dump *one = &corpus()->dumps[i];
        const struct dump *two = &corpus()->dumps[i + 1];
        size_t stem = strlen(one->name) - strlen("1.txt");

        /* goroutineleak lists what is proven in one and all in the other. */
        if (!one->is_goroutines || one->is_leak || !one->is_debug1 ||
            strncmp(one->name, two->name, stem) != 0)
            continue;
        captures++;
        groups += compare(one->scenario, one->name, one->answer.json,
                          two->answer.json);
    }
    assert_int_equal(174, captures);
    assert_true(groups > 2000);
}

/* --- Probes --- */

/* Builds of one program that parks goroutines in 68 known ways and writes both
 * texts itself: nothing moves between them. */
static const char *const probes[] = {
    "dumps/1.15",          "dumps/1.19",          "dumps/1.21",
    "dumps/1.23",          "dumps/1.24",          "dumps/1.25",
    "dumps/1.26",          "dumps/1.27",          "variants/1.19-arm64",
    "variants/1.21-cgo",   "variants/1.21-noopt", "variants/1.21-pie",
    "variants/1.21-race",  "variants/1.21-v3",    "variants/1.23-arm64",
    "variants/1.24-arm64", "variants/1.24-cgo",   "variants/1.24-pie",
    "variants/1.24-v3",    "variants/1.26-arm64", "variants/1.26-cgo",
    "variants/1.26-noopt", "variants/1.26-pie",   "variants/1.26-race",
    "variants/1.26-v3",    "variants/1.27-cgo",   "variants/1.27-noopt",
    "variants/1.27-race",
};

static struct answer answers[LENGTH(probes)][2];

static void every_build_agrees_with_itself(void **state)
{
    size_t groups = 0;

    (void)state;
    for (size_t i = 0; i < LENGTH(probes); i++)
        groups +=
            compare("probe", probes[i], answers[i][0].json, answers[i][1].json);
    assert_true(groups > LENGTH(probes) * 100);
}

/* How each function of the probe waits; only where its program could be run
 * differently, on a machine without a network, it is not in every build. */
static const struct {
    const char *function;
    const char *state;
    bool is_rare;
} waits[] = {
    {"main.S01_chanSend", "chan send", false},
    {"main.S02_chanRecv", "chan receive", false},
    {"main.S03_chanRange", "chan receive", false},
    {"main.S04_chanCommaOk", "chan receive", false},
    {"main.S05_nilSend", "chan send (nil chan)", false},
    {"main.S06_nilRecv", "chan receive (nil chan)", false},
    {"main.S07_selectNone", "select (no cases)", false},
    {"main.S08_select2", "select", false},
    /* A select of one case is compiled into the operation itself. */
    {"main.S09_select1", "chan receive", false},
    {"main.S10_bufFull", "chan send", false},
    {"main.S11_mutex", "sync.Mutex.Lock", false},
    {"main.S12_rwR", "sync.RWMutex.RLock", false},
    {"main.S13_rwW_w", "sync.Mutex.Lock", false},
    {"main.S14_rwW_r", "sync.RWMutex.Lock", false},
    {"main.S15_wg", "sync.WaitGroup.Wait", false},
    {"main.S16_cond", "sync.Cond.Wait", false},
    {"main.S17_onceHolder", "select (no cases)", false},
    {"main.S18_onceWait", "sync.Mutex.Lock", false},
    {"main.S19_sleep", "sleep", false},
    {"main.S20_after", "chan receive", false},
    {"main.S21_tick", "chan receive", false},
    {"main.S22_timerC", "chan receive", false},
    {"main.S23_ctxDone", "chan receive", false},
    {"main.S25_nilCtxDone", "chan receive (nil chan)", false},
    {"main.S26_accept", "IO wait", false},
    {"main.S27_connRead", "IO wait", true},
    {"main.S28_connWrite", "IO wait", true},
    {"main.S29_udpRead", "IO wait", false},
    {"main.S30_unixAccept", "IO wait", false},
    {"main.S31_pipeRead", "IO wait", false},
    {"main.S32_ioPipeRead", "select", false},
    {"main.S33_ioPipeWrite", "select", false},
    {"main.S34_netPipeRead", "select", false},
    {"main.S35_fifoOpen", "syscall", false},
    {"main.S36_rawRead", "syscall", false},
    {"main.S37_flock", "syscall", false},
    {"main.S38_execWait", "syscall", false},
    {"main.S39_execCopy", "chan receive", false},
    {"main.S40_execCtx", "syscall", false},
    {"main.S41_signal", "chan receive", false},
    {"main.S42_httpNoTimeout", "select", false},
    {"main.S49_readBodyHang", "IO wait", false},
    {"main.S51_tlsClientHang", "IO wait", true},
    {"main.S53_sqlPool", "select", false},
    {"main.S54_sqlPoolPing", "select", false},
    {"main.S55_sqlTx", "select", false},
    {"main.S58_logHolder", "select (no cases)", false},
    {"main.S59_logWait", "sync.Mutex.Lock", false},
    {"main.S61_lockOS", "select (no cases)", false},
    {"main.S62_spin", "runnable", false},
    {"main.S65_rlockSelf", "sync.RWMutex.RLock", false},
    {"main.S66_abba", "sync.Mutex.Lock", true},
    {"main.S68_timeoutHandler", "select", false},
    {"main.S73_wait4", "syscall", false},
    {"main.S74_copyConns", "IO wait", true},
    {"main.S76_httpServe", "IO wait", false},
    {"main.S77_wgGo", "sync.WaitGroup.Wait", false},
    {"main.S79_httpClientTimeout", "select", false},
    {"main.S81_shutdown", "select", true},
};

static bool has_exactly(const json_t *group, const char *function)
{
    const json_t *stack = get_array(group, "stack");

    for (size_t i = 0; i < json_array_size(stack); i++) {
        if (strcmp(get_text(json_array_get(stack, i), "function"), function) ==
            0)
            return true;
    }
    return false;
}

static void check_wait(const char *probe, const json_t *answer, size_t wait)
{
    const json_t *groups = get_array(answer, "groups");
    const char *function = waits[wait].function;
    long long count = 0;

    for (size_t i = 0; i < json_array_size(groups); i++) {
        const json_t *group = json_array_get(groups, i);

        if (!has_exactly(group, function))
            continue;
        count += get_number(group, "count");
        if (strcmp(get_text(group, "state"), waits[wait].state) != 0)
            fail_msg("%s: %s: '%s', not '%s'", probe, function,
                     get_text(group, "state"), waits[wait].state);
    }
    if (count > 1 || (count == 0 && !waits[wait].is_rare))
        fail_msg("%s: %s: %lld goroutines", probe, function, count);
}

static void every_wait_is_named_on_every_build_in_both_formats(void **state)
{
    (void)state;
    for (size_t i = 0; i < LENGTH(probes); i++) {
        for (size_t j = 0; j < LENGTH(waits); j++) {
            check_wait(probes[i], answers[i][0].json, j);
            check_wait(probes[i], answers[i][1].json, j);
        }
    }
}

/* The labels name the way in which a goroutine was parked. What it started
 * carries them too, so this is more than the functions above. */
static void every_labelled_record_has_a_state(void **state)
{
    size_t labelled = 0;

    (void)state;
    for (size_t i = 0; i < LENGTH(probes); i++) {
        const json_t *groups = get_array(answers[i][0].json, "groups");

        for (size_t j = 0; j < json_array_size(groups); j++) {
            const json_t *group = json_array_get(groups, j);
            const char *word = get_text(group, "state");

            if (json_array_size(get_array(group, "labels")) == 0)
                continue;
            labelled++;
            if (strcmp(word, "unknown") == 0 || strcmp(word, "waiting") == 0 ||
                strcmp(word, "chan operation") == 0)
                fail_msg("%s: state '%s'", probes[i], word);
        }
    }
    assert_true(labelled > LENGTH(probes) * 60);
}

static int setup(void **state)
{
    for (size_t i = 0; i < LENGTH(probes); i++) {
        answers[i][0] = run_json(fixture("probe/%s.d1", probes[i]));
        answers[i][1] = run_json(fixture("probe/%s.d2", probes[i]));
    }
    return corpus_setup(state);
}

static int teardown(void **state)
{
    for (size_t i = 0; i < LENGTH(probes); i++) {
        answer_done(&answers[i][0]);
        answer_done(&answers[i][1]);
    }
    return corpus_teardown(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_formats_of_a_capture_agree),
        cmocka_unit_test(every_build_agrees_with_itself),
        cmocka_unit_test(every_wait_is_named_on_every_build_in_both_formats),
        cmocka_unit_test(every_labelled_record_has_a_state),
    };

    return cmocka_run_group_tests(tests, setup, teardown);
}
