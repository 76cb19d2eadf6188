#include "analysis/rivals.h"

#include <stdlib.h>

#include "analysis/pauses.h"
#include "analysis/spots.h"
#include "base/hash.h"
#include "model/evidence.h"
#include "model/name.h"

enum { TEXT_NEW, TEXT_NONE, TEXT_PACKAGES }; /* of_text */

/* The groups in the functions of a package that are in the middle of
 * something. */
struct actors {
    const struct joined_group *first; /* NULL = nobody */
    bool are_several;
};

/* The packages in whose functions locks are taken. */
struct rivals {
    const struct contention *contention;
    struct actors *actors; /* of each package */
    uint64_t *packages;    /* their hashes, in order */
    size_t n_packages;
    uint32_t *of_text; /* of each function: TEXT_NEW = not asked yet, TEXT_NONE,
                          or the index of its package + TEXT_PACKAGES */
};

static uint64_t package_hash(struct str function)
{
    struct str package = name_package(function);

    return hash_bytes(package.ptr, package.len);
}

static int compare_hashes(const void *a, const void *b)
{
    uint64_t left = *(const uint64_t *)a;
    uint64_t right = *(const uint64_t *)b;

    return (left > right) - (left < right);
}

static bool collect_packages(struct rivals *rivals)
{
    const struct contention *contention = rivals->contention;
    struct symbols *symbols = contention->symbols;
    struct arena *scratch = contention->scratch;
    size_t n = contention->n_locks;
    uint64_t *packages = arena_take(scratch, (n + 1) * sizeof(*packages));

    rivals->actors = arena_take_zero(scratch, n * sizeof(*rivals->actors));
    rivals->of_text = arena_take_zero(scratch, (symbols_n_texts(symbols) + 1) *
                                                   sizeof(*rivals->of_text));
    if (!packages || !rivals->actors || !rivals->of_text)
        return false;
    for (size_t i = 0; i < n; i++)
        packages[i] = package_hash(
            symbols_function(symbols, contention->locks[i].holding->site));
    qsort(packages, n, sizeof(*packages), compare_hashes);
    for (size_t i = 0; i < n; i++) {
        if (!i || packages[i] != packages[rivals->n_packages - 1])
            packages[rivals->n_packages++] = packages[i];
    }
    rivals->packages = packages;
    return true;
}

/* The index of a function's package; n_packages when no lock is taken in it. */
static size_t find_package(const struct rivals *rivals, struct str function)
{
    uint64_t hash = package_hash(function);
    const uint64_t *found = bsearch(&hash, rivals->packages, rivals->n_packages,
                                    sizeof(*rivals->packages), compare_hashes);

    return found ? (size_t)(found - rivals->packages) : rivals->n_packages;
}

/* The same of a frame; it is looked for once for each function. */
static size_t package_at(const struct rivals *rivals, frame_id frame)
{
    const struct symbols *symbols = rivals->contention->symbols;
    text_id text = symbols_frame(symbols, frame).function;
    uint32_t *known = &rivals->of_text[text];

    if (*known == TEXT_NEW) {
        size_t index = find_package(rivals, symbols_text(symbols, text));

        *known = index < rivals->n_packages ? (uint32_t)index + TEXT_PACKAGES
                                            : TEXT_NONE;
    }
    return *known == TEXT_NONE ? rivals->n_packages : *known - TEXT_PACKAGES;
}

/* Whether a goroutine writes the dump, and nothing else. */
static bool is_writing(const struct symbols *symbols, struct stack stack,
                       struct own own)
{
    for (uint32_t i = 0; i < own.first; i++) {
        struct str function = symbols_function(symbols, stack.frames[i]);

        if (str_starts(function, STR("runtime/pprof.")) ||
            str_starts(function, STR("runtime/debug.")))
            return true;
    }
    return false;
}

/* Whether goroutines rest where they mostly hold nothing: in a loop between its
 * rounds, on a connection, or main beside its program. One that sleeps may do
 * so in the middle of something. */
static bool is_resting(const struct symbols *symbols, const struct group *group,
                       struct stack stack)
{
    struct own own = own_of(symbols, stack);
    bool is_main;

    if (own.first == stack.n_frames)
        return false;
    if (is_writing(symbols, stack, own))
        return true;
    is_main = own.first == own.last &&
              str_equal(symbols_function(symbols, stack.frames[own.first]),
                        STR("main.main"));
    if (spot_is_listener(symbols, stack) || spot_is_reader(symbols, stack))
        return own_is_entry(symbols, stack, own);
    return own_is_pausing(symbols, stack, own, group->state) &&
           (is_main ||
            (group->state != STATE_SLEEP && own_is_entry(symbols, stack, own)));
}

/* Whether goroutines of a group are in the middle of something. Who waits for
 * others to be done may be, with a lock. */
static bool is_acting(const struct contention *contention, size_t index,
                      const struct group *group, struct stack stack)
{
    const struct waiting *waiting = contention_waiting(contention, index);

    if (!stack.n_frames || state_is_endless(group->state) ||
        (waiting && waiting->site.kind != HOLDING_WAITGROUP))
        return false;
    return !is_resting(contention->symbols, group, stack);
}

static void add_actor(struct actors *actors, const struct joined_group *group)
{
    if (actors->first && actors->first != group)
        actors->are_several = true;
    actors->first = group;
}

static void look_at_group(const struct rivals *rivals,
                          struct analysis *analysis, size_t snapshot,
                          size_t index)
{
    const struct contention *contention = rivals->contention;
    const struct group *group = snapshot_group(contention->snapshot, index);
    struct stack stack = symbols_stack(contention->symbols, group->stack);
    const struct joined_group *joined = NULL;

    for (uint32_t i = 0; i < stack.n_frames; i++) {
        size_t package = package_at(rivals, stack.frames[i]);

        if (package == rivals->n_packages ||
            rivals->actors[package].are_several)
            continue;
        if (!joined && is_acting(contention, index, group, stack))
            joined = analysis_find_group(analysis, snapshot, index);
        if (!joined)
            return;
        add_actor(&rivals->actors[package], joined);
    }
}

/* Whether somebody else than the holder may hold the lock. */
static bool has_rival(const struct rivals *rivals,
                      const struct holding *holding,
                      const struct holder *holder)
{
    size_t package = package_at(rivals, holding->site);
    const struct actors *actors = &rivals->actors[package];

    return actors->are_several ||
           (actors->first && actors->first != holder->group);
}

/* How sure a holder is of whom somebody else is a rival. */
static enum certainty lowered(const struct holder *holder)
{
    if (holder->waits && wait_at_least(holder->group->facts->wait_max) < 1)
        return CERTAINTY_LOW;
    return holder->certainty > CERTAINTY_MEDIUM ? CERTAINTY_MEDIUM
                                                : holder->certainty;
}

static void settle_lock(const struct rivals *rivals,
                        const struct holding *holding)
{
    for (size_t i = 0; i < holding->n_holders; i++) {
        struct holder *holder = &holding->holders[i];

        if (holding->kind != HOLDING_WAITGROUP &&
            has_rival(rivals, holding, holder))
            holder->certainty = lowered(holder);
    }
}

bool rivals_find(const struct contention *contention, struct analysis *analysis,
                 size_t snapshot)
{
    struct rivals rivals = {.contention = contention};

    if (!collect_packages(&rivals))
        return false;
    for (size_t i = 0; i < snapshot_n_groups(contention->snapshot); i++)
        look_at_group(&rivals, analysis, snapshot, i);
    for (size_t i = 0; i < contention->n_locks; i++)
        settle_lock(&rivals, contention->locks[i].holding);
    return true;
}
