/* baseline_fuzz.c - any text as a baseline.
 *
 * It is refused with a place, or it is entries with a ceiling and a place each,
 * which are the same once they were written and read again. All memory comes
 * back (under the sanitizers). */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/budget.h"
#include "rules/baseline.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool holds, const char *what)
{
    if (holds)
        return;
    fprintf(stderr, "baseline_fuzz: not so: %s\n", what);
    abort();
}

static void check_entries(const struct baseline *baseline)
{
    for (size_t i = 0; i < baseline_count(baseline); i++) {
        const struct baseline_entry *entry = baseline_entry(baseline, i);

        must(entry->ceiling > 0, "an entry has a ceiling");
        must(entry->site.len || entry->signature.len, "an entry has a place");
        must(entry->line > 0, "an entry has a line");
    }
}

static void check_same(const struct baseline *a, const struct baseline *b)
{
    must(baseline_count(a) == baseline_count(b), "no entry is lost");
    for (size_t i = 0; i < baseline_count(a); i++) {
        const struct baseline_entry *left = baseline_entry(a, i);
        const struct baseline_entry *right = baseline_entry(b, i);

        must(str_equal(left->rule, right->rule) &&
                 str_equal(left->site, right->site) &&
                 str_equal(left->signature, right->signature) &&
                 left->ceiling == right->ceiling &&
                 str_equal(left->reason, right->reason) &&
                 str_equal(left->expires, right->expires),
             "an entry that is written is read as the same");
    }
}

/* Reads what a baseline looks like as a file. */
static void read_again(const struct baseline *baseline, struct budget *budget)
{
    struct baseline *again = NULL;
    struct cprof_error err = {0};
    struct buf text = {0};

    baseline_add_text(baseline, &text);
    must(!text.failed, "there is memory");
    must(baseline_parse(&again, "b.yaml", buf_str(&text), budget, &err) == 0,
         "what is written can be read");
    check_same(baseline, again);
    baseline_free(again);
    buf_done(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str text = {(const char *)data, size};
    struct baseline *baseline = NULL;
    struct cprof_error err = {0};
    struct budget budget;
    int rc;

    budget_init(&budget, 0);
    rc = baseline_parse(&baseline, "b.yaml", text, &budget, &err);
    if (rc < 0) {
        must(rc == CPROF_ERULE && err.code == rc && err.message[0] && !baseline,
             "a wrong file is said to be one");
    } else {
        check_entries(baseline);
        read_again(baseline, &budget);
        baseline_free(baseline);
    }
    must(budget.used == 0, "all memory comes back");
    return 0;
}
