#include "cli/outputs.h"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/error.h"
#include "model/options.h"
#include "rules/files.h"

/* A file that would be replaced. */
struct output {
    const char *option; /* that names it */
    const char *path;   /* NULL = the option was not given */
    struct stat file;   /* what stands there */
};

/* Whether a path leads to the file, by whatever name. */
static bool is_same(const char *path, const struct stat *file)
{
    struct stat about;

    return path && stat(path, &about) == 0 && about.st_dev == file->st_dev &&
           about.st_ino == file->st_ino;
}

static bool is_stdin(const char *path)
{
    return str_equal(str_from(path), STR("-"));
}

static bool is_from_stdin(const struct stat *file)
{
    struct stat about;

    return fstat(STDIN_FILENO, &about) == 0 && about.st_dev == file->st_dev &&
           about.st_ino == file->st_ino;
}

/* Whether a file of a folder is read. */
typedef bool is_read_fn(const char *name);

static bool is_shown(const char *name)
{
    return name[0] != '.';
}

/* Whether a path leads to the file, or is a folder of which that is read. */
static bool is_in(const char *path, const struct stat *file,
                  is_read_fn *is_read, unsigned depth)
{
    DIR *folder;
    const struct dirent *entry;
    bool is_found = is_same(path, file);

    folder = is_found || !depth ? NULL : opendir(path);
    while (folder && !is_found && (entry = readdir(folder))) {
        struct buf inside = {0};

        if (!is_read(entry->d_name))
            continue;
        buf_addf(&inside, "%s/%s", path, entry->d_name);
        is_found =
            !inside.failed && is_in(inside.ptr, file, is_read, depth - 1);
        buf_done(&inside);
    }
    if (folder)
        closedir(folder);
    return is_found;
}

static bool is_in_any(const struct option_list *paths, const struct stat *file,
                      is_read_fn *is_read)
{
    bool is_found = false;

    for (size_t i = 0; i < paths->count; i++)
        is_found = is_found || is_in(paths->values[i], file, is_read, 1);
    return is_found;
}

/* Whether the file of a receiver is the one: Alertmanager's has a "@". */
static bool is_of_receiver(const struct notify_arguments *notify,
                           const struct stat *file)
{
    bool is_found = false;

    for (size_t i = 0; i < notify->n_given; i++) {
        const char *path = notify->given[i].value;

        is_found = is_found || is_same(path[0] == '@' ? path + 1 : path, file);
    }
    return is_found;
}

/* Whether an option names the file as one to read. */
static bool is_of_option(const struct arguments *arguments,
                         const struct stat *file)
{
    const struct address_arguments *address = &arguments->address;
    const struct notify_arguments *notify = &arguments->notify;
    const char *const paths[] = {arguments->options->baseline,
                                 arguments->history,
                                 address->targets,
                                 address->user_file,
                                 address->bearer_file,
                                 address->cacert,
                                 address->cert,
                                 address->key,
                                 notify->cacert,
                                 notify->cert,
                                 notify->key};
    bool is_found =
        is_in_any(&arguments->options->rules, file, rule_file_is) ||
        is_in_any(&arguments->options->rules_folders, file, rule_file_is) ||
        is_of_receiver(notify, file);

    for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++)
        is_found = is_found || is_same(paths[i], file);
    return is_found;
}

/* Takes the folder of a path, and cuts it off *name. */
static bool find_folder(struct str *name, struct stat *ret)
{
    size_t slash = str_rfind(*name, '/');
    struct buf folder = {0};
    bool ok;

    buf_add(&folder, slash < name->len ? str_head(*name, slash + 1) : STR("."));
    ok = !folder.failed && stat(folder.ptr, ret) == 0;
    buf_done(&folder);
    if (slash < name->len)
        *name = str_skip(*name, slash + 1);
    return ok;
}

/* Whether two paths are those of one file, which may have to be made. */
static bool is_one_file(const char *a, const char *b)
{
    struct str names[] = {str_from(a), str_from(b)};
    struct stat left;
    struct stat right;

    if (stat(a, &left) == 0)
        return S_ISREG(left.st_mode) && is_same(b, &left);
    return find_folder(&names[0], &left) && find_folder(&names[1], &right) &&
           left.st_dev == right.st_dev && left.st_ino == right.st_ino &&
           str_equal(names[0], names[1]);
}

static int refuse(const struct output *output, const char *what,
                  struct cprof_error *err)
{
    return error_set(err, CPROF_EUSAGE, (struct place){output->path, 0, 0},
                     "is %s, and %s would replace it: name another file", what,
                     output->option);
}

enum { N_OUTPUTS = 2 };

static void name_outputs(const struct arguments *arguments,
                         struct output ret[N_OUTPUTS])
{
    ret[0] = (struct output){"-O", arguments->output_file, {0}};
    ret[1] = (struct output){"--textfile", arguments->notify.textfile, {0}};
}

/* Finds the files that are there and would be replaced. A baseline is written
 * over nothing but a baseline, whose words it keeps, and a device or pipe loses
 * nothing. */
static size_t list_outputs(const struct arguments *arguments,
                           struct output outputs[N_OUTPUTS])
{
    struct output all[N_OUTPUTS];
    size_t n = 0;

    name_outputs(arguments, all);
    for (size_t i = 0; i < N_OUTPUTS; i++) {
        outputs[n] = all[i];
        if (all[i].path && stat(all[i].path, &outputs[n].file) == 0 &&
            S_ISREG(outputs[n].file.st_mode))
            n++;
    }
    return n;
}

static const char an_input[] = "an input too";

int outputs_check(const struct arguments *arguments, struct cprof_error *err)
{
    const char *baseline = arguments->options->write_baseline;
    struct output written[N_OUTPUTS];
    struct output outputs[N_OUTPUTS];
    size_t n = list_outputs(arguments, outputs);

    if (baseline && is_stdin(baseline))
        return error_set(err, CPROF_EUSAGE, (struct place){0},
                         "--write-baseline: '-' is no file: give it a name, as "
                         "baseline.yaml");
    name_outputs(arguments, written);
    for (size_t i = 0; i < n; i++) {
        if (is_of_option(arguments, &outputs[i].file))
            return refuse(&outputs[i], an_input, err);
    }
    for (size_t i = 0; i < N_OUTPUTS && baseline; i++) {
        if (written[i].path && is_one_file(baseline, written[i].path))
            return refuse(&written[i], "what --write-baseline writes", err);
    }
    return 0;
}

int outputs_check_dumps(const struct arguments *arguments, bool reads_stdin,
                        struct cprof_error *err)
{
    const struct option_list *proofs = &arguments->options->leak_profile;
    struct output outputs[N_OUTPUTS];
    size_t n = list_outputs(arguments, outputs);

    for (size_t i = 0; i < n; i++) {
        const struct stat *file = &outputs[i].file;
        bool is_input = (reads_stdin && is_from_stdin(file)) ||
                        is_in_any(proofs, file, is_shown);

        for (size_t k = 0; k < arguments->n_inputs; k++)
            is_input = is_input || is_in(arguments->inputs[k], file, is_shown,
                                         FOLDERS_DEEP);
        for (size_t k = 0; k < proofs->count; k++)
            is_input = is_input ||
                       (is_stdin(proofs->values[k]) && is_from_stdin(file));
        if (is_input)
            return refuse(&outputs[i], an_input, err);
    }
    return outputs_check(arguments, err);
}
