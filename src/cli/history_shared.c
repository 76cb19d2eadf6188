#include "cli/history_shared.h"

#include "base/error.h"
#include "base/utc.h"
#include "report/units.h"

int history_output(const struct arguments *arguments, bool *ret_is_json,
                   struct cprof_error *err)
{
    struct str form = str_from(arguments->output);

    *ret_is_json = str_equal(form, STR("json"));
    if (*ret_is_json || str_equal(form, STR("text")))
        return 0;
    return error_set(err, CPROF_EUSAGE, (struct place){0},
                     "option --output takes text or json, not '%.100s'",
                     arguments->output);
}

int history_need_one(const struct arguments *arguments, struct cprof_error *err)
{
    if (arguments->n_inputs == 1)
        return 0;
    return error_set(err, CPROF_EUSAGE, (struct place){0},
                     "name one history: the service, or its file");
}

static int produce(const void *product, cprof_write_fn *write, void *user,
                   struct cprof_error *err)
{
    const struct buf *text = product;

    if (text->failed)
        return error_memory(err, (struct place){0}, "writing");
    return write(user, text->ptr, text->len) == 0 ? 0 : CPROF_EIO;
}

int history_print(const struct arguments *arguments, const struct buf *text,
                  struct cprof_error *err)
{
    if (!text->len && !text->failed)
        return 0;
    return output_write(arguments, produce, text, err);
}

int history_end(int rc, const struct cprof_error *err)
{
    if (rc == 0)
        return EXIT_OK;
    error_print(err);
    return EXIT_TROUBLE;
}

void add_time(struct buf *out, int64_t time_ns)
{
    if (time_ns)
        utc_add(out, time_ns - time_ns % 1000000000);
    else
        buf_add(out, STR("-                   "));
}

void add_size(struct buf *out, uint64_t bytes)
{
    int64_t value = bytes < INT64_MAX ? (int64_t)bytes : INT64_MAX;

    unit_add(out, value, unit_choose(STR("bytes"), bytes, bytes));
}

int history_run(const struct arguments *arguments)
{
    static const char *const words[] = {"list", "show", "add", "prune",
                                        "export"};

    return family_run(arguments, "history", words,
                      sizeof(words) / sizeof(words[0]));
}
