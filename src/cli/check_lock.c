#include "cli/check_lock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <unistd.h>

#include "base/buf.h"
#include "model/signature.h"

/* Whether the folder of a file is there. */
static bool has_folder(struct str folder)
{
    struct buf path = {0};
    bool is_there;

    buf_add(&path, folder);
    buf_add(&path, STR("/."));
    is_there = !path.failed && access(path.ptr, F_OK) == 0;
    buf_done(&path);
    return is_there;
}

static int cannot_open(const char *path, const char *history,
                       struct cprof_error *err)
{
    struct str folder = str_from(history);

    if (errno != ENOENT)
        return error_system(err, (struct place){path, 0, 0},
                            "cannot open the locks of the history");
    folder = str_head(folder, str_rfind(folder, '/'));
    /* That of the kernel is there, and takes no files. */
    if (has_folder(folder))
        return error_set(err, CPROF_EIO, (struct place){history, 0, 0},
                         "the folder " STR_FORMAT " takes no files",
                         STR_ARG(folder));
    return error_set(err, CPROF_EIO, (struct place){history, 0, 0},
                     "the folder " STR_FORMAT " is not there", STR_ARG(folder));
}

int check_lock_open(struct check_lock *ret, const char *history,
                    struct cprof_error *err)
{
    struct buf path = {0};
    int rc = 0;

    *ret = (struct check_lock){-1, -1};
    buf_addf(&path, "%s.lock", history);
    if (path.failed) {
        rc = error_memory(err, (struct place){history, 0, 0}, "starting");
    } else {
        ret->fd =
            open(path.ptr, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
        if (ret->fd < 0)
            rc = cannot_open(path.ptr, history, err);
    }
    buf_done(&path);
    return rc;
}

void check_lock_close(struct check_lock *lock)
{
    if (lock->fd >= 0)
        close(lock->fd);
    *lock = (struct check_lock){-1, -1};
}

/* Locks of an open file description, so that a fork or another descriptor of
 * the same file changes nothing. */
static int set(struct check_lock *lock, short type, int64_t at)
{
    struct flock range = {
        .l_type = type, .l_whence = SEEK_SET, .l_start = (off_t)at, .l_len = 1};

    return fcntl(lock->fd, F_OFD_SETLK, &range);
}

int check_lock_take(struct check_lock *lock, struct str instance,
                    struct cprof_error *err)
{
    int64_t at = (int64_t)(signature_of_texts(&instance, 1).low >> 2);

    if (lock->at >= 0)
        set(lock, F_UNLCK, lock->at);
    lock->at = -1;
    if (set(lock, F_WRLCK, at) == 0) {
        lock->at = at;
        return 0;
    }
    if (errno != EAGAIN && errno != EACCES)
        return error_system(err, (struct place){0}, "cannot lock the target");
    return error_set(err, CPROF_ELIMIT, (struct place){0},
                     "another run of check has this target in work");
}
