#include "model/rebuild.h"
#include "store/evidence_flags.h"

enum {
    CREATORS_MOST = 1 << 24,
    FRAMES_READ = 64,       /* whose arguments are kept (model/pointers.c) */
    HIDDEN_FRAMES = 1 << 20 /* hidden addresses of one stack */
};

/* Adds to a buffer of the reader. */
static void add_bytes(struct evidence_reader *reader, struct buf *buf,
                      const void *bytes, size_t n)
{
    buf_add(buf, (struct str){bytes, n});
    if (!buf->failed)
        return;
    reader->no_memory = true;
    budget_note_refusal(symbols_budget(reader->in->symbols));
}

void evidence_begin(struct evidence_reader *reader, struct str bytes,
                    struct snapshot *snapshot, struct names_in *in)
{
    struct blob *blob = &reader->blob;
    size_t n;

    *reader = (struct evidence_reader){
        .blob = blob_begin(bytes), .snapshot = snapshot, .in = in};
    if (blob_get(blob) != EVIDENCE_VERSION)
        blob_fail(blob);
    n = blob_get_count(blob, CREATORS_MOST);
    for (size_t i = 0; i < n && in->rc == 0; i++) {
        frame_id frame = names_get_frame(in, blob_get(blob));

        add_bytes(reader, &reader->creators, &frame, sizeof(frame));
    }
    reader->no_memory |= !measures_read(blob, snapshot);
}

bool evidence_stacks(struct str bytes, void (*use)(void *user, uint64_t stack),
                     void *user)
{
    struct blob blob = blob_begin(bytes);
    size_t n = 0;

    if (blob_get(&blob) == EVIDENCE_VERSION)
        n = blob_get_count(&blob, CREATORS_MOST);
    else
        blob_fail(&blob);
    for (size_t i = 0; i < n && !blob.failed; i++)
        use(user, blob_get(&blob));
    return !blob.failed;
}

/* The creator at a place, counted from 1; 0 and what is not known are none. */
static frame_id get_creator(struct evidence_reader *reader)
{
    uint64_t place = blob_get(&reader->blob);
    frame_id frame = FRAME_NONE;

    if (place > reader->creators.len / sizeof(frame)) {
        if (!reader->no_memory)
            blob_fail(&reader->blob);
        return FRAME_NONE;
    }
    if (place)
        memcpy(&frame, reader->creators.ptr + (place - 1) * sizeof(frame),
               sizeof(frame));
    return frame;
}

static struct hidden get_hidden(struct blob *blob)
{
    struct hidden hidden = {0};
    int64_t count = blob_get_signed(blob);

    if (count < -1 || count > HIDDEN_FRAMES)
        blob_fail(blob);
    else
        hidden.count = (int)count;
    hidden.n_pc = (unsigned)blob_get_below(blob, HIDDEN_MOST);
    for (unsigned i = 0; i < hidden.n_pc; i++)
        hidden.pc[i] = blob_get(blob);
    /* An id that is not 0 needs an address (snapshot_put_hidden). */
    if (!hidden.n_pc)
        blob_fail(blob);
    return hidden;
}

/* Two numbers, of which the second is written as what it is above the first:
 * both at most `most`. */
static void get_range(struct blob *blob, uint64_t most, uint64_t *ret_low,
                      uint64_t *ret_high)
{
    *ret_low = blob_get_below(blob, most);
    *ret_high = *ret_low + blob_get_below(blob, most - *ret_low);
}

/* Reads the figures of a group behind its flags. ORDER BLOBS */
static void get_figures(struct evidence_reader *reader, uint64_t flags,
                        struct group *group)
{
    struct blob *blob = &reader->blob;
    uint64_t low;
    uint64_t high;

    if (flags & HAS_IDS) {
        group->n_ids = (uint32_t)blob_get_below(blob, UINT32_MAX);
        get_range(blob, UINT64_MAX, &group->id_min, &group->id_max);
    }
    if (flags & HAS_WAITS) {
        group->n_waits = count_cut(blob_get_below(blob, group->count));
        get_range(blob, UINT32_MAX, &low, &high);
        group->wait_min = (uint32_t)low;
        group->wait_max = (uint32_t)high;
    }
    if (flags & HAS_LEAKED)
        group->leaked = blob_get_below(blob, group->count);
    if (flags & HAS_LOCKED)
        group->locked = count_cut(blob_get_below(blob, group->count));
    if (flags & HAS_CREATOR)
        group->created_by = get_creator(reader);
}

static void get_ids(struct blob *blob, struct id_sample *sample,
                    struct arena *arena)
{
    size_t n = blob_get_count(blob, EVIDENCE_IDS);
    uint64_t id = 0;

    for (size_t i = 0; i < n && !blob->failed; i++) {
        uint64_t more = blob_get_below(blob, UINT64_MAX - id);

        /* No id stands there twice. */
        if (i && !more)
            blob_fail(blob);
        id += more;
        id_sample_add(sample, arena, id);
    }
}

static void get_waits(struct blob *blob, struct wait_histogram *waits,
                      struct arena *arena)
{
    size_t n = blob_get_count(blob, UINT32_MAX);
    uint32_t minutes = 0;

    for (size_t i = 0; i < n && !blob->failed; i++) {
        minutes += (uint32_t)blob_get_below(blob, UINT32_MAX - minutes);
        wait_histogram_add(waits, arena, minutes,
                           (uint32_t)blob_get_below(blob, UINT32_MAX));
    }
}

/* Reads the values of a label; without memory for a text it is an "other". */
static void get_values(struct evidence_reader *reader,
                       struct counted_set *values, struct arena *arena)
{
    struct blob *blob = &reader->blob;
    size_t n = blob_get_count(blob, EVIDENCE_VALUES);

    for (size_t i = 0; i < n; i++) {
        struct str text = blob_get_text(blob);
        uint64_t count = blob_get(blob);
        text_id id = symbols_text_put(reader->in->symbols, text);

        if (id || !text.len)
            counted_set_add(values, arena, id, count, EVIDENCE_VALUES);
        else
            values->others += count;
    }
    values->others += blob_get(blob);
}

static void get_labels(struct evidence_reader *reader,
                       struct evidence *evidence, struct arena *arena)
{
    struct blob *blob = &reader->blob;
    size_t n = blob_get_count(blob, EVIDENCE_KEYS);
    struct label_counts **place = &evidence->labels;

    for (size_t i = 0; i < n; i++) {
        struct str key = blob_get_text(blob);
        struct label_counts lost = {0};
        struct label_counts *labels = arena_take_zero(arena, sizeof(*labels));

        reader->no_memory |= !labels;
        get_values(reader, labels ? &labels->values : &lost.values, arena);
        if (!labels)
            continue;
        labels->key = symbols_text_put(reader->in->symbols, key);
        *place = labels;
        place = &labels->next;
    }
    evidence->other_labels = blob_get(blob);
}

/* ORDER BLOBS */
static void get_evidence(struct evidence_reader *reader,
                         struct evidence *evidence)
{
    struct arena *arena = snapshot_arena(reader->snapshot);
    struct blob *blob = &reader->blob;
    size_t n;

    get_ids(blob, &evidence->ids, arena);
    get_waits(blob, &evidence->waits, arena);
    n = blob_get_count(blob, EVIDENCE_CREATORS);
    for (size_t i = 0; i < n; i++) {
        frame_id creator = get_creator(reader);

        counted_set_add(&evidence->creators, arena, creator, blob_get(blob),
                        EVIDENCE_CREATORS);
    }
    evidence->creators.others += blob_get(blob);
    get_labels(reader, evidence, arena);
}

/* Reads the pointers of one goroutine, whose stack has so many frames.
 * ORDER BLOBS */
static struct pointers get_goroutine(struct blob *blob, uint32_t n_frames)
{
    struct pointers pointers = {0};
    uint64_t last = n_frames < FRAMES_READ ? n_frames : FRAMES_READ;

    pointers.id = blob_get(blob);
    pointers.lock = blob_get(blob);
    pointers.n = (uint16_t)blob_get_below(blob, last ? POINTERS_KEPT : 0);
    for (unsigned i = 0; i < pointers.n; i++) {
        uint64_t packed = blob_get_below(blob, last << 2 | 3);

        if (packed >> 2 >= last)
            blob_fail(blob);
        pointers.frames[i] = (uint8_t)(packed >> 2);
        pointers.flags[i] = packed & (POINTER_SURE | POINTER_FIRST);
        pointers.addresses[i] = blob_get(blob);
    }
    return pointers;
}

static void get_pointers(struct evidence_reader *reader, struct group *group,
                         uint32_t n_frames)
{
    struct blob *blob = &reader->blob;
    size_t n = blob_get_count(blob, POINTERS_GROUP);

    for (size_t i = 0; i < n && !blob->failed; i++) {
        struct pointers pointers = get_goroutine(blob, n_frames);

        if (!blob->failed)
            reader->no_memory |=
                !snapshot_put_pointers(reader->snapshot, group, &pointers);
    }
}

static void get_numbers(struct evidence_reader *reader, bool is_there)
{
    size_t n = snapshot_info_get(reader->snapshot)->n_types;
    int64_t values[VALUES_MOST];

    for (size_t i = 0; i < n; i++)
        values[i] = blob_get_signed(&reader->blob);
    if (n && is_there)
        reader->no_memory |= !snapshot_put_values(reader->snapshot, values);
}

bool evidence_put_group(struct evidence_reader *reader,
                        const struct group *group)
{
    struct blob *blob = &reader->blob;
    uint64_t flags = blob_get(blob);
    struct group known = *group;
    struct evidence lost_evidence = {0};
    struct group lost = {.evidence = &lost_evidence};
    struct group *put = &lost;
    struct hidden hidden = {0};
    uint32_t n_frames = FRAMES_READ;
    size_t place = SNAPSHOT_NO_GROUP;

    if (group->stack != STACK_OTHER)
        n_frames = symbols_stack(reader->in->symbols, group->stack).n_frames;
    if (flags & HAS_HIDDEN)
        hidden = get_hidden(blob);
    get_figures(reader, flags, &known);
    if (!blob->failed && known.stack != STACK_OTHER)
        place = snapshot_put_group(
            reader->snapshot, &known, flags & HAS_HIDDEN ? &hidden : NULL,
            flags & HAS_EVIDENCE, flags & HAS_LOCK_FRAME);
    if (place != SNAPSHOT_NO_GROUP)
        put = snapshot_group(reader->snapshot, place);
    if (flags & HAS_EVIDENCE)
        get_evidence(reader, put->evidence);
    if (flags & HAS_POINTERS)
        get_pointers(reader, put, n_frames);
    get_numbers(reader, place != SNAPSHOT_NO_GROUP);
    add_bytes(reader, &reader->places, &place, sizeof(place));
    return place != SNAPSHOT_NO_GROUP;
}

size_t evidence_place(struct evidence_reader *reader, uint64_t number)
{
    size_t place = SNAPSHOT_NO_GROUP;

    if (number < reader->places.len / sizeof(place))
        memcpy(&place, reader->places.ptr + number * sizeof(place),
               sizeof(place));
    else if (!reader->no_memory)
        blob_fail(&reader->blob);
    return place;
}

/* ORDER BLOBS */
static void get_locks(struct evidence_reader *reader)
{
    struct blob *blob = &reader->blob;
    size_t n = blob_get_count(blob, EVIDENCE_LOCKS);
    uint64_t address = 0;

    for (size_t i = 0; i < n && !blob->failed; i++) {
        size_t place = evidence_place(reader, blob_get(blob));
        uint64_t known = blob_get_below(blob, LOCK_ADDRESS_EXACT);
        struct lock_waiters waiters = {.known = (uint8_t)known};

        if (known == LOCK_ADDRESS_NONE)
            blob_fail(blob);
        address += blob_get_below(blob, UINT64_MAX - address);
        waiters.address = address;
        waiters.count = blob_get(blob);
        if (blob->failed)
            return;
        if (place == SNAPSHOT_NO_GROUP) {
            snapshot_put_lock_others(reader->snapshot, waiters.count);
            continue;
        }
        waiters.group = (uint32_t)place;
        snapshot_put_lock(reader->snapshot, &waiters);
    }
    snapshot_put_lock_others(reader->snapshot, blob_get(blob));
}

bool evidence_end(struct evidence_reader *reader)
{
    get_locks(reader);
    reader->no_memory |= !crash_read(reader);
    buf_done(&reader->creators);
    buf_done(&reader->places);
    return blob_is_done(&reader->blob);
}
