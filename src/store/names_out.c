#include <stdlib.h>

#include "store/names.h"

int names_out_init(struct names_out *out, struct database *database,
                   const struct symbols *symbols, struct cprof_error *err)
{
    *out = (struct names_out){
        .database = database, .symbols = symbols, .err = err};
    out->texts = calloc(symbols_n_texts(symbols) + 1, sizeof(*out->texts));
    if (!out->texts)
        out->rc = error_memory(err, (struct place){database->path, 0, 0},
                               "storing a snapshot");
    return out->rc;
}

void names_out_done(struct names_out *out)
{
    free(out->texts);
    buf_done(&out->scratch);
}

/* The number of the row that holds bytes, which one statement finds, and
 * another adds. */
static uint64_t put_bytes(struct names_out *out, struct str bytes,
                          enum sql find, enum sql add)
{
    struct query query;
    int64_t number = 0;

    if (out->rc < 0)
        return 0;
    query = query_begin(out->database, find, out->err);
    query_blob(&query, bytes);
    if (query_next(&query))
        number = query_get_number(&query, 0);
    out->rc = query_end(&query);
    if (out->rc < 0 || number > 0)
        return (uint64_t)number;
    query = query_begin(out->database, add, out->err);
    query_blob(&query, bytes);
    out->rc = query_run(&query);
    return out->rc < 0 ? 0
                       : (uint64_t)sqlite3_last_insert_rowid(out->database->db);
}

uint64_t names_put_text(struct names_out *out, struct str text)
{
    return text.len ? put_bytes(out, text, SQL_TEXT_FIND, SQL_TEXT_ADD) : 0;
}

uint64_t names_put_text_id(struct names_out *out, text_id id)
{
    int64_t *known = &out->texts[id];

    if (id && !*known)
        *known = (int64_t)names_put_text(out, symbols_text(out->symbols, id));
    return (uint64_t)*known;
}

static void add_frame(struct names_out *out, struct buf *blob, frame_id id)
{
    struct frame frame = symbols_frame(out->symbols, id);

    blob_add(blob, names_put_text_id(out, frame.function));
    blob_add(blob, names_put_text_id(out, frame.file));
    blob_add(blob, frame.line);
}

static uint64_t put_frames(struct names_out *out, const frame_id *frames,
                           uint32_t n, uint32_t elided)
{
    struct buf *blob = &out->scratch;

    buf_clear(blob);
    blob_add(blob, !elided                 ? 0
                   : elided == ELIDED_SOME ? 1
                                           : (uint64_t)elided + 1);
    for (uint32_t i = 0; i < n && out->rc == 0; i++)
        add_frame(out, blob, frames[i]);
    if (blob->failed && out->rc == 0)
        out->rc =
            error_memory(out->err, (struct place){out->database->path, 0, 0},
                         "storing a snapshot");
    return put_bytes(out, buf_str(blob), SQL_STACK_FIND, SQL_STACK_ADD);
}

uint64_t names_put_stack(struct names_out *out, stack_id id)
{
    struct stack stack = symbols_stack(out->symbols, id);

    if (id == STACK_EMPTY)
        return 0;
    return put_frames(out, stack.frames, stack.n_frames, stack.elided);
}

uint64_t names_put_frame(struct names_out *out, frame_id id)
{
    return id ? put_frames(out, &id, 1, 0) : 0;
}
