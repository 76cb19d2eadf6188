#include <stdlib.h>

#include "model/rebuild.h"
#include "store/snapshot_blobs.h"

static void fail(struct names_in *in, const char *what)
{
    if (in->rc == 0)
        in->rc = database_damaged(in->database, what, in->err);
}

static void fail_memory(struct names_in *in)
{
    if (in->rc == 0)
        in->rc = error_memory(in->err, (struct place){in->database->path, 0, 0},
                              "reading a history");
}

/* A word such as "debug2", NUL-terminated; NULL of number 0. What is no word is
 * a failure: these stand in outputs as they are. */
static const char *get_word(struct names_in *in, uint64_t number)
{
    struct str word = names_get_text(in, number);

    if (!number)
        return NULL;
    for (size_t i = 0; i < word.len; i++) {
        char c = word.ptr[i];

        if (!((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' ||
              c == '-'))
            fail(in, "a snapshot is of no known form");
    }
    if (!word.len)
        fail_memory(in);
    return word.ptr;
}

/* Reads the labels of the target. */
static void decode_labels(struct snapshot *snapshot,
                          const struct counts *counts, struct names_in *in)
{
    struct blob blob = counts->labels;
    struct label *labels;

    if (!counts->n_labels)
        return;
    labels = calloc(counts->n_labels, sizeof(*labels));
    if (!labels) {
        fail_memory(in);
        return;
    }
    for (size_t i = 0; i < counts->n_labels; i++) {
        labels[i].key = names_get_text(in, blob_get(&blob));
        labels[i].value = names_get_text(in, blob_get(&blob));
    }
    snapshot_set_labels(snapshot, labels, counts->n_labels);
    free(labels);
}

static void decode_info(struct snapshot *snapshot, const struct counts *counts,
                        struct names_in *in)
{
    struct snapshot_info *info = snapshot_info(snapshot);

    info->format = get_word(in, counts->format);
    if (!info->format)
        fail(in, "a snapshot is of no known form");
    info->origin = get_word(in, counts->origin);
    info->kind = counts->kind;
    info->profile = names_get_text(in, counts->profile);
    info->go_version = names_get_text(in, counts->go_version);
    info->has_declared = counts->flags & COUNTS_DECLARED;
    info->is_proof = counts->flags & COUNTS_PROOF;
    info->complete = counts->flags & COUNTS_COMPLETE;
    info->has_parking = counts->flags & COUNTS_PARKING;
    info->has_states = counts->flags & COUNTS_STATES;
    info->declared = counts->declared;
    info->total = counts->total;
    info->other = counts->other;
    info->max_id = counts->max_id;
}

/* Counts goroutines for whose group there is no memory. */
static void lose(struct snapshot *snapshot, uint64_t count)
{
    struct snapshot_info *info = snapshot_info(snapshot);

    info->other += count;
    info->complete = false;
}

static bool next_group(struct counts *counts, struct names_in *in,
                       struct counts_group *ret,
                       const struct stored_stack **ret_stack)
{
    if (in->rc < 0 || !counts_next(counts, ret))
        return false;
    *ret_stack = names_get_stack(in, ret->stack);
    return *ret_stack != NULL;
}

void snapshot_decode_folded(struct snapshot *snapshot, struct counts *counts,
                            struct names_in *in)
{
    struct folded_group *groups = calloc(counts->n_groups + 1, sizeof(*groups));
    const struct stored_stack *stack;
    struct counts_group group;
    size_t n = 0;

    decode_info(snapshot, counts, in);
    if (!groups) {
        fail_memory(in);
        return;
    }
    while (next_group(counts, in, &group, &stack) && n < counts->n_groups) {
        if (stack->cut == STACK_OTHER)
            lose(snapshot, group.count);
        else
            groups[n++] = (struct folded_group){
                stack->cut, names_get_state(in, group.state), group.count};
    }
    if (in->rc == 0 && !counts_is_done(counts))
        fail(in, "the counts of a snapshot are not readable");
    if (in->rc == 0 &&
        !snapshot_put_folded(snapshot, groups, n, counts->addresses,
                             counts->n_addresses))
        fail_memory(in);
    free(groups);
}

/* A group as its counts have it. */
static struct group group_of(struct names_in *in,
                             const struct counts_group *counted,
                             const struct stored_stack *stack)
{
    return (struct group){.stack = stack->whole,
                          .state = names_get_state(in, counted->state),
                          .state_source = (uint8_t)counted->source,
                          .count = counted->count};
}

/* Puts back groups without evidence. */
static void decode_counts(struct snapshot *snapshot, struct counts *counts,
                          struct names_in *in)
{
    const struct stored_stack *stack;
    struct counts_group counted;

    snapshot_put_addresses(snapshot, counts->addresses, counts->n_addresses);
    while (next_group(counts, in, &counted, &stack)) {
        struct group group = group_of(in, &counted, stack);

        if (group.stack == STACK_OTHER ||
            snapshot_put_group(snapshot, &group, NULL, false, false) ==
                SNAPSHOT_NO_GROUP)
            lose(snapshot, counted.count);
    }
}

static void decode_evidence(struct snapshot *snapshot, struct counts *counts,
                            struct str bytes, struct names_in *in)
{
    struct evidence_reader reader;
    const struct stored_stack *stack;
    struct counts_group counted;
    bool is_readable;
    bool no_memory = false;

    evidence_begin(&reader, bytes, snapshot, in);
    while (!reader.blob.failed && next_group(counts, in, &counted, &stack)) {
        struct group group = group_of(in, &counted, stack);

        no_memory |= group.stack == STACK_OTHER;
        if (!evidence_put_group(&reader, &group))
            lose(snapshot, counted.count);
    }
    is_readable = evidence_end(&reader);
    no_memory |= reader.no_memory;
    if (no_memory)
        snapshot_info(snapshot)->complete = false;
    /* What was lost for lack of memory may be what the rest refers to. */
    if (in->rc == 0 && !is_readable && no_memory)
        fail_memory(in);
    else if (in->rc == 0 && !is_readable)
        fail(in, "the evidence of a snapshot is not readable");
}

void snapshot_decode(struct snapshot *snapshot, struct counts *counts,
                     const struct str *evidence, struct names_in *in)
{
    decode_info(snapshot, counts, in);
    decode_labels(snapshot, counts, in);
    if (profile_is_measured(counts->kind) && !evidence)
        fail(in, "what a profile measures is missing");
    if (evidence)
        decode_evidence(snapshot, counts, *evidence, in);
    else
        decode_counts(snapshot, counts, in);
    if (in->rc == 0 && !counts_is_done(counts))
        fail(in, "the counts of a snapshot are not readable");
    if (in->rc == 0 && profile_is_measured(counts->kind) &&
        !snapshot_info_get(snapshot)->n_types)
        fail(in, "what a profile measures is missing");
}
