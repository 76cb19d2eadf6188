/* cli.h - the command line: the only room that prints to stderr, exits, and
 * reads the environment. */
#ifndef CLI_CLI_H
#define CLI_CLI_H

#include "cprof/cprof.h"

#include "base/str.h"

/* Exit status of analyze, as grep and diff have it. */
enum {
    EXIT_OK = 0,      /* nothing at or above --fail-on */
    EXIT_FINDING = 1, /* something is */
    EXIT_TROUBLE = 2, /* no answer: usage, unreadable, not recognised */
};

enum color_mode { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };

/* What a command was called with. */
struct arguments {
    struct cprof_options *options;
    const char *output;      /* -o; the format's name */
    const char *output_file; /* -O; NULL = standard output */
    enum color_mode color;
    bool quiet;
    bool wants_help;
    bool wants_version;
    char **inputs; /* points into argv */
    size_t n_inputs;
};

struct command {
    const char *name;
    const char *usage;   /* what follows the program's name */
    const char *summary; /* one line, without a full stop */
    int (*run)(const struct arguments *arguments);
};

/* All commands; the first is what runs without a command's name. */
extern const struct command commands[];
extern const size_t n_commands;

/* The command with that name, or NULL. */
const struct command *command_find(const char *name);

/* Reads the options and inputs in argv[1] to argv[argc - 1] (argv[0] is the
 * command). CPROF_EUSAGE says what is wrong with which option. The result is
 * freed with arguments_done, on failure too. */
int arguments_parse(struct arguments *ret, int argc, char **argv,
                    struct cprof_error *err);
void arguments_done(struct arguments *arguments);

/* analyze: one answer for the given inputs. */
int analyze_run(const struct arguments *arguments);

/* Prints the overview, or the help of one command, to standard output. */
void help_print(const struct command *command);

/* Appends a line for each option to standard output, in help's layout. */
void options_print(void);

/* Prints "cprof-leaks: source:line:column: message" and its detail lines to
 * standard error, as far as the error has them. */
void error_print(const struct cprof_error *err);

/* Sets the options that depend on the terminal: colour and width. */
int terminal_settle(const struct arguments *arguments, struct cprof_error *err);

/* Writes a report where the arguments say: to standard output, or whole or not
 * at all to a file. A closed pipe is no failure. */
int output_write(const struct arguments *arguments,
                 const struct cprof_report *report, struct cprof_error *err);

#endif
