/* options.h - what a user may choose, as plain fields.
 *
 * The public face sets them by name (cprof_options_set); rooms read the
 * fields they need. Output is a pure function of the inputs and these. */
#ifndef MODEL_OPTIONS_H
#define MODEL_OPTIONS_H

#include "cprof/cprof.h"

#include "base/str.h"

/* --group-by: what one line of the group list stands for. */
enum group_by {
    GROUP_BY_STACK, /* a stack in a state: the default */
    GROUP_BY_SITE,
    GROUP_BY_FUNCTION,
    GROUP_BY_CREATOR,
    GROUP_BY_PACKAGE,
    GROUP_BY_STATE,
    GROUP_BY_LABEL,
};

/* Values of an option that may be given several times, in order. */
struct option_list {
    char **values; /* NUL-terminated, owned */
    size_t count;
};

struct cprof_options {
    size_t max_memory;        /* bytes; 0 = the default */
    size_t threads;           /* that may read one file; 0 and 1 = this one */
    size_t part_least;        /* bytes that are worth a thread; 0 = the default,
                                  as of the next: only tests have less */
    size_t ids_most;          /* ids of a dump that are kept to know the next */
    struct option_list focus; /* keep stacks where a frame matches one */
    struct option_list ignore; /* drop stacks where a frame matches one */
    struct option_list hide;   /* drop matching frames from what is shown */
    struct option_list state;  /* keep these states, in Go's words */
    struct option_list label;  /* keep KEY=REGEX */
    struct option_list source_root; /* DIR or DIR=PATH: what paths of own code
                                       begin with, and what stands for it */
    uint64_t min_count;             /* keep groups of at least so many */
    uint64_t min_age_s; /* keep groups whose oldest wait is known and
                                  at least so long; 0 = all */
    enum group_by group_by;
    char *group_by_label; /* KEY of label:KEY, else NULL */
    size_t top;           /* groups shown; 0 = not given: 10 in text, all in
                             JSON */
    bool tree;            /* show who started whom in place of the groups */
    bool all;             /* show every group and finding in full */
    struct option_list leak_profile;  /* inputs that prove leaks: "-", a file */
    struct option_list rules_folders; /* directories that may be missing or
                                         empty, after the built-ins */
    struct option_list rules;         /* files or directories, after those */
    bool no_builtin_rules;
    bool sort_by_cum;  /* --sort cum: the order of what a profile measures */
    char *source_link; /* template for frames (source_link.h); NULL = none */
    char *sample_type; /* of such a profile; NULL = its default */
    struct option_list disable; /* rule ids */
    char *baseline;             /* file of accepted findings; NULL = none */
    char *write_baseline; /* file that what is found goes to; NULL = none */
    enum cprof_severity fail_on; /* CPROF_SEVERITY_OK = none */
    bool strict;
    bool color;     /* text may use colour escapes */
    bool hint;      /* text ends with the next useful command */
    bool verbose;   /* -v */
    size_t columns; /* width of text; 0 = 80 */
    char *instance;
    int64_t now_ns; /* when the report is made, Unix time; 0 = not known */
    struct option_list times; /* when the snapshots were taken, RFC 3339 */
    uint64_t skip_s;     /* leave out what was taken so soon after the first */
    uint64_t interval_s; /* or how far they lie apart; 0 = not given */
    bool sort_by_time;   /* compare in order of time, not of the inputs */
    uint64_t limit; /* goroutines at one place that are bad in themselves; 0 =
                       not given: 10,000, unless limit_bytes is */
    uint64_t limit_bytes; /* of memory that they hold; 0 = not given */
};

/* Parses "512M", "1GiB", "1073741824": bytes with an optional binary suffix
 * (k, m, g, t, with or without "B" or "iB", either case). */
bool size_parse(struct str text, uint64_t *ret);

/* Parses "30s", "5m", "1h30m", "2d", or 0, as long as a number of nanoseconds
 * can be: 292 years. Ages are minutes and timeouts seconds, so that a number
 * alone would be taken for either. */
bool duration_parse(struct str text, uint64_t *ret_seconds);

/* The same, or a whole number alone, which is of seconds, as timeouts are given
 * to other programs. */
bool timeout_parse(struct str text, uint64_t *ret_seconds);

/* The word for a severity, "ok" to "critical", and back. */
const char *severity_text(enum cprof_severity severity);
bool severity_parse(struct str text, enum cprof_severity *ret);

#endif
