/* Commands of two words, of which the second is missing or wrong. */
#include <stdio.h>

#include "base/buf.h"
#include "base/error.h"
#include "cli/cli.h"
#include "rules/nearest.h"

/* "list, explain, check or test" */
static void add_words(struct buf *out, const char *const *words, size_t n)
{
    for (size_t i = 0; i < n; i++)
        buf_addf(out, "%s%s", !i ? "" : i + 1 == n ? " or " : ", ", words[i]);
}

int family_run(const struct arguments *arguments, const char *family,
               const char *const *words, size_t n)
{
    const char *word = arguments->n_inputs ? arguments->inputs[0] : NULL;
    size_t near = word ? nearest_of(str_from(word), words, n) : n;
    struct cprof_error err = {0};
    struct buf known = {0};

    add_words(&known, words, n);
    if (!word)
        error_set(&err, CPROF_EUSAGE, (struct place){0},
                  "'%s' needs one more word: %s", family, known.ptr);
    else if (near < n)
        error_set(&err, CPROF_EUSAGE, (struct place){0},
                  "there is no command '%s %.100s' (did you mean '%s %s'?)",
                  family, word, family, words[near]);
    else
        error_set(&err, CPROF_EUSAGE, (struct place){0},
                  "there is no command '%s %.100s': the word must be %s",
                  family, word, known.ptr);
    error_print(&err);
    fprintf(stderr, "Try 'cprof-leaks %s --help'.\n", family);
    buf_done(&known);
    return EXIT_TROUBLE;
}
