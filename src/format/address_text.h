/* address_text.h - the lines that all profiles with ?debug=1 share.
 *
 * A record of such a profile is a line of numbers with a list of return
 * addresses behind an "@", and below it one line for each frame
 * (runtime/pprof/pprof.go: printStackRecord). All slices point into the given
 * line. */
#ifndef FORMAT_ADDRESS_TEXT_H
#define FORMAT_ADDRESS_TEXT_H

#include "format/go_text.h"
#include "input/lines.h"

enum { ADDRESSES_MOST = 1024 };

/* The list of addresses behind an "@". */
struct address_list {
    uint64_t count; /* in the text */
    uint64_t last;  /* the last of them, kept or not */
    uint64_t kept[ADDRESSES_MOST];
};

/* Reads " 0x439ec5 0x4059aa". Masked addresses ("0xXXXX") are kept as 0. */
void address_list_parse(struct str text, struct address_list *ret);

/* "#\t0xADDR\tNAME+0xOFF\tFILE:LINE": a frame and the address of its call,
 * one below the return address of the list. */
struct address_frame {
    uint64_t address;
    struct str name; /* "0xADDR" when the line has nothing else */
    struct go_place place;
};

/* False for other lines. Names and files may hold blanks; the tabs may have
 * become blanks, or be spelled out (str_cut_spelled_tab). The "#" may be gone,
 * as Markdown takes it for a heading's: then a name and a place have to be
 * there. */
bool address_frame_parse(struct str line, struct address_frame *ret);

/* The frame whose line stands at the cursor, which a mail or a terminal may
 * have broken into several; they are put together in joined, into which *ret
 * then points. Returns how many lines it takes, 0 when it is none. Slices taken
 * before are void. */
unsigned address_frame_at(struct lines *lines, struct str line,
                          struct buf *joined, struct address_frame *ret);

/* The frame as a part of a stack; FRAME_NONE when there is no memory. */
frame_id address_frame_put(struct symbols *symbols,
                           const struct address_frame *frame);

#endif
