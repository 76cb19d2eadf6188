#include "debug2.h"

#include "labels.h"

/* runtime/traceback.go: up to Go 1.20 the innermost 100 frames, later the
 * innermost and the outermost 50. */
enum { PRINTED_FRAMES = 100, PRINTED_INNER = 50 };

void debug2_init(struct debug2 *writer, struct out *out,
                 const struct population *population, uint64_t most)
{
    uint64_t seed = population->plan.seed;

    *writer = (struct debug2){.out = out,
                              .population = population,
                              .last_id = 16,
                              .dump_id = 17 + most * ID_GAP_MOST};
    dice_init(&writer->dice, seed, 3);
    for (unsigned i = 0; i < LOCKS; i++) {
        uint32_t address = (uint32_t)dice_mix(seed + i) & 0xfffffff8u;

        put_hex8(writer->locks[i][0], address);
        put_hex8(writer->locks[i][1], address + 4);
    }
}

uint64_t debug2_max_id(const struct debug2 *writer)
{
    if (writer->n == 0)
        return 0;
    return writer->population->has_own ? writer->dump_id : writer->last_id;
}

void debug2_lock_address(const struct debug2 *writer, unsigned lock, char *to)
{
    to = put_text(to, frames_prefix(writer->population->frames, SLOT_LOCK));
    to = put_bytes(to, writer->locks[lock][0], ADDRESS_DIGITS);
    *to = '\0';
}

/* Gives the next goroutine its addresses. Heap objects begin at multiples of
 * 16 here. */
static void gaps_roll(struct debug2 *writer, const struct draw *draw)
{
    for (unsigned i = 0; i < HEAP_SLOTS; i += 2) {
        uint64_t roll = dice_roll(&writer->dice) & 0xfffffff0fffffff0u;

        put_hex8(writer->gaps[i], (uint32_t)roll);
        put_hex8(writer->gaps[i + 1], (uint32_t)(roll >> 32));
    }
    memcpy(writer->gaps[SLOT_LOCK], writer->locks[draw->lock][0],
           ADDRESS_DIGITS);
    memcpy(writer->gaps[SLOT_SEMAPHORE], writer->locks[draw->lock][1],
           ADDRESS_DIGITS);
    put_hex8(writer->gaps[SLOT_POLL],
             (uint32_t)dice_roll(&writer->dice) & 0xfffffff8u);
}

/* Ids are given in order and never twice, and most goroutines of a process are
 * gone by the time of a dump: one in eight follows upon a larger gap. */
static uint64_t id_roll(struct debug2 *writer, uint32_t stack)
{
    uint64_t roll = dice_roll(&writer->dice);

    if (writer->population->has_own && stack == DUMP_STACK)
        return writer->dump_id;
    if (writer->population->has_own && stack == MAIN_STACK)
        return 1;
    writer->last_id += roll & 7 ? 1 : 1 + (roll >> 8) % ID_GAP_MOST;
    return writer->last_id;
}

/* runtime/traceback.go: goroutineheader. */
static char *put_header(const struct debug2 *writer, char *to, uint64_t id,
                        const struct draw *draw)
{
    const struct population *population = writer->population;
    const struct stack *stack = &population->stacks[draw->stack];
    const struct release *release = population->frames->functions->release;
    const struct wait *wait = &waits[stack->wait];
    enum label_form form = label_form_of(release);

    to = put_text(to, "goroutine ");
    to = put_decimal(to, id);
    to = put_text(to, " [");
    to = put_text(to, wait_word(wait, release));
    if (draw->minutes > 0) {
        to = put_text(to, ", ");
        to = put_decimal(to, draw->minutes);
        to = put_text(to, " minutes");
    }
    if (wait->in_thread)
        to = put_text(to, ", locked to thread");
    if (draw->tenant != NO_LABELS && form == LABELS_IN_BRACKETS)
        to = label_put(to, form, stack->handler, draw->tenant);
    to = put_text(to, "]");
    if (draw->tenant != NO_LABELS && form == LABELS_BEHIND)
        to = label_put(to, form, stack->handler, draw->tenant);
    return put_text(to, ":\n");
}

static void frames_write(struct debug2 *writer, const uint32_t *ids, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        const struct frame *frame = &writer->population->frames->at[ids[i]];
        char *to = out_reserve(writer->out, frame->len);

        memcpy(to, frame->text, frame->len);
        for (unsigned gap = 0; gap < frame->n_gaps; gap++)
            memcpy(to + frame->gaps[gap].at,
                   writer->gaps[frame->gaps[gap].slot], ADDRESS_DIGITS);
        out_commit(writer->out, to + frame->len);
    }
}

/* Writes the frames of a stack as far as Go prints them. */
static void stack_write(struct debug2 *writer, const struct stack *stack)
{
    const uint32_t *ids = writer->population->frame_ids + stack->first;
    unsigned minor = writer->population->frames->functions->release->minor;
    uint32_t n = stack->n_frames;
    char *to;

    if (n <= PRINTED_FRAMES) {
        frames_write(writer, ids, n);
    } else if (minor < GO_ELIDED_COUNT) {
        frames_write(writer, ids, PRINTED_FRAMES);
        to = out_reserve(writer->out, 64);
        out_commit(writer->out,
                   put_text(to, "...additional frames elided...\n"));
    } else {
        frames_write(writer, ids, PRINTED_INNER);
        to = out_reserve(writer->out, 64);
        to = put_text(to, "...");
        to = put_decimal(to, n - PRINTED_FRAMES);
        to = put_text(to, " frames elided...\n");
        out_commit(writer->out, to);
        frames_write(writer, ids + n - PRINTED_INNER, PRINTED_INNER);
    }
}

/* Returns the id of the goroutine that created another: the main one for those
 * that a loop starts, a recent one for the rest. */
static uint64_t creator_roll(struct debug2 *writer, const struct stack *stack,
                             uint64_t id)
{
    uint64_t back = 1 + dice_below(&writer->dice, 512);

    return stack->one_creator || back >= id ? 1 : id - back;
}

static void creator_write(struct debug2 *writer, const struct stack *stack,
                          uint64_t id)
{
    const struct frames *frames = writer->population->frames;
    const struct function *function;
    uint64_t creator = creator_roll(writer, stack, id);
    char *to;

    if (stack->creator == NO_CREATOR)
        return;
    function = frame_function(frames, stack->creator);
    to = out_reserve(writer->out, 1024);
    to = put_text(to, "created by ");
    to = put_text(to, function->name);
    if (frames->functions->release->minor >= GO_CREATOR_ID) {
        to = put_text(to, " in goroutine ");
        to = put_decimal(to, creator);
    }
    to = put_text(to, "\n\t");
    to = put_text(to, function->file);
    *to++ = ':';
    to = put_decimal(to, frames->at[stack->creator].line);
    to = put_text(to, " +0x");
    to = put_hex(to, frames->at[stack->creator].offset);
    *to++ = '\n';
    out_commit(writer->out, to);
}

void debug2_put(struct debug2 *writer, const struct draw *draw)
{
    const struct stack *stack = &writer->population->stacks[draw->stack];
    uint64_t id = id_roll(writer, draw->stack);
    char *to = out_reserve(writer->out, 256 + LABELS_LONGEST);

    if (writer->n++ > 0)
        *to++ = '\n';
    out_commit(writer->out, put_header(writer, to, id, draw));
    gaps_roll(writer, draw);
    stack_write(writer, stack);
    creator_write(writer, stack, id);
}
