#include "cli/progress.h"

#include <stdio.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/count.h"
#include "report/page.h"

enum { QUIET_MS = 500, REDRAW_MS = 200, NAME_MOST = 30, MEGABYTE = 1000000 };

struct progress progress_begin(const struct arguments *arguments)
{
    return (struct progress){.is_wanted =
                                 !arguments->quiet && isatty(STDERR_FILENO)};
}

uint64_t progress_now_ms(void *user)
{
    struct timespec now = {0};

    (void)user;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

/* Whether it is time to draw the line, anew. */
static bool is_due(struct progress *progress)
{
    uint64_t now = progress_now_ms(NULL);

    if (!progress->began_ms)
        progress->began_ms = now;
    if (now - progress->began_ms < QUIET_MS ||
        now - progress->drawn_ms < REDRAW_MS)
        return false;
    progress->drawn_ms = now;
    progress->is_shown = true;
    /* ESC [ K: erase to the end of the line (ECMA-48: EL). */
    fputs("\r\033[K", stderr);
    return true;
}

void progress_show(void *user, const struct http_progress *how_far)
{
    struct progress *progress = user;

    if (!progress->is_wanted || !is_due(progress))
        return;
    fprintf(stderr, "fetching: %zu of %zu done, %s bytes so far",
            how_far->n_done, how_far->n_requests,
            count_text(how_far->n_bytes).text);
    fflush(stderr);
}

/* How large a file is; 0 when it is none, or empty. */
static uint64_t size_of(const char *name)
{
    struct stat about;

    if (stat(name, &about) != 0 || !S_ISREG(about.st_mode))
        return 0;
    return (uint64_t)about.st_size;
}

/* "reading dump.txt: 43 % of 2,684 MB" */
static void draw(const struct progress *progress, uint64_t bytes)
{
    struct str path = str_from(progress->name);
    struct str file = str_skip(path, str_rfind(path, '/') + 1);
    struct buf name = {0};

    fit_add(&name, file.len ? file : path, NAME_MOST, CUT_MIDDLE);
    fprintf(stderr, "reading %s: ", name.ptr ? name.ptr : "");
    if (progress->size && bytes <= progress->size)
        fprintf(stderr, "%u %% of %s MB",
                (unsigned)((double)bytes * 100 / (double)progress->size),
                count_text(progress->size / MEGABYTE).text);
    else
        fprintf(stderr, "%s MB", count_text(bytes / MEGABYTE).text);
    fflush(stderr);
    buf_done(&name);
}

void progress_read(void *user, const char *name, unsigned long long bytes)
{
    struct progress *progress = user;

    if (!progress->is_wanted || !is_due(progress))
        return;
    if (progress->name != name)
        progress->size = size_of(name);
    progress->name = name;
    draw(progress, bytes);
}

void progress_clear(struct progress *progress)
{
    if (progress->is_shown)
        fputs("\r\033[K", stderr);
    progress->is_shown = false;
}
