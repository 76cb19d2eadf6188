#include "analysis/orphans.h"

#include "analysis/holder_list.h"
#include "analysis/spots.h"
#include "model/name.h"

enum { ORPHANS_MOST = 64, SCORE_LEFT = 5 };

/* Those of one file that could hold a lock. */
struct left {
    uint64_t count;
    struct holder holder; /* the first of them */
};

/* A lock without holders. */
struct orphan {
    size_t lock;
    text_id file;          /* of those that wait */
    bool is_field;         /* of an object: other objects of the type have
                              others, so only who waits for the lock of another
                              type counts */
    struct left in_scope;  /* goroutines that wait for another lock there */
    struct left in_lock;   /* in the file, for another lock */
    struct left elsewhere; /* in the file, otherwise */
    struct left busy;      /* of these, in the middle of something */
    uint32_t last_group;   /* counted last, + 1: a group counts once */
    uint32_t next;         /* orphan of the same file, + 1 */
};

struct orphans {
    const struct contention *contention;
    struct orphan items[ORPHANS_MOST];
    size_t count;
    uint32_t *of_file; /* by text: the first orphan, + 1 */
};

/* Whether a lock is one that a single goroutine, or its readers, hold. Of a
 * sync.Once, the file is its own: who runs the function stands in it. */
static bool is_lock(enum holding_kind kind)
{
    return kind == HOLDING_MUTEX || kind == HOLDING_RWMUTEX ||
           kind == HOLDING_ONCE;
}

/* A writer that waits for readers proves that there is one. If only one
 * goroutine waits to read again, it is that one. */
static void find_reader(const struct contention *contention,
                        const struct lock *lock)
{
    struct holder holder = {0};
    uint64_t n = 0;

    for (uint32_t i = 0; i < lock->n; i++) {
        const struct lock_use *use = &contention->uses[lock->first + i];
        const struct waiting *waiting = contention_waiting_of(contention, use);
        const struct group *group =
            snapshot_group(contention->snapshot, waiting->group);

        if (!waiting->site.is_reading)
            continue;
        n += use->count;
        holder = (struct holder){
            .group = waiting->joined,
            .goroutine = group->n_ids == 1 ? group->id_min : 0,
            .count = 1,
            .frame = waiting->site.frame,
            .evidence = EVIDENCE_MUST_READ,
            .is_itself = true,
            .score = SCORE_LEFT,
            .waits = lock->holding,
        };
    }
    if (n == 1)
        holders_add(contention->arena, lock->holding, &holder);
}

static bool collect(struct orphans *orphans)
{
    const struct contention *contention = orphans->contention;
    struct symbols *symbols = contention->symbols;

    orphans->of_file =
        arena_take_zero(contention->scratch, (symbols_n_texts(symbols) + 1) *
                                                 sizeof(*orphans->of_file));
    if (!orphans->of_file)
        return false;
    for (size_t i = 0; i < contention->n_locks && orphans->count < ORPHANS_MOST;
         i++) {
        const struct lock *lock = &contention->locks[i];
        text_id file = symbols_frame(symbols, lock->holding->site).file;

        if (lock->holding->n_holders || lock->holding->is_rest ||
            !is_lock(lock->holding->kind) ||
            (name_is_std(symbols_function(symbols, lock->holding->site)) &&
             lock->holding->kind != HOLDING_ONCE))
            continue;
        if (lock->holding->writer)
            find_reader(contention, lock);
        if (lock->holding->n_holders || !file)
            continue;
        orphans->items[orphans->count] = (struct orphan){
            .lock = i,
            .file = file,
            .is_field =
                lock->holding->kind != HOLDING_ONCE &&
                scope_is_type(symbols_function(symbols, lock->holding->site)),
            .next = orphans->of_file[file]};
        orphans->of_file[file] = (uint32_t)++orphans->count;
    }
    return true;
}

/* Counts the goroutines of a group, of which a use stands for those that wait
 * for one lock. */
static void count(struct left *left, const struct holder *holder)
{
    if (!left->count)
        left->holder = *holder;
    left->count += holder->count;
}

/* Counts goroutines of a group that wait for no lock. */
static void count_elsewhere(struct orphan *orphan, const struct group *group,
                            struct holder holder)
{
    count(&orphan->elsewhere, &holder);
    holder.evidence = EVIDENCE_BUSY_IN_FILE;
    if (spot_state_is_busy(group->state))
        count(&orphan->busy, &holder);
}

/* Counts a group, whose frame stands in the file of an orphan. */
static void add_to(const struct contention *contention, struct orphan *orphan,
                   const struct waiting *waiting, const struct group *group,
                   struct holder holder)
{
    size_t first;
    size_t n = 0;

    if (orphan->is_field &&
        (!waiting || !is_lock(waiting->site.kind) ||
         waiting->site.scope == contention->locks[orphan->lock].scope))
        return;
    if (!waiting) {
        if (group->count == 1 && group->n_ids)
            holder.goroutine = group->id_min;
        count_elsewhere(orphan, group, holder);
        return;
    }
    first = contention_uses(contention, waiting, &n);
    for (size_t i = first; i < first + n; i++) {
        const struct lock_use *use = contention_use(contention, i);

        if (use->lock == orphan->lock || waiting->site.kind == HOLDING_COND)
            continue;
        holder.count = use->count;
        holder.waits = contention->locks[use->lock].holding;
        if (holder.count == 1 && group->n_ids == 1)
            holder.goroutine = group->id_min;
        if (!is_lock(waiting->site.kind)) {
            count_elsewhere(orphan, group, holder);
            continue;
        }
        count(&orphan->in_lock, &holder);
        if (waiting->site.scope == contention->locks[orphan->lock].scope)
            count(&orphan->in_scope, &holder);
    }
}

/* main.main starts everything and mostly only waits; the standard library holds
 * no locks of others. */
static bool is_skipped(struct str function)
{
    return str_equal(function, STR("main.main")) ||
           (name_is_std(function) &&
            !str_starts(function, STR("sync.(*Once).")));
}

/* Whether a frame is in the function that takes the lock, but not there yet. */
static bool is_before(const struct orphans *orphans,
                      const struct orphan *orphan, frame_id id)
{
    const struct contention *contention = orphans->contention;
    struct frame frame = symbols_frame(contention->symbols, id);
    struct frame site = symbols_frame(
        contention->symbols, contention->locks[orphan->lock].holding->site);

    return frame.function == site.function && frame.line < site.line;
}

static void look_at_group(struct orphans *orphans, struct analysis *analysis,
                          size_t snapshot, size_t index)
{
    const struct contention *contention = orphans->contention;
    struct symbols *symbols = contention->symbols;
    const struct group *group = snapshot_group(contention->snapshot, index);
    struct stack stack = symbols_stack(symbols, group->stack);

    if (spot_is_listener(symbols, stack))
        return;
    for (uint32_t i = 0; i < stack.n_frames; i++) {
        text_id file = symbols_frame(symbols, stack.frames[i]).file;
        uint32_t next = orphans->of_file[file];

        if (!next || is_skipped(symbols_function(symbols, stack.frames[i])))
            continue;
        for (; next; next = orphans->items[next - 1].next) {
            struct orphan *orphan = &orphans->items[next - 1];
            struct holder holder = {
                .group = analysis_find_group(analysis, snapshot, index),
                .count = group->count,
                .frame = stack.frames[i],
                .evidence = EVIDENCE_SAME_FILE,
                .score = SCORE_LEFT};

            if (!holder.group || orphan->last_group == index + 1 ||
                is_before(orphans, orphan, stack.frames[i]))
                continue;
            orphan->last_group = (uint32_t)index + 1;
            add_to(contention, orphan, contention_waiting(contention, index),
                   group, holder);
        }
    }
}

bool orphans_find(const struct contention *contention,
                  struct analysis *analysis, size_t snapshot)
{
    struct orphans orphans = {.contention = contention};

    if (!collect(&orphans))
        return false;
    for (size_t i = 0;
         orphans.count && i < snapshot_n_groups(contention->snapshot); i++)
        look_at_group(&orphans, analysis, snapshot, i);
    for (size_t i = 0; i < orphans.count; i++) {
        const struct orphan *orphan = &orphans.items[i];
        const struct left *left = orphan->in_scope.count  ? &orphan->in_scope
                                  : orphan->in_lock.count ? &orphan->in_lock
                                  : orphan->elsewhere.count == 1
                                      ? &orphan->elsewhere
                                      : &orphan->busy;
        struct holding *holding = contention->locks[orphan->lock].holding;

        if (left->count != 1)
            continue;
        holders_add(contention->arena, holding, &left->holder);
        holding->n_candidates = 1;
    }
    return true;
}
