#include "support/forms.h"

#include <string.h>

#include "support/proto.h"

enum { HIDDEN_ROOM = 4, USER = 0x700001, GOEXIT = 0x478541 };

/* A frame of the runtime above a wait: its name, its line where that tells
 * something, and its return address. */
struct above {
    const char *function;
    uint64_t line;
    uint64_t address;
};

/* What stands above goroutines of each state in a program of Go 1.24.4; the
 * addresses of channels and selects are those of the build of that name. */
static const struct {
    const char *state;
    struct above frames[HIDDEN_ROOM];
} waits[] = {
    {"chan send",
     {{"runtime.gopark", 435, 0x47210e},
      {"runtime.chansend", 283, 0x40cbc5},
      {"runtime.chansend1", 161, 0x40c817}}},
    {"chan send (nil chan)",
     {{"runtime.gopark", 435, 0x47210e},
      {"runtime.chansend", 178, 0x40c90c},
      {"runtime.chansend1", 161, 0x40c817}}},
    {"chan receive",
     {{"runtime.gopark", 435, 0x47210e},
      {"runtime.chanrecv", 664, 0x40db05},
      {"runtime.chanrecv1", 506, 0x40d692}}},
    {"chan receive (nil chan)",
     {{"runtime.gopark", 435, 0x47210e},
      {"runtime.chanrecv", 521, 0x40d867},
      {"runtime.chanrecv1", 506, 0x40d692}}},
    {"select",
     {{"runtime.gopark", 435, 0x47210e}, {"runtime.selectgo", 351, 0x451e17}}},
    {"select (no cases)",
     {{"runtime.gopark", 435, 0x47210e}, {"runtime.block", 103, 0x4515c6}}},
    {"IO wait",
     {{"runtime.gopark", 435, 0x47210e},
      {"runtime.netpollblock", 575, 0x4348f7}}},
    {"sleep", {{"runtime.gopark", 435, 0x47210e}}},
    {"sync.Cond.Wait",
     {{"runtime.gopark", 435, 0x47210e},
      {"runtime.goparkunlock", 441, 0x477ed9}}},
    {"GC assist wait",
     {{"runtime.gopark", 435, 0x47210e},
      {"runtime.gcParkAssist", 654, 0x41f6f2}}},
    {"wait for GC cycle",
     {{"runtime.gopark", 435, 0x47210e},
      {"runtime.goparkunlock", 441, 0x41bb45},
      {"runtime.gcWaitOnMark", 475, 0x41bb30},
      {"runtime.GC", 515, 0x41b9c5}}},
    {"coroutine", {{"runtime.coroswitch", 112, 0x40ee10}}},
};

static const struct above semaphore[HIDDEN_ROOM] = {
    {"runtime.gopark", 435, 0x47210e},
    {"runtime.goparkunlock", 441, 0x4533e5},
    {"runtime.semacquire1", 188, 0x4533b4},
};

/* The frames of the runtime above a wait; NULL = it is not one. */
static const struct above *above_of(struct str state)
{
    for (size_t i = 0; i < sizeof(waits) / sizeof(waits[0]); i++) {
        if (str_equal(state, str_from(waits[i].state)))
            return waits[i].frames;
    }
    return str_equal(state, STR("semacquire")) ||
                   str_starts(state, STR("sync."))
               ? semaphore
               : NULL;
}

static bool is_runtime(struct str function)
{
    return str_starts(function, STR("runtime."));
}

/* What both forms say of a group. */
struct seen {
    uint64_t count;
    struct above above[HIDDEN_ROOM]; /* a function of NULL ends them */
    struct str functions[128];       /* leaf first */
    struct str files[128];
    uint64_t lines[128];
    size_t n;
    size_t first; /* the first that debug=1 shows */
};

/* Leading frames of the runtime that a dump of stacks has by name stand for
 * what is above a goroutine that waits for nothing listed here. */
static struct seen see(const struct snapshot *snapshot,
                       const struct group *group)
{
    const struct symbols *symbols = snapshot_symbols(snapshot);
    struct stack stack = symbols_stack(symbols, group->stack);
    const struct above *above = above_of(symbols_state(symbols, group->state));
    struct seen seen = {.count = group->count};

    for (uint32_t i = 0; i < stack.n_frames && i < 128; i++) {
        seen.functions[i] = symbols_function(symbols, stack.frames[i]);
        seen.files[i] = symbols_file(symbols, stack.frames[i]);
        seen.lines[i] = symbols_frame(symbols, stack.frames[i]).line;
        seen.n++;
    }
    while (seen.first < seen.n && is_runtime(seen.functions[seen.first]))
        seen.first++;
    if (seen.first == seen.n)
        seen.first = 0;
    else if (above)
        memcpy(seen.above, above, sizeof(seen.above));
    return seen;
}

/* --- debug=1 --- */

static unsigned long long address_of(frame_id frame)
{
    return USER + (unsigned long long)frame * 0x40;
}

static void add_record(struct buf *out, const struct snapshot *snapshot,
                       const struct group *group)
{
    struct seen seen = see(snapshot, group);
    struct stack stack =
        symbols_stack(snapshot_symbols(snapshot), group->stack);

    buf_addf(out, "%llu @", (unsigned long long)seen.count);
    if (!seen.above[0].function) {
        for (size_t i = 0; i < seen.first; i++)
            buf_addf(out, " 0x%zx", 0x401000 + i * 0x100);
    }
    for (size_t i = 0; i < HIDDEN_ROOM && seen.above[i].function; i++)
        buf_addf(out, " 0x%llx", (unsigned long long)seen.above[i].address);
    for (size_t i = seen.first; i < seen.n; i++)
        buf_addf(out, " 0x%llx", address_of(stack.frames[i]));
    buf_addf(out, " 0x%x\n", (unsigned)GOEXIT);
    for (size_t i = seen.first; i < seen.n; i++)
        buf_addf(out, "#\t0x%llx\t" STR_FORMAT "+0x1d\t" STR_FORMAT ":%llu\n",
                 address_of(stack.frames[i]) - 1, STR_ARG(seen.functions[i]),
                 STR_ARG(seen.files[i]), (unsigned long long)seen.lines[i]);
    buf_add_char(out, '\n');
}

/* Whether the goroutines are those of a leak profile. */
static bool is_leaked(const struct snapshot *snapshot)
{
    for (size_t i = 0; i < snapshot_n_groups(snapshot); i++) {
        if (snapshot_group(snapshot, i)->leaked)
            return true;
    }
    return false;
}

void form_debug1(struct buf *out, const struct snapshot *snapshot)
{
    bool is_leak = is_leaked(snapshot);
    uint64_t total = is_leak ? 0 : 1;

    for (size_t i = 0; i < snapshot_n_groups(snapshot); i++)
        total += is_leak ? snapshot_group(snapshot, i)->leaked
                         : snapshot_group(snapshot, i)->count;
    buf_addf(out, "goroutine%s profile: total %llu\n", is_leak ? "leak" : "",
             (unsigned long long)total);
    for (size_t i = 0; i < snapshot_n_groups(snapshot); i++) {
        if (!is_leak || snapshot_group(snapshot, i)->leaked)
            add_record(out, snapshot, snapshot_group(snapshot, i));
    }
    if (is_leak)
        return;
    buf_add(out, STR("1 @ 0x47210e 0x4348f7 0x690001 0x690101 0x478541\n"
                     "#\t0x690000\tinternal/poll.runtime_pollWait+0x1d\t"
                     "/usr/local/go/src/runtime/netpoll.go:351\n"
                     "#\t0x690100\tnet.(*TCPListener).Accept+0x1d\t"
                     "/usr/local/go/src/net/tcpsock.go:380\n\n"));
}

/* --- debug=0 --- */

/* Appends a function and a location of it, and refers to that in a sample. */
static void add_call(struct proto *proto, struct buf *sample, uint64_t *id,
                     const struct above *frame, const char *file)
{
    ++*id;
    proto_function(proto, *id, frame->function, file);
    proto_location(proto, *id, frame->address, *id, frame->line, 0, 0);
    proto_number(sample, 1, *id);
}

static const struct seen listener = {
    .count = 1,
    .above = {{"runtime.gopark", 435, 0x47210e},
              {"runtime.netpollblock", 575, 0x4348f7}},
    .functions = {STR_INIT("internal/poll.runtime_pollWait"),
                  STR_INIT("net.(*TCPListener).Accept")},
    .files = {STR_INIT("/usr/local/go/src/runtime/netpoll.go"),
              STR_INIT("/usr/local/go/src/net/tcpsock.go")},
    .lines = {351, 380},
    .n = 2,
};

static void add_sample(struct proto *proto, const struct seen *seen,
                       uint64_t *id)
{
    struct buf sample = {0};
    size_t first = seen->above[0].function ? seen->first : 0;

    for (size_t i = 0; i < HIDDEN_ROOM && seen->above[i].function; i++)
        add_call(proto, &sample, id, &seen->above[i],
                 strstr(seen->above[i].function, ".chan")
                     ? "/usr/local/go/src/runtime/chan.go"
                     : "/usr/local/go/src/runtime/proc.go");
    for (size_t i = first; i < seen->n; i++)
        add_call(proto, &sample, id,
                 &(struct above){seen->functions[i].ptr, seen->lines[i],
                                 USER + *id * 0x40},
                 seen->files[i].ptr);
    proto_number(&sample, 2, seen->count);
    proto_bytes(&proto->out, 2, buf_str(&sample));
    buf_done(&sample);
}

void form_debug0(struct buf *out, const struct snapshot *snapshot)
{
    struct proto proto;
    bool is_leak = is_leaked(snapshot);
    uint64_t id = 0;

    proto_init(&proto);
    proto_type(&proto, 1, is_leak ? "goroutineleak" : "goroutine", "count");
    for (size_t i = 0; i < snapshot_n_groups(snapshot); i++) {
        struct seen seen = see(snapshot, snapshot_group(snapshot, i));

        if (!is_leak || snapshot_group(snapshot, i)->leaked)
            add_sample(&proto, &seen, &id);
    }
    if (!is_leak)
        add_sample(&proto, &listener, &id);
    proto_texts(&proto);
    buf_add(out, buf_str(&proto.out));
    proto_done(&proto);
}
