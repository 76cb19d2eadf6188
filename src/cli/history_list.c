/* history list: which instances a history knows. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/count.h"
#include "base/error.h"
#include "base/escape.h"
#include "base/json.h"
#include "cli/history_shared.h"

/* What a list is made of and where it goes. */
struct listing {
    const struct arguments *arguments;
    bool is_json;
    bool is_folder; /* what can be read of it is listed */
    struct buf out;
    struct json json;
};

static void add_cell(struct buf *out, struct str text, size_t width)
{
    size_t shown = display_width(text);

    escape_add(out, text);
    buf_add_repeat(out, ' ', shown < width ? width - shown : 0);
}

static struct str name_of(const struct store_instance *instance)
{
    return instance->name.len ? instance->name : STR("(not named)");
}

static void text_instance(struct buf *out,
                          const struct store_instance *instance, size_t width)
{
    buf_add(out, STR("  "));
    add_cell(out, name_of(instance), width);
    buf_addf(out, "  %9s  ", count_text(instance->snapshots).text);
    add_time(out, instance->first_ns);
    buf_add(out, STR("  "));
    add_time(out, instance->last_ns);
    buf_addf(
        out, "  %8llu  ",
        (unsigned long long)(instance->segments ? instance->segments - 1 : 0));
    add_size(out, instance->bytes);
    buf_add_char(out, '\n');
    if (!instance->last_error.len)
        return;
    buf_add(out, STR("    last run, "));
    add_time(out, instance->last_error_ns);
    buf_add(out, STR(": "));
    escape_add(out, instance->last_error);
    buf_add_char(out, '\n');
}

static void text_history(struct buf *out, const struct history_spec *spec,
                         const struct store_instance *instances, size_t n)
{
    size_t width = sizeof("INSTANCE") - 1;
    struct stat about = {0};

    stat(spec->place.path, &about);
    escape_add(out, str_from(spec->place.service));
    buf_add(out, STR(": "));
    escape_add(out, str_from(spec->place.path));
    buf_add(out, STR(", "));
    add_size(out, about.st_size > 0 ? (uint64_t)about.st_size : 0);
    buf_add_char(out, '\n');
    for (size_t i = 0; i < n; i++) {
        size_t shown = display_width(name_of(&instances[i]));

        width = shown > width ? shown : width;
    }
    buf_add(out, STR("  "));
    add_cell(out, STR("INSTANCE"), width);
    buf_add(out, STR("  SNAPSHOTS  FIRST                 LAST               "
                     "   RESTARTS  SIZE\n"));
    for (size_t i = 0; i < n; i++)
        text_instance(out, &instances[i], width);
}

static void put_instance(struct json *json,
                         const struct store_instance *instance)
{
    json_open_object(json);
    field_str_or_null(json, "name", instance->name);
    field_str_or_null(json, "address", instance->address);
    field_u64(json, "snapshots", instance->snapshots);
    field_u64(json, "segments", instance->segments);
    field_time(json, "first_at", instance->first_ns);
    field_time(json, "last_at", instance->last_ns);
    field_u64(json, "bytes", instance->bytes);
    field_time(json, "last_run_at", instance->last_run_ns);
    field_time(json, "last_success_at", instance->last_success_ns);
    field_time(json, "last_error_at", instance->last_error_ns);
    field_str_or_null(json, "last_error", instance->last_error);
    json_close_object(json);
}

static void put_history(struct json *json, const struct history_spec *spec,
                        const struct store_instance *instances, size_t n)
{
    json_open_object(json);
    field_text(json, "service", spec->place.service);
    field_text(json, "path", spec->place.path);
    json_put_key(json, "instances");
    json_open_array(json);
    for (size_t i = 0; i < n; i++)
        put_instance(json, &instances[i]);
    json_close_array(json);
    json_close_object(json);
}

/* Leaves out the instances that the SPEC does not name. */
static size_t choose(const struct store_query *query,
                     struct store_instance *instances, size_t n)
{
    size_t kept = 0;

    for (size_t i = 0; i < n; i++) {
        if (!query->has_instance ||
            str_equal(query->instance, instances[i].name))
            instances[kept++] = instances[i];
    }
    return kept;
}

static int list_history(struct listing *list, const char *text,
                        struct cprof_error *err)
{
    struct store_instance *instances;
    struct history_spec spec;
    struct store *store = NULL;
    struct budget budget;
    struct arena arena;
    size_t n;
    int rc = history_spec_open(&spec, text, STORE_READ, &store, err);

    budget_init(&budget, 0);
    arena_init(&arena, &budget);
    if (rc == 0 && list->arguments->verify)
        rc = store_verify(store, err);
    if (rc == 0)
        rc = store_instances(store, &arena, &instances, &n, err);
    if (rc == 0) {
        n = choose(&spec.query, instances, n);
        if (list->is_json)
            put_history(&list->json, &spec, instances, n);
        else
            text_history(&list->out, &spec, instances, n);
    }
    store_close(store);
    history_spec_done(&spec);
    arena_done(&arena);
    return rc;
}

static int is_history(const struct dirent *entry)
{
    struct str name = str_from(entry->d_name);

    return name.len > 3 && name.ptr[0] != '.' && str_ends(name, STR(".db"));
}

/* Lists one of several, and goes on where it cannot be read. *rc is the last
 * failure, whose error is left to the caller. */
static void list_another(struct listing *list, const char *path, int *rc,
                         struct cprof_error *err)
{
    struct cprof_error wrong = {0};
    int failed = list_history(list, path, &wrong);

    if (failed == 0)
        return;
    if (*rc != 0)
        error_print(err);
    *err = wrong;
    *rc = failed;
}

/* Lists all that the default folder has; a folder that is not there has
 * none. */
static int list_folder(struct listing *list, struct cprof_error *err)
{
    struct history_place place;
    struct dirent **names = NULL;
    struct buf path = {0};
    struct cprof_error none;
    int rc = history_place_find(&place, NULL, NULL, err);
    int n;

    if (rc < 0)
        return rc;
    list->is_folder = true;
    *strrchr(place.path, '/') = '\0';
    n = scandir(place.path, &names, is_history, alphasort);
    if (n <= 0 && !list->is_json) {
        error_set(&none, CPROF_OK, (struct place){0},
                  "there is no history in %s", place.path);
        error_print(&none);
    }
    for (int i = 0; i < n; i++) {
        buf_clear(&path);
        buf_addf(&path, "%s/%s", place.path, names[i]->d_name);
        if (path.failed && rc == 0)
            rc = error_memory(err, (struct place){0}, "listing histories");
        else if (!path.failed)
            list_another(list, path.ptr, &rc, err);
        free(names[i]);
    }
    free(names);
    buf_done(&path);
    history_place_done(&place);
    return rc;
}

static int list_all(struct listing *list, struct cprof_error *err)
{
    const struct arguments *arguments = list->arguments;
    int rc = 0;

    if (list->is_json) {
        list->json = json_begin(&list->out);
        json_open_object(&list->json);
        field_text(&list->json, "schema", "cprof-leaks/history/v1");
        json_put_key(&list->json, "histories");
        json_open_array(&list->json);
    }
    for (size_t i = 0; i < arguments->n_inputs && rc == 0; i++)
        rc = list_history(list, arguments->inputs[i], err);
    if (!arguments->n_inputs)
        rc = list_folder(list, err);
    if (list->is_json) {
        json_close_array(&list->json);
        json_close_object(&list->json);
    }
    return rc;
}

int history_list_run(const struct arguments *arguments)
{
    struct listing list = {.arguments = arguments};
    struct cprof_error err = {0};
    struct cprof_error lost = {0}; /* a second one, of writing */
    int printed = 0;
    int rc = history_output(arguments, &list.is_json, &err);

    if (rc == 0)
        rc = list_all(&list, &err);
    if (rc == 0 || (list.is_folder && list.out.len))
        printed = history_print(arguments, &list.out, rc == 0 ? &err : &lost);
    buf_done(&list.out);
    if (printed != 0 && rc != 0)
        error_print(&lost);
    rc = rc == 0 ? printed : rc;
    if (rc != CPROF_EFORMAT || !arguments->verify)
        return history_end(rc, &err);
    error_print(&err);
    return EXIT_FINDING;
}
