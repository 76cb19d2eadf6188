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
            "Go 1.15 to 1.27. Or it is an address, which is asked for its "
            "profile:\n"
            "http://HOST:PORT, HOST:PORT, unix:SOCKET, or any path of them. "
            "Several\n"
            "are instances of one service.\n",
        .examples =
            "  curl -fsS localhost:6060/debug/pprof/goroutine?debug=1 | "
            "cprof-leaks\n"
            "  cprof-leaks localhost:6060\n"
            "  cprof-leaks --top 20 dump.txt\n"
            "  cprof-leaks --leak-profile leak.txt dump.txt\n"
            "  cprof-leaks -o json dump.txt | jq .verdict\n",
        .exits = "  0  nothing at or above --fail-on\n"
                 "  1  a finding at or above --fail-on (default: high)\n"
                 "  2  no answer: wrong usage, unreadable or unknown input\n",
        .run = analyze_run,
    },
    {
        .name = "diff",
        .bit = FOR_DIFF,
        .usage = "diff [OPTION]... OLD NEW...",
        .about = "Compares snapshots of one process in order of time: what "
                 "grew, what is new,\n"
                 "what went away, how sure that is, and where it ends.\n",
        .inputs =
            "OLD and NEW are what analyze takes, in any mix of formats. Five "
            "and more, some\n"
            "minutes apart, can show a leak; two only that something grew. A "
            "folder stands\n"
            "for its files by name; several folders are instances of one "
            "service. Of an\n"
            "input with several dumps each is a moment.\n",
        .examples = "  cprof-leaks diff monday.pb.gz tuesday.pb.gz\n"
                    "  cprof-leaks diff --interval 5m dump-*.txt\n"
                    "  cprof-leaks diff snapshots/\n",
        .exits = "  0  nothing at or above --fail-on\n"
                 "  1  a finding at or above --fail-on (default: medium)\n"
                 "  2  no answer: wrong usage, unreadable or unknown input\n",
        .run = diff_run,
    },
    {
        .name = "check",
        .bit = FOR_CHECK,
        .usage = "check [OPTION]... TARGET...",
        .about =
            "Watches services from cron or a monitoring system: reads each "
            "target, compares\n"
            "it with its history, and says on one line how it is. Growth "
            "becomes an alert\n"
            "when it holds over several runs; what one dump shows, at "
            "once.\n",
        .inputs =
            "TARGET is an address that is asked for its profile (http://HOST:"
            "PORT, HOST:PORT,\n"
            "unix:SOCKET), or a file, or - for standard input; see analyze. "
            "Each is a\n"
            "process of the service whose history is kept.\n",
        .examples =
            "  cprof-leaks check localhost:6060\n"
            "  cprof-leaks check --service api --quiet --save /var/tmp/api "
            "host:6060\n"
            "  cprof-leaks check -w 10000 -c 50000 -t 10 host:6060\n",
        .exits = "  0  OK\n"
                 "  1  WARNING: an alert of --warning-at (default: high), or a "
                 "range was left\n"
                 "  2  CRITICAL: the same of --critical-at (default: "
                 "critical)\n"
                 "  3  UNKNOWN: no answer, for whatever reason, and after "
                 "--help\n",
        .run = check_run,
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
            "age_min,\n"
            "              age_max, created_by, leaked, and those of the "
            "program\n"
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
    {
        .name = "history",
        .bit = FOR_HISTORY,
        .usage = "history list|show|add|prune|export",
        .about =
            "A history is a file that holds the snapshots of a service over "
            "time. check\n"
            "keeps it; here it is looked at, filled, and pruned. "
            "docs/history.md tells more.\n",
        .inputs =
            "HISTORY is the name of a service, whose file lies in the default "
            "folder, or a\n"
            "path (with a slash, or .db at its end). analyze, diff and export "
            "read\n"
            "history:HISTORY[@INSTANCE][#WHICH]; WHICH is last, first, all, "
            "run (since the\n"
            "last restart), a number, -12 (the newest 12), 7d, a time, or "
            "FROM..TO.\n",
        .examples = "  cprof-leaks history list\n"
                    "  cprof-leaks diff history:api\n"
                    "  cprof-leaks diff history:api@10.0.0.7:6060#24h\n"
                    "  cprof-leaks analyze history:api#2026-11-21T05:30Z\n",
        .exits = "  0  done\n"
                 "  1  --verify found damage\n"
                 "  2  could not: wrong usage, unreadable, locked\n",
        .run = history_run,
    },
    {
        .name = "history list",
        .bit = FOR_HISTORY_LIST,
        .usage = "history list [OPTION]... [HISTORY]...",
        .about = "Lists the instances of histories: how many snapshots, from "
                 "when to when,\n"
                 "restarts, and whether the last run of check failed.\n",
        .inputs = "Without a HISTORY those of the default folder are listed.\n",
        .examples = "  cprof-leaks history list\n"
                    "  cprof-leaks history list --verify api\n"
                    "  cprof-leaks history list -o json /srv/api.db\n",
        .exits = "  0  done\n"
                 "  1  --verify found damage\n"
                 "  2  could not: wrong usage, unreadable, locked\n",
        .run = history_list_run,
    },
    {
        .name = "history show",
        .bit = FOR_HISTORY_SHOW,
        .usage = "history show [OPTION]... HISTORY[@INSTANCE][#WHICH]",
        .about = "Lists the snapshots of a history: number, time, goroutines, "
                 "the segment (a new\n"
                 "one begins with each restart), and whether all is kept or "
                 "counts only.\n",
        .inputs = "HISTORY, INSTANCE and WHICH are what cprof-leaks history "
                  "--help says.\n",
        .examples = "  cprof-leaks history show api\n"
                    "  cprof-leaks history show api@10.0.0.7:6060#24h\n"
                    "  cprof-leaks history show -o json api#-12\n",
        .exits = "  0  done\n"
                 "  2  could not: wrong usage, unreadable, locked\n",
        .run = history_show_run,
    },
    {
        .name = "history add",
        .bit = FOR_HISTORY_ADD,
        .usage = "history add [OPTION]... HISTORY [INPUT]...",
        .about =
            "Stores dumps that were kept as files, all or, after an error, "
            "none. A snapshot\n"
            "has the time that it states, or its name, or else that of its "
            "file. The same\n"
            "dump is stored once, however often it is given.\n",
        .inputs = "INPUT is what analyze takes. --instance says which process "
                  "they are of.\n",
        .examples = "  cprof-leaks history add api dumps/*.pb.gz\n"
                    "  cprof-leaks history add --instance pod-7 ./api.db "
                    "dump-*.txt\n",
        .exits = "  0  done\n"
                 "  2  could not: wrong usage, an unreadable input, a full "
                 "disk\n",
        .run = history_add_run,
    },
    {
        .name = "history prune",
        .bit = FOR_HISTORY_PRUNE,
        .usage = "history prune [OPTION]... HISTORY[@INSTANCE]",
        .about = "Drops old snapshots; the newest of each instance stays.\n",
        .inputs = "HISTORY, INSTANCE and WHICH are what cprof-leaks history "
                  "--help says.\n",
        .examples = "  cprof-leaks history prune api\n"
                    "  cprof-leaks history prune --older-than 7d --compact "
                    "api\n"
                    "  cprof-leaks history prune --keep 1000 "
                    "api@10.0.0.7:6060\n",
        .exits = "  0  done\n"
                 "  2  could not: wrong usage, unreadable, locked\n",
        .run = history_prune_run,
    },
    {
        .name = "history export",
        .bit = FOR_HISTORY_EXPORT,
        .usage = "history export --to FORMAT [OPTION]... "
                 "HISTORY[@INSTANCE][#WHICH]",
        .about = "Writes stored snapshots in the form of another tool, as "
                 "export does with dumps:\n"
                 "pprof, folded, speedscope, jsonl.\n",
        .inputs = "HISTORY, INSTANCE and WHICH are what cprof-leaks history "
                  "--help says.\n",
        .examples = "  cprof-leaks history export --to pprof -O api.pb.gz "
                    "api\n"
                    "  cprof-leaks history export --to jsonl 'api#7d'\n",
        .exits = "  0  done\n"
                 "  2  could not: wrong usage, unreadable, locked\n",
        .run = history_export_run,
    },
    {
        .name = "rules",
        .bit = FOR_RULES,
        .usage = "rules list|explain|check|test",
        .about =
            "Rules say what goroutines mean. Here they are listed and "
            "explained, and\n"
            "those of a file checked and tested. docs/rules.md tells how to "
            "write one.\n",
        .examples = "  cprof-leaks rules list --class bad database\n"
                    "  cprof-leaks rules explain chan-send-blocked\n"
                    "  cprof-leaks rules check my-rules.yaml\n"
                    "  cprof-leaks rules test my-rules.yaml\n",
        .exits = "  0  done; nothing wrong\n"
                 "  1  a file has mistakes, or a test failed\n"
                 "  2  could not: wrong usage, unreadable\n",
        .run = rules_run,
    },
    {
        .name = "rules list",
        .bit = FOR_RULES_LIST,
        .usage = "rules list [OPTION]... [WORD]...",
        .about = "Lists rules: id, worst severity, class, title.\n",
        .inputs = "Each WORD has to stand in the id, the title or a pattern of "
                  "a rule, in upper\n"
                  "or lower case.\n",
        .examples = "  cprof-leaks rules list --severity critical\n"
                    "  cprof-leaks rules list --state 'chan send'\n"
                    "  cprof-leaks rules list -o json grpc | jq .rules[].id\n",
        .exits = "  0  done, also when no rule fits\n"
                 "  2  could not: wrong usage, unreadable rules\n",
        .run = rules_list_run,
    },
    {
        .name = "rules explain",
        .bit = FOR_RULES_EXPLAIN,
        .usage = "rules explain [OPTION]... ID...",
        .about =
            "Says all that is known of a rule: what it matches, from when on "
            "it is how\n"
            "severe, what that means, what to do, and what it says to an "
            "example.\n",
        .inputs = "ID is the id of a rule, as reports and rules list have "
                  "it.\n",
        .examples = "  cprof-leaks rules explain chan-send-blocked\n"
                    "  cprof-leaks rules explain --rules mine.yaml my-rule\n",
        .exits = "  0  done\n"
                 "  2  could not: no such rule, wrong usage, unreadable "
                 "rules\n",
        .run = rules_explain_run,
    },
    {
        .name = "rules check",
        .bit = FOR_RULES_CHECK,
        .usage = "rules check [OPTION]... [FILE|FOLDER]...",
        .about =
            "Says everything that is wrong with rule files, with its place and "
            "what to\n"
            "write instead. Warnings are about rules that load, but will "
            "hardly do what\n"
            "was meant.\n",
        .inputs = "Files are checked in their order, after the built-in "
                  "rules; of a folder, its\n"
                  "*.yaml and *.yml. Without any, the built-in rules are "
                  "checked.\n",
        .examples = "  cprof-leaks rules check my-rules.yaml\n"
                    "  cprof-leaks rules check --strict rules/\n",
        .exits = "  0  nothing is wrong; perhaps there are warnings\n"
                 "  1  a mistake; with --strict also a warning\n"
                 "  2  could not: wrong usage, unreadable file\n",
        .run = rules_check_run,
    },
    {
        .name = "rules test",
        .bit = FOR_RULES_TEST,
        .usage = "rules test [OPTION]... [FILE|FOLDER]...",
        .about =
            "Runs the tests that stand in rule files: reads each dump, lets "
            "all rules\n"
            "compete for it, and compares what its own rule found with what "
            "was expected.\n",
        .inputs = "The rules of the files stand beside the built-in ones; "
                  "those of /etc and of\n"
                  "~/.config are left out. Without any file, the tests of "
                  "the built-in rules are\n"
                  "run.\n",
        .examples = "  cprof-leaks rules test my-rules.yaml\n"
                    "  cprof-leaks rules test --run '^chan-' -v\n",
        .exits = "  0  all tests passed\n"
                 "  1  one failed\n"
                 "  2  could not: wrong usage, no test, wrong or unreadable "
                 "file\n",
        .run = rules_test_run,
    },
    {
        .name = "completion",
        .bit = FOR_COMPLETION,
        .usage = "completion bash|zsh|fish",
        .about = "Prints the script that completes commands, options and their "
                 "values in a\n"
                 "shell. `make install` puts them where shells look.\n",
        .examples = "  source <(cprof-leaks completion bash)\n"
                    "  cprof-leaks completion fish | source\n",
        .exits = "  0  done\n"
                 "  2  could not: no such shell\n",
        .run = completion_run,
    },
};

const size_t n_commands = sizeof(commands) / sizeof(commands[0]);

/* The overview names the first words of commands, the help of such a word the
 * commands that begin with it, and that of a command the command. */
static bool is_in_usage(const struct command *shown,
                        const struct command *command)
{
    if (!shown)
        return !strchr(command->name, ' ');
    if (shown->bit & FOR_FAMILIES)
        return command_is_of(command, shown);
    return command == shown;
}

static void print_usage(const struct command *command)
{
    const struct command *shown = command ? command : &commands[0];

    printf("%s\nUsage:\n", shown->about);
    for (size_t i = 0; i < n_commands; i++) {
        if (is_in_usage(command, &commands[i]))
            printf("  cprof-leaks %s\n", commands[i].usage);
    }
    if (!command)
        puts("  cprof-leaks help [COMMAND]");
}

void help_print(const struct command *command)
{
    print_usage(command);
    if (command->inputs)
        printf("\n%s", command->inputs);
    printf("\nExamples:\n%s", command->examples);
    options_print(command);
    printf("\nExit status:\n%s", command->exits);
}

void help_print_short(const struct command *command)
{
    const struct command *shown = command ? command : &commands[0];

    if (command && options_are_few(command)) {
        help_print(command);
        return;
    }
    print_usage(command);
    if (!command)
        puts("\nINPUT is a file, - or nothing for standard input, or an "
             "address: localhost:6060");
    else
        printf("\nExamples:\n%s", shown->examples);
    options_print_usual(shown);
    printf("\nExit status:\n%s", shown->exits);
    printf("\n'cprof-leaks help %s' tells all, with every option.\n",
           shown->name);
}
