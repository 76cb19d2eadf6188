#include "model/evidence.h"

#include <stdlib.h>

enum { GROWN_LITTLE = 8, GROWN_MUCH = 128 };

/* The next size of an array: what is copied and what stays unused are both
 * lost. */
static uint32_t next_size(uint32_t size, uint32_t most)
{
    bool is_between = size >= GROWN_LITTLE && size < GROWN_MUCH;
    uint32_t larger = size ? size * (is_between ? 4 : 2) : 1;

    return larger < most && most > size * 4 ? larger : most;
}

/* Makes an array in an arena larger, of `most` elements at most; the old copy
 * stays behind until the arena dies. NULL when there is no memory: the caller
 * then keeps less. */
static void *grow(struct arena *arena, const void *old, size_t element,
                  uint32_t most, uint32_t *size)
{
    uint32_t wanted = next_size(*size, most);
    void *array = arena_take(arena, wanted * element);

    if (!array)
        return NULL;
    if (*size)
        memcpy(array, old, *size * element);
    *size = wanted;
    return array;
}

/* Gives up the ids whose hash is not below a bound, and returns how many are
 * left of those that the sample has. */
static uint32_t cut_ids(uint64_t *ids, uint32_t count, uint64_t below)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < count; i++) {
        uint64_t id = ids[i];

        ids[n] = id;
        n += id_sample_hash(id) < below;
    }
    return n;
}

static uint32_t count_below(const uint64_t *ids, uint32_t count, uint64_t below)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < count; i++)
        n += id_sample_hash(ids[i]) < below;
    return n;
}

/* Moves the smaller hashes, of those from low to high, before the larger, and
 * returns where the larger begin: there are some of both. */
static uint32_t part_hashes(uint64_t *hashes, uint32_t low, uint32_t high)
{
    uint64_t pivot = hashes[low + (high - low) / 2];

    for (;; low++, high--) {
        uint64_t hash;

        while (hashes[low] < pivot)
            low++;
        while (hashes[high] > pivot)
            high--;
        if (low >= high)
            return high + 1;
        hash = hashes[low];
        hashes[low] = hashes[high];
        hashes[high] = hash;
    }
}

/* The hash below which a sample of more has EVIDENCE_IDS: quickselect.
 * No two hashes are the same. */
static uint64_t find_bound(const struct id_sample *sample)
{
    uint64_t hashes[EVIDENCE_IDS_ROOM];
    uint32_t low = 0;
    uint32_t high = sample->count - 1;

    for (uint32_t i = 0; i < sample->count; i++)
        hashes[i] = id_sample_hash(sample->ids[i]);
    while (low < high) {
        uint32_t larger = part_hashes(hashes, low, high);

        if (larger <= EVIDENCE_IDS)
            low = larger;
        else
            high = larger - 1;
    }
    return hashes[EVIDENCE_IDS];
}

void id_sample_settle(struct id_sample *sample)
{
    if (sample->count <= EVIDENCE_IDS)
        return;
    sample->below = find_bound(sample);
    sample->count = cut_ids(sample->ids, sample->count, sample->below);
}

/* Makes room in a full sample. Hashes are even: a bound that should leave some
 * more than are to be kept mostly leaves enough, and need not be searched. */
static void make_room(struct id_sample *sample)
{
    uint64_t most = sample->below ? sample->below : UINT64_MAX;
    uint64_t below = most / 16 * 12;

    if (count_below(sample->ids, sample->count, below) < EVIDENCE_IDS) {
        id_sample_settle(sample);
        return;
    }
    sample->below = below;
    sample->count = cut_ids(sample->ids, sample->count, below);
    if (sample->count == sample->size)
        id_sample_settle(sample);
}

void id_sample_add(struct id_sample *sample, struct arena *arena, uint64_t id)
{
    if (!id_sample_wants(sample, id_sample_hash(id)))
        return;
    if (sample->count == EVIDENCE_IDS_ROOM) {
        make_room(sample);
        if (!id_sample_wants(sample, id_sample_hash(id)))
            return;
    } else if (sample->count == sample->size) {
        uint64_t *ids = grow(arena, sample->ids, sizeof(id), EVIDENCE_IDS_ROOM,
                             &sample->size);

        if (!ids)
            return;
        sample->ids = ids;
    }
    sample->ids[sample->count++] = id;
}

/* Whether an id is wanted cannot be foreseen: no branch depends on it while
 * there is room for all. */
void id_sample_add_all(struct id_sample *sample, struct arena *arena,
                       const uint64_t *ids, uint32_t n)
{
    uint64_t most = sample->below - 1; /* of 0: any is wanted */
    uint32_t count = sample->count;

    if (sample->size - count < n) {
        for (uint32_t i = 0; i < n; i++)
            id_sample_add(sample, arena, ids[i]);
        return;
    }
    for (uint32_t i = 0; i < n; i++) {
        sample->ids[count] = ids[i];
        count += id_sample_hash(ids[i]) <= most;
    }
    sample->count = count;
}

bool id_sample_has(const struct id_sample *sample, uint64_t id)
{
    for (uint32_t i = 0; i < sample->count; i++) {
        if (sample->ids[i] == id)
            return true;
    }
    return false;
}

static int compare_ids(const void *a, const void *b)
{
    uint64_t left = *(const uint64_t *)a;
    uint64_t right = *(const uint64_t *)b;

    return (left > right) - (left < right);
}

void id_sample_sort(struct id_sample *sample)
{
    id_sample_settle(sample);
    if (sample->count)
        qsort(sample->ids, sample->count, sizeof(uint64_t), compare_ids);
}

/* The lower edge of the bar that a number of minutes falls into, and a number
 * that no other edge near it has. */
static uint32_t bar_edge(uint32_t minutes, uint32_t *ret_number)
{
    unsigned bits = minutes ? 32u - (unsigned)__builtin_clz(minutes) : 0;
    unsigned cut = bits > 6 ? bits - 6 : 0;

    *ret_number = cut * 32 + (minutes >> cut);
    return minutes >> cut << cut;
}

/* The index of the first bar at or above an edge. */
static uint32_t bar_find(const struct wait_histogram *histogram, uint32_t edge)
{
    uint32_t low = 0;
    uint32_t high = histogram->count;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (histogram->bars[middle].minutes < edge)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Adds a bar at an index; without memory it is lost. */
static void bar_add(struct wait_histogram *histogram, struct arena *arena,
                    uint32_t at, struct wait_bar bar)
{
    enum { BARS_FEW = 8 };

    if (histogram->count == histogram->size) {
        struct wait_bar *bars = grow(arena, histogram->bars, sizeof(*bars),
                                     UINT32_MAX, &histogram->size);

        if (!bars)
            return;
        histogram->bars = bars;
    }
    memmove(&histogram->bars[at + 1], &histogram->bars[at],
            (histogram->count - at) * sizeof(*histogram->bars));
    histogram->bars[at] = bar;
    histogram->count++;
    if (!histogram->hints && histogram->count > BARS_FEW)
        histogram->hints =
            arena_take_zero(arena, EVIDENCE_HINTS * sizeof(*histogram->hints));
}

void wait_histogram_add(struct wait_histogram *histogram, struct arena *arena,
                        uint32_t minutes, uint32_t count)
{
    uint32_t number;
    uint32_t edge = bar_edge(minutes, &number);
    uint16_t *hint =
        histogram->hints ? &histogram->hints[number % EVIDENCE_HINTS] : NULL;
    uint32_t at = hint ? *hint : UINT32_MAX;

    if (at >= histogram->count || histogram->bars[at].minutes != edge) {
        at = bar_find(histogram, edge);
        if (hint)
            *hint = (uint16_t)at;
    }
    if (at < histogram->count && histogram->bars[at].minutes == edge)
        histogram->bars[at].count += count;
    else
        bar_add(histogram, arena, at, (struct wait_bar){edge, count});
}

uint32_t wait_histogram_median(const struct wait_histogram *histogram)
{
    uint64_t total = 0;
    uint64_t seen = 0;

    for (uint32_t i = 0; i < histogram->count; i++)
        total += histogram->bars[i].count;
    for (uint32_t i = 0; i < histogram->count; i++) {
        seen += histogram->bars[i].count;
        if (seen * 2 >= total)
            return histogram->bars[i].minutes;
    }
    return 0;
}

static struct counted *find_counted(const struct counted_set *set, uint32_t id)
{
    for (uint32_t i = 0; i < set->count; i++) {
        if (set->items[i].id == id)
            return &set->items[i];
    }
    return NULL;
}

void counted_set_add(struct counted_set *set, struct arena *arena, uint32_t id,
                     uint64_t count, uint32_t most)
{
    struct counted *known = find_counted(set, id);

    if (known) {
        known->count += count;
        return;
    }
    if (set->count < most && set->count == set->size) {
        struct counted *items =
            grow(arena, set->items, sizeof(*items), most, &set->size);

        if (items)
            set->items = items;
    }
    if (set->count >= most || set->count == set->size) {
        set->others += count;
        return;
    }
    set->items[set->count++] = (struct counted){id, count};
}

/* Puts a text into symbols; false when there is no memory for it. */
static bool put_text(struct symbols *symbols, struct str text, text_id *ret)
{
    *ret = symbols_text_put(symbols, text);
    return *ret || !text.len;
}

/* The counts of a key, made at its first arrival while there is room. */
static struct label_counts *find_key(struct evidence *evidence,
                                     struct arena *arena,
                                     struct symbols *symbols, struct str key)
{
    struct label_counts **place = &evidence->labels;
    uint32_t n = 0;
    text_id id;

    key = symbols_text_cut(symbols, key);
    for (; *place; place = &(*place)->next, n++) {
        if (str_equal(symbols_text(symbols, (*place)->key), key))
            return *place;
    }
    if (n >= EVIDENCE_KEYS || !put_text(symbols, key, &id))
        return NULL;
    *place = arena_take_zero(arena, sizeof(**place));
    if (*place)
        (*place)->key = id;
    return *place;
}

/* Whether a frame comes before another by its texts: ids would depend on the
 * order of the input. */
static bool comes_before(const struct symbols *symbols, frame_id a, frame_id b)
{
    int order =
        str_compare(symbols_function(symbols, a), symbols_function(symbols, b));

    if (!order)
        order = str_compare(symbols_file(symbols, a), symbols_file(symbols, b));
    if (order)
        return order < 0;
    return symbols_frame(symbols, a).line < symbols_frame(symbols, b).line;
}

frame_id creators_most_common(const struct counted_set *creators,
                              const struct symbols *symbols)
{
    const struct counted *best = NULL;

    for (uint32_t i = 0; i < creators->count; i++) {
        const struct counted *item = &creators->items[i];

        if (!best || item->count > best->count ||
            (item->count == best->count &&
             comes_before(symbols, item->id, best->id)))
            best = item;
    }
    return best ? best->id : FRAME_NONE;
}

void evidence_label_add(struct evidence *evidence, struct arena *arena,
                        struct symbols *symbols, const struct label *label,
                        uint64_t count)
{
    struct label_counts *labels =
        find_key(evidence, arena, symbols, label->key);
    struct counted_set *values;
    text_id id;

    if (!labels) {
        evidence->other_labels += count;
        return;
    }
    values = &labels->values;
    for (uint32_t i = 0; i < values->count; i++) {
        struct str known = symbols_text(symbols, values->items[i].id);

        if (str_equal(known, label->value)) {
            values->items[i].count += count;
            return;
        }
    }
    if (values->count >= EVIDENCE_VALUES ||
        !put_text(symbols, label->value, &id)) {
        values->others += count;
        return;
    }
    counted_set_add(values, arena, id, count, EVIDENCE_VALUES);
}

static void merge_counts(struct counted_set *into,
                         const struct counted_set *from, struct arena *arena,
                         uint32_t most)
{
    for (uint32_t i = 0; i < from->count; i++)
        counted_set_add(into, arena, from->items[i].id, from->items[i].count,
                        most);
    into->others += from->others;
}

static uint64_t counted_sum(const struct counted_set *set)
{
    uint64_t sum = set->others;

    for (uint32_t i = 0; i < set->count; i++)
        sum += set->items[i].count;
    return sum;
}

/* Keys are ids of the same symbols on both sides. */
static struct label_counts *find_key_id(struct evidence *evidence,
                                        struct arena *arena, text_id key)
{
    struct label_counts **place = &evidence->labels;
    uint32_t n = 0;

    for (; *place; place = &(*place)->next, n++) {
        if ((*place)->key == key)
            return *place;
    }
    if (n >= EVIDENCE_KEYS)
        return NULL;
    *place = arena_take_zero(arena, sizeof(**place));
    if (*place)
        (*place)->key = key;
    return *place;
}

/* Adds the ids that are not there yet. A filter of a bit for each that is there
 * answers for most of them; the sample is looked through for the others. */
static void merge_ids(struct id_sample *into, const struct id_sample *from,
                      struct arena *arena)
{
    enum { FILTER_BITS = EVIDENCE_IDS_ROOM * 16 };
    uint64_t filter[FILTER_BITS / 64] = {0};

    for (uint32_t i = 0; i < into->count; i++) {
        uint64_t bit = id_sample_hash(into->ids[i]) % FILTER_BITS;

        filter[bit / 64] |= (uint64_t)1 << bit % 64;
    }
    for (uint32_t i = 0; i < from->count; i++) {
        uint64_t bit = id_sample_hash(from->ids[i]) % FILTER_BITS;
        bool is_seen = filter[bit / 64] >> bit % 64 & 1;

        filter[bit / 64] |= (uint64_t)1 << bit % 64;
        if (!is_seen || !id_sample_has(into, from->ids[i]))
            id_sample_add(into, arena, from->ids[i]);
    }
}

void evidence_merge(struct evidence *into, const struct evidence *from,
                    struct arena *arena)
{
    merge_ids(&into->ids, &from->ids, arena);
    for (uint32_t i = 0; i < from->waits.count; i++)
        wait_histogram_add(&into->waits, arena, from->waits.bars[i].minutes,
                           from->waits.bars[i].count);
    merge_counts(&into->creators, &from->creators, arena, EVIDENCE_CREATORS);
    for (const struct label_counts *labels = from->labels; labels;
         labels = labels->next) {
        struct label_counts *mine = find_key_id(into, arena, labels->key);

        if (mine)
            merge_counts(&mine->values, &labels->values, arena,
                         EVIDENCE_VALUES);
        else
            into->other_labels += counted_sum(&labels->values);
    }
    into->other_labels += from->other_labels;
}
