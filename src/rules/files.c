#include "rules/files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "rules/load.h"

/* One byte more than load.c takes, so that it sees when a file is too large. */
enum { READ_MOST = (1 << 20) + 1, READ_PIECE = 64 * 1024 };

/* Reads a descriptor to its end, or to so many bytes. -1 with errno set when
 * the system refuses; memory that ran out shows in text->failed. */
static int read_all(int fd, size_t most, struct buf *text)
{
    char *piece = malloc(READ_PIECE);
    size_t left = most;
    ssize_t n = -1;

    if (!piece) {
        text->failed = true;
        return 0;
    }
    do {
        n = read(fd, piece, left < READ_PIECE ? left : READ_PIECE);
        if (n > 0) {
            buf_add(text, (struct str){piece, (size_t)n});
            left -= (size_t)n;
        }
    } while ((n > 0 && left) || (n < 0 && errno == EINTR));
    free(piece);
    return n < 0 ? -1 : 0;
}

int file_read(const char *path, size_t most, struct buf *text,
              struct cprof_error *err)
{
    struct place place = {.source = path};
    int failed = 0;
    int fd = open(path, O_RDONLY | O_CLOEXEC);

    if (fd < 0)
        return error_system(err, place, "cannot open");
    if (read_all(fd, most, text) < 0)
        failed = error_system(err, place, "cannot read");
    else if (text->failed)
        failed = error_memory(err, place, "reading");
    close(fd);
    return failed;
}

bool rule_file_is(const char *name)
{
    struct str text = str_from(name);

    /* Editors leave hidden files there. */
    return name[0] != '.' &&
           (str_ends(text, STR(".yaml")) || str_ends(text, STR(".yml")));
}

/* What happens with the text of each file. */
struct reading {
    struct rules *rules;
    struct problems *problems; /* NULL = the first mistake ends it */
    bool may_be_missing;
};

/* Adds the rules of one file. */
static int load_file(const struct reading *reading, const char *path,
                     struct cprof_error *err)
{
    struct buf text = {0};
    int failed = file_read(path, READ_MOST, &text, err);

    if (!failed && reading->problems)
        failed = rules_check_text(reading->rules, path, buf_str(&text),
                                  reading->problems, err);
    else if (!failed)
        failed = rules_load_text(reading->rules, path, buf_str(&text), err);
    buf_done(&text);
    return failed;
}

/* The paths of the rule files of a directory. */
struct paths {
    char **items;
    size_t count;
};

static void paths_done(struct paths *paths)
{
    for (size_t i = 0; i < paths->count; i++)
        free(paths->items[i]);
    free(paths->items);
}

/* Adds FOLDER/NAME. False when memory ran out. */
static bool paths_add(struct paths *paths, const char *folder, const char *name)
{
    struct str slash =
        str_ends(str_from(folder), STR("/")) ? STR("") : STR("/");
    char **items = realloc(paths->items, (paths->count + 1) * sizeof(*items));
    struct buf path = {0};

    if (!items)
        return false;
    paths->items = items;
    buf_add(&path, str_from(folder));
    buf_add(&path, slash);
    buf_add(&path, str_from(name));
    if (path.failed) {
        buf_done(&path);
        return false;
    }
    paths->items[paths->count++] = path.ptr;
    return true;
}

static int compare_paths(const void *a, const void *b)
{
    const char *const *left = a;
    const char *const *right = b;

    return strcmp(*left, *right);
}

/* Lists the rule files of a directory in order of name. */
static int list_folder(struct paths *paths, const char *folder,
                       struct cprof_error *err)
{
    struct place place = {.source = folder};
    DIR *dir = opendir(folder);
    const struct dirent *entry;
    int failed = 0;

    if (!dir)
        return error_system(err, place, "cannot open rules");
    while (!failed) {
        errno = 0;
        entry = readdir(dir);
        if (!entry)
            break;
        if (rule_file_is(entry->d_name) &&
            !paths_add(paths, folder, entry->d_name))
            failed = error_memory(err, place, "reading rules");
    }
    if (!failed && errno)
        failed = error_system(err, place, "cannot read rules");
    closedir(dir);
    if (!failed && paths->count)
        qsort(paths->items, paths->count, sizeof(*paths->items), compare_paths);
    return failed;
}

/* Adds the rules of a file, or of the files of a directory. */
static int load_path(const struct reading *reading, const char *path,
                     struct cprof_error *err)
{
    struct rules_mark mark = rules_mark(reading->rules);
    struct paths paths = {0};
    struct stat about;
    int failed;

    if (stat(path, &about) < 0 && reading->may_be_missing &&
        (errno == ENOENT || errno == ENOTDIR))
        return 0;
    if (stat(path, &about) < 0)
        return error_system(err, (struct place){.source = path},
                            "cannot open rules");
    if (!S_ISDIR(about.st_mode))
        return load_file(reading, path, err);
    failed = list_folder(&paths, path, err);
    if (!failed && !paths.count && !reading->may_be_missing)
        failed = error_set(err, CPROF_ERULE, (struct place){.source = path},
                           "no *.yaml or *.yml file in this directory");
    for (size_t i = 0; !failed && i < paths.count; i++)
        failed = load_file(reading, paths.items[i], err);
    if (failed)
        rules_rollback(reading->rules, mark);
    paths_done(&paths);
    return failed;
}

int rules_load_path(struct rules *rules, const char *path,
                    struct cprof_error *err)
{
    return load_path(&(struct reading){.rules = rules}, path, err);
}

int rules_load_folder(struct rules *rules, const char *path,
                      struct cprof_error *err)
{
    struct reading reading = {.rules = rules, .may_be_missing = true};

    return load_path(&reading, path, err);
}

int rules_check_path(struct rules *rules, const char *path,
                     struct problems *problems, struct cprof_error *err)
{
    struct reading reading = {.rules = rules, .problems = problems};

    return load_path(&reading, path, err);
}
