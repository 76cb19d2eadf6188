#include "cli/rules_shared.h"

#include <stdio.h>

#include "base/error.h"
#include "cli/outputs.h"
#include "model/options.h"
#include "rules/nearest.h"

/* The index of a word among n, or n. */
static size_t find_word(const char *const *words, size_t n, const char *wanted)
{
    size_t i = 0;

    while (i < n && !str_equal(str_from(words[i]), str_from(wanted)))
        i++;
    return i;
}

/* Appends "a, b or c". */
static void add_words(struct buf *out, const char *const *words, size_t n)
{
    for (size_t i = 0; i < n; i++)
        buf_addf(out, "%s%s",
                 i == 0      ? ""
                 : i + 1 < n ? ", "
                             : " or ",
                 words[i]);
}

/* Whether the format that -o names is one of those that there are. */
static int check_format(const char *const *formats, const char *wanted,
                        struct cprof_error *err)
{
    struct buf known = {0};
    size_t n = 0;

    while (formats[n])
        n++;
    if (find_word(formats, n, wanted) < n)
        return 0;
    add_words(&known, formats, n);
    error_set(err, CPROF_EUSAGE, (struct place){0},
              "option --output takes %s, not '%.100s'",
              known.ptr ? known.ptr : "", wanted);
    buf_done(&known);
    return CPROF_EUSAGE;
}

int rules_view_init(struct rules_view *ret, const struct arguments *arguments,
                    const char *const *formats, struct cprof_error *err)
{
    const struct cprof_options *options = arguments->options;
    int rc;

    *ret = (struct rules_view){.arguments = arguments};
    budget_init(&ret->budget, 0);
    rc = check_format(formats, arguments->output, err);
    if (rc == 0)
        rc = terminal_settle(arguments, err);
    ret->page = page_begin(&ret->out, options->columns, options->color);
    if (rc == 0)
        rc = rules_new(&ret->rules, &ret->budget, err);
    if (rc == 0)
        rules_keep_details(ret->rules);
    return rc;
}

void rules_view_done(struct rules_view *view)
{
    rules_free(view->rules);
    buf_done(&view->out);
    *view = (struct rules_view){0};
}

int rules_view_load(struct rules_view *view, struct cprof_error *err)
{
    int rc = user_rules_settle(view->arguments, err);

    if (rc == 0)
        rc = outputs_check(view->arguments, err);
    return rc == 0
               ? rules_load_chosen(view->rules, view->arguments->options, err)
               : rc;
}

static int produce(const void *product, cprof_write_fn *write, void *user,
                   struct cprof_error *err)
{
    const struct buf *out = product;

    if (out->failed)
        return error_memory(err, (struct place){0}, "writing");
    return write(user, out->ptr ? out->ptr : "", out->len) < 0 ? CPROF_EIO : 0;
}

int rules_view_write(struct rules_view *view, struct cprof_error *err)
{
    return output_write(view->arguments, produce, &view->out, err);
}

int rules_view_end(struct rules_view *view, int status,
                   const struct cprof_error *err)
{
    if (err->code != CPROF_OK) {
        error_print(err);
        status = EXIT_TROUBLE;
    }
    rules_view_done(view);
    return status;
}

struct hint hint_near(struct str near)
{
    struct hint hint = {""};

    if (near.len)
        snprintf(hint.text, sizeof(hint.text), " (did you mean '%.*s'?)",
                 (int)(near.len > 64 ? 64 : near.len), near.ptr);
    return hint;
}

int option_word(const char *option, const char *value, const char *const *words,
                size_t n, struct cprof_error *err)
{
    struct buf known = {0};
    size_t found = find_word(words, n, value);
    size_t near = nearest_of(str_from(value), words, n);

    if (found < n)
        return (int)found;
    add_words(&known, words, n);
    error_set(err, CPROF_EUSAGE, (struct place){0},
              "option --%s takes %s, not '%.100s'%s", option,
              known.ptr ? known.ptr : "", value,
              hint_near(str_from(near < n ? words[near] : NULL)).text);
    buf_done(&known);
    return -1;
}

int rules_run(const struct arguments *arguments)
{
    static const char *const words[] = {"list", "explain", "check", "test"};

    return family_run(arguments, "rules", words,
                      sizeof(words) / sizeof(words[0]));
}
