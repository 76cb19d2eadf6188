#include "functions.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dice.h"
#include "out.h"

/* How a name is put together. A release without generics gets methods for the
 * last two. */
enum shape {
    SHAPE_METHOD,
    SHAPE_VALUE_METHOD,
    SHAPE_FUNCTION,
    SHAPE_CLOSURE,
    SHAPE_INNER_CLOSURE,
    SHAPE_GENERIC_METHOD,
    SHAPE_GENERIC_FUNCTION,
};

/* Where the packages of one repository come from. */
struct module {
    const char *path; /* as in names: dots of its last part escaped */
    const char *dir;
};

static const struct module program = {"main", "/srv/src/gateway/cmd/gateway"};
static const struct module gateway = {"github.com/acme/gateway",
                                      "/srv/src/gateway"};
static const struct module kit = {"github.com/acme/kit",
                                  "/go/pkg/mod/github.com/acme/kit@v1.14.2"};
static const struct module ledger = {
    "go.example.com/ledger/v2", "/go/pkg/mod/go.example.com/ledger/v2@v2.3.0"};
static const struct module hub = {"gopkg.in/acme/hub%2ev3",
                                  "/go/pkg/mod/gopkg.in/acme/hub.v3@v3.1.0"};
static const struct module search = {
    "example.org/search",
    "/go/pkg/mod/example.org/search@v0.0.0-20240110153022-41b0c3d2f9aa"};
static const struct module bus = {
    "gitlab.example.net/platform/bus/v4",
    "/go/pkg/mod/gitlab.example.net/platform/bus/v4@v4.0.7"};

struct package {
    const struct module *module;
    const char *below; /* its path in the module, with the slash before it */
};

static const struct package packages[] = {
    {&program, ""},
    {&gateway, "/internal/limits"},
    {&gateway, "/internal/proxy"},
    {&gateway, "/internal/queue"},
    {&gateway, "/internal/session"},
    {&gateway, "/internal/store"},
    {&gateway, "/pkg/api"},
    {&kit, "/metrics"},
    {&kit, "/pool"},
    {&kit, "/retry"},
    {&ledger, "/codec"},
    {&ledger, "/journal"},
    {&ledger, "/stream"},
    {&hub, ""},
    {&search, "/index"},
    {&search, "/shard"},
    {&bus, ""},
    {&bus, "/internal/transport"},
};

static const char *const types[] = {
    "Account",   "Backend",    "Batch",     "Broker",   "Bucket",
    "Cache",     "Channel",    "Client",    "Cluster",  "Consumer",
    "Cursor",    "Dispatcher", "Encoder",   "Endpoint", "Exporter",
    "Feed",      "Fetcher",    "Gateway",   "Handler",  "Import",
    "Index",     "Invoice",    "Job",       "Journal",  "Ledger",
    "Limiter",   "Link",       "Mapper",    "Member",   "Monitor",
    "Node",      "Order",      "Partition", "Peer",     "Pipeline",
    "Producer",  "Publisher",  "Quota",     "Reader",   "Replica",
    "Scheduler", "Segment",    "Session",   "Shard",    "Snapshot",
    "Stream",    "Subscriber", "Table",     "Ticket",   "Token",
    "Tracker",   "Uploader",   "Watcher",   "Worker",
};

static const char *const verbs[] = {
    "Accept",  "Acquire", "Append",  "Apply",   "Await",  "Balance", "Close",
    "Collect", "Commit",  "Deliver", "Do",      "Drain",  "Enqueue", "Expire",
    "Fetch",   "Flush",   "Get",     "Handle",  "Listen", "Load",    "Merge",
    "Next",    "Notify",  "Poll",    "Process", "Put",    "Receive", "Refresh",
    "Resolve", "Run",     "Send",    "Sync",    "Update", "Wait",
};

#define LENGTH(array) ((uint32_t)(sizeof(array) / sizeof((array)[0])))

_Static_assert(LENGTH(packages) * LENGTH(types) * LENGTH(verbs) >=
                   FUNCTIONS_MOST,
               "every user function needs a name of its own");

/* Arguments of user functions: newer releases, and the flat words of old ones.
 * What is NULL is an inlined call. */
static const char *const arguments[][2] = {
    {"", ""},
    {"%p", "%p"},
    {"%p?", "%p"},
    {NULL, NULL},
    {"%p, {0x76dc98, %p}", "%p, 0x76dc98, %p"},
    {"%p, {0x8137a0?, %p?}, %p", "%p, 0x8137a0, %p, %p"},
    {"%p, {%p, 0x18, 0x20}", "%p, %p, 0x18, 0x20"},
    {"{%p?, 0x9?}, 0x3e8", "%p, 0x9, 0x3e8"},
    {"%p, {%p?, 0x9?}, {0x0, 0x0}", "%p, %p, 0x9, 0x0, 0x0"},
    {"0x2540be400, %p?", "0x2540be400, %p"},
    {"%p, 0x7, {%p, 0x4}, {0x1, 0x2, {0x779628, ...}}, ...",
     "%p, 0x7, %p, 0x4, 0x1, 0x2, 0x779628, 0x3, %p, 0x3, ..."},
    {"%p, {0x76dc98, %p}, {%p, 0x24}, 0x0?",
     "%p, 0x76dc98, %p, %p, 0x24, 0x0, 0x0"},
};

static enum shape shape_of(uint64_t mixed, const struct release *release)
{
    static const enum shape shapes[16] = {
        [8] = SHAPE_CLOSURE,         [9] = SHAPE_CLOSURE,
        [10] = SHAPE_INNER_CLOSURE,  [11] = SHAPE_FUNCTION,
        [12] = SHAPE_FUNCTION,       [13] = SHAPE_VALUE_METHOD,
        [14] = SHAPE_GENERIC_METHOD, [15] = SHAPE_GENERIC_FUNCTION,
    };
    enum shape shape = shapes[mixed & 15];

    if (release->minor < GO_GENERICS && shape >= SHAPE_GENERIC_METHOD)
        return SHAPE_METHOD;
    return shape;
}

/* Writes the part of a name behind its package. */
static void name_print(char *to, size_t size, enum shape shape,
                       const char *type, const char *verb)
{
    switch (shape) {
    case SHAPE_METHOD:
        snprintf(to, size, "(*%s).%s", type, verb);
        break;
    case SHAPE_VALUE_METHOD:
        snprintf(to, size, "%s.%s", type, verb);
        break;
    case SHAPE_FUNCTION:
        snprintf(to, size, "%c%s%s", tolower((unsigned char)verb[0]), verb + 1,
                 type);
        break;
    case SHAPE_CLOSURE:
        snprintf(to, size, "(*%s).%s.func1", type, verb);
        break;
    case SHAPE_INNER_CLOSURE:
        snprintf(to, size, "(*%s).%s.func2.1", type, verb);
        break;
    case SHAPE_GENERIC_METHOD:
        snprintf(to, size, "(*%s[...]).%s", type, verb);
        break;
    case SHAPE_GENERIC_FUNCTION:
        snprintf(to, size, "%s%s[...]", verb, type);
        break;
    }
}

/* Returns a new string of three parts. */
static char *joined(const char *first, const char *second, const char *third)
{
    size_t size = strlen(first) + strlen(second) + strlen(third) + 1;
    char *text = must_alloc(size, 1);

    snprintf(text, size, "%s%s%s", first, second, third);
    return text;
}

/* Makes the user function with that number. The number is spread over package,
 * type and verb, each pair of numbers giving another triple. */
static void user_function_init(struct function *function, uint32_t number,
                               uint64_t seed, const struct release *release)
{
    static const uint32_t all =
        LENGTH(packages) * LENGTH(types) * LENGTH(verbs);
    /* A step without a common divisor with `all` visits every triple once. */
    uint32_t triple = (uint32_t)(((uint64_t)number * 9973 + seed % all) % all);
    const struct package *package = &packages[triple % LENGTH(packages)];
    uint32_t pair = triple / LENGTH(packages);
    const char *type = types[pair % LENGTH(types)];
    const char *verb = verbs[pair / LENGTH(types)];
    uint64_t mixed = dice_mix(seed ^ (uint64_t)triple << 20);
    uint32_t args = (uint32_t)(mixed >> 8) % LENGTH(arguments);
    char local[80], file[40];

    local[0] = '.';
    name_print(local + 1, sizeof(local) - 1, shape_of(mixed, release), type,
               verb);
    snprintf(file, sizeof(file), "/%c%s.go", tolower((unsigned char)type[0]),
             type + 1);
    *function = (struct function){
        .name = joined(package->module->path, package->below, local),
        .file = joined(package->module->dir, package->below, file),
        .args = arguments[args][0],
        .flat = arguments[args][1],
        .line = 12 + (uint32_t)(mixed >> 32) % 700,
        .address = 0x700000 + number * 0x1c0,
    };
}

/* The first user function: that in which every program begins. */
static void main_function_init(struct function *function)
{
    *function = (struct function){
        .name = joined(program.path, ".", "main"),
        .file = joined(program.dir, "/", "main.go"),
        .args = "",
        .flat = "",
        .line = 31,
        .address = 0x700000,
    };
}

static void std_function_init(struct function *function, uint32_t number)
{
    const struct std_frame *frame = &std_frames[number];

    *function = (struct function){
        .name = joined(frame->function, "", ""),
        .file = joined("/usr/local/go/src", "/", frame->file),
        .args = frame->args,
        .flat = frame->flat,
        .address = 0x4a0000 + number * 0x1000,
    };
}

void functions_init(struct functions *functions, uint32_t n_user, uint64_t seed,
                    const struct release *release)
{
    uint32_t n = N_STD + n_user;

    *functions = (struct functions){.n = n, .release = release};
    functions->at = must_alloc(n, sizeof(*functions->at));
    for (uint32_t i = 0; i < n; i++) {
        if (i < N_STD)
            std_function_init(&functions->at[i], i);
        else if (i == MAIN_FUNCTION)
            main_function_init(&functions->at[i]);
        else
            user_function_init(&functions->at[i], i - N_STD, seed, release);
    }
}

void functions_done(struct functions *functions)
{
    for (uint32_t i = 0; i < functions->n; i++) {
        free(functions->at[i].name);
        free(functions->at[i].file);
    }
    free(functions->at);
}
