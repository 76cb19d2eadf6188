/* The manual page of the program, made from the tables of commands and options
 * (man(7)). `make install` keeps what `cprof-leaks help --man` prints. */
#include <stdio.h>

#include "cli/cli.h"

/* Prints text for roff: hyphens that are typed stay such, and no line begins
 * with a control character. */
static void put(const char *text)
{
    bool is_first = true;

    for (; *text; text++) {
        if (is_first && (*text == '.' || *text == '\''))
            fputs("\\&", stdout);
        if (*text == '\\')
            fputs("\\e", stdout);
        else if (*text == '-')
            fputs("\\-", stdout);
        else
            putchar(*text);
        is_first = *text == '\n';
    }
}

/* Lines that stay as they are. */
static void put_example(const char *lines)
{
    fputs(".RS 4\n.nf\n", stdout);
    put(lines);
    fputs(".fi\n.RE\n", stdout);
}

static void put_option(const struct option_view *option)
{
    fputs(".TP\n\\fB", stdout);
    if (option->letter)
        printf("\\-%c\\fR, \\fB", option->letter);
    fputs("\\-\\-", stdout);
    put(option->name);
    fputs("\\fR", stdout);
    if (option->argument) {
        fputs("=\\fI", stdout);
        put(option->argument);
        fputs("\\fR", stdout);
    }
    putchar('\n');
    put(option->help);
    putchar('\n');
}

static void put_command(const struct command *command)
{
    struct option_view option;

    fputs(".SS cprof\\-leaks ", stdout);
    put(command->usage);
    putchar('\n');
    put(command->about);
    if (command->inputs) {
        fputs(".PP\n", stdout);
        put(command->inputs);
    }
    for (size_t at = 0; option_next(command, &at, &option);)
        put_option(&option);
    fputs(".PP\nExamples:\n", stdout);
    put_example(command->examples);
    fputs(".PP\nExit status:\n", stdout);
    put_example(command->exits);
}

static const char environment[] =
    ".SH ENVIRONMENT\n"
    ".TP\n\\fBNO_COLOR\\fR, \\fBCLICOLOR\\fR, \\fBCLICOLOR_FORCE\\fR, "
    "\\fBFORCE_COLOR\\fR\n"
    "switch colour off or on, unless \\fB\\-\\-color\\fR does.\n"
    ".TP\n\\fBCOLUMNS\\fR\nwidth of the text, where there is no terminal.\n"
    ".TP\n\\fBCPROF_LEAKS_PAGER\\fR, \\fBPAGER\\fR\n"
    "shows long text on a terminal; without them \\fBless\\fR does, and none "
    "if it is empty or \\fBcat\\fR.\n"
    ".TP\n\\fBLESS\\fR\n"
    "options of \\fBless\\fR, to which \\fB\\-R\\fR is added for "
    "colours; without it \\fBFRX\\fR.\n"
    ".TP\n\\fBSOURCE_DATE_EPOCH\\fR\n"
    "the time that reports are dated with, in seconds since 1970.\n"
    ".TP\n\\fBXDG_CONFIG_HOME\\fR\nwhere the user's own rules are looked "
    "for.\n"
    ".TP\n\\fBCPROF_LEAKS_USER\\fR, \\fBCPROF_LEAKS_BEARER\\fR\n"
    "credentials for addresses.\n"
    ".TP\n\\fBCPROF_LEAKS_NOSYSTEM\\fR\nwhen set, rules in /etc are not "
    "read.\n"
    ".TP\n\\fBCPROF_LEAKS_NOCONFINE\\fR\nwhen set, the program does not "
    "confine itself (Landlock).\n"
    ".SH FILES\n"
    ".TP\n\\fI/etc/cprof\\-leaks/rules.d\\fR\nrules of the administrator.\n"
    ".TP\n\\fI~/.config/cprof\\-leaks/rules\\fR\nrules of the user.\n"
    ".SH \"SEE ALSO\"\n"
    ".BR cprof\\-leaks\\-rules (5),\n"
    ".BR cprof\\-leaks\\-report (5)\n";

void manual_print(void)
{
    printf(".TH CPROF\\-LEAKS 1 \"\" \"cprof\\-leaks %s\" \"User Commands\"\n"
           ".SH NAME\ncprof\\-leaks \\- reads goroutine dumps and says what "
           "leaks or contends\n.SH SYNOPSIS\n",
           cprof_version());
    for (size_t i = 0; i < n_commands; i++) {
        if (i)
            puts(".br");
        fputs(".B cprof\\-leaks\n", stdout);
        put(commands[i].usage);
        putchar('\n');
    }
    fputs(".SH DESCRIPTION\n", stdout);
    put(commands[0].about);
    fputs(".SH COMMANDS\n", stdout);
    for (size_t i = 0; i < n_commands; i++)
        put_command(&commands[i]);
    fputs(environment, stdout);
}
