/* json_fields.h - fields of the JSON answer beside those of base/json.h. */
#ifndef REPORT_JSON_FIELDS_H
#define REPORT_JSON_FIELDS_H

#include "base/json.h"
#include "report/writers.h"

/* "share", with six significant digits. */
void field_share(struct json *json, double share);

/* A place as an object, or null without a function; and the fields of one
 * alone, for objects that have more. */
void field_place(struct json *json, const char *key,
                 const struct code_place *place);
void field_place_parts(struct json *json, const struct code_place *place);

/* An array of texts. */
void field_texts(struct json *json, const char *key, struct rule_texts texts);

/* json.c: the field "summary". */
void json_put_summary(struct json *json, const struct report_summary *sum);

/* json_groups.c: "groups" and "breakdown". */
int json_put_groups(struct json *json, const struct cprof_report *report,
                    struct output *out, struct cprof_error *err);
void json_put_breakdown(struct json *json, const struct cprof_report *report);

/* json_held.c: "cycles"; of a finding, who holds what it waits for, or null,
 * and the index of its circle in "cycles", or null. */
void json_put_cycles(struct json *json, const struct cprof_report *report);
void field_holding(struct json *json, const char *key,
                   const struct cprof_report *report,
                   const struct finding *finding);
void field_cycle(struct json *json, const char *key,
                 const struct cprof_report *report,
                 const struct finding *finding);

/* json_baseline.c: the field "baseline"; of a finding "accepted", and why it is
 * "not_accepted" where a baseline speaks of it all the same. */
void json_put_baseline(struct json *json, const struct cprof_report *report);
void json_put_acceptance(struct json *json, const struct finding *finding);

/* The field "growth", of a place or null; and "changes", all places that were
 * compared, or null. */
void json_put_growth(struct json *json, const struct cprof_report *report,
                     const struct site_growth *site);
void json_put_changes(struct json *json, const struct cprof_report *report);

/* The field "decide" of a finding: what more snapshots would tell, then what
 * its rule says. */
void json_put_decides(struct json *json, const struct cprof_report *report,
                      const struct finding *finding);

/* The field "measures": of each profile that measures something its functions,
 * its sites and the runtime's memory numbers; empty for dumps of goroutines. */
void json_put_measures(struct json *json, const struct cprof_report *report);

#endif
