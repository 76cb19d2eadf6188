#include "store/snapshot_blobs.h"

/* ORDER BLOBS: a kind of profile is its place here. */
static const enum profile_kind kinds[] = {
    PROFILE_GOROUTINE, PROFILE_GOROUTINELEAK, PROFILE_THREADCREATE,
    PROFILE_OTHER,     PROFILE_HEAP,          PROFILE_ALLOCS,
    PROFILE_BLOCK,     PROFILE_MUTEX,         PROFILE_CONTENTION,
    PROFILE_CPU,
};

enum { N_KINDS = sizeof(kinds) / sizeof(kinds[0]) };

static uint64_t number_of_kind(enum profile_kind kind)
{
    uint64_t number = 0;

    while (number < N_KINDS - 1 && kinds[number] != kind)
        number++;
    return number;
}

static uint64_t flags_of(const struct snapshot_info *info)
{
    return (info->complete ? COUNTS_COMPLETE : 0) |
           (info->has_parking ? COUNTS_PARKING : 0) |
           (info->is_proof ? COUNTS_PROOF : 0) |
           (info->has_declared ? COUNTS_DECLARED : 0) |
           (info->has_states ? COUNTS_STATES : 0);
}

/* ORDER BLOBS */
static void write_info(struct buf *blob, struct names_out *out,
                       const struct snapshot *snapshot)
{
    const struct snapshot_info *info = snapshot_info_get(snapshot);
    uint64_t addresses[RUNTIME_ADDRESSES];
    size_t n_addresses = snapshot_runtime_addresses(snapshot, addresses);

    blob_add(blob, COUNTS_VERSION);
    blob_add(blob, flags_of(info));
    blob_add(blob, number_of_kind(info->kind));
    blob_add(blob, names_put_text(out, str_from(info->format)));
    blob_add(blob, names_put_text(out, str_from(info->origin)));
    blob_add(blob, names_put_text(out, info->profile));
    blob_add(blob, names_put_text(out, info->go_version));
    blob_add(blob, info->declared);
    blob_add(blob, info->total);
    blob_add(blob, info->other);
    blob_add(blob, info->max_id);
    blob_add(blob, n_addresses);
    for (size_t i = 0; i < n_addresses; i++)
        blob_add(blob, addresses[i]);
    blob_add(blob, info->n_labels < TARGET_LABELS_MOST ? info->n_labels
                                                       : TARGET_LABELS_MOST);
    for (size_t i = 0; i < info->n_labels && i < TARGET_LABELS_MOST; i++) {
        blob_add(blob, names_put_text(out, info->labels[i].key));
        blob_add(blob, names_put_text(out, info->labels[i].value));
    }
}

/* How far a number is from the one before, folded as a number with a sign:
 * neighbours are mostly near. Wraps around, as its reverse does. */
static void add_distance(struct buf *blob, uint64_t number, uint64_t before)
{
    blob_add_signed(blob, (int64_t)(number - before));
}

void counts_write(struct buf *blob, struct names_out *out,
                  const struct snapshot *snapshot)
{
    size_t n = snapshot_n_groups(snapshot);
    uint64_t before = 0;

    write_info(blob, out, snapshot);
    blob_add(blob, n);
    for (size_t i = 0; i < n && out->rc == 0; i++) {
        const struct group *group = snapshot_group(snapshot, i);
        uint64_t stack = names_put_stack(out, group->stack);
        uint64_t state =
            names_put_text(out, symbols_state(out->symbols, group->state));

        add_distance(blob, stack, before);
        blob_add(blob, state << 2 | group->state_source);
        blob_add(blob, group->count);
        before = stack;
    }
}

/* ORDER BLOBS */
bool counts_read(struct counts *ret, struct str bytes)
{
    struct blob blob = blob_begin(bytes);

    *ret = (struct counts){0};
    if (blob_get(&blob) != COUNTS_VERSION)
        return false;
    ret->flags = blob_get(&blob);
    ret->kind = kinds[blob_get_below(&blob, N_KINDS - 1)];
    ret->format = blob_get(&blob);
    ret->origin = blob_get(&blob);
    ret->profile = blob_get(&blob);
    ret->go_version = blob_get(&blob);
    ret->declared = blob_get(&blob);
    ret->total = blob_get(&blob);
    ret->other = blob_get(&blob);
    ret->max_id = blob_get(&blob);
    ret->n_addresses = blob_get_count(&blob, RUNTIME_ADDRESSES);
    for (size_t i = 0; i < ret->n_addresses; i++)
        ret->addresses[i] = blob_get(&blob);
    ret->n_labels = blob_get_count(&blob, TARGET_LABELS_MOST);
    ret->labels = blob;
    for (size_t i = 0; i < ret->n_labels * 2; i++)
        blob_get(&blob);
    ret->n_groups = blob_get_count(&blob, UINT32_MAX);
    ret->groups = blob;
    ret->sum = ret->other;
    return !blob.failed && ret->other <= ret->total;
}

bool counts_next(struct counts *counts, struct counts_group *ret)
{
    struct blob *blob = &counts->groups;
    uint64_t state;

    if (blob->at == blob->end)
        return false;
    counts->last_stack += (uint64_t)blob_get_signed(blob);
    state = blob_get(blob);
    *ret = (struct counts_group){.stack = counts->last_stack,
                                 .state = state >> 2,
                                 .source = (enum state_source)(state & 3),
                                 .count = blob_get(blob)};
    if (ret->count > counts->total - counts->sum)
        blob_fail(blob);
    if (blob->failed)
        return false;
    counts->sum += ret->count;
    counts->n_read++;
    return true;
}

bool counts_is_done(const struct counts *counts)
{
    return blob_is_done(&counts->groups) && counts->sum == counts->total &&
           counts->n_read == counts->n_groups;
}
