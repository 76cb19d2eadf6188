#include "analysis/holders.h"

#include "analysis/certainty.h"
#include "analysis/crossing.h"
#include "analysis/crowds.h"
#include "analysis/holder_list.h"
#include "analysis/itself.h"
#include "analysis/object_gaps.h"
#include "model/name.h"

/* How much each kind of evidence counts. Only their order and their distances
 * matter: an address beats a function, being behind the lock's line beats an
 * idle goroutine that has the address. */
enum {
    SCORE_FUNCTION = 15,
    SCORE_NEAR = 30,
    SCORE_OBJECT = 45,
    SCORE_LOCK = 50,
    SCORE_MAYBE = -17, /* of an address: it may be left over */
    SCORE_PAST = 30,
    SCORE_BEFORE = -15,
    SCORE_ELSEWHERE = -15, /* the address is known to another function */
    SCORE_STRAY = -10,     /* and is perhaps left over there */
    SCORE_AT_WAIT = -20,   /* it only waits there for another lock */
    SCORE_ITSELF = -25,    /* it waits for the lock: an outer call holds it */
    SCORE_LEAST = 7,
    LOCKS_A_POINTER = 8, /* which one may be about */
};

/* Candidates whose arguments say nothing of the object. Waiters for a lock of
 * the scope itself, who are many where others are few, stand apart. */
struct listed {
    struct shortlist others;
    struct shortlist waiters;
    bool is_partial; /* some of its goroutines were not kept */
};

struct search {
    const struct contention *contention;
    struct spot_map map;
    struct listed *listed; /* of each scope */
    uint64_t *gaps;        /* of each scope */
    bool *is_apart;        /* of each scope: it takes locks of other objects */
    struct itself *found;  /* of each lock: waiters that may hold it */
    struct holder *crossing; /* of each lock: one that waits for another lock of
                                its object; score 0 = none */
};

/* A group while its goroutines are looked at. */
struct subject {
    const struct group *group;
    struct joined_group *joined;
    const struct waiting *waiting; /* NULL: it waits for no lock */
    struct stack stack;
    struct spot spots[SPOTS_MOST];
    size_t n_spots;
};

/* --- Candidates ---------------------------------------------------------- */

static void drop_spot(struct subject *subject, size_t scope)
{
    for (size_t i = 0; i < subject->n_spots; i++) {
        if (subject->spots[i].scope == scope)
            subject->spots[i] = subject->spots[--subject->n_spots];
    }
}

static void begin_subject(const struct search *search, size_t index,
                          struct subject *subject)
{
    const struct contention *contention = search->contention;

    subject->group = snapshot_group(contention->snapshot, index);
    subject->waiting = contention_waiting(contention, index);
    subject->joined = subject->waiting ? subject->waiting->joined : NULL;
    subject->stack = symbols_stack(contention->symbols, subject->group->stack);
    subject->n_spots = spots_find(&search->map, subject->group,
                                  subject->waiting, subject->spots);
    /* (*Cond).Wait gives the lock back while it waits. */
    if (subject->waiting && subject->waiting->site.kind == HOLDING_COND)
        drop_spot(subject,
                  spot_map_find(&search->map, subject->waiting->site.scope));
}

/* The spot of a subject in a scope, or NULL. */
static const struct spot *spot_in(const struct subject *subject, size_t scope)
{
    for (size_t i = 0; i < subject->n_spots; i++) {
        if (subject->spots[i].scope == scope)
            return &subject->spots[i];
    }
    return NULL;
}

/* What a goroutine of the subject waits for: by its own arguments, or because
 * all of its group wait for one lock. NULL = no lock, or not known which. */
static const struct holding *waited_for(const struct search *search,
                                        const struct subject *subject,
                                        const struct pointers *pointers)
{
    const struct contention *contention = search->contention;
    uint32_t lock;

    if (!subject->waiting)
        return NULL;
    lock = pointers ? contention_lock_of(contention, subject->waiting,
                                         pointers->lock)
                    : contention_only_lock(contention, subject->waiting);
    return lock == LOCK_NONE ? NULL : contention->locks[lock].holding;
}

static struct holder new_holder(const struct subject *subject,
                                const struct pointers *pointers, uint32_t frame)
{
    return (struct holder){
        .group = subject->joined,
        .goroutine = pointers ? pointers->id : 0,
        .count = pointers ? 1 : subject->group->count,
        .frame = subject->stack.frames[frame],
        .is_at_wait = subject->waiting &&
                      frame == subject->waiting->site.owner &&
                      subject->waiting->site.kind != HOLDING_WAITGROUP};
}

static int rank_score(enum spot_rank rank)
{
    if (rank == SPOT_PAST)
        return SCORE_PAST;
    return rank == SPOT_BEFORE ? SCORE_BEFORE : 0;
}

/* What it counts that a subject stands in a spot. */
static int standing_score(const struct search *search,
                          const struct subject *subject,
                          const struct spot *spot)
{
    return rank_score(spot->rank) + spot_score(search->contention->symbols,
                                               spot, subject->joined,
                                               subject->stack);
}

/* Whether the arguments of a goroutine surely tell the object in a scope, and
 * with it the lock. What it passes where it waits says what it waits for, and
 * nothing of what an outer call holds. */
static bool tells_object(const struct search *search,
                         const struct subject *subject,
                         const struct pointers *pointers,
                         const struct spot *spot)
{
    const struct waiting *waiting = subject->waiting;

    for (unsigned i = 0; !search->is_apart[spot->scope] && i < pointers->n;
         i++) {
        uint32_t frame = pointers->frames[i];

        if (!spot_is_receiver(search->contention->symbols, subject->stack,
                              pointers, i) ||
            (waiting && frame <= waiting->site.owner &&
             spot->frame > waiting->site.owner))
            continue;
        if (spot_map_scope(&search->map, subject->stack, frame) == spot->scope)
            return true;
    }
    return false;
}

/* Whether a goroutine waits in the function that an outer call of it is in. A
 * function that calls itself does so for the next object, as trees do; a Once
 * is the same, and so is mostly a database that is updated inside of one. */
static bool calls_itself(const struct search *search,
                         const struct subject *subject, const struct spot *spot)
{
    struct symbols *symbols = search->contention->symbols;
    const struct waiting *waiting = subject->waiting;

    return waiting && waiting->site.kind != HOLDING_ONCE &&
           spot->frame > waiting->site.owner &&
           !str_ends(symbols_function(symbols, waiting->site.frame),
                     STR("bolt.(*DB).Update")) &&
           symbols_frame(symbols, subject->stack.frames[spot->frame])
                   .function ==
               symbols_frame(symbols,
                             subject->stack.frames[waiting->site.owner])
                   .function;
}

/* Lists a goroutine, or the whole group, as a candidate of a scope. */
static void list_candidate(struct search *search, const struct subject *subject,
                           const struct spot *spot,
                           const struct pointers *pointers)
{
    struct listed *listed = &search->listed[spot->scope];
    struct holder holder = new_holder(subject, pointers, spot->frame);
    bool is_waiter;

    if (!subject->waiting && subject->group->count == 1 &&
        subject->group->n_ids)
        holder.goroutine = subject->group->id_min;
    holder.is_past = spot->rank == SPOT_PAST;
    holder.evidence = holder.is_past ? EVIDENCE_PAST : EVIDENCE_NEAR_FUNCTION;
    holder.score = SCORE_FUNCTION + standing_score(search, subject, spot);
    holder.waits = waited_for(search, subject, pointers);
    if (holder.score < SCORE_LEAST || calls_itself(search, subject, spot))
        return;
    is_waiter = subject->waiting &&
                spot_map_find(&search->map, subject->waiting->site.scope) ==
                    spot->scope;
    shortlist_add(search->contention->scratch,
                  is_waiter ? &listed->waiters : &listed->others, &holder);
}

/* Lists the goroutines of a subject that stand in a scope and whose arguments
 * do not tell the object. Those that wait for a lock are listed one by one,
 * because each may wait for another lock. */
static void list_spot(struct search *search, const struct subject *subject,
                      const struct spot *spot)
{
    const struct pool *pool = snapshot_pointers(search->contention->snapshot);
    const struct pointers *at = pointers_get(pool, subject->group->pointers);
    uint64_t n_kept = 0;
    uint64_t n_silent = 0;

    if (spot->rank < SPOT_INSIDE)
        return;
    for (; at; at = pointers_get(pool, at->next)) {
        n_kept++;
        if (tells_object(search, subject, at, spot))
            continue;
        n_silent++;
        if (subject->waiting)
            list_candidate(search, subject, spot, at);
    }
    if (n_silent < n_kept && n_kept < subject->group->count)
        search->listed[spot->scope].is_partial = true;
    if (!n_kept || (n_silent && !subject->waiting))
        list_candidate(search, subject, spot, NULL);
}

/* Takes back what being behind a lock's line has counted when it was the line
 * of another lock. */
static void check_past(const struct search *search, const struct lock *lock,
                       struct holder *holder)
{
    if (!holder->is_past || spot_is_past(&search->map, lock, holder->frame))
        return;
    holder->is_past = false;
    holder->score -= SCORE_PAST;
    if (holder->evidence == EVIDENCE_PAST)
        holder->evidence = EVIDENCE_NEAR_FUNCTION;
}

/* --- Addresses ----------------------------------------------------------- */

/* What the distance from a pointer to a lock says; EVIDENCE_NONE: nothing. */
static enum evidence_kind weigh(const struct search *search,
                                const struct lock *lock, uint64_t address,
                                bool is_in_scope)
{
    uint64_t distance = lock->holding->address - address;
    uint64_t gap;

    if (distance == 0)
        return lock->holding->is_object ? EVIDENCE_OBJECT : EVIDENCE_LOCK;
    if (lock->holding->is_object)
        return EVIDENCE_NONE;
    if (lock->object)
        return lock->object == address ? EVIDENCE_OBJECT : EVIDENCE_NONE;
    if (!is_in_scope)
        return EVIDENCE_NONE;
    gap = search->gaps[spot_map_find(&search->map, lock->scope)];
    if (gap ? distance >= gap : distance >= OBJECT_MOST / 4)
        return EVIDENCE_NONE;
    return EVIDENCE_NEAR_ADDRESS;
}

static int evidence_score(enum evidence_kind evidence)
{
    if (evidence == EVIDENCE_LOCK)
        return SCORE_LOCK;
    return evidence == EVIDENCE_OBJECT ? SCORE_OBJECT : SCORE_NEAR;
}

/* Whether a pointer at a frame of the subject can say something of a lock: not
 * what it passes to the lock that it waits for, not what it gave back to wait
 * at a Cond, and not in a crowd. */
static bool is_asked(const struct subject *subject, const struct lock *lock,
                     uint32_t frame, const struct spot *spot)
{
    const struct waiting *waiting = subject->waiting;

    if (lock->holding->kind == HOLDING_COND ||
        (spot && spot->rank == SPOT_CROWD) ||
        (waiting && frame < waiting->site.owner))
        return false;
    return !waiting || waiting->site.kind != HOLDING_COND ||
           waiting->site.scope != lock->scope;
}

/* Whether a frame is an outer call of another type while the spot is where the
 * goroutine waits: what that call has says more. */
static bool is_beyond_wait(const struct subject *subject,
                           const struct spot *spot, uint32_t frame)
{
    return spot && subject->waiting && frame > spot->frame &&
           spot->frame == subject->waiting->site.owner;
}

/* Whether a pointer says something: of a WaitGroup only its address does. */
static bool is_enough(const struct lock *lock, enum evidence_kind evidence)
{
    return lock->holding->kind == HOLDING_WAITGROUP ? evidence == EVIDENCE_LOCK
                                                    : evidence != EVIDENCE_NONE;
}

/* Adds a holder; of a WaitGroup all of its group that have the address. */
static void add_holder(const struct search *search,
                       const struct subject *subject, const struct lock *lock,
                       struct holder holder)
{
    if (lock->holding->kind == HOLDING_WAITGROUP)
        holder.count =
            pointers_sharing(snapshot_pointers(search->contention->snapshot),
                             subject->group->pointers, lock->holding->address,
                             subject->group->count);
    if (holder.count > 1)
        holder.goroutine = 0;
    holders_add(search->contention->arena, lock->holding, &holder);
}

/* Weighs one pointer of a goroutine for one lock. */
static void try_lock(struct search *search, const struct subject *subject,
                     const struct pointers *pointers, unsigned which,
                     size_t index)
{
    const struct lock *lock = &search->contention->locks[index];
    size_t scope = spot_map_find(&search->map, lock->scope);
    const struct spot *spot = spot_in(subject, scope);
    uint32_t frame = pointers->frames[which];
    struct holder holder;
    enum evidence_kind evidence;

    if (frame >= subject->stack.n_frames ||
        !is_asked(subject, lock, frame, spot))
        return;
    if (is_beyond_wait(subject, spot, frame))
        spot = NULL;
    evidence =
        weigh(search, lock, pointers->addresses[which],
              scope < search->map.n_scopes &&
                  spot_map_scope(&search->map, subject->stack, frame) == scope);
    if (!is_enough(lock, evidence))
        return;
    holder = new_holder(subject, pointers, spot ? spot->frame : frame);
    holder.evidence = evidence;
    holder.is_maybe = !(pointers->flags[which] & POINTER_SURE);
    holder.is_past = spot && spot->rank == SPOT_PAST;
    holder.waits = waited_for(search, subject, pointers);
    holder.is_itself = holder.waits == lock->holding;
    holder.score =
        evidence_score(evidence) + (holder.is_maybe ? SCORE_MAYBE : 0) +
        (spot ? standing_score(search, subject, spot)
              : SCORE_ELSEWHERE + (holder.is_maybe ? SCORE_STRAY : 0));
    check_past(search, lock, &holder);
    if (holder.is_at_wait && !holder.is_past) {
        holder.score += SCORE_AT_WAIT;
        if (spot && !spot_takes(search->contention, lock, &holder)) {
            crossing_note(&search->crossing[index], &holder);
            return;
        }
    }
    if (!holder.is_itself) {
        add_holder(search, subject, lock, holder);
    } else if (spot && frame > subject->waiting->site.owner &&
               spot->frame > subject->waiting->site.owner) {
        holder.score += SCORE_ITSELF;
        itself_add(&search->found[index], &holder,
                   spot_comes_back(&search->map, subject->stack,
                                   subject->waiting->site.owner, spot));
    }
}

/* Finds the locks that the pointers of a goroutine can be about. */
static void try_pointers(struct search *search, const struct subject *subject,
                         const struct pointers *pointers)
{
    const struct contention *contention = search->contention;

    for (unsigned i = 0; i < pointers->n; i++) {
        uint64_t address = pointers->addresses[i];
        size_t first;

        if (!page_set_may_follow(&contention->pages, address))
            continue;
        first = contention_find(contention, address);
        for (size_t k = first;
             k < contention->n_locks && k - first < LOCKS_A_POINTER &&
             contention->addresses[k] - address < OBJECT_MOST;
             k++)
            try_lock(search, subject, pointers, i, k);
    }
}

/* --- The whole search ---------------------------------------------------- */

/* Without addresses the locks of a type are one. A waiter that is behind the
 * line of another type's lock may be half of two that are taken in different
 * order, and then another waiter does not wait for itself. */
static void doubt_merged(struct search *search, const struct subject *subject)
{
    const struct contention *contention = search->contention;
    uint32_t lock = subject->waiting
                        ? contention_only_lock(contention, subject->waiting)
                        : LOCK_NONE;

    if (lock == LOCK_NONE || contention->locks[lock].holding->address)
        return;
    for (size_t i = 0; i < subject->n_spots; i++) {
        const struct spot *spot = &subject->spots[i];

        if (spot->rank == SPOT_PAST &&
            search->map.scopes[spot->scope] != subject->waiting->site.scope)
            search->found[lock].is_doubtful = true;
    }
}

static void look_at_group(struct search *search, struct analysis *analysis,
                          size_t snapshot, size_t index)
{
    const struct pool *pool = snapshot_pointers(search->contention->snapshot);
    struct subject subject;

    begin_subject(search, index, &subject);
    if (!subject.n_spots && !subject.group->pointers)
        return;
    if (!subject.joined)
        subject.joined = analysis_find_group(analysis, snapshot, index);
    if (!subject.joined)
        return;
    for (size_t i = 0; i < subject.n_spots; i++)
        list_spot(search, &subject, &subject.spots[i]);
    doubt_merged(search, &subject);
    for (const struct pointers *at =
             pointers_get(pool, subject.group->pointers);
         at; at = pointers_get(pool, at->next))
        try_pointers(search, &subject, at);
}

/* Whether goroutines with the stack of a candidate wait for the lock. Who is
 * where they are, and waits for the lock of another object, is no more likely
 * to hold this one than they are to hold that. */
static bool stands_with_waiters(const struct contention *contention,
                                const struct lock *lock,
                                const struct holder *holder)
{
    for (uint32_t i = 0; i < lock->n; i++) {
        const struct lock_use *use = &contention->uses[lock->first + i];

        if (contention_waiting_of(contention, use)->joined == holder->group)
            return true;
    }
    return false;
}

/* Brings a candidate of a scope to a lock. */
static void take_candidate(struct search *search, size_t index,
                           struct holder holder)
{
    const struct contention *contention = search->contention;
    const struct lock *lock = &contention->locks[index];

    holder.is_itself = holder.waits == lock->holding;
    check_past(search, lock, &holder);
    if (holder.score < SCORE_LEAST || (holder.is_at_wait && !holder.is_past) ||
        crowds_is_one(contention, lock, &holder))
        return;
    if (!holder.is_itself) {
        if (holder.is_past || !stands_with_waiters(contention, lock, &holder))
            holders_add(contention->arena, lock->holding, &holder);
    } else if (!holder.is_at_wait) {
        holder.score += SCORE_ITSELF;
        itself_add(&search->found[index], &holder, false);
    } else if (!lock->holding->address) {
        search->found[index].is_doubtful = true;
    }
}

static void take_shortlist(struct search *search, size_t index,
                           const struct shortlist *list)
{
    for (size_t i = 0; i < list->n; i++)
        take_candidate(search, index, list->items[i]);
}

/* Brings the candidates of the scopes in which a lock is taken to the lock. */
static void take_listed(struct search *search, size_t index)
{
    const struct contention *contention = search->contention;
    const struct lock *lock = &contention->locks[index];
    size_t seen[SPOTS_MOST];
    size_t n_seen = 0;

    for (uint32_t i = 0; i < lock->n && n_seen < SPOTS_MOST; i++) {
        const struct lock_use *use = &contention->uses[lock->first + i];
        size_t scope = spot_map_find(
            &search->map, contention_waiting_of(contention, use)->site.scope);
        size_t k = 0;

        while (k < n_seen && seen[k] != scope)
            k++;
        if (k < n_seen || scope == search->map.n_scopes)
            continue;
        seen[n_seen++] = scope;
        if (search->listed[scope].is_partial)
            lock->holding->is_partial = true;
        take_shortlist(search, index, &search->listed[scope].others);
        take_shortlist(search, index, &search->listed[scope].waiters);
    }
}

static void take_itself(struct search *search, size_t index)
{
    const struct contention *contention = search->contention;
    struct holding *holding = contention->locks[index].holding;
    const struct holder *holder =
        itself_holder(&search->found[index], contention->symbols, holding);
    struct holder itself;

    if (!holder ||
        (holder->evidence <= EVIDENCE_PAST && certainty_is_busy(holding)))
        return;
    itself = *holder;
    if (search->found[index].is_doubtful)
        itself.is_past = false;
    holders_add(contention->arena, holding, &itself);
}

/* Whether holders are looked for: a Cond has none, and a WaitGroup only those
 * that have its address. */
static bool is_held_by_function(enum holding_kind kind)
{
    return kind != HOLDING_WAITGROUP && kind != HOLDING_COND;
}

static void settle_lock(struct search *search, size_t index)
{
    const struct contention *contention = search->contention;
    struct holding *holding = contention->locks[index].holding;

    if (is_held_by_function(holding->kind)) {
        take_listed(search, index);
        take_itself(search, index);
    }
    if (holding->n_holders)
        certainty_settle(contention, &contention->locks[index]);
}

static bool begin_search(struct search *search,
                         const struct contention *contention)
{
    struct arena *scratch = contention->scratch;

    search->contention = contention;
    if (!spot_map_init(&search->map, contention))
        return false;
    search->listed = arena_take_zero(scratch, (search->map.n_scopes + 1) *
                                                  sizeof(struct listed));
    search->found =
        arena_take_zero(scratch, contention->n_locks * sizeof(*search->found));
    search->crossing = arena_take_zero(scratch, contention->n_locks *
                                                    sizeof(*search->crossing));
    search->is_apart = apart_find(&search->map);
    search->gaps = gaps_find(&search->map);
    if (search->is_apart)
        search->map.is_crowded = crowds_find(&search->map, search->is_apart);
    return search->listed && search->found && search->crossing &&
           search->gaps && search->map.is_crowded;
}

bool holders_find(const struct contention *contention,
                  struct analysis *analysis, size_t snapshot)
{
    struct search search;

    if (!begin_search(&search, contention))
        return false;
    for (size_t i = 0; i < snapshot_n_groups(contention->snapshot); i++)
        look_at_group(&search, analysis, snapshot, i);
    for (size_t i = 0; i < contention->n_locks; i++)
        settle_lock(&search, i);
    for (size_t i = 0; i < contention->n_locks; i++)
        crossing_settle(contention, &contention->locks[i], &search.crossing[i]);
    crossing_pairs(contention);
    return true;
}
