#include "cli/confine.h"

#include <fcntl.h>
#include <linux/landlock.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/buf.h"
#include "cli/addresses.h"
#include "cli/history_spec.h"
#include "model/options.h"

/* What later kernels than those of the header's know; the numbers are fixed by
 * the kernel (include/uapi/linux/landlock.h). */
#define RIGHT_REFER    (UINT64_C(1) << 13)
#define RIGHT_TRUNCATE (UINT64_C(1) << 14)
#define RIGHT_NET_ALL  UINT64_C(3) /* to bind and to connect, by TCP */

enum { ABI_REFER = 2, ABI_TRUNCATE = 3, ABI_NET = 4 };

/* The argument of landlock_create_ruleset as ABI 4 has it. An older kernel
 * takes a longer one whose rest is 0. */
struct ruleset {
    uint64_t fs;
    uint64_t net;
};

/* All rights that change something, as far as the kernel knows them. */
static const uint64_t rights_to_change =
    LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR |
    LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_CHAR |
    LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_MAKE_REG |
    LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO |
    LANDLOCK_ACCESS_FS_MAKE_BLOCK | LANDLOCK_ACCESS_FS_MAKE_SYM;

/* The rights that a folder of ours gives, and a file. */
static const uint64_t rights_of_folder =
    LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_FILE |
    LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_MAKE_REG | RIGHT_TRUNCATE;
static const uint64_t rights_of_file =
    LANDLOCK_ACCESS_FS_WRITE_FILE | RIGHT_TRUNCATE;

/* A set of rules while it grows. */
struct rules {
    int fd;
    uint64_t handled;
};

/* Lets what is below a path be written, or a file itself. What is not there is
 * passed over; whoever writes it will say so. */
static bool allow(const struct rules *rules, const char *path)
{
    struct landlock_path_beneath_attr rule = {
        .parent_fd = open(path, O_PATH | O_CLOEXEC)};
    struct stat about;

    if (rule.parent_fd < 0)
        return false;
    if (fstat(rule.parent_fd, &about) == 0) {
        rule.allowed_access =
            rules->handled &
            (S_ISDIR(about.st_mode) ? rights_of_folder : rights_of_file);
        syscall(SYS_landlock_add_rule, rules->fd, LANDLOCK_RULE_PATH_BENEATH,
                &rule, 0);
    }
    close(rule.parent_fd);
    return true;
}

/* Lets a file be made: the folder it lies in, or the nearest one that is there
 * of those above it. */
static void allow_folder_of(const struct rules *rules, const char *path)
{
    struct buf folder = {0};
    bool is_done = false;

    buf_add(&folder, str_from(path));
    while (!is_done && !folder.failed) {
        size_t slash = str_rfind(buf_str(&folder), '/');

        if (slash == folder.len) {
            is_done = allow(rules, ".");
            break;
        }
        folder.len = slash;
        folder.ptr[slash] = '\0';
        is_done = allow(rules, slash ? folder.ptr : "/");
        is_done = is_done || !slash;
    }
    buf_done(&folder);
}

/* Lets a file be written that is there, or be made beside others. */
static void allow_file(const struct rules *rules, const char *path)
{
    struct stat about;

    if (!path)
        return;
    if (stat(path, &about) == 0 && !S_ISREG(about.st_mode))
        allow(rules, path);
    else if (file_descriptor_of(path) < 0)
        allow_folder_of(rules, path);
}

/* A folder that files are put in; it may have to be made. */
static void allow_folder(const struct rules *rules, const char *path)
{
    if (path && !allow(rules, path))
        allow_folder_of(rules, path);
}

static void allow_history(const struct rules *rules, const char *file,
                          const char *service)
{
    struct history_place place;

    if (history_place_find(&place, file, service, NULL) < 0)
        return;
    allow_folder_of(rules, place.path);
    history_place_done(&place);
}

/* SQLite makes files beside a history that is only read, too. */
static void allow_inputs(const struct rules *rules,
                         const struct arguments *arguments, bool are_histories)
{
    for (size_t i = 0; i < arguments->n_inputs; i++) {
        struct history_spec spec;

        if (!are_histories && !history_is(arguments->inputs[i]))
            continue;
        if (history_spec_parse(&spec, arguments->inputs[i], NULL) == 0)
            allow_folder_of(rules, spec.place.path);
        history_spec_done(&spec);
    }
    if (are_histories && !arguments->n_inputs)
        allow_history(rules, NULL, NULL);
}

static bool asks_addresses(const struct arguments *arguments)
{
    bool does = arguments->address.targets || arguments->notify.n_given;

    for (size_t i = 0; i < arguments->n_inputs; i++)
        does = does || address_is(arguments->inputs[i]);
    for (size_t i = 0; i < arguments->options->leak_profile.count; i++)
        does = does || address_is(arguments->options->leak_profile.values[i]);
    return does;
}

static void allow_all(const struct rules *rules, const struct command *command,
                      const struct arguments *arguments)
{
    const struct arguments *a = arguments;

    allow(rules, "/dev/null");
    allow(rules, "/dev/tty");
    allow_file(rules, a->output_file);
    allow_file(rules, a->options->write_baseline);
    allow_file(rules, a->notify.textfile);
    allow_folder(rules, a->notify.textfile);
    allow_folder(rules, a->check.save);
    if (command->bit == FOR_CHECK)
        allow_history(rules, a->history, a->service);
    allow_inputs(rules, a, command->bit & FOR_HISTORY_ALL);
    if (asks_addresses(a) || command->bit == FOR_CHECK)
        allow_folder(rules, addresses_temporary_folder());
}

void confine(const struct command *command, const struct arguments *arguments)
{
    long abi = syscall(SYS_landlock_create_ruleset, NULL, 0,
                       LANDLOCK_CREATE_RULESET_VERSION);
    struct ruleset ruleset = {.fs = rights_to_change};
    struct rules rules;

    if (abi < 1 || getenv("CPROF_LEAKS_NOCONFINE"))
        return;
    if (abi >= ABI_REFER)
        ruleset.fs |= RIGHT_REFER;
    if (abi >= ABI_TRUNCATE)
        ruleset.fs |= RIGHT_TRUNCATE;
    if (abi >= ABI_NET && !asks_addresses(arguments))
        ruleset.net = RIGHT_NET_ALL;
    rules = (struct rules){
        (int)syscall(SYS_landlock_create_ruleset, &ruleset, sizeof(ruleset), 0),
        ruleset.fs};
    if (rules.fd < 0)
        return;
    allow_all(&rules, command, arguments);
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0)
        syscall(SYS_landlock_restrict_self, rules.fd, 0);
    close(rules.fd);
}
