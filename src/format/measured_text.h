/* measured_text.h - what the texts of heap, block and mutex profiles share:
 * records of values, addresses and frames (runtime/pprof/pprof.go,
 * google/pprof/profile/legacy_profile.go). */
#ifndef FORMAT_MEASURED_TEXT_H
#define FORMAT_MEASURED_TEXT_H

#include "format/address_text.h"
#include "format/format.h"

enum { MEASURED_VALUES = 4 };

/* The record that is being read. */
struct measured_text {
    struct section *section;
    struct lines *lines;
    struct snapshot *snapshot;
    bool in_record;
    struct record record;
    int64_t values[MEASURED_VALUES];
    struct address_list addresses;
    struct buf joined; /* a line that was broken */
    frame_id frames[ADDRESSES_MOST];
};

/* A new reader's state with its snapshot, which gets a kind, a name and n
 * types; free it with measured_text_free. */
int measured_text_new(struct measured_text **ret, struct section *section,
                      const char *format, struct cprof_error *err);
void measured_text_free(struct measured_text *text);

/* Sets what the profile is and measures; false when there is no memory. */
bool measured_text_set(struct measured_text *text, enum profile_kind kind,
                       struct str name, const struct value_type *types,
                       size_t n);

/* Begins a record, ending the last: its count, its values, and what stands
 * behind its "@". */
void measured_text_begin(struct measured_text *text, uint64_t count,
                         const int64_t *values, struct str addresses);

/* Takes a frame line or a blank line of the record at hand; false for other
 * lines. */
bool measured_text_take(struct measured_text *text, struct str line);

/* Counts the record at hand, if there is one. Without a single frame line its
 * frames are its addresses. */
void measured_text_end(struct measured_text *text);

/* A number with scale applied, within 63 bits. */
int64_t measured_scaled(int64_t number, double scale);

/* Says that the text ends in the middle of a line. */
void measured_text_say_cut(struct measured_text *text);

#endif
