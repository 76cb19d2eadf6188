/* baseline.h - findings that somebody has accepted, up to a number.
 *
 * A baseline is a YAML file with one entry for each accepted place: the rule,
 * the function where the goroutines wait, and how many of them there may be in
 * one dump (the ceiling). Lines, addresses and ids have no part in it, so that
 * it survives a rebuild. An entry may give a reason, and a last day (expires).
 *
 * A finding is accepted when entries cover all of its groups and none of these
 * entries is beyond its ceiling or its last day. It stays a finding and is
 * shown as accepted, but neither the verdict nor the exit status count it. */
#ifndef RULES_BASELINE_H
#define RULES_BASELINE_H

#include "base/buf.h"
#include "model/options.h"
#include "rules/rules.h"

/* Why a baseline speaks of a finding; of several, the last decides. */
enum acceptance_kind {
    ACCEPTANCE_HOLDS,    /* it is accepted */
    ACCEPTANCE_PARTLY,   /* only some of its places are */
    ACCEPTANCE_EXPIRED,  /* it was, until a day that has passed */
    ACCEPTANCE_EXCEEDED, /* there are more than were accepted */
};

struct baseline_entry {
    struct str rule;      /* its id; empty = any */
    struct str site;      /* the function; empty = not given */
    struct str signature; /* how that of the stack begins, in hex; empty = not
                             given. Site or signature is */
    uint64_t ceiling;     /* goroutines in one dump, at least 1 */
    struct str reason;    /* empty = none */
    struct str expires;   /* the last day, "2027-01-31"; empty = none */
    uint64_t line;        /* in the file; 0 = not from a file */
    bool is_expired;
    bool is_met;      /* goroutines stand at its place, found or not */
    uint64_t count;   /* of findings, in the dump that has most of them */
    uint64_t in_dump; /* the same in one, while they are counted */
};

/* What a baseline says of one finding. */
struct acceptance {
    enum acceptance_kind kind;
    const struct baseline_entry *entry; /* the one that decided */
    uint64_t covered; /* goroutines of the finding that are accepted */
};

struct baseline;

/* Reads a baseline from a text; name is for messages. CPROF_ERULE is the first
 * mistake with its place, and as detail the line and the other mistakes. */
int baseline_parse(struct baseline **ret, const char *name, struct str text,
                   struct budget *budget, struct cprof_error *err);
void baseline_free(struct baseline *baseline);

/* Reads the baseline that the options name, if they do, and lets it judge the
 * findings: sets their acceptance and brings those that are accepted behind
 * the others. With --write-baseline all findings that it is about are accepted,
 * by entries that are changed or added as needed. Entries that have expired,
 * or that match nothing, become diagnostics. *ret is NULL when the options name
 * no baseline. */
int baseline_judge(struct baseline **ret, const struct cprof_options *options,
                   struct findings *findings, struct budget *budget,
                   struct cprof_error *err);

/* Appends the baseline as a file. What was judged with --write-baseline is in
 * order of rule, site and signature, so that what did not change is the same
 * text. */
void baseline_add_text(const struct baseline *baseline, struct buf *out);

/* The path it was read from, or that it is to be written to. */
const char *baseline_name(const struct baseline *baseline);

/* Its entries. */
size_t baseline_count(const struct baseline *baseline);
const struct baseline_entry *baseline_entry(const struct baseline *baseline,
                                            size_t index);

/* "holds", "partly", "expired", "exceeded". */
const char *acceptance_text(enum acceptance_kind kind);

/* Whether a finding is accepted. */
bool finding_is_accepted(const struct finding *finding);

#endif
