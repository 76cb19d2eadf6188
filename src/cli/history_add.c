/* history add: dumps that were kept as files become a history. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "analysis/restarts.h"
#include "analysis/states.h"
#include "base/error.h"
#include "cli/history_shared.h"
#include "model/name_time.h"
#include "model/options.h"

/* A snapshot on its way, with the time that orders it. */
struct timed {
    struct snapshot *snapshot;
    int64_t taken_ns;
    bool is_certain; /* the dump or its name says the time */
    size_t order;
};

/* What a command adds, and what came of it. */
struct adding {
    struct store *store;
    struct cprof_snapshots *snapshots;
    struct cprof_snapshots *before; /* the newest of an instance, as stored */
    size_t n_added;
    size_t n_known;
};

/* When a snapshot was taken: as it says, as its name says, when its file was
 * written; now, of what came by a pipe. */
static struct timed time_of(struct snapshot *snapshot, size_t order)
{
    const struct snapshot_info *info = snapshot_info_get(snapshot);
    struct timed timed = {snapshot, info->taken_ns, info->taken_ns != 0, order};

    if (!timed.is_certain)
        timed.is_certain = name_time_find(info->source, &timed.taken_ns);
    if (!timed.is_certain)
        timed.taken_ns = info->written_ns;
    if (!timed.taken_ns)
        timed.taken_ns = (int64_t)time(NULL) * 1000000000;
    return timed;
}

static int compare(const void *a, const void *b)
{
    const struct timed *left = a;
    const struct timed *right = b;
    int order = str_compare(snapshot_info_get(left->snapshot)->instance,
                            snapshot_info_get(right->snapshot)->instance);

    if (order)
        return order;
    if (left->taken_ns != right->taken_ns)
        return left->taken_ns < right->taken_ns ? -1 : 1;
    return (left->order > right->order) - (left->order < right->order);
}

/* The snapshot of the instance that stands before a time; NULL without one. */
static int find_before(struct adding *adding, struct str instance,
                       int64_t taken_ns, const struct snapshot **ret,
                       struct cprof_error *err)
{
    struct store_query query = {.has_instance = true,
                                .instance = instance,
                                .to_ns = taken_ns,
                                .newest = 1};
    size_t n = 0;
    int rc = store_read(adding->store, &query, 1, adding->before, &n, err);

    *ret =
        rc == 0 && n ? adding->before->items[adding->before->count - 1] : NULL;
    return rc;
}

/* Adds one; before is the one of its instance that was added last. */
static int add_one(struct adding *adding, const struct timed *timed,
                   const struct snapshot *before, struct cprof_error *err)
{
    const struct snapshot_info *info = snapshot_info_get(timed->snapshot);
    struct store_snapshot wanted = {.instance = info->instance,
                                    .address = info->source,
                                    .snapshot = timed->snapshot,
                                    .taken_ns = timed->taken_ns,
                                    .is_timed = timed->is_certain};
    struct store_added added = {0};
    int rc = 0;

    if (!before)
        rc = find_before(adding, info->instance, timed->taken_ns, &before, err);
    wanted.is_new_segment =
        before && restart_between(before, timed->snapshot) != NULL;
    if (rc == 0)
        rc = store_add(adding->store, &wanted, &added, err);
    if (rc < 0)
        return rc;
    adding->n_known += added.was_known;
    adding->n_added += !added.was_known;
    return 0;
}

static int add_all(struct adding *adding, struct timed *timed, size_t n,
                   struct cprof_error *err)
{
    const struct snapshot *before = NULL;
    int rc = 0;

    qsort(timed, n, sizeof(*timed), compare);
    for (size_t i = 0; i < n && rc == 0; i++) {
        struct str instance = snapshot_info_get(timed[i].snapshot)->instance;

        if (before && !str_equal(snapshot_info_get(before)->instance, instance))
            before = NULL;
        rc = add_one(adding, &timed[i], before, err);
        before = timed[i].snapshot;
    }
    return rc;
}

/* Stores all that was read: all of it or, after a failure, nothing. */
static int store_all(struct adding *adding, struct cprof_error *err)
{
    size_t n = adding->snapshots->count;
    struct timed *timed = calloc(n + 1, sizeof(*timed));
    int rc;

    if (!timed)
        return error_memory(err, (struct place){0}, "storing snapshots");
    for (size_t i = 0; i < n; i++) {
        timed[i] = time_of(adding->snapshots->items[i], i);
        states_infer(timed[i].snapshot);
    }
    rc = store_begin(adding->store, err);
    if (rc == 0)
        rc = add_all(adding, timed, n, err);
    if (rc == 0)
        rc = store_commit(adding->store, err);
    free(timed);
    return rc;
}

static int add(const struct arguments *arguments, struct cprof_error *err)
{
    struct arguments inputs = *arguments;
    struct history_spec spec = {0};
    struct adding adding = {0};
    int rc;

    inputs.inputs++;
    inputs.n_inputs--;
    rc = inputs_check(&inputs, err);
    if (rc == 0)
        rc = cprof_snapshots_new(&adding.snapshots, arguments->options, err);
    if (rc == 0)
        rc = cprof_snapshots_new(&adding.before, arguments->options, err);
    if (rc == 0 && inputs_read(&inputs, adding.snapshots))
        rc = error_set(err, CPROF_EFORMAT, (struct place){0},
                       "an input could not be read: nothing was stored");
    if (rc == 0)
        rc = history_spec_open(&spec, arguments->inputs[0], STORE_CREATE,
                               &adding.store, err);
    if (rc == 0)
        rc = store_all(&adding, err);
    if (rc == 0 && !arguments->quiet)
        printf("%s: %zu stored, %zu known already\n", spec.place.service,
               adding.n_added, adding.n_known);
    store_close(adding.store);
    history_spec_done(&spec);
    cprof_snapshots_free(adding.before);
    cprof_snapshots_free(adding.snapshots);
    return rc;
}

int history_add_run(const struct arguments *arguments)
{
    struct cprof_error err = {0};
    int rc = 0;

    if (!arguments->n_inputs)
        rc = error_set(&err, CPROF_EUSAGE, (struct place){0},
                       "name the history first, then the dumps");
    if (rc == 0)
        rc = add(arguments, &err);
    return history_end(rc, &err);
}
