#include "cli/rules_example.h"

#include "model/options.h"
#include "rules/words.h"

enum { FRAMES_SHOWN = 10 };

/* The largest group that a rule owns in a trial; NULL when it owns none. */
static const struct joined_group *find_group(const struct trial *trial)
{
    size_t n = analysis_n_groups(trial->analysis);

    for (size_t i = 0; i < n; i++) {
        if (findings_owner(trial->findings, i) == &trial->rule->info)
            return analysis_group(trial->analysis, i);
    }
    return NULL;
}

static const struct finding *find_finding(const struct trial *trial)
{
    for (size_t i = 0; i < findings_count(trial->findings); i++) {
        const struct finding *finding = findings_get(trial->findings, i);

        if (finding->rule == &trial->rule->info)
            return finding;
    }
    return NULL;
}

/* "1,200 goroutines in chan send, at least 10 minutes" */
static void add_heading(struct buf *line, const struct joined_group *group)
{
    words_count(line, group->count);
    buf_addf(line, " goroutine%s", group->count == 1 ? "" : "s");
    if (group->state != STATE_UNKNOWN) {
        buf_add(line, STR(" in "));
        buf_add(line, state_word(group->state));
    }
    if (joined_has_wait(group)) {
        buf_add(line, STR(", "));
        words_age(line, group->facts->wait_max);
    }
}

/* "    main.produce main.go:42" */
static void add_frame(struct buf *line, const struct symbols *symbols,
                      frame_id id)
{
    struct frame frame = symbols_frame(symbols, id);
    struct str file = symbols_text(symbols, frame.file);
    size_t slash = str_rfind(file, '/');

    if (slash < file.len)
        file = str_skip(file, slash + 1);
    buf_add(line, STR("    "));
    buf_add(line, symbols_text(symbols, frame.function));
    if (!file.len)
        return;
    buf_add_char(line, ' ');
    buf_add(line, file);
    if (frame.line)
        buf_addf(line, ":%u", (unsigned)frame.line);
}

static void put_line(struct page *page, const struct rule_form *form,
                     struct buf *line)
{
    form->code(page, buf_str(line));
    page->out->failed |= line->failed;
    buf_clear(line);
}

static void put_group(struct page *page, const struct rule_form *form,
                      const struct symbols *symbols,
                      const struct joined_group *group)
{
    struct stack stack = {0};
    struct buf line = {0};

    if (group->stack != STACK_OTHER)
        stack = symbols_stack(symbols, group->stack);
    form->code_begin(page);
    add_heading(&line, group);
    put_line(page, form, &line);
    for (uint32_t i = 0; i < stack.n_frames && i < FRAMES_SHOWN; i++) {
        add_frame(&line, symbols, stack.frames[i]);
        put_line(page, form, &line);
    }
    if (stack.n_frames > FRAMES_SHOWN) {
        buf_addf(&line, "    ... %u more frames",
                 (unsigned)(stack.n_frames - FRAMES_SHOWN));
        put_line(page, form, &line);
    }
    form->code_end(page);
    buf_done(&line);
}

static void put_answer(struct page *page, const struct rule_form *form,
                       const struct trial *trial)
{
    const struct finding *finding = find_finding(trial);

    if (finding)
        form->tier(page, finding->severity, finding->explain);
    else
        form->paragraph(page, STR("They are normal and set aside."));
    form->items_end(page);
}

/* Writes a trial when it is an example; whether it is one. */
static bool put_trial(struct page *page, const struct rule_form *form,
                      const struct trial *trial)
{
    const struct joined_group *group = find_group(trial);

    if (!group)
        return false;
    form->head(page, "Example");
    put_group(page, form, trial_symbols(trial), group);
    put_answer(page, form, trial);
    return true;
}

int rule_example_put(struct page *page, const struct rule_form *form,
                     struct rules *rules, const struct rule *rule,
                     const struct cprof_options *options,
                     struct cprof_error *err)
{
    bool is_done = false;

    for (const struct rule_test *test = rule->tests; test && !is_done;
         test = test->next) {
        struct trial trial = {0};
        struct cprof_error why = {0};
        int rc = trial_run(&trial, rules, rule, test, options, &why);

        if (rc == CPROF_ENOMEM) {
            *err = why;
            return rc;
        }
        /* A test that cannot be run is for `rules test` to speak of. */
        is_done = rc == 0 && put_trial(page, form, &trial);
        trial_done(&trial);
    }
    return 0;
}
