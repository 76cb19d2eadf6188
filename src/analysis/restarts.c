#include "analysis/restarts.h"

#include "base/count.h"

/* What tells one process from the next. */
struct trace {
    uint64_t max_id; /* 0 = the format has none */
    uint64_t gopark; /* its address; 0 = not seen */
    struct str go_version;
    uint64_t total;
};

/* Parked goroutines show the call in runtime.gopark as their first hidden
 * address; the address of most goroutines is taken. */
static uint64_t find_gopark(const struct snapshot *snapshot)
{
    uint64_t address = 0;
    uint64_t most = 0;

    for (size_t i = 0; i < snapshot_n_groups(snapshot); i++) {
        const struct group *group = snapshot_group(snapshot, i);
        const struct hidden *hidden = snapshot_hidden(snapshot, group);

        if (hidden && hidden->count >= 2 && group->count > most) {
            most = group->count;
            address = hidden->pc[0];
        }
    }
    return address;
}

static struct trace trace_of(const struct snapshot *snapshot)
{
    const struct snapshot_info *info = snapshot_info_get(snapshot);

    return (struct trace){info->max_id, find_gopark(snapshot), info->go_version,
                          info->total};
}

/* Why two moments cannot be of one process; NULL when they can. */
static const char *why_restart(const struct trace *before,
                               const struct trace *after)
{
    if (before->max_id && after->max_id && after->max_id < before->max_id / 2)
        return "goroutine ids begin anew";
    if (before->gopark && after->gopark && before->gopark != after->gopark)
        return "the program's code lies at other addresses";
    if (before->go_version.len && after->go_version.len &&
        !str_equal(before->go_version, after->go_version))
        return "it was built with another version of Go";
    return NULL;
}

static bool may_be_restart(const struct trace *before,
                           const struct trace *after)
{
    return after->total < before->total / 2 && before->total >= 20 &&
           !(before->max_id && after->max_id >= before->max_id) &&
           !(before->gopark && before->gopark == after->gopark);
}

/* Keeps what only some formats tell, so that mixed ones can be compared. */
static void carry(struct trace *trace, const struct trace *before)
{
    if (!trace->max_id)
        trace->max_id = before->max_id;
    if (!trace->gopark)
        trace->gopark = before->gopark;
    if (!trace->go_version.len)
        trace->go_version = before->go_version;
}

static void say(struct cprof_snapshots *snapshots, const struct moments *series,
                size_t at, const char *why)
{
    const struct snapshot_info *info =
        snapshot_info_get(snapshots->items[series->snapshots[at]]);
    const struct snapshot_info *before =
        snapshot_info_get(snapshots->items[series->snapshots[at - 1]]);
    struct place place = {info->source.ptr, info->line, 0};

    if (why)
        diag_add(&snapshots->diags, DIAG_WARNING, "restart", place,
                 "the process restarted between '" STR_FORMAT
                 "' and this snapshot (%s); "
                 "growth is judged from here on",
                 STR_ARG(before->source), why);
    else
        diag_add(&snapshots->diags, DIAG_INFO, "possible-restart", place,
                 "goroutines fell from %s to %s since '" STR_FORMAT
                 "': traffic that ended, "
                 "or a restart (debug=2 would tell)",
                 count_text(before->total).text, count_text(info->total).text,
                 STR_ARG(before->source));
}

size_t restarts_find(struct cprof_snapshots *snapshots,
                     const struct moments *series)
{
    struct trace before = {0};
    size_t first = 0;

    for (size_t i = 0; i < series->n; i++) {
        struct trace trace = trace_of(snapshots->items[series->snapshots[i]]);
        const char *why = i ? why_restart(&before, &trace) : NULL;

        if (why)
            first = i;
        if (why || (i && may_be_restart(&before, &trace)))
            say(snapshots, series, i, why);
        if (!why)
            carry(&trace, &before);
        before = trace;
    }
    return first;
}
