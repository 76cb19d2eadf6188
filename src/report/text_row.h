/* text_row.h - rows of tables: right-aligned counts, shares, and a last cell
 * that takes what is left of the line. */
#ifndef REPORT_TEXT_ROW_H
#define REPORT_TEXT_ROW_H

#include "report/text.h"

enum {
    ROW_INDENT = 2,
    ROW_GAP = 2,
    ROW_SHARE = 8,        /* "100.00 %", "<0.01 %" */
    ROW_LAST = 20,        /* room in which a place is readable when cut; on a */
    ROW_LAST_NARROW = 32, /* narrow page lines are cheaper than that */
    ROW_NAME = 14,        /* the same of a function before a file and line */
    ROW_BELOW = 7,        /* indent of a line that goes on with the one above */
};

/* The columns that a count takes. */
size_t row_count_width(uint64_t count);

/* How many columns words take. Had there been no memory for them, the text
 * fails. */
size_t row_words_width(const struct text *text, const struct buf *words);

/* The larger of two widths. */
size_t row_wider(size_t a, size_t b);

/* Begins a row with its indent and a count in a cell of `width` columns. */
void row_count(struct text *text, uint64_t count, size_t width);

/* Appends a gap and a cell with a share. */
void row_share(struct text *text, double share);

/* Appends a gap and a cell. */
void row_cell(struct text *text, struct str words, size_t width,
              enum align align);

/* Appends a gap and the last cell to a line of which `used` columns are
 * taken, and ends the line. Where little room is left, a cell that does not
 * fit gets a line of its own. */
void row_last(struct text *text, struct str words, size_t used);

/* The same for a place, the last `tail` bytes of which say file and line: its
 * own line comes sooner, so that these are never cut for the sake of it. */
void row_place(struct text *text, struct str words, size_t tail, size_t used);

/* Ends a table that was cut: "... 12 more groups (--all shows them)". noun may
 * be empty; nothing for 0. */
void row_more(struct text *text, size_t n, const char *noun);

#endif
