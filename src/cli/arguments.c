#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "cli/addresses.h"
#include "cli/cli.h"
#include "cli/notifications.h"
#include "model/options.h"

/* What an option does: most are the library's own, by name. */
enum action {
    ACTION_OPTION,
    ACTION_TEXT, /* keeps its value in a field of the arguments */
    ACTION_FLAG, /* sets one */
    ACTION_COLOR,
    ACTION_ADDRESS, /* is one of those in address_options.c */
    ACTION_CHECK,   /* the same in check_options.c */
    ACTION_NOTIFY,  /* and in notifications.c */
};

/* One option; help text, completions and parsing come from here. */
struct option_spec {
    const char *name;
    char letter;          /* 0 = none */
    const char *argument; /* NULL = a flag */
    enum action action;
    unsigned commands; /* FOR_... of those that take it */
    const char *help;  /* lower case, no full stop */
    size_t field;      /* of ACTION_TEXT and ACTION_FLAG */
};

#define FIELD(name) offsetof(struct arguments, name)

static const struct option_spec specs[] = {
    {"to", 't', "FORMAT", ACTION_TEXT, FOR_EXPORTS,
     "pprof, folded, speedscope or jsonl", FIELD(to)},
    {"output", 'o', "FORMAT", ACTION_TEXT, FOR_REPORTS,
     "text, json, html, markdown, junit, sarif, github", FIELD(output)},
    {"output", 'o', "FORMAT", ACTION_TEXT, FOR_RULES_LIST,
     "text (default) or json", FIELD(output)},
    {"output", 'o', "FORMAT", ACTION_TEXT, FOR_RULES_EXPLAIN,
     "text (default), json or markdown", FIELD(output)},
    {"output", 'o', "FORMAT", ACTION_TEXT, FOR_HISTORY_SHOWN,
     "text (default) or json", FIELD(output)},
    {"output-file", 'O', "FILE", ACTION_TEXT,
     FOR_DUMPS | FOR_RULES_SHOWN | FOR_HISTORY_SHOWN | FOR_HISTORY_EXPORT,
     "write to FILE, whole or not at all", FIELD(output_file)},
    {"class", 0, "CLASS", ACTION_TEXT, FOR_RULES_LIST,
     "only normal, neutral, suspect or bad", FIELD(rule_class)},
    {"severity", 0, "LEVEL", ACTION_TEXT, FOR_RULES_LIST,
     "only rules that can reach this severity", FIELD(rule_severity)},
    {"status", 0, "STATUS", ACTION_TEXT, FOR_RULES_LIST,
     "only stable or experimental", FIELD(rule_status)},
    {"state", 0, "STATE", ACTION_OPTION, FOR_RULES_LIST,
     "only rules that ask for this state, in Go's words", 0},
    {"file", 0, "PATTERN", ACTION_TEXT, FOR_RULES_LIST,
     "only rules of files whose path matches", FIELD(rule_file)},
    {"leak-profile", 0, "INPUT", ACTION_OPTION, FOR_DUMPS | FOR_CHECK,
     "goroutineleak profile of the same process, or auto", 0},
    {"history", 0, "FILE", ACTION_TEXT, FOR_CHECK,
     "history; default: /var/lib/cprof-leaks/SERVICE.db", FIELD(history)},
    {"service", 0, "NAME", ACTION_TEXT, FOR_CHECK,
     "name of the service (that of the history's file)", FIELD(service)},
    {"warning", 'w', "RANGE", ACTION_CHECK, FOR_CHECK,
     "WARNING outside of it: 10000, findings=0, ~:5 ...", 0},
    {"critical", 'c', "RANGE", ACTION_CHECK, FOR_CHECK,
     "CRITICAL outside of it", 0},
    {"warning-at", 0, "LEVEL", ACTION_CHECK, FOR_CHECK,
     "severity that is WARNING (high), or none", 0},
    {"critical-at", 0, "LEVEL", ACTION_CHECK, FOR_CHECK,
     "the same of CRITICAL (critical)", 0},
    {"for", 0, "N", ACTION_CHECK, FOR_CHECK,
     "runs in which growth has to hold, or be gone (3)", 0},
    {"timeout", 't', "TIME", ACTION_CHECK, FOR_CHECK,
     "limit of the whole run, then UNKNOWN (60s)", 0},
    {"save", 0, "FOLDER", ACTION_CHECK, FOR_CHECK,
     "keep the dumps of new alerts there", 0},
    {"save-most", 0, "N", ACTION_CHECK, FOR_CHECK,
     "files that are kept there (20)", 0},
    {"older-than", 0, "AGE", ACTION_CHECK, FOR_CHECK,
     "drop what was taken so long ago (35d)", 0},
    {"interval", 0, "TIME", ACTION_CHECK, FOR_CHECK,
     "how far runs lie apart, for Alertmanager", 0},
    {"top", 0, "N", ACTION_OPTION, FOR_REPORTS,
     "show the N largest groups (10)", 0},
    {"all", 0, NULL, ACTION_OPTION, FOR_REPORTS,
     "show every group with its stack", 0},
    {"all", 0, NULL, ACTION_OPTION, FOR_RULES_EXPLAIN, "explain every rule", 0},
    {"group-by", 0, "KEY", ACTION_OPTION, FOR_REPORTS,
     "site, function, creator, package, state, label:KEY", 0},
    {"tree", 0, NULL, ACTION_OPTION, FOR_REPORTS,
     "show who started whom (needs debug=2)", 0},
    {"focus", 0, "REGEX", ACTION_OPTION, FOR_REPORTS | FOR_CHECK,
     "only stacks with a matching frame", 0},
    {"ignore", 0, "REGEX", ACTION_OPTION, FOR_REPORTS | FOR_CHECK,
     "no stacks with a matching frame", 0},
    {"hide", 0, "REGEX", ACTION_OPTION, FOR_REPORTS,
     "leave matching frames out of stacks", 0},
    {"state", 0, "STATE", ACTION_OPTION, FOR_REPORTS | FOR_CHECK,
     "only this state, in Go's words", 0},
    {"label", 0, "KEY=REGEX", ACTION_OPTION, FOR_REPORTS | FOR_CHECK,
     "only stacks with goroutines so labelled", 0},
    {"min-count", 0, "N", ACTION_OPTION, FOR_REPORTS | FOR_CHECK,
     "only groups of N or more", 0},
    {"min-age", 0, "AGE", ACTION_OPTION, FOR_REPORTS,
     "only groups waiting 5m, 1h ...", 0},
    {"source-root", 0, "DIR", ACTION_OPTION, FOR_REPORTS,
     "paths of own code begin with DIR; DIR=PATH maps it", 0},
    {"sort", 0, "flat|cum", ACTION_OPTION, FOR_ANALYZE,
     "order of functions in a heap, block ... profile", 0},
    {"sort", 0, "time|flat|cum", ACTION_OPTION, FOR_DIFF,
     "compare in order of time; functions by flat, cum", 0},
    {"times", 0, "T1,T2,...", ACTION_OPTION, FOR_DIFF,
     "when they were taken: 2026-11-21T05:30:00Z ...", 0},
    {"interval", 0, "TIME", ACTION_OPTION, FOR_DIFF,
     "how far they lie apart: 30s, 5m ...", 0},
    {"skip", 0, "TIME", ACTION_OPTION, FOR_DIFF,
     "leave out the first minutes of a process: 10m", 0},
    {"limit", 0, "N|SIZE", ACTION_OPTION, FOR_DIFF | FOR_CHECK,
     "critical at one place: goroutines (10000), or 2GiB", 0},
    {"source-link", 0, "TEMPLATE", ACTION_OPTION, FOR_REPORTS,
     "in html: github:ORG/REPO@REF, vscode, https://...", 0},
    {"sample-type", 0, "NAME", ACTION_OPTION, FOR_REPORTS,
     "what to show of heap, allocs, ...: alloc_space, ...", 0},
    {"rules", 0, "PATH", ACTION_OPTION,
     FOR_REPORTS | FOR_CHECK | FOR_RULES_SHOWN | FOR_RULES_TEST,
     "add rules of a file or directory", 0},
    {"no-builtin-rules", 0, NULL, ACTION_OPTION,
     FOR_REPORTS | FOR_CHECK | FOR_RULES_ALL,
     "use only the rules that are named", 0},
    {"no-user-rules", 0, NULL, ACTION_FLAG,
     FOR_REPORTS | FOR_CHECK | FOR_RULES_SHOWN,
     "leave out rules of /etc and ~/.config", FIELD(no_user_rules)},
    {"disable", 0, "ID", ACTION_OPTION, FOR_REPORTS | FOR_CHECK,
     "switch a rule off", 0},
    {"baseline", 0, "FILE", ACTION_OPTION, FOR_REPORTS | FOR_CHECK,
     "findings that are accepted, each up to a ceiling", 0},
    {"write-baseline", 0, "FILE", ACTION_OPTION, FOR_REPORTS | FOR_CHECK,
     "accept what is found now: write or renew FILE", 0},
    {"fail-on", 0, "LEVEL", ACTION_OPTION, FOR_ANALYZE,
     "exit 1 from this severity on (high), or none", 0},
    {"fail-on", 0, "LEVEL", ACTION_OPTION, FOR_DIFF,
     "exit 1 from this severity on (medium), or none", 0},
    {"strict", 0, NULL, ACTION_OPTION, FOR_DUMPS | FOR_HISTORY_EXPORT,
     "exit 2 when an input is incomplete", 0},
    {"strict", 0, NULL, ACTION_OPTION, FOR_RULES_CHECK,
     "exit 1 for a warning, too", 0},
    {"run", 0, "REGEX", ACTION_TEXT, FOR_RULES_TEST,
     "only tests whose \"RULE/NAME\" matches", FIELD(rule_tests)},
    {"coverage", 0, NULL, ACTION_FLAG, FOR_RULES_TEST,
     "list the rules and tiers that no test reached", FIELD(coverage)},
    {"instance", 0, "NAME", ACTION_OPTION,
     (FOR_DUMPS & ~FOR_DIFF) | FOR_HISTORY_ADD | FOR_CHECK,
     "name of the process dumped", 0},
    {"instance", 0, "REGEX", ACTION_OPTION, FOR_DIFF,
     "the instance in the names of inputs: '(api-\\d+)'", 0},
    {"older-than", 0, "AGE", ACTION_TEXT, FOR_HISTORY_PRUNE,
     "drop what was taken so long ago (35d)", FIELD(older_than)},
    {"keep", 0, "N", ACTION_TEXT, FOR_HISTORY_PRUNE,
     "drop all but the newest N of each instance", FIELD(keep)},
    {"compact", 0, NULL, ACTION_FLAG, FOR_HISTORY_PRUNE,
     "give the room back: writes the file anew", FIELD(compact)},
    {"verify", 0, NULL, ACTION_FLAG, FOR_HISTORY_LIST,
     "read all of the file, and say what is damaged", FIELD(verify)},
    {"max-memory", 0, "SIZE", ACTION_OPTION,
     FOR_DUMPS | FOR_HISTORY_ADD | FOR_HISTORY_EXPORT | FOR_CHECK,
     "limit of memory (1G)", 0},
    {"threads", 0, "N", ACTION_OPTION, FOR_DUMPS,
     "threads that read one large file (2)", 0},
    {"targets", 0, "FILE", ACTION_ADDRESS, FOR_DUMPS | FOR_CHECK,
     "ask all of a list as Prometheus' file_sd has it", 0},
    {"debug", 0, "0|1|2", ACTION_ADDRESS, FOR_DUMPS | FOR_CHECK,
     "form to ask for (0); 2 has ages and locks", 0},
    {"timeout", 0, "TIME", ACTION_ADDRESS, FOR_DUMPS,
     "limit of a request with its retries (30s)", 0},
    {"connect-timeout", 0, "TIME", ACTION_ADDRESS, FOR_DUMPS | FOR_CHECK,
     "limit of its connecting (5s)", 0},
    {"retries", 0, "N", ACTION_ADDRESS, FOR_DUMPS | FOR_CHECK,
     "ask again after a passing failure (1)", 0},
    {"max-download", 0, "SIZE", ACTION_ADDRESS, FOR_DUMPS | FOR_CHECK,
     "limit of an answer (256M)", 0},
    {"user-file", 0, "FILE", ACTION_ADDRESS, FOR_DUMPS | FOR_CHECK,
     "NAME:PASSWORD, also in CPROF_LEAKS_USER", 0},
    {"bearer-file", 0, "FILE", ACTION_ADDRESS, FOR_DUMPS | FOR_CHECK,
     "token, also in CPROF_LEAKS_BEARER", 0},
    {"cacert", 0, "FILE", ACTION_ADDRESS, FOR_DUMPS | FOR_CHECK,
     "trust the authorities in FILE (PEM)", 0},
    {"cert", 0, "FILE", ACTION_ADDRESS, FOR_DUMPS | FOR_CHECK,
     "certificate to show to servers (PEM)", 0},
    {"key", 0, "FILE", ACTION_ADDRESS, FOR_DUMPS | FOR_CHECK,
     "its key, unless it is in the same file", 0},
    {"insecure", 0, NULL, ACTION_ADDRESS, FOR_DUMPS | FOR_CHECK,
     "ask servers whoever they are", 0},
    {"unix-socket", 0, "PATH", ACTION_ADDRESS, FOR_DUMPS | FOR_CHECK,
     "connect to this socket", 0},
    {"textfile", 0, "DIR|FILE", ACTION_NOTIFY, FOR_CHECK,
     "metrics for node_exporter: a file in DIR", 0},
    {"alertmanager", 0, "URL|@FILE", ACTION_NOTIFY, FOR_CHECK,
     "Alertmanager to send to, or the file with its URL", 0},
    {"webhook-file", 0, "FILE", ACTION_NOTIFY, FOR_CHECK,
     "file with the URL to post JSON to", 0},
    {"slack-file", 0, "FILE", ACTION_NOTIFY, FOR_CHECK,
     "file with the URL of a Slack webhook", 0},
    {"teams-file", 0, "FILE", ACTION_NOTIFY, FOR_CHECK,
     "file with the URL of a Teams workflow", 0},
    {"pagerduty-file", 0, "FILE", ACTION_NOTIFY, FOR_CHECK,
     "file with an integration key of PagerDuty", 0},
    {"pagerduty-url", 0, "URL", ACTION_NOTIFY, FOR_CHECK,
     "where it takes events, when not in the US", 0},
    {"notify-cacert", 0, "FILE", ACTION_NOTIFY, FOR_CHECK,
     "authorities that vouch for receivers (PEM)", 0},
    {"notify-cert", 0, "FILE", ACTION_NOTIFY, FOR_CHECK,
     "certificate to show to receivers (PEM)", 0},
    {"notify-key", 0, "FILE", ACTION_NOTIFY, FOR_CHECK,
     "its key, unless it is in the same file", 0},
    {"color", 0, "WHEN", ACTION_COLOR, FOR_REPORTS | FOR_RULES_ALL,
     "auto (default), always or never", 0},
    {"no-pager", 0, NULL, ACTION_FLAG, FOR_REPORTS | FOR_RULES_SHOWN,
     "print long text at once, on a terminal too", FIELD(no_pager)},
    {"quiet", 'q', NULL, ACTION_FLAG, FOR_REPORTS | FOR_RULES_JUDGED,
     "print nothing, only exit", FIELD(quiet)},
    {"quiet", 'q', NULL, ACTION_FLAG, FOR_CHECK,
     "print nothing when OK, but that an alert ended", FIELD(quiet)},
    {"quiet", 'q', NULL, ACTION_FLAG, FOR_HISTORY_ADD | FOR_HISTORY_PRUNE,
     "print nothing but errors", FIELD(quiet)},
    {"quiet", 'q', NULL, ACTION_FLAG, FOR_EXPORTS, "print no warnings",
     FIELD(quiet)},
    {"verbose", 'v', NULL, ACTION_OPTION, FOR_REPORTS, "say more of everything",
     0},
    {"verbose", 'v', NULL, ACTION_OPTION, FOR_RULES_TEST, "name every test", 0},
    {"help", 'h', NULL, ACTION_FLAG, FOR_ALL, "print this help",
     FIELD(wants_help)},
    {"version", 'V', NULL, ACTION_FLAG, FOR_ALL, "print the version",
     FIELD(wants_version)},
};

enum { N_SPECS = sizeof(specs) / sizeof(specs[0]), LETTER_BASE = 256 };

static bool takes(const struct command *command, const struct option_spec *spec)
{
    return (spec->commands & command->bit) != 0;
}

static enum option_group group_of(const struct option_spec *spec)
{
    if (spec->action == ACTION_ADDRESS)
        return OPTIONS_OF_ADDRESSES;
    return spec->action == ACTION_NOTIFY ? OPTIONS_OF_ALERTS : OPTIONS_OWN;
}

bool option_next(const struct command *command, size_t *at,
                 struct option_view *ret)
{
    while (*at < N_SPECS && !takes(command, &specs[*at]))
        ++*at;
    if (*at == N_SPECS)
        return false;
    *ret = (struct option_view){specs[*at].name, specs[*at].letter,
                                specs[*at].argument, specs[*at].help,
                                group_of(&specs[*at])};
    ++*at;
    return true;
}

/* Whether the option of a name, or of a letter, needs a value, whichever
 * command takes it; *ret_known says whether one does. */
static bool needs_value(struct str name, char letter, bool *ret_known)
{
    *ret_known = false;
    for (size_t i = 0; i < N_SPECS; i++) {
        if (letter ? specs[i].letter != letter
                   : !str_equal(name, str_from(specs[i].name)))
            continue;
        *ret_known = true;
        return specs[i].argument != NULL;
    }
    return false;
}

/* How many words the option that begins with a word takes, 0 when there is no
 * such option. Of letters that stand together, the first with a value is the
 * last. */
static int option_length(const char *word)
{
    struct str rest = str_from(word);
    bool is_known = false;
    bool needs = false;

    if (str_cut_prefix(&rest, STR("--"))) {
        size_t equals = str_find(rest, '=');

        needs = needs_value(str_head(rest, equals), 0, &is_known);
        return !is_known ? 0 : needs && equals == rest.len ? 2 : 1;
    }
    if (!str_cut_prefix(&rest, STR("-")) || !rest.len)
        return 0;
    for (; rest.len && !needs; rest = str_skip(rest, 1)) {
        needs = needs_value((struct str){NULL, 0}, rest.ptr[0], &is_known);
        if (!is_known)
            return 0;
    }
    return needs && !rest.len ? 2 : 1;
}

int options_length(int n_words, char **words)
{
    int taken = 0;

    while (taken < n_words) {
        int length = option_length(words[taken]);

        if (!length)
            break;
        taken += length;
    }
    return taken < n_words ? taken : n_words;
}

/* Fills getopt's tables from ours, with what the command takes. */
static void fill_tables(const struct command *command, struct option *longs,
                        char *letters)
{
    *letters++ = ':'; /* missing arguments are ours to report */
    for (size_t i = 0; i < N_SPECS; i++) {
        if (!takes(command, &specs[i]))
            continue;
        *longs++ = (struct option){
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

static const struct option_spec *spec_of(const struct command *command,
                                         int found)
{
    if (found >= LETTER_BASE)
        return &specs[found - LETTER_BASE];
    for (size_t i = 0; i < N_SPECS; i++) {
        if (specs[i].letter == found && takes(command, &specs[i]))
            return &specs[i];
    }
    return NULL;
}

/* The name of the option that is nearest to a wrong one, or NULL. */
static const char *nearest_name(const struct command *command, struct str wrong)
{
    const char *nearest = NULL;
    size_t best = 3;

    for (size_t i = 0; i < N_SPECS; i++) {
        size_t distance = str_distance(wrong, str_from(specs[i].name), best);

        if (distance < best && takes(command, &specs[i])) {
            best = distance;
            nearest = specs[i].name;
        }
    }
    return nearest;
}

/* The first command that takes an option, by its name or its letter; NULL when
 * there is no such option. */
static const struct command *taker_of(struct str name, int letter)
{
    for (size_t i = 0; i < N_SPECS; i++) {
        bool is_it = letter ? specs[i].letter == letter
                            : str_equal(name, str_from(specs[i].name));

        for (size_t k = 0; is_it && k < n_commands; k++) {
            if (takes(&commands[k], &specs[i]))
                return &commands[k];
        }
    }
    return NULL;
}

static int unknown_letter(const struct command *command, char letter,
                          struct cprof_error *err)
{
    const struct command *taker = taker_of((struct str){NULL, 0}, letter);

    if (taker)
        return error_set(err, CPROF_EUSAGE, (struct place){0},
                         "%s takes no option -%c, as %s does", command->name,
                         letter, taker->name);
    return error_set(err, CPROF_EUSAGE, (struct place){0},
                     "there is no option -%c", letter);
}

static int unknown_name(const struct command *command, const char *word,
                        struct cprof_error *err)
{
    struct str name = str_from(word);
    const struct command *taker;
    const char *nearest;

    str_cut_prefix(&name, STR("--"));
    name = str_head(name, str_find(name, '='));
    taker = taker_of(name, 0);
    if (taker)
        return error_set(err, CPROF_EUSAGE, (struct place){0},
                         "%s takes no option --" STR_FORMAT ", as %s does",
                         command->name, STR_ARG(name), taker->name);
    nearest = nearest_name(command, name);
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
    char *field = (char *)arguments + spec->field;

    switch (spec->action) {
    case ACTION_OPTION:
        return cprof_options_set(arguments->options, spec->name, value, err);
    case ACTION_TEXT:
        *(const char **)(void *)field = value;
        return 0;
    case ACTION_FLAG:
        *(bool *)field = true;
        return 0;
    case ACTION_COLOR:
        return set_color(arguments, value, err);
    case ACTION_ADDRESS:
        return address_option_set(&arguments->address, spec->name, value, err);
    case ACTION_CHECK:
        return check_option_set(&arguments->check, spec->name, value, err);
    case ACTION_NOTIFY:
        return notify_option_set(&arguments->notify, spec->name, value, err);
    }
    return 0;
}

/* What getopt_long says is wrong with the option it just looked at. */
static int usage_error(const struct command *command, int found, char **argv,
                       struct cprof_error *err)
{
    const struct option_spec *spec;

    if (found == ':') {
        spec = spec_of(command, optopt);
        return error_set(err, CPROF_EUSAGE, (struct place){0},
                         "option --%s needs a value: %s",
                         spec ? spec->name : "?", spec ? spec->argument : "");
    }
    /* Of letters that stand together, one is not taken. */
    if (optopt && optopt < LETTER_BASE)
        return unknown_letter(command, (char)optopt, err);
    spec = optopt ? spec_of(command, optopt) : NULL;
    if (spec)
        return error_set(err, CPROF_EUSAGE, (struct place){0},
                         "option --%s takes no value", spec->name);
    return unknown_name(command, argv[optind - 1], err);
}

int arguments_parse(struct arguments *ret, const struct command *command,
                    int argc, char **argv, struct cprof_error *err)
{
    struct option longs[N_SPECS + 1] = {0};
    char letters[2 * N_SPECS + 2];
    int found;
    int rc;

    *ret = (struct arguments){.output = "text",
                              .address = address_arguments_default(),
                              .check = check_arguments_default()};
    rc = cprof_options_new(&ret->options, err);
    if (rc == 0 && command->bit == FOR_DIFF)
        ret->options->fail_on = CPROF_SEVERITY_MEDIUM;
    fill_tables(command, longs, letters);
    opterr = 0;
    optind = 1;
    while (rc >= 0 &&
           (found = getopt_long(argc, argv, letters, longs, NULL)) != -1) {
        if (found == '?' || found == ':')
            return usage_error(command, found, argv, err);
        rc = apply(ret, spec_of(command, found), optarg, err);
    }
    /* Standard output, as for other programs. */
    if (ret->output_file && str_equal(str_from(ret->output_file), STR("-")))
        ret->output_file = NULL;
    ret->inputs = argv + optind;
    ret->n_inputs = (size_t)(argc - optind);
    return rc;
}

void arguments_done(struct arguments *arguments)
{
    cprof_options_free(arguments->options);
    arguments->options = NULL;
}
