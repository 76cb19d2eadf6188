/* progress.h - a line on the terminal that says how a long wait goes: a
 * download, or the reading of an input. */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include "cli/cli.h"
#include "http/http.h"

struct progress {
    bool is_wanted;
    bool is_shown;
    uint64_t began_ms; /* 0 = not yet */
    uint64_t drawn_ms;
    const char *name; /* of the input that is read */
    uint64_t size;    /* of its file, in bytes; 0 = not known */
};

/* One that is shown when standard error is a terminal and nobody wants it
 * quiet. */
struct progress progress_begin(const struct arguments *arguments);

/* Milliseconds since some moment; for http_options. */
uint64_t progress_now_ms(void *user);

/* Draws the line once a download has taken half a second; for http_options,
 * with a struct progress as its user data. */
void progress_show(void *user, const struct http_progress *how_far);

/* The same for an input that is read; for cprof_snapshots_watch. */
void progress_read(void *user, const char *name, unsigned long long bytes);

/* Takes the line away before something else is printed. */
void progress_clear(struct progress *progress);

#endif
