#include "analysis/cycles.h"

#include <string.h>

#include "analysis/spots.h"
#include "analysis/waitgroups.h"
#include "model/name.h"

enum {
    SCORE_CLOSE = 16, /* behind the best holder by less: may be the one */
    RECEIVERS_MOST = 4,
    CHANNEL_LOCKS = 256, /* locks whose holders are asked for channels */
    STANDS_MINUTES = 5,  /* what both sides have waited for so long stands */
};

/* Circles while they are collected. */
struct circles {
    const struct contention *contention;
    struct wait_cycle *items;
    size_t n;
    uint32_t *steps; /* of each lock: the walk that came by; 0 = none */
};

/* Whether all who may be members of a WaitGroup wait for locks: who does not
 * may be the one that it waits for. */
static bool do_all_wait(const struct holding *holding)
{
    for (size_t i = 0; i < holding->n_holders; i++) {
        if (!holding->holders[i].waits)
            return false;
    }
    return true;
}

/* The holder that leads on to another lock, or NULL. Everybody must leave a
 * WaitGroup; of other locks only a likely holder counts, and none where a surer
 * one waits for no lock. */
static const struct holder *next_holder(const struct holding *holding)
{
    const struct holder *best = holding->holders;

    if (holding->kind == HOLDING_WAITGROUP && holding->members != MEMBERS_ALL &&
        !do_all_wait(holding))
        return NULL;
    for (size_t i = 0; i < holding->n_holders; i++) {
        const struct holder *holder = &holding->holders[i];

        if (holding->kind != HOLDING_WAITGROUP &&
            (best->score - holder->score >= SCORE_CLOSE ||
             best->certainty > holder->certainty))
            return NULL;
        if (holder->waits && (i == 0 || !holder->is_itself))
            return holder;
    }
    return NULL;
}

static struct cycle_link *take_links(const struct circles *circles, size_t n)
{
    return arena_take_zero(circles->contention->arena,
                           n * sizeof(struct cycle_link));
}

/* Whether the holder waits for a lock behind a writer: then the writer is a
 * step of its own. */
static bool is_behind_writer(const struct circles *circles,
                             const struct holder *holder)
{
    struct symbols *symbols = circles->contention->symbols;
    struct lock_site site;

    return holder->waits->writer && holder->group != holder->waits->writer &&
           lock_site_find(symbols, symbols_stack(symbols, holder->group->stack),
                          &site) &&
           site.is_reading;
}

/* Whether a circle is better begun at a than at b: with a lock rather than with
 * a WaitGroup or a writer, and with the older goroutine. */
static bool is_better_start(const struct cycle_link *a,
                            const struct cycle_link *b)
{
    bool a_holds =
        a->holds && !a->is_writer && a->holds->kind != HOLDING_WAITGROUP;
    bool b_holds =
        b->holds && !b->is_writer && b->holds->kind != HOLDING_WAITGROUP;

    if (a_holds != b_holds)
        return a_holds;
    return a->goroutine < b->goroutine;
}

/* Turns a circle until it begins where people would begin to tell it. */
static void turn(struct cycle_link *links, size_t n)
{
    size_t start = 0;

    for (size_t i = 1; i < n; i++) {
        if (is_better_start(&links[i], &links[start]))
            start = i;
    }
    for (; start; start--) {
        struct cycle_link first = links[0];

        memmove(&links[0], &links[1], (n - 1) * sizeof(*links));
        links[n - 1] = first;
    }
}

static void add_cycle(struct circles *circles, struct cycle_link *links,
                      size_t n)
{
    struct wait_cycle *cycle = &circles->items[circles->n];

    turn(links, n);
    *cycle = (struct wait_cycle){links, n, CERTAINTY_HIGH};
    for (size_t i = 0; i < n; i++) {
        if (!links[i].is_writer && links[i].certainty < cycle->certainty)
            cycle->certainty = links[i].certainty;
    }
    circles->n++;
}

/* Whether a step of a circle is more than that somebody stands behind a line
 * where others take one lock or another: where dumps tell addresses, and none
 * is known to any of them, who is behind such a line may have any of the
 * locks, and a circle always closes. */
static bool is_more_than_place(const struct holding *holding,
                               const struct holder *holder)
{
    bool is_place = holder->evidence == EVIDENCE_NEAR_FUNCTION ||
                    holder->evidence == EVIDENCE_PAST_CALL ||
                    holder->evidence == EVIDENCE_PAST;

    return !is_place || !holding->address || holder->is_itself ||
           holding->kind == HOLDING_WAITGROUP ||
           holder->certainty > CERTAINTY_LOW;
}

/* Makes the circle that begins and ends at a lock. False without memory. */
static bool close_circle(struct circles *circles, const struct holding *first)
{
    struct cycle_link *links = take_links(circles, 2 * CYCLE_LINKS_MOST);
    const struct holding *at = first;
    bool is_known = false;
    size_t n = 0;

    if (!links)
        return false;
    do {
        const struct holder *holder = next_holder(at);

        is_known |= is_more_than_place(at, holder);
        links[n++] = (struct cycle_link){.group = holder->group,
                                         .goroutine = holder->goroutine,
                                         .count = holder->count,
                                         .frame = holder->frame,
                                         .holds = at,
                                         .wants = holder->waits,
                                         .certainty = holder->certainty};
        if (is_behind_writer(circles, holder))
            links[n++] =
                (struct cycle_link){.group = holder->waits->writer,
                                    .goroutine = holder->waits->writer_id,
                                    .count = 1,
                                    .frame = holder->waits->writer_frame,
                                    .holds = holder->waits,
                                    .wants = holder->waits,
                                    .is_writer = true,
                                    .certainty = CERTAINTY_HIGH};
        at = holder->waits;
    } while (at != first && n + 2 <= 2 * CYCLE_LINKS_MOST);
    if (at == first && is_known)
        add_cycle(circles, links, n);
    return true;
}

/* Walks from a lock until there is no next one, or one where a walk has been
 * before; if that was this walk, a circle is closed. */
static bool walk_from(struct circles *circles, size_t start)
{
    const struct contention *contention = circles->contention;
    uint32_t walk = (uint32_t)start + 1;
    size_t at = start;

    while (!circles->steps[at]) {
        const struct holder *holder =
            next_holder(contention->locks[at].holding);

        circles->steps[at] = walk;
        if (!holder)
            return true;
        at = holder->waits->lock;
    }
    if (circles->steps[at] != walk || circles->n == CYCLES_MOST)
        return true;
    return close_circle(circles, contention->locks[at].holding);
}

/* --- Channels ------------------------------------------------------------ */

static struct str function_of(const struct contention *contention,
                              frame_id frame)
{
    return symbols_function(contention->symbols, frame);
}

/* Whether those who wait were started by the function that holds the lock. */
static bool is_started_by(const struct contention *contention,
                          const struct waiting *waiting,
                          const struct holder *holder)
{
    struct symbols *symbols = contention->symbols;
    struct str function = function_of(contention, holder->frame);
    const struct group *group =
        snapshot_group(contention->snapshot, waiting->group);

    if (waiting->joined == holder->group)
        return false;
    /* It was called there, not started. */
    if (stack_has_function(symbols, symbols_stack(symbols, group->stack),
                           function))
        return false;
    if (group->created_by &&
        str_equal(symbols_function(symbols, group->created_by), function))
        return true;
    return is_closure_of(symbols, symbols_stack(symbols, group->stack),
                         function);
}

/* Whether those who wait may be the receivers of what the holder sends: few, in
 * the same type, and not on their way to send themselves. Of those that wait
 * for an RWMutex most only write; who receives in a loop calls what locks. */
static bool may_receive(const struct contention *contention,
                        const struct waiting *waiting, uint64_t count,
                        const struct holder *holder)
{
    struct symbols *symbols = contention->symbols;
    struct stack stack = symbols_stack(
        symbols, snapshot_group(contention->snapshot, waiting->group)->stack);
    struct str sender = function_of(contention, holder->frame);

    if (holder->group->state != STATE_CHAN_SEND ||
        holder->certainty == CERTAINTY_LOW || count > RECEIVERS_MOST ||
        waiting->site.scope != scope_of(sender) ||
        stack_has_function(symbols, stack, sender))
        return false;
    return waiting->site.kind == HOLDING_MUTEX ||
           (waiting->site.owner + 1 < stack.n_frames &&
            scope_at(symbols, stack, waiting->site.owner + 1) ==
                waiting->site.scope);
}

static bool add_channel_circle(struct circles *circles, const struct lock *lock,
                               const struct waiting *waiting, uint64_t count,
                               enum certainty certainty)
{
    const struct holder *holder = lock->holding->holders;
    struct cycle_link *links = take_links(circles, 2);
    const struct group *group =
        snapshot_group(circles->contention->snapshot, waiting->group);

    if (!links)
        return false;
    links[0] = (struct cycle_link){.group = holder->group,
                                   .goroutine = holder->goroutine,
                                   .count = holder->count,
                                   .frame = holder->frame,
                                   .holds = lock->holding,
                                   .certainty = holder->certainty};
    links[1] = (struct cycle_link){
        .group = waiting->joined,
        .goroutine = count == 1 && group->n_ids == 1 ? group->id_min : 0,
        .count = count,
        .frame = waiting->site.frame,
        .wants = lock->holding,
        .certainty = certainty};
    add_cycle(circles, links, 2);
    return true;
}

/* Whether a sender and the only one who may receive have waited for minutes:
 * somebody else would have received, or the lock been free, in that time. Where
 * several are alike, they rather come to the lock from elsewhere. */
static bool stands(const struct holder *holder, const struct waiting *receiver,
                   uint64_t count)
{
    return count == 1 && holder->group->facts->wait_max >= STANDS_MINUTES &&
           receiver->joined->facts->wait_max >= STANDS_MINUTES;
}

/* Looks whether the best holder of a lock waits for a channel whose other side
 * waits for the lock. */
static bool try_channel(struct circles *circles, const struct lock *lock)
{
    const struct contention *contention = circles->contention;
    const struct holder *holder = lock->holding->holders;
    const struct lock_use *receiver = NULL;
    const struct waiting *waits;

    for (uint32_t i = 0; i < lock->n; i++) {
        const struct lock_use *use = &contention->uses[lock->first + i];
        const struct waiting *waiting = contention_waiting_of(contention, use);

        if (is_started_by(contention, waiting, holder))
            return add_channel_circle(circles, lock, waiting, use->count,
                                      CERTAINTY_MEDIUM);
        if (!receiver && may_receive(contention, waiting, use->count, holder))
            receiver = use;
    }
    if (!receiver)
        return true;
    waits = contention_waiting_of(contention, receiver);
    return add_channel_circle(circles, lock, waits, receiver->count,
                              stands(holder, waits, receiver->count)
                                  ? CERTAINTY_MEDIUM
                                  : CERTAINTY_LOW);
}

/* The module of a package, as far as its path tells: "github.com/x/y" of
 * "github.com/x/y/z", "shop" of "shop/queue". */
static struct str module_of(struct str package)
{
    enum { HOST_PARTS = 3 };
    size_t first = str_find(package, '/');
    unsigned n_parts =
        str_find(str_head(package, first), '.') < first ? HOST_PARTS : 1;
    size_t end = 0;

    while (n_parts-- && end < package.len) {
        end += end > 0;
        end += str_find(str_skip(package, end), '/');
    }
    return str_head(package, end);
}

/* Whether a goroutine waits for a channel of the module that it holds the lock
 * in. Inside of a library it waits for a response, which no other goroutine of
 * this module gives. */
static bool is_own_channel(const struct contention *contention,
                           const struct holder *holder)
{
    const struct joined_group *group = holder->group;
    struct stack stack = symbols_stack(contention->symbols, group->stack);
    struct str inner;
    struct str outer;

    if (group->leaf < 0 || (uint32_t)group->leaf >= stack.n_frames)
        return false;
    inner = function_of(contention, stack.frames[group->leaf]);
    outer = function_of(contention, holder->frame);
    return !name_is_std(inner) && str_equal(module_of(name_package(inner)),
                                            module_of(name_package(outer)));
}

static bool is_channel_holder(const struct contention *contention,
                              const struct holding *holding)
{
    return holding->n_holders && !holding->holders->waits &&
           holding->kind != HOLDING_WAITGROUP &&
           spot_state_is_channel(holding->holders->group->state) &&
           is_own_channel(contention, holding->holders);
}

bool cycles_find(const struct contention *contention, struct wait_cycle *cycles,
                 size_t *n_cycles)
{
    struct circles circles = {
        .contention = contention, .items = cycles, .n = *n_cycles};
    size_t n_asked = 0;
    bool is_whole = true;

    circles.steps = arena_take_zero(contention->scratch,
                                    contention->n_locks * sizeof(uint32_t));
    if (!circles.steps)
        return false;
    for (size_t i = 0; i < contention->n_locks; i++) {
        if (!circles.steps[i] && !walk_from(&circles, i))
            is_whole = false;
    }
    for (size_t i = 0; i < contention->n_locks && circles.n < CYCLES_MOST &&
                       n_asked < CHANNEL_LOCKS;
         i++) {
        if (!is_channel_holder(contention, contention->locks[i].holding))
            continue;
        n_asked++;
        if (!try_channel(&circles, &contention->locks[i]))
            is_whole = false;
    }
    *n_cycles = circles.n;
    return is_whole;
}
