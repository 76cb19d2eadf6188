/* out.h - where an export goes: through one buffer, gzip'd or not.
 *
 * The gzip is the same for the same bytes: it has no time and no name. */
#ifndef EXPORT_OUT_H
#define EXPORT_OUT_H

#include <zlib.h>

#include "cprof/cprof.h"

#include "base/buf.h"

struct export_out {
    struct buf buf; /* what writers append to */
    cprof_write_fn *write;
    void *user;
    bool is_packed;
    z_stream stream;
};

/* Begins an output. It is ended with export_out_done, on failure too. */
int export_out_init(struct export_out *out, cprof_write_fn *write, void *user,
                    bool is_packed, struct cprof_error *err);
void export_out_done(struct export_out *out);

/* Hands on what the buffer holds once it has become long; a writer calls it at
 * its own borders. CPROF_EIO when the receiver wants no more, CPROF_ENOMEM
 * when the buffer could not grow. */
int export_out_relieve(struct export_out *out, struct cprof_error *err);

/* Hands on the rest and ends the gzip. */
int export_out_end(struct export_out *out, struct cprof_error *err);

#endif
