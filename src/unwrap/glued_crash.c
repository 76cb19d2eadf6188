#include "unwrap/glued_crash.h"

enum { LINES_SEEN_MOST = 64 };

bool glued_crash_init(struct glued_crash *text, struct str reason)
{
    size_t colon = str_find(reason, ':');

    *text = (struct glued_crash){.part = GLUED_REASON};
    text->is_panic = str_starts(reason, STR("panic: "));
    text->is_signal =
        str_starts(reason, STR("SIG")) && str_find(reason, ' ') == colon + 1;
    text->is_again = str_contains(reason, STR(" [recovered"));
    return text->is_panic || text->is_signal ||
           str_starts(reason, STR("fatal error: "));
}

/* What Go prints between a reason and the blank line behind it: panics before
 * it and its own further lines are indented; "[signal SIGSEGV: ...]"; the tests
 * that ran (testing: startAlarm). */
static bool is_of_reason(struct str line)
{
    return str_starts(line, STR("\t")) || str_starts(line, STR("[")) ||
           str_starts(line, STR("panic: ")) ||
           str_starts(line, STR("fatal error: ")) ||
           str_starts(line, STR("running tests:"));
}

static enum glued_answer see_reason(struct glued_crash *text, struct str line)
{
    if (text->is_signal)
        return str_starts(line, STR("PC=")) ? GLUED_IS : GLUED_IS_NOT;
    if (!str_trim(line).len) {
        text->part = GLUED_BLANK;
        return GLUED_MAY_BE;
    }
    text->is_again = text->is_again || str_contains(line, STR("panic: "));
    return is_of_reason(line) ? GLUED_MAY_BE : GLUED_IS_NOT;
}

/* The goroutine that panicked runs; a deadlock's waits. */
static enum glued_answer see_header(struct glued_crash *text, struct str line)
{
    if (!text->is_panic)
        return str_starts(line, STR("goroutine ")) ||
                       str_starts(line, STR("runtime stack:"))
                   ? GLUED_IS
                   : GLUED_IS_NOT;
    text->part = GLUED_TOP;
    return str_starts(line, STR("goroutine ")) &&
                   str_contains(line, STR(" [running"))
               ? GLUED_MAY_BE
               : GLUED_IS_NOT;
}

/* A stack that was asked for, as programs print it with a panic that they
 * recovered, begins with who asked. */
static enum glued_answer see_top(struct glued_crash *text, struct str line)
{
    text->part = GLUED_STACK;
    return str_starts(line, STR("runtime/debug.")) ||
                   str_starts(line, STR("runtime/pprof.")) ||
                   str_starts(line, STR("runtime.Stack("))
               ? GLUED_IS_NOT
               : GLUED_MAY_BE;
}

/* runtime.Stack does not name itself. But then panic called the function that
 * asked, as it does in a crash only when a panic was thrown again. */
static enum glued_answer see_frame(struct glued_crash *text, struct str line)
{
    if (str_starts(line, STR("panic(")))
        return text->is_again ? GLUED_IS : GLUED_IS_NOT;
    return str_trim(line).len && text->n_lines < LINES_SEEN_MOST ? GLUED_MAY_BE
                                                                 : GLUED_IS;
}

enum glued_answer glued_crash_see(struct glued_crash *text, struct str line)
{
    if (text->n_lines++ == LINES_SEEN_MOST && text->part != GLUED_STACK)
        return GLUED_IS_NOT;
    switch (text->part) {
    case GLUED_REASON:
        return see_reason(text, line);
    case GLUED_BLANK:
        return see_header(text, line);
    case GLUED_TOP:
        return see_top(text, line);
    default:
        return see_frame(text, line);
    }
}
