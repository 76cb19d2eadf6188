/* rules list: which rules there are. */
#include "base/error.h"
#include "cli/rules_shared.h"
#include "cli/rules_words.h"
#include "model/options.h"
#include "rules/match.h"
#include "rules/nearest.h"
#include "rules/words.h"

static const char *const list_formats[] = {"text", "json", NULL};

/* Which rules to list; what was not asked for is -1, NULL or 0. */
struct choice {
    int class;
    int severity;
    int status;
    state_set states;
    struct pattern *file;
    char **words;
    size_t n_words;
};

/* The states that --state asks for, of which a rule must list one. */
static int read_states(state_set *ret, const struct option_list *list,
                       struct cprof_error *err)
{
    for (size_t i = 0; i < list->count; i++) {
        struct str word = str_from(list->values[i]);
        state_id state = state_find(word);

        if (state >= N_STATES)
            return error_set(err, CPROF_EUSAGE, (struct place){0},
                             "option --state: no version of Go has a state "
                             "'%.100s'%s",
                             list->values[i],
                             hint_near(nearest_state(word)).text);
        *ret |= (state_set)1 << state;
    }
    return 0;
}

/* The index of an option's word, -1 when the option was not given. */
static int read_word(int *ret, const char *option, const char *value,
                     const char *const *words, size_t n,
                     struct cprof_error *err)
{
    *ret = -1;
    if (!value)
        return 0;
    *ret = option_word(option, value, words, n, err);
    return *ret < 0 ? CPROF_EUSAGE : 0;
}

static int read_file_pattern(struct pattern **ret, const char *expression,
                             struct cprof_error *err)
{
    struct cprof_error why = {0};

    if (!expression || pattern_new(ret, str_from(expression), &why) == 0)
        return 0;
    return error_set(err, CPROF_EUSAGE, (struct place){0},
                     "option --file '%.100s': %s", expression, why.message);
}

static int choice_read(struct choice *ret, const struct arguments *arguments,
                       struct cprof_error *err)
{
    static const char *const severities[] = {"info", "low", "medium", "high",
                                             "critical"};
    static const char *const statuses[] = {"stable", "experimental"};
    int rc = read_word(&ret->class, "class", arguments->rule_class, class_words,
                       N_CLASSES, err);

    if (rc == 0)
        rc = read_word(&ret->severity, "severity", arguments->rule_severity,
                       severities, 5, err);
    if (rc == 0 && ret->severity >= 0)
        ret->severity += CPROF_SEVERITY_INFO;
    if (rc == 0)
        rc = read_word(&ret->status, "status", arguments->rule_status, statuses,
                       2, err);
    if (rc == 0)
        rc = read_states(&ret->states, &arguments->options->state, err);
    if (rc == 0)
        rc = read_file_pattern(&ret->file, arguments->rule_file, err);
    ret->words = arguments->inputs;
    ret->n_words = arguments->n_inputs;
    return rc;
}

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* Whether a text holds a word, in upper or lower case. */
static bool holds_word(struct str text, struct str word)
{
    for (size_t at = 0; at + word.len <= text.len; at++) {
        size_t i = 0;

        while (i < word.len && lower(text.ptr[at + i]) == lower(word.ptr[i]))
            i++;
        if (i == word.len)
            return true;
    }
    return false;
}

/* A word that is looked for in the patterns of a rule. */
struct search {
    struct str word;
    struct buf plain; /* of a pattern, without its backslashes */
    bool is_found;
};

static void search_pattern(void *user, struct pattern *pattern,
                           const struct origin *origin)
{
    struct search *search = user;

    struct str expression = pattern_expression(pattern);

    (void)origin;
    buf_clear(&search->plain);
    for (size_t i = 0; i < expression.len; i++) {
        if (expression.ptr[i] != '\\')
            buf_add_char(&search->plain, expression.ptr[i]);
    }
    if (holds_word(buf_str(&search->plain), search->word))
        search->is_found = true;
}

static bool rule_holds_word(const struct rule *rule, struct str word)
{
    struct search search = {.word = word};

    if (holds_word(rule->info.id, word) || holds_word(rule->info.title, word))
        return true;
    rule_each_pattern(rule, search_pattern, &search);
    buf_done(&search.plain);
    return search.is_found;
}

static bool is_chosen(const struct choice *choice, const struct rule *rule)
{
    if (choice->class >= 0 &&
        rule->info.class != (enum rule_class)choice->class)
        return false;
    if (choice->severity >= 0 && (int)rule_worst(rule) < choice->severity)
        return false;
    if (choice->status >= 0 && rule->status != (enum rule_status)choice->status)
        return false;
    if (choice->states && !(rule->match.states & choice->states))
        return false;
    if (choice->file &&
        pattern_match(choice->file, rule->info.file) != PATTERN_YES)
        return false;
    for (size_t i = 0; i < choice->n_words; i++) {
        if (!rule_holds_word(rule, str_from(choice->words[i])))
            return false;
    }
    return true;
}

/* "chan-nil  critical  bad  Send or receive on a nil channel". The title is
 * never cut, so that whoever searches the list finds all of it. */
static void put_row(struct page *page, const struct rule *rule, size_t width)
{
    enum cprof_severity worst = rule_worst(rule);
    struct str severity =
        worst == CPROF_SEVERITY_OK ? STR("-") : str_from(severity_text(worst));

    cell_add(page->out, rule->info.id, width + 2, ALIGN_LEFT, CUT_END);
    page_add(page, worst == CPROF_SEVERITY_OK ? TINT_FAINT : tint_of(worst),
             severity);
    buf_add_repeat(page->out, ' ', sizeof("critical  ") - 1 - severity.len);
    cell_add(page->out, str_from(rule_class_text(rule->info.class)),
             sizeof("suspect  ") - 1, ALIGN_LEFT, CUT_END);
    page_add(page, TINT_NONE, rule->info.title);
    if (rule->status == RULE_EXPERIMENTAL)
        page_add(page, TINT_FAINT, STR(" (experimental)"));
    if (!rule_is_enabled(rule))
        page_add(page, TINT_FAINT, STR(" (switched off)"));
    buf_add_char(page->out, '\n');
}

static void put_rows(struct rules_view *view, const struct choice *choice)
{
    size_t n = rules_count(view->rules);
    size_t shown = 0;
    size_t width = 0;

    for (size_t i = 0; i < n; i++) {
        const struct rule *rule = rules_get(view->rules, i);

        if (is_chosen(choice, rule) && rule->info.id.len > width)
            width = rule->info.id.len;
    }
    for (size_t i = 0; i < n; i++) {
        const struct rule *rule = rules_get(view->rules, i);

        if (!is_chosen(choice, rule))
            continue;
        put_row(&view->page, rule, width);
        shown++;
    }
    if (shown)
        buf_add_char(&view->out, '\n');
    if (shown < n)
        buf_addf(&view->out, "%zu of ", shown);
    buf_addf(&view->out, "%zu rule%s\n", n, n == 1 ? "" : "s");
}

static void put_json(struct rules_view *view, const struct choice *choice)
{
    struct json json = json_begin(&view->out);
    size_t n = rules_count(view->rules);

    rules_json_begin(&json, n);
    for (size_t i = 0; i < n; i++) {
        if (is_chosen(choice, rules_get(view->rules, i)))
            rules_json_add(&json, rules_get(view->rules, i));
    }
    json_close_array(&json);
    json_close_object(&json);
}

int rules_list_run(const struct arguments *arguments)
{
    struct rules_view view;
    struct choice choice = {0};
    struct cprof_error err = {0};
    int rc = rules_view_init(&view, arguments, list_formats, &err);

    if (rc == 0)
        rc = choice_read(&choice, arguments, &err);
    if (rc == 0)
        rc = rules_view_load(&view, &err);
    if (rc == 0) {
        if (str_equal(str_from(arguments->output), STR("json")))
            put_json(&view, &choice);
        else
            put_rows(&view, &choice);
        rules_view_write(&view, &err);
    }
    pattern_free(choice.file);
    return rules_view_end(&view, EXIT_OK, &err);
}
