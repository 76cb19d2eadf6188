/* growing.c - compares dumps of one process that a program holds in memory, and
 * writes the whole answer as JSON.
 *
 *     cc -o growing growing.c $(pkg-config --cflags --libs libcprof)
 *     ./growing monday.txt tuesday.txt */
#include <cprof/cprof.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Where a reader of bytes in memory stands. */
struct cursor {
    const char *at;
    size_t left;
};

static ptrdiff_t read_memory(void *user, void *into, size_t size)
{
    struct cursor *cursor = user;
    size_t n = cursor->left < size ? cursor->left : size;

    memcpy(into, cursor->at, n);
    cursor->at += n;
    cursor->left -= n;
    return (ptrdiff_t)n;
}

static int write_stream(void *user, const char *bytes, size_t size)
{
    return fwrite(bytes, 1, size, user) == size ? 0 : -1;
}

/* All bytes of a file, as a program may have received them; NULL on failure. */
static char *load(const char *path, size_t *ret_size)
{
    FILE *file = fopen(path, "rb");
    char *bytes = NULL;
    long size;

    if (!file)
        return NULL;
    if (fseek(file, 0, SEEK_END) == 0 && (size = ftell(file)) >= 0 &&
        fseek(file, 0, SEEK_SET) == 0 &&
        (bytes = malloc((size_t)size + 1)) != NULL)
        *ret_size = fread(bytes, 1, (size_t)size, file);
    fclose(file);
    return bytes;
}

/* Adds one dump; 0, or -1 with *err filled. */
static int add(struct cprof_snapshots *snapshots, const char *path,
               struct cprof_error *err)
{
    struct cursor cursor = {0};
    char *bytes = load(path, &cursor.left);
    int rc;

    if (!bytes) {
        snprintf(err->message, sizeof(err->message), "cannot read %s", path);
        return -1;
    }
    cursor.at = bytes;
    rc = cprof_snapshots_read(snapshots, path, read_memory, &cursor, err);
    free(bytes);
    return rc;
}

int main(int argc, char **argv)
{
    struct cprof_options *options = NULL;
    struct cprof_snapshots *snapshots = NULL;
    struct cprof_report *report = NULL;
    struct cprof_error err = {0};
    int rc = -1;

    if (argc < 3) {
        fprintf(stderr, "usage: growing OLD NEW...\n");
        return 2;
    }
    if (cprof_options_new(&options, &err) < 0 ||
        cprof_options_set(options, "interval", "1m", &err) < 0 ||
        cprof_snapshots_new(&snapshots, options, &err) < 0)
        goto done;
    cprof_snapshots_compare(snapshots);
    for (int i = 1; i < argc; i++) {
        if (add(snapshots, argv[i], &err) < 0)
            goto done;
    }
    if (cprof_report_new(&report, snapshots, options, &err) == 0)
        rc = cprof_report_write(report, "json", write_stream, stdout, &err);

done:
    if (rc < 0)
        fprintf(stderr, "growing: %s\n", err.message);
    cprof_report_free(report);
    cprof_snapshots_free(snapshots);
    cprof_options_free(options);
    return rc < 0 ? 2 : 0;
}
