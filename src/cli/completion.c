/* completion: prints the script that completes command lines in a shell. What
 * it knows of commands and options comes from their tables; this one adds what
 * the values of options are. */
#include "cli/completion.h"

#include <stdio.h>

#include "base/error.h"

#define SEVERITIES "info low medium high critical"
#define REPORTS    "text json html markdown junit sarif github"

/* What the value of an option is, by its name and what it is called; the first
 * that fits. */
static const struct value_row {
    const char *option;   /* NULL = any */
    const char *argument; /* the same */
    unsigned commands;    /* FOR_...; 0 = any */
    struct completed_value value;
} values[] = {
    {"output", NULL, FOR_REPORTS, {COMPLETED_WORDS, REPORTS}},
    {"output",
     NULL,
     FOR_RULES_EXPLAIN,
     {COMPLETED_WORDS, "text json markdown"}},
    {"output", NULL, 0, {COMPLETED_WORDS, "text json"}},
    {"to", NULL, 0, {COMPLETED_WORDS, "pprof folded speedscope jsonl"}},
    {"class", NULL, 0, {COMPLETED_WORDS, "normal neutral suspect bad"}},
    {"status", NULL, 0, {COMPLETED_WORDS, "stable experimental"}},
    {"severity", NULL, 0, {COMPLETED_WORDS, SEVERITIES}},
    {NULL, "LEVEL", 0, {COMPLETED_WORDS, SEVERITIES " none"}},
    {"color", NULL, 0, {COMPLETED_WORDS, "auto always never"}},
    {"debug", NULL, 0, {COMPLETED_WORDS, "0 1 2"}},
    {"sort", NULL, FOR_ANALYZE, {COMPLETED_WORDS, "flat cum"}},
    {"sort", NULL, FOR_DIFF, {COMPLETED_WORDS, "time flat cum"}},
    {"group-by",
     NULL,
     0,
     {COMPLETED_WORDS, "stack site function creator package state label:"}},
    {"leak-profile", NULL, 0, {COMPLETED_FILE, "auto"}},
    {"disable", NULL, 0, {COMPLETED_RULE, NULL}},
    {NULL, "FILE", 0, {COMPLETED_FILE, NULL}},
    {NULL, "PATH", 0, {COMPLETED_FILE, NULL}},
    {NULL, "INPUT", 0, {COMPLETED_FILE, NULL}},
    {NULL, "DIR", 0, {COMPLETED_FILE, NULL}},
    {NULL, NULL, 0, {COMPLETED_NOTHING, NULL}},
};

static bool is_or_any(const char *wanted, const char *text)
{
    return !wanted || str_equal(str_from(wanted), str_from(text));
}

struct completed_value completion_of_option(const struct command *command,
                                            const struct option_view *option)
{
    const struct value_row *row = values;

    while (!is_or_any(row->option, option->name) ||
           !is_or_any(row->argument, option->argument) ||
           (row->commands && !(row->commands & command->bit)))
        row++;
    return row->value;
}

struct completed_value completion_of_input(const struct command *command)
{
    static const char shells[] = "bash zsh fish";

    if (command->bit == FOR_COMPLETION)
        return (struct completed_value){COMPLETED_WORDS, shells};
    if (command->bit == FOR_RULES_EXPLAIN)
        return (struct completed_value){COMPLETED_RULE, NULL};
    if (command->bit == FOR_RULES_LIST || !command->inputs)
        return (struct completed_value){COMPLETED_NOTHING, NULL};
    return (struct completed_value){COMPLETED_FILE, NULL};
}

int completion_run(const struct arguments *arguments)
{
    static const struct shell {
        const char *name;
        void (*print)(void);
    } shells[] = {{"bash", completion_print_bash},
                  {"zsh", completion_print_zsh},
                  {"fish", completion_print_fish}};
    struct cprof_error err;
    const char *wanted = arguments->n_inputs ? arguments->inputs[0] : "";

    for (size_t i = 0; arguments->n_inputs == 1 && i < 3; i++) {
        if (str_equal(str_from(wanted), str_from(shells[i].name))) {
            shells[i].print();
            return EXIT_OK;
        }
    }
    error_set(&err, CPROF_EUSAGE, (struct place){0},
              "completion takes one shell: bash, zsh or fish");
    error_print(&err);
    return EXIT_TROUBLE;
}
