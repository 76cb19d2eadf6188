/* rule_test.h - the tests that stand inside rule files.
 *
 * A test is a dump, given as text, as a file, or as a list of stacks that is
 * made a debug=2 dump here, and what judging it must find. Tests are kept only
 * after rules_keep_details: `analyze` has no use for them. Reading the dump is
 * the caller's, since rules know no dump formats. */
#ifndef RULES_RULE_TEST_H
#define RULES_RULE_TEST_H

#include "base/buf.h"
#include "rules/rule.h"

enum {
    TEST_GOROUTINES_MOST = 100000, /* that are made for one test */
    TEST_EXPECT_MOST = 64,         /* findings that one test may expect */
    TEST_FILE_MOST = 64 << 20,     /* bytes of a test's file */
};

/* A label of a test's stack. */
struct test_label {
    struct str key;
    struct str value;
};

/* Goroutines that are alike. */
struct test_stack {
    uint64_t count;           /* at least 1 */
    struct str state;         /* as headers print it, without minutes */
    bool has_age;             /* whether age_s was given */
    uint64_t age_s;           /* that it has waited at least */
    struct rule_texts frames; /* leaf first: "main.f main.go:42" or "main.f" */
    struct str created_by;    /* empty = not given */
    struct test_label *labels;
    size_t n_labels;
    enum wanted locked;
    enum wanted leaked;
};

/* A finding that a test expects. What was not given is not compared. */
struct test_expect {
    struct str rule; /* its id; the test's own rule when none was given */
    bool has_severity;
    enum cprof_severity severity;
    bool has_count;
    uint64_t count;
    bool has_confidence;
    enum confidence confidence; /* may be CONFIDENCE_PROVEN */
    struct str site;            /* function of the site; empty = not given */
    uint64_t line;              /* where it was written */
    struct origin origin;       /* the same */
};

/* The stacks of a test once more, with other numbers of the largest one. */
struct test_size {
    struct test_stack stack;      /* its count, 0 = as it is, and its age */
    uint64_t total;               /* as of a test */
    enum cprof_severity severity; /* of the one finding that is expected */
};

struct rule_test {
    struct str name;
    struct str go;             /* "1.26"; empty = not given */
    struct str dump;           /* any text that is read as an input */
    struct str file;           /* as written, beside the rule file */
    struct test_stack *stacks; /* one of dump, file, stacks is given */
    size_t n_stacks;
    uint64_t total;          /* 0 = not given */
    struct test_size *sizes; /* each becomes a test of its own, behind it */
    size_t n_sizes;
    struct test_expect *expect; /* none: the rule finds nothing */
    size_t n_expect;
    uint64_t line;          /* where the test was written */
    struct rule_test *next; /* of the rule, in order */
};

/* Appends the dump of a test of a rule: what `dump` says, what `file` holds
 * (its path is relative to the folder of the rule file), or the stacks as
 * debug=2 prints them, filled up to the total with idle goroutines. */
int rule_test_dump(const struct rule *rule, const struct rule_test *test,
                   struct buf *out, struct cprof_error *err);

/* Whether a finding is what a test expects. */
bool test_expect_holds(const struct test_expect *expect,
                       const struct finding *finding,
                       const struct symbols *symbols);

/* Whether the findings are what a test expects: each expectation is met by a
 * finding of its own, and the test's own rule has no other findings. On false
 * *ret_missing is the first expectation that no finding meets (NULL = all are
 * met), and *ret_extra the first finding of the rule beyond them (NULL = there
 * is none). A rule of class normal has no findings: it is expected to own
 * goroutines, `count` of them if that is given, or not to; both are NULL when
 * it owns some without being expected to. */
bool rule_test_holds(const struct rule *rule, const struct rule_test *test,
                     const struct findings *findings,
                     const struct symbols *symbols,
                     const struct test_expect **ret_missing,
                     const struct finding **ret_extra);

#endif
