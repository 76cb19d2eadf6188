#include "model/options.h"
#include "rules/values.h"
#include "rules/words.h"

enum { DECIMALS_MOST = 15 };

/* Takes the operator in front of a bound; BOUND_NONE = there is none. */
static enum bound_op cut_operator(struct str *text)
{
    static const struct {
        struct str text;
        enum bound_op op;
    } operators[] = {
        {STR_INIT(">="), BOUND_AT_LEAST}, {STR_INIT("<="), BOUND_AT_MOST},
        {STR_INIT("=="), BOUND_EQUAL},    {STR_INIT(">"), BOUND_ABOVE},
        {STR_INIT("<"), BOUND_BELOW},
    };

    for (size_t i = 0; i < sizeof(operators) / sizeof(operators[0]); i++) {
        if (str_cut_prefix(text, operators[i].text)) {
            *text = str_trim(*text);
            return operators[i].op;
        }
    }
    return BOUND_NONE;
}

/* Whether a text is a figure without blanks, so that an operator in front of it
 * makes a bound. */
static bool is_bare_figure(struct str text)
{
    if (!text.len || text.ptr[0] < '0' || text.ptr[0] > '9')
        return false;
    for (size_t i = 0; i < text.len; i++) {
        char c = text.ptr[i];

        if (!(c >= '0' && c <= '9') && !(c >= 'a' && c <= 'z') && c != '.' &&
            c != '%')
            return false;
    }
    return true;
}

/* Says that a text is no bound: people forget the operator. */
static int no_operator(struct loader *loader, const struct node *node,
                       const char *example, struct str text)
{
    struct str label = node->key->text;

    if (is_bare_figure(text))
        return load_error(loader, node,
                          "'" STR_FORMAT "' needs a comparison: write "
                          "\">=%s\", or >, <=, < or == in front of it",
                          STR_ARG(label), quote(text).text);
    return load_error(loader, node,
                      "'" STR_FORMAT "' must be a bound such as \"%s\", not "
                      "'%s'",
                      STR_ARG(label), example, quote(text).text);
}

/* Takes the text behind the operator of a bound. */
static int read_bound(struct loader *loader, const struct node *node,
                      const char *example, struct bound *bound, struct str *ret)
{
    struct str text = str_trim(node->text);

    if (node->kind != NODE_TEXT || !text.len)
        return load_error(loader, node,
                          "'" STR_FORMAT "' must be a bound such "
                          "as \"%s\", not %s",
                          STR_ARG(node->key->text), example,
                          node_kind_text(node));
    bound->op = cut_operator(&text);
    if (bound->op == BOUND_NONE)
        return no_operator(loader, node, example, text);
    *ret = text;
    return 0;
}

/* Refuses a bound that holds for every figure that cannot be negative, or for
 * none. */
static int check_zero(struct loader *loader, const struct node *node,
                      const char *what, const struct bound *bound)
{
    if (bound->value > 0)
        return 0;
    if (bound->op == BOUND_AT_LEAST)
        return load_error(loader, node,
                          "%s of 0 is always reached; leave it out", what);
    if (bound->op == BOUND_BELOW)
        return load_error(loader, node, "%s is never below 0", what);
    return 0;
}

int value_count(struct loader *loader, const struct node *node, void *into)
{
    struct bound *bound = into;
    struct str text = {0};
    uint64_t count = 0;
    int failed = read_bound(loader, node, ">=100", bound, &text);

    if (failed)
        return failed;
    if (!str_to_u64(text, &count))
        return load_error(loader, node,
                          "'%s' is no whole number, expected "
                          "digits only, such as \">=1000\"",
                          quote(text).text);
    bound->value = (double)count;
    return check_zero(loader, node, "a count", bound);
}

/* Reads "0.5", "50" or "1" with its decimals as two whole numbers, value /
 * scale, whatever the locale. */
static bool decimal_parse(struct str text, double *ret_value, double *ret_scale)
{
    uint64_t whole = 0;
    uint64_t decimals = 0;

    *ret_scale = 1;
    if (!str_cut_decimal(&text, &whole))
        return false;
    if (str_cut_prefix(&text, STR("."))) {
        if (text.len > DECIMALS_MOST || !str_to_u64(text, &decimals))
            return false;
        for (size_t i = 0; i < text.len; i++)
            *ret_scale *= 10;
    } else if (text.len) {
        return false;
    }
    *ret_value = (double)whole * *ret_scale + (double)decimals;
    return true;
}

/* Reads a fraction. It is divided once, so that 15 of 100 is exactly the 0.15
 * that was written. */
static bool fraction_parse(struct str text, double *ret)
{
    double value = 0;
    double scale = 1;
    double unit = str_cut_suffix(&text, STR("%")) ? 100 : 1;

    if (!decimal_parse(str_trim(text), &value, &scale))
        return false;
    *ret = value / (scale * unit);
    return true;
}

int value_share(struct loader *loader, const struct node *node, void *into)
{
    struct bound *bound = into;
    struct str text = {0};
    int failed = read_bound(loader, node, ">=0.5", bound, &text);

    if (failed)
        return failed;
    if (!fraction_parse(text, &bound->value))
        return load_error(loader, node,
                          "'%s' is no fraction, expected such as "
                          "\">=0.5\" or \">=50%%\"",
                          quote(text).text);
    if (bound->value > 1)
        return load_error(loader, node,
                          "a share is at most 1, the whole "
                          "process; write \">=0.5\" or \">=50%%\" for a half");
    return check_zero(loader, node, "a share", bound);
}

int value_age(struct loader *loader, const struct node *node, void *into)
{
    struct bound *bound = into;
    struct str text = {0};
    uint64_t seconds = 0;
    int failed = read_bound(loader, node, ">=10m", bound, &text);

    if (failed)
        return failed;
    if (str_to_u64(text, &seconds))
        return load_error(loader, node,
                          "an age needs a unit, such as "
                          "\"%s" STR_FORMAT "m\"",
                          bound_op_text(bound->op), STR_ARG(text));
    if (!duration_parse(text, &seconds) || !seconds)
        return load_error(loader, node,
                          "'%s' is no duration, expected such as "
                          "\">=90s\", \">=10m\" or \">=2h\"",
                          quote(text).text);
    bound->value = (double)seconds;
    return 0;
}

int value_growth(struct loader *loader, const struct node *node, void *into)
{
    struct bound *bound = into;
    struct node word = *node;
    size_t index = 0;
    int failed;

    word.text = str_trim(node->text);
    bound->op = cut_operator(&word.text);
    if (bound->op != BOUND_NONE && bound->op != BOUND_AT_LEAST)
        return load_error(loader, node,
                          "'growth' is the least confidence, such as medium "
                          "or \">=medium\"");
    failed =
        word_read(loader, &word, confidence_words, CONFIDENCE_PROVEN, &index);
    *bound = (struct bound){BOUND_AT_LEAST, (double)index};
    return failed;
}

int value_slope(struct loader *loader, const struct node *node, void *into)
{
    struct bound *bound = into;
    struct str text = {0};
    double scale = 1;
    int failed = read_bound(loader, node, ">=50", bound, &text);

    if (failed)
        return failed;
    if (!decimal_parse(text, &bound->value, &scale))
        return load_error(loader, node,
                          "'%s' is no number of goroutines an hour, expected "
                          "such as \">=50\"",
                          quote(text).text);
    bound->value /= scale;
    return 0;
}

/* What `ratio_to` holds. */
struct ratio {
    struct rule_refs rule;
    struct bound value;
};

static int read_ratio_value(struct loader *loader, const struct node *node,
                            void *into)
{
    struct bound *bound = into;
    struct str text = {0};
    int failed = read_bound(loader, node, ">=1.2", bound, &text);

    if (!failed && !fraction_parse(text, &bound->value))
        failed = load_error(loader, node,
                            "'%s' is no ratio, expected such as \">=1.2\"",
                            quote(text).text);
    return failed ? failed : check_zero(loader, node, "a ratio", bound);
}

static const struct schema_key ratio_keys[] = {
    {"rule", value_refs, offsetof(struct ratio, rule), true},
    {"value", read_ratio_value, offsetof(struct ratio, value), true},
};

static const struct schema ratio_schema = {"'ratio_to'", ratio_keys, 2, false};

int value_ratio(struct loader *loader, const struct node *node, void *into)
{
    struct tier *tier = into;
    struct ratio ratio = {0};
    int failed = schema_read(loader, &ratio_schema, node, &ratio);

    if (failed)
        return failed;
    if (ratio.rule.count != 1)
        return load_error(loader, node_value(node, "rule"),
                          "'ratio_to' compares with one rule");
    tier->ratio_to = ratio.rule.items[0];
    tier->bounds[BOUND_RATIO] = ratio.value;
    return 0;
}
