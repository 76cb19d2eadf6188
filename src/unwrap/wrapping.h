/* wrapping.h - wrappings: one for each way a log changes the lines of a dump.
 *
 * A wrapping learns its shape from a line where a dump begins, and then says
 * of any line whether it has that shape and what is inside. It keeps no state
 * of its own. To add one, write its file and add its one const struct to the
 * array in wrappings.c. */
#ifndef UNWRAP_WRAPPING_H
#define UNWRAP_WRAPPING_H

#include "base/buf.h"
#include "unwrap/begin.h"

enum {
    SHAPE_MOST = 160,
    PIECE_EXACT_MOST = 4,
};

enum { COLUMNS_MOST = 32 };

/* Columns of a table that tell whose line a row is: names.h. */
struct columns {
    uint32_t names;    /* bit N: column N does, from 0; 0 = none is known */
    uint32_t instance; /* of them, the one that names the pod or the host */
    uint32_t shared;   /* of them, those that a process has several values of */
};

/* What a wrapping learned. The fields behind wrapping are its own business. */
struct shape {
    const struct wrapping *wrapping;
    char text[SHAPE_MOST]; /* not NUL-terminated */
    size_t len;
    size_t offset;          /* where text stood */
    bool has_own_ends;      /* what is inside holds its line ends itself */
    bool to_the_end;        /* all lines behind the first belong to it */
    bool is_spread;         /* an object of JSON takes several lines */
    uint32_t names;         /* keys that tell whose line it is: names.h */
    struct columns columns; /* of the table that the lines are rows of, if they
                               are: known before anything is learned */
};

/* What a wrapping makes of one line. */
struct piece {
    struct str text;     /* the inside: a slice of the line or of scratch; it
                            may hold line ends, but none at its end */
    struct str stream;   /* whose line it is: lines of one stream belong
                            together; empty = there is one stream only */
    struct str instance; /* the pod or host it comes from; empty = unknown */
    bool is_process;     /* stream names a process of the instance */
    bool goes_on;        /* its last line goes on in the next of the stream */
    bool is_last;        /* the wrapping ends behind this line */
    bool is_open;        /* the line given was cut while the inside went on */
    size_t n_used;       /* how many bytes of it are used up; 0 = all */
    bool is_quoted;      /* with is_open: a quote should have ended it */
    bool continues;      /* of the same stream as the line before it */
    bool is_around;      /* a line of the wrapping without an inside */

    /* For stencil.h, of a regular wrapping only. */
    struct str source; /* the inside as the line spells it, when text is that
                          of a quoted string; empty = text, or unknown */
    struct str exact[PIECE_EXACT_MOST]; /* what must not change besides the
                                           stream, as slices of the line */
    struct str hex; /* of the line: whose bytes may be any others from '0' to
                       'f', unless they are exact */
};

struct wrapping {
    const char *name;

    /* Its shape fits any line: then a call and its place must follow a header
     * on the next two lines as they are. */
    bool is_loose;

    /* What it makes of a line depends on nothing but what stands before and
     * behind the inside, and on no digit outside of the stream and of what is
     * exact, as long as they stay digits, or what hex allows. Then lines can
     * be stencilled. */
    bool is_regular;

    /* What is inside ends at a quote, lines later: an input that ends before it
     * has a part only. */
    bool ends_in_quote;

    /* Whether the line, in which something begins at begin, can be wrapped so.
     * Fills *shape, whose other fields but columns are cleared. */
    bool (*learn)(struct shape *shape, struct str line, struct begin begin);

    /* Learns more from the lines behind that one, when the shape is right; NULL
     * where they tell nothing. */
    void (*look_on)(struct shape *shape, struct str window);

    /* Whether a line has the shape, and what is inside. *ret is cleared
     * before; scratch is empty, and lives as long as *ret. */
    bool (*strip)(const struct shape *shape, struct str line,
                  struct buf *scratch, struct piece *ret);

    /* The same for bytes that follow a piece with is_open on the same line;
     * NULL where there is no such piece. */
    void (*more)(const struct shape *shape, struct str bytes,
                 struct buf *scratch, struct piece *ret);
};

/* All wrappings; the first that proves itself has the line. */
extern const struct wrapping *const wrappings[];
extern const size_t n_wrappings;

extern const struct wrapping ansi_wrapping;
extern const struct wrapping blanks_wrapping;
extern const struct wrapping compose_wrapping;
extern const struct wrapping cri_wrapping;
extern const struct wrapping csv_cell_wrapping;
extern const struct wrapping csv_wrapping;
extern const struct wrapping escaped_wrapping;
extern const struct wrapping glued_wrapping;
extern const struct wrapping goleak_wrapping;
extern const struct wrapping host_wrapping;
extern const struct wrapping html_wrapping;
extern const struct wrapping journal_wrapping;
extern const struct wrapping kubernetes_wrapping;
extern const struct wrapping labels_wrapping;
extern const struct wrapping learned_wrapping;
extern const struct wrapping octal_wrapping;
extern const struct wrapping quoted_wrapping;
extern const struct wrapping rfc5424_wrapping;
extern const struct wrapping stern_wrapping;
extern const struct wrapping strings_wrapping;
extern const struct wrapping syslog_wrapping;
extern const struct wrapping tag_wrapping;
extern const struct wrapping timestamp_wrapping;

/* For the learn of a wrapping that only cuts a prefix: whether its strip takes
 * the line and leaves the begin inside. */
bool wrapping_learn_prefix(const struct wrapping *wrapping, struct str line,
                           struct begin begin);

#endif
