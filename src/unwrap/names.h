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
 * most as many as a piece has room for, the most telling ones. Where a text is
 * a whole dump, the record is the program's own, and what it calls a host may
 * be any: then is_whole leaves those out. */
uint32_t names_find(struct keyed_line line, struct str key, bool is_whole);

/* Whether the line has one that names the process, or at least its host. */
bool names_has_instance(struct str line);

/* The same without those that name no more than the host. */
bool names_has_process(struct str line);

/* Reads what those keys have in a line into the stream, the instance and the
 * exact slices of *ret, whose text is in scratch or in the line; what several
 * have is put together behind it in scratch. */
void names_read(uint32_t names, struct keyed_line line, struct buf *scratch,
                struct piece *ret);

enum { NAMES_UNKNOWN = 32 };

/* How telling the name of a label is: the less, the finer; NAMES_UNKNOWN when
 * it is not known to name a process or its host. */
unsigned names_rank(struct str label);

/* Whether lines of one process have several values of a label. */
bool names_is_of_line(struct str label);

/* Which columns of a table do, when line is the row of names above it: a known
 * name in any case, with blanks or underscores in it, or behind what it is a
 * part of, as in "resource.labels.pod_name". None for any other line; columns
 * behind the first COLUMNS_MOST are not looked at. */
struct columns names_find_columns(struct str line);

/* Makes the stream of *ret of values, at most as many as a piece has room for;
 * several are put together behind its text in scratch. */
void names_join(const struct str *values, size_t n, struct buf *scratch,
                struct piece *ret);

#endif
