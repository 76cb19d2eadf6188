/* Rules as JSON, schema cprof-leaks/rules/v1: docs/rules.md says what stands
 * where. Texts and figures are those of the rule files; what people read is
 * made by rules_words.c. */
#include "cli/rules_shared.h"
#include "cli/rules_trial.h"
#include "cli/rules_words.h"
#include "report/json_fields.h"
#include "rules/words.h"

void rules_json_begin(struct json *json, size_t total)
{
    json_open_object(json);
    field_text(json, "schema", "cprof-leaks/rules/v1");
    json_put_key(json, "tool");
    json_open_object_flat(json);
    field_text(json, "name", "cprof-leaks");
    field_text(json, "version", cprof_version());
    json_close_object(json);
    field_u64(json, "total", total);
    json_put_key(json, "rules");
    json_open_array(json);
}

/* A key with the expressions of patterns; nothing when there are none. */
static void put_patterns(struct json *json, const char *key,
                         const struct patterns *patterns)
{
    if (!patterns->count)
        return;
    json_put_key(json, key);
    json_open_array(json);
    for (size_t i = 0; i < patterns->count; i++)
        json_put_string(json, patterns->items[i]
                                  ? pattern_expression(patterns->items[i])
                                  : STR("..."));
    json_close_array(json);
}

static void put_states(struct json *json, state_set states)
{
    if (!states)
        return;
    json_put_key(json, "state");
    json_open_array_flat(json);
    for (unsigned state = 0; state < N_STATES; state++) {
        if ((states >> state) & 1)
            json_put_string(json, state_word((state_id)state));
    }
    json_close_array(json);
}

static void put_labels(struct json *json, const struct match *match)
{
    if (!match->n_labels)
        return;
    json_put_key(json, "labels");
    json_open_array(json);
    for (size_t i = 0; i < match->n_labels; i++) {
        json_open_object(json);
        field_str(json, "key", match->labels[i].key);
        put_patterns(json, "values", &match->labels[i].values);
        json_close_object(json);
    }
    json_close_array(json);
}

static void put_wanted(struct json *json, const char *key, enum wanted wanted)
{
    if (wanted != WANTED_ANY)
        field_bool(json, key, wanted == WANTED_YES);
}

/* Only the keys that a match has, under the names of rule files. */
static void put_match(struct json *json, const struct match *match)
{
    json_open_object(json);
    put_states(json, match->states);
    put_wanted(json, "state_required", match->state_required);
    put_patterns(json, "leaf", &match->leaf);
    put_patterns(json, "site", &match->site);
    put_patterns(json, "any", &match->any);
    put_patterns(json, "all", &match->all);
    put_patterns(json, "chain", &match->chain);
    put_patterns(json, "bottom", &match->bottom);
    put_patterns(json, "created_by", &match->created_by);
    put_labels(json, match);
    put_patterns(json, "file", &match->file);
    put_wanted(json, "locked", match->locked);
    put_wanted(json, "leaked", match->leaked);
    put_wanted(json, "cycle", match->cycle);
    put_wanted(json, "stranded", match->stranded);
    put_wanted(json, "request", match->request);
    put_patterns(json, "crash", &match->crash);
    put_wanted(json, "finalizer", match->finalizer);
    if (match->except) {
        json_put_key(json, "not");
        put_match(json, match->except);
    }
    json_close_object(json);
}

static void put_exceptions(struct json *json, const struct rule *rule)
{
    json_put_key(json, "exceptions");
    json_open_array(json);
    for (const struct exception *at = rule->exceptions; at; at = at->next) {
        json_open_object(json);
        field_str(json, "name", at->name);
        json_put_key(json, "match");
        put_match(json, &at->match);
        json_close_object(json);
    }
    json_close_array(json);
}

static void put_refs(struct json *json, const char *key,
                     const struct rule_refs *refs)
{
    json_put_key(json, key);
    json_open_array_flat(json);
    for (size_t i = 0; i < refs->count; i++)
        json_put_string(json, refs->items[i].id);
    json_close_array(json);
}

static void put_bounds(struct json *json, const struct tier *tier)
{
    enum { DIGITS = 6 };

    json_put_key(json, "bounds");
    json_open_array(json);
    for (enum bound_key key = 0; key < N_BOUNDS; key++) {
        if (tier->bounds[key].op == BOUND_NONE)
            continue;
        json_open_object_flat(json);
        field_text(json, "key", bound_name(key));
        if (key == BOUND_RATIO)
            field_str(json, "rule", tier->ratio_to.id);
        field_text(json, "op", bound_op_text(tier->bounds[key].op));
        json_put_key(json, "value");
        if (key == BOUND_GROWTH)
            json_put_text(json, confidence_text(
                                    (enum confidence)tier->bounds[key].value));
        else
            json_put_double(json, tier->bounds[key].value, DIGITS);
        json_close_object(json);
    }
    json_close_array(json);
}

static void put_when(struct json *json, const struct rule *rule)
{
    struct buf words = {0};

    json_put_key(json, "when");
    json_open_array(json);
    for (size_t i = 0; i < rule->when.count; i++) {
        const struct tier *tier = &rule->when.items[i];

        buf_clear(&words);
        words_tier(&words, tier);
        json_open_object(json);
        field_text(json, "severity", severity_text(tier->severity));
        put_bounds(json, tier);
        field_str(json, "words", buf_str(&words));
        json_close_object(json);
    }
    json_close_array(json);
    buf_done(&words);
}

static void put_texts(struct json *json, const struct rule_info *info)
{
    field_str(json, "explain", info->explain);
    field_str_or_null(json, "cause", info->cause);
    field_texts(json, "decide", info->decide);
    field_texts(json, "advice", info->advice);
    field_texts(json, "false_positives", info->false_positives);
    field_texts(json, "references", info->references);
}

static void put_tests(struct json *json, const struct rule *rule)
{
    json_put_key(json, "tests");
    json_open_array(json);
    for (const struct rule_test *at = rule->tests; at; at = at->next) {
        json_open_object_flat(json);
        field_str(json, "name", at->name);
        field_u64(json, "line", at->line);
        field_bool(json, "positive", test_is_positive(rule, at));
        json_close_object(json);
    }
    json_close_array(json);
}

void rules_json_add(struct json *json, const struct rule *rule)
{
    enum cprof_severity worst = rule_worst(rule);
    struct buf group_by = {0};

    words_group_by_key(&group_by, rule);
    json_open_object(json);
    field_str(json, "id", rule->info.id);
    field_str(json, "title", rule->info.title);
    field_text(json, "class", rule_class_text(rule->info.class));
    field_text(json, "severity",
               worst == CPROF_SEVERITY_OK ? NULL : severity_text(worst));
    field_text(json, "status",
               rule->status == RULE_STABLE ? "stable" : "experimental");
    field_bool(json, "enabled", rule_is_enabled(rule));
    field_bool(json, "builtin", rule->is_builtin);
    field_str(json, "file", rule->info.file);
    field_u64(json, "line", rule->info.line);
    field_str_or_null(json, "go", rule->go_text);
    field_text(json, "needs", rule->needs == NEEDS_DEBUG2 ? "debug2" : NULL);
    json_put_key(json, "match");
    put_match(json, &rule->match);
    put_exceptions(json, rule);
    json_put_key(json, "with");
    json_open_object(json);
    put_refs(json, "any_of", &rule->with.any_of);
    put_refs(json, "all_of", &rule->with.all_of);
    put_refs(json, "none_of", &rule->with.none_of);
    json_close_object(json);
    field_str(json, "group_by", buf_str(&group_by));
    field_text(json, "confidence", confidence_text(rule->confidence));
    put_when(json, rule);
    put_texts(json, &rule->info);
    put_tests(json, rule);
    json_close_object(json);
    buf_done(&group_by);
}
