/* pieces.h - a group taken apart by its labels, for forms that count samples.
 *
 * A group knows how many of its goroutines have which value of a key, who
 * created how many, and how many waited how long; it does not know which values
 * came together. Its goroutines are therefore laid in a row, once for each key,
 * in order of the values' arrival, and cut wherever a value ends. So the count
 * of every value is exact. Which values of two keys stand together is exact
 * only while at most one key differs within the group. */
#ifndef EXPORT_PIECES_H
#define EXPORT_PIECES_H

#include "export/groups.h"

enum { PIECE_LABELS = EVIDENCE_KEYS };

/* Goroutines of a group that have the same labels. */
struct piece {
    uint64_t count;
    bool is_leaked;
    bool is_locked;
    frame_id created_by; /* FRAME_NONE = unknown */
    bool has_age;
    uint32_t age_min; /* minutes of waiting, as printed */
    struct label labels[PIECE_LABELS];
    size_t n_labels;
};

/* Calls visit with each piece of a group; their counts add up to the group's.
 * Returns whether more than one thing differs within it, so that what stands
 * together was not known. Groups that measure are one piece, with the labels
 * that all of it has. */
typedef void piece_fn(void *user, const struct piece *piece);
bool pieces_each(const struct export_groups *groups,
                 const struct export_group *group, piece_fn *visit, void *user);

#endif
