#include "analysis/states_frames.h"

#include "model/name.h"

enum { N_TO_LOOK_AT = 16 };

/* The function of the frame at index; empty behind the end. */
static struct str function_at(const struct symbols *symbols, struct stack stack,
                              uint32_t index)
{
    if (index >= stack.n_frames)
        return (struct str){0};
    return symbols_function(symbols, stack.frames[index]);
}

/* Functions of the runtime that a goroutine waits or runs in, where it shows
 * them: in debug=0, in crash dumps, and in debug=1 of a stack that has no
 * other frames. Sources: runtime/chan.go, select.go, netpoll.go, sema.go,
 * proc.go, mgc.go, mgcsweep.go, mgcscavenge.go, mfinal.go, mcleanup.go,
 * trace.go, cgocall.go, coro.go, preempt.go, mprof.go. */
static const struct runtime_wait {
    struct str function; /* without "runtime." */
    state_id state;
    bool is_parked; /* only when gopark stands above it */
} runtime_waits[] = {
    {STR_INIT("chansend"), STATE_CHAN_SEND, true},
    {STR_INIT("chansend1"), STATE_CHAN_SEND, true},
    {STR_INIT("chanrecv"), STATE_CHAN_RECEIVE, true},
    {STR_INIT("chanrecv1"), STATE_CHAN_RECEIVE, true},
    {STR_INIT("chanrecv2"), STATE_CHAN_RECEIVE, true},
    {STR_INIT("selectgo"), STATE_SELECT, true},
    {STR_INIT("block"), STATE_SELECT_NO_CASES, true},
    {STR_INIT("netpollblock"), STATE_IO_WAIT, true},
    {STR_INIT("semacquire1"), STATE_SEMACQUIRE, true},
    {STR_INIT("semacquire"), STATE_SEMACQUIRE, true},
    {STR_INIT("gcBgMarkWorker"), STATE_GC_WORKER_IDLE, true},
    {STR_INIT("bgsweep"), STATE_GC_SWEEP_WAIT, true},
    {STR_INIT("(*scavengerState).sleep"), STATE_SLEEP, true},
    {STR_INIT("(*scavengerState).park"), STATE_GC_SCAVENGE_WAIT, true},
    {STR_INIT("bgscavenge"), STATE_GC_SCAVENGE_WAIT, true},
    {STR_INIT("forcegchelper"), STATE_FORCE_GC_IDLE, true},
    {STR_INIT("gcParkAssist"), STATE_GC_ASSIST_WAIT, true},
    {STR_INIT("gcWaitOnMark"), STATE_WAIT_FOR_GC_CYCLE, true},
    {STR_INIT("runfinq"), STATE_FINALIZER_WAIT, true},
    {STR_INIT("runFinalizers"), STATE_FINALIZER_WAIT, true},
    {STR_INIT("(*cleanupQueue).dequeue"), STATE_CLEANUP_WAIT, true},
    {STR_INIT("runCleanups"), STATE_CLEANUP_WAIT, true},
    {STR_INIT("updateMaxProcsGoroutine"), STATE_GOMAXPROCS_UPDATER_IDLE, true},
    {STR_INIT("timerproc"), STATE_TIMER_GOROUTINE_IDLE, true},
    {STR_INIT("readTrace0"), STATE_TRACE_READER_BLOCKED, true},
    {STR_INIT("ReadTrace"), STATE_TRACE_READER_BLOCKED, true},
    {STR_INIT("coroswitch"), STATE_COROUTINE, false},
    {STR_INIT("notetsleepg"), STATE_SYSCALL, false},
    {STR_INIT("cgocall"), STATE_SYSCALL, false},
    {STR_INIT("asyncPreempt2"), STATE_RUNNABLE, false},
    {STR_INIT("asyncPreempt"), STATE_RUNNABLE, false},
    {STR_INIT("Gosched"), STATE_RUNNABLE, false},
    {STR_INIT("goyield"), STATE_RUNNABLE, false},
    {STR_INIT("goroutineProfileWithLabelsSync"), STATE_RUNNING, false},
    {STR_INIT("goroutineProfileWithLabelsConcurrent"), STATE_RUNNING, false},
    {STR_INIT("goroutineProfileWithLabels"), STATE_RUNNING, false},
    {STR_INIT("pprof_goroutineProfileWithLabels"), STATE_RUNNING, false},
};

/* The first functions outside package runtime that name a wait. Those of
 * sync, internal/poll and os/signal are runtime functions under another name
 * (go:linkname). The numbers of hidden frames hold for Go 1.14 and later. */
static const struct leaf_wait {
    struct str function;
    struct frames_clue clue;
} leaf_waits[] = {
    /* runtime/netpoll.go: poll_runtime_pollWait over netpollblock */
    {STR_INIT("internal/poll.runtime_pollWait"), {STATE_IO_WAIT, 2}},
    {STR_INIT("internal/poll.runtime_pollWaitCanceled"), {STATE_IO_WAIT, 0}},
    {STR_INIT("net.runtime_pollWait"), {STATE_IO_WAIT, 0}},
    /* runtime/time.go: timeSleep */
    {STR_INIT("time.Sleep"), {STATE_SLEEP, 1}},
    /* runtime/sema.go: notifyListWait over goparkunlock */
    {STR_INIT("sync.runtime_notifyListWait"), {STATE_COND_WAIT, 2}},
    {STR_INIT("sync.runtime_Syncsemacquire"), {STATE_COND_WAIT, 0}},
    /* runtime/sema.go: poll_runtime_Semacquire over semacquire1 and
     * goparkunlock. A lock of package internal/poll, not of sync. */
    {STR_INIT("internal/poll.runtime_Semacquire"), {STATE_SEMACQUIRE, 3}},
    {STR_INIT("net.runtime_Semacquire"), {STATE_SEMACQUIRE, 0}},
    /* runtime/sigqueue.go: sleeps in notetsleepg, which says "syscall" */
    {STR_INIT("os/signal.signal_recv"), {STATE_SYSCALL, 0}},
    /* runtime/chan.go, select.go: reflect_chansend and its like */
    {STR_INIT("reflect.chansend"), {STATE_CHAN_SEND, 0}},
    {STR_INIT("reflect.chansend0"), {STATE_CHAN_SEND, 0}},
    {STR_INIT("reflect.chanrecv"), {STATE_CHAN_RECEIVE, 0}},
    {STR_INIT("reflect.rselect"), {STATE_SELECT, 0}},
    /* runtime/synctest.go */
    {STR_INIT("internal/synctest.Run"), {STATE_SYNCTEST_RUN, 0}},
    {STR_INIT("internal/synctest.Wait"), {STATE_SYNCTEST_WAIT, 0}},
    /* runtime/mheap.go: internal_weak_runtime_makeStrongFromWeak */
    {STR_INIT("weak.runtime_makeStrongFromWeak"),
     {STATE_GC_WEAK_TO_STRONG_WAIT, 0}},
    {STR_INIT("internal/weak.runtime_makeStrongFromWeak"),
     {STATE_GC_WEAK_TO_STRONG_WAIT, 0}},
};

/* The functions of sync that take a lock, right above the semaphore. */
static const struct lock_wait {
    struct str function;
    state_id state;
} lock_waits[] = {
    {STR_INIT("sync.(*Mutex).lockSlow"), STATE_MUTEX_LOCK},
    {STR_INIT("sync.(*Mutex).Lock"), STATE_MUTEX_LOCK},
    {STR_INIT("internal/sync.(*Mutex).lockSlow"), STATE_MUTEX_LOCK},
    {STR_INIT("internal/sync.(*Mutex).Lock"), STATE_MUTEX_LOCK},
    {STR_INIT("sync.(*RWMutex).RLock"), STATE_RWMUTEX_RLOCK},
    {STR_INIT("sync.(*RWMutex).Lock"), STATE_RWMUTEX_LOCK},
    {STR_INIT("sync.(*WaitGroup).Wait"), STATE_WAITGROUP_WAIT},
    {STR_INIT("sync.runtime_notifyListWait"), STATE_COND_WAIT},
    {STR_INIT("sync.runtime_Syncsemacquire"), STATE_COND_WAIT},
    /* Semaphores of one kind of lock only, for a stack that ends there. */
    {STR_INIT("sync.runtime_SemacquireRWMutexR"), STATE_RWMUTEX_RLOCK},
    {STR_INIT("sync.runtime_SemacquireRWMutex"), STATE_RWMUTEX_LOCK},
    {STR_INIT("sync.runtime_SemacquireWaitGroup"), STATE_WAITGROUP_WAIT},
    {STR_INIT("internal/sync.runtime_SemacquireMutex"), STATE_MUTEX_LOCK},
};

static state_id find_lock(struct str function)
{
    for (size_t i = 0; i < sizeof(lock_waits) / sizeof(lock_waits[0]); i++) {
        if (str_equal(function, lock_waits[i].function))
            return lock_waits[i].state;
    }
    return STATE_UNKNOWN;
}

/* runtime/sema.go: sync_runtime_Semacquire and its variants. */
static bool is_semaphore(struct str function)
{
    return str_starts(function, STR("sync.runtime_Semacquire")) ||
           str_starts(function, STR("internal/sync.runtime_Semacquire"));
}

/* The lock whose semaphore is at index, or whose function is. */
static state_id lock_at(const struct symbols *symbols, struct stack stack,
                        uint32_t index)
{
    struct str function = function_at(symbols, stack, index);
    state_id state = STATE_UNKNOWN;

    if (is_semaphore(function))
        state = find_lock(function_at(symbols, stack, index + 1));
    return state ? state : find_lock(function);
}

/* The index of the first frame that is not the runtime's. */
static uint32_t skip_runtime(const struct symbols *symbols, struct stack stack)
{
    uint32_t index = 0;

    while (index < stack.n_frames &&
           name_is_runtime(function_at(symbols, stack, index)))
        index++;
    return index;
}

state_id frames_lift_semacquire(const struct symbols *symbols,
                                struct stack stack)
{
    uint32_t leaf = skip_runtime(symbols, stack);
    state_id state = lock_at(symbols, stack, leaf);

    return state ? state : STATE_SEMACQUIRE;
}

/* chansend and chanrecv park at one line for a nil channel and at another for
 * others; runtime/chan.go has them far apart, the nil one first, in every
 * version from Go 1.14 (chansend 163 and 258) to 1.27 (181 and 283). */
static state_id channel_at(const struct symbols *symbols, frame_id id,
                           state_id state)
{
    struct frame frame = symbols_frame(symbols, id);
    struct str function = symbols_function(symbols, id);

    if (!str_ends(symbols_file(symbols, id), STR("chan.go")))
        return state;
    if (str_equal(function, STR("runtime.chansend")) && frame.line >= 140 &&
        frame.line <= 200)
        return STATE_CHAN_SEND_NIL;
    if (str_equal(function, STR("runtime.chanrecv")) && frame.line >= 420 &&
        frame.line <= 548)
        return STATE_CHAN_RECEIVE_NIL;
    return state;
}

static const struct runtime_wait *find_runtime(struct str function)
{
    struct str prefix = STR("runtime.");

    if (!str_cut_prefix(&function, prefix))
        return NULL;
    for (size_t i = 0; i < sizeof(runtime_waits) / sizeof(runtime_waits[0]);
         i++) {
        if (str_equal(function, runtime_waits[i].function))
            return &runtime_waits[i];
    }
    return NULL;
}

/* What the leading frames of the runtime, those before index end, say. */
static state_id runtime_state(const struct symbols *symbols, struct stack stack,
                              uint32_t end)
{
    bool is_parked = false;

    for (uint32_t i = 0; i < end && i < N_TO_LOOK_AT; i++) {
        struct str function = function_at(symbols, stack, i);
        const struct runtime_wait *wait = find_runtime(function);

        if (str_equal(function, STR("runtime.gopark")))
            is_parked = true;
        if (wait && is_parked >= wait->is_parked)
            return channel_at(symbols, stack.frames[i], wait->state);
    }
    if (is_parked)
        return STATE_WAITING;
    if (end == 1 && stack.n_frames == 1 &&
        str_equal(function_at(symbols, stack, 0), STR("runtime.goexit")))
        return STATE_RUNNABLE;
    return STATE_UNKNOWN;
}

/* System calls that tell the scheduler (runtime/proc.go: entersyscall), and
 * calls of C functions by cgo. RawSyscall does not tell it. Linux on 386 calls
 * syscall.socketcall for sockets, Darwin and Windows syscall.syscall6,
 * syscall.SyscallN and their like. */
static bool is_system_call(struct str function)
{
    struct str package = name_package(function);
    struct str symbol = name_symbol(function);

    if (str_equal(package, STR("syscall")) ||
        str_equal(package, STR("golang.org/x/sys/unix")))
        return str_starts(symbol, STR("Syscall")) ||
               str_equal(symbol, STR("socketcall")) ||
               str_starts(symbol, STR("syscall"));
    return str_starts(symbol, STR("_Cfunc_"));
}

/* Who writes a goroutine profile is on it (runtime/pprof/pprof.go). */
static bool is_profiler(struct str function)
{
    return str_starts(function, STR("runtime/pprof.runtime_goroutine")) ||
           str_starts(function, STR("runtime/pprof.pprof_goroutine")) ||
           str_starts(function, STR("runtime/pprof.writeRuntimeProfile")) ||
           str_starts(function, STR("runtime/pprof.writeGoroutine"));
}

static struct frames_clue leaf_clue(const struct symbols *symbols,
                                    struct stack stack, uint32_t leaf)
{
    struct str function = function_at(symbols, stack, leaf);
    struct frames_clue clue = {STATE_UNKNOWN, 0};

    for (size_t i = 0; i < sizeof(leaf_waits) / sizeof(leaf_waits[0]); i++) {
        if (str_equal(function, leaf_waits[i].function))
            return leaf_waits[i].clue;
    }
    if (is_semaphore(function)) {
        clue.state = lock_at(symbols, stack, leaf);
        if (!clue.state)
            clue.state = STATE_SEMACQUIRE;
        clue.hidden = 3;
    } else if (is_system_call(function)) {
        clue.state = STATE_SYSCALL;
    } else if (is_profiler(function)) {
        clue.state = STATE_RUNNING;
    } else if (str_starts(function, STR("runtime/trace.Start"))) {
        clue.state = STATE_TRACE_READER_BLOCKED;
    }
    return clue;
}

struct frames_clue frames_clue(const struct symbols *symbols,
                               struct stack stack)
{
    uint32_t leaf = skip_runtime(symbols, stack);
    state_id state = runtime_state(symbols, stack, leaf);
    struct frames_clue clue;

    if (state == STATE_SEMACQUIRE)
        state = frames_lift_semacquire(symbols, stack);
    if (state != STATE_UNKNOWN && state != STATE_WAITING)
        return (struct frames_clue){state, 0};
    clue = leaf_clue(symbols, stack, leaf);
    if (clue.state == STATE_UNKNOWN)
        clue.state = state;
    if (leaf)
        clue.hidden = 0;
    return clue;
}

bool frames_select_has_cases(const struct symbols *symbols, struct stack stack)
{
    static const struct str others[] = {
        STR_INIT("runtime/"), STR_INIT("internal/"),
        STR_INIT("sync"),     STR_INIT("reflect"),
        STR_INIT("syscall"),  STR_INIT("net/http/httptest"),
    };
    struct str function = function_at(symbols, stack, 0);

    if (!name_package(function).len || !name_is_std(function) ||
        name_is_runtime(function))
        return false;
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
        if (str_starts(function, others[i]))
            return false;
    }
    return true;
}

bool frames_is_runtime_queue(const struct symbols *symbols, struct stack stack)
{
    uint32_t leaf = skip_runtime(symbols, stack);
    struct str function = function_at(symbols, stack, leaf);

    return stack.n_frames && !is_semaphore(function) &&
           !str_equal(function, STR("internal/poll.runtime_Semacquire")) &&
           !str_equal(function, STR("net.runtime_Semacquire"));
}

bool frames_is_pipe_write(const struct symbols *symbols, struct stack stack,
                          state_id state)
{
    /* Go until 1.15 has it in Write; package net still has both. */
    static const struct str writes[] = {
        STR_INIT("io.(*pipe).write"), STR_INIT("io.(*pipe).Write"),
        STR_INIT("net.(*pipe).write"), STR_INIT("net.(*pipe).Write")};
    struct str function =
        function_at(symbols, stack, skip_runtime(symbols, stack));

    if (state != STATE_SELECT && state != STATE_WAITING &&
        state != STATE_UNKNOWN)
        return false;
    for (size_t i = 0; i < sizeof(writes) / sizeof(writes[0]); i++) {
        if (str_equal(function, writes[i]))
            return true;
    }
    return false;
}

bool frames_is_coroutine(const struct symbols *symbols, struct stack stack)
{
    return str_starts(function_at(symbols, stack, 0), STR("iter.Pull"));
}
