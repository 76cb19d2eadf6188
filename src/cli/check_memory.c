#include "cli/check_memory.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "model/options.h"

static const struct str version = STR_INIT("1");

enum kind {
    KIND_TEXT,
    KIND_NUMBER,
    KIND_FLAG,
    KIND_TIME,
    KIND_COUNT,
    KIND_DOUBLE,
};

#define SHOWN(member)  offsetof(struct alert, shown.member)
#define MEMORY(member) offsetof(struct alert, memory.member)

struct field {
    enum kind kind;
    size_t offset;
};

/* What stands in `data`, in this order: a change of it is another version. */
static const struct field fields[] = {
    {KIND_NUMBER, MEMORY(status)},
    {KIND_NUMBER, MEMORY(held_warning)},
    {KIND_NUMBER, MEMORY(held_critical)},
    {KIND_NUMBER, MEMORY(below)},
    {KIND_NUMBER, SHOWN(runs_needed)},
    {KIND_NUMBER, offsetof(struct alert, unsent)},
    {KIND_FLAG, offsetof(struct alert, is_range)},
    {KIND_DOUBLE, SHOWN(share)},
    {KIND_FLAG, SHOWN(has_growth)},
    {KIND_DOUBLE, SHOWN(delta)},
    {KIND_FLAG, SHOWN(has_rate)},
    {KIND_DOUBLE, SHOWN(per_hour)},
    {KIND_TIME, SHOWN(fired_ns)},
    {KIND_TIME, SHOWN(resolved_ns)},
    {KIND_TEXT, SHOWN(confidence)},
    {KIND_TEXT, SHOWN(state_text)},
    {KIND_TEXT, SHOWN(function)},
    {KIND_TEXT, SHOWN(explain)},
    {KIND_TEXT, SHOWN(advice)},
    {KIND_TEXT, SHOWN(evidence)},
};

/* What came later, in this order, behind it: a program that does not know it
 * looks no further, and what an earlier one wrote ends before it. */
static const struct field later_fields[] = {
    {KIND_TEXT, SHOWN(places)},
    {KIND_TIME, offsetof(struct alert, rest.at_ns)},
    {KIND_TIME, offsetof(struct alert, rest.usual_ns)},
    {KIND_TIME, offsetof(struct alert, rest.passed_ns)},
    {KIND_FLAG, offsetof(struct alert, is_paused)},
    {KIND_TIME, offsetof(struct alert, away.at_ns)},
    {KIND_TIME, offsetof(struct alert, away.usual_ns)},
    {KIND_TIME, offsetof(struct alert, away.passed_ns)},
    {KIND_COUNT, offsetof(struct alert, peak)},
    {KIND_FLAG, SHOWN(has_now)},
    {KIND_COUNT, SHOWN(now)},
};

enum {
    N_FIELDS = sizeof(fields) / sizeof(fields[0]),
    N_LATER_FIELDS = sizeof(later_fields) / sizeof(later_fields[0]),
};

static const char *const states[] = {"pending", "firing", "resolved"};

/* --- Reading -------------------------------------------------------------- */

/* Cuts a netstring off *data. */
static bool cut_text(struct str *data, struct str *ret)
{
    struct str rest = *data;
    uint64_t len;

    if (!str_cut_decimal(&rest, &len) || !str_cut_prefix(&rest, STR(":")) ||
        len >= rest.len || rest.ptr[len] != ',')
        return false;
    *ret = str_head(rest, len);
    *data = str_skip(rest, len + 1);
    return true;
}

static bool read_double(struct str text, double *ret)
{
    char copy[64];
    char *end;

    if (!text.len || text.len >= sizeof(copy))
        return false;
    memcpy(copy, text.ptr, text.len);
    copy[text.len] = '\0';
    *ret = strtod(copy, &end);
    return *end == '\0';
}

static bool read_field(void *at, enum kind kind, struct str text,
                       struct arena *arena)
{
    uint64_t number = 0;

    if (kind == KIND_TEXT) {
        *(struct str *)at = arena_copy(arena, text);
        return true;
    }
    if (kind == KIND_DOUBLE)
        return read_double(text, at);
    if (!str_to_u64(text, &number))
        return false;
    if (kind == KIND_TIME)
        *(int64_t *)at = (int64_t)(number & INT64_MAX);
    else if (kind == KIND_COUNT)
        *(uint64_t *)at = number;
    else if (kind == KIND_FLAG)
        *(bool *)at = number != 0;
    else
        *(unsigned *)at = number <= INT32_MAX ? (unsigned)number : 0;
    return true;
}

/* Cuts the next field off *data. */
static bool cut_field(struct alert *alert, const struct field *field,
                      struct str *data, struct arena *arena)
{
    struct str text;

    return cut_text(data, &text) &&
           read_field((char *)alert + field->offset, field->kind, text, arena);
}

static bool read_data(struct alert *alert, struct str data, struct arena *arena)
{
    struct str text;

    if (!cut_text(&data, &text) || !str_equal(text, version))
        return false;
    for (size_t i = 0; i < N_FIELDS; i++) {
        if (!cut_field(alert, &fields[i], &data, arena))
            return false;
    }
    for (size_t i = 0; i < N_LATER_FIELDS && data.len; i++) {
        if (!cut_field(alert, &later_fields[i], &data, arena))
            return false;
    }
    return alert->memory.status <= CHECK_CRITICAL;
}

static enum alert_state state_of(struct str word)
{
    for (unsigned i = 0; i < sizeof(states) / sizeof(states[0]); i++) {
        if (str_equal(word, str_from(states[i])))
            return (enum alert_state)i;
    }
    return ALERT_RESOLVED;
}

static int read_alert(struct alert *alert, const struct store_alert *stored,
                      struct arena *arena, struct cprof_error *err)
{
    struct outcome_alert *shown = &alert->shown;

    *alert = (struct alert){
        .shown = {.key = stored->key,
                  .rule = stored->rule,
                  .title = stored->text,
                  .site = stored->site,
                  .count = stored->count,
                  .first_seen_ns = stored->first_ns},
        .memory = {.is_known = true,
                   .state = state_of(stored->state),
                   .held = (unsigned)stored->held,
                   .missed = (unsigned)stored->missed},
        .last_ns = stored->last_ns,
    };
    severity_parse(stored->severity, &shown->severity);
    if (!read_data(alert, stored->data, arena))
        return error_set(err, CPROF_EFORMAT, (struct place){0},
                         "the history remembers an alert in a form that is not "
                         "known here");
    shown->state = alert->memory.state;
    shown->status = alert->memory.status;
    shown->runs_held = alert->memory.held;
    shown->runs_missed = alert->memory.missed;
    return 0;
}

int check_memory_read(struct store *store, struct str instance,
                      struct alerts *ret, struct arena *arena,
                      struct cprof_error *err)
{
    struct store_alert *stored = NULL;
    size_t n_refused = atomic_load(&arena->budget->n_refused);
    size_t n = 0;
    int rc = store_alerts_read(store, instance, arena, &stored, &n, err);

    if (rc < 0)
        return rc;
    *ret = (struct alerts){
        .items = arena_take_zero(arena, (n + 1) * sizeof(*ret->items))};
    if (!ret->items)
        return error_memory(err, (struct place){0}, "reading alerts");
    for (size_t i = 0; i < n && rc == 0; i++) {
        rc = read_alert(&ret->items[i], &stored[i], arena, err);
        ret->n += rc == 0;
    }
    if (rc == 0 && atomic_load(&arena->budget->n_refused) != n_refused)
        rc = error_memory(err, (struct place){0}, "reading alerts");
    return rc;
}

/* --- Writing -------------------------------------------------------------- */

static void add_text(struct buf *out, struct str text)
{
    buf_addf(out, "%zu:", text.len);
    buf_add(out, text);
    buf_add_char(out, ',');
}

static void add_field(struct buf *out, const void *at, enum kind kind)
{
    char text[64];

    switch (kind) {
    case KIND_TEXT:
        add_text(out, *(const struct str *)at);
        return;
    case KIND_NUMBER:
        snprintf(text, sizeof(text), "%u", *(const unsigned *)at);
        break;
    case KIND_FLAG:
        snprintf(text, sizeof(text), "%d", *(const bool *)at);
        break;
    case KIND_TIME:
        snprintf(text, sizeof(text), "%lld", (long long)*(const int64_t *)at);
        break;
    case KIND_COUNT:
        snprintf(text, sizeof(text), "%llu",
                 (unsigned long long)*(const uint64_t *)at);
        break;
    case KIND_DOUBLE:
        snprintf(text, sizeof(text), "%.17g", *(const double *)at);
        break;
    }
    add_text(out, str_from(text));
}

static void write_data(struct buf *out, const struct alert *alert)
{
    add_text(out, version);
    for (size_t i = 0; i < N_FIELDS; i++)
        add_field(out, (const char *)alert + fields[i].offset, fields[i].kind);
    for (size_t i = 0; i < N_LATER_FIELDS; i++)
        add_field(out, (const char *)alert + later_fields[i].offset,
                  later_fields[i].kind);
}

static int64_t changed_ns(const struct outcome_alert *shown)
{
    if (shown->resolved_ns)
        return shown->resolved_ns;
    return shown->fired_ns ? shown->fired_ns : shown->first_seen_ns;
}

static struct store_alert stored_of(const struct alert *alert,
                                    const struct buf *data)
{
    const struct outcome_alert *shown = &alert->shown;

    return (struct store_alert){
        .key = shown->key,
        .state = str_from(states[alert->memory.state]),
        .rule = shown->rule,
        .severity = str_from(severity_text(shown->severity)),
        .site = shown->site,
        .text = shown->title,
        .data = buf_str(data),
        .held = alert->memory.held,
        .missed = alert->memory.missed,
        .count = shown->count,
        .first_ns = shown->first_seen_ns,
        .last_ns = alert->last_ns,
        .changed_ns = changed_ns(shown),
    };
}

int check_memory_write(struct store *store, struct str instance,
                       const struct alerts *alerts, struct cprof_error *err)
{
    struct store_alert *stored = calloc(alerts->n + 1, sizeof(*stored));
    struct buf *data = calloc(alerts->n + 1, sizeof(*data));
    bool ok = stored && data;
    int rc = 0;

    for (size_t i = 0; i < alerts->n && ok; i++) {
        write_data(&data[i], &alerts->items[i]);
        stored[i] = stored_of(&alerts->items[i], &data[i]);
        ok = !data[i].failed;
    }
    if (ok)
        rc = store_alerts_write(store, instance, stored, alerts->n, err);
    else
        rc = error_memory(err, (struct place){0}, "writing alerts");
    for (size_t i = 0; data && i < alerts->n; i++)
        buf_done(&data[i]);
    free(data);
    free(stored);
    return rc;
}
