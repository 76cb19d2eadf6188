#include "analysis/states.h"

#include "analysis/states_addresses.h"
#include "analysis/states_frames.h"

static struct stack stack_of(const struct snapshot *snapshot,
                             const struct group *group)
{
    return symbols_stack(snapshot_symbols(snapshot), group->stack);
}

static void set_state(struct group *group, state_id state,
                      enum state_source source)
{
    group->state = state;
    group->state_source =
        (uint8_t)(state == STATE_UNKNOWN ? STATE_FROM_NONE : source);
}

/* The words of a header stand, but for those that older versions used for
 * several kinds of wait. */
static void lift_header(const struct symbols *symbols, struct stack stack,
                        struct group *group)
{
    struct frames_clue clue;

    if (group->state == STATE_SEMACQUIRE)
        group->state = frames_lift_semacquire(symbols, stack);
    if (group->state != STATE_WAITING && group->state != STATE_UNKNOWN)
        return;
    clue = frames_clue(symbols, stack);
    if (clue.state != STATE_UNKNOWN && clue.state != STATE_WAITING)
        set_state(group, clue.state, STATE_FROM_FRAMES);
}

/* A goroutine that has not run yet has one address, in runtime.goexit, and no
 * frame that debug=1 would show. The address is one behind the function's
 * first (runtime/proc.go: newproc1): odd on x86. */
static bool has_not_started(const struct stack stack,
                            const struct hidden *hidden)
{
    return stack.n_frames == 0 && hidden && hidden->n_pc == 1 &&
           hidden->pc[0] && ((hidden->pc[0] & 1) || !(hidden->pc[0] & 3));
}

/* What the functions tell, group by group. */
static void read_frames(struct snapshot *snapshot, struct address_book *book)
{
    const struct symbols *symbols = snapshot_symbols(snapshot);

    for (size_t i = 0; i < snapshot_n_groups(snapshot); i++) {
        struct group *group = snapshot_group(snapshot, i);
        struct stack stack = stack_of(snapshot, group);
        struct frames_clue clue;

        if (group->state_source == STATE_FROM_HEADER) {
            lift_header(symbols, stack, group);
            continue;
        }
        /* An export has it from what it was made of. */
        if (group->state_source != STATE_FROM_NONE)
            continue;
        clue = frames_clue(symbols, stack);
        set_state(group, clue.state, STATE_FROM_FRAMES);
        addresses_learn(book, snapshot_hidden(snapshot, group), clue.state,
                        clue.hidden);
    }
}

/* Whether the addresses have to tell the state of a group. */
static bool is_open(const struct group *group)
{
    return group->state == STATE_UNKNOWN &&
           group->state_source == STATE_FROM_NONE;
}

static void read_addresses(struct snapshot *snapshot, struct address_book *book)
{
    const struct symbols *symbols = snapshot_symbols(snapshot);
    size_t n_groups = snapshot_n_groups(snapshot);

    for (size_t i = 0; i < n_groups; i++) {
        const struct group *group = snapshot_group(snapshot, i);

        if (is_open(group))
            addresses_recognise(book, snapshot_hidden(snapshot, group),
                                group->count);
    }
    for (size_t i = 0; i < n_groups; i++) {
        const struct group *group = snapshot_group(snapshot, i);
        struct stack stack = stack_of(snapshot, group);

        if (is_open(group))
            addresses_collect(book, snapshot_hidden(snapshot, group),
                              frames_select_has_cases(symbols, stack));
    }
    addresses_settle(book);
}

static state_id open_state(const struct snapshot *snapshot,
                           const struct group *group,
                           const struct address_book *book)
{
    struct stack stack = stack_of(snapshot, group);
    const struct hidden *hidden = snapshot_hidden(snapshot, group);
    state_id state;

    if (has_not_started(stack, hidden))
        return STATE_RUNNABLE;
    state = addresses_state(book, hidden, group->count);
    if (state == STATE_RUNNABLE && hidden->count == 1 &&
        frames_is_coroutine(snapshot_symbols(snapshot), stack))
        return STATE_COROUTINE;
    return state;
}

static void settle_group(const struct snapshot *snapshot, struct group *group,
                         const struct address_book *book)
{
    /* Neither parked nor in a system call: what is left is to run. */
    if (is_open(group) && snapshot_info_get(snapshot)->has_parking)
        set_state(group, STATE_RUNNABLE, STATE_FROM_FRAMES);
    else if (is_open(group))
        set_state(group, open_state(snapshot, group, book),
                  STATE_FROM_ADDRESSES);
    /* Who wants to write a profile while another does waits for a semaphore
     * (runtime/mprof.go: goroutineProfileWithLabelsConcurrent). */
    else if (group->state == STATE_RUNNING &&
             group->state_source == STATE_FROM_FRAMES &&
             addresses_is_parked(book, snapshot_hidden(snapshot, group)))
        set_state(group, STATE_SEMACQUIRE, STATE_FROM_ADDRESSES);
}

void states_infer(struct snapshot *snapshot)
{
    struct snapshot_info *info = snapshot_info(snapshot);
    struct address_book book;

    /* The stacks of other profiles are of the past: nobody waits there. */
    if (info->has_states || (info->kind != PROFILE_GOROUTINE &&
                             info->kind != PROFILE_GOROUTINELEAK))
        return;
    addresses_init(&book);
    read_frames(snapshot, &book);
    read_addresses(snapshot, &book);
    for (size_t i = 0; i < snapshot_n_groups(snapshot); i++)
        settle_group(snapshot, snapshot_group(snapshot, i), &book);
    info->has_states = true;
}
