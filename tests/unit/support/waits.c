#include "support/waits.h"

#include <setjmp.h>
#include <stdarg.h>

#include "analysis/states.h"

#include <cmocka.h>

enum { FRAMES_MOST = 64 };

void waits_init(struct waits *waits)
{
    struct cprof_error err = {0};

    *waits = (struct waits){0};
    budget_init(&waits->budget, 0);
    assert_int_equal(symbols_new(&waits->symbols, &waits->budget, &err), 0);
    assert_int_equal(snapshot_new(&waits->snapshot, waits->symbols, &err), 0);
    snapshot_info(waits->snapshot)->kind = PROFILE_GOROUTINE;
}

void waits_done(struct waits *waits)
{
    snapshot_free(waits->snapshot);
    symbols_free(waits->symbols);
    buf_done(&waits->text);
}

/* "FUNCTION" or "FUNCTION@FILE:LINE". */
static frame_id put_frame(struct waits *waits, struct str text)
{
    size_t at = str_find(text, '@');
    struct str place = str_skip(text, at + 1);
    size_t colon = str_rfind(place, ':');
    struct frame frame = {0};
    uint64_t line = 0;

    str_to_u64(str_skip(place, colon + 1), &line);
    frame.function = symbols_function_put(waits->symbols, str_head(text, at));
    frame.file = symbols_text_put(waits->symbols, str_head(place, colon));
    frame.line = (uint32_t)line;
    return symbols_frame_put(waits->symbols, frame);
}

static size_t put_frames(struct waits *waits, const char *text, frame_id *ret)
{
    struct str rest = str_from(text);
    struct str mark = STR(" < ");
    size_t n_frames = 0;

    while (rest.len) {
        size_t end = str_search(rest, mark);

        assert_true(n_frames < FRAMES_MOST);
        ret[n_frames++] = put_frame(waits, str_head(rest, end));
        rest = str_skip(rest, end + mark.len);
    }
    return n_frames;
}

stack_id waits_stack(struct waits *waits, const char *frames)
{
    frame_id ids[FRAMES_MOST];
    size_t n_frames = put_frames(waits, frames, ids);

    return symbols_stack_put(waits->symbols, ids, n_frames, 0);
}

void waits_add(struct waits *waits, uint64_t count, struct hidden hidden,
               const char *frames, const char *state)
{
    frame_id ids[FRAMES_MOST];
    struct record record = {
        .count = count, .frames = ids, .hidden = hidden, .line = 1};

    record.n_frames = put_frames(waits, frames, ids);
    if (state) {
        record.state = symbols_state_put(waits->symbols, str_from(state));
        record.state_source = STATE_FROM_HEADER;
    }
    snapshot_add(waits->snapshot, &record);
}

const char *waits_states(struct waits *waits)
{
    struct buf *text = &waits->text;

    states_infer(waits->snapshot);
    buf_clear(text);
    for (size_t i = 0; i < snapshot_n_groups(waits->snapshot); i++) {
        const struct group *group = snapshot_group(waits->snapshot, i);

        if (i)
            buf_add(text, STR(", "));
        buf_add(text, symbols_state(waits->symbols, group->state));
        buf_add(text, STR(" ("));
        buf_add(text, str_from(state_source_text(group->state_source)));
        buf_add_char(text, ')');
    }
    return text->ptr ? text->ptr : "";
}
