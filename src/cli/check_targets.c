/* Which targets a run has, and how they are called. */
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "cli/check.h"
#include "model/options.h"

/* As which instance files and standard input are kept. */
static const struct str default_instance = STR_INIT("default");

static int out_of_memory(struct cprof_error *err)
{
    return error_memory(err, (struct place){0}, "reading targets");
}

/* The labels of a target but those that are instructions ("__..."). */
static bool take_labels(struct check *check, struct check_target *target,
                        const struct target_group *group)
{
    struct outcome_label *labels = arena_take(
        &check->arena, (group ? group->n_labels : 0) * sizeof(*labels));
    size_t n = 0;

    if (!labels)
        return false;
    for (size_t i = 0; group && i < group->n_labels; i++) {
        const struct target_label *label = &group->labels[i];

        if (!str_starts(str_from(label->key), STR("__")))
            labels[n++] = (struct outcome_label){str_from(label->key),
                                                 str_from(label->value)};
    }
    target->outcome.labels = labels;
    target->outcome.n_labels = n;
    return true;
}

static struct check_target *next_target(struct check *check)
{
    struct check_target *target = &check->targets[check->n_targets++];

    *target = (struct check_target){0};
    return target;
}

static bool add_address(struct check *check, size_t index)
{
    const struct address *address = addresses_get(check->addresses, index);
    const struct target_group *group = addresses_group(check->addresses, index);
    const char *label = group ? target_label(group, "instance") : NULL;
    const char *given = check->arguments.options->instance;
    struct check_target *target = next_target(check);

    target->address = index;
    target->outcome.address = str_from(address->name);
    target->outcome.instance = str_from(label   ? label
                                        : given ? given
                                                : address->instance);
    return take_labels(check, target, group);
}

static bool add_file(struct check *check, const char *input)
{
    const char *given = check->arguments.options->instance;
    struct check_target *target = next_target(check);

    target->input = input;
    target->outcome.address =
        str_equal(str_from(input), STR("-")) ? STR("<stdin>") : str_from(input);
    target->outcome.instance = given ? str_from(given) : default_instance;
    return true;
}

/* Two targets of one name would be one series. */
static int refuse_equal(const struct check *check, struct cprof_error *err)
{
    for (size_t i = 0; i < check->n_targets; i++) {
        struct str name = check->targets[i].outcome.instance;

        for (size_t k = 0; k < i; k++) {
            if (str_equal(name, check->targets[k].outcome.instance))
                return error_set(
                    err, CPROF_EUSAGE, (struct place){0},
                    "two targets are the instance '" STR_FORMAT
                    "': check them one after the other, each with an "
                    "--instance of its own, or give each the label instance "
                    "in a file of targets",
                    STR_ARG(name));
        }
    }
    return 0;
}

/* Standard input that nobody has meant: a terminal, /dev/null, or an empty
 * file. */
static bool is_nothing(int fd)
{
    struct stat about;

    return fstat(fd, &about) < 0 || S_ISCHR(about.st_mode) ||
           (S_ISREG(about.st_mode) && about.st_size == 0);
}

int check_targets_list(struct check *check, struct cprof_error *err)
{
    const struct arguments *arguments = &check->arguments;
    size_t n_addresses = addresses_count(check->addresses);
    size_t next = 0;
    bool ok = true;

    check->targets =
        calloc(arguments->n_inputs + n_addresses + 1, sizeof(*check->targets));
    if (!check->targets)
        return out_of_memory(err);
    for (size_t i = 0; i < arguments->n_inputs && ok; i++)
        ok = address_is(arguments->inputs[i])
                 ? add_address(check, next++)
                 : add_file(check, arguments->inputs[i]);
    while (ok && next < n_addresses)
        ok = add_address(check, next++);
    if (ok && !check->n_targets) {
        if (is_nothing(STDIN_FILENO))
            return error_set(err, CPROF_EUSAGE, (struct place){0},
                             "no target was given: name an address or a file, "
                             "or write a dump to standard input");
        add_file(check, "-");
    }
    return ok ? refuse_equal(check, err) : out_of_memory(err);
}
