/* completion.h - what a shell can complete, for the scripts that tell it. */
#ifndef CLI_COMPLETION_H
#define CLI_COMPLETION_H

#include "cli/cli.h"

/* What the value of an option is, or an input of a command. */
enum completed {
    COMPLETED_NOTHING, /* a number, an expression, a name */
    COMPLETED_FILE,
    COMPLETED_WORDS, /* some of words */
    COMPLETED_RULE,  /* the id of a rule */
};

struct completed_value {
    enum completed kind;
    const char *words; /* with blanks between them; NULL = none. Beside files,
                          too */
};

/* What the value of an option of a command is. */
struct completed_value completion_of_option(const struct command *command,
                                            const struct option_view *option);

/* What its inputs are. */
struct completed_value completion_of_input(const struct command *command);

/* Prints the script for bash, zsh or fish to standard output. */
void completion_print_bash(void);
void completion_print_zsh(void);
void completion_print_fish(void);

#endif
