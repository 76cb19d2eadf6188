/* location.h - places in the user's own sources, for tools that show a finding
 * beside the code: SARIF, annotations, links. */
#ifndef REPORT_LOCATION_H
#define REPORT_LOCATION_H

#include "report/report.h"

/* A place, as a tool finds it that has the sources. */
struct location {
    struct code_place place; /* function empty = nowhere */
    struct str path; /* of its file, with slashes; below --source-root as the
                        option maps it, otherwise as the dump prints it */
    bool is_own;     /* below a --source-root */
};

/* The path of a file as a tool with the sources knows it, and whether it is
 * below a --source-root, of which the longest that fits is taken. The text
 * lives in the arena, or as long as the report. */
struct str source_path(const struct cprof_report *report, struct str file,
                       struct arena *scratch, bool *ret_is_own);

/* A place with the path of its file. */
struct location location_of(const struct cprof_report *report,
                            const struct code_place *place,
                            struct arena *scratch);

/* Where to point for a finding. That is the user's own code, if some of it is
 * below a --source-root: the line where its largest group waits, or else the
 * first own frame that led there, frames of a vendor folder last, or else the
 * go statement that started these goroutines. Without any it is the site.
 * view is of that group; NULL = the finding has none. */
struct location location_of_finding(const struct cprof_report *report,
                                    const struct finding_view *finding,
                                    const struct group_view *view,
                                    struct arena *scratch);

#endif
