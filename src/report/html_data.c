/* The data of the script: texts are as they are shown, and a frame stands there
 * once. It is JSON in an element of its own, with each "<" escaped, so that
 * nothing in it can end that element. */
#include "base/escape.h"
#include "base/json.h"
#include "model/name.h"
#include "report/html.h"
#include "report/human.h"
#include "report/text.h"

/* Ids of something that the groups speak of, numbered as they come. */
struct numbering {
    uint32_t *number_of; /* by id: the number + 1, or 0 */
    uint32_t *ids;
    size_t count;
};

struct data {
    struct html *html;
    struct json json;
    struct buf text; /* what the JSON is written to, until it is escaped */
    struct buf words;
    const struct symbols *symbols;
    struct numbering frames;
    struct numbering functions; /* text ids */
    struct numbering files;
};

/* Hands on what was written, with "<" escaped. */
static int settle(struct data *data, struct cprof_error *err)
{
    struct str rest = buf_str(&data->text);

    if (data->text.failed || data->words.failed)
        return error_memory(err, (struct place){0}, "writing the report");
    while (rest.len) {
        size_t n = str_find(rest, '<');

        buf_add(data->html->buf, str_head(rest, n));
        if (n < rest.len)
            html_raw(data->html, "\\u003c");
        rest = str_skip(rest, n + 1);
    }
    buf_clear(&data->text);
    return output_relieve(data->html->out, err);
}

static void put_shown(struct data *data, struct str text)
{
    escape_add(&data->words, text);
    json_put_string(&data->json, buf_str(&data->words));
    buf_clear(&data->words);
}

static void field_shown(struct data *data, const char *key, struct str text)
{
    json_put_key(&data->json, key);
    put_shown(data, text);
}

static void field_flag(struct data *data, const char *key, bool flag)
{
    if (flag)
        field_bool(&data->json, key, true);
}

static bool numbering_new(struct numbering *numbering, struct arena *arena,
                          size_t n_ids)
{
    numbering->number_of = arena_take_zero(arena, n_ids * sizeof(uint32_t));
    numbering->ids = arena_take(arena, n_ids * sizeof(uint32_t));
    return numbering->number_of && numbering->ids;
}

/* The number of an id, which is added if it is new; -1 for id 0. */
static int64_t number_of(struct numbering *numbering, uint32_t id)
{
    if (!id)
        return -1;
    if (!numbering->number_of[id]) {
        numbering->ids[numbering->count++] = id;
        numbering->number_of[id] = (uint32_t)numbering->count;
    }
    return (int64_t)numbering->number_of[id] - 1;
}

static void put_labels(struct data *data, const struct evidence_view *evidence)
{
    if (!evidence->n_labels)
        return;
    json_put_key(&data->json, "labels");
    json_open_array(&data->json);
    for (size_t i = 0; i < evidence->n_labels; i++) {
        const struct label_view *label = &evidence->labels[i];

        json_open_array(&data->json);
        put_shown(data, label->key);
        put_shown(data, label->is_rest ? STR("others") : label->value);
        json_put_u64(&data->json, label->count);
        if (label->is_rest)
            json_put_bool(&data->json, true);
        json_close_array(&data->json);
    }
    json_close_array(&data->json);
}

static void put_ids(struct data *data, const struct evidence_view *evidence)
{
    if (!evidence->n_ids)
        return;
    field_u64(&data->json, "idsKnown", evidence->ids_known);
    json_put_key(&data->json, "ids");
    json_open_array(&data->json);
    for (size_t i = 0; i < evidence->n_ids; i++)
        json_put_u64(&data->json, evidence->ids[i]);
    json_close_array(&data->json);
}

static void put_stack(struct data *data, const struct group_view *view)
{
    json_put_key(&data->json, "stack");
    json_open_array(&data->json);
    for (size_t i = 0; i < view->n_frames; i++)
        json_put_i64(&data->json,
                     number_of(&data->frames, view->frames[i].frame));
    json_close_array(&data->json);
    json_put_key(&data->json, "site");
    json_put_i64(&data->json, view->site);
    json_put_key(&data->json, "createdBy");
    json_put_i64(&data->json, number_of(&data->frames, view->created_by.frame));
    if (view->elided)
        field_shown(data, "elided",
                    view->elided == ELIDED_SOME ? STR("further") : STR("some"));
}

static void put_age(struct data *data, const struct joined_group *group)
{
    struct buf words = {0};

    if (!joined_has_wait(group))
        return;
    field_u64(&data->json, "ageSeconds", (uint64_t)group->facts->wait_max * 60);
    age_add_wait(&words, group->facts->wait_max);
    field_shown(data, "age", buf_str(&words));
    buf_done(&words);
}

/* What the widths of the flame view are: goroutines, or in a profile that
 * measures what the first table shows. */
static void put_weight(struct data *data, const struct group_view *view)
{
    const struct cprof_report *report = data->html->report;
    const struct joined_group *group = view->group;

    if (joined_extra(group)->values && report_n_measures(report) &&
        report_measures(report, 0)->family_index == group->family) {
        size_t type = report_measures(report, 0)->type_index;

        json_put_key(&data->json, "value");
        json_put_i64(&data->json, joined_extra(group)->values[type]);
        json_put_key(&data->json, "before");
        json_put_i64(&data->json, joined_extra(group)->befores
                                      ? joined_extra(group)->befores[type]
                                      : 0);
    } else if (report_growth(report)) {
        field_u64(&data->json, "before", view->before);
    }
}

static void put_group(struct data *data, const struct group_view *view)
{
    const struct joined_group *group = view->group;

    json_open_object_flat(&data->json);
    field_text(&data->json, "id", view->id.text);
    field_u64(&data->json, "count", group->count);
    share_add_fixed(&data->words, view->share);
    field_str(&data->json, "share", buf_str(&data->words));
    buf_clear(&data->words);
    put_weight(data, view);
    field_shown(data, "state", view->state);
    field_text(&data->json, "kind", html_state_class(group->state));
    field_flag(data, "inferred", view->is_inferred);
    put_age(data, group);
    field_flag(data, "normal", view->class == CLASS_NORMAL);
    if (view->rule)
        field_shown(data, "rule", view->rule->id);
    put_stack(data, view);
    put_labels(data, &view->evidence);
    put_ids(data, &view->evidence);
    json_close_object(&data->json);
}

static int put_groups(struct data *data, struct cprof_error *err)
{
    const struct cprof_report *report = data->html->report;
    size_t left = report_top(report, SIZE_MAX);
    struct arena scratch = report_scratch(report);
    struct group_view view;
    int rc = 0;

    json_put_key(&data->json, "groups");
    json_open_array(&data->json);
    for (size_t i = report_next_leading(report, 0);
         i != SIZE_MAX && left && rc == 0;
         i = report_next_leading(report, i + 1)) {
        rc = report_group(report, i, &view, &scratch, err);
        if (rc == 0)
            put_group(data, &view);
        if (rc == 0)
            rc = settle(data, err);
        left--;
    }
    json_close_array(&data->json);
    arena_done(&scratch);
    return rc;
}

/* A frame: its function, file and line, and where they can be looked at. */
static void put_frame(struct data *data, uint32_t id)
{
    struct frame frame = symbols_frame(data->symbols, id);
    struct code_place place = {.function = symbols_function(data->symbols, id),
                               .file = symbols_file(data->symbols, id),
                               .line = frame.line};
    struct buf link = {0};

    json_open_array_flat(&data->json);
    json_put_i64(&data->json, number_of(&data->functions, frame.function));
    json_put_i64(&data->json, number_of(&data->files, frame.file));
    json_put_u64(&data->json, frame.line);
    if (html_link_add(data->html, &link, &place))
        json_put_string(&data->json, buf_str(&link));
    json_close_array(&data->json);
    buf_done(&link);
}

static void put_function(struct data *data, uint32_t id)
{
    struct str name = symbols_text(data->symbols, id);
    struct buf words = {0};

    json_open_object_flat(&data->json);
    field_shown(data, "name", name);
    text_function_short(&words, name);
    field_shown(data, "short", buf_str(&words));
    field_shown(data, "package", name_package(name));
    field_flag(data, "std", name_is_std(name));
    json_close_object(&data->json);
    buf_done(&words);
}

static void put_file(struct data *data, uint32_t id)
{
    put_shown(data, symbols_text(data->symbols, id));
}

/* Writes everything that has a number, in order. */
static int put_numbered(struct data *data, const char *key,
                        const struct numbering *numbering,
                        void (*put)(struct data *data, uint32_t id),
                        struct cprof_error *err)
{
    int rc = 0;

    json_put_key(&data->json, key);
    json_open_array(&data->json);
    for (size_t i = 0; i < numbering->count && rc == 0; i++) {
        put(data, numbering->ids[i]);
        rc = settle(data, err);
    }
    json_close_array(&data->json);
    return rc;
}

/* What the counts are of, and of how many. */
static void put_head(struct data *data)
{
    const struct cprof_report *report = data->html->report;
    const struct report_summary *sum = data->html->sum;
    bool is_measured = profile_is_measured(sum->kind) &&
                       report_n_measures(report) &&
                       !report_measures(report, 0)->family_index;

    json_put_key(&data->json, "unit");
    if (is_measured)
        json_put_string(&data->json, report_measures(report, 0)->type.unit);
    else
        json_put_text(&data->json, sum->nouns->many);
    field_flag(data, "measured", is_measured);
    field_flag(data, "compares",
               report_growth(report) ||
                   (is_measured && report_measures(report, 0)->is_comparison));
    field_u64(&data->json, "shareOf", sum->share_of);
    field_u64(&data->json, "shown", sum->shown);
    field_u64(&data->json, "normal", sum->normal);
}

static int put_all(struct data *data, struct cprof_error *err)
{
    int rc;

    json_open_object(&data->json);
    put_head(data);
    rc = put_groups(data, err);
    if (rc == 0)
        rc = put_numbered(data, "frames", &data->frames, put_frame, err);
    if (rc == 0)
        rc = put_numbered(data, "functions", &data->functions, put_function,
                          err);
    if (rc == 0)
        rc = put_numbered(data, "files", &data->files, put_file, err);
    json_close_object(&data->json);
    return rc < 0 ? rc : settle(data, err);
}

int html_data(struct html *html, struct cprof_error *err)
{
    const struct symbols *symbols =
        analysis_snapshots(report_analysis(html->report))->symbols;
    size_t n_texts = symbols_n_texts(symbols) + 1;
    struct arena arena = report_scratch(html->report);
    struct data data = {.html = html, .symbols = symbols};
    int rc;

    data.json = json_begin(&data.text);
    if (numbering_new(&data.frames, &arena, symbols_n_frames(symbols) + 1) &&
        numbering_new(&data.functions, &arena, n_texts) &&
        numbering_new(&data.files, &arena, n_texts))
        rc = put_all(&data, err);
    else
        rc = error_memory(err, (struct place){0}, "writing the report");
    arena_done(&arena);
    buf_done(&data.text);
    buf_done(&data.words);
    return rc;
}
