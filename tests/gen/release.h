/* release.h - how the Go releases differ in what they print.
 *
 * Releases are known by their minor number: 15 stands for Go 1.15. Each word
 * below is the first release that prints the newer form. */
#ifndef GEN_RELEASE_H
#define GEN_RELEASE_H

#include <stdbool.h>

enum {
    GO_OLDEST = 15,
    GO_ARG_GROUPS = 17,         /* f(0x1, {0xc000, 0x3}), not flat words */
    GO_GENERICS = 18,           /* names with [...] */
    GO_STALE_ARGS = 18,         /* "?" behind values that may be stale */
    GO_LOCK_STATES = 20,        /* sync.Mutex.Lock, not semacquire */
    GO_CREATOR_ID = 21,         /* created by F in goroutine N */
    GO_ELIDED_COUNT = 21,       /* ...N frames elided..., 50 on each side */
    GO_DEEP_PROFILES = 23,      /* 128 addresses a record, not 32 */
    GO_WAITGROUP_STATE = 24,    /* sync.WaitGroup.Wait, not semacquire */
    GO_RANDOM_HEAP = 26,        /* heap addresses do not begin with 0xc0 */
    GO_LABELS_IN_BRACKETS = 26, /* [state labels:{"k": "v"}] */
    GO_LABELS_BEHIND = 27,      /* [state] {k: v} */
    GO_NEWEST = 27
};

/* The releases whose line numbers and runtime addresses are known here, each
 * for itself and those after it up to the next. */
enum era { ERA_15, ERA_17, ERA_20, ERA_24, N_ERAS };

struct release {
    unsigned minor;
    enum era era;
};

/* Reads "1.15" to "1.27". Returns false, and writes nothing, for anything
 * else. */
bool release_parse(struct release *release, const char *text);

#endif
