#include "input/gzip.h"

#include <zlib.h>

enum {
    INPUT_SIZE = 64 * 1024,
    LAYERS_MOST = 3,   /* packed, and packed again */
    MAGIC_SIZE = 2,    /* bytes that tell a member from the rest */
    LOOK_SIZE = 64,    /* bytes that tell text from what pads an archive */
    ANY_GZIP = 15 + 16 /* zlib: largest window, gzip wrapping only */
};

struct gzip {
    struct source inner;
    struct budget *budget;
    z_stream stream;
    bool is_gzip;
    bool inner_ended;
    bool has_ended;
    bool in_member; /* a member has begun and not ended */
    const char *trouble;
    bool has_given; /* something came out */
    size_t n_input; /* bytes of input at hand that were not used */
    unsigned char *next;
    unsigned char input[INPUT_SIZE];
};

/* Sees to it that want bytes of input are at hand, unless the inner source
 * ends. False when that failed; errno is its. */
static bool hold(struct gzip *gzip, size_t want)
{
    if (gzip->n_input >= want || gzip->inner_ended)
        return true;
    memmove(gzip->input, gzip->next, gzip->n_input);
    gzip->next = gzip->input;
    while (gzip->n_input < want && !gzip->inner_ended) {
        ptrdiff_t n =
            gzip->inner.read(gzip->inner.user, gzip->input + gzip->n_input,
                             INPUT_SIZE - gzip->n_input);

        if (n < 0)
            return false;
        gzip->n_input += (size_t)n;
        gzip->inner_ended = n == 0;
    }
    return true;
}

static ptrdiff_t pass_on(struct gzip *gzip, void *into, size_t size)
{
    size_t n = size < gzip->n_input ? size : gzip->n_input;

    if (!n)
        return gzip->inner_ended
                   ? 0
                   : gzip->inner.read(gzip->inner.user, into, size);
    memcpy(into, gzip->next, n);
    gzip->next += n;
    gzip->n_input -= n;
    return (ptrdiff_t)n;
}

static void end_with(struct gzip *gzip, const char *trouble)
{
    gzip->has_ended = true;
    gzip->trouble = trouble;
}

/* One call of inflate; how many bytes it gave. */
static size_t inflate_once(struct gzip *gzip, void *into, size_t size)
{
    z_stream *stream = &gzip->stream;
    unsigned room = size < INPUT_SIZE * 4 ? (unsigned)size : INPUT_SIZE * 4;
    int rc;

    stream->next_in = gzip->next;
    stream->avail_in = (unsigned)gzip->n_input;
    stream->next_out = into;
    stream->avail_out = room;
    rc = inflate(stream, Z_NO_FLUSH);
    gzip->next = stream->next_in;
    gzip->n_input = stream->avail_in;
    if (rc == Z_STREAM_END) {
        gzip->in_member = false;
        inflateReset(stream);
    } else if (rc != Z_OK && rc != Z_BUF_ERROR) {
        end_with(gzip, rc == Z_MEM_ERROR
                           ? "memory ran out while unpacking gzip'd data"
                           : "the gzip'd data is damaged: what follows the "
                             "damage is missing");
    }
    return room - stream->avail_out;
}

/* Whether a member begins at the cursor; one that the input cuts behind its
 * first byte as well. */
static bool begins_member(const struct gzip *gzip)
{
    return gzip->n_input && gzip->next[0] == 0x1f &&
           (gzip->n_input == 1 || gzip->next[1] == 0x8b);
}

/* Whether text stands at the cursor, as where files were joined: no control
 * characters beside those of layout and of terminals. */
static bool begins_text(const struct gzip *gzip)
{
    size_t n = gzip->n_input < LOOK_SIZE ? gzip->n_input : LOOK_SIZE;

    for (size_t i = 0; i < n; i++) {
        unsigned char c = gzip->next[i];

        if ((c < ' ' && !chars_have("\t\n\r\033", (char)c)) || c == 0x7f)
            return false;
    }
    return n && gzip->next[0] < 0x80;
}

/* What follows the last member; text is given as it is. */
static ptrdiff_t read_behind(struct gzip *gzip, void *into, size_t size)
{
    if (!hold(gzip, LOOK_SIZE))
        return -1;
    if (begins_text(gzip)) {
        gzip->is_gzip = false;
        return pass_on(gzip, into, size);
    }
    end_with(gzip, "bytes after the gzip'd data are ignored: they are neither "
                   "text nor gzip");
    return 0;
}

/* Unpacks more of a member. Where the input ends within it, what was taken in
 * already may give more than there was room for. */
static size_t read_member(struct gzip *gzip, void *into, size_t size)
{
    bool is_over = !gzip->n_input;
    size_t n;

    gzip->in_member = true;
    n = inflate_once(gzip, into, size);
    if (is_over && !n && gzip->in_member && !gzip->has_ended)
        end_with(gzip, "the gzip'd data ends early: what follows is missing");
    return n;
}

static ptrdiff_t read_gzip(void *user, void *into, size_t size)
{
    struct gzip *gzip = user;
    size_t n = 0;

    if (!gzip->is_gzip)
        return pass_on(gzip, into, size);
    while (n == 0 && !gzip->has_ended) {
        if (!hold(gzip, gzip->in_member ? 1 : MAGIC_SIZE))
            return -1;
        if (!gzip->n_input && !gzip->in_member) {
            end_with(gzip,
                     gzip->has_given ? NULL : "what was gzip'd was empty");
        } else if (!gzip->in_member && !begins_member(gzip)) {
            return read_behind(gzip, into, size);
        } else {
            n = read_member(gzip, into, size);
            gzip->has_given |= n > 0;
        }
    }
    return (ptrdiff_t)n;
}

static void close_gzip(void *user)
{
    struct gzip *gzip = user;

    inflateEnd(&gzip->stream);
    source_close(&gzip->inner);
    budget_free(gzip->budget, gzip, sizeof(*gzip));
}

static const char *gzip_trouble(void *user)
{
    const struct gzip *gzip = user;

    if (gzip->trouble || !gzip->inner.trouble)
        return gzip->trouble;
    return gzip->inner.trouble(gzip->inner.user);
}

/* How many bytes the headers of an HTTP answer at the front of text take; 0 =
 * their end is not in it. */
static size_t headers_size(struct str text)
{
    size_t crlf = str_search(text, STR("\r\n\r\n"));
    size_t lf = str_search(text, STR("\n\n"));

    if (crlf == text.len && lf == text.len)
        return 0;
    return crlf < lf ? crlf + 4 : lf + 2;
}

static struct str held_from(const struct gzip *gzip, size_t at)
{
    return str_skip((struct str){(const char *)gzip->next, gzip->n_input}, at);
}

/* Passes the headers that curl -i writes before what it fetched, those of
 * redirections as well, when gzip'd data follows them. False when reading
 * failed; errno says why. */
static bool pass_headers(struct gzip *gzip)
{
    struct str begin = STR("HTTP/");
    size_t at = 0;

    while (at < INPUT_SIZE - LOOK_SIZE) {
        size_t n;

        if (!hold(gzip, at + begin.len))
            return false;
        if (!str_starts(held_from(gzip, at), begin))
            break;
        while (!(n = headers_size(held_from(gzip, at))) &&
               gzip->n_input < INPUT_SIZE && !gzip->inner_ended) {
            if (!hold(gzip, gzip->n_input + 1))
                return false;
        }
        if (!n)
            return true;
        at += n;
    }
    if (str_starts(held_from(gzip, at), STR("\x1f\x8b"))) {
        gzip->next += at;
        gzip->n_input -= at;
    }
    return true;
}

static int add_layer(struct source *source, bool *ret_is_gzip, const char *name,
                     struct budget *budget, struct cprof_error *err)
{
    struct place place = {name, 0, 0};
    struct gzip *gzip = budget_resize(budget, NULL, 0, sizeof(*gzip));

    if (!gzip)
        return error_memory(err, place, "reading");
    memset(gzip, 0, offsetof(struct gzip, input));
    gzip->inner = *source;
    gzip->budget = budget;
    gzip->next = gzip->input;
    if (!hold(gzip, MAGIC_SIZE) ||
        (gzip->n_input && gzip->next[0] == 'H' && !pass_headers(gzip))) {
        budget_free(budget, gzip, sizeof(*gzip));
        return error_system(err, place, "cannot read");
    }
    gzip->is_gzip = gzip->n_input >= MAGIC_SIZE && begins_member(gzip);
    if (gzip->is_gzip && inflateInit2(&gzip->stream, ANY_GZIP) != Z_OK) {
        budget_free(budget, gzip, sizeof(*gzip));
        return error_memory(err, place, "unpacking gzip'd data");
    }
    *ret_is_gzip = gzip->is_gzip;
    *source = (struct source){read_gzip, gzip, close_gzip, gzip_trouble};
    return 0;
}

int gzip_unpack(struct source *source, const char *name, struct budget *budget,
                struct cprof_error *err)
{
    bool is_gzip = true;
    int rc = 0;

    for (int i = 0; i < LAYERS_MOST && is_gzip && rc == 0; i++)
        rc = add_layer(source, &is_gzip, name, budget, err);
    return rc;
}
