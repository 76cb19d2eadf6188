#include "cli/check_save.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "cli/cli.h"

/* All our files begin with it, so that no others are ever removed. */
#define SAVE_PREFIX "cprof-leaks_"

static int failed(const char *path, struct cprof_error *err)
{
    return error_system(err, (struct place){path, 0, 0},
                        "cannot keep the dump");
}

/* Letters, digits, dots and dashes; whatever else there is becomes a dash. */
static void add_plain(struct buf *buf, struct str text)
{
    for (size_t i = 0; i < text.len && i < 100; i++) {
        char c = text.ptr[i];
        bool is_plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
                        (c >= 'A' && c <= 'Z') || c == '.';

        buf_add_char(buf, is_plain ? c : '-');
    }
}

static void add_time(struct buf *buf, int64_t ns)
{
    time_t seconds = (time_t)(ns / 1000000000);
    struct tm parts;
    char text[32];

    if (gmtime_r(&seconds, &parts) &&
        strftime(text, sizeof(text), "%Y%m%dT%H%M%SZ", &parts))
        buf_add(buf, str_from(text));
}

static void add_path(struct buf *buf, const char *folder,
                     const struct save_name *name)
{
    buf_addf(buf, "%s/" SAVE_PREFIX, folder);
    add_plain(buf, str_from(name->service));
    buf_add_char(buf, '_');
    add_plain(buf, name->instance);
    buf_add_char(buf, '_');
    add_time(buf, name->taken_ns);
    buf_addf(buf, "_%s", name->what);
}

/* A spool that is to be written. */
struct kept {
    struct spool *spool;
};

static int produce_spool(const void *product, cprof_write_fn *write, void *user,
                         struct cprof_error *err)
{
    const struct kept *kept = product;
    char bytes[16384];
    ptrdiff_t n;

    kept->spool->offset = 0;
    while ((n = spool_read(kept->spool, bytes, sizeof(bytes))) > 0) {
        if (write(user, bytes, (size_t)n))
            return CPROF_EIO;
    }
    return n < 0 ? failed("", err) : 0;
}

int save_spool(const char *folder, const struct save_name *name,
               struct spool *spool, struct buf *path, struct cprof_error *err)
{
    struct kept kept = {spool};
    struct buf target = {0};
    int rc;

    add_path(&target, folder, name);
    if (target.failed)
        rc = error_memory(err, (struct place){folder, 0, 0}, "saving");
    else if (mkdir(folder, 0700) < 0 && errno != EEXIST)
        rc = failed(folder, err);
    else
        rc = file_write(target.ptr, 0600, produce_spool, &kept, err);
    if (rc == 0)
        buf_add(path, buf_str(&target));
    if (rc == 0 && path->failed)
        rc = error_memory(err, (struct place){folder, 0, 0},
                          "naming what was saved");
    buf_done(&target);
    return rc;
}

/* --- Removing what is old ------------------------------------------------- */

static int is_ours(const struct dirent *entry)
{
    return str_starts(str_from(entry->d_name), STR(SAVE_PREFIX));
}

/* The time stands in the name behind service and instance: files are ordered
 * by it, wherever these end. */
static struct str time_in(const char *name)
{
    struct str text = str_from(name);
    size_t last = str_rfind(text, '_');
    size_t before = str_rfind(str_head(text, last), '_');

    return before < last ? str_skip(str_head(text, last), before + 1) : text;
}

static int compare(const struct dirent **a, const struct dirent **b)
{
    return str_compare(time_in((*a)->d_name), time_in((*b)->d_name));
}

void save_prune(const char *folder, uint64_t most)
{
    struct dirent **names = NULL;
    int n = scandir(folder, &names, is_ours, compare);

    for (int i = 0; i < n; i++) {
        struct buf path = {0};

        buf_addf(&path, "%s/%s", folder, names[i]->d_name);
        if ((uint64_t)(n - i) > most && !path.failed)
            unlink(path.ptr);
        buf_done(&path);
        free(names[i]);
    }
    free(names);
}
