/* What rules say of a program that parks goroutines in 68 known ways, three of
 * each: the rule made for the symptom has them, and healthy waits of three are
 * named without a finding. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"
#include "texts.h"

#include <cmocka.h>

enum { TIMES = 3, ID_STEP = 100000 };

static const char *const builds[] = {"1.15", "1.19", "1.21", "1.23",
                                     "1.24", "1.25", "1.26", "1.27"};

static struct answer answers[LENGTH(builds)][2];

/* --- Three of each --- */

/* Appends the number at the start of the text times three, and returns the
 * place behind it. */
static const char *add_tripled(struct text *out, const char *at)
{
    char digits[32];
    char *end;
    unsigned long long number = strtoull(at, &end, 10);

    snprintf(digits, sizeof(digits), "%llu", number * TIMES);
    text_add_string(out, digits);
    return end;
}

/* A count profile with all counts three times as large. */
static struct text triple_counts(const char *at)
{
    static const char total[] = "goroutine profile: total ";
    struct text out = {0};
    const char *end = at + strlen(at);

    for (const char *line = at; line < end; line = at) {
        const char *digits = line + strspn(line, "0123456789");

        at = line_end(line, end);
        at += at < end;
        if (strncmp(line, total, strlen(total)) == 0) {
            text_add_string(&out, total);
            line = add_tripled(&out, line + strlen(total));
        } else if (digits > line && strncmp(digits, " @", 2) == 0) {
            line = add_tripled(&out, line);
        }
        text_add(&out, line, (size_t)(at - line));
    }
    return out;
}

/* Appends a goroutine with another id: "goroutine 7 [...". */
static void add_copy(struct text *out, const char *at, const char *end,
                     unsigned copy)
{
    char digits[32];
    char *rest;
    unsigned long long id =
        strtoull(at + strlen("goroutine "), &rest, 10) + copy * ID_STEP;

    snprintf(digits, sizeof(digits), "goroutine %llu", id);
    text_add_string(out, digits);
    text_add(out, rest, (size_t)(end - rest));
    text_add_string(out, "\n\n");
}

/* Whether there is only one such goroutine in a process: the first writes the
 * dump, and a second one would begin another dump; one runs all finalizers. */
static bool is_unique(const struct text *out, const char *at, const char *end)
{
    static const char finalizer[] = "main.S71_finalizer";

    return !out->len || memmem(at, (size_t)(end - at), finalizer,
                               sizeof(finalizer) - 1) != NULL;
}

/* A dump with the goroutines three times of which there can be so many. */
static struct text triple_stacks(const char *at)
{
    struct text out = {0};

    while (*at) {
        const char *blank = strstr(at, "\n\n");
        const char *end = blank ? blank : at + strlen(at);
        unsigned copies = is_unique(&out, at, end) ? 1 : TIMES;

        for (unsigned i = 0; i < copies; i++)
            add_copy(&out, at, end, i);
        at = end + strspn(end, "\n");
    }
    return out;
}

static struct answer ask(const char *build, const char *form,
                         struct text (*triple)(const char *))
{
    size_t len;
    char *bytes = read_file(fixture("probe/dumps/%s.%s", build, form), &len);
    struct text text = triple(bytes);
    struct answer answer = run_bytes(text.bytes, text.len, 0);

    free(text.bytes);
    free(bytes);
    return answer;
}

/* --- Who has them --- */

/* The functions where goroutines were parked, and the rule that knows why. */
static const struct {
    const char *function; /* the last one of the program's own on the stack */
    const char *rule;
} symptoms[] = {
    {"main.S01_chanSend", "chan-send-blocked"},
    {"main.S02_chanRecv", "chan-receive-blocked"},
    {"main.S03_chanRange", "chan-receive-blocked"},
    {"main.S04_chanCommaOk", "chan-receive-blocked"},
    {"main.S05_nilSend", "chan-nil"},
    {"main.S06_nilRecv", "chan-nil"},
    {"main.S07_selectNone", "select-no-cases"},
    {"main.S08_select2", "select-waiting"},
    {"main.S09_select1", "chan-receive-blocked"},
    {"main.S10_bufFull", "chan-send-blocked"},
    {"main.S11_mutex", "mutex-contention"},
    {"main.S12_rwR", "rwmutex-readers-behind-writer"},
    {"main.S13_rwW_w", "rwmutex-writers-queued"},
    {"main.S14_rwW_r", "rwmutex-writers-blocked"},
    {"main.S15_wg", "waitgroup-waiting"},
    {"main.S16_cond", "cond-waiting"},
    {"main.S17_onceHolder", "select-no-cases"},
    {"main.S18_onceWait", "once-blocked"},
    {"main.S19_sleep", "sleep-mass"},
    {"main.S20_after", "chan-receive-blocked"},
    {"main.S21_tick", "periodic-loops"},
    {"main.S22_timerC", "chan-receive-blocked"},
    {"main.S23_ctxDone", "chan-receive-blocked"},
    {"main.S25_nilCtxDone", "chan-nil"},
    {"main.S27_connRead", "netpoll-mass"},
    {"main.S27_connRead.func1", "sleep-mass"},
    {"main.S28_connWrite", "net-write-blocked"},
    {"main.S28_connWrite.func1", "sleep-mass"},
    {"main.S29_udpRead", "udp-readers"},
    {"main.S31_pipeRead", "netpoll-mass"},
    {"main.S32_ioPipeRead", "io-pipe-waiting"},
    {"main.S33_ioPipeWrite", "io-pipe-waiting"},
    {"main.S34_netPipeRead", "io-pipe-waiting"},
    {"main.S35_fifoOpen", "file-open-waiting"},
    {"main.S36_rawRead", "file-io-waiting"},
    {"main.S37_flock", "file-lock-waiting"},
    {"main.S38_execWait", "child-process-wait"},
    {"main.S39_execCopy", "child-output-wait"},
    {"main.S40_execCtx", "child-process-wait"},
    {"main.S41_signal", "chan-receive-blocked"},
    {"main.S42_httpNoTimeout", "http-client-waiting"},
    {"main.S49_readBodyHang", "http-body-read-waiting"},
    {"main.S50_h2.func1", "http-client-waiting"},
    {"main.S51_tlsClientHang", "tls-handshake-waiting"},
    {"main.S51_tlsClientHang.func1", "sleep-mass"},
    {"main.S53_sqlPool", "sql-pool-exhausted"},
    {"main.S54_sqlPoolPing", "sql-pool-exhausted"},
    {"main.S55_sqlTx", "sql-pool-exhausted"},
    {"main.S58_logHolder", "log-output-stalled"},
    {"main.S59_logWait", "log-std-lock"},
    {"main.S61_lockOS", "select-no-cases"},
    {"main.S62_spin", "running-at-one-line"},
    {"main.S65_rlockSelf", "rwmutex-readers-behind-writer"},
    {"main.S65_rlockSelf.func1", "rwmutex-writers-blocked"},
    {"main.S66_abba", "mutex-contention"},
    {"main.S66_abba.func1", "mutex-contention"},
    {"main.S68_timeoutHandler", "http-client-waiting"},
    {"main.S71_finalizer.func1", "finalizer-stuck"},
    {"main.S73_wait4", "child-process-wait"},
    {"main.S74_copyConns", "proxy-tunnels"},
    {"main.S74_copyConns.func1", "sleep-mass"},
    {"main.S75_mutexHolderIO.func1", "mutex-contention"},
    {"main.S77_wgGo", "waitgroup-waiting"},
    {"main.S77_wgGo.func1", "select-no-cases"},
    {"main.S79_httpClientTimeout", "http-client-waiting"},
    {"net/http.(*persistConn).readLoop", "http-body-not-closed"},
    {"database/sql.(*Rows).awaitDone", "sql-rows-open"},
    {"database/sql.(*Tx).awaitDone", "sql-tx-open"},
};

/* Waits that every healthy program has in such numbers. */
static const char *const quiet[] = {"chan-receive-blocked", "select-waiting",
                                    "sleep-mass", "netpoll-mass",
                                    "running-at-one-line"};

static bool is_quiet(const char *rule)
{
    for (size_t i = 0; i < LENGTH(quiet); i++) {
        if (strcmp(quiet[i], rule) == 0)
            return true;
    }
    return false;
}

/* The function by which a symptom is known: the last of the program's own, or
 * the last of all. */
static const char *function_of(const json_t *group)
{
    const json_t *stack = get_array(group, "stack");
    const char *last = "";

    for (size_t i = json_array_size(stack); i-- > 0;) {
        const char *function = get_text(json_array_get(stack, i), "function");

        if (strncmp(function, "main.S", strlen("main.S")) == 0)
            return function;
        if (!*last)
            last = function;
    }
    return last;
}

/* Whether a finding of a rule has the group. */
static bool is_found(const json_t *answer, const char *rule, const char *id)
{
    const json_t *findings = get_array(answer, "findings");

    for (size_t i = 0; i < json_array_size(findings); i++) {
        const json_t *finding = json_array_get(findings, i);

        if (strcmp(get_text(finding, "rule"), rule) == 0 &&
            has_text(get_array(finding, "group_ids"), id))
            return true;
    }
    return false;
}

/* Whether the rule of a symptom has one of the groups at its function. *ret
 * counts these groups. */
static bool has_owner(const json_t *answer, size_t symptom, size_t *ret)
{
    const json_t *groups = get_array(answer, "groups");
    const char *rule = symptoms[symptom].rule;
    bool is_owned = false;

    *ret = 0;
    for (size_t i = 0; i < json_array_size(groups); i++) {
        const json_t *group = json_array_get(groups, i);
        const json_t *name = json_object_get(group, "rule");

        if (strcmp(function_of(group), symptoms[symptom].function) != 0)
            continue;
        (*ret)++;
        if (json_is_string(name) &&
            strcmp(json_string_value(name), rule) == 0 &&
            is_found(answer, rule, get_text(group, "id")) != is_quiet(rule))
            is_owned = true;
    }
    return is_owned;
}

static void three_of_a_symptom_are_the_rule_s_that_knows_it(void **state)
{
    (void)state;
    for (size_t i = 0; i < LENGTH(builds) * 2; i++) {
        size_t seen = 0;

        for (size_t j = 0; j < LENGTH(symptoms); j++) {
            size_t groups;

            if (!has_owner(answers[i / 2][i % 2].json, j, &groups) && groups)
                fail_msg("%s.d%zu: %s is not found by %s", builds[i / 2],
                         i % 2 + 1, symptoms[j].function, symptoms[j].rule);
            seen += groups > 0;
        }
        /* Some need a network, or a library of newer versions. */
        assert_true(seen + 8 >= LENGTH(symptoms));
    }
}

static int setup(void **state)
{
    (void)state;
    for (size_t i = 0; i < LENGTH(builds); i++) {
        answers[i][0] = ask(builds[i], "d1", triple_counts);
        answers[i][1] = ask(builds[i], "d2", triple_stacks);
    }
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    for (size_t i = 0; i < LENGTH(builds); i++) {
        answer_done(&answers[i][0]);
        answer_done(&answers[i][1]);
    }
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(three_of_a_symptom_are_the_rule_s_that_knows_it),
    };

    return cmocka_run_group_tests(tests, setup, teardown);
}
