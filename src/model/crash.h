/* crash.h - why a process died, as its crash output says before and around the
 * goroutines.
 *
 * The texts belong to the snapshot. A crash speaks of one goroutine: the one
 * that panicked or that the runtime stopped at, which stands first; for a test
 * that timed out it is the one that runs a test and waits longest. SIGQUIT asks
 * for a dump and speaks of none, unless go test sent it, as its last line says
 * ("*** Test killed with quit: ran too long (11m0s).", cmd/go/internal/test). A
 * collector or scheduler that dies on a stack of the runtime's own ("runtime
 * stack:") speaks of none either, nor does a test that timed out where none is
 * seen to run; one goroutine of the dump is kept for rules to match. */
#ifndef MODEL_CRASH_H
#define MODEL_CRASH_H

#include "model/symbols.h"

/* ORDER CRASH: as the words in crash.c. */
enum crash_kind { CRASH_PANIC, CRASH_FATAL, CRASH_SIGNAL };

enum {
    CRASH_MESSAGE_MOST = 1024, /* bytes of a message or reason */
    CRASH_GROUPS_MOST = 64,
};

struct crash {
    enum crash_kind kind;
    /* The message without "panic: " or "fatal error: ", cut after
     * CRASH_MESSAGE_MOST bytes; of several lines, as panics within panics and
     * long errors have, with "\n" between them. "SIGQUIT: quit" of a signal. */
    struct str message;
    struct str signal; /* "SIGSEGV: segmentation violation code=0x1 addr=0x0
                          pc=0x4ce982"; empty = none */
    text_id reason;    /* the lines of the reason as printed, and those of the
                       runtime before it, for rules to match */
    bool is_request;   /* SIGQUIT: somebody asked for the dump, and it was not
                          go test */
    bool is_elsewhere; /* the runtime died on a stack of its own, while the
                          goroutine that stands first was parked */
    bool has_goroutine;
    uint64_t goroutine; /* the id of the one it speaks of */
    frame_id site;      /* its first frame of the user's code; set by analysis,
                           FRAME_NONE = unknown */
    /* The groups of the snapshot that it speaks of, the one of the goroutine
     * above first; more than one where several tests timed out. */
    uint32_t groups[CRASH_GROUPS_MOST];
    uint32_t n_groups;
};

/* Whether a test ran out of time: its own alarm panicked (testing/testing.go:
 * startAlarm), or go test sent SIGQUIT. Where such a crash has no goroutine,
 * none of the dump runs a test. */
bool crash_is_timeout(const struct crash *crash);

/* The word for a kind: "panic", "fatal error", "signal". */
const char *crash_kind_text(enum crash_kind kind);

#endif
