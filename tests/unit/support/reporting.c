#include "support/reporting.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

const char reporting_rules[] =
    "version: 1\n"
    "rules:\n"
    "- id: idle-workers\n"
    "  title: Workers waiting for work\n"
    "  class: normal\n"
    "  match: {any: ['^main\\.worker$']}\n"
    "- id: send-queue\n"
    "  title: Goroutines queue to send\n"
    "  class: suspect\n"
    "  match: {state: [chan send]}\n"
    "  when:\n"
    "  - {severity: critical, count: '>=1000', share: '>=0.5'}\n"
    "  - {severity: medium, count: '>=100'}\n"
    "  - {severity: low, count: '>=10'}\n"
    "  explain: '{count} goroutines ({share}) wait to send at {site}.'\n"
    "  cause: Nobody receives.\n"
    "  decide: [Take a second dump., Look for the receiver.]\n"
    "  advice: [Bound the queue.]\n"
    "  false_positives: [The queue is short and moves.]\n"
    "  references: ['https://example.com/queue']\n"
    "- id: receive\n"
    "  title: Goroutines waiting to receive\n"
    "  class: neutral\n"
    "  match: {state: [chan receive]}\n"
    "  when: [{severity: info, count: '>=10'}]\n"
    "  explain: 'They wait.'\n";

/* Names the error in the test's output. */
static void must(int rc, const struct cprof_error *err)
{
    if (rc < 0)
        fail_msg("%s:%llu:%llu: %s", err->source, (unsigned long long)err->line,
                 (unsigned long long)err->column, err->message);
}

static void write_rules(struct reporting *reporting, const char *rules)
{
    int fd;
    FILE *file;

    snprintf(reporting->rules_path, sizeof(reporting->rules_path),
             "/tmp/reporting.XXXXXX");
    fd = mkstemp(reporting->rules_path);
    assert_true(fd >= 0);
    file = fdopen(fd, "w");
    assert_non_null(file);
    fputs(rules, file);
    assert_int_equal(fclose(file), 0);
}

void reporting_init(struct reporting *reporting, const char *rules)
{
    struct cprof_error err = {0};

    *reporting = (struct reporting){0};
    write_rules(reporting, rules);
    must(cprof_options_new(&reporting->options, &err), &err);
    reporting_set(reporting, "no-builtin-rules", NULL);
    reporting_set(reporting, "rules", reporting->rules_path);
    must(cprof_snapshots_new(&reporting->snapshots, reporting->options, &err),
         &err);
}

void reporting_done(struct reporting *reporting)
{
    cprof_report_free(reporting->report);
    cprof_snapshots_free(reporting->snapshots);
    cprof_options_free(reporting->options);
    unlink(reporting->rules_path);
    buf_done(&reporting->out);
}

void reporting_set(struct reporting *reporting, const char *name,
                   const char *value)
{
    struct cprof_error err = {0};

    must(cprof_options_set(reporting->options, name, value, &err), &err);
}

struct snapshot *reporting_snapshot(struct reporting *reporting,
                                    const char *source, const char *format)
{
    struct cprof_error err = {0};
    struct snapshot *snapshot = NULL;
    struct snapshot_info *info;

    must(collection_add(reporting->snapshots, &snapshot, &err), &err);
    info = snapshot_info(snapshot);
    info->source = snapshot_copy(snapshot, str_from(source));
    info->format = format;
    info->kind = PROFILE_GOROUTINE;
    info->profile = STR("goroutine");
    info->input = reporting->snapshots->n_inputs++;
    info->line = 1;
    return snapshot;
}

/* "function|file:line" as a frame. */
static frame_id frame_of(struct symbols *symbols, const char *text)
{
    struct str name = str_from(text);
    size_t bar = str_find(name, '|');
    struct str file = str_skip(name, bar + 1);
    size_t colon = str_rfind(file, ':');
    uint64_t line = 0;

    str_to_u64(str_skip(file, colon + 1), &line);
    return symbols_frame_put(
        symbols,
        (struct frame){symbols_function_put(symbols, str_head(name, bar)),
                       symbols_text_put(symbols, str_head(file, colon)),
                       (uint32_t)line});
}

void reporting_add(struct snapshot *snapshot, const struct sample *sample)
{
    struct symbols *symbols = snapshot_symbols(snapshot);
    frame_id frames[SAMPLE_FRAMES];
    struct label label = {str_from(sample->key), str_from(sample->value)};
    struct record record = {
        .count = sample->first_id ? 1 : sample->count,
        .frames = frames,
        .elided = sample->elided,
        .hidden = {.count = -1},
        .has_id = sample->first_id > 0,
        .has_wait = sample->wait_min > 0,
        .leaked = sample->leaked,
        .locked = sample->locked,
        .wait_min = sample->wait_min,
        .labels = &label,
        .n_labels = sample->key ? 1 : 0,
    };
    uint64_t times = sample->first_id ? sample->count : 1;

    while (record.n_frames < SAMPLE_FRAMES && sample->frames[record.n_frames]) {
        frames[record.n_frames] =
            frame_of(symbols, sample->frames[record.n_frames]);
        record.n_frames++;
    }
    if (sample->hidden.n_pc)
        record.hidden = sample->hidden;
    if (sample->state) {
        record.state = symbols_state_put(symbols, str_from(sample->state));
        record.state_source = STATE_FROM_HEADER;
    }
    if (sample->created_by)
        record.created_by = frame_of(symbols, sample->created_by);
    for (uint64_t i = 0; i < times; i++) {
        record.id = sample->first_id + i;
        snapshot_add(snapshot, &record);
    }
}

static int collect(void *user, const char *bytes, size_t size)
{
    struct buf *out = user;

    buf_add(out, (struct str){bytes, size});
    return 0;
}

const char *reporting_write(struct reporting *reporting, const char *format)
{
    struct cprof_error err = {0};

    if (!reporting->report)
        must(cprof_report_new(&reporting->report, reporting->snapshots,
                              reporting->options, &err),
             &err);
    buf_clear(&reporting->out);
    must(cprof_report_write(reporting->report, format, collect, &reporting->out,
                            &err),
         &err);
    return reporting->out.ptr ? reporting->out.ptr : "";
}

void reporting_add_senders(struct snapshot *snapshot, uint64_t count)
{
    reporting_add(snapshot,
                  &(struct sample){.count = count,
                                   .state = "chan send",
                                   .frames = {"acme.com/q/v2.(*Queue).Put|"
                                              "/src/acme/q/queue.go:41",
                                              "main.feed|/src/main.go:12"}});
}

void reporting_add_receivers(struct snapshot *snapshot, uint64_t count)
{
    reporting_add(snapshot,
                  &(struct sample){.count = count,
                                   .state = "chan receive",
                                   .frames = {"main.drain|/src/main.go:30"}});
}

void reporting_add_workers(struct snapshot *snapshot, uint64_t count)
{
    reporting_add(snapshot,
                  &(struct sample){.count = count,
                                   .state = "select",
                                   .frames = {"main.worker|/src/main.go:77"}});
}

void text_has(const char *text, const char *what)
{
    if (!strstr(text, what))
        fail_msg("'%s' is not in:\n%s", what, text);
}

void text_lacks(const char *text, const char *what)
{
    if (strstr(text, what))
        fail_msg("'%s' is in:\n%s", what, text);
}

/* Where what stands in text, which must hold it. */
size_t text_place(const char *text, const char *what)
{
    const char *at = strstr(text, what);

    if (!at)
        fail_msg("'%s' is not in:\n%s", what, text);
    return at ? (size_t)(at - text) : 0;
}
