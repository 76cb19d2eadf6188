#include "model/options.h"
#include "rules/values.h"

/* Takes the text behind the ">=" of a bound. */
static int read_bound(struct loader *loader, const struct node *node,
                      const char *example, struct str *ret)
{
    struct str text = str_trim(node->text);
    struct str label = node->key->text;

    if (node->kind != NODE_TEXT || !text.len)
        return load_error(loader, node,
                          "'" STR_FORMAT "' must be a bound such "
                          "as \"%s\", not %s",
                          STR_ARG(label), example, node_kind_text(node));
    if (!str_cut_prefix(&text, STR(">=")))
        return load_error(loader, node,
                          "'" STR_FORMAT "' must be a bound such "
                          "as \"%s\", not '%s'",
                          STR_ARG(label), example, quote(text).text);
    *ret = str_trim(text);
    return 0;
}

int value_count(struct loader *loader, const struct node *node, void *into)
{
    struct str text = {0};
    uint64_t count = 0;
    int failed = read_bound(loader, node, ">=100", &text);

    if (failed)
        return failed;
    if (!str_to_u64(text, &count))
        return load_error(loader, node,
                          "'%s' is no whole number, expected "
                          "digits only, such as \">=1000\"",
                          quote(text).text);
    if (!count)
        return load_error(loader, node,
                          "a count of 0 is always reached; "
                          "leave it out");
    *(uint64_t *)into = count;
    return 0;
}

/* Reads "0.5", "50%" or "1" as a fraction, whatever the locale. */
static bool fraction_parse(struct str text, double *ret)
{
    uint64_t whole = 0;
    uint64_t decimals = 0;
    double unit = str_cut_suffix(&text, STR("%")) ? 100 : 1;
    size_t digits = 0;

    text = str_trim(text);
    if (!str_cut_decimal(&text, &whole))
        return false;
    if (str_cut_prefix(&text, STR("."))) {
        digits = text.len;
        if (digits > 15 || !str_to_u64(text, &decimals))
            return false;
    } else if (text.len) {
        return false;
    }
    *ret = (double)decimals;
    while (digits--)
        *ret /= 10;
    *ret = (*ret + (double)whole) / unit;
    return true;
}

int value_share(struct loader *loader, const struct node *node, void *into)
{
    struct str text = {0};
    double share = 0;
    int failed = read_bound(loader, node, ">=0.5", &text);

    if (failed)
        return failed;
    if (!fraction_parse(text, &share))
        return load_error(loader, node,
                          "'%s' is no fraction, expected such as "
                          "\">=0.5\" or \">=50%%\"",
                          quote(text).text);
    if (share > 1)
        return load_error(loader, node,
                          "a share is at most 1, the whole "
                          "process; write \">=0.5\" or \">=50%%\" for a half");
    if (share <= 0)
        return load_error(loader, node,
                          "a share of 0 is always reached; "
                          "leave it out");
    *(double *)into = share;
    return 0;
}

int value_age(struct loader *loader, const struct node *node, void *into)
{
    struct tier *tier = into;
    struct str text = {0};
    uint64_t seconds = 0;
    int failed = read_bound(loader, node, ">=10m", &text);

    if (failed)
        return failed;
    if (str_to_u64(text, &seconds))
        return load_error(loader, node,
                          "an age needs a unit, such as "
                          "\">=" STR_FORMAT "m\"",
                          STR_ARG(text));
    if (!duration_parse(text, &seconds) || !seconds)
        return load_error(loader, node,
                          "'%s' is no duration, expected such as "
                          "\">=90s\", \">=10m\" or \">=2h\"",
                          quote(text).text);
    tier->has_age = true;
    tier->age_s = seconds;
    return 0;
}
