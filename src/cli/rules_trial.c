#include "cli/rules_trial.h"

#include "base/error.h"
#include "rules/match.h"

void trial_done(struct trial *trial)
{
    findings_free(trial->findings);
    analysis_free(trial->analysis);
    cprof_snapshots_free(trial->snapshots);
    buf_done(&trial->dump);
    *trial = (struct trial){0};
}

const struct symbols *trial_symbols(const struct trial *trial)
{
    return trial->snapshots->symbols;
}

bool test_is_positive(const struct rule *rule, const struct rule_test *test)
{
    for (size_t i = 0; i < test->n_expect; i++) {
        struct str id = test->expect[i].rule;

        if (!id.len || str_equal(id, rule->info.id))
            return true;
    }
    return false;
}

/* Gives the text of a dump to a reader. */
static ptrdiff_t read_text(void *user, void *into, size_t size)
{
    struct str *rest = user;
    struct str piece = str_head(*rest, size);

    if (piece.len)
        memcpy(into, piece.ptr, piece.len);
    *rest = str_skip(*rest, piece.len);
    return (ptrdiff_t)piece.len;
}

/* Puts an error that came out of a test's dump where the test stands. */
static int error_at_test(const struct trial *trial, const char *source,
                         struct cprof_error *err)
{
    char message[sizeof(err->message)];
    uint64_t line = err->line;

    memcpy(message, err->message, sizeof(message));
    if (line)
        return error_set(err, err->code,
                         (struct place){source, trial->test->line, 0},
                         "line %llu of the test's dump: %s",
                         (unsigned long long)line, message);
    return error_set(err, err->code,
                     (struct place){source, trial->test->line, 0},
                     "the test's dump: %s", message);
}

static int read_dump(struct trial *trial, const struct cprof_options *options,
                     const char *source, struct cprof_error *err)
{
    struct str rest = {0};
    int rc = cprof_snapshots_new(&trial->snapshots, options, err);

    if (rc < 0)
        return rc;
    rest = buf_str(&trial->dump);
    rc = cprof_snapshots_read(trial->snapshots, source, read_text, &rest, err);
    return rc < 0 ? error_at_test(trial, source, err) : 0;
}

static int run(struct trial *trial, struct rules *rules,
               const struct cprof_options *options, const char *source,
               struct cprof_error *err)
{
    int rc = rule_test_dump(trial->rule, trial->test, &trial->dump, err);

    if (rc < 0)
        return rc;
    rc = read_dump(trial, options, source, err);
    if (rc == 0)
        rc = analysis_new(&trial->analysis, trial->snapshots, err);
    if (rc == 0)
        rc = rules_assume_go(rules, trial->test->go, err);
    if (rc == 0)
        rc = rules_judge(rules, trial->analysis, &trial->findings, err);
    if (rc == 0 && collection_has_lost(trial->snapshots))
        rc = error_memory(err, (struct place){0}, "running a test");
    return rc;
}

int trial_run(struct trial *ret, struct rules *rules, const struct rule *rule,
              const struct rule_test *test, const struct cprof_options *options,
              struct cprof_error *err)
{
    struct trial trial = {.rule = rule, .test = test};
    struct buf source = {0};
    int rc;

    buf_add(&source, rule->info.file);
    if (source.failed)
        return error_memory(err, (struct place){0}, "running a test");
    rc = run(&trial, rules, options, source.ptr, err);
    buf_done(&source);
    if (rc < 0) {
        trial_done(&trial);
        return rc;
    }
    trial.holds =
        rule_test_holds(rule, test, trial.findings, trial_symbols(&trial),
                        &trial.missing, &trial.extra);
    *ret = trial;
    return 0;
}

static void forget(void *user, struct pattern *pattern,
                   const struct origin *origin)
{
    (void)user;
    (void)origin;
    pattern_forget(pattern);
}

/* Whether another rule took a group by one of its tiers, or as normal. What is
 * only mentioned would have gone to any rule with a tier that holds. */
static bool is_taken(const struct trial *trial, size_t group)
{
    for (size_t i = 0; i < findings_count(trial->findings); i++) {
        const struct finding *finding = findings_get(trial->findings, i);

        for (size_t g = 0; finding->is_mention && g < finding->n_groups; g++) {
            if (finding->groups[g] == group)
                return false;
        }
    }
    return findings_owner(trial->findings, group) != NULL;
}

int trial_silence(const struct trial *trial, const struct rule *rule,
                  enum silence *ret, uint64_t *ret_count,
                  struct cprof_error *err)
{
    struct subject subject = {0};
    size_t n = analysis_n_groups(trial->analysis);
    bool all_taken = true;
    int rc = 0;

    *ret_count = 0;
    for (size_t i = 0; i < n; i++) {
        const struct joined_group *group = analysis_group(trial->analysis, i);

        if (!subject_set(&subject, trial_symbols(trial), group)) {
            rc = error_memory(err, (struct place){0}, "explaining a test");
            break;
        }
        if (!match_holds(rule, &subject))
            continue;
        *ret_count += group->count;
        all_taken = all_taken && is_taken(trial, i);
    }
    /* The names that they remember go with the trial. */
    rule_each_pattern(rule, forget, NULL);
    subject_done(&subject);
    *ret = !*ret_count ? SILENCE_NO_MATCH
           : all_taken ? SILENCE_TAKEN
                       : SILENCE_NO_TIER;
    return rc;
}
