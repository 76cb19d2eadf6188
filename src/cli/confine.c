#include "cli/confine.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/buf.h"
#include "cli/addresses.h"
#include "cli/history_spec.h"
#include "model/options.h"

/* include/uapi/linux/landlock.h, which systems of before 2021 do not have; the
 * numbers of system calls are those of every architecture. */
enum { CREATE_RULESET = 444, ADD_RULE = 445, RESTRICT_SELF = 446 };
enum { ASK_VERSION = 1, PATH_BENEATH = 1 };
enum { ABI_REFER = 2, ABI_TRUNCATE = 3, ABI_NET = 4 };

#define RIGHT_WRITE_FILE  (UINT64_C(1) << 1)
#define RIGHT_REMOVE_FILE (UINT64_C(1) << 5)
#define RIGHT_MAKE_DIR    (UINT64_C(1) << 7)
#define RIGHT_MAKE_REG    (UINT64_C(1) << 8)
#define RIGHT_REFER       (UINT64_C(1) << 13)
#define RIGHT_TRUNCATE    (UINT64_C(1) << 14)

/* To write, and all that removes and makes something: bits 4 to 12. */
#define RIGHTS_TO_CHANGE (RIGHT_WRITE_FILE | UINT64_C(0x1ff0))

/* To bind and to connect, by TCP. */
#define RIGHTS_OF_NET UINT64_C(3)

/* What rules are made for, as ABI 4 has it. An older kernel takes a longer one
 * whose rest is 0. */
struct ruleset {
    uint64_t fs;
    uint64_t net;
};

/* One rule: what may be done to a file, or below a folder. */
struct path_beneath {
    uint64_t rights;
    int32_t fd;
} __attribute__((packed));

/* The rights that a folder of ours gives, and a file. */
static const uint64_t rights_of_folder = RIGHT_WRITE_FILE | RIGHT_REMOVE_FILE |
                                         RIGHT_MAKE_DIR | RIGHT_MAKE_REG |
                                         RIGHT_TRUNCATE;
static const uint64_t rights_of_file = RIGHT_WRITE_FILE | RIGHT_TRUNCATE;

/* A set of rules while it grows. */
struct rules {
    int fd;
    uint64_t handled;
};

/* Lets what is below a path be written, or a file itself. What is not there is
 * passed over; whoever writes it will say so. */
static bool allow(const struct rules *rules, const char *path)
{
    struct path_beneath rule = {.fd = open(path, O_PATH | O_CLOEXEC)};
    struct stat about;

    if (rule.fd < 0)
        return false;
    if (fstat(rule.fd, &about) == 0) {
        rule.rights =
            rules->handled &
            (S_ISDIR(about.st_mode) ? rights_of_folder : rights_of_file);
        syscall(ADD_RULE, rules->fd, PATH_BENEATH, &rule, 0);
    }
    close(rule.fd);
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
            allow(rules, ".");
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

static bool is_switched_off(void)
{
    const char *value = getenv("CPROF_LEAKS_NOCONFINE");

    return value && value[0];
}

void confine(const struct command *command, const struct arguments *arguments)
{
    long abi =
        is_switched_off() ? 0 : syscall(CREATE_RULESET, NULL, 0, ASK_VERSION);
    struct ruleset ruleset = {.fs = RIGHTS_TO_CHANGE};
    struct rules rules;

    if (abi < 1)
        return;
    if (abi >= ABI_REFER)
        ruleset.fs |= RIGHT_REFER;
    if (abi >= ABI_TRUNCATE)
        ruleset.fs |= RIGHT_TRUNCATE;
    if (abi >= ABI_NET && !asks_addresses(arguments))
        ruleset.net = RIGHTS_OF_NET;
    rules = (struct rules){
        (int)syscall(CREATE_RULESET, &ruleset, sizeof(ruleset), 0), ruleset.fs};
    if (rules.fd < 0)
        return;
    allow_all(&rules, command, arguments);
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0)
        syscall(RESTRICT_SELF, rules.fd, 0);
    close(rules.fd);
}
