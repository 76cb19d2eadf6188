#include <signal.h>
#include <stdio.h>

#include "cli/cli.h"

const struct command *command_find(const char *name)
{
    for (size_t i = 0; i < n_commands; i++) {
        if (str_equal(str_from(commands[i].name), str_from(name)))
            return &commands[i];
    }
    return NULL;
}

void error_print(const struct cprof_error *err)
{
    fputs("cprof-leaks: ", stderr);
    if (err->source[0])
        fprintf(stderr, "%s:", err->source);
    if (err->line)
        fprintf(stderr, "%llu:", (unsigned long long)err->line);
    if (err->column)
        fprintf(stderr, "%llu:", (unsigned long long)err->column);
    if (err->source[0])
        fputc(' ', stderr);
    fprintf(stderr, "%s\n", err->message);
    if (err->detail[0])
        fprintf(stderr, "%s\n", err->detail);
}

/* help [COMMAND] */
static int run_help(int argc, char **argv)
{
    const struct command *command = NULL;

    if (argc > 1) {
        command = command_find(argv[1]);
        if (!command) {
            fprintf(stderr, "cprof-leaks: there is no command '%.100s'\n",
                    argv[1]);
            return EXIT_TROUBLE;
        }
    }
    help_print(command);
    return EXIT_OK;
}

/* Where to read what would have been right. */
static void say_try(const struct command *command)
{
    if (command == &commands[0])
        fputs("Try 'cprof-leaks --help'.\n", stderr);
    else
        fprintf(stderr, "Try 'cprof-leaks %s --help'.\n", command->name);
}

static int run_command(const struct command *command, bool is_named, int argc,
                       char **argv)
{
    struct arguments arguments;
    struct cprof_error err = {0};
    int status = EXIT_TROUBLE;
    int rc = arguments_parse(&arguments, command, argc, argv, &err);

    if (rc < 0) {
        error_print(&err);
        if (rc == CPROF_EUSAGE)
            say_try(command);
    } else if (arguments.wants_help) {
        help_print(is_named ? command : NULL);
        status = EXIT_OK;
    } else if (arguments.wants_version) {
        printf("cprof-leaks %s\n", cprof_version());
        status = EXIT_OK;
    } else {
        status = command->run(&arguments);
    }
    arguments_done(&arguments);
    return status;
}

int main(int argc, char **argv)
{
    const struct command *command = argc > 1 ? command_find(argv[1]) : NULL;
    int status;

    signal(SIGPIPE, SIG_IGN);
    if (argc > 1 && str_equal(str_from(argv[1]), STR("help")))
        status = run_help(argc - 1, argv + 1);
    else if (command)
        status = run_command(command, true, argc - 1, argv + 1);
    else
        status = run_command(&commands[0], false, argc, argv);
    if (fflush(stdout) != 0 && status == EXIT_OK)
        return EXIT_TROUBLE;
    return status;
}
