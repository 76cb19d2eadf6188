#include <math.h>

#include "report/changes.h"
#include "report/json_fields.h"

/* A figure with four significant digits: no machine's last bit shows. */
static void put_figure(struct json *json, double figure)
{
    if (figure == floor(figure) && fabs(figure) < 1e15)
        json_put_i64(json, (int64_t)figure);
    else
        json_put_double(json, figure, 4);
}

static void field_figure(struct json *json, const char *key, bool known,
                         double figure)
{
    json_put_key(json, key);
    if (known)
        put_figure(json, figure);
    else
        json_put_null(json);
}

/* Two figures, the second null when it has no bound. */
static void field_interval(struct json *json, const char *key, bool known,
                           double low, double high)
{
    json_put_key(json, key);
    if (!known) {
        json_put_null(json);
        return;
    }
    json_open_array(json);
    put_figure(json, low);
    if (isfinite(high))
        put_figure(json, high);
    else
        json_put_null(json);
    json_close_array(json);
}

/* Those who stay among others who come and go. */
static void put_staying(struct json *json, const struct site_growth *site)
{
    if (!growth_gathers(site)) {
        field_null(json, "staying");
        return;
    }
    json_put_key(json, "staying");
    json_open_object(json);
    field_figure(json, "before", true, floor(site->staying.before + 0.5));
    field_figure(json, "after", true, floor(site->staying.after + 0.5));
    field_figure(json, "seconds", site->has_rate,
                 floor(site->staying.hours * 3600 + 0.5));
    field_figure(json, "kept", true, site->staying.kept);
    field_bool(json, "decides", site->staying.decides);
    json_close_object(json);
}

/* What a place does over time, with its figures. */
static void put_growth(struct json *json, const struct change_view *view)
{
    const struct site_growth *site = view->site;
    bool has_rate = site->n >= TREND_FEW;

    field_text(json, "verdict", view->verdict);
    field_bool(json, "leak_like", growth_is_leak_like(site));
    field_figure(json, "before", true, site->before);
    field_figure(json, "after", true, site->after);
    field_figure(json, "delta", true, view->delta);
    field_figure(json, "per_hour", has_rate && site->has_rate,
                 site->rate.median);
    field_figure(json, "per_snapshot", has_rate && !site->has_rate,
                 site->rate.median);
    field_interval(json, "interval", site->n >= TREND_WHOLE, site->rate.low,
                   site->rate.high);
    field_figure(json, "share_of_growth", true, site->share);
    field_figure(json, "survivors", site->has_survivors, site->survivors);
    put_staying(json, site);
    field_bool(json, "ages_advance", site->ages_advance);
    field_bool(json, "still_waiting", site->still_waits);
    field_figure(json, "limit", view->has_limit, floor(view->limit));
    field_u64_or_null(json, "limit_bytes", view->limit_bytes > 0,
                      view->limit_bytes);
    field_figure(json, "hours_to_limit", view->has_limit, view->hours_left);
    field_interval(json, "hours_to_limit_interval", view->has_limit,
                   view->hours_low, view->hours_high);
    field_figure(json, "bytes_each", true, site->bytes);
    field_u64(json, "snapshots", site->n);
    field_text(json, "window", site->window);
    field_str_or_null(json, "instance", site->series->instance);
}

static void put_decide(void *user, struct str text)
{
    json_put_string(user, text);
}

void json_put_decides(struct json *json, const struct cprof_report *report,
                      const struct finding *finding)
{
    json_put_key(json, "decide");
    json_open_array(json);
    finding_decides(report, finding, true, put_decide, json);
    json_close_array(json);
}

void json_put_growth(struct json *json, const struct cprof_report *report,
                     const struct site_growth *site)
{
    struct change_view view;

    if (!site) {
        field_null(json, "growth");
        return;
    }
    view = change_view_of(report, site);
    json_put_key(json, "growth");
    json_open_object(json);
    put_growth(json, &view);
    json_close_object(json);
}

static void put_counts(struct json *json, const struct site_growth *site)
{
    json_put_key(json, "counts");
    json_open_array(json);
    for (size_t i = 0; i < site->series->n; i++)
        put_figure(json, site->counts[site->series->snapshots[i]]);
    json_close_array(json);
}

static void put_groups(struct json *json, const struct cprof_report *report,
                       const struct site_growth *site)
{
    json_put_key(json, "group_ids");
    json_open_array(json);
    for (size_t i = 0; i < site->n_groups; i++)
        json_put_text(
            json,
            signature_text(
                analysis_group(report_analysis(report), site->groups[i])->id)
                .text);
    json_close_array(json);
}

void json_put_changes(struct json *json, const struct cprof_report *report)
{
    const struct growth *growth = report_growth(report);
    size_t most = report_top(report, SIZE_MAX);

    if (!growth) {
        field_null(json, "changes");
        return;
    }
    json_put_key(json, "changes");
    json_open_array(json);
    for (size_t i = 0; i < growth_n_sites(growth) && most; i++) {
        struct change_view view = change_view(report, i);

        if (view.is_filtered)
            continue;
        most--;
        json_open_object(json);
        field_place(json, "site", &view.place);
        field_str(json, "state", view.state);
        put_growth(json, &view);
        put_counts(json, view.site);
        put_groups(json, report, view.site);
        json_close_object(json);
    }
    json_close_array(json);
}
