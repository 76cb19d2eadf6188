/* bucket.h - the groups that one finding of a rule would speak of. */
#ifndef RULES_BUCKET_H
#define RULES_BUCKET_H

#include "rules/judge.h"

/* Marks the first group of those that have the same in common. */
#define MEMBER_FIRST ((uint32_t)1 << 31)

/* Groups that a rule matches. Every rule of a level may match most of them, so
 * of each only its index is kept. */
struct members {
    const struct rule *rule;
    uint32_t *items; /* once sorted by what they have in common, then by index,
                        with MEMBER_FIRST */
    size_t count;
    size_t size;
    enum cprof_severity most; /* no finding of it can be worse */
};

/* Adds a group, below MEMBER_FIRST. False when memory ran out. */
bool members_add(struct judge *judge, struct members *members, size_t group);

/* Brings members into their order. False when memory ran out. */
bool members_sort(struct judge *judge, struct members *members);

/* Frees what members hold. */
void members_done(struct judge *judge, struct members *members);

/* The end of the bucket that begins at an index of sorted members. */
size_t members_bucket_end(const struct members *members, size_t begin);

/* The groups of one finding, and what they add up to. Their indices are in
 * judge->taken and their goroutines of each judged snapshot in judge->sums,
 * until the next bucket is filled. */
struct bucket {
    const struct rule *rule;
    size_t n_groups;
    uint64_t leaked; /* goroutines that are proven leaked */
};

/* Gathers n members; only those without an owner, or all that are not set
 * aside as normal. */
struct bucket bucket_fill(struct judge *judge, const struct members *members,
                          size_t begin, size_t end, bool with_owned);

/* The severity of a bucket in one judged snapshot, by its place in
 * judge->snapshots: that of the first tier that holds. *ret_tier is that
 * tier, their number for a mention. CPROF_SEVERITY_OK = none holds, or the
 * rule takes no part there. */
enum cprof_severity bucket_severity_in(struct judge *judge,
                                       const struct bucket *bucket,
                                       size_t snapshot, size_t *ret_tier);

/* The worst over the judged snapshots, and its tier. */
enum cprof_severity bucket_severity(struct judge *judge,
                                    const struct bucket *bucket,
                                    size_t *ret_tier);

#endif
