#include "model/rebuild.h"
#include "store/evidence_flags.h"

enum { COMMENTS_MOST = 65536 };

/* ORDER BLOBS: the numbers of the runtime. */
static const size_t memstats_fields[] = {
    offsetof(struct memstats, alloc),
    offsetof(struct memstats, total_alloc),
    offsetof(struct memstats, sys),
    offsetof(struct memstats, mallocs),
    offsetof(struct memstats, frees),
    offsetof(struct memstats, heap_alloc),
    offsetof(struct memstats, heap_sys),
    offsetof(struct memstats, heap_idle),
    offsetof(struct memstats, heap_inuse),
    offsetof(struct memstats, heap_released),
    offsetof(struct memstats, heap_objects),
    offsetof(struct memstats, stack_inuse),
    offsetof(struct memstats, stack_sys),
    offsetof(struct memstats, gc_sys),
    offsetof(struct memstats, next_gc),
    offsetof(struct memstats, last_gc_ns),
    offsetof(struct memstats, num_gc),
    offsetof(struct memstats, num_forced_gc),
    offsetof(struct memstats, max_rss),
};

enum {
    N_MEMSTATS = sizeof(memstats_fields) / sizeof(memstats_fields[0]),
};

static void write_memstats(struct buf *blob, const struct memstats *memstats)
{
    uint64_t bits;

    blob_add(blob, memstats != NULL);
    if (!memstats)
        return;
    for (size_t i = 0; i < N_MEMSTATS; i++) {
        uint64_t number;

        memcpy(&number, (const char *)memstats + memstats_fields[i],
               sizeof(number));
        blob_add(blob, number);
    }
    memcpy(&bits, &memstats->gc_cpu_fraction, sizeof(bits));
    blob_add(blob, bits);
}

static bool read_memstats(struct blob *blob, struct snapshot *snapshot)
{
    struct memstats *memstats;
    uint64_t bits;

    if (!blob_get_below(blob, 1))
        return true;
    memstats = snapshot_take(snapshot, sizeof(*memstats));
    if (!memstats)
        return false;
    for (size_t i = 0; i < N_MEMSTATS; i++) {
        uint64_t number = blob_get(blob);

        memcpy((char *)memstats + memstats_fields[i], &number, sizeof(number));
    }
    bits = blob_get(blob);
    memcpy(&memstats->gc_cpu_fraction, &bits, sizeof(bits));
    snapshot_info(snapshot)->memstats = memstats;
    return true;
}

static void write_type(struct buf *blob, const struct value_type *type)
{
    blob_add_text(blob, type->name);
    blob_add_text(blob, type->unit);
}

static void write_numbers(struct buf *blob, const int64_t *numbers, size_t n)
{
    for (size_t i = 0; i < n; i++)
        blob_add_signed(blob, numbers[i]);
}

/* ORDER BLOBS */
void measures_write(struct buf *blob, const struct snapshot_info *info)
{
    size_t n_comments =
        info->n_comments < COMMENTS_MOST ? info->n_comments : COMMENTS_MOST;

    blob_add(blob, info->n_types);
    for (size_t i = 0; i < info->n_types; i++)
        write_type(blob, &info->types[i]);
    write_numbers(blob, info->totals, info->n_types);
    write_numbers(blob, info->magnitudes, info->n_types);
    write_numbers(blob, info->bases, info->n_types);
    blob_add(blob, info->default_type);
    blob_add(blob, info->has_negative);
    blob_add_signed(blob, info->duration_ns);
    write_type(blob, &info->period_type);
    blob_add_signed(blob, info->period);
    blob_add_text(blob, info->drop_frames);
    blob_add_text(blob, info->keep_frames);
    blob_add(blob, n_comments);
    for (size_t i = 0; i < n_comments; i++)
        blob_add_text(blob, info->comments[i]);
    write_memstats(blob, info->memstats);
}

static struct value_type read_type(struct blob *blob)
{
    struct str name = blob_get_text(blob);

    return (struct value_type){name, blob_get_text(blob)};
}

static void read_numbers(struct blob *blob, int64_t *numbers, size_t n)
{
    for (size_t i = 0; i < n; i++)
        numbers[i] = blob_get_signed(blob);
}

static bool read_types(struct blob *blob, struct snapshot *snapshot)
{
    size_t n = blob_get_count(blob, VALUES_MOST);
    struct value_type types[VALUES_MOST];
    int64_t totals[VALUES_MOST];
    int64_t magnitudes[VALUES_MOST];
    int64_t bases[VALUES_MOST];

    for (size_t i = 0; i < n; i++)
        types[i] = read_type(blob);
    read_numbers(blob, totals, n);
    read_numbers(blob, magnitudes, n);
    read_numbers(blob, bases, n);
    if (!n || blob->failed)
        return true;
    if (!snapshot_set_types(snapshot, types, n))
        return false;
    snapshot_put_sums(snapshot, totals, magnitudes, bases);
    return true;
}

static bool read_comments(struct blob *blob, struct snapshot *snapshot)
{
    struct snapshot_info *info = snapshot_info(snapshot);
    size_t n = blob_get_count(blob, COMMENTS_MOST);
    struct str *comments = snapshot_take(snapshot, n * sizeof(*comments));

    for (size_t i = 0; i < n; i++) {
        struct str comment = blob_get_text(blob);

        if (comments)
            comments[i] = snapshot_copy(snapshot, comment);
    }
    if (comments && n) {
        info->comments = comments;
        info->n_comments = n;
    }
    return comments != NULL;
}

/* ORDER BLOBS */
bool measures_read(struct blob *blob, struct snapshot *snapshot)
{
    struct snapshot_info *info = snapshot_info(snapshot);
    struct value_type period;

    if (!read_types(blob, snapshot))
        return false;
    info->default_type =
        (size_t)blob_get_below(blob, info->n_types ? info->n_types - 1 : 0);
    info->has_negative = blob_get_below(blob, 1);
    info->duration_ns = blob_get_signed(blob);
    period = read_type(blob);
    info->period_type.name = snapshot_copy(snapshot, period.name);
    info->period_type.unit = snapshot_copy(snapshot, period.unit);
    info->period = blob_get_signed(blob);
    info->drop_frames = snapshot_copy(snapshot, blob_get_text(blob));
    info->keep_frames = snapshot_copy(snapshot, blob_get_text(blob));
    return read_comments(blob, snapshot) && read_memstats(blob, snapshot);
}
