#include "faults/folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fd.h"

static _Noreturn void fail(const char *what, const char *path)
{
    fprintf(stderr, "faults: %s '%s': %s\n", what, path, strerror(errno));
    exit(2);
}

bool file_read(struct buf *into, const char *path)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    char piece[65536];
    ssize_t n;

    if (fd < 0)
        return false;
    while ((n = read(fd, piece, sizeof(piece))) > 0)
        buf_add(into, (struct str){piece, (size_t)n});
    close(fd);
    return n == 0 && !into->failed;
}

static void path_of(char *ret, size_t size, const char *folder,
                    const char *name)
{
    if ((size_t)snprintf(ret, size, "%s/%s", folder, name) >= size)
        fail("too long a path", name);
}

static bool is_plain(const char *path)
{
    struct stat about;

    return lstat(path, &about) == 0 && S_ISREG(about.st_mode);
}

void folder_read(struct folder *ret, const char *path)
{
    DIR *folder = opendir(path);
    struct dirent *entry;

    if (!folder)
        fail("cannot read", path);
    *ret = (struct folder){0};
    while ((entry = readdir(folder))) {
        struct folder_file *file = &ret->files[ret->n];
        char from[512];

        path_of(from, sizeof(from), path, entry->d_name);
        if (!is_plain(from))
            continue;
        if (ret->n == FOLDER_MOST ||
            strlen(entry->d_name) >= sizeof(file->name))
            fail("too much in", path);
        strcpy(file->name, entry->d_name);
        if (!file_read(&file->bytes, from))
            fail("cannot read", from);
        ret->n++;
    }
    closedir(folder);
}

static void remove_others(const struct folder *folder, const char *path)
{
    DIR *there = opendir(path);
    struct dirent *entry;

    if (!there)
        fail("cannot read", path);
    while ((entry = readdir(there))) {
        char file[512];

        path_of(file, sizeof(file), path, entry->d_name);
        if (is_plain(file) && !folder_find(folder, entry->d_name) &&
            unlink(file) < 0)
            fail("cannot remove", file);
    }
    closedir(there);
}

static void write_file(const struct folder_file *file, const char *path)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

    if (fd < 0 || !fd_write(fd, file->bytes.ptr, file->bytes.len))
        fail("cannot write", path);
    close(fd);
}

void folder_write(const struct folder *folder, const char *path)
{
    remove_others(folder, path);
    for (size_t i = 0; i < folder->n; i++) {
        char to[512];

        path_of(to, sizeof(to), path, folder->files[i].name);
        write_file(&folder->files[i], to);
    }
}

const struct folder_file *folder_find(const struct folder *folder,
                                      const char *name)
{
    for (size_t i = 0; i < folder->n; i++) {
        if (strcmp(folder->files[i].name, name) == 0)
            return &folder->files[i];
    }
    return NULL;
}

void folder_done(struct folder *folder)
{
    for (size_t i = 0; i < folder->n; i++)
        buf_done(&folder->files[i].bytes);
    folder->n = 0;
}
