/* rules.h - rules, and what they find.
 *
 * Rules are YAML (docs/rules.md); the built-in ones are compiled in. They
 * are judged over the joined groups of an analysis: every group gets at most
 * one rule as its owner. */
#ifndef RULES_RULES_H
#define RULES_RULES_H

#include "cprof/cprof.h"

#include "analysis/analysis.h"

enum rule_class { CLASS_NORMAL, CLASS_NEUTRAL, CLASS_SUSPECT, CLASS_BAD };

enum confidence {
    CONFIDENCE_LOW,
    CONFIDENCE_MEDIUM,
    CONFIDENCE_HIGH,
    CONFIDENCE_PROVEN,
};

/* A list of texts of a rule. */
struct rule_texts {
    const struct str *items;
    size_t count;
};

/* What a rule says to people. Texts live as long as the rules. */
struct rule_info {
    struct str id;
    struct str title;
    enum rule_class class;
    struct str explain; /* with {placeholders} */
    struct str cause;
    struct rule_texts decide;
    struct rule_texts advice;
    struct rule_texts false_positives;
    struct rule_texts references;
    struct str file; /* where it was written */
    uint64_t line;
};

struct finding {
    const struct rule_info *rule;
    size_t tier; /* index in the rule's `when` of the tier that decided; their
                    number when none did: growth, or it is only mentioned */
    bool is_mention; /* no tier held, and nothing grew: a few are named */
    enum cprof_severity severity;
    enum confidence confidence;
    uint64_t count; /* goroutines, over the judged snapshots */
    double share;   /* of their goroutines, 0 to 1 */
    bool has_age;
    uint64_t age_max_s;   /* the longest known wait, as printed */
    frame_id site;        /* FRAME_NONE when its groups have several or none */
    state_id state;       /* STATE_UNKNOWN when its groups have several */
    uint8_t state_source; /* the weakest of its groups */
    const uint32_t *groups; /* indices of analysis_group, largest first */
    size_t n_groups;
    const struct holding *holding;  /* what most of them wait for and others
                                         hold; NULL = nothing of that kind */
    uint32_t n_holdings;            /* how many different ones at least */
    const struct wait_cycle *cycle; /* the surest circle that some of them are
                                         part of; NULL = none */
    bool is_root;       /* other findings wait behind its circles (roots.h) */
    struct str explain; /* placeholders filled in */
    const struct site_growth *growth;    /* what its worst place does over time;
                                         NULL when nothing was compared */
    const struct acceptance *acceptance; /* what a baseline says of it; NULL =
                                            nothing (baseline.h) */
};

struct rules;
struct findings;

/* An empty set of rules. */
int rules_new(struct rules **ret, struct budget *budget,
              struct cprof_error *err);
void rules_free(struct rules *rules);

/* Keeps from now on what only people look at: the tests of rules and the text
 * of their files. Without it the built-in rules are loaded without tests. */
void rules_keep_details(struct rules *rules);

/* The version of Go that dumps are taken to be from when they do not tell, for
 * rules with a range of versions. CPROF_EUSAGE when the text is no version
 * such as "1.26"; an empty one stands for "unknown". */
int rules_assume_go(struct rules *rules, struct str version,
                    struct cprof_error *err);

/* Adds the built-in rules. */
int rules_load_builtin(struct rules *rules, struct cprof_error *err);

/* Adds the rules of a file, or of every *.yaml and *.yml of a directory in
 * order of name. Errors carry file, line and column, and as detail the line
 * with a caret under the place. */
int rules_load_path(struct rules *rules, const char *path,
                    struct cprof_error *err);

/* The same for a directory that may be missing, or empty: then it adds
 * nothing. */
int rules_load_folder(struct rules *rules, const char *path,
                      struct cprof_error *err);

/* Adds all rules that the options ask for, in this order: built-in ones, those
 * of folders, those of --rules; resolves what they say of each other, and
 * switches off what --disable names. */
int rules_load_chosen(struct rules *rules, const struct cprof_options *options,
                      struct cprof_error *err);

/* Adds the rules of a text; name is for messages. */
int rules_load_text(struct rules *rules, const char *name, struct str text,
                    struct cprof_error *err);

/* Resolves what rules say of each other (`with`, `ratio_to`), once all are
 * there. CPROF_ERULE names a rule that is not, unless lenient: then what it
 * would find counts as not found. */
int rules_link(struct rules *rules, bool lenient, struct cprof_error *err);

/* Switches a rule off. CPROF_EUSAGE names the nearest id when there is none. */
int rules_disable(struct rules *rules, struct str id, struct cprof_error *err);

/* How many rules are loaded, the texts of one of them, and whether it is not
 * switched off. */
size_t rules_count(const struct rules *rules);
const struct rule_info *rules_info(const struct rules *rules, size_t index);
bool rules_is_on(const struct rules *rules, size_t index);

/* Forgets what patterns answered. rules_judge does so at its end; who asks
 * match_holds (match.h) after that must do so before the snapshots go, since
 * the answers are charged to their account. */
void rules_forget(struct rules *rules);

/* Judges an analysis. Rules that hit their match limit are added to the
 * diagnostics of its snapshots. Findings come worst severity first, then by
 * confidence, count and rule id; those that a baseline accepts come last. */
int rules_judge(struct rules *rules, struct analysis *analysis,
                struct findings **ret, struct cprof_error *err);
void findings_free(struct findings *findings);

/* The findings. */
size_t findings_count(const struct findings *findings);
const struct finding *findings_get(const struct findings *findings,
                                   size_t index);

/* How bad the worst is in the last dump alone that a comparison left out, as it
 * did not change; CPROF_SEVERITY_OK = nothing. */
enum cprof_severity findings_unchanged(const struct findings *findings);

/* The rule that owns a group (index of analysis_group), or NULL. A group whose
 * owner has class CLASS_NORMAL is set aside as normal; a group without an
 * owner counts as CLASS_NEUTRAL. */
const struct rule_info *findings_owner(const struct findings *findings,
                                       size_t group);

/* The rule that a group is known by: its owner, or the built-in one that
 * matches it though no tier holds; NULL when none does. */
const struct rule_info *findings_name(const struct findings *findings,
                                      size_t group);

/* The words of JSON: "normal", "neutral", "suspect", "bad"; "low", "medium",
 * "high", "proven". */
const char *rule_class_text(enum rule_class class);
const char *confidence_text(enum confidence confidence);

#endif
