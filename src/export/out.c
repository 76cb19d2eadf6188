#include "export/out.h"

#include "base/error.h"

enum {
    RELIEVE_AT = 64 * 1024,
    PACKED_SIZE = 16 * 1024,
    GZIP = 15 + 16, /* zlib: the largest window, in gzip's wrapping */
    MEMORY = 8,     /* zlib's default */
};

int export_out_init(struct export_out *out, cprof_write_fn *write, void *user,
                    bool is_packed, struct cprof_error *err)
{
    *out = (struct export_out){
        .write = write, .user = user, .is_packed = is_packed};
    if (is_packed &&
        deflateInit2(&out->stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, GZIP,
                     MEMORY, Z_DEFAULT_STRATEGY) != Z_OK) {
        out->is_packed = false;
        return error_memory(err, (struct place){0}, "packing the export");
    }
    return 0;
}

void export_out_done(struct export_out *out)
{
    if (out->is_packed)
        deflateEnd(&out->stream);
    out->is_packed = false;
    buf_done(&out->buf);
}

static int hand_on(struct export_out *out, const char *bytes, size_t size,
                   struct cprof_error *err)
{
    if (size && out->write(out->user, bytes, size))
        return error_set(err, CPROF_EIO, (struct place){0},
                         "the export could not be written");
    return 0;
}

/* Packs what the buffer holds; with Z_FINISH the gzip ends there. */
static int pack(struct export_out *out, int flush, struct cprof_error *err)
{
    unsigned char packed[PACKED_SIZE];
    z_stream *stream = &out->stream;
    size_t left = out->buf.len;
    int rc = 0;

    stream->next_in = (void *)out->buf.ptr;
    do {
        uInt size = left < UINT32_MAX / 2 ? (uInt)left : UINT32_MAX / 2;

        stream->avail_in = size;
        left -= size;
        do {
            stream->next_out = packed;
            stream->avail_out = PACKED_SIZE;
            deflate(stream, left ? Z_NO_FLUSH : flush); /* never refuses */
            rc = hand_on(out, (const char *)packed,
                         PACKED_SIZE - stream->avail_out, err);
        } while (rc == 0 && !stream->avail_out);
    } while (rc == 0 && left);
    return rc;
}

static int flush_out(struct export_out *out, int flush, struct cprof_error *err)
{
    int rc;

    if (out->buf.failed)
        return error_memory(err, (struct place){0}, "writing the export");
    rc = out->is_packed ? pack(out, flush, err)
                        : hand_on(out, out->buf.ptr, out->buf.len, err);
    buf_clear(&out->buf);
    return rc;
}

int export_out_relieve(struct export_out *out, struct cprof_error *err)
{
    if (out->buf.len < RELIEVE_AT && !out->buf.failed)
        return 0;
    return flush_out(out, Z_NO_FLUSH, err);
}

int export_out_end(struct export_out *out, struct cprof_error *err)
{
    return flush_out(out, Z_FINISH, err);
}
