#include "report/callers.h"

#include "base/count.h"
#include "model/name.h"
#include "report/built.h"
#include "report/text.h"
#include "rules/words.h"

enum { CALLERS_KEPT = 16, CALLERS_SHOWN = 2 };

struct callers {
    struct {
        frame_id frame;
        uint64_t count;
    } items[CALLERS_KEPT];
    size_t n;
    uint64_t others; /* goroutines of those that found no room */
};

/* The first frame of the program outside of the module that a group waits in;
 * FRAME_NONE when it waits in the program's own code, or was not called. */
static frame_id caller_of(struct symbols *symbols,
                          const struct joined_group *group)
{
    struct stack stack = symbols_stack(symbols, group->stack);
    int32_t at = group->site;

    if (at < 0 || !file_is_foreign(symbols_file(symbols, stack.frames[at])))
        return FRAME_NONE;
    while ((uint32_t)++at < stack.n_frames) {
        frame_id frame = stack.frames[at];

        if (!name_is_std(symbols_function(symbols, frame)) &&
            !file_is_foreign(symbols_file(symbols, frame)))
            return frame;
    }
    return FRAME_NONE;
}

static void count_caller(struct callers *callers, frame_id frame,
                         uint64_t count)
{
    size_t i = 0;

    while (i < callers->n && callers->items[i].frame != frame)
        i++;
    if (i == CALLERS_KEPT) {
        callers->others += count;
        return;
    }
    if (i == callers->n)
        callers->items[callers->n++].frame = frame;
    callers->items[i].count = count_sum(callers->items[i].count, count);
    for (; i && callers->items[i].count > callers->items[i - 1].count; i--) {
        frame_id more = callers->items[i].frame;
        uint64_t n = callers->items[i].count;

        callers->items[i] = callers->items[i - 1];
        callers->items[i - 1].frame = more;
        callers->items[i - 1].count = n;
    }
}

static void add_count(struct buf *words, uint64_t count)
{
    buf_add(words, STR(" ("));
    words_count(words, count);
    buf_add_char(words, ')');
}

void callers_add(struct buf *words, const struct cprof_report *report,
                 const struct finding *finding)
{
    struct symbols *symbols = report_symbols(report);
    struct callers callers = {.n = 0};

    for (size_t i = 0; i < finding->n_groups; i++) {
        const struct joined_group *group =
            analysis_group(report_analysis(report), finding->groups[i]);
        frame_id frame = caller_of(symbols, group);

        if (frame != FRAME_NONE)
            count_caller(&callers, frame, group->count);
    }
    for (size_t i = CALLERS_SHOWN; i < callers.n; i++)
        callers.others += callers.items[i].count;
    for (size_t i = 0; i < callers.n && i < CALLERS_SHOWN; i++) {
        struct code_place place =
            place_of_frame(report, callers.items[i].frame);

        buf_add(words, i ? STR(", ") : STR(""));
        text_place_short(words, &place);
        if (callers.n > 1)
            add_count(words, callers.items[i].count);
    }
    if (callers.others) {
        buf_add(words, STR(", others"));
        add_count(words, callers.others);
    }
}
