#include "input/source.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <sys/stat.h>
#include <unistd.h>

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

void source_close(struct source *source)
{
    if (source->close)
        source->close(source->user);
    *source = (struct source){0};
}
