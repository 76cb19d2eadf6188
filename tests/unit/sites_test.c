#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include "analysis/sites.h"
#include "support/waits.h"

#include <cmocka.h>

struct expectation {
    const char *frames;
    int32_t leaf;
    int32_t site;
};

#define NET_READ                                                               \
 "internal/poll.runtime_pollWait < internal/poll.(*pollDesc).wait < "          \
 "internal/poll.(*FD).Read < net.(*netFD).Read < net.(*conn).Read < "

static void check(const struct expectation *places, size_t n_places)
{
    struct waits waits;

    waits_init(&waits);
    for (size_t i = 0; i < n_places; i++) {
        struct stack stack =
            symbols_stack(waits.symbols, waits_stack(&waits, places[i].frames));
        int32_t leaf = site_leaf(waits.symbols, stack);
        int32_t site = site_find(waits.symbols, stack);

        if (leaf != places[i].leaf || site != places[i].site)
            fail_msg("'%s': leaf %d, site %d, expected %d and %d",
                     places[i].frames, leaf, site, places[i].leaf,
                     places[i].site);
    }
    waits_done(&waits);
}

#define CHECK(places) check(places, sizeof(places) / sizeof((places)[0]))

static void the_site_is_the_first_frame_outside_the_standard_library(void **s)
{
    static const struct expectation places[] = {
        {"github.com/gocolly/colly/v2.(*httpBackend).Do < "
         "github.com/gocolly/colly/v2.(*Collector).fetch",
         0, 0},
        {"main.f < main.main", 0, 0},
        {"sync.runtime_SemacquireMutex < sync.(*Mutex).lockSlow < "
         "sync.(*Mutex).Lock < main.(*cache).get < main.main",
         0, 3},
        {"internal/sync.runtime_SemacquireMutex < "
         "internal/sync.(*Mutex).lockSlow < internal/sync.(*Mutex).Lock < "
         "sync.(*Mutex).Lock < example.com/x.(*T).Get",
         0, 4},
        {NET_READ "github.com/lib/pq.(*conn).recv < main.main", 0, 5},
        {"database/sql.(*DB).conn < database/sql.(*DB).QueryContext < "
         "main.handler < net/http.HandlerFunc.ServeHTTP < "
         "net/http.(*conn).serve",
         0, 2},
        {"time.Sleep < net.TestReadFromTimeout < testing.tRunner", 0, 1},
        {"iter.Pull[...].func2 < main.(*Tree[...]).walk", 0, 1},
        {"vendor/golang.org/x/net/http2/hpack.(*Decoder).Write < main.f", 0, 0},
        {"gopkg.in/acme/leaky%2ev3.(*Hub).Listen", 0, 0},
        {"time.Sleep < main.poll", 0, 1},
    };

    (void)s;
    CHECK(places);
}

static void plumbing_that_waits_for_its_caller_is_passed_over(void **s)
{
    static const struct expectation places[] = {
        {"golang.org/x/sync/semaphore.(*Weighted).Acquire < main.f", 0, 1},
        {"sync.runtime_Semacquire < sync.(*WaitGroup).Wait < "
         "golang.org/x/sync/errgroup.(*Group).Wait < main.f",
         0, 3},
        {"main._Cfunc_c_wait@_cgo_gotypes.go:48 < main.block@/m.go:7", 0, 1},
        {"testing.(*T).Run < testing.runTests.func1 < testing.tRunner < "
         "main.main@_testmain.go:50",
         0, 0},
        {"golang.org/x/sync/singleflight.(*Group).Do", 0, 0},
    };

    (void)s;
    CHECK(places);
}

static void a_stack_of_the_library_alone_is_told_by_who_uses_it(void **s)
{
    static const struct expectation places[] = {
        {NET_READ "net/http.(*persistConn).Read < bufio.(*Reader).fill < "
                  "bufio.(*Reader).Peek < net/http.(*persistConn).readLoop",
         0, 5},
        {NET_READ "crypto/tls.(*Conn).Read < io.ReadAtLeast < io.ReadFull < "
                  "net/http/internal/http2.readFrameHeader",
         0, 8},
        {"net/http.(*persistConn).writeLoop", 0, 0},
        {"database/sql.(*DB).connectionOpener", 0, 0},
        {"os/signal.signal_recv < os/signal.loop", 0, 0},
        {"sync.runtime_notifyListWait < sync.(*Cond).Wait < io.(*pipe).read", 0,
         2},
        {"sync.runtime_SemacquireWaitGroup < sync.(*WaitGroup).Wait", 0, 1},
    };

    (void)s;
    CHECK(places);
}

static void frames_of_the_runtime_are_not_the_leaf(void **s)
{
    static const struct expectation places[] = {
        {"runtime.gopark < runtime.chansend < runtime.chansend1 < main.f", 3,
         3},
        {"runtime.gopark < internal/runtime/maps.fatal < sync.(*Mutex).Lock < "
         "main.f",
         2, 3},
        {"main.stuckFinalizer < runtime.runfinq", 0, 0},
        {"main.cleanup.func1 < panic < main.f", 0, 0},
        {"panic < main.f < main.main", 1, 1},
        {"runtime/pprof.writeGoroutine < main.dump", 0, 1},
        {"runtime.gopark < runtime.bgsweep", 0, 0},
        {"runtime.goexit", 0, 0},
        {"", -1, -1},
    };

    (void)s;
    CHECK(places);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(
            the_site_is_the_first_frame_outside_the_standard_library),
        cmocka_unit_test(plumbing_that_waits_for_its_caller_is_passed_over),
        cmocka_unit_test(a_stack_of_the_library_alone_is_told_by_who_uses_it),
        cmocka_unit_test(frames_of_the_runtime_are_not_the_leaf),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
