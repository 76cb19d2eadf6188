#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef __GLIBC__
# include <malloc.h>
# include <sys/mman.h>
#endif

#include "base/error.h"
#include "base/fd.h"
#include "cli/cli.h"
#include "cli/confine.h"

/* How many words the name of a command has, if the words begin with it. */
static int match_name(const char *name, int n_words, char **words)
{
    struct str rest = str_from(name);
    int taken = 0;

    while (rest.len && taken < n_words) {
        struct str word = str_head(rest, str_find(rest, ' '));

        if (!str_equal(word, str_from(words[taken])))
            return 0;
        rest = str_skip(rest, word.len + 1);
        taken++;
    }
    return rest.len ? 0 : taken;
}

const struct command *command_find(int n_words, char **words, int *ret_taken)
{
    const struct command *found = NULL;

    *ret_taken = 0;
    for (size_t i = 0; i < n_commands; i++) {
        int taken = match_name(commands[i].name, n_words, words);

        if (taken > *ret_taken) {
            found = &commands[i];
            *ret_taken = taken;
        }
    }
    return found;
}

bool command_is_of(const struct command *command, const struct command *family)
{
    struct str name = str_from(command->name);

    return str_cut_prefix(&name, str_from(family->name)) &&
           str_starts(name, STR(" "));
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

/* "help --help" and "help help" ask for no more than "help" does. */
static bool asks_for_help(const char *word)
{
    return str_equal(str_from(word), STR("--help")) ||
           str_equal(str_from(word), STR("-h")) ||
           str_equal(str_from(word), STR("help"));
}

/* help [COMMAND], help --man */
static int run_help(int argc, char **argv)
{
    const struct command *command = NULL;
    struct cprof_error err = {0};
    int taken = 0;

    if (argc == 2 && str_equal(str_from(argv[1]), STR("--man"))) {
        manual_print();
        return EXIT_OK;
    }
    if (argc > 1 && !asks_for_help(argv[1])) {
        command = command_find(argc - 1, argv + 1, &taken);
        if (taken < argc - 1) {
            error_set(&err, CPROF_EUSAGE, (struct place){0},
                      "there is no command '%s%s%.100s'",
                      command ? command->name : "", command ? " " : "",
                      argv[taken + 1]);
            error_print(&err);
            return EXIT_TROUBLE;
        }
    }
    if (command)
        help_print(command);
    else
        help_print_short(NULL);
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

/* The status of help: a monitoring system that asks for it by mistake must not
 * take it for OK. */
static int told(const struct command *command)
{
    return command->bit == FOR_CHECK ? (int)CHECK_UNKNOWN : EXIT_OK;
}

static int run_command(const struct command *command, bool is_named, int argc,
                       char **argv)
{
    struct arguments arguments;
    struct cprof_error err = {0};
    int status = EXIT_TROUBLE;
    int rc = arguments_parse(&arguments, command, argc, argv, &err);

    if (rc < 0 && command->bit == FOR_CHECK) {
        status = check_refuse(&err);
    } else if (rc < 0) {
        error_print(&err);
        if (rc == CPROF_EUSAGE)
            say_try(command);
    } else if (arguments.wants_help) {
        help_print_short(is_named ? command : NULL);
        status = told(command);
    } else if (arguments.wants_version) {
        printf("cprof-leaks %s\n", cprof_version());
        status = told(command);
    } else {
        confine(command, &arguments);
        status = command->run(&arguments);
    }
    arguments_done(&arguments);
    return status;
}

/* The command that is asked for, NULL when none is named; *ret_taken words are
 * its name, which comes to stand at argv[1] when options stand before it. */
static const struct command *choose_command(int argc, char **argv,
                                            int *ret_taken)
{
    int before = options_length(argc - 1, argv + 1);
    char **words = argv + 1 + before;
    const struct command *command =
        command_find(argc - 1 - before, words, ret_taken);

    for (int i = 0; i < *ret_taken && before; i++) {
        char *word = words[i];

        memmove(argv + 2 + i, argv + 1 + i, (size_t)before * sizeof(*argv));
        argv[1 + i] = word;
    }
    return command;
}

/* What is printed by stdio is no longer than this (help, completion), so that
 * it is written in one piece and the reason of a failure is known. */
enum { PRINTED_MOST = 128 * 1024 };

/* Writes what stdio holds of standard output. A reader that has seen enough and
 * closes the pipe is no trouble. */
static bool flush_output(void)
{
    struct cprof_error err = {0};

    if (fflush(stdout) == 0 || errno == EPIPE)
        return true;
    error_system(&err, (struct place){"<stdout>", 0, 0}, "cannot write");
    error_print(&err);
    return false;
}

#ifdef __GLIBC__

enum { HEAP_FIRST = 8 << 20 };

/* Takes the addresses of what most answers need, and asks for pages of 2 MiB
 * for them: the system clears such a page in the time that it takes to hand out
 * forty of 4 KiB. Nothing is taken yet but the addresses. */
static void take_heap(void)
{
    enum { LARGE_PAGE = 1 << 21, FIRST = 1 << 16 };
    uintptr_t begin;
    char *end;
    void *first;

    mallopt(M_TOP_PAD, HEAP_FIRST);
    first = malloc(FIRST);
    end = sbrk(0);
    begin = ((uintptr_t)first + LARGE_PAGE - 1) / LARGE_PAGE * LARGE_PAGE;
    if (first && (uintptr_t)first < begin && begin < (uintptr_t)end)
        madvise((void *)begin, (uintptr_t)end - begin, MADV_HUGEPAGE);
    free(first);
}

#endif

/* What reading took serves what comes after: a page that the system has to
 * clear costs more than all that a small dump has to say of it. Large blocks,
 * and what is free beyond a few MiB, are given back at once: the GNU C library
 * would keep more, and that of each thread apart. */
static void tune_memory(void)
{
#ifdef __GLIBC__
    enum {
        LARGE_LEAST = (1 << 18) + 4096, /* more than the buffer of a file */
        KEPT_MOST = 1 << 22,
        TAKEN_LEAST = 1 << 18,
    };

    mallopt(M_MMAP_THRESHOLD, LARGE_LEAST);
    mallopt(M_TRIM_THRESHOLD, HEAP_FIRST + KEPT_MOST);
    mallopt(M_ARENA_MAX, 1);
    take_heap();
    mallopt(M_TOP_PAD, TAKEN_LEAST);
#endif
}

int main(int argc, char **argv)
{
    static char printed[PRINTED_MOST];
    int taken = 0;
    const struct command *command = choose_command(argc, argv, &taken);
    int status;

    tune_memory();
    fd_hold_standard();
    /* A closed pipe and a full disk are errors of a write, and said as such. */
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    setvbuf(stdout, printed, _IOFBF, sizeof(printed));
    if (argc > 1 && str_equal(str_from(argv[1]), STR("help")))
        status = run_help(argc - 1, argv + 1);
    else if (command)
        status = run_command(command, true, argc - taken, argv + taken);
    else
        status = run_command(&commands[0], false, argc, argv);
    return flush_output() ? status : EXIT_TROUBLE;
}
