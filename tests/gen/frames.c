#include "frames.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dice.h"
#include "out.h"

const char *frames_prefix(const struct frames *frames, enum slot slot)
{
    return slot == SLOT_POLL ? frames->poll : frames->heap;
}

/* Returns the slot that a letter of an argument pattern means. The heap
 * pointers of a frame take the slots in turn, from one that depends on the
 * function: so calls of one goroutine share some of their pointers. */
static enum slot slot_of(char letter, uint32_t turn)
{
    switch (letter) {
    case 'l':
        return SLOT_LOCK;
    case 'e':
        return SLOT_SEMAPHORE;
    case 'd':
        return SLOT_POLL;
    default:
        return (enum slot)(turn % HEAP_SLOTS);
    }
}

/* Writes the arguments of a frame at `to` in its text and notes the gaps.
 * Returns the place behind them. */
static char *args_layout(const struct frames *frames, struct frame *frame,
                         const char *pattern, char *to)
{
    bool stale = frames->functions->release->minor >= GO_STALE_ARGS;
    uint32_t turn = frame->function;

    for (; *pattern; pattern++) {
        enum slot slot;

        if (*pattern == '?' && !stale)
            continue;
        if (*pattern != '%') {
            *to++ = *pattern;
            continue;
        }
        slot = slot_of(*++pattern, turn++);
        to = put_text(to, frames_prefix(frames, slot));
        if (frame->n_gaps == FRAME_GAPS)
            die("a frame has more than %d gaps", FRAME_GAPS);
        frame->gaps[frame->n_gaps].at = (uint16_t)(to - frame->text);
        frame->gaps[frame->n_gaps].slot = (uint8_t)slot;
        frame->n_gaps++;
        memset(to, '0', ADDRESS_DIGITS);
        to += ADDRESS_DIGITS;
    }
    return to;
}

/* Lays out the text of a frame whose function, line and offset are set.
 * runtime/traceback.go: an inlined call is printed as f(...), without an
 * offset. */
static void frame_layout(const struct frames *frames, struct frame *frame)
{
    const struct functions *functions = frames->functions;
    const struct function *function = &functions->at[frame->function];
    bool grouped = functions->release->minor >= GO_ARG_GROUPS;
    char text[1024];
    char *to = text;

    frame->text = text;
    to = put_text(to, function->name);
    to = put_text(to, "(");
    if (function_inlined(function))
        to = put_text(to, "...");
    else
        to = args_layout(frames, frame,
                         grouped ? function->args : function->flat, to);
    to = put_text(to, ")\n\t");
    to = put_text(to, function->file);
    to += sprintf(to, ":%u", frame->line);
    if (!function_inlined(function))
        to += sprintf(to, " +0x%x", frame->offset);
    *to++ = '\n';
    frame->len = (uint16_t)(to - text);
    frame->text = must_alloc(frame->len, 1);
    memcpy(frame->text, text, frame->len);
}

static void std_frame_init(struct frames *frames, uint32_t id)
{
    enum era era = frames->functions->release->era;
    const struct std_place *place = &std_frames[id].at[era];

    frames->at[id] = (struct frame){
        .function = id, .line = place->line, .offset = place->offset};
    if (place->line)
        frame_layout(frames, &frames->at[id]);
}

static void user_frame_init(struct frames *frames, uint32_t function,
                            uint32_t call, uint64_t seed)
{
    uint32_t first_line = frames->functions->at[function].line;
    uint64_t mixed = dice_mix(seed + function);
    struct frame *frame = &frames->at[frame_of_user(function, call)];

    *frame = (struct frame){
        .function = function,
        .line = (uint16_t)(first_line + 2 + call * 7 + (mixed & 3)),
        .offset = (uint16_t)(0x1c + call * 0x49 + (mixed >> 8) % 0x60),
    };
    frame_layout(frames, frame);
}

void frames_init(struct frames *frames, const struct functions *functions,
                 uint64_t seed)
{
    unsigned high = (unsigned)(dice_mix(seed) & 0xff);

    *frames = (struct frames){.functions = functions};
    snprintf(frames->heap, sizeof(frames->heap), "0xc0");
    if (functions->release->minor >= GO_RANDOM_HEAP)
        snprintf(frames->heap, sizeof(frames->heap), "0x3%03x", high);
    snprintf(frames->poll, sizeof(frames->poll), "0x7f%02x", high);

    frames->n = N_STD + (functions->n - N_STD) * CALLS;
    frames->at = must_alloc(frames->n, sizeof(*frames->at));
    for (uint32_t id = 0; id < N_STD; id++)
        std_frame_init(frames, id);
    for (uint32_t function = N_STD; function < functions->n; function++)
        for (uint32_t call = 0; call < CALLS; call++)
            user_frame_init(frames, function, call, seed);
}

void frames_done(struct frames *frames)
{
    for (uint32_t id = 0; id < frames->n; id++)
        free(frames->at[id].text);
    free(frames->at);
}
