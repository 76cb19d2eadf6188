/* page.h - laying out text for people: widths, wrapping, cutting, colour.
 *
 * Widths are terminal columns, not bytes. Every text that is put on a page is
 * escaped on the way (base/escape.h), wherever it comes from. */
#ifndef REPORT_PAGE_H
#define REPORT_PAGE_H

#include "cprof/cprof.h"

#include "base/buf.h"

enum tint {
    TINT_NONE,
    TINT_HEAD,  /* section heads */
    TINT_FAINT, /* what is there for completeness */
    TINT_OK,
    TINT_INFO,
    TINT_LOW,
    TINT_MEDIUM,
    TINT_HIGH,
    TINT_CRITICAL,
};

enum cut { CUT_END, CUT_MIDDLE };
enum align { ALIGN_LEFT, ALIGN_RIGHT };

enum {
    PAGE_NARROWEST = 40,
    PAGE_NARROW = 72, /* below it places get lines of their own */
    PAGE_USUAL = 80,
    PROSE_MOST = 100, /* longer lines are hard to read; tables may be wider */
    WORD_MOST = 400,
};

struct page {
    struct buf *out;
    size_t columns;
    bool color;
};

/* A page of so many columns (0 = PAGE_USUAL, and no narrower than
 * PAGE_NARROWEST) that appends to out. */
struct page page_begin(struct buf *out, size_t columns, bool color);

/* The colour of a severity. */
enum tint tint_of(enum cprof_severity severity);

/* Begins and ends a colour; nothing happens on a page without colour. */
void page_tint(struct page *page, enum tint tint);
void page_plain(struct page *page);

/* Appends text in a colour. */
void page_add(struct page *page, enum tint tint, struct str text);

/* Puts text on the line where the cursor stands at column `at`, breaking it
 * at blanks; further lines begin with `indent` blanks. Line ends in text
 * count as blanks. A word longer than a line stays whole, so that a path can
 * be clicked on, up to WORD_MOST columns, and is cut in its middle then. On a
 * wide page lines end at PROSE_MOST columns behind their indent.
 * Returns the column behind the last word; does not end the line. */
size_t page_wrap(struct page *page, size_t at, size_t indent, struct str text);

/* The same for one whole paragraph: begins with `indent` blanks and ends the
 * line. */
void page_paragraph(struct page *page, size_t indent, struct str text);

/* Appends text cut down to `width` columns with "..." where needed. */
void fit_add(struct buf *buf, struct str text, size_t width, enum cut cut);

/* Appends text of which the last `tail` bytes are worth more than the rest, as
 * the file and line of a place are: what stands before them is cut, in the way
 * asked for, unless they alone fill the width. */
void fit_add_tail(struct buf *buf, struct str text, size_t tail, size_t width,
                  enum cut cut);

/* As fit_add does it, of prose, with a blank for each line end. */
void fit_add_line(struct buf *buf, struct str text, size_t width, enum cut cut);

/* Appends text in a cell of exactly `width` columns. */
void cell_add(struct buf *buf, struct str text, size_t width, enum align align,
              enum cut cut);

#endif
