#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/fd.h"
#include "cli/pager.h"

/* A file descriptor that bytes go to. */
struct sink {
    int fd;
    int error; /* errno of the first failure */
};

static int write_all(void *user, const char *bytes, size_t size)
{
    struct sink *sink = user;

    if (fd_write(sink->fd, bytes, size))
        return 0;
    sink->error = errno;
    return -1;
}

static int write_failed(const char *name, int error, struct cprof_error *err)
{
    errno = error;
    return error_system(err, (struct place){name, 0, 0}, "cannot write");
}

/* What is to be written. */
struct job {
    produce_fn *produce;
    const void *product;
};

static int run(const struct job *job, struct sink *sink,
               struct cprof_error *err)
{
    return job->produce(job->product, write_all, sink, err);
}

/* A reader that has seen enough closes the pipe: that is its good right. */
static int write_open(const struct job *job, int fd, struct cprof_error *err)
{
    struct sink sink = {.fd = fd};
    int rc = run(job, &sink, err);

    if (sink.error == EPIPE) {
        *err = (struct cprof_error){0};
        return 0;
    }
    if (sink.error)
        return write_failed("<stdout>", sink.error, err);
    return rc;
}

/* To standard output; a pager that does not run has shown nothing. */
static int write_stdout(const struct arguments *arguments,
                        const struct job *job, struct cprof_error *err)
{
    struct pager pager = pager_start(arguments);
    int rc = write_open(job, pager.fd, err);

    if (!pager.pid || pager_wait(&pager))
        return rc;
    return write_open(job, STDOUT_FILENO, err);
}

/* Writes to a temporary file beside the target and renames it; signals that
 * would leave the temporary file behind wait until that is done. */
static int write_renamed(const struct job *job, const char *path, mode_t mode,
                         char *temporary, struct cprof_error *err)
{
    struct sink sink = {.fd = mkostemp(temporary, O_CLOEXEC)};
    int rc;

    if (sink.fd < 0)
        return write_failed(path, errno, err);
    rc = run(job, &sink, err);
    if (sink.error)
        rc = write_failed(path, sink.error, err);
    if (rc == 0 && (fchmod(sink.fd, mode) < 0 || fsync(sink.fd) < 0))
        rc = write_failed(path, errno, err);
    if (close(sink.fd) < 0 && rc == 0)
        rc = write_failed(path, errno, err);
    if (rc == 0 && rename(temporary, path) < 0)
        rc = write_failed(path, errno, err);
    if (rc < 0)
        unlink(temporary);
    return rc;
}

int file_descriptor_of(const char *path)
{
    static const struct str folders[] = {STR_INIT("/dev/fd/"),
                                         STR_INIT("/proc/self/fd/")};
    struct str name = str_from(path);
    uint64_t number;

    if (str_equal(name, STR("/dev/stdout")))
        return STDOUT_FILENO;
    if (str_equal(name, STR("/dev/stderr")))
        return STDERR_FILENO;
    for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++) {
        struct str rest = name;

        if (str_cut_prefix(&rest, folders[i]) && str_to_u64(rest, &number) &&
            number <= INT_MAX)
            return (int)number;
    }
    return -1;
}

/* Devices and pipes cannot be renamed over: they are written as they are. */
static int write_through(const struct job *job, const char *path,
                         struct cprof_error *err)
{
    struct sink sink = {.fd = open(path, O_WRONLY | O_CLOEXEC)};
    int rc;

    if (sink.fd < 0)
        return write_failed(path, errno, err);
    rc = run(job, &sink, err);
    if (sink.error)
        rc = write_failed(path, sink.error, err);
    close(sink.fd);
    return rc;
}

/* Whether a file is a database, as a history is, by how those of SQLite begin
 * (sqlite.org/fileformat2.html, 1.3). */
static bool is_database(const char *path)
{
    static const char magic[] = "SQLite format 3";
    char head[sizeof(magic)];
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    bool is_one = fd >= 0 && read(fd, head, sizeof(head)) == sizeof(head) &&
                  !memcmp(head, magic, sizeof(head));

    if (fd >= 0)
        close(fd);
    return is_one;
}

/* A name beside the target, which may itself be as long as its folder takes:
 * nothing is added to it. */
static void add_temporary(struct buf *buf, struct str path)
{
    size_t slash = str_rfind(path, '/');

    if (slash < path.len)
        buf_add(buf, str_head(path, slash + 1));
    buf_add(buf, STR(".cprof-leaks.XXXXXX"));
}

int file_write(const char *path, mode_t mode, produce_fn *produce,
               const void *product, struct cprof_error *err)
{
    struct job job = {produce, product};
    struct buf temporary = {0};
    sigset_t all;
    sigset_t old;
    int rc;

    if (is_database(path))
        return error_set(err, CPROF_EUSAGE, (struct place){path, 0, 0},
                         "is a database, perhaps a history, and is not "
                         "replaced: name another file");
    add_temporary(&temporary, str_from(path));
    if (temporary.failed)
        return error_memory(err, (struct place){path, 0, 0}, "writing");
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, &old);
    rc = write_renamed(&job, path, mode, temporary.ptr, err);
    sigprocmask(SIG_SETMASK, &old, NULL);
    buf_done(&temporary);
    return rc;
}

int output_write(const struct arguments *arguments, produce_fn *produce,
                 const void *product, struct cprof_error *err)
{
    const char *path = arguments->output_file;
    struct job job = {produce, product};
    struct stat about;
    mode_t mask;

    if (!path)
        return write_stdout(arguments, &job, err);
    if (file_descriptor_of(path) >= 0)
        return write_open(&job, file_descriptor_of(path), err);
    if (stat(path, &about) == 0 && !S_ISREG(about.st_mode))
        return write_through(&job, path, err);
    mask = umask(0);
    umask(mask);
    return file_write(path, 0666 & ~mask, produce, product, err);
}
