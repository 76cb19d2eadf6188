#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "cli/cli.h"

/* What an option does: most are the library's own, by name. */
enum action {
    ACTION_OPTION,
    ACTION_OUTPUT,
    ACTION_OUTPUT_FILE,
    ACTION_COLOR,
    ACTION_QUIET,
    ACTION_HELP,
    ACTION_VERSION,
};

/* One option; help text, completions and parsing come from here. */
struct option_spec {
    const char *name;
    char letter;          /* 0 = none */
    const char *argument; /* NULL = a flag */
    enum action action;
    const char *help; /* lower case, no full stop */
};

static const struct option_spec specs[] = {
    {"output", 'o', "FORMAT", ACTION_OUTPUT, "text (default) or json"},
    {"output-file", 'O', "FILE", ACTION_OUTPUT_FILE,
     "write to FILE, whole or not at all"},
    {"top", 0, "N", ACTION_OPTION, "show the N largest groups (10)"},
    {"all", 0, NULL, ACTION_OPTION, "show every group with its stack"},
    {"group-by", 0, "KEY", ACTION_OPTION,
     "stack, site, function, creator, package, state, label:KEY"},
    {"focus", 0, "REGEX", ACTION_OPTION, "only stacks with a matching frame"},
    {"ignore", 0, "REGEX", ACTION_OPTION, "no stacks with a matching frame"},
    {"hide", 0, "REGEX", ACTION_OPTION, "leave matching frames out of stacks"},
    {"state", 0, "STATE", ACTION_OPTION, "only this state, in Go's words"},
    {"label", 0, "KEY=REGEX", ACTION_OPTION, "only goroutines so labelled"},
    {"min-count", 0, "N", ACTION_OPTION, "only groups of N or more"},
    {"min-age", 0, "AGE", ACTION_OPTION, "only groups waiting 5m, 1h ..."},
    {"rules", 0, "PATH", ACTION_OPTION, "add rules of a file or directory"},
    {"no-builtin-rules", 0, NULL, ACTION_OPTION, "use only --rules"},
    {"disable", 0, "ID", ACTION_OPTION, "switch a rule off"},
    {"fail-on", 0, "LEVEL", ACTION_OPTION,
     "exit 1 from this severity on (high), or none"},
    {"strict", 0, NULL, ACTION_OPTION, "exit 2 when an input is incomplete"},
    {"instance", 0, "NAME", ACTION_OPTION, "name of the process dumped"},
    {"max-memory", 0, "SIZE", ACTION_OPTION, "limit of memory (1G)"},
    {"color", 0, "WHEN", ACTION_COLOR, "auto (default), always or never"},
    {"quiet", 'q', NULL, ACTION_QUIET, "print nothing, only exit"},
    {"verbose", 'v', NULL, ACTION_OPTION, "say more of everything"},
    {"help", 'h', NULL, ACTION_HELP, "print this help"},
    {"version", 'V', NULL, ACTION_VERSION, "print the version"},
};

enum { N_SPECS = sizeof(specs) / sizeof(specs[0]), LETTER_BASE = 256 };

void options_print(void)
{
    for (size_t i = 0; i < N_SPECS; i++) {
        char head[64];
        const char *argument = specs[i].argument ? specs[i].argument : "";

        if (specs[i].letter)
            snprintf(head, sizeof(head), "-%c, --%s %s", specs[i].letter,
                     specs[i].name, argument);
        else
            snprintf(head, sizeof(head), "    --%s %s", specs[i].name,
                     argument);
        printf("  %-26s %s\n", head, specs[i].help);
    }
}

/* Fills getopt's tables from ours. */
static void fill_tables(struct option *longs, char *letters)
{
    *letters++ = ':'; /* missing arguments are ours to report */
    for (size_t i = 0; i < N_SPECS; i++) {
        longs[i] = (struct option){
            specs[i].name, specs[i].argument ? required_argument : no_argument,
            NULL, LETTER_BASE + (int)i};
        if (!specs[i].letter)
            continue;
        *letters++ = specs[i].letter;
        if (specs[i].argument)
            *letters++ = ':';
    }
    *letters = '\0';
}

static const struct option_spec *spec_of(int found)
{
    if (found >= LETTER_BASE)
        return &specs[found - LETTER_BASE];
    for (size_t i = 0; i < N_SPECS; i++) {
        if (specs[i].letter == found)
            return &specs[i];
    }
    return NULL;
}

/* The name of the option that is nearest to a wrong one, or NULL. */
static const char *nearest_name(struct str wrong)
{
    const char *nearest = NULL;
    size_t best = 3;

    for (size_t i = 0; i < N_SPECS; i++) {
        size_t distance = str_distance(wrong, str_from(specs[i].name), best);

        if (distance < best) {
            best = distance;
            nearest = specs[i].name;
        }
    }
    return nearest;
}

static int unknown_option(const char *word, struct cprof_error *err)
{
    struct str name = str_from(word);
    const char *nearest;

    if (!str_cut_prefix(&name, STR("--")))
        return error_set(err, CPROF_EUSAGE, (struct place){0},
                         "there is no option -%c", optopt);
    name = str_head(name, str_find(name, '='));
    nearest = nearest_name(name);
    if (nearest)
        return error_set(err, CPROF_EUSAGE, (struct place){0},
                         "there is no option --" STR_FORMAT
                         " (did you mean --%s?)",
                         STR_ARG(name), nearest);
    return error_set(err, CPROF_EUSAGE, (struct place){0},
                     "there is no option --" STR_FORMAT, STR_ARG(name));
}

static int set_color(struct arguments *arguments, const char *value,
                     struct cprof_error *err)
{
    static const char *const words[] = {"auto", "always", "never"};

    for (int i = 0; i < 3; i++) {
        if (str_equal(str_from(value), str_from(words[i]))) {
            arguments->color = (enum color_mode)i;
            return 0;
        }
    }
    return error_set(err, CPROF_EUSAGE, (struct place){0},
                     "option --color takes auto, always or never, not "
                     "'%.100s'",
                     value);
}

static int apply(struct arguments *arguments, const struct option_spec *spec,
                 const char *value, struct cprof_error *err)
{
    switch (spec->action) {
    case ACTION_OPTION:
        return cprof_options_set(arguments->options, spec->name, value, err);
    case ACTION_OUTPUT:
        arguments->output = value;
        return 0;
    case ACTION_OUTPUT_FILE:
        arguments->output_file = value;
        return 0;
    case ACTION_COLOR:
        return set_color(arguments, value, err);
    case ACTION_QUIET:
        arguments->quiet = true;
        return 0;
    case ACTION_HELP:
        arguments->wants_help = true;
        return 0;
    case ACTION_VERSION:
        arguments->wants_version = true;
        return 0;
    }
    return 0;
}

/* What getopt_long says is wrong with the option it just looked at. */
static int usage_error(int found, char **argv, struct cprof_error *err)
{
    const struct option_spec *spec;

    if (found == ':') {
        spec = spec_of(optopt);
        return error_set(err, CPROF_EUSAGE, (struct place){0},
                         "option --%s needs a value: %s",
                         spec ? spec->name : "?", spec ? spec->argument : "");
    }
    spec = optopt >= LETTER_BASE ? spec_of(optopt) : NULL;
    if (spec)
        return error_set(err, CPROF_EUSAGE, (struct place){0},
                         "option --%s takes no value", spec->name);
    return unknown_option(argv[optind - 1], err);
}

int arguments_parse(struct arguments *ret, int argc, char **argv,
                    struct cprof_error *err)
{
    struct option longs[N_SPECS + 1] = {0};
    char letters[2 * N_SPECS + 2];
    int found;
    int rc;

    *ret = (struct arguments){.output = "text"};
    rc = cprof_options_new(&ret->options, err);
    fill_tables(longs, letters);
    opterr = 0;
    optind = 1;
    while (rc >= 0 &&
           (found = getopt_long(argc, argv, letters, longs, NULL)) != -1) {
        if (found == '?' || found == ':')
            return usage_error(found, argv, err);
        rc = apply(ret, spec_of(found), optarg, err);
    }
    ret->inputs = argv + optind;
    ret->n_inputs = (size_t)(argc - optind);
    return rc;
}

void arguments_done(struct arguments *arguments)
{
    cprof_options_free(arguments->options);
    arguments->options = NULL;
}
