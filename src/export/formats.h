/* formats.h - the forms of an export, one const struct each. */
#ifndef EXPORT_FORMATS_H
#define EXPORT_FORMATS_H

#include "export/export.h"
#include "export/out.h"

struct export_format {
    const char *name; /* the word of --to */
    bool is_binary;
    bool is_packed; /* the whole of it is gzip'd */

    /* Writes the request to out, but for what out still holds at the end. */
    int (*write)(const struct export_request *request, struct export_out *out,
                 struct cprof_error *err);
};

extern const struct export_format pprof_export;
extern const struct export_format folded_export;
extern const struct export_format speedscope_export;
extern const struct export_format jsonl_export;

#endif
