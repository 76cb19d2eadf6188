#include "analysis/restarts.h"

#include <string.h>

#include "analysis/poll_places.h"
#include "base/count.h"

enum {
    /* Each processor hands out ids from a batch of 16 (runtime/proc.go,
     * _GoidCacheBatch), so that the newest goroutine need not have the largest
     * id; few processors of a small process are busy. */
    IDS_APART = 64,
};

/* What tells one process from the next. */
struct trace {
    uint64_t max_id;                       /* 0 = the format has none */
    uint64_t addresses[RUNTIME_ADDRESSES]; /* of code in the runtime */
    size_t n_addresses;
    struct str go_version;
    struct str folder; /* of main.main; empty = not told */
    struct poll_places poll_places;
    uint64_t total;
};

static bool has_address(const struct trace *trace, uint64_t address)
{
    for (size_t i = 0; i < trace->n_addresses; i++) {
        if (trace->addresses[i] == address)
            return true;
    }
    return false;
}

/* Whether two moments show code, and none of it at the same place. */
static bool has_moved(const struct trace *before, const struct trace *after)
{
    for (size_t i = 0; i < before->n_addresses; i++) {
        if (has_address(after, before->addresses[i]))
            return false;
    }
    return before->n_addresses && after->n_addresses;
}

/* The folder of the file of main.main, as far as a stack shows it. */
static struct str main_folder(const struct symbols *symbols, stack_id id)
{
    struct stack stack = symbols_stack(symbols, id);

    /* It is the last frame, or stands in front of runtime.main. */
    for (uint32_t i = stack.n_frames; i && i + 2 > stack.n_frames; i--) {
        frame_id frame = stack.frames[i - 1];
        struct str file = symbols_file(symbols, frame);
        size_t slash = str_rfind(file, '/');

        if (str_equal(symbols_function(symbols, frame), STR("main.main")) &&
            slash < file.len)
            return str_head(file, slash);
    }
    return (struct str){0};
}

static struct str find_folder(const struct snapshot *snapshot)
{
    const struct symbols *symbols = snapshot_symbols(snapshot);
    struct str folder = {0};

    for (size_t i = 0; !folder.len && i < snapshot_n_groups(snapshot); i++) {
        stack_id stack = snapshot_group(snapshot, i)->stack;

        if (stack != STACK_OTHER)
            folder = main_folder(symbols, stack);
    }
    return folder;
}

static struct trace trace_of(const struct snapshot *snapshot)
{
    const struct snapshot_info *info = snapshot_info_get(snapshot);
    struct trace trace = {.max_id = info->max_id,
                          .go_version = info->go_version,
                          .folder = find_folder(snapshot),
                          .total = info->total};

    poll_places_add(&trace.poll_places, snapshot);
    trace.n_addresses = snapshot_runtime_addresses(snapshot, trace.addresses);
    return trace;
}

/* Why two moments cannot be of one process; NULL when they can. */
static const char *why_restart(const struct trace *before,
                               const struct trace *after)
{
    if (after->max_id && after->max_id < before->max_id / 2 &&
        before->max_id - after->max_id >= IDS_APART)
        return "goroutine ids begin anew";
    if (has_moved(before, after))
        return "the program's code lies at other addresses";
    if (before->go_version.len && after->go_version.len &&
        !str_equal(before->go_version, after->go_version))
        return "it was built with another version of Go";
    if (before->folder.len && after->folder.len &&
        !str_equal(before->folder, after->folder))
        return "it is another program, or was built in another folder";
    if (poll_places_are_apart(&before->poll_places, &after->poll_places))
        return "the runtime's memory lies at other addresses";
    return NULL;
}

const char *restart_between(const struct snapshot *before,
                            const struct snapshot *after)
{
    struct trace trace_before = trace_of(before);
    struct trace trace_after = trace_of(after);

    return why_restart(&trace_before, &trace_after);
}

static bool may_be_restart(const struct trace *before,
                           const struct trace *after)
{
    return after->total < before->total / 2 && before->total >= 20 &&
           !(before->max_id && after->max_id >= before->max_id);
}

/* Keeps what only some formats tell, so that mixed ones can be compared. */
static void carry(struct trace *trace, const struct trace *before)
{
    if (!trace->max_id)
        trace->max_id = before->max_id;
    if (!trace->n_addresses) {
        trace->n_addresses = before->n_addresses;
        memcpy(trace->addresses, before->addresses, sizeof(before->addresses));
    }
    poll_places_join(&trace->poll_places, &before->poll_places);
    if (!trace->go_version.len)
        trace->go_version = before->go_version;
    if (!trace->folder.len)
        trace->folder = before->folder;
}

/* What a restart before the moment at an index means for what is judged, when
 * there were n of them up to there. */
static const char *consequence(const struct moments *series, size_t at,
                               size_t n)
{
    if (at + 1 < series->n)
        return "growth is judged from here on";
    if (n > 1 && n == at)
        return "each snapshot is of another process, as of replicas, which "
               "--instance tells apart by the names of their files";
    return "two processes are compared, and neither ids nor ages say that "
           "goroutines stayed";
}

/* Says that the process restarted, for the nth time, or may have. */
static void say(struct cprof_snapshots *snapshots, const struct moments *series,
                size_t at, const char *why, size_t n)
{
    const struct snapshot_info *info =
        snapshot_info_get(snapshots->items[series->snapshots[at]]);
    const struct snapshot_info *before =
        snapshot_info_get(snapshots->items[series->snapshots[at - 1]]);
    struct place place = {info->source.ptr, info->line, 0};

    if (why)
        diag_add(&snapshots->diags, DIAG_WARNING, "restart", place,
                 "the process restarted between '" STR_FORMAT
                 "' and this snapshot (%s); %s",
                 STR_ARG(before->source), why, consequence(series, at, n));
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
    size_t n = 0;

    for (size_t i = 0; i < series->n; i++) {
        struct trace trace = trace_of(snapshots->items[series->snapshots[i]]);
        const char *why = i ? why_restart(&before, &trace) : NULL;

        if (why)
            first = i;
        n += why != NULL;
        if (why || (i && may_be_restart(&before, &trace)))
            say(snapshots, series, i, why, n);
        if (!why)
            carry(&trace, &before);
        before = trace;
    }
    return first;
}
