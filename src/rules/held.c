#include "rules/held.h"

#include "model/name.h"
#include "rules/calls.h"
#include "rules/words.h"

enum { STEPS_MOST = 3, HOLDERS_NAMED = 3 };

bool held_by_many(const struct holding *holding)
{
    return holding->kind == HOLDING_CHANNEL || holding->kind == HOLDING_POOL ||
           holding->kind == HOLDING_WAITGROUP;
}

const char *held_adverb(enum certainty certainty)
{
    static const char *const words[] = {"perhaps ", "probably ", ""};

    return words[certainty];
}

/* "goroutine 20", "one of 40 goroutines", "a goroutine" */
static void add_goroutine(struct buf *out, uint64_t id, uint64_t count)
{
    if (id) {
        buf_addf(out, "goroutine %llu", (unsigned long long)id);
    } else if (count > 1) {
        buf_add(out, STR("one of "));
        words_count(out, count);
        buf_add(out, STR(" goroutines"));
    } else {
        buf_add(out, STR("a goroutine"));
    }
}

/* "a", "an": of what a pool hands out. */
static const char *article_of(const struct holding *holding)
{
    return str_starts(holding->name, STR("HTTP")) ? "an" : "a";
}

void held_add_lock(struct buf *out, const struct symbols *symbols,
                   const struct holding *holding)
{
    if (holding->kind == HOLDING_POOL) {
        buf_addf(out, "%s " STR_FORMAT, article_of(holding),
                 STR_ARG(holding->name));
        return;
    }
    buf_add(out, str_from(holding_kind_text(holding->kind)));
    if (holding->address) {
        buf_addf(out, "%s 0x%llx",
                 holding->is_object ? " in the object at" : "",
                 (unsigned long long)holding->address);
    } else {
        buf_add(out, STR(" that "));
        words_site(out, symbols, holding->site);
        buf_add(out, holding->kind == HOLDING_WAITGROUP ? STR(" waits for")
                                                        : STR(" takes"));
    }
}

/* The innermost line of the user's code, in what the place of a holder calls;
 * FRAME_NONE when that place is it, or when it waits for what is told next. */
static frame_id find_inner(const struct symbols *symbols,
                           const struct holder *holder)
{
    struct stack stack = symbols_stack(symbols, holder->group->stack);
    int32_t site = holder->group->site;
    struct str function;

    if (site < 0 || holder->waits)
        return FRAME_NONE;
    for (int32_t i = 0; i <= site; i++) {
        if (stack.frames[i] == holder->frame)
            return FRAME_NONE;
    }
    function = symbols_function(symbols, stack.frames[site]);
    return name_is_std(function) ? FRAME_NONE : stack.frames[site];
}

/* What who holds something waits for where it stands, ", waiting for an HTTP
 * response"; what is a lock is told next. */
static void add_call(struct buf *out, const struct symbols *symbols,
                     const struct holder *holder)
{
    struct str words = {0};

    if (!holder->waits)
        words = calls_wait_for(symbols, holder->group->stack, holder->frame);
    if (!words.len)
        return;
    buf_add(out, STR(", waiting for "));
    buf_add(out, words);
}

/* " in (*client).Call (client.go:22), IO wait", and the inner line, if there is
 * one: " at (*client).send (client.go:41)" */
static void add_place(struct buf *out, const struct symbols *symbols,
                      const struct holder *holder, frame_id inner)
{
    if (holder->step.len) {
        buf_add_char(out, ' ');
        buf_add(out, holder->step);
        return;
    }
    buf_add(out, STR(" in "));
    words_site(out, symbols, holder->frame);
    buf_add(out, STR(", "));
    buf_add(out, symbols_state(symbols, holder->group->state));
    if (inner != FRAME_NONE) {
        buf_add(out, STR(" at "));
        words_site(out, symbols, inner);
    }
    add_call(out, symbols, holder);
}

void held_add_chain(struct buf *out, const struct symbols *symbols,
                    const struct holder *holder)
{
    const struct holding *first = holder->waits;
    uint64_t begin = holder->goroutine;

    for (unsigned i = 0; i < STEPS_MOST && holder->waits; i++) {
        const struct holding *waits = holder->waits;

        if ((i && waits == first) || !waits->n_holders || holder->is_itself ||
            held_by_many(waits))
            return;
        holder = waits->holders;
        buf_addf(out, "; that %s is %sheld by ", holding_kind_text(waits->kind),
                 held_adverb(holder->certainty));
        add_goroutine(out, holder->goroutine, holder->count);
        if (begin && holder->goroutine == begin) {
            buf_add(out, STR(" again"));
            return;
        }
        add_place(out, symbols, holder, find_inner(symbols, holder));
    }
}

void held_add_who(struct buf *out, const struct symbols *symbols,
                  const struct holder *holder)
{
    add_goroutine(out, holder->goroutine, holder->count);
    if (holder->is_itself)
        buf_add(out, STR(", which waits for it itself,"));
    add_place(out, symbols, holder, find_inner(symbols, holder));
}

void held_add_reason(struct buf *out, const struct holder *holder)
{
    /* ORDER EVIDENCE */
    static const char *const reasons[] = {
        "",
        "of those in the file only it does not idle",
        "it is the only other goroutine in the file",
        "a writer waits for readers, and there is no other reader",
        "it waits for the lock beside this one",
        "it is in the same type or function",
        "it is behind a call of the function where others wait",
        "it was started by the function that waits",
        "it is behind the line where others take the lock",
        "its receiver lies right before the lock",
        "it has the object around the lock",
        "it has the lock's address",
    };
    bool by_address = holder->evidence > EVIDENCE_PAST;

    buf_add(out, str_from(reasons[holder->evidence]));
    if (by_address && holder->is_maybe)
        buf_add(out, STR(" (which may be left over)"));
    if (by_address && holder->is_past)
        buf_add(out, STR(", and is behind the line where others take it"));
    if (holder->is_itself && holder->evidence != EVIDENCE_MUST_READ)
        buf_add(out, STR(" in an outer call"));
}

static bool is_same_place(const struct holder *a, const struct holder *b)
{
    if (a->step.len)
        return str_equal(a->step, b->step);
    return a->frame == b->frame && !b->step.len &&
           a->group->state == b->group->state && a->waits == b->waits;
}

/* How many goroutines the i-th holder and those after it have in its place; 0
 * when one before it stands there, too. */
static uint64_t count_in_place(const struct holding *holding, size_t i)
{
    uint64_t count = 0;

    for (size_t k = 0; k < holding->n_holders; k++) {
        if (!is_same_place(&holding->holders[i], &holding->holders[k]))
            continue;
        if (k < i)
            return 0;
        count += holding->holders[k].count;
    }
    return count;
}

/* What find_inner says of the i-th holder, if it is so of all in its place. */
static frame_id shared_inner(const struct symbols *symbols,
                             const struct holding *holding, size_t i)
{
    frame_id inner = find_inner(symbols, &holding->holders[i]);

    for (size_t k = i + 1; k < holding->n_holders; k++) {
        if (is_same_place(&holding->holders[i], &holding->holders[k]) &&
            find_inner(symbols, &holding->holders[k]) != inner)
            return FRAME_NONE;
    }
    return inner;
}

/* "12 in (*backend).Fetch (places.go:14), sleep; 3 in ...; others" */
static void add_many(struct buf *out, const struct symbols *symbols,
                     const struct holding *holding)
{
    uint64_t rest = holding->n_candidates;
    size_t n_named = 0;

    for (size_t i = 0; i < holding->n_holders && n_named < HOLDERS_NAMED; i++) {
        uint64_t count = count_in_place(holding, i);

        if (!count)
            continue;
        buf_add(out, n_named++ ? STR("; ") : STR(""));
        words_count(out, count);
        add_place(out, symbols, &holding->holders[i],
                  shared_inner(symbols, holding, i));
        rest -= count < rest ? count : rest;
    }
    if (rest) {
        buf_add(out, STR("; "));
        words_count(out, rest);
        buf_add(out, STR(" elsewhere"));
    }
}

/* "4 goroutines" */
static void add_n(struct buf *out, uint64_t n)
{
    words_count(out, n);
    buf_add(out, n == 1 ? STR(" goroutine") : STR(" goroutines"));
}

/* Those that a WaitGroup waits for, by how that is known. Of several that wait,
 * each may wait for another WaitGroup, unless its address is known. Loops that
 * their function has started may be no members, and those be gone. */
static void add_members_head(struct buf *out, const struct holding *holding)
{
    const struct holder *best = holding->holders;
    bool is_sure = best->evidence != EVIDENCE_PAST &&
                   best->evidence != EVIDENCE_NEAR_FUNCTION &&
                   holding->members != MEMBERS_PERHAPS;
    bool are_many = holding->waiters > 1 && !holding->address;

    if (are_many && holding->is_tended && best->evidence == EVIDENCE_STARTED)
        is_sure = false;
    buf_add(out, are_many ? STR("they ") : STR("it "));
    buf_add(out, str_from(is_sure ? "" : held_adverb(best->certainty)));
    buf_add(out, are_many ? STR("wait for ") : STR("waits for "));
    if (holding->members == MEMBERS_SOME)
        buf_add(out, STR("some or all of "));
    add_n(out, holding->n_candidates);
    if (best->evidence == EVIDENCE_PAST)
        buf_add(out, STR(" behind the Wait"));
    else if (best->evidence == EVIDENCE_NEAR_FUNCTION)
        buf_addf(out, " that run%s methods of %s %s",
                 holding->n_candidates == 1 ? "s" : "",
                 are_many ? "their" : "its",
                 best->certainty == CERTAINTY_LOW ? "type" : "object");
}

/* "28 goroutines wait behind the send for a reply" */
static void add_replies(struct buf *out, const struct holding *holding)
{
    add_n(out, holding->n_without);
    buf_addf(out, " wait%s behind the send for a reply",
             holding->n_without == 1 ? "s" : "");
}

/* Those that have a connection, or make one. */
static void add_pool_head(struct buf *out, const struct holding *holding)
{
    uint64_t n = holding->n_candidates;

    add_n(out, n);
    if (n == holding->n_without) {
        buf_addf(out, " %s no " STR_FORMAT " yet",
                 n == 1 ? "dials and has" : "dial and have",
                 STR_ARG(holding->name));
        return;
    }
    buf_addf(out, " %s %s " STR_FORMAT, n == 1 ? "has" : "have",
             article_of(holding), STR_ARG(holding->name));
    if (holding->n_without)
        buf_add(out, STR(" or dial one"));
}

static bool is_past_call(const struct holding *holding)
{
    return holding->n_holders &&
           holding->holders->evidence == EVIDENCE_PAST_CALL;
}

/* Those behind a call of the function that sends, or in closures beside it. */
static void add_past_call_head(struct buf *out, const struct symbols *symbols,
                               const struct holding *holding)
{
    bool is_one = holding->n_candidates == 1;

    add_n(out, holding->n_candidates);
    if (holding->holders->is_past)
        buf_addf(out, " %s behind a call of ", is_one ? "is" : "are");
    else
        buf_addf(out, " run%s closures of who calls ", is_one ? "s" : "");
    words_function(out, symbols_function(symbols, holding->site));
}

/* What they have depends on what that function is for, which is not seen. */
static void add_past_call_tail(struct buf *out, const struct holding *holding)
{
    bool is_one = holding->n_candidates == 1;

    buf_addf(out,
             "; %s probably %s a place, if that function returns with one; if "
             "not, all places are lost",
             is_one ? "it" : "they", is_one ? "has" : "have");
    if (!holding->name.len)
        buf_add(out, STR("; if the channel is a queue, whoever takes from it "
                         "is busy or gone"));
}

/* The head of the phrase for those that hold a place each. */
static void add_many_head(struct buf *out, const struct symbols *symbols,
                          const struct holding *holding)
{
    uint64_t n = holding->n_candidates;

    if (holding->kind == HOLDING_WAITGROUP) {
        add_members_head(out, holding);
    } else if (holding->kind == HOLDING_POOL) {
        add_pool_head(out, holding);
    } else if (is_past_call(holding)) {
        add_past_call_head(out, symbols, holding);
    } else if (holding->n_without) {
        add_replies(out, holding);
        buf_add(out, STR("; perhaps its workers"));
    } else {
        add_n(out, n);
        buf_addf(out, " %s behind the send", n == 1 ? "is" : "are");
    }
    buf_add(out, STR(": "));
}

/* What it means that nobody was found. */
static void add_nobody(struct buf *out, const struct holding *holding)
{
    /* ORDER HOLDING */
    static const char *const words[] = {
        "no goroutine in the dump is known to hold it: its holder stands in "
        "other code, runs right now, waits here too, or left without "
        "unlocking",
        "no goroutine in the dump is known to hold it: its holder stands in "
        "other code, runs right now, waits here too, or left without "
        "unlocking",
        "no goroutine in the dump is known to run its function",
        "no goroutine in the dump is known to hold it",
        "no goroutine in the dump is known to owe it a Done",
        "who should signal it cannot be told",
        "no goroutine in the dump is behind the send: if the channel limits "
        "work, its places are lost; if it is a queue, whoever takes from it is "
        "busy or gone",
        "no goroutine in the dump is seen to have one: they are kept without "
        "a goroutine, as results that nobody closed are, or by some that wait "
        "here for another",
    };

    if (holding->n_without) {
        add_replies(out, holding);
        buf_add(out, STR(": whoever takes from the channel is busy or gone"));
    } else if (holding->may_idle)
        buf_add(out, STR("probably nobody is left to unlock it: all other "
                         "goroutines of the program wait for locks or idle, so "
                         "that its holder waits here too, left without "
                         "unlocking, or idles with it"));
    else if (holding->is_stranded)
        buf_add(out, STR("nobody is left to unlock it: all other goroutines of "
                         "the program wait for locks, so that its holder waits "
                         "here too, or left without unlocking"));
    else if (holding->is_partial)
        buf_add(out, holding->kind == HOLDING_CHANNEL
                         ? STR("the dump does not show every goroutine, and of "
                               "those that it shows none is behind the send")
                         : STR("not every goroutine could be looked at, and of "
                               "those that could none is known to hold it"));
    else if (holding->kind == HOLDING_CHANNEL && holding->name.len)
        buf_add(out, STR("no goroutine in the dump is behind the call: its "
                         "places are lost, or held by other code"));
    else
        buf_add(out, str_from(words[holding->kind]));
}

/* Who waits for one and perhaps has one already. Members of errgroups that wait
 * for a place are told by what they began with. */
static void add_again(struct buf *out, const struct symbols *symbols,
                      const struct holding *holding)
{
    if (holding->kind == HOLDING_CHANNEL && !holding->name.len) {
        words_count(out, holding->n_again);
        buf_addf(out, " of those that wait send%s in ",
                 holding->n_again == 1 ? "s" : "");
        words_site(out, symbols, holding->again);
        buf_addf(out,
                 ", behind the first send: where that takes a place, %s one; "
                 "whoever takes what they send is busy or gone",
                 holding->n_again == 1 ? "it has" : "they have");
        return;
    }
    if (holding->kind == HOLDING_CHANNEL) {
        words_count(out, holding->n_again);
        buf_addf(out,
                 " of those that wait %s as members of a group: when all "
                 "who have a place of a group wait for another one of it, "
                 "that is a deadlock",
                 holding->n_again == 1 ? "runs" : "run");
        return;
    }
    buf_add(out, STR("perhaps "));
    words_count(out, holding->n_again);
    buf_addf(out, " of those that wait %s one already and %s a second: in ",
             holding->n_again == 1 ? "has" : "have",
             holding->n_again == 1 ? "wants" : "want");
    words_site(out, symbols, holding->again);
    buf_addf(out,
             " %s behind the line where others wait for their first; "
             "when all who have one do so, that is a deadlock",
             holding->n_again == 1 ? "it is" : "they are");
}

/* Whether anybody is in the function that started those who send. */
static void add_starter(struct buf *out, const struct symbols *symbols,
                        const struct holding *holding)
{
    buf_add(out, STR("they were started by "));
    words_function(out, holding->starter);
    if (holding->n_holders) {
        buf_add(out, STR(", and "));
        add_n(out, holding->n_candidates);
        buf_add(out, holding->n_candidates == 1 ? STR(" is in it: ")
                                                : STR(" are in it: "));
        add_many(out, symbols, holding);
    } else {
        buf_add(out, STR(", which has returned: no goroutine is in it"));
    }
    if (holding->n_again) {
        buf_add(out, STR("; "));
        add_again(out, symbols, holding);
    }
}

void held_add(struct buf *out, const struct symbols *symbols,
              const struct holding *holding)
{
    const struct holder *best;

    if (!holding) {
        buf_add(out, STR("who holds it is not known"));
        return;
    }
    if (holding->starter.len) {
        add_starter(out, symbols, holding);
        return;
    }
    if (!holding->n_holders && holding->n_again) {
        add_again(out, symbols, holding);
        return;
    }
    if (!holding->n_holders) {
        add_nobody(out, holding);
        return;
    }
    if (held_by_many(holding)) {
        add_many_head(out, symbols, holding);
        add_many(out, symbols, holding);
        if (is_past_call(holding))
            add_past_call_tail(out, holding);
        if (holding->n_again) {
            buf_add(out, STR("; "));
            add_again(out, symbols, holding);
        }
        return;
    }
    best = holding->holders;
    buf_addf(out, "%sheld by ", held_adverb(best->certainty));
    held_add_who(out, symbols, best);
    held_add_chain(out, symbols, best);
}

/* What a step of a circle waits for: a lock, or a channel. */
static void add_wanted(struct buf *out, const struct symbols *symbols,
                       const struct cycle_link *link)
{
    if (!link->wants) {
        buf_add(out, STR("waits in "));
        buf_add(out, symbols_state(symbols, link->group->state));
    } else if (link->is_writer) {
        buf_add(out, STR("waits for the readers of "));
        held_add_lock(out, symbols, link->wants);
    } else {
        buf_add(out, STR("waits for "));
        held_add_lock(out, symbols, link->wants);
    }
}

/* A likely step is told as it is; the circle says how sure it is. */
static const char *link_adverb(const struct cycle_link *link)
{
    return link->certainty == CERTAINTY_LOW ? "perhaps " : "";
}

/* Those that have a connection each, all there are, and wait for another. */
static void add_nested(struct buf *out, const struct symbols *symbols,
                       const struct cycle_link *link)
{
    if (link->goroutine)
        add_goroutine(out, link->goroutine, 1);
    else
        add_n(out, link->count);
    buf_add(out, STR(" in "));
    words_site(out, symbols, link->frame);
    buf_add(out, link->count == 1 ? STR(" holds ") : STR(" hold "));
    held_add_lock(out, symbols, link->holds);
    buf_addf(out, "%s, wait%s for another one, and nobody else has one",
             link->count == 1 ? "" : " each", link->count == 1 ? "s" : "");
}

void held_add_link(struct buf *out, const struct symbols *symbols,
                   const struct wait_cycle *cycle, size_t index)
{
    const struct cycle_link *link = &cycle->links[index];
    const struct cycle_link *next = &cycle->links[(index + 1) % cycle->n_links];

    if (link->wants == link->holds && link->wants &&
        link->wants->kind == HOLDING_POOL) {
        add_nested(out, symbols, link);
        return;
    }

    add_goroutine(out, link->goroutine, link->count);
    buf_add(out, STR(" in "));
    words_site(out, symbols, link->frame);
    if (link->holds && !link->is_writer) {
        bool is_kept = link->holds->kind == HOLDING_WAITGROUP;

        buf_addf(out, " %s%s ", link_adverb(link),
                 is_kept ? "keeps waiting the" : "holds");
        held_add_lock(out, symbols, link->holds);
        buf_add(out, STR(","));
    }
    buf_add_char(out, ' ');
    add_wanted(out, symbols, link);
    if (!link->wants)
        buf_add(out, next->certainty == CERTAINTY_LOW
                         ? STR(", whose other side may be")
                         : STR(", whose other side is probably"));
    else if (next->is_writer)
        buf_add(out, STR(", behind the writer"));
    else if (link->wants->kind == HOLDING_WAITGROUP)
        buf_add(out, STR(", and so for"));
    else
        buf_add(out, STR(", held by"));
    if (index + 1 < cycle->n_links)
        return;
    buf_add_char(out, ' ');
    if (next->goroutine)
        add_goroutine(out, next->goroutine, 1);
    else
        buf_add(out, cycle->n_links > 1 ? STR("the first one") : STR("itself"));
}
