#include "cli/history_spec.h"

#include <stdlib.h>

#include "base/error.h"
#include "model/name_time.h"
#include "model/options.h"

static const struct str prefix = STR_INIT("history:");

static const int64_t second_ns = 1000000000;

bool history_is(const char *input)
{
    return str_starts(str_from(input), prefix);
}

static int wrong(const char *text, const char *why, struct cprof_error *err)
{
    int rc = error_set(err, CPROF_EUSAGE, (struct place){0},
                       "'%.200s' is no snapshot of a history: %s", text, why);

    error_detail(err, "HISTORY[@INSTANCE][#WHICH], where WHICH is last, first, "
                      "all, run, a number,\n-12 (the newest 12), 7d, a time or "
                      "FROM..TO");
    return rc;
}

enum { DAY_LONG = 10, MINUTE_LONG = 16 }; /* "2026-11-21", "...T05:30" */

/* A time of RFC 3339, of which the seconds or the time of day may be missing:
 * its beginning, or its end. */
static bool parse_time(struct str text, bool is_end, int64_t *ret_ns)
{
    char day[DAY_LONG + sizeof("T00:00:00Z")];
    int64_t length = 0;

    if (text.len == DAY_LONG) {
        memcpy(day, text.ptr, DAY_LONG);
        memcpy(day + DAY_LONG, "T00:00:00Z", sizeof("T00:00:00Z"));
        text = str_from(day);
        length = 86400 * second_ns;
    } else if (text.len == MINUTE_LONG ||
               (text.len > MINUTE_LONG && text.ptr[MINUTE_LONG] != ':')) {
        length = 60 * second_ns;
    }
    if (!rfc3339_parse(text, ret_ns))
        return false;
    if (is_end && length)
        *ret_ns += length - 1;
    return true;
}

static bool parse_range(struct store_query *query, struct str from,
                        struct str to)
{
    if (!from.len && !to.len)
        return false;
    return (!from.len || parse_time(from, false, &query->from_ns)) &&
           (!to.len || parse_time(to, true, &query->to_ns)) &&
           (!from.len || !to.len || query->from_ns <= query->to_ns);
}

/* The words of WHICH. */
static bool parse_word(struct store_query *query, struct str which)
{
    if (str_equal(which, STR("last")))
        query->newest = 1;
    else if (str_equal(which, STR("first")))
        query->oldest = 1;
    else if (str_equal(which, STR("run")))
        query->last_segment = true;
    else
        return str_equal(which, STR("all"));
    return true;
}

static bool parse_number(struct store_query *query, struct str which)
{
    struct str digits = which;
    uint64_t number;

    if (str_cut_prefix(&digits, STR("-"))) {
        if (!str_to_u64(digits, &number) || !number || number > INT32_MAX)
            return false;
        query->newest = (size_t)number;
        return true;
    }
    if (!str_to_u64(which, &number) || !number || number > INT64_MAX)
        return false;
    query->id = (int64_t)number;
    return true;
}

static bool parse_which(struct store_query *query, struct str which)
{
    size_t dots = str_search(which, STR(".."));
    uint64_t seconds;

    if (dots < which.len)
        return parse_range(query, str_head(which, dots),
                           str_skip(which, dots + 2));
    if (parse_word(query, which) || parse_number(query, which))
        return true;
    if (parse_time(which, true, &query->to_ns)) {
        query->newest = 1;
        return true;
    }
    if (!duration_parse(which, &seconds) || !seconds)
        return false;
    query->span_ns = (int64_t)seconds * second_ns;
    return true;
}

/* Finds the file: a path, or that of a service. */
static int find_place(struct history_spec *spec, const char *where,
                      struct cprof_error *err)
{
    struct str text = str_from(where);
    bool is_path = str_find(text, '/') < text.len ||
                   (text.len > 3 && str_ends(text, STR(".db")));

    return history_place_find(&spec->place, is_path ? where : NULL,
                              is_path ? NULL : where, err);
}

/* Cuts what stands behind the last of a character off a text; NULL when it has
 * none. */
static char *cut_behind(char *text, char c)
{
    char *at = strrchr(text, c);

    if (!at)
        return NULL;
    *at = '\0';
    return at + 1;
}

int history_spec_parse(struct history_spec *ret, const char *text,
                       struct cprof_error *err)
{
    const char *where = text;
    const char *instance;
    const char *which;

    *ret = (struct history_spec){0};
    if (history_is(text))
        where += prefix.len;
    ret->text = strdup(where);
    if (!ret->text)
        return error_memory(err, (struct place){0}, "reading a history");
    which = cut_behind(ret->text, '#');
    instance = cut_behind(ret->text, '@');
    if (!ret->text[0])
        return wrong(text, "it names no history", err);
    if (instance) {
        ret->query.has_instance = true;
        ret->query.instance = str_from(instance);
    }
    ret->has_which = which != NULL;
    if (which && !parse_which(&ret->query, str_from(which)))
        return wrong(text, "what stands behind '#' is not understood", err);
    return find_place(ret, ret->text, err);
}

void history_spec_done(struct history_spec *spec)
{
    history_place_done(&spec->place);
    free(spec->text);
    *spec = (struct history_spec){0};
}

int history_spec_open(struct history_spec *ret, const char *text,
                      enum store_mode mode, struct store **ret_store,
                      struct cprof_error *err)
{
    struct store_options options = {.mode = mode};
    int rc = history_spec_parse(ret, text, err);

    if (rc == 0 && mode == STORE_CREATE)
        rc = history_place_make(&ret->place, err);
    if (rc == 0)
        rc = store_open(ret_store, ret->place.path, &options, err);
    return rc;
}
