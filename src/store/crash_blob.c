#include "store/evidence_flags.h"

/* ORDER BLOBS: a kind of crash is its place here, counted from 1. */
static const enum crash_kind kinds[] = {CRASH_PANIC, CRASH_FATAL, CRASH_SIGNAL};

enum { N_KINDS = sizeof(kinds) / sizeof(kinds[0]) };

static uint64_t number_of_kind(enum crash_kind kind)
{
    uint64_t number = 0;

    while (number < N_KINDS - 1 && kinds[number] != kind)
        number++;
    return number + 1;
}

/* ORDER BLOBS */
void crash_write(struct buf *blob, const struct symbols *symbols,
                 const struct crash *crash)
{
    blob_add(blob, crash ? number_of_kind(crash->kind) : 0);
    if (!crash)
        return;
    blob_add_text(blob, crash->message);
    blob_add_text(blob, crash->signal);
    blob_add_text(blob, symbols_text(symbols, crash->reason));
    blob_add(blob, crash->is_request);
    blob_add(blob, crash->is_elsewhere);
    blob_add(blob, crash->has_goroutine);
    blob_add(blob, crash->goroutine);
    blob_add(blob, crash->n_groups);
    for (uint32_t i = 0; i < crash->n_groups; i++)
        blob_add(blob, crash->groups[i]);
}

/* Reads the groups of a crash; those that are not there are left out. */
static void read_groups(struct evidence_reader *reader, struct crash *crash)
{
    size_t n = blob_get_count(&reader->blob, CRASH_GROUPS_MOST);

    for (size_t i = 0; i < n; i++) {
        size_t place = evidence_place(reader, blob_get(&reader->blob));

        if (place != SNAPSHOT_NO_GROUP)
            crash->groups[crash->n_groups++] = (uint32_t)place;
    }
}

bool crash_read(struct evidence_reader *reader)
{
    struct blob *blob = &reader->blob;
    struct snapshot *snapshot = reader->snapshot;
    uint64_t kind = blob_get_below(blob, N_KINDS);
    struct crash *crash;

    if (!kind)
        return true;
    crash = snapshot_take(snapshot, sizeof(*crash));
    if (!crash)
        return false;
    crash->kind = kinds[kind - 1];
    crash->message = snapshot_copy(snapshot, blob_get_text(blob));
    crash->signal = snapshot_copy(snapshot, blob_get_text(blob));
    crash->reason =
        symbols_text_put(snapshot_symbols(snapshot), blob_get_text(blob));
    crash->is_request = blob_get_below(blob, 1);
    crash->is_elsewhere = blob_get_below(blob, 1);
    crash->has_goroutine = blob_get_below(blob, 1);
    crash->goroutine = blob_get(blob);
    read_groups(reader, crash);
    snapshot_info(snapshot)->crash = crash;
    return true;
}
