/* Which snapshots a query means, and which of these are read whole. */
#include <stdlib.h>

#include "store/parts.h"

/* The windows over which growth is judged (analysis/growth_judge.c), newest
 * last, in microseconds; 0 is all of the time. */
static const int64_t windows_us[] = {0, 604800000000, 86400000000, 3600000000};

/* The width of parts of a window: a second, doubled until the parts are few
 * enough. Parts begin at multiples of their width, so that from run to run the
 * same snapshots stand for them. */
static const int64_t part_least_us = 1000000;

static void add_pick(struct buf *rows, const struct query *query)
{
    struct pick pick = {.id = query_get_number(query, 0),
                        .taken_us = query_get_number(query, 1),
                        .segment = query_get_number(query, 2)};

    buf_add(rows, (struct str){(const char *)&pick, sizeof(pick)});
}

/* Lists what an instance has of the times, or the one snapshot, of a query,
 * from the newest on. */
static int list_times(struct store *store, int64_t instance,
                      const struct store_query *wanted, struct buf *rows,
                      struct cprof_error *err)
{
    struct query query =
        query_begin(&store->database,
                    wanted->id ? SQL_SNAPSHOT_TIME : SQL_SNAPSHOT_TIMES, err);

    query_number(&query, instance);
    if (wanted->id) {
        query_number(&query, wanted->id);
    } else {
        query_number(&query,
                     wanted->from_ns ? us_of_ns(wanted->from_ns) : INT64_MIN);
        query_number(&query,
                     wanted->to_ns ? us_of_ns(wanted->to_ns) : INT64_MAX);
        /* The other fields leave out old ones only. */
        query_number(&query, wanted->newest && wanted->newest < INT64_MAX
                                 ? (int64_t)wanted->newest
                                 : -1);
    }
    while (query_next(&query))
        add_pick(rows, &query);
    if (query_end(&query) < 0)
        return query.rc;
    return rows->failed ? store_memory(store, err) : 0;
}

static void reverse(struct pick *picks, size_t n)
{
    for (size_t i = 0; i < n / 2; i++) {
        struct pick pick = picks[i];

        picks[i] = picks[n - 1 - i];
        picks[n - 1 - i] = pick;
    }
}

/* How many of the first picks are left out by the other fields of a query. */
static size_t count_left_out(const struct store_query *query,
                             const struct pick *picks, size_t n)
{
    const struct pick *last = &picks[n - 1];
    int64_t span_us = query->span_ns / 1000;
    size_t first = 0;

    while (query->last_segment && picks[first].segment != last->segment)
        first++;
    while (span_us && last->taken_us - span_us > picks[first].taken_us)
        first++;
    return first;
}

/* The number of the part that a time falls into, whatever its sign. */
static int64_t part_of(int64_t at_us, int64_t width)
{
    return at_us / width - (at_us % width < 0);
}

/* Marks the last snapshot of each part of a window. */
static void mark_window(const struct pick *picks, size_t n, size_t first,
                        size_t points, bool *wanted)
{
    int64_t width = part_least_us;
    int64_t begin = picks[first].taken_us;
    int64_t end = picks[n - 1].taken_us;

    while (width < INT64_MAX / 4 &&
           (uint64_t)(part_of(end, width) - part_of(begin, width)) >= points)
        width *= 2;
    for (size_t i = first; i < n; i++) {
        if (i + 1 == n || part_of(picks[i].taken_us, width) !=
                              part_of(picks[i + 1].taken_us, width))
            wanted[i] = true;
    }
}

/* Keeps at most so many points of each window. Returns how many are left. */
static size_t keep_points(struct pick *picks, size_t n, size_t points,
                          bool *wanted)
{
    size_t kept = 0;

    for (size_t w = 0; w < sizeof(windows_us) / sizeof(windows_us[0]); w++) {
        int64_t begin = picks[n - 1].taken_us - windows_us[w];
        size_t first = 0;

        while (windows_us[w] && picks[first].taken_us < begin)
            first++;
        mark_window(picks, n, first, points, wanted);
    }
    for (size_t i = 0; i < n; i++) {
        if (wanted[i])
            picks[kept++] = picks[i];
    }
    return kept;
}

static int compare_numbers(const void *a, const void *b)
{
    int64_t left = *(const int64_t *)a;
    int64_t right = *(const int64_t *)b;

    return (left > right) - (left < right);
}

/* Notes which snapshots have evidence. Returns how many. */
static int find_evidence(struct store *store, int64_t instance,
                         const struct picks *picks, size_t *ret_count,
                         struct cprof_error *err)
{
    struct query query = query_begin(&store->database, SQL_EVIDENCE_LIST, err);
    struct buf ids = {0};

    query_number(&query, instance);
    while (query_next(&query)) {
        int64_t id = query_get_number(&query, 0);

        buf_add(&ids, (struct str){(const char *)&id, sizeof(id)});
    }
    *ret_count = 0;
    for (size_t i = 0; i < picks->n && ids.len; i++) {
        struct pick *pick = &picks->items[i];

        pick->has_evidence =
            bsearch(&pick->id, ids.ptr, ids.len / sizeof(int64_t),
                    sizeof(int64_t), compare_numbers) != NULL;
        *ret_count += pick->has_evidence;
    }
    if (ids.failed && query.rc == 0)
        query.rc = store_memory(store, err);
    buf_done(&ids);
    return query_end(&query);
}

/* Chooses what is read whole of those with evidence, and the newest. */
static void choose_whole(struct pick *picks, size_t n, size_t n_evidence,
                         size_t whole)
{
    size_t stride = whole ? (n_evidence + whole - 1) / whole : 1;
    size_t at = 0;

    for (size_t i = n; i-- > 0;) {
        if (picks[i].has_evidence)
            picks[i].is_whole = at++ % stride == 0;
    }
    picks[n - 1].is_whole = true;
}

/* Narrows a list of snapshots, of which there is at least one. */
static int narrow(struct store *store, int64_t instance,
                  const struct store_query *query, size_t whole,
                  struct picks *picks, struct cprof_error *err)
{
    size_t first = count_left_out(query, picks->items, picks->n);
    size_t n_evidence;
    bool *wanted;
    int rc;

    picks->n -= first;
    memmove(picks->items, picks->items + first,
            picks->n * sizeof(*picks->items));
    if (query->oldest && picks->n > query->oldest)
        picks->n = query->oldest;
    if (query->points) {
        wanted = calloc(picks->n, sizeof(*wanted));
        if (!wanted)
            return store_memory(store, err);
        picks->n = keep_points(picks->items, picks->n, query->points, wanted);
        free(wanted);
    }
    rc = find_evidence(store, instance, picks, &n_evidence, err);
    if (rc == 0)
        choose_whole(picks->items, picks->n, n_evidence, whole);
    return rc;
}

int picks_find(struct store *store, int64_t instance,
               const struct store_query *query, size_t whole, struct picks *ret,
               struct cprof_error *err)
{
    struct buf rows = {0};
    struct picks picks;
    int rc = list_times(store, instance, query, &rows, err);

    picks.items = (struct pick *)(void *)rows.ptr;
    picks.n = rows.len / sizeof(*picks.items);
    reverse(picks.items, picks.n);
    if (rc == 0 && picks.n)
        rc = narrow(store, instance, query, whole, &picks, err);
    if (rc < 0)
        buf_done(&rows);
    else
        *ret = picks;
    return rc;
}
