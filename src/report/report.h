/* report.h - the answer, settled: order, cuts, shares and words.
 *
 * A report is built once from an analysis and its findings. Writers ask it for
 * views and print them; they never count, sort or choose words for facts, so
 * that text, JSON and what comes later cannot differ.
 *
 * Everything a view points to lives as long as the report, except where a
 * scratch arena is named. */
#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

#include "analysis/growth_sites.h"
#include "model/options.h"
#include "rules/baseline.h"

/* A function at a line of a file, as people look it up. */
struct code_place {
    struct str function; /* canonical name; empty = unknown */
    struct str file;     /* as the dump prints it; may be empty */
    uint32_t line;       /* 0 = unknown */
    frame_id frame;      /* the frame that it is; FRAME_NONE = of none */
};

/* What a dump format can tell at all. */
struct format_facts {
    const char *name;  /* the reader's: "debug1" */
    const char *words; /* for people: "debug=1" */
    bool has_states;   /* wait states are written in it */
    bool has_ages;
    bool has_threads; /* whether a goroutine is locked to one */
};

struct state_count {
    struct str state;
    uint64_t count;
};

/* What a profile counts. */
struct nouns {
    const char *one;  /* "goroutine" */
    const char *many; /* "goroutines" */
};

/* The run in figures. Counts are over the judged snapshots of the leading
 * family: goroutines, if there are any. */
struct report_summary {
    enum cprof_severity verdict;
    bool has_declared;      /* some header states a total */
    bool knows_leaked;      /* the dumps tell which goroutines are leaked */
    bool has_proof;         /* a leak profile was given beside the dumps */
    bool is_filtered;       /* the user's filters left groups out */
    bool is_complete;       /* every input was read whole */
    bool is_judged;         /* false: nothing was found, where the stacks of
                               most could not be read or kept, or there is no
                               goroutine at all */
    const char *word;       /* the verdict in a word: "unknown" where it is not
                               judged */
    uint64_t declared;      /* sum of the totals that headers state */
    uint64_t goroutines;    /* what the records hold */
    uint64_t share_of;      /* what shares are fractions of: the larger of
                            declared and held, for each snapshot */
    uint64_t other;         /* of goroutines: their stacks were not kept */
    uint64_t unread;        /* of share_of: their frames could not be read */
    uint64_t shown;         /* in groups that the filters keep */
    uint64_t normal;        /* of shown: set aside as normal */
    uint64_t leaked;        /* of shown: proven leaked by the runtime */
    size_t n_groups;        /* that the filters keep */
    size_t n_normal_groups; /* of these */
    size_t n_judged;        /* snapshots */
    size_t n_accepted;      /* findings that the baseline accepts */
    uint64_t accepted;      /* goroutines of them */
    enum cprof_severity unchanged; /* of what the last dump alone shows and did
                                      not change (findings_unchanged) */
    const struct state_count *states; /* of shown; the most common first */
    size_t n_states;
    const struct format_facts *format; /* the one of the judged snapshots that
                                          tells the least */
    bool has_formats;                  /* they are of several */
    enum profile_kind kind;            /* of the leading family */
    struct str profile;                /* its name: "goroutine" */
    const struct nouns *nouns;         /* what is counted */
};

/* Whether memory ran out, so that parts are missing; a diagnostic says so. */
bool report_has_lost(const struct cprof_report *report);

/* One kind of normal goroutines. */
struct normal_row {
    const struct rule_info *rule;
    uint64_t count;
    size_t n_groups;
    struct code_place place; /* where its largest group waits */
};

/* One line of a --group-by view. */
struct breakdown_row {
    struct str text;         /* the key in words; empty for a place */
    struct code_place place; /* for site, function and creator */
    bool is_rest;            /* without the key, or beyond what was kept */
    uint64_t count;
    double share;
    size_t n_groups;
    struct str state;          /* of its largest group */
    bool has_states;           /* other groups are in other states */
    struct code_place largest; /* where its largest group waits */
};

/* One value of a label, or all its values that were not kept (is_rest). */
struct label_view {
    struct str key;
    struct str value;
    bool is_rest;
    uint64_t count;
};

struct creator_view {
    struct code_place place;
    uint64_t count;
};

enum { IDS_SHOWN = 8 };

/* What is remembered of the goroutines of one group or one finding. */
struct evidence_view {
    uint64_t ids[IDS_SHOWN]; /* the smallest kept ones, in order */
    size_t n_ids;
    uint64_t ids_known;              /* goroutines that told their id */
    const struct label_view *labels; /* by key in order of arrival, the most
                                        common value first */
    size_t n_labels;
    const struct creator_view *creators; /* the most common first */
    size_t n_creators;
    uint64_t other_creators; /* goroutines with creators that were not kept */
    uint64_t wait_median_s;  /* 0 = under a minute, or not known */
};

/* A group as it is shown: hidden frames are out. */
struct group_view {
    size_t index;
    const struct joined_group *group;
    struct signature_text id;
    struct signature_text signature;
    double share; /* of the goroutines of its family: 0 to 1 */
    struct str state;
    const char *state_source;
    bool is_inferred;              /* the state, from frames or addresses */
    const struct rule_info *rule;  /* that it is known by, or NULL */
    const struct finding *finding; /* the one it belongs to, or NULL */
    enum rule_class class;
    bool knows_leaked;
    bool knows_locked;
    struct code_place created_by; /* function empty = unknown */
    const struct code_place *frames;
    size_t n_frames;
    size_t n_hidden;         /* frames that --hide left out */
    int32_t site;            /* index into frames; -1 = none */
    struct code_place place; /* the site, or else the first frame; function
                                empty = without frames */
    uint32_t elided;
    size_t n_dumps;  /* judged snapshots that it stands in */
    uint64_t before; /* of a comparison: goroutines at the first moments that
                        are judged, one an instance; else 0 */
    struct evidence_view evidence;
};

/* A finding as it is shown. */
struct finding_view {
    const struct finding *finding;
    bool has_site;
    struct code_place site;
    struct str state;         /* empty when its groups have several */
    const char *state_source; /* how it is known, as in JSON */
    const char *confidence;   /* the same */
    size_t n_dumps;           /* judged snapshots that it stands in */
};

/* Why the process of a snapshot died, as it is shown. */
struct crash_view {
    const struct crash *crash; /* NULL = it did not */
    const char *kind;          /* as in JSON: "panic" */
    struct code_place site;    /* function empty = unknown */
    /* Where goroutine 1 stands, of a dump that was asked for; function empty =
     * it does not show, or the process died. */
    struct code_place main_site;
    struct str main_state;
};

/* Whether a severity is one that people should act on: medium or above. */
bool severity_is_loud(enum cprof_severity severity);

enum { N_ALERTS = 3 };

/* Tools that show findings beside the code know three levels: notes (0),
 * warnings (1) from medium on, and errors (2) from high on. */
size_t severity_alert(enum cprof_severity severity);

struct cprof_report;

/* What cprof_report_new does, by rules that are loaded already, so that many
 * reports need not load them; they outlive all of these. NULL = those of the
 * options, for this one alone. */
int report_new_by(struct cprof_report **ret, struct cprof_snapshots *snapshots,
                  const struct cprof_options *options, struct rules *rules,
                  struct cprof_error *err);

/* What the report was made with and from, and its figures. */
const struct cprof_options *report_options(const struct cprof_report *report);
struct analysis *report_analysis(const struct cprof_report *report);
const struct report_summary *report_summary(const struct cprof_report *report);

/* What the format of a snapshot can tell; words are empty for one that is not
 * known here. */
const struct format_facts *format_facts(const char *format);

/* What a profile of that kind counts. */
const struct nouns *nouns_of(enum profile_kind kind);

/* Findings, the worst first; then those that the baseline accepts, which count
 * for nothing: their indices follow. */
size_t report_n_findings(const struct cprof_report *report);
size_t report_n_accepted(const struct cprof_report *report);
struct finding_view report_finding(const struct cprof_report *report,
                                   size_t index);

/* The first finding of a rule, and the next one of the same rule, by their
 * indices; SIZE_MAX = none. Accepted ones come behind the others. */
size_t report_first_of(const struct cprof_report *report,
                       const struct rule_info *rule);
size_t report_next_of(const struct cprof_report *report, size_t index);

/* Whether an input is incomplete and --strict asks for whole ones: the run has
 * failed then, whatever was found. */
bool report_fails_strict(const struct cprof_report *report);

/* The first finding that a circle of the analysis is told of; SIZE_MAX =
 * none. */
size_t report_first_in(const struct cprof_report *report,
                       const struct wait_cycle *cycle);

/* The rules that the dumps were judged by, in the order they were loaded. NULL
 * stands for one that can give no finding: it is switched off, or names what
 * is normal. */
size_t report_n_rules(const struct cprof_report *report);
const struct rule_info *report_rule(const struct cprof_report *report,
                                    size_t index);

/* The crash of a snapshot, by its index in the collection. */
struct crash_view report_crash(const struct cprof_report *report,
                               size_t snapshot);

/* Whether the dumps are the last words of their processes: there will be no
 * second one. */
bool report_is_over(const struct cprof_report *report);

/* Where a goroutine of a snapshot had panicked when it was printed; function
 * empty = none had. */
struct code_place report_panic_place(const struct cprof_report *report,
                                     size_t snapshot);

enum words_place {
    WORDS_HERE,      /* the rule's own */
    WORDS_ABOVE,     /* a finding above was of the same rule */
    WORDS_OF_CIRCLE, /* who holds the lock is in the circle of one above: what
                        the rule says of slow holders does not apply */
};

/* Where people read the cause of a finding, by its index, and what to do. */
enum words_place report_words_place(const struct cprof_report *report,
                                    size_t index);

/* What a finding says whose words are in another place. */
struct str words_place_text(enum words_place place);

/* What is remembered of all goroutines of a finding. The answer lives in
 * scratch, an arena of the caller. */
struct evidence_view report_finding_evidence(const struct cprof_report *report,
                                             const struct finding *finding,
                                             struct arena *scratch);

/* The baseline that findings were judged by, or NULL. */
const struct baseline *report_baseline(const struct cprof_report *report);

/* An empty arena for such views. */
struct arena report_scratch(const struct cprof_report *report);

/* Kept groups, in the order of the analysis, which is the largest first in
 * each family: indices of analysis_group. Called with start 0 and then with
 * the result + 1; returns SIZE_MAX at the end. */
size_t report_next_group(const struct cprof_report *report, size_t start);

/* The same, but only those of the leading family (analysis/families.h), which
 * the summary is of. */
size_t report_next_leading(const struct cprof_report *report, size_t start);

/* Whether a kept group is set aside as normal. */
bool report_is_normal(const struct cprof_report *report, size_t group);

/* Fills a view with a group, by its index in the analysis. What the view
 * points to lives in scratch, which is reset first. */
int report_group(const struct cprof_report *report, size_t index,
                 struct group_view *view, struct arena *scratch,
                 struct cprof_error *err);

/* Kinds of normal goroutines, the most common first. */
size_t report_n_normals(const struct cprof_report *report);
const struct normal_row *report_normal(const struct cprof_report *report,
                                       size_t index);

/* The --group-by view, the largest first; without rows when grouped by
 * stack. */
size_t report_n_rows(const struct cprof_report *report);
const struct breakdown_row *report_row(const struct cprof_report *report,
                                       size_t index);

/* Which moment of a comparison a snapshot is. */
struct snapshot_moment {
    const struct moments *series; /* NULL = none */
    size_t index;
};

/* The moment of a snapshot, by its index in the collection. */
struct snapshot_moment report_moment(const struct cprof_report *report,
                                     size_t snapshot);

/* What grew, and what else changed over the snapshots; NULL where they are not
 * compared. */
const struct growth *report_growth(const struct cprof_report *report);

/* Whether anything was compared: some instance has two moments of one
 * profile. */
bool report_compares(const struct cprof_report *report);

struct measures;

/* The tables of what heap, block, mutex or CPU profiles measure, by function
 * (measures.h): one for each family of such profiles. */
size_t report_n_measures(const struct cprof_report *report);
const struct measures *report_measures(const struct cprof_report *report,
                                       size_t index);

/* How many groups or rows a writer lists: --top, or `usual` when it was not
 * given; all of them with --all. */
size_t report_top(const struct cprof_report *report, size_t usual);

#endif
