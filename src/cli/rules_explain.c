/* rules explain: all that is known of a rule. */
#include "base/error.h"
#include "cli/rules_example.h"
#include "cli/rules_shared.h"
#include "cli/rules_words.h"
#include "model/options.h"
#include "rules/words.h"

static const char *const explain_formats[] = {"text", "json", "markdown", NULL};

/* A rule that is being written. */
struct writing {
    struct page *page;
    const struct rule_form *form;
};

static void put_item(void *user, struct str line)
{
    const struct writing *writing = user;

    writing->form->item(writing->page, line);
}

/* "Class suspect, confidence medium, experimental, for Go >=1.21. Written
 * in ..." */
static void put_kind(const struct writing *writing, const struct rule *rule)
{
    struct buf line = {0};

    buf_addf(&line, "Class %s", rule_class_text(rule->info.class));
    if (rule->info.class != CLASS_NORMAL)
        buf_addf(&line, ", confidence %s", confidence_text(rule->confidence));
    if (rule->status == RULE_EXPERIMENTAL)
        buf_add(&line, STR(", experimental"));
    if (!rule_is_enabled(rule))
        buf_add(&line, STR(", switched off"));
    if (rule->go_text.len)
        buf_addf(&line, ", for Go " STR_FORMAT, STR_ARG(rule->go_text));
    if (rule->needs == NEEDS_DEBUG2)
        buf_add(&line, STR(", needs debug=2"));
    buf_addf(&line, ". Written in " STR_FORMAT ":%llu%s.",
             STR_ARG(rule->info.file), (unsigned long long)rule->info.line,
             rule->overridden ? ", which changes an earlier rule" : "");
    writing->form->paragraph(writing->page, buf_str(&line));
    writing->page->out->failed |= line.failed;
    buf_done(&line);
}

static void count_item(void *user, struct str line)
{
    size_t *n = user;

    (void)line;
    ++*n;
}

static bool put_match(const struct writing *writing, const struct rule *rule)
{
    struct writing copy = *writing;
    size_t n = 0;
    bool is_done = words_match(rule, count_item, &n);

    writing->form->head(writing->page, n == 1
                                           ? "Matches when this holds"
                                           : "Matches when all of these hold");
    is_done = is_done && words_match(rule, put_item, &copy);
    writing->form->items_end(writing->page);
    return is_done;
}

/* "Only if one of a, b is found too." */
static void put_refs(const struct writing *writing, const char *before,
                     const struct rule_refs *refs)
{
    struct buf line = {0};

    if (!refs->count)
        return;
    buf_add(&line, str_from(before));
    for (size_t i = 0; i < refs->count; i++) {
        buf_add(&line, i ? STR(", ") : STR(" "));
        buf_add(&line, refs->items[i].id);
    }
    writing->form->item(writing->page, buf_str(&line));
    writing->page->out->failed |= line.failed;
    buf_done(&line);
}

static void put_with(const struct writing *writing, const struct with *with)
{
    if (!with->any_of.count && !with->all_of.count && !with->none_of.count)
        return;
    writing->form->head(writing->page, "And when the same dump has");
    put_refs(writing, "findings of one of:", &with->any_of);
    put_refs(writing, "findings of each of:", &with->all_of);
    put_refs(writing, "no finding of:", &with->none_of);
    writing->form->items_end(writing->page);
}

static void put_tiers(const struct writing *writing, const struct rule *rule)
{
    struct buf words = {0};

    if (!rule->when.count)
        return;
    buf_add(&words, STR("Severity by the goroutines "));
    words_group_by(&words, rule);
    buf_add(&words, STR(", the first that holds"));
    writing->page->out->failed |= words.failed;
    writing->form->head(writing->page, words.ptr ? words.ptr : "");
    for (size_t i = 0; i < rule->when.count; i++) {
        const struct tier *tier = &rule->when.items[i];

        buf_clear(&words);
        words_tier(&words, tier);
        writing->form->tier(writing->page, tier->severity, buf_str(&words));
    }
    writing->form->items_end(writing->page);
    writing->page->out->failed |= words.failed;
    buf_done(&words);
}

static void put_text(const struct writing *writing, const char *head,
                     struct str text)
{
    if (!text.len)
        return;
    writing->form->head(writing->page, head);
    writing->form->paragraph(writing->page, text);
}

/* One of the form's ways to write an item of a list. */
typedef void put_item_fn(struct page *page, struct str text);

static void put_list(const struct writing *writing, const char *head,
                     struct rule_texts texts, put_item_fn *put)
{
    if (!texts.count)
        return;
    writing->form->head(writing->page, head);
    for (size_t i = 0; i < texts.count; i++)
        put(writing->page, texts.items[i]);
    writing->form->items_end(writing->page);
}

static void put_texts(const struct writing *writing, const char *head,
                      struct rule_texts texts)
{
    put_list(writing, head, texts, writing->form->item);
}

static int put_rule(struct rules_view *view, const struct rule_form *form,
                    const struct rule *rule, struct cprof_error *err)
{
    struct writing writing = {&view->page, form};
    const struct rule_info *info = &rule->info;
    int rc;

    form->begin(&view->page, info->id, info->title);
    put_kind(&writing, rule);
    if (!put_match(&writing, rule))
        return error_memory(err, (struct place){0}, "explaining a rule");
    put_with(&writing, &rule->with);
    put_tiers(&writing, rule);
    if (info->class != CLASS_NORMAL)
        put_text(&writing, "What it says", info->explain);
    put_text(&writing, "Cause", info->cause);
    put_texts(&writing, "What would decide", info->decide);
    put_texts(&writing, "What to do", info->advice);
    put_texts(&writing, "No problem when", info->false_positives);
    rc = rule_example_put(&view->page, form, view->rules, rule,
                          view->arguments->options, err);
    put_list(&writing, "References", info->references, form->address);
    return rc;
}

/* One rule in the form that -o asks for. */
static int put_one(struct rules_view *view, struct json *json,
                   const struct rule *rule, struct cprof_error *err)
{
    struct str output = str_from(view->arguments->output);

    if (str_equal(output, STR("json"))) {
        rules_json_add(json, rule);
        return 0;
    }
    if (str_equal(output, STR("markdown")))
        return put_rule(view, &form_markdown, rule, err);
    if (view->out.len)
        buf_add(&view->out, STR("\n\n"));
    return put_rule(view, &form_text, rule, err);
}

/* The beginning of the reference: what it is, and a table of all rules. */
static void put_index(struct rules_view *view)
{
    struct buf *out = &view->out;

    buf_add(out, STR("# Rules\n\nMade by `cprof-leaks rules explain --all -o "
                     "markdown`: do not edit.\n\n"
                     "| rule | worst | class | title |\n|---|---|---|---|\n"));
    for (size_t i = 0; i < rules_count(view->rules); i++) {
        const struct rule *rule = rules_get(view->rules, i);
        enum cprof_severity worst = rule_worst(rule);
        const char *severity =
            worst == CPROF_SEVERITY_OK ? "-" : severity_text(worst);

        buf_addf(out, "| [" STR_FORMAT "](#" STR_FORMAT ") | %s | %s | ",
                 STR_ARG(rule->info.id), STR_ARG(rule->info.id), severity,
                 rule_class_text(rule->info.class));
        form_markdown.phrase(&view->page, rule->info.title);
        buf_add(out, STR(" |\n"));
    }
    buf_add_char(out, '\n');
}

/* Every rule, in markdown as a document with the files as its chapters. */
static int put_all(struct rules_view *view, struct json *json,
                   struct cprof_error *err)
{
    bool is_document =
        str_equal(str_from(view->arguments->output), STR("markdown"));
    struct str file = {0};
    int rc = 0;

    if (is_document)
        put_index(view);
    for (size_t i = 0; i < rules_count(view->rules) && rc == 0; i++) {
        const struct rule *rule = rules_get(view->rules, i);

        if (is_document && !str_equal(rule->info.file, file))
            buf_addf(&view->out, "## " STR_FORMAT "\n\n",
                     STR_ARG(rule->info.file));
        file = rule->info.file;
        rc = put_one(view, json, rule, err);
    }
    return rc;
}

/* The rules that were named, none of which is there unless all are. */
static int put_named(struct rules_view *view, struct json *json,
                     struct cprof_error *err)
{
    const struct arguments *arguments = view->arguments;
    int rc = 0;

    for (size_t i = 0; i < arguments->n_inputs; i++) {
        struct str id = str_from(arguments->inputs[i]);
        struct str near = rules_nearest(view->rules, id);

        if (!rules_find(view->rules, id))
            return error_set(
                err, CPROF_EUSAGE, (struct place){0},
                "there is no rule '%.100s'%s", arguments->inputs[i],
                near.len ? hint_near(near).text : "; 'rules list' shows them");
    }
    for (size_t i = 0; i < arguments->n_inputs && rc == 0; i++)
        rc = put_one(view, json,
                     rules_find(view->rules, str_from(arguments->inputs[i])),
                     err);
    return rc;
}

static int explain(struct rules_view *view, struct cprof_error *err)
{
    const struct arguments *arguments = view->arguments;
    bool is_json = str_equal(str_from(arguments->output), STR("json"));
    struct json json = json_begin(&view->out);
    int rc;

    if (is_json)
        rules_json_begin(&json, rules_count(view->rules));
    rc = arguments->options->all ? put_all(view, &json, err)
                                 : put_named(view, &json, err);
    if (is_json) {
        json_close_array(&json);
        json_close_object(&json);
    }
    return rc < 0 ? rc : rules_view_write(view, err);
}

int rules_explain_run(const struct arguments *arguments)
{
    struct rules_view view;
    struct cprof_error err = {0};
    int rc = rules_view_init(&view, arguments, explain_formats, &err);

    if (rc == 0 && !arguments->n_inputs == !arguments->options->all)
        rc = error_set(&err, CPROF_EUSAGE, (struct place){0},
                       arguments->n_inputs
                           ? "--all explains every rule: name none"
                           : "'rules explain' needs the id of a rule; "
                             "'rules list' shows them");
    if (rc == 0)
        rc = rules_view_load(&view, &err);
    if (rc == 0)
        explain(&view, &err);
    return rules_view_end(&view, EXIT_OK, &err);
}
