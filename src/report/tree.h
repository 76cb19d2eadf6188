/* tree.h - who started whom: the go statements of a dump as a tree.
 *
 * A dump says of a goroutine which function started it, by which line, and not
 * which goroutine did. So a row is a go statement with what it started, and it
 * stands below the row whose goroutines have that function on their stack. */
#ifndef REPORT_TREE_H
#define REPORT_TREE_H

#include "report/report.h"

enum { TREE_DEPTH = 63 };

/* Goroutines that began in one function and were started by one line. */
struct tree_row {
    unsigned depth; /* 0 = a root; at most TREE_DEPTH */
    uint64_t rails; /* bit i: at depth i + 1 more rows of the same parent follow
                        this one or the one above it */
    struct str entry; /* the function they began in; empty = not known */
    struct code_place created_by; /* function empty = not known */
    uint64_t own;                 /* goroutines of this row */
    uint64_t total;               /* and of all rows below it */
    struct str state;             /* of its largest group */
    bool has_states;              /* other groups are in other states */
};

/* The rows of a tree, each behind its parent, those of one parent the largest
 * first. */
struct tree {
    const struct tree_row *rows;
    size_t n;
    bool has_creators; /* some goroutine tells who started it */
};

/* Builds the tree of the kept groups of the leading family in an arena. */
int tree_build(struct tree *ret, const struct cprof_report *report,
               struct arena *arena, struct cprof_error *err);

#endif
