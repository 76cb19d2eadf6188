/* The commands, and what help says of them. */
#include <stdio.h>

#include "cli/cli.h"

const struct command commands[] = {
    {
        .name = "analyze",
        .bit = FOR_ANALYZE,
        .usage = "[analyze] [OPTION]... [INPUT]...",
        .about = "cprof-leaks reads goroutine dumps and says what leaks or "
                 "contends, how\n"
                 "sure it is, and what to do.\n",
        .inputs =
            "INPUT is a file, or - for standard input, which is also read "
            "when there\n"
            "is none: /debug/pprof/goroutine with debug=0, 1 or 2, or a stack "
            "dump of\n"
            "Go 1.15 to 1.27. Several are instances of one service.\n",
        .examples =
            "  curl -fsS localhost:6060/debug/pprof/goroutine?debug=1 | "
            "cprof-leaks\n"
            "  cprof-leaks --top 20 dump.txt\n"
            "  cprof-leaks --leak-profile leak.txt dump.txt\n"
            "  cprof-leaks -o json dump.txt | jq .verdict\n",
        .exits = "  0  nothing at or above --fail-on\n"
                 "  1  a finding at or above --fail-on (default: high)\n"
                 "  2  no answer: wrong usage, unreadable or unknown input\n",
        .run = analyze_run,
    },
    {
        .name = "export",
        .bit = FOR_EXPORT,
        .usage = "export --to FORMAT [OPTION]... [INPUT]...",
        .about =
            "Writes dumps in the form of another tool:\n"
            "  pprof       gzip'd protobuf for go tool pprof, with names also "
            "from debug=1\n"
            "              and debug=2; labels (-tags): state, state_source, "
            "age_min, age_max,\n"
            "              created_by, leaked, and those of the program\n"
            "  folded      a stack a line, root first, for flame graphs; the "
            "state is on top\n"
            "  speedscope  JSON for www.speedscope.app\n"
            "  jsonl       a group of a dump a line, for DuckDB, ClickHouse "
            "or jq\n",
        .inputs =
            "INPUT is what analyze takes. Several inputs are instances of one "
            "service:\n"
            "pprof, folded and speedscope add them up. Of several dumps in "
            "one input they\n"
            "hold the last complete one, and of two dumps of one process the "
            "later; jsonl\n"
            "has all dumps and adds up none. What was left out is said on "
            "standard error.\n",
        .examples = "  cprof-leaks export --to pprof -O dump.pb.gz dump.txt\n"
                    "  go tool pprof -tags dump.pb.gz\n"
                    "  cprof-leaks export --to folded dump.txt | flamegraph.pl "
                    ">dump.svg\n",
        .exits = "  0  done\n"
                 "  2  could not: wrong usage, unreadable or unknown input\n",
        .run = export_run,
    },
};

const size_t n_commands = sizeof(commands) / sizeof(commands[0]);

void help_print(const struct command *command)
{
    const struct command *shown = command ? command : &commands[0];

    printf("%s\nUsage:\n", shown->about);
    for (size_t i = 0; i < n_commands; i++) {
        if (!command || command == &commands[i])
            printf("  cprof-leaks %s\n", commands[i].usage);
    }
    if (!command)
        puts("  cprof-leaks help [COMMAND]");
    printf("\n%s\nExamples:\n%s\nOptions:\n", shown->inputs, shown->examples);
    options_print(shown);
    printf("\nExit status:\n%s", shown->exits);
}
