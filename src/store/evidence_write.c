#include <stdlib.h>

#include "store/evidence_flags.h"

/* The creators of all groups, each once: their numbers are in the order of
 * *places, and a frame's place there, counted from 1, is at places[frame]. */
struct creators {
    uint32_t *places;
    uint32_t n;
    struct buf list; /* the numbers of their stacks */
};

static void note_creator(struct creators *creators, struct names_out *out,
                         frame_id frame)
{
    if (!frame || creators->places[frame])
        return;
    creators->places[frame] = ++creators->n;
    blob_add(&creators->list, names_put_frame(out, frame));
}

/* Lists the creators of all groups. False without memory. */
static bool note_creators(struct creators *creators, struct names_out *out,
                          const struct snapshot *snapshot)
{
    size_t n = symbols_n_frames(out->symbols);

    creators->places = calloc(n + 1, sizeof(*creators->places));
    if (!creators->places)
        return false;
    for (size_t i = 0; i < snapshot_n_groups(snapshot); i++) {
        const struct group *group = snapshot_group(snapshot, i);
        const struct evidence *evidence = group->evidence;

        note_creator(creators, out, group->created_by);
        for (uint32_t k = 0; evidence && k < evidence->creators.count; k++)
            note_creator(creators, out, evidence->creators.items[k].id);
    }
    return !creators->list.failed;
}

static uint64_t flags_of(const struct group *group)
{
    return (group->n_ids ? HAS_IDS : 0) | (group->n_waits ? HAS_WAITS : 0) |
           (group->leaked ? HAS_LEAKED : 0) | (group->locked ? HAS_LOCKED : 0) |
           (group->created_by ? HAS_CREATOR : 0) |
           (group->hidden ? HAS_HIDDEN : 0) |
           (group->evidence ? HAS_EVIDENCE : 0) |
           (group->lock_frame != LOCK_FRAME_NONE ? HAS_LOCK_FRAME : 0) |
           (group->pointers ? HAS_POINTERS : 0);
}

static void write_hidden(struct buf *blob, const struct hidden *hidden)
{
    if (!hidden)
        return;
    blob_add_signed(blob, hidden->count);
    blob_add(blob, hidden->n_pc);
    for (unsigned i = 0; i < hidden->n_pc; i++)
        blob_add(blob, hidden->pc[i]);
}

/* In order of value the distances of ids are small. */
static void write_ids(struct buf *blob, const struct id_sample *sample)
{
    uint64_t ids[EVIDENCE_IDS_ROOM];
    struct id_sample sorted = *sample;
    uint64_t before = 0;

    if (sample->count)
        memcpy(ids, sample->ids, sample->count * sizeof(*ids));
    sorted.ids = ids;
    id_sample_sort(&sorted);
    blob_add(blob, sorted.count);
    for (uint32_t i = 0; i < sorted.count; i++) {
        blob_add(blob, ids[i] - before);
        before = ids[i];
    }
}

static void write_waits(struct buf *blob, const struct wait_histogram *waits)
{
    uint32_t before = 0;

    blob_add(blob, waits->count);
    for (uint32_t i = 0; i < waits->count; i++) {
        blob_add(blob, waits->bars[i].minutes - before);
        blob_add(blob, waits->bars[i].count);
        before = waits->bars[i].minutes;
    }
}

static void write_labels(struct buf *blob, const struct names_out *out,
                         const struct evidence *evidence)
{
    uint64_t n = 0;

    for (const struct label_counts *key = evidence->labels; key;
         key = key->next)
        n++;
    blob_add(blob, n);
    for (const struct label_counts *key = evidence->labels; key;
         key = key->next) {
        blob_add_text(blob, symbols_text(out->symbols, key->key));
        blob_add(blob, key->values.count);
        for (uint32_t i = 0; i < key->values.count; i++) {
            blob_add_text(blob,
                          symbols_text(out->symbols, key->values.items[i].id));
            blob_add(blob, key->values.items[i].count);
        }
        blob_add(blob, key->values.others);
    }
    blob_add(blob, evidence->other_labels);
}

/* ORDER BLOBS */
static void write_evidence(struct buf *blob, const struct names_out *out,
                           const struct creators *creators,
                           const struct evidence *evidence)
{
    write_ids(blob, &evidence->ids);
    write_waits(blob, &evidence->waits);
    blob_add(blob, evidence->creators.count);
    for (uint32_t i = 0; i < evidence->creators.count; i++) {
        blob_add(blob, creators->places[evidence->creators.items[i].id]);
        blob_add(blob, evidence->creators.items[i].count);
    }
    blob_add(blob, evidence->creators.others);
    write_labels(blob, out, evidence);
}

/* ORDER BLOBS */
static void write_pointers(struct buf *blob, const struct pool *pool,
                           uint32_t head)
{
    uint64_t n = 0;

    for (const struct pointers *entry = pointers_get(pool, head); entry;
         entry = pointers_get(pool, entry->next))
        n++;
    blob_add(blob, n);
    for (const struct pointers *entry = pointers_get(pool, head); entry;
         entry = pointers_get(pool, entry->next)) {
        blob_add(blob, entry->id);
        blob_add(blob, entry->lock);
        blob_add(blob, entry->n);
        for (unsigned i = 0; i < entry->n; i++) {
            blob_add(blob, (uint64_t)entry->frames[i] << 2 | entry->flags[i]);
            blob_add(blob, entry->addresses[i]);
        }
    }
}

/* ORDER BLOBS */
static void write_group(struct buf *blob, const struct names_out *out,
                        const struct creators *creators,
                        const struct snapshot *snapshot, size_t index)
{
    const struct group *group = snapshot_group(snapshot, index);
    size_t n_types = snapshot_info_get(snapshot)->n_types;
    const int64_t *values = snapshot_values(snapshot, index);

    blob_add(blob, flags_of(group));
    write_hidden(blob, snapshot_hidden(snapshot, group));
    if (group->n_ids) {
        blob_add(blob, group->n_ids);
        blob_add(blob, group->id_min);
        blob_add(blob, group->id_max - group->id_min);
    }
    if (group->n_waits) {
        blob_add(blob, group->n_waits);
        blob_add(blob, group->wait_min);
        blob_add(blob, group->wait_max - group->wait_min);
    }
    if (group->leaked)
        blob_add(blob, group->leaked);
    if (group->locked)
        blob_add(blob, group->locked);
    if (group->created_by)
        blob_add(blob, creators->places[group->created_by]);
    if (group->evidence)
        write_evidence(blob, out, creators, group->evidence);
    if (group->pointers)
        write_pointers(blob, snapshot_pointers(snapshot), group->pointers);
    for (size_t i = 0; i < n_types; i++)
        blob_add_signed(blob, values ? values[i] : 0);
}

static void write_locks(struct buf *blob, struct snapshot *snapshot)
{
    struct arena arena;
    const struct lock_waiters *waiters;
    uint64_t others;
    uint64_t before = 0;
    size_t n;

    arena_init(&arena, symbols_budget(snapshot_symbols(snapshot)));
    waiters = snapshot_locks(snapshot, &arena, &n, &others);
    blob_add(blob, n);
    for (size_t i = 0; i < n; i++) {
        blob_add(blob, waiters[i].group);
        blob_add(blob, waiters[i].known);
        blob_add(blob, waiters[i].address - before);
        blob_add(blob, waiters[i].count);
        before = waiters[i].address;
    }
    blob_add(blob, others);
    arena_done(&arena);
}

void evidence_write(struct buf *blob, struct names_out *out,
                    struct snapshot *snapshot)
{
    struct creators creators = {0};

    blob_add(blob, EVIDENCE_VERSION);
    if (!note_creators(&creators, out, snapshot))
        blob->failed = true;
    blob_add(blob, creators.n);
    buf_add(blob, buf_str(&creators.list));
    measures_write(blob, snapshot_info_get(snapshot));
    for (size_t i = 0; i < snapshot_n_groups(snapshot) && !blob->failed; i++)
        write_group(blob, out, &creators, snapshot, i);
    write_locks(blob, snapshot);
    crash_write(blob, out->symbols, snapshot_info_get(snapshot)->crash);
    buf_done(&creators.list);
    free(creators.places);
}
