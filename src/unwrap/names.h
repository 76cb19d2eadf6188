/* names.h - whose line a line of JSON is.
 *
 * Log shippers put the stream, the container and the pod beside the text:
 *
 *     {"log":"text\n","stream":"stderr","kubernetes":{"pod_name":"api-1",...}}
 *     {"MESSAGE":"text","_HOSTNAME":"node-3","_PID":"24117",...} */
#ifndef UNWRAP_NAMES_H
#define UNWRAP_NAMES_H

#include "unwrap/wrapping.h"

/* A line, and where its text stands: from behind the quote that begins it to
 * behind the one that ends it; both are the length of the line where it has
 * none. The text is no name, whatever its key: docker build answers
 * {"stream":"text"}. */
struct keyed_line {
    struct str line;
    size_t text;
    size_t text_end;
};

/* Which of the known keys, as bits, the line has; key is that of the text. At
 * most as many as a piece has room for, the most telling ones. */
uint32_t names_find(struct keyed_line line, struct str key);

/* Whether the line has one that names the process. */
bool names_has_instance(struct str line);

/* Reads what those keys have in a line into the stream, the instance and the
 * exact slices of *ret, whose text is in scratch or in the line; what several
 * have is put together behind it in scratch. */
void names_read(uint32_t names, struct keyed_line line, struct buf *scratch,
                struct piece *ret);

#endif
