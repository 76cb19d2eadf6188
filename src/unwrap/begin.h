/* begin.h - where a dump begins inside a line of something else.
 *
 * A log wraps every line of a dump the same way. What gives it away are the
 * few texts that a dump begins with, wherever on a line they stand. */
#ifndef UNWRAP_BEGIN_H
#define UNWRAP_BEGIN_H

#include "base/str.h"

enum begin_kind {
    BEGIN_NONE,
    BEGIN_GOROUTINE, /* "goroutine 5 [running]:", and as a report has it */
    BEGIN_PROFILE,   /* "goroutine profile: total 5", "--- mutex:" */
    BEGIN_CRASH,     /* "panic: ", "fatal error: ", "SIGQUIT: ", and what the
                        runtime says before those */
    BEGIN_MARKUP,    /* "<pre": a dump may follow on the next lines */
    BEGIN_BYTES,     /* "MESSAGE" of a journal as a list of bytes: any begin may
                        be in it */
};

struct begin {
    enum begin_kind kind;
    size_t at; /* offset of its first byte */
};

/* The first begin at or behind offset from. A goroutine header counts only as
 * Go prints it (runtime/traceback.go: goroutineheader), or as begin_report has
 * it, also with colours in it or no-break spaces in place of blanks, and when
 * it ends its line, or its part of a quoted or marked-up one; prose that goes
 * on behind the colon does not. False when there is none. */
bool begin_find(struct str text, size_t from, struct begin *ret);

/* The length of the colour that text begins with: "ESC [ 01 ; 31 m", or "ESC [
 * K", which grep adds to each. 0 when it begins with none. */
size_t begin_colour_length(struct str text);

/* The header of a goroutine in a report of goleak. */
struct begin_report {
    struct str id;    /* digits */
    struct str state; /* what Go has in its brackets: "select, 2 minutes" */
};

/* "[Goroutine 5 in state select, with main.f on top of the stack:"; the
 * brackets are those around all goroutines, a blank stands before each other
 * (go.uber.org/goleak: internal/stack.Stack.String, printed as a slice). False
 * when text does not begin so. */
bool begin_report_parse(struct str text, struct begin_report *ret);

/* A quick look at text of many lines: tells by two bytes how far the next word
 * that can be part of a begin is at least away (Wu and Manber's algorithm). */
enum { SCANNER_SIZE = 4096 };

struct begin_scanner {
    uint8_t shifts[SCANNER_SIZE];
};

/* Fills the table from the words. */
void begin_scanner_init(struct begin_scanner *scanner);

/* Where the first such word stands, or text.len. Words are also "goroutine"
 * in prose; they are shorter than BEGIN_WORD_MOST bytes. */
size_t begin_scan(const struct begin_scanner *scanner, struct str text);

enum { BEGIN_WORD_MOST = 32 };

/* Whether a "goroutine " that may begin a goroutine or a profile stands in text
 * that is still wrapped: an id and a state follow it, "profile", or what may
 * spell such in a string or a page; or the text ends before that is known, and
 * goes on. *ret_at is where, or what no such word stands before. */
bool begin_find_likely(struct str text, bool goes_on, size_t *ret_at);

/* Whether a line can be one of a stack or of a profile's record: it holds a
 * call, a place, a creator or return addresses. */
bool begin_is_followed_by(enum begin_kind kind, struct str line);

#endif
