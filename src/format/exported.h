/* exported.h - profiles that `cprof-leaks export --to pprof` wrote.
 *
 * Such a profile carries as labels what its format has no place for: states,
 * ages, creators (export/pprof.c). Read back, they become what they were.
 * Labels of the same names in other profiles are the program's own and stay
 * labels: an export is known by its mark, a comment, and a state only counts
 * together with its source. ORDER EXPORTED: export/pprof.c writes it. */
#ifndef FORMAT_EXPORTED_H
#define FORMAT_EXPORTED_H

#include "format/format.h"
#include "pprof/profile.h"

/* Whether the profile is an export; *ret is then the form of the dumps that it
 * was made from, which says what it can know ("debug1"). */
bool exported_find(const struct profile *profile, const char **ret);

/* Notes what the export said of its inputs: each of its warnings becomes one of
 * ours, and an export of something incomplete is incomplete. */
void exported_take_notes(const struct profile *profile, struct section *section,
                         struct snapshot_info *info);

/* Takes why the process died out of the comments and sets it of the snapshot;
 * its groups are told as they are read. An export of a crash that says nothing
 * of it is not complete. False without memory. */
bool exported_take_crash(const struct profile *profile, struct section *section,
                         struct snapshot *snapshot);

/* What the labels of one sample say beyond its record. */
struct exported {
    bool has_ages;
    uint32_t age_min; /* minutes, of the group; a record only has one age */
    uint32_t age_max;
    uint32_t crashed; /* which group of the crash it is, from 1; 0 = none */
};

/* Takes our labels off a record, whose labels are n at `labels`, and sets what
 * they say of it. A frame that stands for none is taken off too. */
struct exported exported_take(struct record *record, struct symbols *symbols,
                              struct label *labels, size_t n);

/* Sets the ages of the group that the record went to, and that the crash speaks
 * of it. */
void exported_set_group(struct snapshot *snapshot, size_t index,
                        const struct exported *exported);

#endif
