/* The runtime's proof of leaks, read beside the dumps that are judged. */
#include "model/collection.h"

/* A goroutineleak profile says it in its name; a stack dump may carry marks,
 * and the goroutineleak profile's with debug=2 has no other form. */
static bool can_prove(const struct snapshot_info *info)
{
    return info->kind == PROFILE_GOROUTINELEAK ||
           (info->kind == PROFILE_GOROUTINE &&
            str_equal(str_from(info->format), STR("debug2")));
}

static bool has_marks(const struct snapshot *snapshot)
{
    for (size_t i = 0; i < snapshot_n_groups(snapshot); i++) {
        if (snapshot_group(snapshot, i)->leaked)
            return true;
    }
    return false;
}

static int refuse(const struct snapshot_info *info, const char *name,
                  struct cprof_error *err)
{
    return error_set(err, CPROF_EFORMAT, (struct place){name, 0, 0},
                     "a " STR_FORMAT " profile (%s) proves no leaks: give "
                     "/debug/pprof/goroutineleak of the same process (Go 1.26 "
                     "with GOEXPERIMENT=goroutineleakprofile, or Go 1.27)",
                     STR_ARG(info->profile), info->format);
}

/* Of several dumps in the input the last one is the proof. */
static void keep_last(struct cprof_snapshots *snapshots, size_t first)
{
    while (snapshots->count > first + 1)
        collection_drop_at(snapshots, first);
    snapshot_info(snapshots->items[first])->is_proof = true;
}

/* What the collection was before the proof was read. */
struct before {
    size_t count;
    uint32_t n_inputs;
};

static struct before before(const struct cprof_snapshots *snapshots)
{
    return (struct before){snapshots->count, snapshots->n_inputs};
}

/* Takes what was just read as proof, or drops it. */
static int accept(struct cprof_snapshots *snapshots, struct before before,
                  const char *name, struct cprof_error *err)
{
    const struct snapshot *last = snapshots->items[snapshots->count - 1];
    const struct snapshot_info *info = snapshot_info_get(last);
    int rc;

    if (!can_prove(info)) {
        rc = refuse(info, name, err);
        while (snapshots->count > before.count)
            collection_drop(snapshots);
        snapshots->n_inputs = before.n_inputs;
        return rc;
    }
    if (info->kind == PROFILE_GOROUTINE && !has_marks(last))
        diag_add(&snapshots->diags, DIAG_WARNING, "no-leak-marks",
                 (struct place){info->source.ptr, info->line, 0},
                 "no goroutine of this dump is marked (leaked): it proves "
                 "something only if the runtime had looked for leaks before, "
                 "as /debug/pprof/goroutineleak makes it do");
    keep_last(snapshots, before.count);
    return 0;
}

int cprof_snapshots_read_leaks(struct cprof_snapshots *snapshots,
                               const char *path, struct cprof_error *err)
{
    struct before was = before(snapshots);
    int rc = cprof_snapshots_read_file(snapshots, path, err);

    return rc < 0 ? rc : accept(snapshots, was, path, err);
}

int cprof_snapshots_read_leaks_from(struct cprof_snapshots *snapshots,
                                    const char *name, cprof_read_fn *read,
                                    void *user, struct cprof_error *err)
{
    struct before was = before(snapshots);
    int rc = cprof_snapshots_read(snapshots, name, read, user, err);

    return rc < 0 ? rc : accept(snapshots, was, name, err);
}
