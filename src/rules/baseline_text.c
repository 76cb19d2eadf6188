#include <stdlib.h>

#include "base/json.h"
#include "rules/baselines.h"

static int compare_entries(const void *a, const void *b)
{
    const struct baseline_entry *left = *(struct baseline_entry *const *)a;
    const struct baseline_entry *right = *(struct baseline_entry *const *)b;
    int order = str_compare(left->rule, right->rule);

    if (!order)
        order = str_compare(left->site, right->site);
    return order ? order : str_compare(left->signature, right->signature);
}

void baseline_sort(struct baseline *baseline)
{
    if (baseline->count)
        qsort(baseline->entries, baseline->count,
              sizeof(struct baseline_entry *), compare_entries);
}

/* Whether a text means itself in YAML without quotes, whatever stands in
 * front of it. */
static bool is_plain(struct str text)
{
    for (size_t i = 0; i < text.len; i++) {
        char c = text.ptr[i];
        bool is_word = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                       (c >= '0' && c <= '9') || c == '_';

        if (!is_word && (i == 0 || !chars_have("./-()*", c)))
            return false;
    }
    return text.len > 0;
}

/* Appends a key with its text, if there is one; where YAML needs quotes, those
 * of JSON are right. */
static void add_field(struct buf *out, const char *key, struct str text,
                      bool *is_first)
{
    struct buf quoted = {0};
    struct json json = json_begin(&quoted);

    if (!text.len)
        return;
    json_put_string(&json, text);
    buf_addf(out, "  %s %s: ", *is_first ? "-" : " ", key);
    buf_add(out, is_plain(text) ? text : buf_str(&quoted));
    buf_add_char(out, '\n');
    out->failed |= quoted.failed;
    *is_first = false;
    buf_done(&quoted);
}

static void add_entry(struct buf *out, const struct baseline_entry *entry)
{
    bool is_first = true;

    add_field(out, "rule", entry->rule, &is_first);
    add_field(out, "site", entry->site, &is_first);
    add_field(out, "signature", entry->signature, &is_first);
    buf_addf(out, "    ceiling: %llu\n", (unsigned long long)entry->ceiling);
    add_field(out, "reason", entry->reason, &is_first);
    add_field(out, "expires", entry->expires, &is_first);
}

void baseline_add_text(const struct baseline *baseline, struct buf *out)
{
    buf_add(out,
            STR("# Findings that cprof-leaks accepts, each up to a ceiling "
                "of goroutines in one\n"
                "# dump. An entry may have a reason: TEXT, and expires: "
                "2027-01-31, its last day.\n"
                "version: 1\n"
                "accept:"));
    buf_add(out, baseline->count ? STR("\n") : STR(" []\n"));
    for (size_t i = 0; i < baseline->count; i++)
        add_entry(out, baseline->entries[i]);
}
