#include "rules/match.h"

#include <stdlib.h>

#include "analysis/waitgroup_sites.h"
#include "model/name.h"

#define BIT(state) ((state_set)1 << (state))

void subject_done(struct subject *subject)
{
    free(subject->functions);
    free(subject->files);
    *subject = (struct subject){0};
}

/* Makes room for a stack of n frames. */
static bool make_room(struct subject *subject, size_t n)
{
    size_t size = n + n / 2 + 64;
    text_id *functions;
    text_id *files;

    if (n <= subject->size)
        return true;
    functions = realloc(subject->functions, size * sizeof(*functions));
    if (functions)
        subject->functions = functions;
    files = realloc(subject->files, size * sizeof(*files));
    if (files)
        subject->files = files;
    if (!functions || !files)
        return false;
    subject->size = size;
    return true;
}

static struct str function_at(const struct subject *subject, size_t i)
{
    return symbols_text(subject->symbols, subject->functions[i]);
}

/* The function that the goroutine was started with, be it by the Go of a
 * WaitGroup or of an errgroup, or main.main. */
static size_t find_bottom(const struct subject *subject)
{
    size_t n = subject->n_frames;

    while (n && name_is_entry(function_at(subject, n - 1)))
        n--;
    if (n > 1 && waitgroup_is_member_begin(function_at(subject, n - 1)))
        n--;
    return n ? n - 1 : subject->n_frames;
}

bool subject_set(struct subject *subject, const struct symbols *symbols,
                 const struct joined_group *group)
{
    struct stack stack = {0};
    int32_t leaf = group->leaf;
    int32_t site = group->site;

    if (group->stack != STACK_OTHER)
        stack = symbols_stack(symbols, group->stack);
    if (!make_room(subject, stack.n_frames))
        return false;
    subject->symbols = symbols;
    subject->group = group;
    subject->n_frames = stack.n_frames;
    for (size_t i = 0; i < stack.n_frames; i++) {
        struct frame frame = symbols_frame(symbols, stack.frames[i]);

        subject->functions[i] = frame.function;
        subject->files[i] = frame.file;
    }
    subject->leaf = leaf < 0 ? stack.n_frames : (size_t)leaf;
    subject->site = site < 0 ? stack.n_frames : (size_t)site;
    subject->bottom = find_bottom(subject);
    return true;
}

/* The better of two answers: a match beats giving up, which beats none. */
static enum pattern_answer better(enum pattern_answer a, enum pattern_answer b)
{
    if (a == PATTERN_YES || b == PATTERN_YES)
        return PATTERN_YES;
    return a == PATTERN_LIMIT ? a : b;
}

/* Whether one of the patterns matches a text. */
static enum pattern_answer one_matches(const struct patterns *patterns,
                                       const struct symbols *symbols,
                                       text_id id)
{
    enum pattern_answer best = PATTERN_NO;

    for (size_t i = 0; i < patterns->count && best != PATTERN_YES; i++)
        best = better(best, pattern_match_id(patterns->items[i], symbols, id));
    return best;
}

/* The same for the function of a frame; there may be no such frame. */
static enum pattern_answer frame_matches(const struct patterns *patterns,
                                         const struct subject *subject,
                                         size_t frame)
{
    if (frame >= subject->n_frames)
        return PATTERN_NO;
    return one_matches(patterns, subject->symbols, subject->functions[frame]);
}

/* Whether one of the patterns matches one of n texts. */
static enum pattern_answer some_match(const struct patterns *patterns,
                                      const struct symbols *symbols,
                                      const text_id *texts, size_t n)
{
    enum pattern_answer best = PATTERN_NO;

    for (size_t i = 0; i < n && best != PATTERN_YES; i++)
        best = better(best, one_matches(patterns, symbols, texts[i]));
    return best;
}

/* One function for each key of a match: see the table below. */
static enum pattern_answer any_matches(const struct match *match,
                                       const struct subject *subject)
{
    return some_match(&match->any, subject->symbols, subject->functions,
                      subject->n_frames);
}

static enum pattern_answer file_matches(const struct match *match,
                                        const struct subject *subject)
{
    return some_match(&match->file, subject->symbols, subject->files,
                      subject->n_frames);
}

static enum pattern_answer all_match(const struct match *match,
                                     const struct subject *subject)
{
    enum pattern_answer worst = PATTERN_YES;

    for (size_t i = 0; i < match->all.count && worst != PATTERN_NO; i++) {
        struct patterns one = {.items = &match->all.items[i], .count = 1};
        enum pattern_answer answer = some_match(
            &one, subject->symbols, subject->functions, subject->n_frames);

        if (answer != PATTERN_YES)
            worst = answer;
    }
    return worst;
}

/* Matches frames from the leaf down against the chain. A gap first takes no
 * frame; when what follows it fails, the last gap takes one more and the rest
 * is tried again, as file name wildcards are matched. */
static enum pattern_answer chain_matches(const struct match *match,
                                         const struct subject *subject)
{
    const struct patterns *chain = &match->chain;
    enum pattern_answer failed = PATTERN_NO;
    size_t frame = subject->leaf;
    size_t item = 0;
    size_t gap_item = SIZE_MAX; /* the item behind the last gap */
    size_t gap_frame = 0;       /* the frame where it was tried last */

    while (item < chain->count) {
        enum pattern_answer answer = PATTERN_NO;

        if (!chain->items[item]) {
            gap_item = ++item;
            gap_frame = frame;
            continue;
        }
        if (frame >= subject->n_frames)
            return failed;
        answer = pattern_match_id(chain->items[item], subject->symbols,
                                  subject->functions[frame]);
        if (answer == PATTERN_YES) {
            item++;
            frame++;
            continue;
        }
        failed = better(failed, answer);
        if (gap_item == SIZE_MAX)
            return failed;
        item = gap_item;
        frame = ++gap_frame;
    }
    return PATTERN_YES;
}

static enum pattern_answer creator_matches(const struct match *match,
                                           const struct subject *subject)
{
    frame_id creator = subject->group->created_by;

    if (creator == FRAME_NONE)
        return PATTERN_NO;
    return one_matches(&match->created_by, subject->symbols,
                       symbols_frame(subject->symbols, creator).function);
}

/* Whether goroutines of the group carry the label with a value that
 * matches. */
static enum pattern_answer label_matches(const struct label_match *label,
                                         const struct subject *subject)
{
    const struct label_counts *at = joined_labels(subject->group);
    enum pattern_answer best = PATTERN_NO;

    while (at &&
           !str_equal(symbols_text(subject->symbols, at->key), label->key))
        at = at->next;
    for (uint32_t i = 0; at && i < at->values.count; i++)
        best = better(best, one_matches(&label->values, subject->symbols,
                                        at->values.items[i].id));
    return best;
}

static enum pattern_answer labels_match(const struct match *match,
                                        const struct subject *subject)
{
    enum pattern_answer worst = PATTERN_YES;

    for (size_t i = 0; i < match->n_labels && worst != PATTERN_NO; i++) {
        enum pattern_answer answer = label_matches(&match->labels[i], subject);

        if (answer != PATTERN_YES)
            worst = answer;
    }
    return worst;
}

static enum pattern_answer leaf_matches(const struct match *match,
                                        const struct subject *subject)
{
    return frame_matches(&match->leaf, subject, subject->leaf);
}

static enum pattern_answer site_matches(const struct match *match,
                                        const struct subject *subject)
{
    return frame_matches(&match->site, subject, subject->site);
}

static enum pattern_answer bottom_matches(const struct match *match,
                                          const struct subject *subject)
{
    return frame_matches(&match->bottom, subject, subject->bottom);
}

/* Whether a crash speaks of goroutines of the group, for a reason that
 * matches. */
static enum pattern_answer crash_matches(const struct match *match,
                                         const struct subject *subject)
{
    enum pattern_answer best = PATTERN_NO;

    for (const struct group_crash *at = joined_extra(subject->group)->crashes;
         at && best != PATTERN_YES; at = at->next)
        best = better(best, one_matches(&match->crash, subject->symbols,
                                        at->crash->reason));
    return best;
}

/* The keys with patterns, the cheapest first. */
static const struct {
    size_t offset; /* of the struct patterns */
    enum pattern_answer (*matches)(const struct match *match,
                                   const struct subject *subject);
    bool needs_all; /* every pattern must match something */
} keys[] = {
    {offsetof(struct match, leaf), leaf_matches, false},
    {offsetof(struct match, site), site_matches, false},
    {offsetof(struct match, bottom), bottom_matches, false},
    {offsetof(struct match, created_by), creator_matches, false},
    {offsetof(struct match, chain), chain_matches, true},
    {offsetof(struct match, any), any_matches, false},
    {offsetof(struct match, all), all_match, true},
    {offsetof(struct match, file), file_matches, false},
    {offsetof(struct match, crash), crash_matches, false},
};

enum {
    N_KEYS = sizeof(keys) / sizeof(keys[0]),
    N_NAME_KEYS = N_KEYS - 2 /* those before `file` look at functions */
};

static const struct patterns *patterns_of(const struct match *match, size_t key)
{
    return (const void *)((const char *)match + keys[key].offset);
}

static bool is_given(const struct match *match, size_t key)
{
    return patterns_of(match, key)->count != 0;
}

static void visit_patterns(const struct patterns *patterns,
                           pattern_visit_fn *visit, void *user)
{
    for (size_t i = 0; i < patterns->count; i++) {
        if (patterns->items[i])
            visit(user, patterns->items[i],
                  patterns->origins ? &patterns->origins[i] : NULL);
    }
}

/* Visits the patterns of the first n keys of a match and of its `not`, and
 * those of all labels when n is all keys. */
static void visit_match(const struct match *match, size_t n,
                        pattern_visit_fn *visit, void *user)
{
    for (size_t i = 0; i < n; i++)
        visit_patterns(patterns_of(match, i), visit, user);
    for (size_t i = 0; n == N_KEYS && i < match->n_labels; i++)
        visit_patterns(&match->labels[i].values, visit, user);
    if (match->except)
        visit_match(match->except, n, visit, user);
}

static void visit_rule(const struct rule *rule, size_t n,
                       pattern_visit_fn *visit, void *user)
{
    visit_match(&rule->match, n, visit, user);
    for (const struct exception *at = rule->exceptions; at; at = at->next)
        visit_match(&at->match, n, visit, user);
}

void rule_each_name(const struct rule *rule, pattern_visit_fn *visit,
                    void *user)
{
    visit_rule(rule, N_NAME_KEYS, visit, user);
}

void rule_each_pattern(const struct rule *rule, pattern_visit_fn *visit,
                       void *user)
{
    visit_rule(rule, N_KEYS, visit, user);
}

/* Whether some name may match one of the patterns, or each of them. */
static bool is_satisfiable(const struct patterns *patterns, bool needs_all)
{
    for (size_t p = 0; p < patterns->count; p++) {
        bool may_match =
            !patterns->items[p] || pattern_may_match(patterns->items[p]);

        if (may_match != needs_all)
            return may_match;
    }
    return needs_all || patterns->count == 0;
}

bool match_is_possible(const struct match *match)
{
    for (size_t i = 0; i < N_NAME_KEYS; i++) {
        if (!is_satisfiable(patterns_of(match, i), keys[i].needs_all))
            return false;
    }
    return true;
}

/* Parked goroutines: what STATE_WAITING may turn out to be. */
static bool may_be_parked(state_set states)
{
    const state_set awake =
        BIT(STATE_UNKNOWN) | BIT(STATE_RUNNING) | BIT(STATE_RUNNABLE) |
        BIT(STATE_NOT_STARTED) | BIT(STATE_SYSCALL) | BIT(STATE_IDLE) |
        BIT(STATE_DEAD) | BIT(STATE_PREEMPTED) | BIT(STATE_COPYSTACK);

    return (states & ~awake) != 0;
}

bool match_state_is_listed(const struct match *match, state_id state)
{
    if (!match->states)
        return true;
    /* Who has not started is runnable. */
    if (state == STATE_NOT_STARTED && (match->states & BIT(STATE_RUNNABLE)))
        return true;
    return state < N_STATES && (match->states & BIT(state));
}

/* What a state that is only half known may turn out to be. A rule that knows
 * the place by name need not fail because debug=1 told less about the state;
 * a rule that knows nothing but states must. */
static bool state_is_possible(const struct match *match, state_id state)
{
    switch (state) {
    case STATE_UNKNOWN:
        return true;
    case STATE_WAITING:
        return may_be_parked(match->states);
    case STATE_CHAN_OPERATION:
        return (match->states &
                (BIT(STATE_CHAN_SEND) | BIT(STATE_CHAN_RECEIVE))) != 0;
    default:
        return false;
    }
}

/* Whether count goroutines with a flag are what is wanted. */
static bool flag_holds(enum wanted wanted, uint64_t count)
{
    return wanted == WANTED_ANY || (wanted == WANTED_YES) == (count > 0);
}

/* Whether goroutines of a group wait in a circle. What is only a hint draws one
 * in the report and proves nothing to a rule. */
static uint64_t has_cycle(const struct joined_group *group)
{
    return joined_extra(group)->cycle &&
           joined_extra(group)->cycle->certainty >= CERTAINTY_MEDIUM;
}

/* Whether goroutines of a group wait for what nobody is left to unlock. */
static uint64_t is_stranded(const struct joined_group *group)
{
    const struct holding *holding = joined_extra(group)->holding;

    return holding && holding->is_stranded;
}

/* Whether goroutines of a group send a request: see requests.h. */
static uint64_t is_request(const struct joined_group *group)
{
    const struct holding *holding = joined_extra(group)->holding;

    return holding && holding->kind == HOLDING_CHANNEL && holding->n_without;
}

/* Whether goroutines of a group wait for workers, of whom there is one for each
 * of them at least: see tended.h. */
static uint64_t is_tended(const struct joined_group *group)
{
    const struct holding *holding = joined_extra(group)->holding;

    return holding && holding->is_tended &&
           holding->n_candidates >= holding->waiters;
}

/* Whether goroutines of a group wait at a send behind which others stand in the
 * same function, as those do who took a place there: see places.h. */
static uint64_t is_limited(const struct joined_group *group)
{
    const struct holding *holding = joined_extra(group)->holding;

    return holding && holding->kind == HOLDING_CHANNEL && holding->is_limit &&
           holding->n_holders && holding->holders->evidence == EVIDENCE_PAST;
}

static bool is_excepting(enum wanted wanted, uint64_t count)
{
    return wanted != WANTED_ANY && flag_holds(wanted, count);
}

/* Whether some key of a `not` that is true or false matches. */
static bool is_flag_excepted(const struct match *match,
                             const struct joined_group *group)
{
    const struct joined_extra *extra = joined_extra(group);

    return is_excepting(match->locked, extra->locked) ||
           is_excepting(match->leaked, extra->leaked) ||
           is_excepting(match->cycle, has_cycle(group)) ||
           is_excepting(match->stranded, is_stranded(group)) ||
           is_excepting(match->request, is_request(group)) ||
           is_excepting(match->tended, is_tended(group)) ||
           is_excepting(match->limit, is_limited(group)) ||
           is_excepting(match->finalizer, group->finalizer);
}

/* Whether some key of a `not` matches, or gives up. */
static bool is_excepted(const struct match *match,
                        const struct subject *subject)
{
    const struct joined_group *group = subject->group;

    if (match->states && match_state_is_listed(match, group->state))
        return true;
    if (is_flag_excepted(match, group))
        return true;
    for (size_t i = 0; i < N_KEYS; i++) {
        if (is_given(match, i) && keys[i].matches(match, subject) != PATTERN_NO)
            return true;
    }
    return match->n_labels && labels_match(match, subject) != PATTERN_NO;
}

/* Whether the keys other than the state match. */
static enum pattern_answer keys_match(const struct match *match,
                                      const struct subject *subject)
{
    const struct joined_group *group = subject->group;
    enum pattern_answer worst = PATTERN_YES;

    if (!flag_holds(match->locked, joined_extra(group)->locked) ||
        !flag_holds(match->leaked, joined_extra(group)->leaked) ||
        !flag_holds(match->cycle, has_cycle(group)) ||
        !flag_holds(match->stranded, is_stranded(group)) ||
        !flag_holds(match->request, is_request(group)) ||
        !flag_holds(match->tended, is_tended(group)) ||
        !flag_holds(match->limit, is_limited(group)) ||
        !flag_holds(match->finalizer, group->finalizer))
        return PATTERN_NO;
    for (size_t i = 0; i < N_KEYS && worst != PATTERN_NO; i++) {
        enum pattern_answer answer =
            is_given(match, i) ? keys[i].matches(match, subject) : PATTERN_YES;

        if (answer != PATTERN_YES)
            worst = answer;
    }
    if (match->n_labels && worst != PATTERN_NO) {
        enum pattern_answer answer = labels_match(match, subject);

        if (answer != PATTERN_YES)
            worst = answer;
    }
    if (worst != PATTERN_NO && match->except &&
        is_excepted(match->except, subject))
        return PATTERN_NO;
    return worst;
}

/* Whether the state of the group is one that the rule asks for, or may be. */
static bool state_matches(const struct rule *rule, state_id state)
{
    const struct match *match = &rule->match;

    return match_state_is_listed(match, state) ||
           (rule->specificity == MATCHES_NAMES &&
            match->state_required != WANTED_YES &&
            state_is_possible(match, state));
}

bool match_holds(const struct rule *rule, const struct subject *subject)
{
    state_id state = subject->group->state;

    if (!state_matches(rule, state) ||
        keys_match(&rule->match, subject) != PATTERN_YES)
        return false;
    for (const struct exception *at = rule->exceptions; at; at = at->next) {
        if (match_state_is_listed(&at->match, state) &&
            keys_match(&at->match, subject) != PATTERN_NO)
            return false;
    }
    return true;
}
