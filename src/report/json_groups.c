#include "report/human.h"
#include "report/json_fields.h"

static void put_labels(struct json *json, const struct evidence_view *evidence)
{
    json_put_key(json, "labels");
    json_open_array(json);
    for (size_t i = 0; i < evidence->n_labels; i++) {
        const struct label_view *label = &evidence->labels[i];

        json_open_object_flat(json);
        field_str(json, "key", label->key);
        if (label->is_rest)
            field_null(json, "value");
        else
            field_str(json, "value", label->value);
        field_u64(json, "count", label->count);
        json_close_object(json);
    }
    json_close_array(json);
}

static void put_stack(struct json *json, const struct group_view *view)
{
    field_u64_or_null(json, "site", view->site >= 0,
                      view->site >= 0 ? (uint64_t)view->site : 0);
    json_put_key(json, "stack");
    json_open_array(json);
    for (size_t i = 0; i < view->n_frames; i++) {
        json_open_object_flat(json);
        field_place_parts(json, &view->frames[i]);
        field_null(json, "address");
        json_close_object(json);
    }
    json_close_array(json);
    field_u64_or_null(json, "elided", view->elided != ELIDED_SOME,
                      view->elided);
}

static void put_counts(struct json *json, const struct joined_group *group,
                       size_t n_snapshots)
{
    json_put_key(json, "counts");
    json_open_array_flat(json);
    for (size_t i = 0; i < n_snapshots; i++)
        json_put_u64(json, joined_count(group, i));
    json_close_array(json);
}

/* What was measured of a group, by pprof's names; null in profiles that only
 * count. */
static void put_values(struct json *json, const struct analysis *analysis,
                       const struct joined_group *group, const char *key,
                       const int64_t *values)
{
    const struct snapshot_info *info =
        analysis_family(analysis, group->family)->info;

    json_put_key(json, key);
    if (!values) {
        json_put_null(json);
        return;
    }
    json_open_object_flat(json);
    for (size_t i = 0; i < info->n_types; i++) {
        json_put_key_str(json, info->types[i].name);
        json_put_i64(json, values[i]);
    }
    json_close_object(json);
}

static void put_ids(struct json *json, const struct evidence_view *evidence)
{
    json_put_key(json, "goroutine_ids");
    json_open_array_flat(json);
    for (size_t i = 0; i < evidence->n_ids; i++)
        json_put_u64(json, evidence->ids[i]);
    json_close_array(json);
}

static void put_group(struct json *json, const struct analysis *analysis,
                      const struct group_view *view)
{
    size_t n_snapshots = analysis_snapshots(analysis)->count;
    const struct joined_group *group = view->group;

    json_open_object(json);
    field_text(json, "id", view->id.text);
    field_text(json, "signature", view->signature.text);
    field_str(json, "profile",
              analysis_family(analysis, group->family)->info->profile);
    field_u64(json, "count", group->count);
    field_share(json, view->share);
    field_str(json, "state", view->state);
    field_text(json, "state_source", view->state_source);
    field_text(json, "class", rule_class_text(view->class));
    field_str_or_null(json, "rule",
                      view->rule ? view->rule->id : (struct str){0});
    field_u64_or_null(json, "leaked", view->knows_leaked,
                      joined_extra(group)->leaked);
    field_u64_or_null(json, "locked_to_thread", view->knows_locked,
                      joined_extra(group)->locked);
    field_u64_or_null(json, "age_min_s", joined_has_wait(group),
                      (uint64_t)group->facts->wait_min * 60);
    field_u64_or_null(json, "age_median_s", joined_has_wait(group),
                      (uint64_t)joined_wait_median(group) * 60);
    field_u64_or_null(json, "age_max_s", joined_has_wait(group),
                      (uint64_t)group->facts->wait_max * 60);
    put_ids(json, &view->evidence);
    field_place(json, "created_by", &view->created_by);
    put_labels(json, &view->evidence);
    put_counts(json, group, n_snapshots);
    put_values(json, analysis, group, "values", joined_extra(group)->values);
    put_values(json, analysis, group, "values_before",
               joined_extra(group)->befores);
    put_stack(json, view);
    json_close_object(json);
}

int json_put_groups(struct json *json, const struct cprof_report *report,
                    struct output *out, struct cprof_error *err)
{
    const struct analysis *analysis = report_analysis(report);
    size_t left = report_top(report, SIZE_MAX); /* of the family at hand */
    uint32_t family = 0;
    struct arena scratch = report_scratch(report);
    struct group_view view;
    int rc = 0;

    json_put_key(json, "groups");
    json_open_array(json);
    for (size_t i = report_next_group(report, 0); i != SIZE_MAX;
         i = report_next_group(report, i + 1)) {
        uint32_t in = analysis_group(analysis, i)->family;

        if (in != family)
            left = report_top(report, SIZE_MAX);
        family = in;
        if (!left)
            continue;
        left--;
        rc = report_group(report, i, &view, &scratch, err);
        if (rc < 0)
            break;
        put_group(json, analysis, &view);
        rc = output_relieve(out, err);
        if (rc < 0)
            break;
    }
    json_close_array(json);
    arena_done(&scratch);
    return rc;
}

static void put_row(struct json *json, const struct breakdown_row *row)
{
    json_open_object_flat(json);
    if (row->is_rest || !row->place.function.len)
        field_null(json, "place");
    else
        field_place(json, "place", &row->place);
    if (row->is_rest || row->place.function.len)
        field_null(json, "key");
    else
        field_str(json, "key", row->text);
    field_u64(json, "count", row->count);
    field_share(json, row->share);
    field_u64(json, "groups", row->n_groups);
    json_close_object(json);
}

/* The words of --group-by. */
static void put_group_by(struct json *json, const struct cprof_options *options)
{
    struct buf words = {0};

    group_by_add(&words, options);
    field_str(json, "by", buf_str(&words));
    buf_done(&words);
}

void json_put_breakdown(struct json *json, const struct cprof_report *report)
{
    size_t n = report_n_rows(report);
    size_t top = report_top(report, SIZE_MAX);

    json_put_key(json, "breakdown");
    if (report_options(report)->group_by == GROUP_BY_STACK) {
        json_put_null(json);
        return;
    }
    json_open_object(json);
    put_group_by(json, report_options(report));
    json_put_key(json, "rows");
    json_open_array(json);
    for (size_t i = 0; i < n && i < top; i++)
        put_row(json, report_row(report, i));
    json_close_array(json);
    json_close_object(json);
}
