#include "truth.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "labels.h"

/* A file being written. No name or value of a generated dump needs an escape in
 * JSON. */
struct json {
    struct out out;
    const char *separator; /* before the next member of the open object */
};

static void raw(struct json *json, const char *text)
{
    out_commit(&json->out,
               put_text(out_reserve(&json->out, strlen(text)), text));
}

static void string(struct json *json, const char *text)
{
    raw(json, "\"");
    raw(json, text);
    raw(json, "\"");
}

static void number(struct json *json, uint64_t n)
{
    out_commit(&json->out, put_decimal(out_reserve(&json->out, 20), n));
}

/* Begins a member of the open object; its value comes next. */
static void key(struct json *json, const char *name)
{
    raw(json, json->separator);
    string(json, name);
    raw(json, ": ");
    json->separator = ", ";
}

static void open_object(struct json *json)
{
    raw(json, "{");
    json->separator = "";
}

static void close_object(struct json *json)
{
    raw(json, "}");
    json->separator = ", ";
}

static void key_number(struct json *json, const char *name, uint64_t n)
{
    key(json, name);
    number(json, n);
}

static void key_string(struct json *json, const char *name, const char *text)
{
    key(json, name);
    string(json, text);
}

/* A number of which 0 means that there is none. */
static void key_number_or_null(struct json *json, const char *name, uint64_t n)
{
    key(json, name);
    if (n > 0)
        number(json, n);
    else
        raw(json, "null");
}

static const struct wait *wait_of(const struct truth *truth, uint32_t stack)
{
    return &waits[truth->population->stacks[stack].wait];
}

static void states_write(struct json *json, const struct truth *truth)
{
    uint64_t counts[N_WAITS] = {0};

    for (uint32_t i = 0; i < truth->population->plan.n_stacks; i++)
        counts[truth->population->stacks[i].wait] +=
            truth->tally->stacks[i].count;
    /* Several kinds of wait may have one word: the first stands for all. */
    for (unsigned kind = N_WAITS; kind-- > 0;) {
        for (unsigned first = 0; first < kind; first++) {
            if (strcmp(waits[first].state, waits[kind].state) == 0) {
                counts[first] += counts[kind];
                counts[kind] = 0;
                break;
            }
        }
    }
    key(json, "by_state");
    open_object(json);
    for (unsigned kind = 0; kind < N_WAITS; kind++)
        if (counts[kind] > 0)
            key_number(json, waits[kind].state, counts[kind]);
    close_object(json);
}

static uint64_t locked_to_thread(const struct truth *truth)
{
    uint64_t n = 0;

    for (uint32_t i = 0; i < truth->population->plan.n_stacks; i++)
        if (wait_of(truth, i)->in_thread)
            n += truth->tally->stacks[i].count;
    return n;
}

/* Returns whether the dump shows the labels that its goroutines have. */
static bool shows_labels(const struct truth *truth)
{
    const struct release *release =
        truth->population->frames->functions->release;

    if (!truth->tally->by_tenant)
        return false;
    return !truth->debug2 || label_form_of(release) != LABELS_NONE;
}

static void label_values_write(struct json *json, const char *name,
                               const char *const *values,
                               const uint64_t *counts, unsigned n)
{
    key(json, name);
    open_object(json);
    for (unsigned i = 0; i < n; i++)
        if (counts[i] > 0)
            key_number(json, values[i], counts[i]);
    close_object(json);
}

static void labels_write(struct json *json, const struct truth *truth)
{
    uint64_t handlers[HANDLERS] = {0};
    uint64_t tenants[TENANTS] = {0};
    uint32_t n_stacks =
        shows_labels(truth) ? truth->population->plan.n_stacks : 0;

    for (uint32_t i = 0; i < n_stacks; i++) {
        uint8_t handler = truth->population->stacks[i].handler;

        for (unsigned tenant = 0; tenant < TENANTS; tenant++) {
            uint32_t n = truth->tally->by_tenant[(size_t)i * TENANTS + tenant];

            tenants[tenant] += n;
            if (handler != NO_LABELS)
                handlers[handler] += n;
        }
    }
    key(json, "labels");
    open_object(json);
    label_values_write(json, "handler", handler_names, handlers, HANDLERS);
    label_values_write(json, "tenant", tenant_names, tenants, TENANTS);
    close_object(json);
}

static void locks_write(struct json *json, const struct truth *truth)
{
    const char *separator = "";

    key(json, "locks");
    raw(json, "[");
    for (unsigned i = 0; truth->debug2 && i < LOCKS; i++) {
        char address[32];

        if (truth->tally->locks[i] == 0)
            continue;
        raw(json, separator);
        separator = ", ";
        debug2_lock_address(truth->debug2, i, address);
        open_object(json);
        key_string(json, "address", address);
        key_number(json, "waiters", truth->tally->locks[i]);
        close_object(json);
    }
    raw(json, "]");
}

/* Writes the members that say where a frame stands. */
static void frame_write(struct json *json, const struct frames *frames,
                        uint32_t id)
{
    key_string(json, "function", frame_function(frames, id)->name);
    key_string(json, "file", frame_function(frames, id)->file);
    key_number(json, "line", frames->at[id].line);
}

static void group_write(struct json *json, const struct truth *truth,
                        uint32_t index)
{
    const struct frames *frames = truth->population->frames;
    const struct stack *stack = &truth->population->stacks[index];
    const struct stack_tally *tally = &truth->tally->stacks[index];
    const struct wait *wait = wait_of(truth, index);
    const uint32_t *ids = truth->population->frame_ids + stack->first;
    bool ages = truth->debug2 != NULL;

    open_object(json);
    frame_write(json, frames, ids[0]);
    key(json, "site");
    if (stack->site < stack->n_frames) {
        open_object(json);
        frame_write(json, frames, ids[stack->site]);
        close_object(json);
    } else {
        raw(json, "null");
    }
    key(json, "created_by");
    if (truth->debug2 && stack->creator != NO_CREATOR)
        string(json, frame_function(frames, stack->creator)->name);
    else
        raw(json, "null");
    key_string(json, "state", wait->state);
    key_string(json, "word", wait_word(wait, frames->functions->release));
    key(json, "state_clear");
    raw(json, truth->debug2 || !wait->unclear ? "true" : "false");
    key_number(json, "count", tally->count);
    key_number_or_null(json, "min_age_minutes", ages ? tally->min_minutes : 0);
    key_number_or_null(json, "max_age_minutes", ages ? tally->max_minutes : 0);
    key_number(json, "without_age", ages ? tally->count - tally->n_aged : 0);
    key(json, "locked_to_thread");
    if (truth->debug2)
        number(json, wait->in_thread ? tally->count : 0);
    else
        raw(json, "null");
    key_number(json, "depth", stack->n_frames);
    close_object(json);
}

struct rank {
    uint64_t count;
    uint32_t stack;
};

static int rank_compare(const void *left, const void *right)
{
    const struct rank *a = left;
    const struct rank *b = right;

    if (a->count != b->count)
        return a->count > b->count ? -1 : 1;
    return a->stack < b->stack ? -1 : a->stack > b->stack;
}

/* Returns the stacks that goroutines were drawn for, the largest first; the
 * caller frees them. */
static struct rank *ranks_make(const struct truth *truth, uint32_t *ret_n)
{
    uint32_t n_stacks = truth->population->plan.n_stacks;
    struct rank *ranks = must_alloc(n_stacks, sizeof(*ranks));
    uint32_t n = 0;

    for (uint32_t i = 0; i < n_stacks; i++)
        if (truth->tally->stacks[i].count > 0)
            ranks[n++] = (struct rank){truth->tally->stacks[i].count, i};
    qsort(ranks, n, sizeof(*ranks), rank_compare);
    *ret_n = n;
    return ranks;
}

static void whole_write(struct json *json, const struct truth *truth,
                        const struct rank *ranks, uint32_t n)
{
    const struct release *release =
        truth->population->frames->functions->release;
    char go[16] = "1.";

    *put_decimal(go + 2, release->minor) = '\0';
    open_object(json);
    key_string(json, "format", truth->debug2 ? "debug2" : "debug1");
    key_string(json, "go", go);
    key_number(json, "seed", truth->population->plan.seed);
    key_number(json, "bytes", truth->bytes);
    key_number(json, "total", truth->tally->total);
    key_number(json, "stacks", n);
    key_number_or_null(json, "max_goroutine_id",
                       truth->debug2 ? debug2_max_id(truth->debug2) : 0);
    key(json, "locked_to_thread");
    if (truth->debug2)
        number(json, locked_to_thread(truth));
    else
        raw(json, "null");
    states_write(json, truth);
    labels_write(json, truth);
    locks_write(json, truth);
    json->separator = ", ";
    key(json, "groups");
    raw(json, "[");
    for (uint32_t i = 0; i < n; i++) {
        raw(json, i > 0 ? ",\n" : "\n");
        group_write(json, truth, ranks[i].stack);
    }
    raw(json, "\n]}\n");
}

void truth_write(const struct truth *truth, const char *path)
{
    struct json json = {.separator = ""};
    uint32_t n;
    struct rank *ranks = ranks_make(truth, &n);
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);

    if (fd < 0)
        die("cannot write '%s': %s", path, strerror(errno));
    out_open(&json.out, fd);
    whole_write(&json, truth, ranks, n);
    out_close(&json.out);
    if (close(fd) != 0)
        die("cannot write '%s': %s", path, strerror(errno));
    free(ranks);
}
