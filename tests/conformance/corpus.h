/* corpus.h - the dumps of fixtures/corpus, each with its truth and its answer.
 *
 * A program of the corpus parked goroutines on purpose and then dumped itself;
 * the truth.json of its folder says how many stand where and how. Each dump is
 * given to the program once, when the corpus is loaded. */
#ifndef CONFORMANCE_CORPUS_H
#define CONFORMANCE_CORPUS_H

#include "support.h"

struct dump {
    char path[256];
    char name[256];       /* below fixtures/corpus, without ".gz" */
    const char *scenario; /* folders of the name */
    const char *version;
    const char *file;
    bool is_debug1;
    bool is_leak;       /* a goroutineleak profile */
    bool is_goroutines; /* that, or a goroutine profile */
    char *text;         /* its bytes and a NUL */
    size_t len;
    struct answer answer;
    const json_t *of_version;  /* truth of the version, never NULL */
    const json_t *of_file;     /* truth of the file, NULL when it has none */
    const json_t *of_snapshot; /* truth of a moment of a series, else NULL */
};

/* Every debug=1 and debug=2 dump of goroutines, leaked goroutines and threads,
 * ordered by path. */
struct corpus {
    struct dump *dumps;
    size_t count;
};

/* The corpus that was loaded; it lives until corpus_teardown. */
const struct corpus *corpus(void);

/* Loads the corpus before the tests, for cmocka_run_group_tests. */
int corpus_setup(void **state);
int corpus_teardown(void **state);

/* The dump of that name; fails the test when there is none. */
const struct dump *corpus_dump(const char *name);

/* The parsed truth.json of a scenario, kept with the corpus. */
const json_t *corpus_truth(const char *scenario);

/* The planted groups that truth.json gives a dump. */
const json_t *dump_planted(const struct dump *dump);

/* How many goroutines of a planted group there are: from, to. They differ in a
 * series only, which was counted just before and just after the dump. */
void planted_count(const struct dump *dump, const json_t *planted,
                   long long *ret_from, long long *ret_to);

/* Whether a group of an answer is one of the planted ones: it has one of their
 * places on its stack or, where they have none, their function. */
bool is_planted(const struct dump *dump, const json_t *group,
                const json_t *planted);

/* Counted in the text of a dump, without the program: the goroutines, by the
 * header of debug=1 or the headers of debug=2, and the headers of debug=2 that
 * hold a word. */
long long text_goroutines(const struct dump *dump);
long long text_headers_with(const struct dump *dump, const char *word);

/* The largest "N minutes" in a header of debug=2; 0 = none. */
long long text_minutes(const struct dump *dump);

#endif
