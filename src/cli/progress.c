#include <stdio.h>
#include <time.h>

#include "base/count.h"
#include "cli/addresses.h"

enum { QUIET_MS = 500, REDRAW_MS = 200 };

uint64_t progress_now_ms(void *user)
{
    struct timespec now = {0};

    (void)user;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

void progress_show(void *user, const struct http_progress *how_far)
{
    struct progress *progress = user;
    uint64_t now;

    if (!progress->is_wanted)
        return;
    now = progress_now_ms(NULL);
    if (!progress->began_ms)
        progress->began_ms = now;
    if (now - progress->began_ms < QUIET_MS ||
        now - progress->drawn_ms < REDRAW_MS)
        return;
    progress->drawn_ms = now;
    progress->is_shown = true;
    /* ESC [ K: erase to the end of the line (ECMA-48: EL). */
    fprintf(stderr, "\r\033[Kfetching: %zu of %zu done, %s bytes so far",
            how_far->n_done, how_far->n_requests,
            count_text(how_far->n_bytes).text);
    fflush(stderr);
}

void progress_clear(struct progress *progress)
{
    if (progress->is_shown)
        fputs("\r\033[K", stderr);
    progress->is_shown = false;
}
