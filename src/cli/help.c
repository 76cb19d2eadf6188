#include <stdio.h>

#include "cli/cli.h"

static const char about[] =
    "cprof-leaks reads goroutine dumps and says what leaks or contends, how\n"
    "sure it is, and what to do.\n";

static const char examples[] =
    "  curl -fsS localhost:6060/debug/pprof/goroutine?debug=1 | cprof-leaks\n"
    "  cprof-leaks --top 20 dump.txt\n"
    "  cprof-leaks -o json dump.txt | jq .verdict\n";

static const char inputs[] =
    "INPUT is a file, or - for standard input, which is also read when there\n"
    "is none: /debug/pprof/goroutine with debug=1 or debug=2, or a stack dump\n"
    "of Go 1.15 to 1.27. Several are instances of one service.\n";

static const char exits[] =
    "  0  nothing at or above --fail-on\n"
    "  1  a finding at or above --fail-on (default: high)\n"
    "  2  no answer: wrong usage, unreadable or unknown input\n";

void help_print(const struct command *command)
{
    printf("%s\nUsage:\n", about);
    for (size_t i = 0; i < n_commands; i++) {
        if (!command || command == &commands[i])
            printf("  cprof-leaks %s\n", commands[i].usage);
    }
    if (!command)
        puts("  cprof-leaks help [COMMAND]");
    printf("\n%s\nExamples:\n%s\nOptions:\n", inputs, examples);
    options_print();
    printf("\nExit status:\n%s", exits);
}
