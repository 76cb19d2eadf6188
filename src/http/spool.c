#include "http/spool.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/fd.h"

void spool_init(struct spool *spool, const char *folder, size_t most)
{
    *spool = (struct spool){.folder = folder, .most = most, .fd = -1};
}

void spool_clear(struct spool *spool)
{
    if (spool->fd >= 0)
        close(spool->fd);
    spool->fd = -1;
    spool->size = 0;
    spool->offset = 0;
    buf_clear(&spool->memory);
}

void spool_done(struct spool *spool)
{
    spool_clear(spool);
    buf_done(&spool->memory);
}

/* A file that no folder lists, or -1 with errno set. Not every file system
 * knows O_TMPFILE. */
static int open_nameless(const char *folder)
{
    int fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    struct buf name = {0};

    if (fd >= 0 || (errno != EISDIR && errno != EOPNOTSUPP))
        return fd;
    buf_addf(&name, "%s/cprof-leaks.XXXXXX", folder);
    fd = name.failed ? -1 : mkostemp(name.ptr, O_CLOEXEC);
    if (fd >= 0)
        unlink(name.ptr);
    buf_done(&name);
    return fd;
}

/* Moves the body from memory to a file. */
static bool move_to_file(struct spool *spool)
{
    int error;
    int fd = open_nameless(spool->folder);

    if (fd < 0)
        return false;
    if (!fd_write(fd, spool->memory.ptr, spool->memory.len)) {
        error = errno;
        close(fd);
        errno = error;
        return false;
    }
    spool->fd = fd;
    buf_done(&spool->memory);
    return true;
}

bool spool_add(struct spool *spool, const void *bytes, size_t size)
{
    if (spool->fd < 0 && spool->memory.len + size > SPOOL_MEMORY &&
        !move_to_file(spool) && spool->memory.len + size > spool->most)
        return false;
    if (spool->fd >= 0) {
        if (!fd_write(spool->fd, bytes, size))
            return false;
    } else {
        buf_add(&spool->memory, (struct str){bytes, size});
        if (spool->memory.failed) {
            errno = ENOMEM;
            return false;
        }
    }
    spool->size += size;
    return true;
}

static ptrdiff_t read_at(const struct spool *spool, uint64_t offset, void *into,
                         size_t size)
{
    struct str rest;
    ssize_t n;

    if (spool->fd < 0) {
        rest =
            str_head(str_skip(buf_str(&spool->memory), (size_t)offset), size);
        if (rest.len)
            memcpy(into, rest.ptr, rest.len);
        return (ptrdiff_t)rest.len;
    }
    do
        n = pread(spool->fd, into, size, (off_t)offset);
    while (n < 0 && errno == EINTR);
    return n;
}

ptrdiff_t spool_read(void *spool, void *into, size_t size)
{
    struct spool *body = spool;
    ptrdiff_t n = read_at(body, body->offset, into, size);

    if (n > 0)
        body->offset += (uint64_t)n;
    return n;
}

size_t spool_peek(const struct spool *spool, void *into, size_t size)
{
    ptrdiff_t n = read_at(spool, 0, into, size);

    return n > 0 ? (size_t)n : 0;
}
