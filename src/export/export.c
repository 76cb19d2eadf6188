#include "export/export.h"

#include "export/formats.h"

/* ORDER EXPORT: as the help of the command names them. */
static const struct export_format *const formats[] = {
    &pprof_export,
    &folded_export,
    &speedscope_export,
    &jsonl_export,
};

enum { N_FORMATS = sizeof(formats) / sizeof(formats[0]) };

/* Names the known forms, and the one that was probably meant. */
static void unknown(const char *name, struct cprof_error *err)
{
    struct buf known = {0};
    const char *nearest = NULL;
    size_t best = 4;

    for (size_t i = 0; i < N_FORMATS; i++) {
        size_t distance =
            str_distance(str_from(name), str_from(formats[i]->name), 3);

        buf_addf(&known, "%s%s", i ? ", " : "", formats[i]->name);
        if (distance < best) {
            best = distance;
            nearest = formats[i]->name;
        }
    }
    error_set(err, CPROF_EUSAGE, (struct place){0},
              "nothing is exported to '%.100s'%s%s%s (there are: %s)", name,
              nearest ? ", did you mean '" : "", nearest ? nearest : "",
              nearest ? "'?" : "", known.ptr ? known.ptr : "");
    buf_done(&known);
}

const struct export_format *export_format_find(const char *name,
                                               struct cprof_error *err)
{
    for (size_t i = 0; i < N_FORMATS; i++) {
        if (str_equal(str_from(name), str_from(formats[i]->name)))
            return formats[i];
    }
    unknown(name, err);
    return NULL;
}

bool export_is_binary(const struct export_format *format)
{
    return format->is_binary;
}

int export_write(const struct export_request *request, cprof_write_fn *write,
                 void *user, struct cprof_error *err)
{
    const struct export_format *format = request->format;
    struct export_out out;
    int rc = export_out_init(&out, write, user, format->is_packed, err);

    if (rc == 0)
        rc = format->write(request, &out, err);
    if (rc == 0)
        rc = export_out_end(&out, err);
    export_out_done(&out);
    return rc;
}
