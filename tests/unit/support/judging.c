#include "support/judging.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include "rules/load.h"

#include <cmocka.h>

static void must(int rc, const struct cprof_error *err)
{
    if (rc < 0)
        fail_msg("%s:%llu:%llu: %s\n%s", err->source,
                 (unsigned long long)err->line, (unsigned long long)err->column,
                 err->message, err->detail);
}

void judging_init(struct judging *judging)
{
    struct cprof_error err = {0};

    *judging = (struct judging){0};
    must(cprof_options_new(&judging->base.options, &err), &err);
    must(cprof_snapshots_new(&judging->base.snapshots, judging->base.options,
                             &err),
         &err);
    must(rules_new(&judging->rules, &judging->base.snapshots->budget, &err),
         &err);
}

void judging_done(struct judging *judging)
{
    findings_free(judging->findings);
    analysis_free(judging->analysis);
    rules_free(judging->rules);
    cprof_snapshots_free(judging->base.snapshots);
    cprof_options_free(judging->base.options);
    buf_done(&judging->base.out);
}

static void load(struct judging *judging, const char *yaml, bool is_builtin)
{
    struct cprof_error err = {0};
    struct buf text = {0};

    buf_addf(&text, "version: 1\nrules:\n%s", yaml);
    must(load_text(judging->rules, "test.yaml", buf_str(&text), is_builtin,
                   &err),
         &err);
    buf_done(&text);
}

void judging_rules(struct judging *judging, const char *yaml)
{
    load(judging, yaml, false);
}

void judging_builtin_rules(struct judging *judging, const char *yaml)
{
    load(judging, yaml, true);
}

struct snapshot *judging_instance(struct judging *judging)
{
    struct snapshot *snapshot =
        reporting_snapshot(&judging->base, "dump.txt", "debug2");

    snapshot_info(snapshot)->complete = true;
    return snapshot;
}

void judging_senders(struct snapshot *snapshot, const char *frame,
                     uint64_t count)
{
    struct sample sample = {.count = count,
                            .state = "chan send",
                            .frames = {frame, "main.main|main.go:9"}};

    reporting_add(snapshot, &sample);
}

void judging_analyse(struct judging *judging)
{
    struct cprof_error err = {0};

    if (!judging->analysis)
        must(analysis_new(&judging->analysis, judging->base.snapshots, &err),
             &err);
}

/* The leaf function of a group, "" without frames. */
static struct str leaf_of(const struct judging *judging,
                          const struct joined_group *group)
{
    const struct symbols *symbols = judging->base.snapshots->symbols;
    struct stack stack = symbols_stack(symbols, group->stack);

    return stack.n_frames ? symbols_function(symbols, stack.frames[0])
                          : STR("");
}

static size_t find_group(const struct judging *judging, const char *leaf)
{
    size_t n = analysis_n_groups(judging->analysis);

    for (size_t i = 0; i < n; i++) {
        struct joined_group *group = analysis_group(judging->analysis, i);

        if (str_equal(leaf_of(judging, group), str_from(leaf)))
            return i;
    }
    fail_msg("no group with leaf %s", leaf);
    return 0;
}

struct joined_group *judging_group(const struct judging *judging,
                                   const char *leaf)
{
    return analysis_group(judging->analysis, find_group(judging, leaf));
}

void judging_judge(struct judging *judging)
{
    struct cprof_error err = {0};

    judging_analyse(judging);
    findings_free(judging->findings);
    judging->findings = NULL;
    must(rules_judge(judging->rules, judging->analysis, &judging->findings,
                     &err),
         &err);
}

const char *judging_text(struct judging *judging)
{
    struct buf *out = &judging->base.out;

    buf_clear(out);
    for (size_t i = 0; i < findings_count(judging->findings); i++) {
        const struct finding *finding = findings_get(judging->findings, i);

        buf_addf(out, STR_FORMAT " %s %llu\n", STR_ARG(finding->rule->id),
                 severity_text(finding->severity),
                 (unsigned long long)finding->count);
    }
    return out->ptr ? out->ptr : "";
}

const char *judging_owner(const struct judging *judging, const char *leaf)
{
    const struct rule_info *owner =
        findings_owner(judging->findings, find_group(judging, leaf));

    return owner ? owner->id.ptr : "";
}
