#include "fetch/targets.h"

#include <stdlib.h>
#include <yaml.h>

#include "base/buf.h"
#include "input/source.h"

struct parse {
    yaml_parser_t yaml;
    yaml_event_t event; /* the one at hand */
    const char *name;
    struct targets *targets;
    struct cprof_error *err;
};

static int fail(struct parse *parse, yaml_mark_t mark, const char *what)
{
    struct place place = {parse->name, mark.line + 1, mark.column + 1};

    return error_set(parse->err, CPROF_EFORMAT, place, "%s", what);
}

/* What is wrong at the event at hand. */
static int fail_here(struct parse *parse, const char *what)
{
    return fail(parse, parse->event.start_mark, what);
}

static int out_of_memory(struct parse *parse)
{
    return error_memory(parse->err, (struct place){parse->name, 0, 0},
                        "reading targets");
}

/* Goes on to the next event. */
static int next(struct parse *parse)
{
    yaml_event_delete(&parse->event);
    if (yaml_parser_parse(&parse->yaml, &parse->event))
        return 0;
    if (parse->yaml.error == YAML_MEMORY_ERROR)
        return out_of_memory(parse);
    return fail(parse, parse->yaml.problem_mark,
                parse->yaml.problem ? parse->yaml.problem : "bad YAML");
}

static bool is_at(const struct parse *parse, yaml_event_type_t type)
{
    return parse->event.type == type;
}

/* The text at hand; empty for anything else. */
static struct str text_at(const struct parse *parse)
{
    if (!is_at(parse, YAML_SCALAR_EVENT))
        return (struct str){0};
    return (struct str){(const char *)parse->event.data.scalar.value,
                        parse->event.data.scalar.length};
}

/* Expects an event of a type and goes on behind it. */
static int pass(struct parse *parse, yaml_event_type_t type, const char *what)
{
    return is_at(parse, type) ? next(parse) : fail_here(parse, what);
}

const char *target_label(const struct target_group *group, const char *key)
{
    for (size_t i = 0; i < group->n_labels; i++) {
        if (strcmp(group->labels[i].key, key) == 0)
            return group->labels[i].value;
    }
    return NULL;
}

/* The group that is being read: the last one. */
static struct target_group *group_at(const struct parse *parse)
{
    return &parse->targets->groups[parse->targets->n_groups - 1];
}

/* A copy of the text at hand, up to a NUL in it; NULL without memory. */
static char *copy_at(const struct parse *parse)
{
    struct str text = text_at(parse);

    return strndup(text.len ? text.ptr : "", text.len);
}

/* Adds a label without a value; its key is at hand. */
static int add_label(struct parse *parse)
{
    struct target_group *group = group_at(parse);
    struct target_label *labels =
        realloc(group->labels, (group->n_labels + 1) * sizeof(*labels));
    char *key = copy_at(parse);

    if (labels)
        group->labels = labels;
    if (key && target_label(group, key)) {
        free(key);
        return fail_here(parse, "this label stands here twice");
    }
    if (!labels || !key) {
        free(key);
        return out_of_memory(parse);
    }
    labels[group->n_labels++] = (struct target_label){.key = key};
    return 0;
}

/* What is wrong with the value of a label, or NULL. */
static const char *check_label(const struct target_label *label)
{
    if (strcmp(label->key, "__scheme__") == 0 &&
        strcmp(label->value, "http") != 0 && strcmp(label->value, "https") != 0)
        return "__scheme__ has to be http or https";
    if (strcmp(label->key, "__profile_path__") == 0 && label->value[0] != '/')
        return "__profile_path__ has to begin with /";
    return NULL;
}

static int read_label(struct parse *parse)
{
    struct target_label *label;
    const char *wrong;
    int rc;

    if (!is_at(parse, YAML_SCALAR_EVENT))
        return fail_here(parse,
                         "a label has to be a text: expected NAME: VALUE");
    rc = add_label(parse);
    if (rc == 0)
        rc = next(parse);
    if (rc < 0)
        return rc;
    if (!is_at(parse, YAML_SCALAR_EVENT))
        return fail_here(parse, "the value of a label has to be a text");
    label = &group_at(parse)->labels[group_at(parse)->n_labels - 1];
    label->value = copy_at(parse);
    if (!label->value)
        return out_of_memory(parse);
    wrong = check_label(label);
    return wrong ? fail_here(parse, wrong) : next(parse);
}

static int read_labels(struct parse *parse)
{
    int rc = pass(parse, YAML_MAPPING_START_EVENT,
                  "labels have to be a mapping: NAME: VALUE");

    while (rc == 0 && !is_at(parse, YAML_MAPPING_END_EVENT))
        rc = read_label(parse);
    return rc < 0 ? rc : next(parse);
}

static int add_target(struct parse *parse, struct str address)
{
    struct targets *targets = parse->targets;
    struct target *items;

    if (targets->count == TARGETS_MOST)
        return fail_here(parse, "these are too many targets");
    items = realloc(targets->items, (targets->count + 1) * sizeof(*items));
    if (!items)
        return out_of_memory(parse);
    targets->items = items;
    items[targets->count] =
        (struct target){.address = strndup(address.ptr, address.len),
                        .group = targets->n_groups - 1};
    if (!items[targets->count].address)
        return out_of_memory(parse);
    targets->count++;
    return 0;
}

static int read_addresses(struct parse *parse)
{
    int rc = pass(parse, YAML_SEQUENCE_START_EVENT,
                  "targets have to be a list: ['HOST:PORT', ...]");

    while (rc == 0 && !is_at(parse, YAML_SEQUENCE_END_EVENT)) {
        if (!is_at(parse, YAML_SCALAR_EVENT) || !text_at(parse).len)
            return fail_here(parse, "a target has to be a text: 'HOST:PORT'");
        rc = add_target(parse, text_at(parse));
        if (rc == 0)
            rc = next(parse);
    }
    return rc < 0 ? rc : next(parse);
}

static bool has_scheme(const char *address)
{
    return strstr(address, "://") || strncmp(address, "unix:", 5) == 0;
}

/* Puts what the labels of a group say into one of its addresses. */
static bool complete(struct target *target, const struct target_group *group)
{
    const char *scheme = target_label(group, "__scheme__");
    const char *path = target_label(group, "__profile_path__");
    struct buf buf = {0};

    if (has_scheme(target->address))
        return true;
    buf_addf(&buf, "%s://%s%s", scheme ? scheme : "http", target->address,
             path && !strchr(target->address, '/') ? path : "");
    if (buf.failed) {
        buf_done(&buf);
        return false;
    }
    free(target->address);
    target->address = buf.ptr;
    return true;
}

/* Begins a group without labels. */
static bool add_group(struct targets *targets)
{
    struct target_group *groups =
        realloc(targets->groups, (targets->n_groups + 1) * sizeof(*groups));

    if (!groups)
        return false;
    targets->groups = groups;
    groups[targets->n_groups++] = (struct target_group){0};
    return true;
}

static int read_group_fields(struct parse *parse)
{
    bool has_targets = false;
    yaml_mark_t at = parse->event.start_mark;
    int rc = pass(parse, YAML_MAPPING_START_EVENT,
                  "expected a group of targets: {targets: [...], labels: "
                  "{...}}");

    while (rc == 0 && !is_at(parse, YAML_MAPPING_END_EVENT)) {
        bool is_targets = str_equal(text_at(parse), STR("targets"));

        if (!is_targets && !str_equal(text_at(parse), STR("labels")))
            return fail_here(parse, "expected the key targets or labels");
        rc = next(parse);
        has_targets |= is_targets;
        if (rc == 0)
            rc = is_targets ? read_addresses(parse) : read_labels(parse);
    }
    if (rc == 0 && !has_targets)
        return fail(parse, at, "a group has to have targets");
    return rc < 0 ? rc : next(parse);
}

static int read_group(struct parse *parse)
{
    struct targets *targets = parse->targets;
    size_t first = targets->count;
    yaml_mark_t at = parse->event.start_mark;
    int rc;

    if (!add_group(targets))
        return out_of_memory(parse);
    rc = read_group_fields(parse);
    if (rc < 0)
        return rc;
    if (targets->count > first + 1 && target_label(group_at(parse), "instance"))
        return fail(parse, at,
                    "one instance label names several targets: give each a "
                    "group of its own");
    for (size_t i = first; i < targets->count; i++) {
        if (!complete(&targets->items[i], group_at(parse)))
            return out_of_memory(parse);
    }
    return 0;
}

/* The list of groups, which is the whole document. */
static int read_groups(struct parse *parse)
{
    int rc = next(parse);

    if (rc == 0)
        rc = pass(parse, YAML_STREAM_START_EVENT, "expected a list of groups");
    if (rc == 0)
        rc = pass(parse, YAML_DOCUMENT_START_EVENT,
                  "there are no targets: expected - targets: ['HOST:PORT']");
    if (rc == 0)
        rc = pass(parse, YAML_SEQUENCE_START_EVENT,
                  "expected a list of groups: - targets: ['HOST:PORT']");
    while (rc == 0 && !is_at(parse, YAML_SEQUENCE_END_EVENT))
        rc = read_group(parse);
    if (rc == 0)
        rc = next(parse);
    if (rc == 0)
        rc = pass(parse, YAML_DOCUMENT_END_EVENT, "expected the end");
    return rc;
}

int targets_parse(struct targets *ret, const char *name, struct str text,
                  struct cprof_error *err)
{
    struct targets targets = {0};
    struct parse parse = {.name = name, .targets = &targets, .err = err};
    const char *bytes = text.ptr ? text.ptr : ""; /* the parser asserts it */
    int rc;

    if (!yaml_parser_initialize(&parse.yaml))
        return error_memory(err, (struct place){name, 0, 0}, "reading targets");
    yaml_parser_set_input_string(&parse.yaml, (const unsigned char *)bytes,
                                 text.len);
    rc = read_groups(&parse);
    if (rc == 0 && !targets.count)
        rc = error_set(err, CPROF_EFORMAT, (struct place){name, 0, 0},
                       "the file names no target");
    yaml_event_delete(&parse.event);
    yaml_parser_delete(&parse.yaml);
    if (rc < 0)
        targets_done(&targets);
    else
        *ret = targets;
    return rc;
}

/* Reads a whole file, at most TARGETS_BYTES_MOST. */
static int read_file(struct buf *text, struct source *source, const char *path,
                     struct cprof_error *err)
{
    struct place place = {path, 0, 0};
    char block[8192];
    ptrdiff_t n;

    while ((n = source->read(source->user, block, sizeof(block))) > 0) {
        buf_add(text, (struct str){block, (size_t)n});
        if (text->len > TARGETS_BYTES_MOST)
            return error_set(err, CPROF_ELIMIT, place,
                             "a file of targets may have %d bytes",
                             TARGETS_BYTES_MOST);
    }
    if (n < 0)
        return error_system(err, place, "cannot read");
    return text->failed ? error_memory(err, place, "reading targets") : 0;
}

int targets_read(struct targets *ret, const char *path, struct cprof_error *err)
{
    struct buf text = {0};
    struct source source;
    int rc = source_open(&source, path, err);

    if (rc < 0)
        return rc;
    rc = read_file(&text, &source, path, err);
    source_close(&source);
    if (rc == 0)
        rc = targets_parse(ret, path, buf_str(&text), err);
    buf_done(&text);
    return rc;
}

static void group_done(struct target_group *group)
{
    for (size_t i = 0; i < group->n_labels; i++) {
        free(group->labels[i].key);
        free(group->labels[i].value);
    }
    free(group->labels);
}

void targets_done(struct targets *targets)
{
    for (size_t i = 0; i < targets->count; i++)
        free(targets->items[i].address);
    for (size_t i = 0; i < targets->n_groups; i++)
        group_done(&targets->groups[i]);
    free(targets->items);
    free(targets->groups);
    *targets = (struct targets){0};
}
