#include "population.h"

#include <math.h>
#include <stdlib.h>

#include "out.h"

const char *const handler_names[HANDLERS] = {
    "/api/v1/users",    "/api/v1/orders", "/api/v1/orders/{id}",
    "/api/v1/search",   "/api/v1/carts",  "/api/v1/invoices",
    "/api/v2/sessions", "/healthz",       "GET /items/{id}",
    "POST /import",     "/internal/sync", "/ws",
};

const char *const tenant_names[TENANTS] = {"acme",   "globex",   "initech",
                                           "tyrell", "umbrella", "wayne ltd"};

/* As many frames from the leaf decide whether two stacks are the same: no
 * format cuts them off (debug=1 of Go 1.22 keeps 32 addresses). */
enum { IDENTITY_FRAMES = 20 };

/* After so many equal stacks in a row the next one gets a frame more. */
enum { TRIES_PER_LENGTH = 8 };

/* The stacks under construction. */
struct builder {
    struct population *population;
    struct dice dice;
    uint64_t n_ids, room; /* of population.frame_ids */
    uint64_t *seen;       /* hashes of the stacks so far; 0 = free */
    uint64_t seen_mask;
    uint32_t n_deep;
};

uint32_t plan_functions(const struct plan *plan)
{
    uint32_t n = plan->n_stacks < FUNCTIONS_MOST / 4 ? plan->n_stacks * 4
                                                     : FUNCTIONS_MOST;

    return n < 256 ? 256 : n;
}

static void push(struct builder *builder, uint32_t frame)
{
    struct population *population = builder->population;

    if (builder->n_ids == builder->room) {
        builder->room = builder->room ? builder->room * 2 : 4096;
        population->frame_ids =
            realloc(population->frame_ids, builder->room * sizeof(uint32_t));
        if (!population->frame_ids)
            die("no memory for %llu frames", (unsigned long long)builder->room);
    }
    population->frame_ids[builder->n_ids++] = frame;
}

/* Adds a frame of the library, unless the release does not have it. */
static void push_std(struct builder *builder, enum std id)
{
    if (builder->population->frames->at[id].line)
        push(builder, id);
}

/* Draws a frame of a user function other than main.main. The outermost of a
 * chain cannot be inlined: there is nothing that it could be inlined into. */
static uint32_t user_frame(struct builder *builder, bool outermost)
{
    const struct functions *functions = builder->population->frames->functions;
    uint32_t n = functions->n - N_STD - 1;
    uint32_t function;

    do
        function = N_STD + 1 + dice_below(&builder->dice, n);
    while (outermost && function_inlined(&functions->at[function]));
    return frame_of_user(function, dice_below(&builder->dice, CALLS));
}

/* Adds `n` user frames; those behind the third are two functions that call each
 * other when the stack is to be a recursion. */
static void push_user(struct builder *builder, uint32_t n, bool recursive)
{
    uint32_t pair[2] = {user_frame(builder, true), user_frame(builder, true)};

    for (uint32_t i = 0; i < n; i++) {
        if (recursive && i >= 3)
            push(builder, pair[i % 2]);
        else
            push(builder, user_frame(builder, i + 1 == n));
    }
}

/* Returns whether the stack has been seen before, and remembers it if not. */
static bool is_known(struct builder *builder, const struct stack *stack)
{
    const struct population *population = builder->population;
    const uint32_t *ids = population->frame_ids + stack->first;
    uint64_t hash = 1;
    uint64_t at;

    for (uint32_t i = 0; i < stack->n_frames && i < IDENTITY_FRAMES; i++)
        hash = dice_mix(hash ^ population->frames->at[ids[i]].function);
    for (at = hash & builder->seen_mask; builder->seen[at] != 0;
         at = (at + 1) & builder->seen_mask) {
        if (builder->seen[at] == hash)
            return true;
    }
    builder->seen[at] = hash;
    return false;
}

static enum wait_kind wait_draw(struct builder *builder)
{
    bool locks_only =
        builder->population->plan.locks && dice_below(&builder->dice, 2) == 0;
    uint32_t total = 0;
    uint32_t point;

    for (unsigned kind = 0; kind < N_COMMON_WAITS; kind++)
        if (!locks_only || waits[kind].lock)
            total += waits[kind].weight;
    point = dice_below(&builder->dice, total);
    for (unsigned kind = 0; kind < N_COMMON_WAITS; kind++) {
        if (locks_only && !waits[kind].lock)
            continue;
        if (point < waits[kind].weight)
            return (enum wait_kind)kind;
        point -= waits[kind].weight;
    }
    return WAIT_SELECT;
}

/* Fills in what does not depend on the frames. */
static void stack_props(struct builder *builder, struct stack *stack,
                        enum wait_kind kind)
{
    static const uint16_t spans[] = {0, 0, 4, 45, 600, 4320};
    const struct plan *plan = &builder->population->plan;
    struct dice *dice = &builder->dice;
    uint16_t span = spans[dice_below(dice, sizeof(spans) / sizeof(spans[0]))];
    bool labelled = dice_below(dice, 2) == 0;

    stack->wait = (uint8_t)kind;
    stack->span = waits[kind].ages ? span : 0;
    stack->handler = (uint8_t)dice_below(dice, HANDLERS);
    if (!plan->labels || !labelled)
        stack->handler = NO_LABELS;
    stack->lock = (uint8_t)dice_below(dice, LOCKS);
    stack->n_locks = waits[kind].lock ? (uint8_t)(1 + dice_below(dice, 3)) : 0;
    stack->one_creator = dice_below(dice, 4) == 0;
}

/* Adds the frames of an ordinary stack; `more` lengthens it. A third of the
 * goroutines serve a request and so stand under net/http's frames. */
static void common_frames(struct builder *builder, struct stack *stack,
                          bool deep, uint32_t more)
{
    static const enum std server[] = {STD_HANDLER_FUNC, STD_SERVE_MUX,
                                      STD_SERVER_HANDLER, STD_CONN_SERVE};
    const struct plan *plan = &builder->population->plan;
    const struct wait *wait = &waits[stack->wait];
    bool serves = dice_below(&builder->dice, 3) == 0;
    uint32_t n =
        plan->min_frames + more +
        dice_below(&builder->dice, plan->max_frames - plan->min_frames + 1);
    uint32_t n_outer = serves ? 4 : 0;

    if (deep)
        n = plan->deep;
    for (unsigned i = 0; i < wait->n_frames; i++)
        push_std(builder, wait->frames[i]);
    stack->site = (uint32_t)(builder->n_ids - stack->first);
    n = n > stack->site + n_outer ? n - stack->site - n_outer : 1;
    push_user(builder, n, deep);
    for (uint32_t i = 0; i < n_outer; i++)
        push_std(builder, server[i]);
    stack->creator = serves ? STD_GO_SERVE : user_frame(builder, true);
    stack->one_creator |= serves;
}

static void common_stack(struct builder *builder, struct stack *stack,
                         bool deep)
{
    uint32_t tries = 0;

    stack_props(builder, stack, wait_draw(builder));
    stack->first = builder->n_ids;
    do {
        builder->n_ids = stack->first;
        common_frames(builder, stack, deep, tries++ / TRIES_PER_LENGTH);
        stack->n_frames = (uint32_t)(builder->n_ids - stack->first);
    } while (is_known(builder, stack));
}

/* Makes a stack that every server has; it has its library frames, and main.main
 * below them when it is the main goroutine. */
static void special_stack(struct builder *builder, struct stack *stack,
                          enum wait_kind kind)
{
    const struct wait *wait = &waits[kind];
    bool is_main = kind == WAIT_ACCEPT;

    *stack = (struct stack){.first = builder->n_ids,
                            .wait = (uint8_t)kind,
                            .span = wait->ages ? 3 : 0,
                            .handler = NO_LABELS,
                            .creator = STD_GO_SERVE,
                            .one_creator = true};
    for (unsigned i = 0; i < wait->n_frames; i++)
        push_std(builder, wait->frames[i]);
    stack->site = (uint32_t)(builder->n_ids - stack->first);
    if (is_main) {
        push(builder, frame_of_user(MAIN_FUNCTION, 0));
        stack->creator = NO_CREATOR;
        /* runtime/pprof/pprof.go hides leading runtime frames only, while
         * runtime/traceback.go hides them all. */
        if (builder->population->plan.by_counts)
            push_std(builder, STD_RUNTIME_MAIN);
    }
    if (kind == WAIT_SIGNAL)
        stack->creator = STD_GO_SIGNAL;
    stack->n_frames = (uint32_t)(builder->n_ids - stack->first);
    is_known(builder, stack);
}

/* Returns the special wait that the stack with that index has, or
 * N_WAITS. */
static enum wait_kind special_kind(const struct plan *plan, uint32_t index)
{
    if (plan->n_stacks < STACKS_OF_ITS_OWN)
        return N_WAITS;
    if (index == DUMP_STACK)
        return plan->by_counts ? WAIT_DUMP_COUNTS : WAIT_DUMP;
    if (index == MAIN_STACK)
        return WAIT_ACCEPT;
    if (index == 3 && plan->n_stacks >= 10)
        return WAIT_IDLE;
    if (index == 8 && plan->n_stacks >= 10)
        return WAIT_SIGNAL;
    return N_WAITS;
}

/* Returns the share of a stack in the draw, in no unit. Specials other than
 * idle connections are there once. */
static double weight_of(const struct population *population, uint32_t index)
{
    enum wait_kind kind = population->stacks[index].wait;

    if (kind >= N_COMMON_WAITS && kind != WAIT_IDLE)
        return 0;
    return pow(index + 1.0, -1.3);
}

/* Gives one common stack its share of all, if the plan says so. Returns the sum
 * of the weights, which was `sum`. */
static double add_leak(struct population *population, double sum)
{
    uint32_t last = population->plan.n_stacks - 1;
    uint32_t index = last < LEAK_STACK ? last : LEAK_STACK;
    double share = population->plan.leak / 100.0;
    double *weight = &population->keep[index];

    if (share <= 0)
        return sum;
    sum -= *weight;
    *weight = sum > 0 ? sum * share / (1 - share) : 1;
    return sum + *weight;
}

/* Prepares the draw by weight: Walker's alias method in Vose's form. Stack i is
 * kept with probability keep[i], otherwise other[i] is taken. */
static void aliases_init(struct population *population)
{
    uint32_t n = population->plan.n_stacks;
    uint32_t *todo = must_alloc(n, sizeof(*todo));
    uint32_t n_small = 0;
    uint32_t large = n; /* todo holds the small from below, large from above */
    double sum = 0;

    population->keep = must_alloc(n, sizeof(*population->keep));
    population->other = must_alloc(n, sizeof(*population->other));
    for (uint32_t i = 0; i < n; i++)
        sum += population->keep[i] = weight_of(population, i);
    sum = add_leak(population, sum);
    for (uint32_t i = 0; i < n; i++) {
        population->keep[i] *= n / sum;
        population->other[i] = i;
        todo[population->keep[i] < 1 ? n_small++ : --large] = i;
    }
    while (n_small > 0 && large < n) {
        uint32_t small = todo[--n_small];
        uint32_t big = todo[large];

        population->other[small] = big;
        population->keep[big] -= 1 - population->keep[small];
        if (population->keep[big] < 1) {
            large++;
            todo[n_small++] = big;
        }
    }
    while (n_small > 0)
        population->keep[todo[--n_small]] = 1;
    while (large < n)
        population->keep[todo[large++]] = 1;
    free(todo);
}

static void stack_init(struct builder *builder, uint32_t index)
{
    struct population *population = builder->population;
    const struct plan *plan = &population->plan;
    struct stack *stack = &population->stacks[index];
    enum wait_kind special = special_kind(plan, index);
    uint32_t turn = plan->n_stacks > 9 ? 9 : plan->n_stacks - 1;
    bool deep =
        plan->deep > 0 && builder->n_deep < DEEP_STACKS && index % 16 == turn;

    if (special != N_WAITS) {
        special_stack(builder, stack, special);
        return;
    }
    builder->n_deep += deep;
    common_stack(builder, stack, deep);
}

void population_init(struct population *population, const struct plan *plan,
                     const struct frames *frames)
{
    struct builder builder = {.population = population};
    uint64_t room = 1024;

    *population = (struct population){.plan = *plan, .frames = frames};
    population->has_own = plan->n_stacks >= STACKS_OF_ITS_OWN;
    dice_init(&population->dice, plan->seed, 1);
    dice_init(&builder.dice, plan->seed, 2);
    while (room < (uint64_t)plan->n_stacks * 2)
        room *= 2;
    builder.seen = must_alloc(room, sizeof(*builder.seen));
    builder.seen_mask = room - 1;
    population->stacks =
        must_alloc(plan->n_stacks, sizeof(*population->stacks));
    for (uint32_t i = 0; i < plan->n_stacks; i++)
        stack_init(&builder, i);
    free(builder.seen);
    aliases_init(population);
}

void population_done(struct population *population)
{
    free(population->stacks);
    free(population->frame_ids);
    free(population->keep);
    free(population->other);
}

/* Chooses the stack of the next goroutine: one that has not stood yet when it
 * is due, otherwise one by weight. The writer and goroutine 1 come first. */
static uint32_t stack_draw(struct population *population, uint64_t done,
                           uint64_t all)
{
    uint32_t n = population->plan.n_stacks;
    uint32_t at = dice_below(&population->dice, n);
    double point = dice_unit(&population->dice);
    double shown = (double)population->n_shown;
    bool due = shown * (double)all <= (double)done * n ||
               (population->has_own && population->n_shown <= MAIN_STACK);

    if (due && population->n_shown < n)
        return population->n_shown++;
    return point < population->keep[at] ? at : population->other[at];
}

void population_draw(struct population *population, uint64_t done, uint64_t all,
                     struct draw *draw)
{
    uint32_t index = stack_draw(population, done, all);
    const struct stack *stack = &population->stacks[index];
    double past = done < all ? (double)done / (double)all : 1;
    double minutes = stack->span * (1 - 0.95 * past);
    uint32_t spread = stack->n_locks ? stack->n_locks : 1;

    minutes *= 0.6 + 0.4 * dice_unit(&population->dice);
    *draw = (struct draw){
        .stack = index,
        .minutes = (uint32_t)minutes,
        .tenant = (uint8_t)dice_below(&population->dice, TENANTS),
    };
    draw->lock =
        (uint8_t)((stack->lock + dice_below(&population->dice, spread)) %
                  LOCKS);
    if (stack->handler == NO_LABELS)
        draw->tenant = NO_LABELS;
}
