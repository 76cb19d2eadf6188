#include "report/json_fields.h"

void json_put_baseline(struct json *json, const struct cprof_report *report)
{
    const struct baseline *baseline = report_baseline(report);
    uint64_t n_expired = 0;
    uint64_t n_unused = 0;

    json_put_key(json, "baseline");
    if (!baseline) {
        json_put_null(json);
        return;
    }
    for (size_t i = 0; i < baseline_count(baseline); i++) {
        n_expired += baseline_entry(baseline, i)->is_expired;
        n_unused += !baseline_entry(baseline, i)->is_met;
    }
    json_open_object(json);
    field_text(json, "file", baseline_name(baseline));
    field_u64(json, "entries", baseline_count(baseline));
    field_u64(json, "expired", n_expired);
    field_u64(json, "unused", n_unused);
    field_u64(json, "accepted", report_n_accepted(report));
    json_close_object(json);
}

/* What an entry says. */
static void put_entry(struct json *json, const struct baseline_entry *entry)
{
    field_u64(json, "ceiling", entry->ceiling);
    field_u64(json, "count", entry->count);
    field_str_or_null(json, "reason", entry->reason);
    field_str_or_null(json, "expires", entry->expires);
}

void json_put_acceptance(struct json *json, const struct finding *finding)
{
    const struct acceptance *said = finding->acceptance;
    bool is_accepted = finding_is_accepted(finding);

    if (is_accepted) {
        json_put_key(json, "accepted");
        json_open_object(json);
        put_entry(json, said->entry);
        json_close_object(json);
    } else {
        field_null(json, "accepted");
    }
    if (!said || is_accepted) {
        field_null(json, "not_accepted");
        return;
    }
    json_put_key(json, "not_accepted");
    json_open_object(json);
    field_text(json, "why", acceptance_text(said->kind));
    field_u64(json, "covered", said->covered);
    put_entry(json, said->entry);
    json_close_object(json);
}
