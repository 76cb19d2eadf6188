/* crash_text.h - the words of a crash around its goroutines, line by line.
 *
 * What the runtime prints when a process dies (runtime/panic.go: printpanics,
 * fatalthrow; runtime/signal_unix.go: sighandler) and what go run and go test
 * add. All slices point into the given text. */
#ifndef FORMAT_CRASH_TEXT_H
#define FORMAT_CRASH_TEXT_H

#include "base/buf.h"
#include "model/crash.h"

/* The reason of a crash, which stands before its first goroutine. */
struct crash_text {
    enum crash_kind kind;
    struct str notes;  /* lines of the runtime before it, or empty */
    struct str reason; /* its lines up to a blank one or the goroutine */
    struct str signal; /* as in struct crash */
    uint64_t first_id; /* of the goroutine behind it */
    uint64_t n_lines;  /* from the first of the text to that goroutine */
    bool is_headless;  /* which begins with its frames and has no id: Windows
                          prints it so (runtime/signal_windows.go: winthrow),
                          elsewhere its header was lost */
};

/* Whether a crash can begin with the line: a quick look at its first words. */
bool crash_may_begin(struct str line);

/* Reads the reason with which text begins: "panic: ...", "fatal error: ..." or
 * "SIGSEGV: ..." with "PC=0x...", perhaps behind some "runtime: ..." lines, and
 * a "runtime stack:" behind it. The text of a panic is free and may have lines
 * of any kind; up to Go 1.21 they begin at the left margin. False when no
 * goroutine follows, so that a line of a log that begins like this is not taken
 * for a crash. is_whole tells that the last line of the text is whole though it
 * has no end. */
bool crash_text_parse(struct str text, bool is_whole, struct crash_text *ret);

/* The dump of a further thread, with GOTRACEBACK=crash (crash.c). */
struct crash_thread {
    uint64_t first_id; /* of its first goroutine */
    uint64_t n_lines;  /* from the first of the text to that goroutine */
};

/* Whether text, which follows a goroutine, leads to the dump of a thread: maybe
 * registers, then "-----", a signal as reason, the scheduler's stack or a
 * goroutine or both, and registers again (runtime/signal_unix.go: sighandler).
 * Another crash behind a line of dashes has more goroutines. is_whole is as
 * above. */
bool crash_thread_parse(struct str text, bool is_whole,
                        struct crash_thread *ret);

/* Appends the message of a reason: see struct crash. */
void crash_message_add(struct buf *out, const struct crash_text *text);

enum crash_line {
    CRASH_LINE_OTHER,
    CRASH_LINE_KNOWN,    /* "PC=0x... m=0", "[signal ...]" and the like */
    CRASH_LINE_REGISTER, /* "rax    0xca": the end of a dump */
    CRASH_LINE_STACK,    /* "runtime stack:", frames follow */
    CRASH_LINE_THREAD,   /* "-----": the dump of another thread follows */
    CRASH_LINE_LAST,     /* "exit status 2", "FAIL": the process is over */
};

/* What a line is that stands among the goroutines of a crash. */
enum crash_line crash_line_kind(struct str line);

#endif
