#include "format/crash_text.h"

#include <inttypes.h>

#include "format/go_text.h"

enum {
    NOTES_MOST = 24,   /* lines of the runtime before the reason */
    ODD_MOST = 1000,   /* lines of a panic's text, or of others */
    LATE_MOST = 8,     /* of them behind the reason, right before a goroutine */
    CLOSE_MOST = 3,    /* of them where no line is blank */
    PC_MOST = 4,       /* lines of others between a signal and its "PC=" */
    THREAD_MOST = 2,   /* goroutines of a thread, the scheduler's with them */
    FRAMES_MOST = 600, /* lines of a "runtime stack:" */
    MESSAGE_LINES = 8,
};

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

static bool starts_with_one(struct str line, const struct str *words, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (str_starts(line, words[i]))
            return true;
    }
    return false;
}

/* What the runtime may print before it says why it stops: "runtime: goroutine
 * stack exceeds 1000000000-byte limit", "unexpected fault address 0x0",
 * "runtime/cgo: pthread_create failed: ..." (runtime/cgo/gcc_util.c). */
static bool is_note(struct str line)
{
    static const struct str words[] = {
        STR_INIT("runtime: "), STR_INIT("runtime/cgo: "),
        STR_INIT("unexpected fault address "), STR_INIT("fatal: ")};

    return starts_with_one(line, words, COUNT_OF(words));
}

/* "SIGQUIT: quit", and "Exception 0xc0000005 ..." on Windows
 * (runtime/signal_windows.go: winthrow). */
static bool is_signal(struct str line)
{
    size_t n = 3;

    if (str_starts(line, STR("Exception 0x")))
        return true;
    if (!str_starts(line, STR("SIG")))
        return false;
    while (n < line.len && line.ptr[n] >= '0' && line.ptr[n] <= 'Z' &&
           line.ptr[n] != ':')
        n++;
    return n > 3 && str_starts(str_skip(line, n), STR(": "));
}

/* A message may be empty, and the blank before it lost on the way. */
static bool is_panic(struct str line)
{
    return str_starts(line, STR("panic: ")) || str_equal(line, STR("panic:"));
}

bool crash_may_begin(struct str line)
{
    if (!line.len || !chars_have("pfrSuE", line.ptr[0]))
        return false;
    return is_panic(line) || str_starts(line, STR("fatal error: ")) ||
           is_signal(line) || is_note(line);
}

/* Whether "PC=0x4 m=0" follows soon; another thread may have written between
 * the two lines. */
static bool has_pc(struct str rest)
{
    struct go_header header;

    for (unsigned n = 0; n <= PC_MOST && rest.len; n++) {
        struct str line = str_cut_line(&rest);

        if (str_starts(line, STR("PC=0x")))
            return true;
        if (!line.len || go_header_parse(line, &header))
            return false;
    }
    return false;
}

/* Whether the line says why the process stops; rest is what follows it. */
static bool is_reason(struct str line, struct str rest, enum crash_kind *kind)
{
    if (is_panic(line))
        *kind = CRASH_PANIC;
    else if (str_starts(line, STR("fatal error: ")))
        *kind = CRASH_FATAL;
    else if (is_signal(line) && has_pc(rest))
        *kind = CRASH_SIGNAL;
    else
        return false;
    return true;
}

/* Lines that may stand behind a reason without being its text. */
static bool is_known(struct str line)
{
    static const struct str words[] = {
        STR_INIT("[signal "),
        STR_INIT("PC=0x"),
        STR_INIT("signal arrived during "),
        STR_INIT("instruction bytes:"),
        STR_INIT("panic during "),
        STR_INIT("stack trace unavailable"),
        STR_INIT("runtime: "),
        STR_INIT("\t"),
    };

    return starts_with_one(line, words, COUNT_OF(words));
}

/* "rax    0xca"; some architectures print two a line. */
static bool is_register(struct str line)
{
    uint64_t value;
    size_t n = 0;

    for (line = str_trim(line); line.len; line = str_trim(line)) {
        size_t name = str_find(line, ' ');

        if (name == 0 || name > 8 || name == line.len || line.ptr[0] < 'a' ||
            line.ptr[0] > 'z')
            return false;
        line = str_trim(str_skip(line, name));
        if (!str_cut_prefix(&line, STR("0x")) || !str_cut_hex(&line, &value))
            return false;
        n++;
    }
    return n > 0;
}

enum crash_line crash_line_kind(struct str line)
{
    static const struct str last[] = {STR_INIT("exit status "),
                                      STR_INIT("FAIL\t"),
                                      STR_INIT("*** Test killed ")};

    if (str_equal(line, STR("-----")))
        return CRASH_LINE_THREAD;
    if (str_equal(line, STR("runtime stack:")))
        return CRASH_LINE_STACK;
    if (str_equal(line, STR("FAIL")) ||
        starts_with_one(line, last, COUNT_OF(last)))
        return CRASH_LINE_LAST;
    if (is_register(line))
        return CRASH_LINE_REGISTER;
    return is_known(line) ? CRASH_LINE_KNOWN : CRASH_LINE_OTHER;
}

/* Finds the reason, which notes of the runtime may precede. Returns how many
 * lines were passed with it, 0 when there is none. */
static uint64_t find_reason(struct str *rest, struct str *ret_line,
                            enum crash_kind *ret_kind)
{
    struct str line = str_cut_line(rest);

    if (!is_note(line))
        return is_reason(*ret_line = line, *rest, ret_kind);
    for (uint64_t n = 2; n <= NOTES_MOST; n++) {
        line = str_cut_line(rest);
        if (is_reason(*ret_line = line, *rest, ret_kind))
            return n;
        if (!line.len)
            break;
    }
    return 0;
}

/* What was seen between a reason and the first goroutine. */
struct between {
    bool is_blank; /* the last line */
    bool in_stack;
    bool has_end; /* the reason's lines are over */
    unsigned n_odd;
    unsigned n_late; /* of n_odd, behind the reason's lines */
    unsigned n_frames;
};

static void count_odd(struct between *between)
{
    between->n_odd++;
    between->n_late += between->has_end;
}

/* Whether a stack is what debug.Stack gave: no panic that the runtime prints
 * begins there. */
static bool is_given(struct str stack)
{
    return str_starts(str_trim(stack), STR("runtime/debug.Stack("));
}

/* Whether such a stack, with its header or behind it, is followed by that of
 * the goroutine which panicked with it. */
static bool is_carried(struct str rest)
{
    struct go_header header;

    if (!is_given(rest))
        return false;
    while (rest.len && str_trim(str_cut_line(&rest)).len)
        continue;
    while (rest.len && chars_have("\r\n", rest.ptr[0]))
        str_cut_line(&rest);
    return go_header_parse(str_cut_line(&rest), &header) &&
           str_equal(header.state, STR("running")) && !is_given(rest);
}

/* Whether the message goes on behind a blank line with the stack of another
 * panic, which was recovered and is thrown again. So does newPanicError of
 * golang.org/x/sync/singleflight without the goroutine's header, and who adds
 * what debug.Stack gives to his message with it. From Go 1.23 on all lines of a
 * message have a tab, and none is blank. */
static bool begins_carried(struct str rest)
{
    struct go_header header;
    struct str below = rest;

    return is_given(rest) || (go_header_parse(str_cut_line(&below), &header) &&
                              is_carried(below));
}

/* Looks at a line behind the reason. False when the reason cannot belong to a
 * goroutine further down. */
static bool pass_line(struct between *between, struct str line, struct str rest)
{
    enum crash_kind kind;

    between->is_blank = str_trim(line).len == 0;
    between->has_end |= line.len == 0 && !begins_carried(rest);
    if (!line.len)
        between->in_stack = false;
    else if (between->in_stack)
        return ++between->n_frames < FRAMES_MOST;
    else if (is_reason(line, rest, &kind))
        return false;
    else if (str_equal(line, STR("runtime stack:")))
        between->in_stack = between->has_end = true;
    else if (!is_known(line))
        count_odd(between);
    return between->n_odd <= ODD_MOST;
}

/* Whether a stack is printed by the program itself, not by the runtime. */
static bool is_asked_for(struct str stack)
{
    return str_starts(stack, STR("runtime/pprof.")) ||
           str_starts(stack, STR("runtime/debug."));
}

/* Whether a stack ends in what the runtime calls to end the process. */
static bool is_thrown(struct str stack)
{
    static const struct str words[] = {
        STR_INIT("runtime.throw("),
        STR_INIT("runtime.fatal("),
        STR_INIT("runtime.fatalthrow("),
        STR_INIT("sync.fatal("),                  /* to Go 1.23 */
        STR_INIT("internal/sync.fatal("),         /* from 1.24 on */
        STR_INIT("internal/runtime/maps.fatal("), /* from 1.24 on */
    };

    return starts_with_one(stack, words, COUNT_OF(words));
}

/* Go 1.19 to 1.23 do not show what threw these (runtime/panic.go: fatal,
 * runtime/traceback.go: showframe), and nobody else writes them. What another
 * thread writes may stand before the words, as the runtime writes the rest of
 * the line by itself. */
static bool is_of_maps(struct str reason)
{
    if (!str_cut_prefix(&reason, STR("fatal error: ")))
        return false;
    while (reason.len) {
        if (str_starts(str_cut_line(&reason), STR("concurrent map ")))
            return true;
    }
    return false;
}

/* Whether a stack goes through a panic, as that of a deferred function does
 * which prints it. */
static bool is_in_panic(struct str stack)
{
    struct str line = str_cut_line(&stack);

    for (unsigned n = 0; n < FRAMES_MOST && str_trim(line).len; n++) {
        if (str_starts(line, STR("panic(")))
            return true;
        line = str_cut_line(&stack);
    }
    return false;
}

/* Whether a goroutine behind lines of others, without a blank one before it,
 * can have ended the process: journals drop blank lines. */
static bool is_ended_by(const struct between *between,
                        const struct crash_text *found,
                        const struct go_header *header, struct str stack)
{
    if (is_asked_for(stack))
        return false;
    if (between->has_end)
        return between->n_late <= LATE_MOST;
    if (!str_equal(header->state, STR("running")))
        return false;
    if (is_thrown(stack))
        return true;
    return between->n_odd <= CLOSE_MOST &&
           (is_of_maps(found->reason) ||
            (found->kind == CRASH_PANIC && !is_in_panic(stack)));
}

/* Whether a goroutine can be the one that the reason speaks of. One that
 * panicked runs. A header right behind lines of any kind may be anybody's,
 * unless the reason had ended and few lines came in between, as other threads
 * still write them. */
static bool is_spoken_of(const struct between *between,
                         const struct crash_text *found,
                         const struct go_header *header, struct str stack)
{
    if (!between->n_odd)
        return true;
    if (!between->is_blank && !is_ended_by(between, found, header, stack))
        return false;
    return found->kind != CRASH_PANIC ||
           str_equal(header->state, STR("running"));
}

/* Whether a call stands on a line, and its place on the next. */
static bool begins_frames(struct str line, struct str rest)
{
    struct str name;
    struct str args;
    struct go_place place;

    return go_call_parse(line, &name, &args) &&
           str_find(name, ' ') == name.len &&
           go_place_parse(str_cut_line(&rest), &place);
}

/* "[signal SIGSEGV: segmentation violation code=0x1 addr=0x0 pc=0x4ce982]". */
static void note_signal(struct crash_text *text, struct str line)
{
    if (str_cut_prefix(&line, STR("[signal ")) &&
        str_cut_suffix(&line, STR("]")))
        text->signal = line;
}

bool crash_text_parse(struct str text, bool is_whole, struct crash_text *ret)
{
    struct crash_text found = {0};
    struct between between = {0};
    struct go_header header;
    struct str line = {0};
    struct str rest = text;

    if (!is_whole)
        rest.len = str_rfind(text, '\n') < text.len ? str_rfind(text, '\n') : 0;
    found.n_lines = find_reason(&rest, &line, &found.kind);
    if (!found.n_lines)
        return false;
    found.notes = str_head(text, (size_t)(line.ptr - text.ptr));
    found.reason = line;
    if (found.kind == CRASH_SIGNAL)
        found.signal = line;
    for (; rest.len; found.n_lines++) {
        line = str_cut_line(&rest);
        if (go_header_parse(line, &header) &&
            !(found.kind == CRASH_PANIC && is_carried(rest))) {
            found.first_id = header.id;
            *ret = found;
            return is_spoken_of(&between, &found, &header, rest);
        }
        if (found.kind == CRASH_SIGNAL && !between.in_stack &&
            begins_frames(line, rest)) {
            found.is_headless = true;
            *ret = found;
            return !between.n_odd;
        }
        if (!pass_line(&between, line, rest))
            return false;
        if (!between.has_end) {
            found.reason.len = (size_t)(line.ptr + line.len - found.reason.ptr);
            note_signal(&found, line);
        }
    }
    return false;
}

/* Passes registers and the line of dashes behind them. Returns how many lines
 * were passed, 0 when there are no dashes. */
static uint64_t pass_dashes(struct str *rest)
{
    uint64_t n = 0;

    while (rest->len) {
        struct str line = str_cut_line(rest);

        n++;
        if (crash_line_kind(line) == CRASH_LINE_THREAD)
            return n;
        if (str_trim(line).len && !is_register(line))
            break;
    }
    return 0;
}

/* Whether no more goroutines than a thread has stand before the registers. */
static bool is_of_thread(struct str rest, bool is_whole)
{
    struct go_header header;
    unsigned n = 0;

    while (rest.len) {
        struct str line = str_cut_line(&rest);

        if (go_header_parse(line, &header))
            n++;
        else if (is_register(line))
            return n <= THREAD_MOST;
    }
    return is_whole && n <= THREAD_MOST;
}

bool crash_thread_parse(struct str text, bool is_whole,
                        struct crash_thread *ret)
{
    struct crash_text reason;
    struct str rest = text;
    uint64_t n_lines = pass_dashes(&rest);

    if (!n_lines)
        return false;
    for (; rest.len && chars_have("\r\n", rest.ptr[0]); n_lines++)
        str_cut_line(&rest);
    if (!crash_text_parse(rest, is_whole, &reason) ||
        reason.kind != CRASH_SIGNAL || reason.is_headless)
        return false;
    for (uint64_t n = 0; n < reason.n_lines; n++)
        str_cut_line(&rest);
    *ret = (struct crash_thread){reason.first_id, n_lines + reason.n_lines};
    return is_of_thread(rest, is_whole);
}

/* The text of one of the reason's lines, without what the runtime adds. The tab
 * before a nested panic may have become blanks on the way. */
static struct str message_of(struct str line)
{
    struct str nested = str_trim(line);

    if (str_starts(nested, STR("panic: ")))
        line = str_skip(line, (size_t)(nested.ptr - line.ptr));
    str_cut_prefix(&line, STR("\t"));
    str_cut_suffix(&line, STR(" [recovered]"));
    str_cut_suffix(&line, STR(" [recovered, repanicked]"));
    return line;
}

/* The call behind the last "panic(" of a stack, which is the first panic of it,
 * without the runtime's own: the place at which it was thrown. */
static bool find_thrown(struct str stack, struct str *ret_name,
                        struct go_place *ret_place)
{
    bool is_below = false;
    bool found = false;

    while (stack.len) {
        struct str call = str_trim(str_cut_line(&stack));
        struct str name;
        struct str args;
        struct go_place place;

        if (str_starts(call, STR("panic("))) {
            is_below = true;
            continue;
        }
        if (!is_below || !go_call_parse(call, &name, &args) ||
            str_starts(name, STR("runtime.")) ||
            !go_place_parse(str_trim(str_cut_line(&stack)), &place))
            continue;
        *ret_name = name;
        *ret_place = place;
        is_below = false;
        found = true;
    }
    return found;
}

/* Adds where a panic was thrown first, from its stack in the message. */
static void add_thrown(struct buf *out, struct str stack)
{
    static const char words[] = "\nthrown first at ";
    struct str name;
    struct go_place place;

    if (!find_thrown(stack, &name, &place) ||
        out->len + name.len + place.length + sizeof(words) >=
            CRASH_MESSAGE_MOST)
        return;
    buf_add(out, str_from(words));
    buf_addf(out, STR_FORMAT " " STR_FORMAT ":%" PRIu32, STR_ARG(name),
             STR_ARG(place.file), place.line);
}

/* Whether a line of a message begins the stack of another panic. */
static bool begins_stack(struct str line)
{
    struct go_header header;

    return is_given(line) || go_header_parse(str_trim(line), &header);
}

/* Adds the first note, which says more than "fatal error: newosproc" does. */
static void add_note(struct buf *out, const struct crash_text *text)
{
    struct str rest = text->notes;
    struct str note = str_cut_line(&rest);

    if (!note.len || out->len + 1 >= CRASH_MESSAGE_MOST)
        return;
    if (out->len)
        buf_add_char(out, '\n');
    buf_add(out, str_head(note, CRASH_MESSAGE_MOST - out->len));
}

void crash_message_add(struct buf *out, const struct crash_text *text)
{
    struct str rest = text->reason;
    struct str first = message_of(str_cut_line(&rest));
    struct str line = first;

    if (!str_cut_prefix(&line, STR("panic:")))
        str_cut_prefix(&line, STR("fatal error:"));
    str_cut_prefix(&line, STR(" "));
    if (str_trim(line).len)
        buf_add(out, str_head(line, CRASH_MESSAGE_MOST));
    add_note(out, text);
    if (text->kind == CRASH_SIGNAL)
        return;
    for (unsigned n = 1; rest.len && n < MESSAGE_LINES; n++) {
        struct str below = rest;
        struct str whole = str_cut_line(&rest);
        size_t room;

        if (begins_stack(whole)) {
            add_thrown(out, below);
            return;
        }
        line = message_of(whole);
        /* Up to Go 1.24 a panic that is thrown again is printed twice. */
        if (str_equal(line, first) || !str_trim(line).len ||
            (is_known(whole) && whole.ptr[0] != '\t'))
            continue;
        if (out->len + 1 >= CRASH_MESSAGE_MOST)
            return;
        room = CRASH_MESSAGE_MOST - out->len - 1;
        if (out->len)
            buf_add_char(out, '\n');
        buf_add(out, str_head(line, room));
    }
}
