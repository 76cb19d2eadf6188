/* history show: the snapshots of a history. */
#include "base/count.h"
#include "base/escape.h"
#include "cli/history_shared.h"

/* The snapshots that were asked for. */
struct shown {
    const struct history_spec *spec;
    const struct store_entry *entries;
    size_t n;
};

static void text_entry(struct buf *out, const struct store_entry *entry)
{
    buf_addf(out, "%8lld  ", (long long)entry->id);
    add_time(out, entry->taken_ns);
    buf_addf(out, "  %10s", count_text(entry->goroutines).text);
    buf_addf(out, "  %6s  %7llu  ", count_text(entry->groups).text,
             (unsigned long long)entry->segment);
    buf_addf(out, "%-6s  ", entry->has_evidence ? "all" : "counts");
    escape_add(out, entry->format);
    if (!entry->complete)
        buf_add(out, STR(", incomplete"));
    buf_add_char(out, '\n');
}

static void add_text(struct buf *out, const struct shown *shown)
{
    for (size_t i = 0; i < shown->n; i++) {
        const struct store_entry *entry = &shown->entries[i];

        if (!i || !str_equal(entry->instance, entry[-1].instance)) {
            buf_add(out, i ? STR("\n") : STR(""));
            escape_add(out, entry->instance.len ? entry->instance
                                                : STR("(not named)"));
            buf_add(out, STR("\n       #  TAKEN                 GOROUTINES  "
                             "GROUPS  SEGMENT  KEPT    FORM\n"));
        }
        text_entry(out, entry);
    }
}

static void put_entry(struct json *json, const struct store_entry *entry)
{
    json_open_object(json);
    json_put_key(json, "id");
    json_put_i64(json, entry->id);
    field_str_or_null(json, "instance", entry->instance);
    field_str_or_null(json, "address", entry->address);
    field_time(json, "taken_at", entry->taken_ns);
    field_u64(json, "segment", entry->segment);
    field_str(json, "format", entry->format);
    field_u64(json, "goroutines", entry->goroutines);
    field_u64(json, "groups", entry->groups);
    field_bool(json, "complete", entry->complete);
    field_bool(json, "has_evidence", entry->has_evidence);
    field_u64(json, "bytes", entry->bytes);
    json_close_object(json);
}

static void add_json(struct buf *out, const struct shown *shown)
{
    struct json json = json_begin(out);

    json_open_object(&json);
    field_text(&json, "schema", "cprof-leaks/history/v1");
    field_text(&json, "service", shown->spec->place.service);
    field_text(&json, "path", shown->spec->place.path);
    json_put_key(&json, "snapshots");
    json_open_array(&json);
    for (size_t i = 0; i < shown->n; i++)
        put_entry(&json, &shown->entries[i]);
    json_close_array(&json);
    json_close_object(&json);
}

static int show(const struct arguments *arguments, bool is_json,
                struct cprof_error *err)
{
    struct store_entry *entries;
    struct history_spec spec;
    struct store *store = NULL;
    struct budget budget;
    struct arena arena;
    struct buf out = {0};
    size_t n;
    int rc =
        history_spec_open(&spec, arguments->inputs[0], STORE_READ, &store, err);

    budget_init(&budget, 0);
    arena_init(&arena, &budget);
    if (rc == 0)
        rc = store_list(store, &spec.query, &arena, &entries, &n, err);
    /* A name or number that is mistyped is no empty history. */
    if (rc == 0 && !n && (spec.query.has_instance || spec.query.id))
        rc = error_set(err, CPROF_EFORMAT,
                       (struct place){arguments->inputs[0], 0, 0},
                       "the history has no such snapshot");
    if (rc == 0 && is_json)
        add_json(&out, &(struct shown){&spec, entries, n});
    else if (rc == 0)
        add_text(&out, &(struct shown){&spec, entries, n});
    if (rc == 0)
        rc = history_print(arguments, &out, err);
    buf_done(&out);
    store_close(store);
    history_spec_done(&spec);
    arena_done(&arena);
    return rc;
}

int history_show_run(const struct arguments *arguments)
{
    struct cprof_error err = {0};
    bool is_json;
    int rc = history_output(arguments, &is_json, &err);

    if (rc == 0)
        rc = history_need_one(arguments, &err);
    if (rc == 0)
        rc = show(arguments, is_json, &err);
    return history_end(rc, &err);
}
