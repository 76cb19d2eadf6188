#include "analysis/proof.h"

#include <stdlib.h>

#include "base/count.h"
#include "base/hash.h"
#include "model/name.h"

/* Forms cut deep stacks at different depths, but never among the innermost
 * frames: debug=2 keeps 50 (runtime/traceback.go: tracebackInnerFrames). */
enum { INNER_FRAMES = 40 };

/* How two groups are compared. */
enum manner { BY_WHOLE_STACK, BY_INNER_FRAMES };

/* A group by what is compared of it. */
struct place_key {
    uint64_t key;
    size_t index; /* of the group */
};

/* Groups of one snapshot in order of their keys. */
struct place_list {
    struct place_key *items;
    size_t n;
};

/* A proof and the dump that it is carried over to. */
struct pair {
    struct snapshot *proof;
    struct snapshot *dump;
    uint64_t *left;    /* of each group of the proof: not carried over yet */
    uint64_t *carried; /* to each group of the dump */
    uint64_t proven;   /* sums over the groups */
    uint64_t found;
};

static bool is_stable(const struct symbols *symbols, frame_id frame)
{
    return !name_is_unstable(symbols_function(symbols, frame));
}

/* The hash of the stable frames, leaf first, by function and line: what is the
 * same in every form of a dump. Ids of texts are good within a run. 0 = the
 * stack cannot be compared in that manner. */
static uint64_t key_of(const struct symbols *symbols, const struct group *group,
                       enum manner manner)
{
    struct stack stack = symbols_stack(symbols, group->stack);
    uint32_t most = manner == BY_INNER_FRAMES ? INNER_FRAMES : UINT32_MAX;
    uint64_t hash = manner == BY_INNER_FRAMES ? 1 : 2 + (uint64_t)stack.elided;
    uint32_t n = 0;

    for (uint32_t i = 0; i < stack.n_frames && n < most; i++) {
        struct frame frame = symbols_frame(symbols, stack.frames[i]);

        if (!is_stable(symbols, stack.frames[i]))
            continue;
        hash = hash_mix(hash, (uint64_t)frame.function << 32 | frame.line);
        n++;
    }
    if (manner == BY_INNER_FRAMES && n < INNER_FRAMES)
        return 0;
    /* A stack of the runtime alone is told apart by all its frames. */
    return n ? hash : hash_mix(group->stack, hash);
}

/* Whether a goroutine in that state can be leaked: one that waits for others,
 * or of which nothing is known (runtime/runtime2.go: isWaitingForSyncPrimitive
 * and its like). */
static bool can_leak(state_id state)
{
    switch (state) {
    case STATE_UNKNOWN:
    case STATE_WAITING:
    case STATE_CHAN_OPERATION:
    case STATE_CHAN_SEND:
    case STATE_CHAN_RECEIVE:
    case STATE_CHAN_SEND_NIL:
    case STATE_CHAN_RECEIVE_NIL:
    case STATE_SELECT:
    case STATE_SELECT_NO_CASES:
    case STATE_SEMACQUIRE:
    case STATE_MUTEX_LOCK:
    case STATE_RWMUTEX_RLOCK:
    case STATE_RWMUTEX_LOCK:
    case STATE_WAITGROUP_WAIT:
    case STATE_COND_WAIT:
        return true;
    default:
        return false;
    }
}

static int compare_keys(const void *a, const void *b)
{
    const struct place_key *left = a;
    const struct place_key *right = b;

    if (left->key != right->key)
        return left->key < right->key ? -1 : 1;
    return (left->index > right->index) - (left->index < right->index);
}

/* Lists the groups of a dump that may be proven, or those of a proof that are,
 * in order of their keys. False without memory. */
static bool list_groups(struct snapshot *snapshot, enum manner manner,
                        struct place_list *ret)
{
    const struct symbols *symbols = snapshot_symbols(snapshot);
    bool is_proof = snapshot_info_get(snapshot)->is_proof;
    size_t n = snapshot_n_groups(snapshot);

    ret->n = 0;
    ret->items = malloc((n ? n : 1) * sizeof(*ret->items));
    if (!ret->items)
        return false;
    for (size_t i = 0; i < n; i++) {
        const struct group *group = snapshot_group(snapshot, i);
        struct place_key item = {.index = i};

        if (is_proof ? !group->leaked : !can_leak(group->state))
            continue;
        item.key = key_of(symbols, group, manner);
        if (item.key)
            ret->items[ret->n++] = item;
    }
    if (ret->n)
        qsort(ret->items, ret->n, sizeof(*ret->items), compare_keys);
    return true;
}

/* How many items from the first on have its key. */
static size_t run_length(const struct place_list *list, size_t first)
{
    size_t end = first + 1;

    while (end < list->n && list->items[end].key == list->items[first].key)
        end++;
    return end - first;
}

/* Carries over what fits from a group of the proof to one of the dump. */
static void carry(struct pair *pair, size_t from, size_t to)
{
    uint64_t room = snapshot_group(pair->dump, to)->count - pair->carried[to];
    uint64_t n = pair->left[from] < room ? pair->left[from] : room;

    pair->left[from] -= n;
    pair->carried[to] += n;
    pair->found += n;
}

/* Whether the states of two groups in one place may be those of one goroutine:
 * what is inferred may be wrong, what two headers say is not. */
static bool may_be_same(const struct group *a, const struct group *b)
{
    return a->state == b->state || a->state_source != STATE_FROM_HEADER ||
           b->state_source != STATE_FROM_HEADER;
}

/* Whether all groups of a run stand in one stack, and in one that was cut
 * unless the proof's was. */
static bool is_one_stack(const struct pair *pair, const struct place_key *run,
                         size_t n, bool is_cut)
{
    const struct symbols *symbols = snapshot_symbols(pair->dump);
    stack_id first = snapshot_group(pair->dump, run[0].index)->stack;

    for (size_t i = 1; i < n; i++) {
        if (snapshot_group(pair->dump, run[i].index)->stack != first)
            return false;
    }
    return is_cut || symbols_stack(symbols, first).elided;
}

/* Carries a group of the proof over to a run of groups with its key: first to
 * those in the same state. */
static void carry_to_run(struct pair *pair, size_t from,
                         const struct place_key *run, size_t n,
                         enum manner manner)
{
    const struct group *group = snapshot_group(pair->proof, from);
    const struct symbols *symbols = snapshot_symbols(pair->proof);
    bool is_cut = symbols_stack(symbols, group->stack).elided > 0;

    if (manner == BY_INNER_FRAMES && !is_one_stack(pair, run, n, is_cut))
        return;
    for (size_t i = 0; i < n; i++) {
        if (snapshot_group(pair->dump, run[i].index)->state == group->state)
            carry(pair, from, run[i].index);
    }
    for (size_t i = 0; i < n; i++) {
        if (may_be_same(snapshot_group(pair->dump, run[i].index), group))
            carry(pair, from, run[i].index);
    }
}

static void match_lists(struct pair *pair, const struct place_list *proof,
                        const struct place_list *dump, enum manner manner)
{
    size_t i = 0;
    size_t j = 0;

    while (i < proof->n && j < dump->n) {
        uint64_t key = proof->items[i].key;
        size_t n = run_length(dump, j);

        if (key < dump->items[j].key) {
            i++;
        } else if (key > dump->items[j].key) {
            j += n;
        } else {
            carry_to_run(pair, proof->items[i].index, dump->items + j, n,
                         manner);
            i++;
        }
    }
}

static bool match(struct pair *pair, enum manner manner)
{
    struct place_list proof = {0};
    struct place_list dump = {0};
    bool done = list_groups(pair->proof, manner, &proof) &&
                list_groups(pair->dump, manner, &dump);

    if (done)
        match_lists(pair, &proof, &dump, manner);
    free(proof.items);
    free(dump.items);
    return done;
}

static void pair_done(struct pair *pair)
{
    free(pair->left);
    free(pair->carried);
    *pair = (struct pair){0};
}

/* Finds what of a proof can be carried over to a dump. Ended with pair_done,
 * on failure too; false without memory. */
static bool pair_init(struct pair *ret, struct snapshot *proof,
                      struct snapshot *dump)
{
    size_t n_proof = snapshot_n_groups(proof);
    size_t n_dump = snapshot_n_groups(dump);

    *ret = (struct pair){.proof = proof, .dump = dump};
    ret->left = malloc((n_proof ? n_proof : 1) * sizeof(*ret->left));
    ret->carried = calloc(n_dump ? n_dump : 1, sizeof(*ret->carried));
    if (!ret->left || !ret->carried)
        return false;
    for (size_t i = 0; i < n_proof; i++) {
        ret->left[i] = snapshot_group(proof, i)->leaked;
        ret->proven += ret->left[i];
    }
    return match(ret, BY_WHOLE_STACK) &&
           (ret->found == ret->proven || match(ret, BY_INNER_FRAMES));
}

static bool is_target(const struct cprof_snapshots *snapshots,
                      const bool *judged, size_t index)
{
    return judged[index] && snapshot_info_get(snapshots->items[index])->kind ==
                                PROFILE_GOROUTINE;
}

/* How many snapshots before one, by its index, are proof as it is, or are
 * targets as it is; SIZE_MAX for the index counts all of them. */
static size_t count_like(const struct cprof_snapshots *snapshots,
                         const bool *judged, size_t end, bool is_proof)
{
    size_t n = 0;

    for (size_t i = 0; i < snapshots->count && i < end; i++)
        n += is_proof ? snapshot_info_get(snapshots->items[i])->is_proof
                      : is_target(snapshots, judged, i);
    return n;
}

/* Whether a proof may be of the process of a dump: with as many proofs as
 * dumps each has its own, in their order. */
static bool may_belong(const struct cprof_snapshots *snapshots,
                       const bool *judged, size_t proof, size_t dump)
{
    return count_like(snapshots, judged, SIZE_MAX, true) !=
               count_like(snapshots, judged, SIZE_MAX, false) ||
           count_like(snapshots, judged, proof, true) ==
               count_like(snapshots, judged, dump, false);
}

/* The pair of a proof with the dump that holds most of it. */
static bool best_pair(const struct cprof_snapshots *snapshots,
                      const bool *judged, size_t proof, struct pair *ret)
{
    *ret = (struct pair){0};
    for (size_t i = 0; i < snapshots->count; i++) {
        struct pair pair;

        if (!is_target(snapshots, judged, i) ||
            !may_belong(snapshots, judged, proof, i))
            continue;
        if (!pair_init(&pair, snapshots->items[proof], snapshots->items[i])) {
            pair_done(&pair);
            pair_done(ret);
            return false;
        }
        if (!ret->dump || pair.found > ret->found) {
            pair_done(ret);
            *ret = pair;
        } else {
            pair_done(&pair);
        }
    }
    return true;
}

/* Several proofs of one process say the same again: the larger one counts. */
static void settle(struct pair *pair)
{
    for (size_t i = 0; i < snapshot_n_groups(pair->dump); i++) {
        struct group *group = snapshot_group(pair->dump, i);

        if (pair->carried[i] > group->leaked)
            group->leaked = pair->carried[i];
    }
}

static uint64_t count_proven(const struct snapshot *proof)
{
    uint64_t n = 0;

    for (size_t i = 0; i < snapshot_n_groups(proof); i++)
        n += snapshot_group(proof, i)->leaked;
    return n;
}

static void say(struct cprof_snapshots *snapshots, size_t index,
                const struct pair *pair)
{
    struct snapshot *proof = snapshots->items[index];
    const struct snapshot_info *info = snapshot_info_get(proof);
    struct place place = {info->source.ptr, info->line, 0};
    uint64_t proven = count_proven(proof);

    if (!proven)
        diag_add(&snapshots->diags, DIAG_INFO, "nothing-proven", place,
                 "the runtime has proven no goroutine leaked; that clears "
                 "none, because a goroutine which waits for something still "
                 "reachable is never proven");
    else if (pair->found < proven)
        diag_add(&snapshots->diags, DIAG_WARNING, "proof-unmatched", place,
                 "%s of the %s goroutines that are proven leaked here stand at "
                 "no such place of a dump: it is of another moment or process, "
                 "or their stacks are too deep to tell apart",
                 count_text(proven - pair->found).text,
                 count_text(proven).text);
    else
        diag_add(&snapshots->diags, DIAG_INFO, "proof", place,
                 "all %s goroutines that are proven leaked here were found in "
                 "'" STR_FORMAT "'",
                 count_text(proven).text,
                 STR_ARG(snapshot_info_get(pair->dump)->source));
}

void proof_find(struct cprof_snapshots *snapshots)
{
    bool has_dumps = false;

    for (size_t i = 0; i < snapshots->count; i++)
        has_dumps |=
            snapshot_info_get(snapshots->items[i])->kind == PROFILE_GOROUTINE;
    for (size_t i = 0; i < snapshots->count && has_dumps; i++) {
        struct snapshot_info *info = snapshot_info(snapshots->items[i]);

        info->is_proof |= info->kind == PROFILE_GOROUTINELEAK;
    }
}

bool proof_apply(struct cprof_snapshots *snapshots, const bool *judged)
{
    for (size_t i = 0; i < snapshots->count; i++) {
        struct pair pair;

        if (!snapshot_info_get(snapshots->items[i])->is_proof)
            continue;
        if (!best_pair(snapshots, judged, i, &pair))
            return false;
        if (pair.dump)
            settle(&pair);
        say(snapshots, i, &pair);
        pair_done(&pair);
    }
    return true;
}
