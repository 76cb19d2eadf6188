#include "model/options.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "model/name_time.h"
#include "model/source_link.h"

enum option_kind {
    OPTION_SIZE,     /* size_t: bytes */
    OPTION_COUNT,    /* size_t */
    OPTION_NUMBER,   /* uint64_t */
    OPTION_DURATION, /* uint64_t: seconds */
    OPTION_LIST,     /* struct option_list */
    OPTION_TEXT,     /* char *, owned */
    OPTION_FLAG,     /* bool */
    OPTION_SEVERITY, /* enum cprof_severity */
    OPTION_SORT,     /* sort_by_cum, sort_by_time */
    OPTION_LIMIT,    /* limit, limit_bytes */
    OPTION_TIMES,    /* struct option_list, of valid times */
    OPTION_TIME,     /* int64_t: Unix time in nanoseconds */
    OPTION_LINK,     /* char *, owned: a template of source_link.h */
    OPTION_GROUP_BY, /* enum group_by, and group_by_label */
};

struct option {
    struct str name;
    enum option_kind kind;
    size_t offset;
};

#define FIELD(field) offsetof(struct cprof_options, field)

static const struct option table[] = {
    {STR_INIT("max-memory"), OPTION_SIZE, FIELD(max_memory)},
    {STR_INIT("threads"), OPTION_COUNT, FIELD(threads)},
    {STR_INIT("focus"), OPTION_LIST, FIELD(focus)},
    {STR_INIT("ignore"), OPTION_LIST, FIELD(ignore)},
    {STR_INIT("hide"), OPTION_LIST, FIELD(hide)},
    {STR_INIT("state"), OPTION_LIST, FIELD(state)},
    {STR_INIT("label"), OPTION_LIST, FIELD(label)},
    {STR_INIT("source-root"), OPTION_LIST, FIELD(source_root)},
    {STR_INIT("min-count"), OPTION_NUMBER, FIELD(min_count)},
    {STR_INIT("min-age"), OPTION_DURATION, FIELD(min_age_s)},
    {STR_INIT("group-by"), OPTION_GROUP_BY, FIELD(group_by)},
    {STR_INIT("top"), OPTION_COUNT, FIELD(top)},
    {STR_INIT("all"), OPTION_FLAG, FIELD(all)},
    {STR_INIT("tree"), OPTION_FLAG, FIELD(tree)},
    {STR_INIT("leak-profile"), OPTION_LIST, FIELD(leak_profile)},
    {STR_INIT("rules"), OPTION_LIST, FIELD(rules)},
    {STR_INIT("rules-folder"), OPTION_LIST, FIELD(rules_folders)},
    {STR_INIT("no-builtin-rules"), OPTION_FLAG, FIELD(no_builtin_rules)},
    {STR_INIT("disable"), OPTION_LIST, FIELD(disable)},
    {STR_INIT("baseline"), OPTION_TEXT, FIELD(baseline)},
    {STR_INIT("write-baseline"), OPTION_TEXT, FIELD(write_baseline)},
    {STR_INIT("fail-on"), OPTION_SEVERITY, FIELD(fail_on)},
    {STR_INIT("strict"), OPTION_FLAG, FIELD(strict)},
    {STR_INIT("color"), OPTION_FLAG, FIELD(color)},
    {STR_INIT("hint"), OPTION_FLAG, FIELD(hint)},
    {STR_INIT("verbose"), OPTION_FLAG, FIELD(verbose)},
    {STR_INIT("columns"), OPTION_COUNT, FIELD(columns)},
    {STR_INIT("instance"), OPTION_TEXT, FIELD(instance)},
    {STR_INIT("sample-type"), OPTION_TEXT, FIELD(sample_type)},
    {STR_INIT("sort"), OPTION_SORT, 0},
    {STR_INIT("now"), OPTION_TIME, FIELD(now_ns)},
    {STR_INIT("times"), OPTION_TIMES, FIELD(times)},
    {STR_INIT("interval"), OPTION_DURATION, FIELD(interval_s)},
    {STR_INIT("skip"), OPTION_DURATION, FIELD(skip_s)},
    {STR_INIT("source-link"), OPTION_LINK, FIELD(source_link)},
    {STR_INIT("limit"), OPTION_LIMIT, 0},
};

/* Less memory than that is a number of goroutines with a wrong unit. */
enum { LIMIT_BYTES_LEAST = 1 << 20 };

enum { N_OPTIONS = sizeof(table) / sizeof(table[0]) };

/* ORDER GROUP BY: as enum group_by. */
static const struct str group_words[] = {
    STR_INIT("stack"),   STR_INIT("site"),    STR_INIT("function"),
    STR_INIT("creator"), STR_INIT("package"), STR_INIT("state"),
};

/* ORDER SEVERITY: as enum cprof_severity. */
static const struct str severity_words[] = {
    STR_INIT("ok"),     STR_INIT("info"), STR_INIT("low"),
    STR_INIT("medium"), STR_INIT("high"), STR_INIT("critical"),
};

int cprof_options_new(struct cprof_options **ret, struct cprof_error *err)
{
    struct cprof_options *options = calloc(1, sizeof(*options));

    if (!options)
        return error_memory(err, (struct place){0}, "starting");
    options->fail_on = CPROF_SEVERITY_HIGH;
    *ret = options;
    return 0;
}

static void list_free(struct option_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        free(list->values[i]);
    free(list->values);
}

void cprof_options_free(struct cprof_options *options)
{
    if (!options)
        return;
    list_free(&options->focus);
    list_free(&options->ignore);
    list_free(&options->hide);
    list_free(&options->state);
    list_free(&options->label);
    list_free(&options->source_root);
    list_free(&options->leak_profile);
    list_free(&options->rules_folders);
    list_free(&options->rules);
    list_free(&options->disable);
    list_free(&options->times);
    free(options->group_by_label);
    free(options->instance);
    free(options->baseline);
    free(options->write_baseline);
    free(options->sample_type);
    free(options->source_link);
    free(options);
}

static bool list_add(struct option_list *list, const char *value)
{
    char **values = realloc(list->values, (list->count + 1) * sizeof(*values));
    char *copy = strdup(value);

    if (values)
        list->values = values;
    if (!values || !copy) {
        free(copy);
        return false;
    }
    list->values[list->count++] = copy;
    return true;
}

static bool text_set(char **text, const char *value)
{
    char *copy = strdup(value);

    if (!copy)
        return false;
    free(*text);
    *text = copy;
    return true;
}

bool size_parse(struct str text, uint64_t *ret)
{
    static const struct str suffixes[] = {STR_INIT("k"), STR_INIT("m"),
                                          STR_INIT("g"), STR_INIT("t")};
    uint64_t value;
    unsigned shift = 0;

    if (!str_cut_decimal(&text, &value))
        return false;
    if (text.len) {
        char c = (char)(text.ptr[0] | 0x20);

        for (unsigned i = 0; i < 4; i++) {
            if (c == suffixes[i].ptr[0])
                shift = 10 * (i + 1);
        }
        if (shift)
            text = str_skip(text, 1);
        if (shift && text.len == 2 && (text.ptr[0] | 0x20) == 'i')
            text = str_skip(text, 1);
        if (text.len && !(text.len == 1 && (text.ptr[0] | 0x20) == 'b'))
            return false;
    }
    if (value > UINT64_MAX >> shift)
        return false;
    *ret = value << shift;
    return true;
}

/* What nanoseconds in 64 bits can hold. */
static const uint64_t duration_most_s = INT64_MAX / 1000000000;

static uint64_t unit_seconds(char unit)
{
    return unit == 's'   ? 1
           : unit == 'm' ? 60
           : unit == 'h' ? 3600
           : unit == 'd' ? 86400
                         : 0;
}

bool duration_parse(struct str text, uint64_t *ret_seconds)
{
    uint64_t seconds = 0;

    if (!text.len)
        return false;
    while (text.len) {
        uint64_t value;
        uint64_t unit;

        if (!str_cut_decimal(&text, &value))
            return false;
        /* Nothing is as long in any unit. */
        unit = text.len ? unit_seconds(text.ptr[0]) : !value;
        text = str_skip(text, 1);
        if (!unit || value > UINT32_MAX)
            return false;
        seconds += value * unit;
        if (seconds > duration_most_s)
            return false;
    }
    *ret_seconds = seconds;
    return true;
}

bool timeout_parse(struct str text, uint64_t *ret_seconds)
{
    uint64_t seconds;

    if (!str_to_u64(text, &seconds) || seconds > UINT32_MAX)
        return duration_parse(text, ret_seconds);
    *ret_seconds = seconds;
    return true;
}

const char *severity_text(enum cprof_severity severity)
{
    return severity_words[severity].ptr;
}

bool severity_parse(struct str text, enum cprof_severity *ret)
{
    for (unsigned i = 0; i < 6; i++) {
        if (str_equal(text, severity_words[i])) {
            *ret = (enum cprof_severity)i;
            return true;
        }
    }
    return false;
}

static int bad_value(struct cprof_error *err, const struct option *option,
                     const char *value, const char *expected)
{
    return error_set(err, CPROF_EUSAGE, (struct place){0},
                     "option --" STR_FORMAT " takes %s, not '%.100s'",
                     STR_ARG(option->name), expected, value);
}

static int set_group_by(struct cprof_options *options,
                        const struct option *option, const char *value,
                        struct cprof_error *err)
{
    struct str text = str_from(value);

    for (unsigned i = 0; i < GROUP_BY_LABEL; i++) {
        if (str_equal(text, group_words[i])) {
            options->group_by = (enum group_by)i;
            return 0;
        }
    }
    if (!str_cut_prefix(&text, STR("label:")) || !text.len)
        return bad_value(err, option, value,
                         "stack, site, function, creator, package, state or "
                         "label:KEY");
    options->group_by = GROUP_BY_LABEL;
    if (!text_set(&options->group_by_label, text.ptr))
        return error_memory(err, (struct place){0}, "reading options");
    return 0;
}

static int set_severity(enum cprof_severity *field, const struct option *option,
                        const char *value, struct cprof_error *err)
{
    enum cprof_severity severity;

    if (str_equal(str_from(value), STR("none"))) {
        *field = CPROF_SEVERITY_OK;
        return 0;
    }
    if (severity_parse(str_from(value), &severity) &&
        severity != CPROF_SEVERITY_OK) {
        *field = severity;
        return 0;
    }
    return bad_value(err, option, value,
                     "info, low, medium, high, critical or none");
}

static int set_sort(struct cprof_options *options, const struct option *option,
                    const char *value, struct cprof_error *err)
{
    struct str text = str_from(value);

    options->sort_by_cum = str_equal(text, STR("cum"));
    options->sort_by_time = str_equal(text, STR("time"));
    if (options->sort_by_cum || options->sort_by_time ||
        str_equal(text, STR("flat")))
        return 0;
    return bad_value(err, option, value, "flat, cum or time");
}

/* Adds the times of a list with commas between them. */
static int add_times(struct option_list *list, const struct option *option,
                     const char *value, struct cprof_error *err)
{
    struct str rest = str_from(value);

    while (rest.len) {
        size_t comma = str_find(rest, ',');
        char time[64];
        int64_t ns;

        snprintf(time, sizeof(time), STR_FORMAT,
                 STR_ARG(str_head(rest, comma)));
        if (!rfc3339_parse(str_from(time), &ns))
            return bad_value(err, option, time,
                             "times such as 2026-11-21T05:30:00Z, with commas "
                             "between them");
        if (!list_add(list, time))
            return error_memory(err, (struct place){0}, "reading options");
        rest = str_skip(rest, comma < rest.len ? comma + 1 : comma);
    }
    return 0;
}

static int set_number(void *field, const struct option *option,
                      const char *value, struct cprof_error *err)
{
    struct str text = str_from(value);
    uint64_t number;
    bool ok;

    if (option->kind == OPTION_DURATION) {
        if (!duration_parse(text, &number))
            return bad_value(err, option, value, "a duration such as 5m");
    } else if (option->kind == OPTION_SIZE) {
        ok = size_parse(text, &number) && number;
        if (!ok)
            return bad_value(err, option, value, "a size such as 512M");
    } else if (!str_to_u64(text, &number)) {
        return bad_value(err, option, value, "a whole number");
    }
    if (option->kind == OPTION_SIZE || option->kind == OPTION_COUNT)
        *(size_t *)field = number < SIZE_MAX ? (size_t)number : SIZE_MAX;
    else
        *(uint64_t *)field = number;
    return 0;
}

static int set_link(char **field, const struct option *option,
                    const char *value, struct cprof_error *err)
{
    struct buf template = {0};
    const char *problem = source_link_expand(&template, str_from(value));
    bool ok = problem || (!template.failed && text_set(field, template.ptr));

    buf_done(&template);
    if (problem)
        return error_set(err, CPROF_EUSAGE, (struct place){0},
                         "option --" STR_FORMAT " takes a template that %s; "
                         "'%.100s' is none",
                         STR_ARG(option->name), problem, value);
    return ok ? 0 : error_memory(err, (struct place){0}, "reading options");
}

/* A number is one of goroutines; a size, with its unit, of memory. */
static int set_limit(struct cprof_options *options, const struct option *option,
                     const char *value, struct cprof_error *err)
{
    struct str text = str_from(value);
    uint64_t number;

    if (str_to_u64(text, &number) && number) {
        options->limit = number;
        return 0;
    }
    if (size_parse(text, &number) && number >= LIMIT_BYTES_LEAST) {
        options->limit_bytes = number;
        return 0;
    }
    return bad_value(err, option, value,
                     "a number of goroutines, or a size of memory such as "
                     "2GiB");
}

static int set_field(struct cprof_options *options, const struct option *option,
                     const char *value, struct cprof_error *err)
{
    void *field = (char *)options + option->offset;
    bool ok = true;

    switch (option->kind) {
    case OPTION_LIST:
        ok = list_add(field, value);
        break;
    case OPTION_TEXT:
        ok = text_set(field, value);
        break;
    case OPTION_FLAG:
        *(bool *)field = true;
        break;
    case OPTION_SORT:
        return set_sort(options, option, value, err);
    case OPTION_LINK:
        return set_link(field, option, value, err);
    case OPTION_TIMES:
        return add_times(field, option, value, err);
    case OPTION_TIME:
        return rfc3339_parse(str_from(value), field)
                   ? 0
                   : bad_value(err, option, value,
                               "a time such as 2026-11-21T05:30:00Z");
    case OPTION_LIMIT:
        return set_limit(options, option, value, err);
    case OPTION_GROUP_BY:
        return set_group_by(options, option, value, err);
    case OPTION_SEVERITY:
        return set_severity(field, option, value, err);
    case OPTION_SIZE:
    case OPTION_COUNT:
    case OPTION_NUMBER:
    case OPTION_DURATION:
        return set_number(field, option, value, err);
    }
    return ok ? 0 : error_memory(err, (struct place){0}, "reading options");
}

int cprof_options_set(struct cprof_options *options, const char *name,
                      const char *value, struct cprof_error *err)
{
    for (size_t i = 0; i < N_OPTIONS; i++) {
        if (!str_equal(table[i].name, str_from(name)))
            continue;
        if (!value && table[i].kind != OPTION_FLAG)
            return error_set(err, CPROF_EUSAGE, (struct place){0},
                             "option --%s needs a value", name);
        if (value && table[i].kind == OPTION_FLAG)
            return error_set(err, CPROF_EUSAGE, (struct place){0},
                             "option --%s takes no value", name);
        return set_field(options, &table[i], value, err);
    }
    return error_set(err, CPROF_EUSAGE, (struct place){0},
                     "there is no option --%.100s", name);
}
