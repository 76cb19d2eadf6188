/* A group of a snapshot a line, each line a JSON object with all that is known:
 * what a column store loads without being told anything. Fields have the names
 * of the report (docs/report.schema.json), and those that do not apply are
 * null. */
#include "base/json.h"
#include "base/utc.h"
#include "export/formats.h"
#include "export/names.h"

struct line {
    const struct export_request *request;
    const struct export_groups *groups;
    const struct export_group *group;
    struct buf *scratch;
};

static void put_str(struct json *json, const char *key, struct str text)
{
    json_put_key(json, key);
    if (text.len)
        json_put_string(json, text);
    else
        json_put_null(json);
}

static void put_number(struct json *json, const char *key, bool is_known,
                       uint64_t number)
{
    json_put_key(json, key);
    if (is_known)
        json_put_u64(json, number);
    else
        json_put_null(json);
}

static void put_time(struct json *json, struct buf *scratch, int64_t unix_ns)
{
    buf_clear(scratch);
    if (unix_ns)
        utc_add(scratch, unix_ns);
    put_str(json, "taken_at", buf_str(scratch));
}

static void put_frame(struct json *json, const struct symbols *symbols,
                      frame_id frame)
{
    struct str file = symbols_file(symbols, frame);
    uint32_t line = symbols_frame(symbols, frame).line;

    json_open_object_flat(json);
    put_str(json, "function", symbols_function(symbols, frame));
    put_str(json, "file", file);
    put_number(json, "line", line > 0, line);
    json_close_object(json);
}

static void put_place(struct json *json, const char *key,
                      const struct symbols *symbols, frame_id frame)
{
    json_put_key(json, key);
    if (frame)
        put_frame(json, symbols, frame);
    else
        json_put_null(json);
}

/* What all lines of a snapshot have in common. */
static void put_snapshot(struct json *json, const struct line *line)
{
    const struct snapshot_info *info = line->groups->info;

    put_str(json, "source", info->source);
    put_number(json, "line", info->line > 0, info->line);
    put_str(json, "instance", info->instance);
    put_time(json, line->scratch, info->taken_ns);
    put_str(json, "format", str_from(info->format));
    put_str(json, "profile", info->profile);
    put_str(json, "go_version", info->go_version);
    field_bool(json, "complete", info->complete);
    put_number(json, "total", true, info->total);
}

static void put_counts(struct json *json, const struct line *line)
{
    const struct export_groups *groups = line->groups;
    const struct export_group *group = line->group;
    uint64_t of = groups->goroutines;

    put_number(json, "count", true, group->count);
    json_put_key(json, "share");
    json_put_double(json, of ? (double)group->count / (double)of : 0, 6);
    put_number(json, "leaked",
               group->leaked || groups->info->kind == PROFILE_GOROUTINELEAK,
               group->leaked);
    put_number(json, "locked_to_thread", group->locked > 0, group->locked);
    put_number(json, "age_min_s", group->has_wait,
               (uint64_t)group->wait_min * 60);
    put_number(json, "age_max_s", group->has_wait,
               (uint64_t)group->wait_max * 60);
    put_number(json, "id_min", group->id_min > 0, group->id_min);
    put_number(json, "id_max", group->id_min > 0, group->id_max);
}

static void put_values(struct json *json, const struct line *line)
{
    const struct snapshot_info *info = line->groups->info;

    json_put_key(json, "values");
    if (!line->group->values) {
        json_put_null(json);
        return;
    }
    json_open_object_flat(json);
    for (size_t i = 0; i < info->n_types; i++) {
        json_put_key_str(json, info->types[i].name);
        json_put_i64(json, line->group->values[i]);
    }
    json_close_object(json);
}

static void put_label(struct json *json, struct str key, struct str value,
                      bool is_known, uint64_t count)
{
    json_open_object_flat(json);
    field_str(json, "key", key);
    json_put_key(json, "value");
    if (is_known)
        json_put_string(json, value);
    else
        json_put_null(json);
    field_u64(json, "count", count);
    json_close_object(json);
}

/* A value of null stands for all that were not kept one by one. */
static void put_labels(struct json *json, const struct line *line)
{
    const struct symbols *symbols = line->groups->symbols;

    json_put_key(json, "labels");
    json_open_array_flat(json);
    for (const struct label_counts *label = line->group->evidence.labels; label;
         label = label->next) {
        struct str key = symbols_text(symbols, label->key);

        for (uint32_t i = 0; i < label->values.count; i++)
            put_label(json, key,
                      symbols_text(symbols, label->values.items[i].id), true,
                      label->values.items[i].count);
        if (label->values.others)
            put_label(json, key, (struct str){0}, false, label->values.others);
    }
    json_close_array(json);
}

static void put_stack(struct json *json, const struct line *line)
{
    const struct symbols *symbols = line->groups->symbols;
    struct stack stack = {0};
    int32_t site = -1;

    if (line->group->stack != STACK_OTHER) {
        stack = symbols_stack(symbols, line->group->stack);
        site = line->request->site(symbols, stack);
    }
    put_place(json, "site", symbols,
              site < 0 ? FRAME_NONE : stack.frames[site]);
    json_put_key(json, "stack");
    json_open_array_flat(json);
    for (uint32_t i = 0; i < stack.n_frames; i++)
        put_frame(json, symbols, stack.frames[i]);
    json_close_array(json);
    field_bool(json, "elided", stack.elided > 0);
}

static void put_line(struct buf *out, const struct line *line)
{
    const struct export_groups *groups = line->groups;
    const struct export_group *group = line->group;
    struct json json = json_begin(out);
    bool is_kept = group->stack != STACK_OTHER;
    struct signature_text text = {""};

    json_open_object_flat(&json);
    put_snapshot(&json, line);
    if (is_kept)
        text = signature_text(group->id);
    put_str(&json, "id", str_from(text.text));
    if (is_kept)
        text =
            signature_text(signature_of_stack(groups->symbols, group->stack));
    put_str(&json, "signature", str_from(text.text));
    put_str(&json, "state", export_state(groups, group));
    put_str(&json, "state_source",
            str_from(state_source_text(group->state_source)));
    put_counts(&json, line);
    put_values(&json, line);
    put_place(&json, "created_by", groups->symbols,
              export_creator(groups, group));
    put_labels(&json, line);
    put_stack(&json, line);
    json_close_object(&json);
}

static int write_snapshot(const struct export_request *request, size_t index,
                          struct export_out *out, struct cprof_error *err)
{
    struct export_groups groups;
    struct buf scratch = {0};
    int rc = export_groups_init(&groups, request->snapshots, &index, 1, err);

    for (size_t i = 0; rc == 0 && i < groups.n_sorted; i++) {
        put_line(&out->buf,
                 &(struct line){request, &groups, groups.sorted[i], &scratch});
        rc = export_out_relieve(out, err);
    }
    export_groups_done(&groups);
    buf_done(&scratch);
    return rc;
}

static int write_jsonl(const struct export_request *request,
                       struct export_out *out, struct cprof_error *err)
{
    int rc = 0;

    for (size_t i = 0; rc == 0 && i < request->snapshots->count; i++) {
        if (!snapshot_info_get(request->snapshots->items[i])->is_proof)
            rc = write_snapshot(request, i, out, err);
    }
    return rc;
}

const struct export_format jsonl_export = {
    .name = "jsonl",
    .write = write_jsonl,
};
