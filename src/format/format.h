/* format.h - readers: one for each form of dump.
 *
 * A reader reads one section: it gets the lines from where it was recognised,
 * ends at the first line that it does not own and leaves that at the cursor.
 * The driver (read/) recognises again from there. To add a reader, write its
 * file and add its one const struct to the array in formats.c
 * (docs/adding-a-reader.md). */
#ifndef FORMAT_FORMAT_H
#define FORMAT_FORMAT_H

#include "input/lines.h"
#include "model/collection.h"

/* What a reader works on. */
struct section {
    struct lines *lines;
    struct cprof_snapshots *snapshots; /* readers add to its end */
    struct str source;                 /* name of the input */
    uint32_t input;                    /* its number, from 0 */
    struct str instance;               /* pod or host, when a log says it */
    /* The last snapshot of this input, when the same reader made it and only
     * lines of nobody's stood between: a dump that a log cut in pieces goes on
     * in it. Else NULL. */
    struct snapshot *previous;
    /* Lines of others inside the section that the reader stepped over, and
     * the number of the first of them. */
    uint64_t n_foreign;
    uint64_t foreign_line;
    /* Goroutines of this input that lack frames although more of their dump
     * follows, and the first of them. */
    uint64_t n_damaged;
    uint64_t damaged_id;
    uint64_t damaged_line;
    /* Lines of this input that say that lines were left out, and the first. */
    uint64_t n_omissions;
    uint64_t omission_line;
    /* Lines of stacks that stand beside a dump without their goroutine's
     * header: how often, the first line of all and the last one seen. */
    uint64_t n_strays;
    uint64_t stray_line;
    uint64_t stray_last;
    /* Dumps of this input that were dropped, the earliest first, because there
     * were more than SECTION_DUMPS. */
    uint64_t n_dropped;
    /* A profile that ended before its names was left out, at this byte of the
     * input: why the input holds no dump, if it holds none. */
    bool has_nameless;
    uint64_t nameless_end;

    /* A profile without one record of what its title declares was left out;
     * the title's line. */
    uint64_t empty_declared; /* 0 = there was none */
    uint64_t empty_line;

    uint64_t holed; /* line of the snapshot of which zeros were said last */

    /* Whether a dump begins inside the line at the cursor, behind the prefix of
     * a log or quoted: set by the driver, which knows wrappings. */
    bool (*begins_wrapped)(void *driver);
    void *driver;
};

/* A log may hold any number of dumps; so many of an input, the last ones, are
 * kept. */
enum { SECTION_DUMPS = 256 };

struct format {
    const char *name; /* "debug1": snapshots[].format of the report */

    /* Whether a section of this form begins with the line, which is the one
     * at the cursor of lines. May look at the line behind it. */
    bool (*recognise)(struct lines *lines, struct str line);

    /* Reads the section. Fails only for lack of memory; dirt becomes
     * diagnostics. */
    int (*read)(struct section *section, struct cprof_error *err);
};

/* All readers; the first that recognises a line has it. */
extern const struct format *const formats[];
extern const size_t n_formats;

/* The reader that recognises the line at the cursor, or NULL. Some look ahead:
 * slices taken before are void, the line as well. */
const struct format *format_recognise(struct lines *lines, struct str line);

/* Adds a snapshot for a section, its info filled from it: source, input,
 * line and format. When the input has SECTION_DUMPS already, its oldest goes:
 * pointers to snapshots other than the last are void then. Where it fails, *ret
 * is left as it was. */
int section_snapshot(struct section *section, const char *format,
                     struct snapshot **ret, struct cprof_error *err);

/* Whether a section of any form begins with the line at the cursor, as it is or
 * wrapped: for readers that step over lines of others, to be asked at these
 * only. Slices taken before are void. */
bool section_another_begins(struct section *section, struct str line);

/* Counts the line at the cursor as one of others. */
void section_count_foreign(struct section *section);

/* Counts n goroutines that lack frames, of which the first has this id and
 * line. */
void section_count_damaged(struct section *section, uint64_t n, uint64_t id,
                           uint64_t line);

/* Counts n lines that say that lines were left out, the first of which is this
 * one. */
void section_count_omissions(struct section *section, uint64_t n,
                             uint64_t line);

/* Counts a line of a stack, at this line of the input, that no goroutine has;
 * once for lines that stand close together. */
void section_count_stray(struct section *section, uint64_t line);

/* Says that zeros stand at the line at the cursor in place of a dump's text. */
void section_say_zeros(struct section *section);

/* Says so, once of a snapshot, and that it is not complete, when a text of it
 * at the cursor holds some. */
void section_see_zeros(struct section *section, struct snapshot *snapshot,
                       struct str text);

/* Passes the line at the cursor, which is the snapshot's; zeros in it are
 * said. */
void section_pass_line(struct section *section, struct snapshot *snapshot);

/* Says that a goroutine or sample at a line of the input (0 = it has none) has
 * as many labels as are read, so that there may be more. */
void section_say_labels(struct section *section, uint64_t line, size_t most);

#endif
