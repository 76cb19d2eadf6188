/* speedscope's own form, www.speedscope.app/file-format-schema.json: frames,
 * and one sampled profile for each type of value. Stacks stand root first; the
 * state stands on top in brackets, as a frame of its own. */
#include "base/json.h"
#include "export/formats.h"
#include "export/names.h"

/* The places of frames and states in shared.frames, in order of first use. */
struct places {
    const struct export_groups *groups;
    uint32_t *of_frame; /* place + 1 by frame_id; 0 = none yet */
    size_t n_frames;
    uint32_t *of_state; /* the same by state_id */
    size_t n_states;
    struct arena arena;
    uint32_t count;
    struct buf scratch;
};

static bool places_init(struct places *places,
                        const struct export_groups *groups)
{
    size_t largest = 0;

    *places = (struct places){.groups = groups};
    arena_init(&places->arena, &groups->snapshots->budget);
    for (size_t i = 0; i < groups->n_sorted; i++) {
        if (groups->sorted[i]->state > largest)
            largest = groups->sorted[i]->state;
    }
    places->n_frames = symbols_n_frames(groups->symbols) + 1;
    places->n_states = largest + 1;
    places->of_frame = arena_take_zero(
        &places->arena, places->n_frames * sizeof(*places->of_frame));
    places->of_state = arena_take_zero(
        &places->arena, places->n_states * sizeof(*places->of_state));
    return places->of_frame && places->of_state;
}

static void places_done(struct places *places)
{
    arena_done(&places->arena);
    buf_done(&places->scratch);
}

static void put_frame(struct json *json, struct places *places, frame_id frame)
{
    const struct symbols *symbols = places->groups->symbols;
    struct str file = symbols_file(symbols, frame);
    uint32_t line = symbols_frame(symbols, frame).line;

    json_open_object_flat(json);
    field_str(
        json, "name",
        export_escaped(&places->scratch, symbols_function(symbols, frame)));
    if (file.len) {
        field_str(json, "file", export_escaped(&places->scratch, file));
    }
    if (line) {
        field_u64(json, "line", line);
    }
    json_close_object(json);
}

static void put_state(struct json *json, struct places *places,
                      struct str state)
{
    buf_clear(&places->scratch);
    buf_add_char(&places->scratch, '[');
    buf_add(&places->scratch, state);
    buf_add_char(&places->scratch, ']');
    json_open_object_flat(json);
    field_str(json, "name", buf_str(&places->scratch));
    json_close_object(json);
}

/* Writes the frames of a group that were not written yet. */
static void put_new_frames(struct json *json, struct places *places,
                           const struct export_group *group)
{
    struct stack stack = export_frames(places->groups, group);
    struct str state = export_state(places->groups, group);

    for (uint32_t i = 0; i < stack.n_frames; i++) {
        uint32_t *place = &places->of_frame[stack.frames[i]];

        if (*place)
            continue;
        *place = ++places->count;
        put_frame(json, places, stack.frames[i]);
    }
    if (state.len && !places->of_state[group->state]) {
        places->of_state[group->state] = ++places->count;
        put_state(json, places, state);
    }
}

static int put_shared(struct json *json, struct places *places,
                      struct export_out *out, struct cprof_error *err)
{
    const struct export_groups *groups = places->groups;
    int rc = 0;

    json_put_key(json, "shared");
    json_open_object(json);
    json_put_key(json, "frames");
    json_open_array(json);
    for (size_t i = 0; rc == 0 && i < groups->n_sorted; i++) {
        put_new_frames(json, places, groups->sorted[i]);
        rc = export_out_relieve(out, err);
    }
    json_close_array(json);
    json_close_object(json);
    return rc;
}

static void put_stack(struct json *json, const struct places *places,
                      const struct export_group *group)
{
    struct stack stack = export_frames(places->groups, group);

    json_open_array_flat(json);
    for (uint32_t i = stack.n_frames; i-- > 0;)
        json_put_u64(json, places->of_frame[stack.frames[i]] - 1);
    if (export_state(places->groups, group).len)
        json_put_u64(json, places->of_state[group->state] - 1);
    json_close_array(json);
}

/* speedscope's word for a unit; what it does not know is shown as a number. */
static const char *unit_of(struct str unit)
{
    static const char *const words[] = {"bytes", "nanoseconds", "microseconds",
                                        "milliseconds", "seconds"};

    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        if (str_equal(unit, str_from(words[i])))
            return words[i];
    }
    return "none";
}

/* Writes the samples of one type, or their weights; what is not positive has no
 * width and is left out. Returns the sum of the weights. */
static int64_t put_samples(struct json *json, struct places *places,
                           size_t type, bool weights)
{
    const struct export_groups *groups = places->groups;
    int64_t sum = 0;

    json_put_key(json, weights ? "weights" : "samples");
    if (weights)
        json_open_array_flat(json);
    else
        json_open_array(json);
    for (size_t i = 0; i < groups->n_sorted; i++) {
        int64_t value = export_value(groups, groups->sorted[i], type);

        if (value <= 0)
            continue;
        if (weights)
            json_put_i64(json, value);
        else
            put_stack(json, places, groups->sorted[i]);
        values_add(&sum, &value, 1);
    }
    json_close_array(json);
    return sum;
}

static void put_profile(struct json *json, struct places *places, size_t type)
{
    struct value_type value = export_type(places->groups, type);
    int64_t sum;

    json_open_object(json);
    field_text(json, "type", "sampled");
    field_str(json, "name", export_escaped(&places->scratch, value.name));
    field_text(json, "unit", unit_of(value.unit));
    field_u64(json, "startValue", 0);
    put_samples(json, places, type, false);
    sum = put_samples(json, places, type, true);
    json_put_key(json, "endValue");
    json_put_i64(json, sum);
    json_close_object(json);
}

static int put_file(const struct export_request *request, struct places *places,
                    struct export_out *out, struct cprof_error *err)
{
    const struct snapshot_info *info = places->groups->info;
    struct json json = json_begin(&out->buf);
    struct buf title = {0};
    int rc;

    export_title_add(&title, request);
    json_open_object(&json);
    field_text(&json, "$schema",
               "https://www.speedscope.app/file-format-schema.json");
    json_put_key(&json, "exporter");
    buf_clear(&places->scratch);
    buf_addf(&places->scratch, "cprof-leaks %s", cprof_version());
    json_put_string(&json, buf_str(&places->scratch));
    field_str(&json, "name", buf_str(&title));
    field_u64(&json, "activeProfileIndex",
              info->n_types ? info->default_type : 0);
    rc = put_shared(&json, places, out, err);
    json_put_key(&json, "profiles");
    json_open_array(&json);
    for (size_t i = 0; rc == 0 && i < export_n_types(places->groups); i++) {
        put_profile(&json, places, i);
        rc = export_out_relieve(out, err);
    }
    json_close_array(&json);
    json_close_object(&json);
    buf_done(&title);
    return rc;
}

static int write_speedscope(const struct export_request *request,
                            struct export_out *out, struct cprof_error *err)
{
    struct export_groups groups;
    struct places places = {0};
    int rc = export_groups_init(&groups, request->snapshots, request->chosen,
                                request->n_chosen, err);

    if (rc == 0) {
        rc = places_init(&places, &groups)
                 ? put_file(request, &places, out, err)
                 : error_memory(err, (struct place){0}, "exporting");
        places_done(&places);
    }
    export_groups_done(&groups);
    return rc;
}

const struct export_format speedscope_export = {
    .name = "speedscope",
    .write = write_speedscope,
};
