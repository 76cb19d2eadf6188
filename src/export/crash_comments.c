#include "export/crash_comments.h"

struct comments {
    void (*put)(void *user, struct buf *words);
    void *user;
    struct buf words;
};

static void put_text(struct comments *comments, const char *name,
                     struct str text)
{
    buf_addf(&comments->words, "%s: ", name);
    buf_add(&comments->words, text);
    comments->put(comments->user, &comments->words);
}

/* One comment a line: what stands on a line of its own stays so. */
static void put_lines(struct comments *comments, const char *name,
                      struct str text)
{
    while (text.len)
        put_text(comments, name, str_cut_line(&text));
}

void crash_comments_each(const struct crash *crash,
                         const struct symbols *symbols,
                         void (*put)(void *user, struct buf *words), void *user)
{
    struct comments comments = {.put = put, .user = user};

    put_text(&comments, "crash", str_from(crash_kind_text(crash->kind)));
    put_lines(&comments, "crash-message", crash->message);
    put_lines(&comments, "crash-signal", crash->signal);
    put_lines(&comments, "crash-reason", symbols_text(symbols, crash->reason));
    if (crash->is_request)
        put_text(&comments, "crash-of", STR("request"));
    if (crash->is_elsewhere)
        put_text(&comments, "crash-of", STR("elsewhere"));
    if (crash->has_goroutine) {
        buf_addf(&comments.words, "crash-of: goroutine %llu",
                 (unsigned long long)crash->goroutine);
        put(user, &comments.words);
    }
    buf_done(&comments.words);
}
