/* rules test: runs the tests that stand in rule files. */
#include "base/error.h"
#include "cli/rules_coverage.h"
#include "cli/rules_shared.h"
#include "model/options.h"
#include "rules/words.h"

enum { FINDINGS_SHOWN = 8, FACT = 16 };

static const char *const test_formats[] = {"text", NULL};

struct session {
    struct rules_view view;
    struct pattern *wanted; /* --run; NULL = all */
    struct coverage *coverage;
    size_t passed;
    size_t failed;
};

/* Whether the tests of a rule are run: those of the files that were named, or
 * the built-in ones when none was. */
static bool is_under_test(const void *user, const struct rule *rule)
{
    const struct arguments *arguments = user;

    return arguments->n_inputs ? !rule->is_builtin : rule->is_builtin;
}

/* Loads the built-in rules, those of --rules, and those under test. */
static int load(struct rules_view *view, struct cprof_error *err)
{
    const struct arguments *arguments = view->arguments;
    const struct option_list *more = &arguments->options->rules;
    int rc = 0;

    if (!arguments->options->no_builtin_rules)
        rc = rules_load_builtin(view->rules, err);
    for (size_t i = 0; rc == 0 && i < more->count; i++)
        rc = rules_load_path(view->rules, more->values[i], err);
    for (size_t i = 0; rc == 0 && i < arguments->n_inputs; i++)
        rc = rules_load_path(view->rules, arguments->inputs[i], err);
    if (rc == 0)
        rc = rules_link(view->rules, false, err);
    return rc;
}

/* Begins the line of a test: "FAIL  rules/sync.yaml:12: lock-queue, 'one'". */
static void put_test(struct page *page, const struct rule *rule,
                     const struct rule_test *test, bool is_ok)
{
    struct buf line = {0};

    buf_addf(&line, STR_FORMAT ":%llu: " STR_FORMAT ", '" STR_FORMAT "'",
             STR_ARG(rule->info.file), (unsigned long long)test->line,
             STR_ARG(rule->info.id), STR_ARG(test->name));
    page_add(page, is_ok ? TINT_OK : TINT_HIGH,
             is_ok ? STR("ok  ") : STR("FAIL"));
    buf_add(page->out, STR("  "));
    page_add(page, TINT_NONE, buf_str(&line));
    buf_add_char(page->out, '\n');
    page->out->failed |= line.failed;
    buf_done(&line);
}

/* A line below it: "      expected  lock-queue: high, 1,200 goroutines". */
static void put_fact(struct page *page, const char *name,
                     const struct buf *fact)
{
    buf_add_repeat(page->out, ' ', 6);
    cell_add(page->out, str_from(name), FACT - 6, ALIGN_LEFT, CUT_END);
    page_wrap(page, FACT, FACT, buf_str(fact));
    buf_add_char(page->out, '\n');
    page->out->failed |= fact->failed;
}

static void add_goroutines(struct buf *out, uint64_t count)
{
    words_count(out, count);
    buf_add(out, count == 1 ? STR(" goroutine") : STR(" goroutines"));
}

/* What an expectation asks for, in the order of add_found. */
static void add_expected(struct buf *out, const struct rule *rule,
                         const struct test_expect *expect)
{
    buf_add(out, expect->rule.len ? expect->rule : rule->info.id);
    if (expect->has_severity)
        buf_addf(out, ", %s", severity_text(expect->severity));
    if (expect->has_count) {
        buf_add(out, STR(", "));
        add_goroutines(out, expect->count);
    }
    if (expect->has_confidence)
        buf_addf(out, ", confidence %s", confidence_text(expect->confidence));
    if (expect->site.len) {
        buf_add(out, STR(", at "));
        buf_add(out, expect->site);
    }
}

static void add_found(struct buf *out, const struct trial *trial,
                      const struct finding *finding)
{
    const struct symbols *symbols = trial_symbols(trial);

    buf_add(out, finding->rule->id);
    buf_addf(out, ", %s, ", severity_text(finding->severity));
    add_goroutines(out, finding->count);
    buf_addf(out, ", confidence %s", confidence_text(finding->confidence));
    if (finding->site == FRAME_NONE)
        return;
    buf_add(out, STR(", at "));
    buf_add(out, symbols_text(symbols,
                              symbols_frame(symbols, finding->site).function));
}

static void put_expected(struct page *page, const struct trial *trial)
{
    struct buf words = {0};

    if (trial->missing)
        add_expected(&words, trial->rule, trial->missing);
    else
        buf_addf(&words, "nothing%s of " STR_FORMAT,
                 trial->test->n_expect ? " more" : "",
                 STR_ARG(trial->rule->info.id));
    put_fact(page, "expected", &words);
    buf_done(&words);
}

/* Whether no group before this one has the same owner. */
static bool is_first_of_owner(const struct trial *trial, size_t group)
{
    const struct rule_info *owner = findings_owner(trial->findings, group);

    for (size_t i = 0; i < group; i++) {
        if (findings_owner(trial->findings, i) == owner)
            return false;
    }
    return true;
}

/* The goroutines of all groups with an owner, which may be NULL. */
static uint64_t count_owned(const struct trial *trial,
                            const struct rule_info *owner)
{
    size_t n = analysis_n_groups(trial->analysis);
    uint64_t count = 0;

    for (size_t i = 0; i < n; i++) {
        if (findings_owner(trial->findings, i) == owner)
            count += analysis_group(trial->analysis, i)->count;
    }
    return count;
}

/* The lines of what was found, of which the first has a name in front. */
struct found {
    struct page *page;
    const struct trial *trial;
    size_t n;
    struct buf words; /* of the next line */
};

static void put_words(struct found *found)
{
    put_fact(found->page, found->n++ ? "" : "found", &found->words);
    buf_clear(&found->words);
}

/* The goroutines that no finding has: a line for each normal rule, and one for
 * those that are nobody's. */
static void put_rest(struct found *found)
{
    const struct trial *trial = found->trial;
    size_t n = analysis_n_groups(trial->analysis);

    for (size_t i = 0; i < n; i++) {
        const struct rule_info *owner = findings_owner(trial->findings, i);

        if (!is_first_of_owner(trial, i) ||
            (owner && owner->class != CLASS_NORMAL))
            continue;
        buf_add(&found->words, owner ? owner->id : STR("nothing"));
        buf_add(&found->words, owner ? STR(", normal, ") : STR(" in "));
        add_goroutines(&found->words, count_owned(trial, owner));
        put_words(found);
    }
}

static void put_found(struct page *page, const struct trial *trial)
{
    size_t n = findings_count(trial->findings);
    struct found found = {.page = page, .trial = trial};

    for (size_t i = 0; i < n && i < FINDINGS_SHOWN; i++) {
        add_found(&found.words, trial, findings_get(trial->findings, i));
        put_words(&found);
    }
    if (n > FINDINGS_SHOWN) {
        buf_addf(&found.words, "... %zu more", n - FINDINGS_SHOWN);
        put_words(&found);
    }
    put_rest(&found);
    if (!found.n) {
        buf_add(&found.words, STR("no goroutine in the dump"));
        put_words(&found);
    }
    buf_done(&found.words);
}

/* Why the rule that the missing finding is of found nothing. */
static int put_reason(struct page *page, const struct rules *rules,
                      const struct trial *trial, struct cprof_error *err)
{
    struct str id = trial->missing->rule;
    const struct rule *rule = id.len ? rules_find(rules, id) : trial->rule;
    enum silence silence;
    struct buf words = {0};
    uint64_t count = 0;
    int rc;

    if (!rule || count_owned(trial, &rule->info))
        return 0;
    rc = trial_silence(trial, rule, &silence, &count, err);
    if (rc < 0)
        return rc;
    if (silence == SILENCE_NO_MATCH) {
        buf_add(&words, STR("its match holds for no goroutine of the dump"));
    } else {
        buf_add(&words, STR("its match holds for "));
        add_goroutines(&words, count);
        buf_add(&words, silence == SILENCE_TAKEN
                            ? STR(", which went to other rules")
                            : STR(", but no tier of 'when' does"));
    }
    put_fact(page, "because", &words);
    buf_done(&words);
    return 0;
}

static int put_failure(struct session *session, const struct trial *trial,
                       struct cprof_error *err)
{
    struct page *page = &session->view.page;

    put_test(page, trial->rule, trial->test, false);
    put_expected(page, trial);
    put_found(page, trial);
    if (trial->missing)
        return put_reason(page, session->view.rules, trial, err);
    return 0;
}

/* A test that could not be run has failed: its dump is missing, or is none. */
static void put_broken(struct session *session, const struct rule *rule,
                       const struct rule_test *test,
                       const struct cprof_error *why)
{
    struct buf words = {0};

    put_test(&session->view.page, rule, test, false);
    buf_addf(&words, "%s", why->message);
    put_fact(&session->view.page, "problem", &words);
    buf_done(&words);
    session->failed++;
}

static int run_test(struct session *session, const struct rule *rule,
                    const struct rule_test *test, struct cprof_error *err)
{
    const struct cprof_options *options = session->view.arguments->options;
    struct cprof_error why = {0};
    struct trial trial = {0};
    int rc = trial_run(&trial, session->view.rules, rule, test, options, &why);

    if (rc == CPROF_ENOMEM) {
        *err = why;
        return rc;
    }
    if (rc < 0) {
        put_broken(session, rule, test, &why);
        return 0;
    }
    coverage_note(session->coverage, &trial);
    if (trial.holds) {
        session->passed++;
        if (options->verbose)
            put_test(&session->view.page, rule, test, true);
    } else {
        session->failed++;
        rc = put_failure(session, &trial, err);
    }
    trial_done(&trial);
    return rc;
}

/* Whether --run asks for a test. */
static bool is_wanted(const struct session *session, const struct rule *rule,
                      const struct rule_test *test)
{
    struct buf name = {0};
    bool is;

    if (!session->wanted)
        return true;
    buf_addf(&name, STR_FORMAT "/" STR_FORMAT, STR_ARG(rule->info.id),
             STR_ARG(test->name));
    is = pattern_match(session->wanted, buf_str(&name)) == PATTERN_YES;
    buf_done(&name);
    return is;
}

static int run_tests(struct session *session, struct cprof_error *err)
{
    struct rules *rules = session->view.rules;
    int rc = 0;

    for (size_t i = 0; i < rules_count(rules) && rc == 0; i++) {
        const struct rule *rule = rules_get(rules, i);
        const struct rule_test *test = rule->tests;

        if (!is_under_test(session->view.arguments, rule))
            continue;
        for (; test && rc == 0; test = test->next) {
            if (is_wanted(session, rule, test))
                rc = run_test(session, rule, test, err);
        }
    }
    return rc;
}

static void put_summary(struct session *session)
{
    struct page *page = &session->view.page;
    const struct arguments *arguments = session->view.arguments;

    if (session->failed)
        buf_add_char(page->out, '\n');
    buf_addf(page->out, "%zu passed, %zu failed\n", session->passed,
             session->failed);
    if (arguments->coverage || !session->wanted)
        coverage_put(session->coverage, page, is_under_test, arguments,
                     arguments->coverage);
}

static int run(struct session *session, struct cprof_error *err)
{
    const struct arguments *arguments = session->view.arguments;
    struct cprof_error why = {0};
    int rc = 0;

    if (arguments->rule_tests &&
        pattern_new(&session->wanted, str_from(arguments->rule_tests), &why) <
            0)
        rc = error_set(err, CPROF_EUSAGE, (struct place){0},
                       "option --run '%.100s': %s", arguments->rule_tests,
                       why.message);
    if (rc == 0)
        rc = load(&session->view, err);
    if (rc == 0)
        rc = coverage_new(&session->coverage, session->view.rules, err);
    if (rc == 0)
        rc = run_tests(session, err);
    if (rc == 0 && !session->passed && !session->failed)
        rc = error_set(err, CPROF_EUSAGE, (struct place){0}, "%s",
                       session->wanted ? "no test matches --run"
                                       : "these rules have no tests");
    if (rc == 0 && !arguments->quiet) {
        put_summary(session);
        rc = rules_view_write(&session->view, err);
    }
    return rc;
}

int rules_test_run(const struct arguments *arguments)
{
    struct session session = {0};
    struct cprof_error err = {0};

    if (rules_view_init(&session.view, arguments, test_formats, &err) == 0)
        run(&session, &err);
    coverage_free(session.coverage);
    pattern_free(session.wanted);
    return rules_view_end(&session.view,
                          session.failed ? EXIT_FINDING : EXIT_OK, &err);
}
