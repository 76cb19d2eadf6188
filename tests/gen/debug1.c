#include "debug1.h"

#include <stdio.h>
#include <stdlib.h>

#include "labels.h"

/* runtime.goroutineProfileWithLabels keeps so many addresses of a stack; 32 up
 * to Go 1.22. */
enum { ADDRESSES_MOST = 128, ADDRESSES_OLD = 32 };

/* One record of the profile: goroutines of one stack with equal labels. */
struct record {
    uint64_t count;
    uint32_t stack;
    uint8_t tenant; /* or NO_LABELS */
};

/* What record_compare needs besides two records. */
struct order {
    const struct population *population;
};

struct trace {
    uint32_t n;
    uint32_t n_hidden; /* leading ones without a line of their own */
    uint32_t address[ADDRESSES_MOST];
};

/* Fills in the return addresses of a stack as far as the release keeps them:
 * those of the runtime, those of the frames, and goexit's at the end. */
static void trace_make(struct trace *trace, const struct population *population,
                       const struct stack *stack)
{
    const struct frames *frames = population->frames;
    const struct release *release = frames->functions->release;
    const uint32_t *ids = population->frame_ids + stack->first;
    enum above kind = waits[stack->wait].above;
    const uint32_t *above = runtime_frames[kind][release->era].address;
    uint32_t most =
        release->minor < GO_DEEP_PROFILES ? ADDRESSES_OLD : ADDRESSES_MOST;

    trace->n = 0;
    for (unsigned i = 0; i < 3 && above[i]; i++)
        trace->address[trace->n++] = above[i];
    trace->n_hidden = trace->n;
    for (uint32_t i = 0; i < stack->n_frames && trace->n < most; i++)
        trace->address[trace->n++] =
            frame_function(frames, ids[i])->address + frames->at[ids[i]].offset;
    if (trace->n < most)
        trace->address[trace->n++] = goexit_address[release->era];
}

/* runtime/pprof/pprof.go: keysByCount. The keys are the texts of the address
 * lists, and all addresses have six digits, so that numbers compare as texts
 * do. Labels are part of the key. */
static int record_compare(const void *left, const void *right, void *user)
{
    const struct record *a = left;
    const struct record *b = right;
    const struct order *order = user;
    const struct population *population = order->population;
    struct trace x, y;

    if (a->count != b->count)
        return a->count > b->count ? -1 : 1;
    if (a->stack == b->stack)
        return a->tenant < b->tenant ? -1 : a->tenant > b->tenant;
    trace_make(&x, population, &population->stacks[a->stack]);
    trace_make(&y, population, &population->stacks[b->stack]);
    for (uint32_t i = 0; i < x.n && i < y.n; i++)
        if (x.address[i] != y.address[i])
            return x.address[i] < y.address[i] ? -1 : 1;
    return x.n < y.n ? -1 : x.n > y.n;
}

static void record_add(struct record *records, size_t *n, uint64_t count,
                       uint32_t stack, uint8_t tenant)
{
    if (count > 0)
        records[(*n)++] = (struct record){count, stack, tenant};
}

/* Returns the records in the order of the profile; the caller frees them. */
static struct record *records_make(const struct population *population,
                                   const struct tally *tally, size_t *ret_n)
{
    uint32_t n_stacks = population->plan.n_stacks;
    struct order order = {.population = population};
    struct record *records = must_alloc(
        (size_t)n_stacks * (tally->by_tenant ? TENANTS : 1), sizeof(*records));
    size_t n = 0;

    for (uint32_t i = 0; i < n_stacks; i++) {
        if (!tally->by_tenant || population->stacks[i].handler == NO_LABELS) {
            record_add(records, &n, tally->stacks[i].count, i, NO_LABELS);
            continue;
        }
        for (unsigned tenant = 0; tenant < TENANTS; tenant++)
            record_add(records, &n,
                       tally->by_tenant[(size_t)i * TENANTS + tenant], i,
                       (uint8_t)tenant);
    }
    qsort_r(records, n, sizeof(*records), record_compare, &order);
    *ret_n = n;
    return records;
}

/* Writes "NAME+0xOFFSET" into `to`; debug=1 counts from the address of the
 * call, one below the return address. */
static size_t call_print(const struct population *population, uint32_t id,
                         char *to, size_t size)
{
    const struct frame *frame = &population->frames->at[id];
    int len = snprintf(to, size, "%s+0x%x",
                       frame_function(population->frames, id)->name,
                       frame->offset - 1u);

    return (size_t)len;
}

/* Writes one "#" line for each frame of the trace. The third column is as wide
 * as its widest text and a blank, in steps of eight, and filled with tabs
 * (text/tabwriter with tab padding); the second is always one step wider than
 * its text. */
static void lines_write(struct out *out, const struct population *population,
                        const struct stack *stack, const struct trace *trace)
{
    const uint32_t *ids = population->frame_ids + stack->first;
    uint32_t n = trace->n - trace->n_hidden;
    size_t width = 0;
    char call[512];

    n = n < stack->n_frames ? n : stack->n_frames;
    for (uint32_t i = 0; i < n; i++) {
        size_t len = call_print(population, ids[i], call, sizeof(call));

        width = len > width ? len : width;
    }
    width = (width + 1 + 7) / 8 * 8;
    for (uint32_t i = 0; i < n; i++) {
        size_t len = call_print(population, ids[i], call, sizeof(call));
        const struct function *function =
            frame_function(population->frames, ids[i]);
        char *to = out_reserve(out, 2048);

        to = put_text(to, "#\t0x");
        to = put_hex(to, trace->address[trace->n_hidden + i] - 1);
        *to++ = '\t';
        to = put_bytes(to, call, len);
        for (size_t at = len; at < width; at = at / 8 * 8 + 8)
            *to++ = '\t';
        to = put_text(to, function->file);
        *to++ = ':';
        to = put_decimal(to, population->frames->at[ids[i]].line);
        *to++ = '\n';
        out_commit(out, to);
    }
}

static void record_write(struct out *out, const struct population *population,
                         const struct record *record)
{
    const struct stack *stack = &population->stacks[record->stack];
    struct trace trace;
    char *to = out_reserve(out, 4096);

    trace_make(&trace, population, stack);
    to = put_decimal(to, record->count);
    to = put_text(to, " @");
    for (uint32_t i = 0; i < trace.n; i++) {
        to = put_text(to, " 0x");
        to = put_hex(to, trace.address[i]);
    }
    *to++ = '\n';
    if (record->tenant != NO_LABELS)
        to = label_put(to, LABELS_COUNTS, stack->handler, record->tenant);
    out_commit(out, to);
    lines_write(out, population, stack, &trace);
    out_commit(out, put_text(out_reserve(out, 1), "\n"));
}

void debug1_write(struct out *out, const struct population *population,
                  const struct tally *tally)
{
    size_t n;
    struct record *records = records_make(population, tally, &n);
    char *to = put_text(out_reserve(out, 64), "goroutine profile: total ");

    to = put_decimal(to, tally->total);
    *to++ = '\n';
    out_commit(out, to);
    for (size_t i = 0; i < n; i++)
        record_write(out, population, &records[i]);
    free(records);
}
