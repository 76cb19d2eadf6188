#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include "analysis/states.h"
#include "support/waits.h"

#include <cmocka.h>

/* Addresses of a program that parks at PARK: amd64, Go 1.26. */
enum {
    PARK = 0x484b0e,
    NETPOLL = 0x448c97,
    SEMACQUIRE = 0x462333,
    CHANSEND1 = 0x417f77,
    CHANSEND = CHANSEND1 + 0x405,
    USER = 0x6d260f,
};

#define POLL_STACK                                                             \
 "internal/poll.runtime_pollWait < internal/poll.(*pollDesc).wait < "          \
 "internal/poll.(*FD).Accept < net.(*TCPListener).Accept < main.main"
#define POLL HIDDEN(2, PARK, NETPOLL, 0x483ce5, USER)

struct lift {
    const char *header;
    const char *frames;
    const char *states;
};

static void check_lifts(const struct lift *lifts, size_t n_lifts)
{
    for (size_t i = 0; i < n_lifts; i++) {
        struct waits waits;

        waits_init(&waits);
        waits_add(&waits, 1, NOT_HIDDEN, lifts[i].frames, lifts[i].header);
        assert_string_equal(waits_states(&waits), lifts[i].states);
        waits_done(&waits);
    }
}

#define CHECK_LIFTS(lifts) check_lifts(lifts, sizeof(lifts) / sizeof(lifts[0]))

static void a_header_without_a_kind_of_lock_gets_it_from_the_frames(void **s)
{
    static const struct lift lifts[] = {
        {"semacquire",
         "sync.runtime_SemacquireMutex < sync.(*Mutex).lockSlow < "
         "sync.(*Mutex).Lock < main.f",
         "sync.Mutex.Lock (header)"},
        {"semacquire", /* Go 1.12 and before */
         "sync.runtime_SemacquireMutex < sync.(*Mutex).Lock < main.f",
         "sync.Mutex.Lock (header)"},
        {"semacquire",
         "sync.runtime_SemacquireMutex < sync.(*RWMutex).RLock < main.f",
         "sync.RWMutex.RLock (header)"},
        {"semacquire",
         "sync.runtime_SemacquireMutex < sync.(*RWMutex).Lock < main.f",
         "sync.RWMutex.Lock (header)"},
        {"semacquire", /* a second writer waits for the first */
         "sync.runtime_SemacquireMutex < sync.(*Mutex).lockSlow < "
         "sync.(*Mutex).Lock < sync.(*RWMutex).Lock < main.f",
         "sync.Mutex.Lock (header)"},
        {"semacquire",
         "sync.runtime_Semacquire < sync.(*WaitGroup).Wait < main.f",
         "sync.WaitGroup.Wait (header)"},
        {"semacquire", /* with the frames of the runtime, as in a crash */
         "runtime.gopark < runtime.goparkunlock < runtime.semacquire1 < "
         "sync.runtime_SemacquireMutex < sync.(*Mutex).lockSlow < main.f",
         "sync.Mutex.Lock (header)"},
        {"semacquire",
         "internal/poll.runtime_Semacquire < "
         "internal/poll.(*fdMutex).rwlock < main.f",
         "semacquire (header)"},
        {"semacquire", "main.f < main.main", "semacquire (header)"},
        {"semacquire", "", "semacquire (header)"},
        {"semacquire", "sync.runtime_SemacquireMutex", "semacquire (header)"},
        {"semacquire", "sync.runtime_SemacquireRWMutexR",
         "sync.RWMutex.RLock (header)"},
    };

    (void)s;
    CHECK_LIFTS(lifts);
}

static void other_headers_stand(void **s)
{
    static const struct lift lifts[] = {
        {"sync.RWMutex.Lock",
         "sync.runtime_SemacquireRWMutex < sync.(*RWMutex).Lock < main.f",
         "sync.RWMutex.Lock (header)"},
        {"runnable",
         "sync.runtime_SemacquireMutex < sync.(*Mutex).lockSlow < main.f",
         "runnable (header)"},
        {"chan receive (nil chan)", "main.f",
         "chan receive (nil chan) (header)"},
        {"syscall", "os/signal.signal_recv < os/signal.loop",
         "syscall (header)"},
        {"a word of Go 2", "time.Sleep < main.f", "a word of Go 2 (header)"},
        {"waiting", "time.Sleep < main.f", "sleep (frames)"},
        {"waiting", "main.f", "waiting (header)"},
    };

    (void)s;
    CHECK_LIFTS(lifts);
}

static void functions_that_wait_name_the_state_without_any_address(void **s)
{
    static const struct lift lifts[] = {
        {NULL, POLL_STACK, "IO wait (frames)"},
        {NULL, "time.Sleep < main.f", "sleep (frames)"},
        {NULL, "sync.runtime_notifyListWait < sync.(*Cond).Wait < main.f",
         "sync.Cond.Wait (frames)"},
        {NULL,
         "internal/sync.runtime_SemacquireMutex < "
         "internal/sync.(*Mutex).lockSlow < internal/sync.(*Mutex).Lock < "
         "sync.(*Mutex).Lock < main.f",
         "sync.Mutex.Lock (frames)"},
        {NULL, "sync.runtime_SemacquireRWMutexR < sync.(*RWMutex).RLock < m.f",
         "sync.RWMutex.RLock (frames)"},
        {NULL,
         "sync.runtime_SemacquireWaitGroup < sync.(*WaitGroup).Wait < m.f",
         "sync.WaitGroup.Wait (frames)"},
        {NULL, "internal/poll.runtime_Semacquire < main.f",
         "semacquire (frames)"},
        {NULL, "os/signal.signal_recv < os/signal.loop", "syscall (frames)"},
        {NULL, "syscall.Syscall6 < syscall.EpollWait < main.f",
         "syscall (frames)"},
        {NULL, "syscall.syscall6 < syscall.wait4 < main.f", "syscall (frames)"},
        {NULL, "main._Cfunc_c_wait < main.f", "syscall (frames)"},
        {NULL, "syscall.RawSyscall < main.f", "unknown (none)"},
        {NULL, "reflect.rselect < reflect.Select < main.f", "select (frames)"},
        {NULL, "reflect.chanrecv < reflect.Value.recv < main.f",
         "chan receive (frames)"},
        {NULL, "internal/synctest.Run < testing/synctest.Test < main.f",
         "synctest.Run (frames)"},
        {NULL,
         "runtime/pprof.writeRuntimeProfile < runtime/pprof.writeGoroutine",
         "running (frames)"},
        {NULL, "runtime/trace.Start.func1", "trace reader (blocked) (frames)"},
        {NULL, "sync.(*Mutex).lockSlow < main.f", "unknown (none)"},
        {NULL, "mysync.runtime_SemacquireMutex < main.f", "unknown (none)"},
        {NULL, "main.f", "unknown (none)"},
        {NULL, "", "unknown (none)"},
    };

    (void)s;
    CHECK_LIFTS(lifts);
}

static const struct lift with_runtime[] = {
    {NULL,
     "runtime.gopark < runtime.chansend@/go/src/runtime/chan.go:283 < "
     "runtime.chansend1@/go/src/runtime/chan.go:161 < main.f",
     "chan send (frames)"},
    {NULL,
     "runtime.gopark < runtime.chansend@/go/src/runtime/chan.go:181 < "
     "runtime.chansend1@/go/src/runtime/chan.go:161 < main.f",
     "chan send (nil chan) (frames)"},
    {NULL,
     "runtime.gopark < runtime.chanrecv@/go/src/runtime/chan.go:667 < "
     "runtime.chanrecv2 < main.f",
     "chan receive (frames)"},
    {NULL,
     "runtime.gopark < runtime.chanrecv@/go/src/runtime/chan.go:466 < "
     "runtime.chanrecv1 < main.f",
     "chan receive (nil chan) (frames)"},
    {NULL, "runtime.gopark < runtime.selectgo < main.f", "select (frames)"},
    {NULL, "runtime.gopark < runtime.block < main.f",
     "select (no cases) (frames)"},
    {NULL,
     "runtime.gopark < runtime.netpollblock < "
     "internal/poll.runtime_pollWait < main.f",
     "IO wait (frames)"},
    {NULL,
     "runtime.gopark < runtime.goparkunlock < runtime.semacquire1 < "
     "sync.runtime_SemacquireMutex < sync.(*RWMutex).RLock < main.f",
     "sync.RWMutex.RLock (frames)"},
    {NULL, "runtime.gopark < runtime.semacquire1 < runtime.Stack < main.f",
     "semacquire (frames)"},
    {NULL, "runtime.gopark < time.Sleep < main.f", "sleep (frames)"},
    {NULL, "runtime.notetsleepg < os/signal.signal_recv", "syscall (frames)"},
    {NULL, "runtime.coroswitch < iter.Pull[...].func2 < main.f",
     "coroutine (frames)"},
    {NULL, "runtime.asyncPreempt2 < runtime.asyncPreempt < main.f",
     "runnable (frames)"},
    {NULL,
     "runtime.gopark < runtime.goparkunlock < runtime.gcWaitOnMark < "
     "runtime.GC < main.f",
     "wait for GC cycle (frames)"},
    {NULL, "runtime.gopark < runtime.goparkunlock < runtime.bgsweep",
     "GC sweep wait (frames)"},
    {NULL, "runtime.gopark < runtime.gcBgMarkWorker",
     "GC worker (idle) (frames)"},
    {NULL, "runtime.systemstack_switch < runtime.gcBgMarkWorker",
     "unknown (none)"},
    {NULL, "runtime.gopark < runtime.runfinq", "finalizer wait (frames)"},
    {NULL,
     "runtime.gopark < runtime.chanrecv < runtime.chanrecv1 < "
     "main.goCallback < runtime.cgocallbackg < runtime.cgocall",
     "chan receive (frames)"},
    {NULL, "runtime.gopark < main.f", "waiting (frames)"},
    {NULL, "runtime.goexit", "runnable (frames)"},
};

static void frames_of_the_runtime_name_nearly_every_wait(void **s)
{
    (void)s;
    CHECK_LIFTS(with_runtime);
}

/* Checks the states of one dump. */
static void check(struct waits *waits, const char *expected)
{
    assert_string_equal(waits_states(waits), expected);
    waits_done(waits);
}

static void the_published_dump_is_a_send(void **s)
{
    struct waits waits;

    (void)s;
    waits_init(&waits);
    waits_add(&waits, 97908, HIDDEN(3, 0x4aa18e, 0x43e1ab, 0x43ddf7, 0xad1d2b),
              "github.com/gocolly/colly/v2.(*httpBackend).Do", NULL);
    waits_add(&waits, 3, HIDDEN(2, 0x4aa18e, 0x46cab7, 0x4a9365, 0x52dd67),
              POLL_STACK, NULL);
    check(&waits, "chan send (addresses), IO wait (frames)");
}

static void one_record_of_a_known_build_is_enough(void **s)
{
    struct waits waits;

    (void)s;
    waits_init(&waits);
    waits_add(&waits, 1, HIDDEN(3, 0x4aa18e, 0x43e1ab, 0x43ddf7, 0xad1d2b),
              "main.f", NULL);
    check(&waits, "chan send (addresses)");
}

static void what_is_not_parked_is_runnable_or_in_a_call(void **s)
{
    struct waits waits;

    (void)s;
    waits_init(&waits);
    waits_add(&waits, 1, POLL, POLL_STACK, NULL);
    waits_add(&waits, 4, HIDDEN(2, 0x4719f4, 0x48ec0b, USER), "main.spin",
              NULL);
    waits_add(&waits, 1, HIDDEN(3, 0x4179f2, 0x4787d9, 0x418985, USER),
              "main.allocate", NULL);
    waits_add(&waits, 1, HIDDEN(0, USER, 0x48c3c1), "main.run", NULL);
    waits_add(&waits, 1, HIDDEN(1, 0x40abcd, USER), "main._Cfunc_wait", NULL);
    waits_add(&waits, 1, HIDDEN(1, 0x40abcd, USER), "purego.SyscallN", NULL);
    waits_add(&waits, 1, HIDDEN(1, 0x40cafe, USER), "iter.Pull[...].func2",
              NULL);
    waits_add(&waits, 2, HIDDEN(-1, 0x48c3c1), "", NULL);
    waits_add(&waits, 1, HIDDEN(2, 0x40f00d, 0x40f11d, USER),
              "runtime/pprof.writeRuntimeProfile < main.dump", NULL);
    check(&waits, "IO wait (frames), runnable (addresses), "
                  "runnable (addresses), runnable (addresses), "
                  "syscall (frames), syscall (addresses), "
                  "coroutine (addresses), runnable (addresses), "
                  "running (frames)");
}

static void parked_deeper_in_the_runtime_is_said_as_far_as_known(void **s)
{
    struct waits waits;

    (void)s;
    waits_init(&waits);
    waits_add(&waits, 1, POLL, POLL_STACK, NULL);
    waits_add(&waits, 1, HIDDEN(3, PARK, SEMACQUIRE, SEMACQUIRE - 15, USER),
              "sync.runtime_SemacquireMutex < sync.(*Mutex).lockSlow < main.f",
              NULL);
    /* runtime.ReadMemStats and its like stop the world, one at a time. */
    waits_add(&waits, 9, HIDDEN(6, PARK, SEMACQUIRE, SEMACQUIRE - 15, 0x462400),
              "main.stats", NULL);
    /* A second profile waits for the first. */
    waits_add(&waits, 1, HIDDEN(7, PARK, SEMACQUIRE, SEMACQUIRE - 15, 0x462400),
              "runtime/pprof.writeRuntimeProfile < main.dump", NULL);
    waits_add(&waits, 2, HIDDEN(4, PARK, 0x42137b, 0x421359, 0x421225),
              "main.collect", NULL);
    waits_add(&waits, 2, HIDDEN(9, PARK, 0x44b518, 0x44b4ef, 0x41a52a),
              "main.allocate", NULL);
    waits_add(&waits, 2, HIDDEN(1, PARK, USER), "main.linked", NULL);
    check(&waits, "IO wait (frames), sync.Mutex.Lock (frames), "
                  "semacquire (addresses), semacquire (addresses), "
                  "wait for GC cycle (addresses), semacquire (addresses), "
                  "waiting (addresses)");
}

static void addresses_that_are_masked_or_missing_say_nothing(void **s)
{
    struct waits waits;

    (void)s;
    waits_init(&waits);
    waits_add(&waits, 1, HIDDEN(-1, 0, 0, 0, 0), POLL_STACK, NULL);
    waits_add(&waits, 9, HIDDEN(-1, 0, 0, 0, 0), "main.f", NULL);
    waits_add(&waits, 9, HIDDEN(3, 0, 0, 0, 0), "main.g", NULL);
    waits_add(&waits, 9, HIDDEN(3, PARK), "main.h", NULL);
    waits_add(&waits, 9, NOT_HIDDEN, "main.i", NULL);
    waits_add(&waits, 9, HIDDEN(-1, 0), "", NULL);
    waits_add(&waits, 9, HIDDEN(1, 0, 0), "time.Sleep < main.f", NULL);
    waits_add(&waits, 9, HIDDEN(2, 1, 2), "main.j", NULL);
    check(&waits, "IO wait (frames), unknown (none), unknown (none), "
                  "unknown (none), unknown (none), unknown (none), "
                  "sleep (frames), unknown (none)");
}

static void a_dump_that_hides_nothing_says_nothing_of_running(void **s)
{
    struct waits waits;

    (void)s;
    waits_init(&waits);
    waits_add(&waits, 9, HIDDEN(0, USER, 0x48c3c1), "main.f", NULL);
    waits_add(&waits, 9, HIDDEN(0, USER + 9, 0x48c3c1), "main.g", NULL);
    check(&waits, "unknown (none), unknown (none)");
}

static void only_goroutine_profiles_have_waits(void **s)
{
    static const enum profile_kind kinds[] = {PROFILE_THREADCREATE,
                                              PROFILE_OTHER};

    (void)s;
    for (size_t i = 0; i < 2; i++) {
        struct waits waits;

        waits_init(&waits);
        snapshot_info(waits.snapshot)->kind = kinds[i];
        waits_add(&waits, 1, POLL, POLL_STACK, NULL);
        waits_add(&waits, 5, HIDDEN(3, PARK, CHANSEND, CHANSEND1, USER),
                  "main.f", NULL);
        check(&waits, "unknown (none), unknown (none)");
    }
}

static void an_empty_dump_is_no_trouble(void **s)
{
    struct waits waits;

    (void)s;
    waits_init(&waits);
    check(&waits, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(
            a_header_without_a_kind_of_lock_gets_it_from_the_frames),
        cmocka_unit_test(other_headers_stand),
        cmocka_unit_test(
            functions_that_wait_name_the_state_without_any_address),
        cmocka_unit_test(frames_of_the_runtime_name_nearly_every_wait),
        cmocka_unit_test(the_published_dump_is_a_send),
        cmocka_unit_test(one_record_of_a_known_build_is_enough),
        cmocka_unit_test(what_is_not_parked_is_runnable_or_in_a_call),
        cmocka_unit_test(parked_deeper_in_the_runtime_is_said_as_far_as_known),
        cmocka_unit_test(addresses_that_are_masked_or_missing_say_nothing),
        cmocka_unit_test(a_dump_that_hides_nothing_says_nothing_of_running),
        cmocka_unit_test(only_goroutine_profiles_have_waits),
        cmocka_unit_test(an_empty_dump_is_no_trouble),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
