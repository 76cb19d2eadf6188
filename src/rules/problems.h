/* problems.h - every mistake of rule files, not only the first.
 *
 * The loader goes on behind a mistake: at the next value, the next key, the
 * next rule. What it finds is collected here in order of place, and so is what
 * lint.h has to say of rules that can be loaded. */
#ifndef RULES_PROBLEMS_H
#define RULES_PROBLEMS_H

#include "base/error.h"
#include "base/str.h"

enum { PROBLEMS_MOST = 50 }; /* kept of one file */

enum problem_severity {
    PROBLEM_WARNING, /* the rule can be used */
    PROBLEM_ERROR,   /* it cannot, and `analyze` refuses the file */
};

struct problem {
    enum problem_severity severity;
    struct cprof_error what; /* source, line, column, message; as detail the
                                line with a caret under the place */
};

/* Starts as {0}. */
struct problems {
    struct problem *items; /* in order of arrival */
    size_t count;
    size_t size;
    size_t n_errors;   /* found, whether kept or not */
    size_t n_warnings; /* the same */
    size_t in_file;    /* of the file that is being read: how many are kept */
    bool is_starved;   /* there was no memory to keep one */
};

/* Frees the list, which is empty afterwards. */
void problems_done(struct problems *problems);

/* The next problems are those of another file. */
void problems_begin_file(struct problems *problems);

/* Whether PROBLEMS_MOST of the file are kept. Who would have to look through
 * the whole file for the words of one more only counts it then. */
bool problems_are_full(const struct problems *problems);

/* Counts a problem that is not kept. */
void problems_count(struct problems *problems, enum problem_severity severity);

/* Adds a problem; beyond PROBLEMS_MOST of a file, or when memory has run out,
 * it is only counted. */
void problems_add(struct problems *problems, enum problem_severity severity,
                  const struct cprof_error *what);

/* Brings those from an index on, which are of one file after the other, into
 * the order of their places. */
void problems_sort(struct problems *problems, size_t from);

/* How many were found but not kept. */
size_t problems_lost(const struct problems *problems);

/* Makes one error of them for who wants no more: the first error, with a line
 * that says how many more there are. There must be an error. Returns its
 * code. */
int problems_report(const struct problems *problems, struct cprof_error *err);

#endif
