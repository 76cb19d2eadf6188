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

static int refuse(const struct snapshot_info *info, const char *path,
                  struct cprof_error *err)
{
    return error_set(err, CPROF_EFORMAT, (struct place){path, 0, 0},
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

int cprof_snapshots_read_leaks(struct cprof_snapshots *snapshots,
                               const char *path, struct cprof_error *err)
{
    size_t first = snapshots->count;
    uint32_t n_inputs = snapshots->n_inputs;
    const struct snapshot *last;
    const struct snapshot_info *info;
    int rc = cprof_snapshots_read_file(snapshots, path, err);

    if (rc < 0)
        return rc;
    last = snapshots->items[snapshots->count - 1];
    info = snapshot_info_get(last);
    if (!can_prove(info)) {
        rc = refuse(info, path, err);
        while (snapshots->count > first)
            collection_drop(snapshots);
        snapshots->n_inputs = n_inputs;
        return rc;
    }
    if (info->kind == PROFILE_GOROUTINE && !has_marks(last))
        diag_add(&snapshots->diags, DIAG_WARNING, "no-leak-marks",
                 (struct place){info->source.ptr, info->line, 0},
                 "no goroutine of this dump is marked (leaked): it proves "
                 "something only if the runtime had looked for leaks before, "
                 "as /debug/pprof/goroutineleak makes it do");
    keep_last(snapshots, first);
    return 0;
}
