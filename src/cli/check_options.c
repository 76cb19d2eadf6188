/* The options of check. */
#include <stdlib.h>

#include "base/count.h"
#include "base/error.h"
#include "cli/cli.h"
#include "model/options.h"
#include "store/store.h"

enum {
    RUNS_MOST = 1000,
    FILES_MOST = 10000,
    TIMEOUT_MOST_S = 24 * 3600,
};

struct check_arguments check_arguments_default(void)
{
    return (struct check_arguments){
        .warning_at = CPROF_SEVERITY_HIGH,
        .critical_at = CPROF_SEVERITY_CRITICAL,
        .runs = 3,
        .save_most = 20,
        .older_s = STORE_KEPT_NS / 1000000000,
        .timeout_s = 60,
    };
}

static int bad_value(struct cprof_error *err, const char *name,
                     const char *value, const char *expected)
{
    return error_set(err, CPROF_EUSAGE, (struct place){0},
                     "option --%s takes %s, not '%.100s'", name, expected,
                     value);
}

/* "10000", "goroutines=10000" or "findings=0". */
static int set_range(struct range ranges[N_RANGES], const char *name,
                     const char *value, struct cprof_error *err)
{
    struct str text = str_from(value);
    size_t equals = str_find(text, '=');
    unsigned which = RANGE_GOROUTINES;

    if (equals < text.len) {
        struct str wanted = str_head(text, equals);

        text = str_skip(text, equals + 1);
        for (which = 0; which < N_RANGES; which++) {
            if (str_equal(wanted, str_from(range_names[which])))
                break;
        }
    }
    if (which < N_RANGES && range_parse(text, &ranges[which]))
        return 0;
    return bad_value(err, name, value,
                     "a range such as 10000, goroutines=10:20 or findings=0");
}

static int set_level(enum cprof_severity *level, const char *name,
                     const char *value, struct cprof_error *err)
{
    if (str_equal(str_from(value), STR("none"))) {
        *level = CPROF_SEVERITY_OK;
        return 0;
    }
    if (severity_parse(str_from(value), level) && *level != CPROF_SEVERITY_OK)
        return 0;
    return bad_value(err, name, value,
                     "info, low, medium, high, critical or none");
}

static int set_timeout(uint64_t *seconds, const char *name, const char *value,
                       struct cprof_error *err)
{
    uint64_t number;

    if (!timeout_parse(str_from(value), &number) || !number ||
        number > TIMEOUT_MOST_S)
        return bad_value(err, name, value,
                         "a time such as 30s or 5m, up to 24h");
    *seconds = number;
    return 0;
}

/* A time of at most that many seconds. */
static int set_time(uint64_t *seconds, const char *name, const char *value,
                    uint64_t most, struct cprof_error *err)
{
    uint64_t number;

    if (!duration_parse(str_from(value), &number) || !number || number > most)
        return bad_value(err, name, value, "a time such as 30s, 5m or 35d");
    *seconds = number;
    return 0;
}

static int set_count(uint64_t *count, const char *name, const char *value,
                     uint64_t most, struct cprof_error *err)
{
    uint64_t number;

    if (!str_to_u64(str_from(value), &number) || !number || number > most)
        return error_set(err, CPROF_EUSAGE, (struct place){0},
                         "option --%s takes a number from 1 to %s, not "
                         "'%.100s'",
                         name, count_text(most).text, value);
    *count = number;
    return 0;
}

static int set_runs(struct check_arguments *arguments, const char *name,
                    const char *value, struct cprof_error *err)
{
    uint64_t runs = 0;
    int rc = set_count(&runs, name, value, RUNS_MOST, err);

    if (rc == 0)
        arguments->runs = (unsigned)runs;
    return rc;
}

int check_option_set(struct check_arguments *arguments, const char *name,
                     const char *value, struct cprof_error *err)
{
    struct str wanted = str_from(name);

    if (str_equal(wanted, STR("warning")))
        return set_range(arguments->ranges.warning, name, value, err);
    if (str_equal(wanted, STR("critical")))
        return set_range(arguments->ranges.critical, name, value, err);
    if (str_equal(wanted, STR("warning-at")))
        return set_level(&arguments->warning_at, name, value, err);
    if (str_equal(wanted, STR("critical-at")))
        return set_level(&arguments->critical_at, name, value, err);
    if (str_equal(wanted, STR("for")))
        return set_runs(arguments, name, value, err);
    if (str_equal(wanted, STR("timeout")))
        return set_timeout(&arguments->timeout_s, name, value, err);
    if (str_equal(wanted, STR("older-than")))
        return set_time(&arguments->older_s, name, value, INT32_MAX, err);
    if (str_equal(wanted, STR("interval")))
        return set_time(&arguments->interval_s, name, value, INT32_MAX, err);
    if (str_equal(wanted, STR("save-most")))
        return set_count(&arguments->save_most, name, value, FILES_MOST, err);
    if (str_equal(wanted, STR("save"))) {
        arguments->save = value;
        return 0;
    }
    return error_set(err, CPROF_EUSAGE, (struct place){0},
                     "there is no option --%.100s", name);
}
