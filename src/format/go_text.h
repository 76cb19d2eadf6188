/* go_text.h - the words of the Go runtime's stack texts, line by line.
 *
 * The grammar of runtime/traceback.go, shared by debug=2 profiles,
 * runtime.Stack and crash output. All slices point into the given line. */
#ifndef FORMAT_GO_TEXT_H
#define FORMAT_GO_TEXT_H

#include "base/buf.h"
#include "model/record.h"

/* runtime/traceback.go: goroutineheader. */
struct go_header {
    uint64_t id;
    struct str state; /* bare words: "chan receive" */
    bool has_wait;
    uint32_t minutes;
    bool leaked;
    bool locked;
    struct str labels; /* "{...}" as printed, empty without */
};

/* "goroutine 18 gp=0xc.. m=3 mp=0xc.. [chan receive (leaked), 2 minutes,
 * locked to thread] {key: value}:". The status ends at the first "]" outside
 * quotes; any state is accepted. False for every other line, such as prose
 * that mentions a goroutine. */
bool go_header_parse(struct str line, struct go_header *ret);

/* Whether a line is no header, but begins as one: what is left of it. Then *ret
 * is the goroutine's id. */
bool go_header_is_broken(struct str line, uint64_t *ret);

/* Whether a line that lacks its end may be a header that was cut. */
bool go_header_may_be_cut(struct str line);

/* What a line alone says of whether it is one of a stack. */
enum go_line {
    GO_LINE_OTHER,   /* it is none */
    GO_LINE_PERHAPS, /* a call, or a place as error packages print them */
    GO_LINE_STACK,   /* a place with its offset, or a creator */
};

/* Tells which; a header is none of a stack (runtime/traceback.go: traceback1,
 * printcreatedby). */
enum go_line go_line_kind(struct str line);

/* A call: "main.(*T).Do(0xc000010000, {0x1, 0x2})". The arguments begin at the
 * last "(" that the final ")" closes; the name may hold others. */
bool go_call_parse(struct str line, struct str *ret_name, struct str *ret_args);

/* Where a call stands. */
struct go_place {
    struct str file;
    uint32_t line;
    size_t length;   /* of the text up to the line number's end */
    bool has_offset; /* something follows the line number */
};

/* "\t/src/main.go:21 +0x3b fp=0x..". The place ends in the last ":" with digits
 * before the end, " +0x", " fp=" or " pc=". The indentation may be lost. */
bool go_place_parse(struct str line, struct go_place *ret);

/* "created by net/http.(*Server).Serve in goroutine 1": the name, and the id
 * or 0. */
bool go_creator_parse(struct str line, struct str *ret_name, uint64_t *ret_id);

/* "...N frames elided..." (Go 1.21) or "...additional frames elided...", for
 * which ELIDED_SOME is given. */
bool go_elided_parse(struct str line, uint32_t *ret);

/* Whether a line ends as a place with its offset or its pc does, which may be
 * all that is left of it. */
bool go_ends_with_offset(struct str line);

/* Whether a line among those of a stack that is none of them is likely what
 * became of some, rather than one of a log: a place whose call was lost, the
 * end of a place (" +0x3b"), of arguments ("0x2a)") or of a header ("]:"), a
 * broken header, or bytes that are no text. */
bool go_debris_is_likely(struct str line);

/* Labels in braces, in every form that Go prints: {key: value} with bare words
 * and quotes (1.27), {"key": "value"} (1.26), {"key":"value"} (debug=1).
 * Stores at most `most` labels, whose texts live in scratch until it changes,
 * and returns how many; what cannot be read ends the list. */
size_t go_labels_parse(struct str text, struct buf *scratch,
                       struct label *labels, size_t most);

#endif
