#include "analysis/lineage.h"

#include <stdlib.h>

#include "base/hash.h"

bool lineage_init(struct lineage *lineage, struct analysis *analysis, size_t n)
{
    uint32_t *parents =
        arena_take(analysis_arena(analysis), (n + 1) * sizeof(*parents));

    if (!parents)
        return false;
    for (size_t i = 0; i < n; i++)
        parents[i] = (uint32_t)i;
    *lineage = (struct lineage){analysis, parents, n};
    return true;
}

size_t lineage_find(struct lineage *lineage, size_t group)
{
    uint32_t *parents = lineage->parents;

    while (parents[group] != group) {
        parents[group] = parents[parents[group]];
        group = parents[group];
    }
    return group;
}

void lineage_join(struct lineage *lineage, size_t a, size_t b)
{
    a = lineage_find(lineage, a);
    b = lineage_find(lineage, b);
    if (a < b)
        lineage->parents[b] = (uint32_t)a;
    else
        lineage->parents[a] = (uint32_t)b;
}

enum { MOVED_MOST = 64 }; /* stacks of the same functions: more say nothing */

/* A group as one way of matching sees it: groups with equal keys come into
 * question for each other. */
struct candidate {
    uint64_t high, low; /* the key */
    size_t group;
    size_t first; /* the snapshots that it stands in */
    size_t last;
};

static int compare_keys(const void *a, const void *b)
{
    const struct candidate *left = a;
    const struct candidate *right = b;

    if (left->high != right->high)
        return left->high < right->high ? -1 : 1;
    if (left->low != right->low)
        return left->low < right->low ? -1 : 1;
    if (left->first != right->first)
        return left->first < right->first ? -1 : 1;
    return (left->group > right->group) - (left->group < right->group);
}

/* A channel operation of unknown direction is one of these. */
static bool is_vague(state_id state)
{
    return state == STATE_UNKNOWN || state == STATE_WAITING ||
           state == STATE_CHAN_OPERATION;
}

static bool is_channel(state_id state)
{
    return state >= STATE_CHAN_OPERATION && state <= STATE_CHAN_RECEIVE_NIL;
}

/* Whether two states may be one, told more and less exactly. */
static bool states_fit(state_id a, state_id b)
{
    if (a == b)
        return true;
    if (a == STATE_CHAN_OPERATION || b == STATE_CHAN_OPERATION)
        return is_channel(a) == is_channel(b) || is_vague(a) == is_vague(b);
    return is_vague(a) || is_vague(b);
}

static void find_span(const struct joined_group *group, size_t n_snapshots,
                      struct candidate *candidate)
{
    candidate->first = n_snapshots;
    for (size_t i = 0; i < n_snapshots; i++) {
        if (!joined_count(group, i))
            continue;
        if (candidate->first == n_snapshots)
            candidate->first = i;
        candidate->last = i;
    }
}

/* Whether the digits that begin at an index of a name number a closure or a
 * wrapper that the compiler made: "main.run.func1.2", "main.run.gowrap1"
 * (cmd/compile/internal/ir/func.go, closureName). */
static bool is_closure_number(struct str name, size_t at)
{
    static const struct str words[] = {STR_INIT(".func"), STR_INIT(".gowrap"),
                                       STR_INIT(".deferwrap"),
                                       STR_INIT("-range"), STR_INIT(".")};
    struct str head = str_head(name, at);

    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        if (str_ends(head, words[i]))
            return true;
    }
    return false;
}

/* The functions of a stack without the numbers of closures:
 * "main.main.func1.2" and "main.main.func3.1" are alike. */
static void hash_loosely(const struct symbols *symbols, stack_id id,
                         struct candidate *candidate)
{
    struct stack stack = symbols_stack(symbols, id);

    candidate->high = candidate->low = stack.n_frames;
    for (uint32_t i = 0; i < stack.n_frames; i++) {
        struct str name = symbols_function(symbols, stack.frames[i]);
        bool was_digit = false;
        bool left_out = false;

        for (size_t k = 0; k < name.len; k++) {
            bool is_digit = name.ptr[k] >= '0' && name.ptr[k] <= '9';

            if (is_digit && !was_digit)
                left_out = is_closure_number(name, k);
            was_digit = is_digit;
            if (!is_digit || !left_out)
                candidate->high =
                    hash_mix(candidate->high, (unsigned char)name.ptr[k]);
        }
        candidate->low = hash_mix(candidate->low, candidate->high);
    }
}

/* The ways of matching, in their order. */
enum way { BY_STACK, BY_SIGNATURE, BY_LOOSE_NAMES, N_WAYS };

static void set_key(const struct lineage *lineage, enum way way,
                    struct candidate *candidate)
{
    const struct joined_group *group =
        analysis_group(lineage->analysis, candidate->group);
    struct signature signature;

    switch (way) {
    case BY_STACK:
        candidate->high = 0;
        candidate->low = group->stack;
        break;
    case BY_SIGNATURE:
        signature = joined_signature(
            group, analysis_snapshots(lineage->analysis)->symbols);
        candidate->high = signature.high;
        candidate->low = signature.low;
        break;
    default:
        hash_loosely(analysis_snapshots(lineage->analysis)->symbols,
                     group->stack, candidate);
        break;
    }
}

static state_id state_of(const struct lineage *lineage,
                         const struct candidate *candidate)
{
    return analysis_group(lineage->analysis, candidate->group)->state;
}

/* One stack: the group whose state is vague joins the only other that fits, if
 * no snapshot has both. */
static void match_states(struct lineage *lineage,
                         const struct candidate *candidates, size_t n)
{
    size_t n_snapshots = analysis_snapshots(lineage->analysis)->count;

    for (size_t i = 0; i < n; i++) {
        state_id state = state_of(lineage, &candidates[i]);
        const struct candidate *only = NULL;
        size_t fitting = 0;

        if (!is_vague(state))
            continue;
        for (size_t k = 0; k < n; k++) {
            state_id other = state_of(lineage, &candidates[k]);

            if (k == i || other == state || !states_fit(state, other))
                continue;
            only = &candidates[k];
            fitting++;
        }
        for (size_t s = 0; fitting == 1 && s < n_snapshots; s++) {
            if (joined_count(analysis_group(lineage->analysis, only->group),
                             s) &&
                joined_count(
                    analysis_group(lineage->analysis, candidates[i].group), s))
                fitting = 0;
        }
        if (fitting == 1)
            lineage_join(lineage, candidates[i].group, only->group);
    }
}

/* Candidates by state and by the moments that they stand in. */
struct order {
    const struct lineage *lineage;
    const struct candidate *candidate;
};

/* The order of two stacks of the same functions by their lines. */
static int compare_lines(const struct lineage *lineage,
                         const struct candidate *a, const struct candidate *b)
{
    const struct symbols *symbols =
        analysis_snapshots(lineage->analysis)->symbols;
    struct stack left = symbols_stack(
        symbols, analysis_group(lineage->analysis, a->group)->stack);
    struct stack right = symbols_stack(
        symbols, analysis_group(lineage->analysis, b->group)->stack);

    for (uint32_t i = 0; i < left.n_frames && i < right.n_frames; i++) {
        uint32_t line_a = symbols_frame(symbols, left.frames[i]).line;
        uint32_t line_b = symbols_frame(symbols, right.frames[i]).line;

        if (line_a != line_b)
            return line_a < line_b ? -1 : 1;
    }
    return (a->group > b->group) - (a->group < b->group);
}

static int compare_order(const void *a, const void *b)
{
    const struct order *left = a;
    const struct order *right = b;
    state_id state_a = state_of(left->lineage, left->candidate);
    state_id state_b = state_of(right->lineage, right->candidate);

    if (state_a != state_b)
        return state_a < state_b ? -1 : 1;
    if (left->candidate->first != right->candidate->first)
        return left->candidate->first < right->candidate->first ? -1 : 1;
    return compare_lines(left->lineage, left->candidate, right->candidate);
}

static int compare_in_build(const void *a, const void *b)
{
    const struct order *left = a;
    const struct order *right = b;

    return compare_lines(left->lineage, left->candidate, right->candidate);
}

/* The end of what lives at the same time as the candidate at an index and is in
 * the same state: one build's lines. */
static size_t build_end(const struct order *order, size_t begin, size_t n)
{
    state_id state = state_of(order[begin].lineage, order[begin].candidate);
    size_t last = order[begin].candidate->last;
    size_t end = begin + 1;

    while (end < n && order[end].candidate->first <= last &&
           state_of(order[end].lineage, order[end].candidate) == state) {
        if (order[end].candidate->last > last)
            last = order[end].candidate->last;
        end++;
    }
    return end;
}

/* Joins the lines of one build with those of the next, in their order, if there
 * are as many. */
static void match_builds(struct lineage *lineage, struct order *order, size_t n)
{
    size_t before = 0;
    size_t end;

    for (size_t begin = build_end(order, 0, n); begin < n; begin = end) {
        end = build_end(order, begin, n);
        if (end - begin == begin - before &&
            state_of(lineage, order[before].candidate) ==
                state_of(lineage, order[begin].candidate)) {
            qsort(order + before, begin - before, sizeof(*order),
                  compare_in_build);
            qsort(order + begin, end - begin, sizeof(*order), compare_in_build);
            for (size_t i = before; i < begin; i++)
                lineage_join(lineage, order[i].candidate->group,
                             order[i + begin - before].candidate->group);
        }
        before = begin;
    }
}

/* Stacks of the same functions: those that end come together with those that
 * begin after them, if they wait for the same. */
static void match_moved(struct lineage *lineage,
                        const struct candidate *candidates, size_t n)
{
    struct order order[MOVED_MOST];

    if (n > MOVED_MOST)
        return;
    if (n == 2 && candidates[0].last < candidates[1].first &&
        states_fit(state_of(lineage, &candidates[0]),
                   state_of(lineage, &candidates[1]))) {
        lineage_join(lineage, candidates[0].group, candidates[1].group);
        return;
    }
    for (size_t i = 0; i < n; i++)
        order[i] = (struct order){lineage, &candidates[i]};
    qsort(order, n, sizeof(*order), compare_order);
    match_builds(lineage, order, n);
}

/* Goes through the sets of candidates with equal keys. */
static void match_runs(struct lineage *lineage, enum way way,
                       const struct candidate *candidates, size_t n)
{
    size_t end;

    for (size_t i = 0; i < n; i = end) {
        end = i + 1;
        while (end < n && candidates[end].high == candidates[i].high &&
               candidates[end].low == candidates[i].low)
            end++;
        if (end == i + 1)
            continue;
        if (way == BY_STACK)
            match_states(lineage, candidates + i, end - i);
        else if (way == BY_SIGNATURE || end - i == 2)
            match_moved(lineage, candidates + i, end - i);
    }
}

/* Whether a group is already one with another. */
static bool is_joined(struct lineage *lineage, const bool *joined, size_t group)
{
    return joined[lineage_find(lineage, group)];
}

/* What a way of matching looks at: all groups at first; then those that do not
 * stand in every snapshot; at last those that nothing was found for. */
static size_t choose(struct lineage *lineage, enum way way, bool *joined,
                     struct candidate *candidates)
{
    size_t n_snapshots = analysis_snapshots(lineage->analysis)->count;
    size_t n = 0;

    for (size_t i = 0; i < lineage->n; i++)
        joined[i] = false;
    for (size_t i = 0; i < lineage->n; i++) {
        if (lineage_find(lineage, i) != i)
            joined[lineage_find(lineage, i)] = true;
    }
    for (size_t i = 0; i < lineage->n; i++) {
        const struct joined_group *group = analysis_group(lineage->analysis, i);
        struct candidate *candidate = &candidates[n];

        if (group->stack == STACK_OTHER)
            continue;
        candidate->group = i;
        find_span(group, n_snapshots, candidate);
        if (way != BY_STACK &&
            ((candidate->first == 0 && candidate->last + 1 == n_snapshots) ||
             is_joined(lineage, joined, i)))
            continue;
        set_key(lineage, way, candidate);
        n++;
    }
    return n;
}

bool lineage_match(struct lineage *lineage)
{
    struct candidate *candidates =
        malloc((lineage->n + 1) * sizeof(*candidates));
    bool *joined = malloc(lineage->n + 1);

    for (enum way way = 0; candidates && joined && way < N_WAYS; way++) {
        size_t n = choose(lineage, way, joined, candidates);

        if (!n)
            continue;
        qsort(candidates, n, sizeof(*candidates), compare_keys);
        match_runs(lineage, way, candidates, n);
    }
    free(joined);
    free(candidates);
    return candidates && joined;
}
