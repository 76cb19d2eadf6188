#include "model/state.h"

/* ORDER STATE: as the enum in state.h. */
static const struct str words[N_STATES] = {
    STR_INIT("unknown"),
    STR_INIT("waiting"),
    STR_INIT("chan operation"),
    STR_INIT("chan send"),
    STR_INIT("chan receive"),
    STR_INIT("chan send (nil chan)"),
    STR_INIT("chan receive (nil chan)"),
    STR_INIT("select"),
    STR_INIT("select (no cases)"),
    STR_INIT("IO wait"),
    STR_INIT("sleep"),
    STR_INIT("semacquire"),
    STR_INIT("sync.Mutex.Lock"),
    STR_INIT("sync.RWMutex.RLock"),
    STR_INIT("sync.RWMutex.Lock"),
    STR_INIT("sync.WaitGroup.Wait"),
    STR_INIT("sync.Cond.Wait"),
    STR_INIT("syscall"),
    STR_INIT("running"),
    STR_INIT("runnable"),
    STR_INIT("runnable (not started)"),
    STR_INIT("idle"),
    STR_INIT("dead"),
    STR_INIT("preempted"),
    STR_INIT("copystack"),
    STR_INIT("finalizer wait"),
    STR_INIT("cleanup wait"),
    STR_INIT("force gc (idle)"),
    STR_INIT("GC assist marking"),
    STR_INIT("GC assist wait"),
    STR_INIT("GC sweep wait"),
    STR_INIT("GC scavenge wait"),
    STR_INIT("GC worker (idle)"),
    STR_INIT("GC worker (active)"),
    STR_INIT("GC mark termination"),
    STR_INIT("GC weak to strong wait"),
    STR_INIT("garbage collection"),
    STR_INIT("garbage collection scan"),
    STR_INIT("wait for GC cycle"),
    STR_INIT("dumping heap"),
    STR_INIT("panicwait"),
    STR_INIT("trace reader (blocked)"),
    STR_INIT("stopping the world"),
    STR_INIT("flushing proc caches"),
    STR_INIT("trace goroutine status"),
    STR_INIT("trace proc status"),
    STR_INIT("page trace flush"),
    STR_INIT("coroutine"),
    STR_INIT("GOMAXPROCS updater (idle)"),
    STR_INIT("synctest.Run"),
    STR_INIT("synctest.Wait"),
    STR_INIT("timer goroutine (idle)"),
    STR_INIT("debug call"),
    STR_INIT("waiting for cgo callback"),
};

struct str state_word(state_id state)
{
    return words[state < N_STATES ? state : STATE_UNKNOWN];
}

state_id state_find(struct str word)
{
    for (unsigned i = 0; i < N_STATES; i++) {
        if (str_equal(words[i], word))
            return (state_id)i;
    }
    return N_STATES;
}

const char *state_source_text(enum state_source source)
{
    static const char *const texts[] = {"none", "addresses", "frames",
                                        "header"};

    return texts[source];
}
