/* outcome.h - what a run of `check` found, for everybody who passes it on.
 *
 * An outcome is settled before anybody is told: the plugin's lines, the
 * textfile, Alertmanager and the webhooks only print it, each in its own form.
 * Whoever fills it owns every text and array; they live at least until the last
 * notifier has returned, and no notifier changes anything.
 *
 * Texts are as they came: names, labels and messages of strangers, of any
 * length and with any bytes, except that addresses never hold credentials, a
 * path's query or anything else secret. Each form escapes and cuts for itself.
 *
 * Times are nanoseconds since 1970 in UTC; 0 = never, or not known. */
#ifndef NOTIFY_OUTCOME_H
#define NOTIFY_OUTCOME_H

#include "cprof/cprof.h"

#include "base/str.h"

/* What a monitoring system is told; the values are the exit statuses of a
 * plugin. ORDER CHECK: as the table in outcome.c. */
enum check_status {
    CHECK_OK = 0,
    CHECK_WARNING = 1,
    CHECK_CRITICAL = 2,
    CHECK_UNKNOWN = 3,
};

/* Where an alert stands. A pending one held in fewer runs than asked for and
 * counts for nothing yet; a firing one stays until it was missing in as many
 * runs; a resolved one is told once, in the run that saw it go, and stays, no
 * longer changed, only while a receiver could not be told. */
enum alert_state {
    ALERT_PENDING,
    ALERT_FIRING,
    ALERT_RESOLVED,
};

/* A label of a target, from the list that it came from. */
struct outcome_label {
    struct str key;
    struct str value;
};

/* Goroutines at one place of the code, in one state. */
struct outcome_place {
    struct str id; /* 32 hexadecimal digits: stable over runs, rebuilds and
                          machines; of the function names and the state */
    struct str function; /* "package.Function"; empty = without frames */
    struct str site; /* the same with its line: "package.Function file.go:17" */
    struct str state; /* Go's words; empty = unknown */
    uint64_t count;
};

/* One target of the run. */
struct outcome_target {
    struct str instance; /* never empty; unique in the run */
    struct str address;  /* the input as shown to people */
    const struct outcome_label *labels;
    size_t n_labels;
    enum check_status status; /* UNKNOWN: it could not be judged */
    struct str error;         /* why it could not be; empty = it was */
    struct str remedy;        /* what helps against the error; or empty */
    bool is_busy; /* another run has it in work, and tells of it: what is known
                     here are the alerts that were remembered before */
    bool is_away; /* not a target of the run, nor of any for long: what is known
                     here are its alerts, which end */
    bool has_snapshot; /* it was read; the figures below count */
    bool is_complete;  /* it was read whole */
    bool is_stored;    /* the snapshot is in the history */
    bool is_baseline;  /* it is the first of this target there */
    bool is_restarted; /* another process than the last time */
    bool is_several;   /* so often another process than the time before that
                        several may answer as this target */
    bool has_declared;
    uint64_t goroutines;     /* the larger of what records hold and the header
                                 declares */
    uint64_t declared;       /* by the header */
    uint64_t normal;         /* of the goroutines: set aside as normal */
    uint64_t n_findings;     /* of severity low and above, alerting or not */
    uint64_t n_accepted;     /* beside them, by the baseline */
    uint64_t duration_ms;    /* of fetching, reading and judging */
    uint64_t bytes;          /* received or read */
    int64_t taken_ns;        /* when the snapshot was */
    int64_t last_success_ns; /* the last run that judged it, this one too */
    size_t n_snapshots;      /* that it was compared with, itself included */
    int64_t since_ns;        /* when the first of them was taken */
    const struct outcome_place *places; /* the largest first, at most
                                           OUTCOME_PLACES; normal ones too */
    size_t n_places;
    const struct str *remarks; /* findings that do not alert, a line each:
                                  what is worth a look */
    size_t n_remarks;
    uint64_t other; /* goroutines at places beyond them */
};

enum { OUTCOME_PLACES = 20 };

/* One alert: a finding of a target over several runs, or a range of -w or -c
 * that was left. */
struct outcome_alert {
    size_t target;    /* index in the outcome's targets */
    struct str key;   /* 32 hexadecimal digits, unique in its target and equal
                         in every run: of the rule, and of the function and
                         state where it waits; survives rebuilds and restarts */
    struct str rule;  /* the rule's id: "chan-send-blocked"; "goroutines" and
                         "findings" for the ranges */
    struct str title; /* one line, without final full stop */
    enum cprof_severity severity;
    enum check_status status; /* what it amounts to when firing: OK for one
                                  below --warning-at, which is only listed */
    struct str confidence;    /* "low" ... "proven"; empty = not known */
    enum alert_state state;
    bool is_changed;       /* it became firing, resolved or of another
                                  status in this run */
    bool is_accepted;      /* it was resolved because the baseline accepts it */
    bool is_seen;          /* this run found it; false while a firing one
                                  is missing, or its target was not read */
    bool is_gathering;     /* its goroutines become more again, in a process
                              too young to say that it is found */
    unsigned runs_held;    /* consecutive runs that found it */
    unsigned runs_missed;  /* the same without it, while it fires */
    unsigned runs_needed;  /* either of them for a change; 1 = at once */
    int64_t first_seen_ns; /* the first run of these that found it: the
                              trouble may be older */
    int64_t fired_ns;      /* when it became firing; 0 = it has not */
    int64_t resolved_ns;   /* when it went; 0 = it has not */
    uint64_t count;        /* goroutines, in the last run that found it */
    bool has_now;          /* this run counted them without finding it: */
    uint64_t now;          /* so many are there */
    double share;          /* of the process, 0 to 1 */
    bool has_growth;       /* the next three are known */
    double delta;          /* goroutines added over what was compared */
    bool has_rate;
    double per_hour;
    struct str state_text; /* the wait state in Go's words; may be empty */
    struct str function;   /* "package.Function"; may be empty */
    struct str site;       /* "package.Function file.go:17"; may be empty */
    struct str places;     /* without a site: the first of those where it
                              waits, "A file.go:17, B file.go:9 and 2 more" */
    struct str explain;    /* a paragraph; may be empty */
    struct str advice;     /* the first thing to do; may be empty */
    struct str evidence;   /* path of the dump that was kept; or empty */
};

/* A run over one service and its targets. */
struct outcome {
    struct str service;       /* never empty */
    enum check_status status; /* CRITICAL > WARNING > UNKNOWN > OK */
    const struct outcome_target *targets; /* behind those of the run stand the
                                             ones that are away */
    size_t n_targets;                     /* of the run */
    const struct outcome_alert *alerts;   /* by target, then the worst first:
                                           firing, pending, resolved */
    size_t n_alerts;
    int64_t now_ns;      /* when the run began */
    int64_t interval_ns; /* how far runs lie apart (--interval); 0 = unknown */
};

/* The worse of two statuses: CRITICAL > WARNING > UNKNOWN > OK. */
enum check_status check_status_worse(enum check_status a, enum check_status b);

/* "OK", "WARNING", "CRITICAL", "UNKNOWN". */
const char *check_status_text(enum check_status status);

/* "pending", "firing", "resolved". */
const char *alert_state_text(enum alert_state state);

#endif
