#include "input/source.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/utc.h"

/* A file descriptor travels as the user pointer itself. */
static ptrdiff_t read_fd(void *user, void *into, size_t size)
{
    int fd = (int)(intptr_t)user;
    ssize_t n;

    do
        n = read(fd, into, size);
    while (n < 0 && errno == EINTR);
    return n;
}

static void close_fd(void *user)
{
    int fd = (int)(intptr_t)user;

    if (fd != STDIN_FILENO)
        close(fd);
}

/* Lets the writer of a pipe run further ahead, where the kernel can do that;
 * nothing else has this effect, and nothing happens to other files. */
static void widen_pipe(int fd)
{
#ifdef F_SETPIPE_SZ
    enum { PIPE_BYTES = 1 << 20 };

    (void)fcntl(fd, F_SETPIPE_SZ, PIPE_BYTES);
#else
    (void)fd;
#endif
}

int source_open(struct source *ret, const char *path, struct cprof_error *err)
{
    bool is_stdin = str_equal(str_from(path), STR("-"));
    struct place place = {is_stdin ? "<stdin>" : path, 0, 0};
    int fd = is_stdin ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    struct stat about;

    if (fd < 0)
        return error_system(err, place, "cannot open");
    if (fstat(fd, &about) == 0 && S_ISDIR(about.st_mode)) {
        close_fd((void *)(intptr_t)fd);
        return error_set(err, CPROF_EIO, place,
                         "is a directory: expected a file with a dump");
    }
    if (is_stdin)
        widen_pipe(fd);
    *ret = (struct source){
        .read = read_fd, .user = (void *)(intptr_t)fd, .close = close_fd};
    return 0;
}

static ptrdiff_t read_memory(void *user, void *into, size_t size)
{
    struct source_memory *memory = user;
    size_t n = size < memory->rest.len ? size : memory->rest.len;

    if (memory->step && n > memory->step)
        n = memory->step;
    if (n)
        memcpy(into, memory->rest.ptr, n);
    memory->rest = str_skip(memory->rest, n);
    return (ptrdiff_t)n;
}

struct source source_from_memory(struct source_memory *memory)
{
    return (struct source){.read = read_memory, .user = memory};
}

ptrdiff_t source_pour(void *into, size_t size, struct str *rest,
                      bool (*next)(void *user), void *user)
{
    char *at = into;

    while (size && (rest->len || next(user))) {
        size_t n = rest->len < size ? rest->len : size;

        memcpy(at, rest->ptr, n);
        at += n;
        size -= n;
        *rest = str_skip(*rest, n);
    }
    return at - (char *)into;
}

int source_file(const struct source *source)
{
    int fd = (int)(intptr_t)source->user;
    struct stat about;

    if (source->read != read_fd || fd == STDIN_FILENO ||
        fstat(fd, &about) != 0 || !S_ISREG(about.st_mode))
        return -1;
    return fd;
}

size_t source_read_at(int file, void *into, size_t size, uint64_t offset)
{
    ssize_t n;

    do
        n = pread(file, into, size, (off_t)offset);
    while (n < 0 && errno == EINTR);
    return n > 0 ? (size_t)n : 0;
}

uint64_t source_file_size(int file)
{
    struct stat about;

    return fstat(file, &about) == 0 && about.st_size > 0
               ? (uint64_t)about.st_size
               : 0;
}

bool source_seek(int file, uint64_t offset)
{
    return lseek(file, (off_t)offset, SEEK_SET) == (off_t)offset;
}

uint64_t source_position(int file)
{
    off_t at = lseek(file, 0, SEEK_CUR);

    return at < 0 ? 0 : (uint64_t)at;
}

static ptrdiff_t read_range(void *user, void *into, size_t size)
{
    struct source_range *range = user;
    uint64_t left = range->end - range->at;
    size_t n = size < left ? size : left;

    if (n < left && n > SOURCE_PAGE)
        n -= (range->at + n) % SOURCE_PAGE;
    n = source_read_at(range->file, into, n, range->at);
    range->at += n;
    return (ptrdiff_t)n;
}

struct source source_from_range(struct source_range *range)
{
    return (struct source){.read = read_range, .user = range};
}

void source_close(struct source *source)
{
    if (source->close)
        source->close(source->user);
    *source = (struct source){0};
}

int64_t source_written_ns(const char *path)
{
    bool is_stdin = str_equal(str_from(path), STR("-"));
    struct stat about;
    int rc = is_stdin ? fstat(STDIN_FILENO, &about) : stat(path, &about);

    return rc == 0 && S_ISREG(about.st_mode)
               ? utc_ns(about.st_mtim.tv_sec, about.st_mtim.tv_nsec)
               : 0;
}
