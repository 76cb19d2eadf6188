#include <dirent.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analysis/folding.h"
#include "base/count.h"
#include "base/error.h"
#include "cli/addresses.h"
#include "cli/cli.h"
#include "cli/history_spec.h"
#include "cli/outputs.h"
#include "model/collection.h"
#include "model/options.h"
#include "rules/pattern.h"

static bool is_stdin(const char *input)
{
    return str_equal(str_from(input), STR("-"));
}

static bool reads_stdin(const struct arguments *arguments)
{
    for (size_t i = 0; i < arguments->n_inputs; i++) {
        if (is_stdin(arguments->inputs[i]))
            return true;
    }
    return arguments->n_inputs == 0 && !arguments->address.targets;
}

static bool has_address(const struct arguments *arguments)
{
    for (size_t i = 0; i < arguments->n_inputs; i++) {
        if (address_is(arguments->inputs[i]))
            return true;
    }
    return arguments->address.targets != NULL;
}

static bool is_auto(const char *input)
{
    return str_equal(str_from(input), STR("auto"));
}

/* The word "auto" asks for the leak profile that stands beside an address. */
static int check_leak_profile(const struct arguments *arguments,
                              const char *input, struct cprof_error *err)
{
    if (is_auto(input) && has_address(arguments))
        return 0;
    if (is_auto(input))
        return error_set(err, CPROF_EUSAGE, (struct place){0},
                         "--leak-profile auto needs an address as input, and "
                         "'%.200s' is none: save /debug/pprof/goroutineleak"
                         "?debug=1 of the same process and name that file",
                         arguments->n_inputs ? arguments->inputs[0] : "-");
    if (is_stdin(input) && reads_stdin(arguments))
        return error_set(err, CPROF_EUSAGE, (struct place){0},
                         "standard input cannot be the dump and its leak "
                         "profile: give one of them as a file");
    return addresses_check_path(input, err);
}

int inputs_check(const struct arguments *arguments, struct cprof_error *err)
{
    const struct option_list *proofs = &arguments->options->leak_profile;
    int rc = addresses_check(arguments, err);

    if (rc == 0)
        rc = outputs_check_dumps(arguments, reads_stdin(arguments), err);

    if (rc == 0 && !arguments->n_inputs && reads_stdin(arguments) &&
        isatty(STDIN_FILENO)) {
        rc = error_set(err, CPROF_EUSAGE, (struct place){0},
                       "no input: give a file or an address, or pipe a dump "
                       "in");
        error_detail(err, "Try 'cprof-leaks --help'.");
    }
    for (size_t i = 0; i < proofs->count && rc == 0; i++)
        rc = check_leak_profile(arguments, proofs->values[i], err);
    return rc;
}

/* Prints an error, if there is one; returns how many failed. */
static size_t report(struct progress *progress, int rc,
                     const struct cprof_error *err)
{
    if (rc < 0) {
        progress_clear(progress);
        error_print(err);
    }
    return rc < 0;
}

/* Once there is no memory for an input, there is none for those behind it. */
struct shortage {
    bool is_here;
    size_t n_unread; /* files that were not tried */
};

/* Where inputs go, and how the names of a comparison tell instances apart. */
struct intake {
    struct cprof_snapshots *snapshots;
    struct shortage *shortage;
    struct pattern *instance; /* NULL = by folders only */
    struct progress *progress;
};

/* Says which instance the snapshots from `first` on are of: what the pattern
 * finds in the name of the input, or else the folder, if there is one. A log
 * may have told the pod of each. False when the pattern had no memory to
 * look. */
static bool name_instances(const struct intake *intake, size_t first,
                           const char *path, const char *folder)
{
    struct str name = str_from(folder);
    bool is_found = intake->instance &&
                    pattern_find(intake->instance, str_from(path), &name);

    if (intake->instance && pattern_is_starved(intake->instance))
        return false;
    for (size_t i = first; i < intake->snapshots->count; i++) {
        struct snapshot *snapshot = intake->snapshots->items[i];
        struct snapshot_info *info = snapshot_info(snapshot);

        if (is_found || (folder && !info->instance.len))
            info->instance = snapshot_copy(snapshot, name);
    }
    return true;
}

/* A word that is no file may be an address without its port, or a command with
 * a slip in it. */
static void suggest(const char *path, struct cprof_error *err)
{
    struct str word = str_from(path);

    if (access(path, F_OK) == 0)
        return;
    if (str_contains(word, STR("/")))
        return;
    if (str_equal(word, STR("localhost")))
        error_detail(err, "An address has its port: localhost:6060.");
    if (str_equal(word, STR("version")))
        error_detail(err, "Did you mean '--version'?");
    if (str_distance(word, STR("help"), 2) <= 2)
        error_detail(err, "Did you mean the command 'help'?");
    for (size_t i = 0; i < n_commands; i++) {
        if (str_distance(word, str_from(commands[i].name), 2) <= 2) {
            error_detail(err, "Did you mean the command '%s'?",
                         commands[i].name);
            return;
        }
    }
}

/* Who sees no memory left looks at the machine first. */
static void explain_shortage(const struct cprof_snapshots *snapshots,
                             struct cprof_error *err)
{
    if (atomic_load(&snapshots->budget.n_denied))
        error_detail(err, "The limit is that of --max-memory; the machine may "
                          "have more.");
}

/* Reads one input and says what is wrong with it. Returns how many failed. */
static size_t read_one(const struct intake *intake, const char *path,
                       const char *folder)
{
    size_t first = cprof_snapshots_count(intake->snapshots);
    struct cprof_error err = {0};
    int rc;

    if (intake->shortage->is_here) {
        intake->shortage->n_unread++;
        return 1;
    }
    rc = cprof_snapshots_read_file(intake->snapshots, path, &err);
    if (rc == 0 && !name_instances(intake, first, path, folder))
        rc = error_memory(&err, (struct place){path, 0, 0},
                          "looking for the instance");
    intake->shortage->is_here = rc == CPROF_ENOMEM;
    if (rc == CPROF_ENOMEM)
        explain_shortage(intake->snapshots, &err);
    if (rc < 0) {
        suggest(path, &err);
        return report(intake->progress, rc, &err);
    }
    folding_step(intake->snapshots);
    return 0;
}

/* Names in order, numbers in them by value: snap9 comes before snap10. */
static int compare_names(const struct dirent **a, const struct dirent **b)
{
    return strverscmp((*a)->d_name, (*b)->d_name);
}

static int is_shown(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

static bool is_folder(const char *path)
{
    struct stat about;

    return stat(path, &about) == 0 && S_ISDIR(about.st_mode);
}

static void note_empty(const char *path)
{
    struct cprof_error note = {0};

    error_set(&note, CPROF_OK, (struct place){path, 0, 0},
              "the folder has no files");
    error_print(&note);
}

/* Reads the files of a folder by name. A folder in it is an instance of its
 * own. */
static size_t read_folder(const struct intake *intake, const char *path,
                          const char *instance, unsigned depth)
{
    struct dirent **names = NULL;
    int n = scandir(path, &names, is_shown, compare_names);
    size_t failed = 0;

    if (n < 0) {
        struct cprof_error err = {0};

        error_system(&err, (struct place){path, 0, 0}, "cannot read");
        error_print(&err);
        return 1;
    }
    if (n == 0)
        note_empty(path);
    for (int i = 0; i < n; i++) {
        char *file = NULL;

        if (asprintf(&file, "%s/%s", path, names[i]->d_name) < 0) {
            struct cprof_error err = {0};

            file = NULL;
            error_memory(&err, (struct place){path, 0, 0},
                         "reading the folder");
            error_print(&err);
            failed++;
        } else if (!is_folder(file)) {
            failed += read_one(intake, file, instance);
        } else if (depth < FOLDERS_DEEP) {
            failed += read_folder(intake, file, names[i]->d_name, depth + 1);
        }
        free(file);
        free(names[i]);
    }
    free(names);
    return failed;
}

/* Compiles the pattern of --instance, if a comparison has one. */
static int find_instances(const struct arguments *arguments,
                          struct intake *intake, struct cprof_error *err)
{
    const char *expression = arguments->options->instance;
    struct cprof_error why = {0};

    if (!intake->snapshots->is_series || !expression)
        return 0;
    if (pattern_new(&intake->instance, str_from(expression), &why) == 0)
        return 0;
    return error_set(err, CPROF_EUSAGE, (struct place){0},
                     "option --instance '%.100s': %s", expression, why.message);
}

/* Reads the address with an index, unless none could be prepared. */
static size_t read_address(const struct intake *intake,
                           struct addresses *addresses, size_t index)
{
    struct cprof_error err = {0};
    size_t failed = 0;

    if (index < addresses_count(addresses))
        failed = report(
            intake->progress,
            addresses_read(addresses, index, intake->snapshots, NULL, &err),
            &err);
    folding_step(intake->snapshots);
    return failed;
}

/* Without several instances there is nothing to tell apart, and the history can
 * be compared with files. */
static void unname_single(struct cprof_snapshots *snapshots, size_t first)
{
    struct str name = {0};

    for (size_t i = first; i < snapshots->count; i++) {
        struct str own = snapshot_info_get(snapshots->items[i])->instance;

        if (i > first && !str_equal(own, name))
            return;
        name = own;
    }
    for (size_t i = first; i < snapshots->count; i++)
        snapshot_info(snapshots->items[i])->instance = (struct str){0};
}

/* Snapshots of a comparison that are read whole: as many as analysis/folding.c
 * leaves whole of a series that is read from files. */
enum { WHOLE_MOST = 64 };

/* Reads what a SPEC means of a history: for a comparison all, else the newest,
 * unless it says so. */
static size_t read_history(const struct intake *intake, const char *text)
{
    size_t first = intake->snapshots->count;
    struct history_spec spec;
    struct store *store = NULL;
    struct cprof_error err = {0};
    size_t n = 0;
    int rc = history_spec_open(&spec, text, STORE_READ, &store, &err);

    if (rc == 0 && !spec.has_which && !intake->snapshots->is_series)
        spec.query.newest = 1;
    if (rc == 0)
        rc = store_read(store, &spec.query,
                        intake->snapshots->is_series ? WHOLE_MOST : 0,
                        intake->snapshots, &n, &err);
    if (rc == 0 && !n)
        rc = error_set(&err, CPROF_EFORMAT, (struct place){text, 0, 0},
                       "the history has no such snapshot");
    if (rc == 0)
        unname_single(intake->snapshots, first);
    store_close(store);
    history_spec_done(&spec);
    return report(intake->progress, rc, &err);
}

/* Reads a file, standard input, or where moments are compared a folder. */
static size_t read_path(const struct arguments *arguments,
                        const struct intake *intake, const char *path)
{
    if (intake->snapshots->is_series && is_folder(path))
        return read_folder(intake, path, arguments->n_inputs > 1 ? path : NULL,
                           1);
    return read_one(intake, path, NULL);
}

static void say_unread(const struct intake *intake)
{
    size_t n = intake->shortage->n_unread;
    struct cprof_error err = {0};

    if (!n)
        return;
    error_set(&err, CPROF_ENOMEM, (struct place){0},
              "%s more input%s not read for the same reason (--max-memory)",
              count_text(n).text, n == 1 ? " was" : "s were");
    report(intake->progress, err.code, &err);
}

/* Reads the inputs in their order, and then the targets. */
static size_t read_dumps(const struct arguments *arguments,
                         const struct intake *intake,
                         struct addresses *addresses)
{
    size_t n_addresses = 0;
    size_t failed = 0;

    for (size_t i = 0; i < arguments->n_inputs; i++) {
        if (address_is(arguments->inputs[i]))
            failed += read_address(intake, addresses, n_addresses++);
        else if (history_is(arguments->inputs[i]))
            failed += read_history(intake, arguments->inputs[i]);
        else
            failed += read_path(arguments, intake, arguments->inputs[i]);
    }
    say_unread(intake);
    while (n_addresses < addresses_count(addresses))
        failed += read_address(intake, addresses, n_addresses++);
    if (!arguments->n_inputs && reads_stdin(arguments))
        failed += read_one(intake, "-", NULL);
    return failed;
}

static size_t read_proofs(const struct arguments *arguments,
                          struct addresses *addresses,
                          struct progress *progress,
                          struct cprof_snapshots *snapshots)
{
    const struct option_list *proofs = &arguments->options->leak_profile;
    size_t failed = 0;

    for (size_t i = 0; i < proofs->count; i++) {
        struct cprof_error err = {0};

        if (is_auto(proofs->values[i]))
            failed += addresses_read_leaks(addresses, snapshots);
        else
            failed += report(
                progress,
                cprof_snapshots_read_leaks(snapshots, proofs->values[i], &err),
                &err);
    }
    return failed;
}

/* Two threads where the process may use two processors, unless --threads says
 * how many: each further one takes some 3 MB for what it learns, and a host
 * that is looked at because its memory is short has none to spare. */
static int settle_threads(const struct arguments *arguments,
                          struct cprof_error *err)
{
    const char *threads = "1";
    cpu_set_t processors;

    if (arguments->options->threads)
        return 0;
    if (sched_getaffinity(0, sizeof(processors), &processors) == 0 &&
        CPU_COUNT(&processors) > 1)
        threads = "2";
    return cprof_options_set(arguments->options, "threads", threads, err);
}

size_t inputs_read(const struct arguments *arguments,
                   struct cprof_snapshots *snapshots)
{
    struct progress progress = progress_begin(arguments);
    struct shortage shortage = {0};
    struct intake intake = {snapshots, &shortage, NULL, &progress};
    struct addresses *addresses = NULL;
    struct cprof_error err = {0};
    size_t failed;
    int rc;

    if (settle_threads(arguments, &err) < 0 ||
        find_instances(arguments, &intake, &err) < 0) {
        error_print(&err);
        return 1;
    }
    if (progress.is_wanted)
        cprof_snapshots_watch(snapshots, progress_read, &progress);
    rc = addresses_new(&addresses, arguments, &err);
    failed = report(&progress, rc, &err);
    if (rc != CPROF_ENOMEM) {
        failed += read_dumps(arguments, &intake, addresses);
        failed += read_proofs(arguments, addresses, &progress, snapshots);
    }
    progress_clear(&progress);
    cprof_snapshots_watch(snapshots, NULL, NULL);
    addresses_free(addresses);
    pattern_free(intake.instance);
    return failed;
}
