#include "report/writers.h"

enum { RELIEVE_AT = 64 * 1024 };

static const struct writer writers[] = {
    {"text", text_write},     {"json", json_write},
    {"html", html_write},     {"markdown", markdown_write},
    {"junit", junit_write},   {"sarif", sarif_write},
    {"github", github_write},
};

enum { N_WRITERS = sizeof(writers) / sizeof(writers[0]) };

/* Names the known writers, and the one that was probably meant. */
static void unknown(const char *name, struct cprof_error *err)
{
    struct buf known = {0};
    const char *nearest = NULL;
    size_t best = 3;

    for (size_t i = 0; i < N_WRITERS; i++) {
        size_t distance =
            str_distance(str_from(name), str_from(writers[i].name), 2);

        buf_addf(&known, "%s%s", i ? ", " : "", writers[i].name);
        if (distance < best) {
            best = distance;
            nearest = writers[i].name;
        }
    }
    error_set(err, CPROF_EUSAGE, (struct place){0},
              "no output format '%.100s'%s%s%s (there are: %s)", name,
              nearest ? ", did you mean '" : "", nearest ? nearest : "",
              nearest ? "'?" : "", known.ptr ? known.ptr : "");
    buf_done(&known);
}

const struct writer *writer_find(const char *name, struct cprof_error *err)
{
    for (size_t i = 0; i < N_WRITERS; i++) {
        if (str_equal(str_from(name), str_from(writers[i].name)))
            return &writers[i];
    }
    unknown(name, err);
    return NULL;
}

int output_flush(struct output *out, struct cprof_error *err)
{
    if (out->buf.failed)
        return error_memory(err, (struct place){0}, "writing the report");
    if (!out->write)
        return 0;
    if (out->buf.len && out->write(out->user, out->buf.ptr, out->buf.len))
        return error_set(err, CPROF_EIO, (struct place){0},
                         "the report could not be written");
    buf_clear(&out->buf);
    return 0;
}

int output_relieve(struct output *out, struct cprof_error *err)
{
    return out->buf.len < RELIEVE_AT ? 0 : output_flush(out, err);
}
