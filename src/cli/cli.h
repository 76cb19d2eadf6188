/* cli.h - the command line: the only room that prints to stderr, exits, and
 * reads the environment. */
#ifndef CLI_CLI_H
#define CLI_CLI_H

#include <sys/types.h>

#include "cprof/cprof.h"

#include "base/str.h"
#include "notify/plugin.h"

/* Exit status of analyze, as grep and diff have it; export knows no finding. */
enum {
    EXIT_OK = 0,      /* nothing at or above --fail-on; done */
    EXIT_FINDING = 1, /* something is */
    EXIT_TROUBLE = 2, /* no answer: usage, unreadable, not recognised */
};

/* Which commands an option belongs to. */
enum {
    FOR_ANALYZE = 1,
    FOR_EXPORT = 2,
    FOR_RULES = 4, /* the word alone, which is no command yet */
    FOR_RULES_LIST = 8,
    FOR_RULES_EXPLAIN = 16,
    FOR_RULES_CHECK = 32,
    FOR_RULES_TEST = 64,
    FOR_DIFF = 128,
    FOR_CHECK = 256,
    FOR_HISTORY = 512, /* the word alone */
    FOR_HISTORY_LIST = 1024,
    FOR_HISTORY_SHOW = 2048,
    FOR_HISTORY_ADD = 4096,
    FOR_HISTORY_PRUNE = 8192,
    FOR_HISTORY_EXPORT = 16384,
    FOR_COMPLETION = 32768,
    FOR_FAMILIES = FOR_RULES | FOR_HISTORY, /* first words of two */
    FOR_REPORTS = FOR_ANALYZE | FOR_DIFF,
    FOR_EXPORTS = FOR_EXPORT | FOR_HISTORY_EXPORT,
    FOR_HISTORY_SHOWN = FOR_HISTORY_LIST | FOR_HISTORY_SHOW,
    FOR_HISTORY_ALL = FOR_HISTORY | FOR_HISTORY_SHOWN | FOR_HISTORY_ADD |
                      FOR_HISTORY_PRUNE | FOR_HISTORY_EXPORT,
    FOR_DUMPS = FOR_REPORTS | FOR_EXPORT,
    FOR_RULES_SHOWN = FOR_RULES_LIST | FOR_RULES_EXPLAIN,
    FOR_RULES_JUDGED = FOR_RULES_CHECK | FOR_RULES_TEST,
    FOR_RULES_ALL = FOR_RULES_SHOWN | FOR_RULES_JUDGED,
    FOR_ALL = FOR_DUMPS | FOR_RULES | FOR_RULES_ALL | FOR_COMPLETION |
              FOR_CHECK | FOR_HISTORY_ALL,
};

enum color_mode { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };

/* How addresses are asked; texts point into argv. */
struct address_arguments {
    int debug;           /* ADDRESS_DEBUG_UNSET = not given */
    const char *targets; /* these and all below: NULL = not given */
    const char *unix_socket;
    const char *user_file;
    const char *bearer_file;
    const char *cacert;
    const char *cert;
    const char *key;
    bool insecure;
    uint64_t timeout_s;
    uint64_t until_ms; /* of all requests together, as in http.h; 0 = none */
    uint64_t least_ms;
    uint64_t connect_timeout_s;
    uint64_t retries;
    uint64_t max_download; /* bytes */
};

/* How check judges and what it keeps; texts point into argv. */
struct check_arguments {
    enum cprof_severity warning_at; /* CPROF_SEVERITY_OK = never */
    enum cprof_severity critical_at;
    struct plugin_ranges ranges;
    unsigned runs;       /* --for */
    const char *save;    /* folder of dumps; NULL = none is kept */
    uint64_t save_most;  /* files in it */
    uint64_t older_s;    /* --older-than, of the history */
    uint64_t interval_s; /* how far runs lie apart; 0 = not said */
    uint64_t timeout_s;  /* of the whole run */
};

enum { NOTIFY_MOST = 16 };

/* Who is told what check found; texts point into argv, and are NULL where
 * nothing was given. */
struct notify_arguments {
    struct {
        unsigned kind;     /* enum notifier_kind */
        const char *value; /* a file; of Alertmanager an address, or "@FILE" */
    } given[NOTIFY_MOST];
    size_t n_given;
    const char *textfile;
    const char *pagerduty_url;
    const char *cacert;
    const char *cert;
    const char *key;
};

/* What a command was called with. */
struct arguments {
    struct cprof_options *options;
    const char *output;      /* -o; the format's name */
    const char *to;          /* --to; NULL = not given */
    const char *output_file; /* -O; NULL = standard output */
    const char *rule_class;  /* what `rules` is asked for; NULL = not given */
    const char *rule_severity;
    const char *rule_status;
    const char *rule_file;
    const char *rule_tests; /* --run */
    const char *history;    /* --history; NULL = not given */
    const char *service;    /* --service; NULL = not given */
    const char *older_than; /* of a history that is pruned; NULL = not given */
    const char *keep;
    bool compact; /* give its room back */
    bool verify;  /* read all of it */
    struct address_arguments address;
    struct check_arguments check;
    struct notify_arguments notify;
    enum color_mode color;
    bool quiet;
    bool no_pager;
    bool coverage;
    bool no_user_rules;
    bool wants_help;
    bool wants_version;
    char **inputs; /* points into argv */
    size_t n_inputs;
};

/* A command; its name may be two words ("rules list"), and the first of them
 * alone stands in the table as well, for its help and for what it says to those
 * who forgot the second. */
struct command {
    const char *name;
    unsigned bit;       /* its FOR_... */
    const char *usage;  /* what follows the program's name */
    const char *about;  /* what it is for; lines, as the texts below */
    const char *inputs; /* what INPUT is; NULL = it takes none */
    const char *examples;
    const char *exits; /* the exit statuses */
    int (*run)(const struct arguments *arguments);
};

/* All commands; the first is what runs without a command's name. */
extern const struct command commands[];
extern const size_t n_commands;

/* The command that the words begin with, the longest name of all that fit, and
 * how many words its name takes; NULL when there is none. */
const struct command *command_find(int n_words, char **words, int *ret_taken);

/* Whether a command is one of those that a word alone stands for: "rules list"
 * of "rules". */
bool command_is_of(const struct command *command, const struct command *family);

/* How many of the words, from the first on, are options of any command and
 * their values: what may stand before the name of a command. */
int options_length(int n_words, char **words);

/* Reads the command's options and inputs in argv[1] to argv[argc - 1] (argv[0]
 * is the command). CPROF_EUSAGE says what is wrong with which option. The
 * result is freed with arguments_done, on failure too. */
int arguments_parse(struct arguments *ret, const struct command *command,
                    int argc, char **argv, struct cprof_error *err);
void arguments_done(struct arguments *arguments);

/* analyze: one answer for the given inputs. diff: what changed over two or
 * more. export: the dumps in the form of
 * another tool. */
int analyze_run(const struct arguments *arguments);
int diff_run(const struct arguments *arguments);
int export_run(const struct arguments *arguments);

/* check: one run over all targets, as a monitoring plugin. Its statuses are
 * those of enum check_status and no others. */
int check_run(const struct arguments *arguments);

/* Says as a plugin does that there is no answer, and why, for a command line
 * that makes no sense; returns the status. */
int check_refuse(const struct cprof_error *err);

/* The defaults of check's own options, and setting one by its long name;
 * CPROF_EUSAGE says what it takes. */
struct check_arguments check_arguments_default(void);
int check_option_set(struct check_arguments *arguments, const char *name,
                     const char *value, struct cprof_error *err);

/* rules: says which word is missing behind it. rules list, explain, check and
 * test: what is known of rules, and whether they are right. */
int rules_run(const struct arguments *arguments);
int rules_list_run(const struct arguments *arguments);
int rules_explain_run(const struct arguments *arguments);
int rules_check_run(const struct arguments *arguments);
int rules_test_run(const struct arguments *arguments);

/* completion: prints the script that completes command lines in a shell. */
int completion_run(const struct arguments *arguments);

/* Says which word is missing behind the one of a family of commands, or wrong.
 * Returns the exit status. */
int family_run(const struct arguments *arguments, const char *family,
               const char *const *words, size_t n);

/* history: says which word is missing behind it. history list, show, add, prune
 * and export: what is stored of a service (history_spec.h). */
int history_run(const struct arguments *arguments);
int history_list_run(const struct arguments *arguments);
int history_show_run(const struct arguments *arguments);
int history_add_run(const struct arguments *arguments);
int history_prune_run(const struct arguments *arguments);
int history_export_run(const struct arguments *arguments);

/* Has the rules read that the administrator and the user of this machine keep:
 * in /etc/cprof-leaks/rules.d, unless CPROF_LEAKS_NOSYSTEM is set, and in
 * cprof-leaks/rules below $XDG_CONFIG_HOME or ~/.config. Not with
 * --no-user-rules. Neither folder need be there. */
int user_rules_settle(const struct arguments *arguments,
                      struct cprof_error *err);

/* Writes the baseline of a report where --write-baseline says, if it does. */
int baseline_write(const struct arguments *arguments,
                   const struct cprof_report *report, struct cprof_error *err);

/* How deep the folders of a comparison are read. */
enum { FOLDERS_DEEP = 2 };

/* Whether the inputs and leak profiles make sense before any is read, and no
 * output would replace what is read (outputs.h): the user's rules are settled
 * before. It is CPROF_EUSAGE also when there is nothing to read, as no input is
 * named and standard input is a terminal. */
int inputs_check(const struct arguments *arguments, struct cprof_error *err);

/* Reads all inputs and then the leak profiles; those that fail are reported
 * and the rest goes on. Returns how many failed. */
size_t inputs_read(const struct arguments *arguments,
                   struct cprof_snapshots *snapshots);

/* Prints all help of a command to standard output. */
void help_print(const struct command *command);

/* Prints what fits on a screen: of a command, or the overview, which is that of
 * the first command and names the others (NULL). */
void help_print_short(const struct command *command);

/* Prints the manual page of the program, as roff, to standard output. */
void manual_print(void);

/* Prints a line for each option of a command, under headings, or for those that
 * are used most. */
void options_print(const struct command *command);
void options_print_usual(const struct command *command);

/* Whether all options of a command fit on a screen. */
bool options_are_few(const struct command *command);

/* Options that stand apart in a help. */
enum option_group { OPTIONS_OWN, OPTIONS_OF_ADDRESSES, OPTIONS_OF_ALERTS };

/* An option of a command, as people see it. */
struct option_view {
    const char *name;
    char letter;          /* 0 = none */
    const char *argument; /* NULL = a flag */
    const char *help;
    enum option_group group;
};

/* Gives the options of a command one after another, from *at = 0 on; false
 * behind the last. */
bool option_next(const struct command *command, size_t *at,
                 struct option_view *ret);

/* Prints "cprof-leaks: source:line:column: message" and its detail lines to
 * standard error, as far as the error has them. */
void error_print(const struct cprof_error *err);

/* Sets the options that depend on the terminal: colour, width, and the hint at
 * the next command, which only people at a terminal want. */
int terminal_settle(const struct arguments *arguments, struct cprof_error *err);

/* Sets what outputs need to know of this run: the time, which SOURCE_DATE_EPOCH
 * replaces, and the working folder as one more --source-root. In the checkout
 * of a build, paths of own code are below it. */
int surroundings_settle(const struct arguments *arguments,
                        struct cprof_error *err);

/* The descriptor of this process that a path names, as /dev/stdout does, or -1.
 * Such a path may lead to a file, which is written where the descriptor stands
 * and never replaced. */
int file_descriptor_of(const char *path);

/* What makes an output: hands it on piece by piece through write. */
typedef int produce_fn(const void *product, cprof_write_fn *write, void *user,
                       struct cprof_error *err);

/* Writes what produce makes of a product to a file, whole or not at all, with
 * the given permissions: to a temporary file beside it, whose name begins with
 * the file's and ends in no suffix of it, and which is renamed when it is safe
 * on the disk. A link of that name is replaced, not followed, so that nobody
 * who can write to the folder chooses another file. */
int file_write(const char *path, mode_t mode, produce_fn *produce,
               const void *product, struct cprof_error *err);

/* Writes what produce makes of a product where the arguments say: to standard
 * output, by a pager if it is text on a terminal, or whole or not at all to a
 * file. A closed pipe is no failure. The product may be asked for twice. */
int output_write(const struct arguments *arguments, produce_fn *produce,
                 const void *product, struct cprof_error *err);

#endif
