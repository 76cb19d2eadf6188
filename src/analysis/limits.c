#include "analysis/limits.h"

#include "base/count.h"

enum {
    DEPTH_OLD = 32, /* addresses of a stack before Go 1.23 */
    DEPTH_NEW = 128,
    /* Frames of a stack that the limit cut, at least: some of its addresses
     * are hidden frames of the runtime. A shorter one was cut otherwise. */
    FRAMES_LEAST = 16,
};

/* The stacks of a dump that end at the limit. */
struct deep {
    uint64_t groups;
    uint64_t goroutines;
    uint32_t deepest; /* frames of the longest */
};

static bool has_limit(const struct snapshot_info *info)
{
    return str_equal(str_from(snapshot_origin(info)), STR("debug1")) ||
           str_equal(str_from(snapshot_origin(info)), STR("debug0"));
}

static struct deep count_deep(const struct snapshot *snapshot)
{
    const struct symbols *symbols = snapshot_symbols(snapshot);
    struct deep deep = {0};

    for (size_t i = 0; i < snapshot_n_groups(snapshot); i++) {
        const struct group *group = snapshot_group(snapshot, i);
        struct stack stack = symbols_stack(symbols, group->stack);

        if (stack.elided != ELIDED_SOME || stack.n_frames < FRAMES_LEAST)
            continue;
        deep.groups++;
        deep.goroutines += group->count;
        if (stack.n_frames > deep.deepest)
            deep.deepest = stack.n_frames;
    }
    return deep;
}

/* A program that runs has a goroutine: none is no good news. */
static void say_empty(struct cprof_snapshots *snapshots,
                      struct snapshot_info *info)
{
    info->complete = false;
    diag_add(&snapshots->diags, DIAG_WARNING, "no-goroutines",
             (struct place){info->source.ptr, info->line, 0},
             "this profile holds no goroutines, and a program that runs has "
             "one at least: fetch it again");
}

static void say_deep(struct cprof_snapshots *snapshots,
                     const struct snapshot_info *info, const struct deep *deep)
{
    bool is_old = deep->deepest <= DEPTH_OLD;

    diag_add(&snapshots->diags, DIAG_WARNING, "depth-limit",
             (struct place){info->source.ptr, info->line, 0},
             "%s group%s (%s goroutine%s) reached the depth limit of profiles, "
             "%d frames: the outer frames, those of the callers, are missing. "
             "debug=2 shows 100%s",
             count_text(deep->groups).text, deep->groups == 1 ? "" : "s",
             count_text(deep->goroutines).text,
             deep->goroutines == 1 ? "" : "s", is_old ? DEPTH_OLD : DEPTH_NEW,
             is_old ? "" : "; GODEBUG=profstackdepth=1024 raises the limit");
}

void limits_say(struct cprof_snapshots *snapshots, const bool *judged)
{
    for (size_t i = 0; i < snapshots->count; i++) {
        struct snapshot_info *info = snapshot_info(snapshots->items[i]);
        struct deep deep;

        if (judged[i] && info->kind == PROFILE_GOROUTINE && !info->total &&
            !info->declared && !info->crash)
            say_empty(snapshots, info);
        if (!judged[i] || !has_limit(info) || profile_is_measured(info->kind))
            continue;
        deep = count_deep(snapshots->items[i]);
        if (deep.groups)
            say_deep(snapshots, info, &deep);
    }
}
