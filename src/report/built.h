/* built.h - the insides of a report, for the files that build it. */
#ifndef REPORT_BUILT_H
#define REPORT_BUILT_H

#include "base/table.h"
#include "report/measures.h"
#include "report/report.h"
#include "rules/baseline.h"
#include "rules/pattern.h"

struct cprof_report {
    const struct cprof_options *options;
    struct cprof_snapshots *snapshots;
    struct analysis *analysis;
    struct rules *rules;
    struct rules *own_rules; /* NULL: those of whoever asked for the report */
    struct findings *findings;
    struct baseline *baseline; /* NULL = none was asked for */

    /* An account of its own: what was read may have used up the other one,
     * and that must not keep the answer from being given. */
    struct budget *budget;
    struct arena arena;

    struct pattern **hide; /* --hide */
    size_t n_hide;
    struct report_summary summary;
    struct relation *relations; /* of each finding */
    struct table firsts;        /* the first finding of each rule */
    uint32_t *first_in;   /* of each circle: index of its first finding + 1 */
    uint32_t *finding_of; /* of each group: index of its finding + 1, or 0 */
    struct normal_row *normals;
    size_t n_normals;
    struct breakdown_row *rows;
    size_t n_rows;
    struct measures *measures; /* one for each family that measures */
    size_t n_measures;
    struct growth *growth; /* NULL: nothing was compared */
};

/* Settles figures and rows of a report whose analysis and findings are there:
 * the summary with the kinds of normal goroutines, and the --group-by view. */
int summary_build(struct cprof_report *report, struct cprof_error *err);
int breakdown_build(struct cprof_report *report, struct cprof_error *err);

/* Settles what findings have to do with each other (relations.c). */
int relations_build(struct cprof_report *report, struct cprof_error *err);

/* Builds the tables of all families that measure something. CPROF_EUSAGE: no
 * profile has such a --sample-type, and which there are. */
int measures_build(struct cprof_report *report, struct cprof_error *err);

/* Whether --hide leaves a frame out. */
bool is_hidden(const struct cprof_report *report, frame_id frame);

/* The symbols that all names of a report come from. */
struct symbols *report_symbols(const struct cprof_report *report);

/* The place of a frame. */
struct code_place place_of_frame(const struct cprof_report *report,
                                 frame_id frame);

/* The place where a group waits; function empty when it has no frames. */
struct code_place place_of_site(const struct cprof_report *report,
                                const struct joined_group *group);

#endif
