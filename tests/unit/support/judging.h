/* judging.h - goroutines made by hand and judged by rules, for tests. */
#ifndef SUPPORT_JUDGING_H
#define SUPPORT_JUDGING_H

#include "rules/filter.h"
#include "rules/rules.h"
#include "support/reporting.h"

struct judging {
    struct reporting base; /* options and snapshots; no report is made */
    struct rules *rules;
    struct analysis *analysis;
    struct findings *findings;
};

/* Prepares empty snapshots and rules. */
void judging_init(struct judging *judging);
void judging_done(struct judging *judging);

/* Adds rules that must be right: the text behind "version: 1\nrules:\n". */
void judging_rules(struct judging *judging, const char *yaml);
void judging_builtin_rules(struct judging *judging, const char *yaml);

/* Adds an instance of the service; the samples that follow go into it. */
struct snapshot *judging_instance(struct judging *judging);

/* Adds goroutines in a chan send at a frame, "main.f|f.go:1", that main.main
 * called. */
void judging_senders(struct snapshot *snapshot, const char *frame,
                     uint64_t count);

/* Analyses what was added. Tests may change groups before they judge. */
void judging_analyse(struct judging *judging);

/* The first joined group whose leaf function is that, which must be there. */
struct joined_group *judging_group(const struct judging *judging,
                                   const char *leaf);

/* Analyses, unless that was done, and judges. */
void judging_judge(struct judging *judging);

/* The findings as text, one a line, "RULE SEVERITY COUNT", in their order; good
 * until the next call. */
const char *judging_text(struct judging *judging);

/* The id of the rule that owns the group with that leaf, "" = none. */
const char *judging_owner(const struct judging *judging, const char *leaf);

#endif
