/* population.h - who stands where: the distinct stacks of a made-up process
 * and the draw of one goroutine after another.
 *
 * Stacks differ in their function names, so however closely a reader looks, it
 * finds as many groups. A few stacks hold most of the goroutines and the rest
 * make a long tail: the weight of the stack of rank r is r^-1.3. With a leak
 * one of them holds a given share of all, and the others what is left. When
 * there are at least STACKS_OF_ITS_OWN, two stand for one goroutine each, that
 * which writes the dump and the main one, and more for what every server has.
 *
 * Draws depend on the seed and the options alone, not on the format: debug=1
 * and debug=2 of one seed show the same process, the goroutine that writes the
 * dump excepted. */
#ifndef GEN_POPULATION_H
#define GEN_POPULATION_H

#include <stdbool.h>
#include <stdint.h>

#include "dice.h"
#include "frames.h"
#include "waits.h"

/* From this number on a process has its writer, main and the like. */
enum { STACKS_OF_ITS_OWN = 4 };

/* Their indexes. */
enum { DUMP_STACK, MAIN_STACK, LEAK_STACK };

/* Labels: one of HANDLERS for a stack, one of TENANTS for a goroutine. */
enum { HANDLERS = 12, TENANTS = 6, NO_LABELS = 255 };

extern const char *const handler_names[HANDLERS];
extern const char *const tenant_names[TENANTS]; /* in alphabetical order */

/* How many locks the goroutines of a process wait for. */
enum { LOCKS = 16 };

/* Depth of the recursive stacks at most, and how many there are at most. */
enum { DEEP_MOST = 10000, DEEP_STACKS = 64 };

/* The most stacks, and the most frames of an ordinary one. */
enum { STACKS_MOST = 10000000, FRAMES_MOST = 1000 };

struct plan {
    uint64_t seed;
    uint32_t n_stacks;
    uint32_t leak; /* percent of the goroutines in one stack; 0 = no leak */
    uint32_t min_frames, max_frames; /* printed in one goroutine */
    uint32_t deep;  /* frames of the recursive stacks; 0 = there are none */
    bool labels;    /* half of the stacks carry labels */
    bool locks;     /* half of the stacks wait for a lock */
    bool by_counts; /* the goroutine that writes the dump writes debug=1 */
};

struct stack {
    uint64_t first; /* index of its leaf in population.frame_ids */
    uint32_t n_frames;
    uint32_t site;    /* index of the first user frame; n_frames: has none */
    uint32_t creator; /* frame id of the go statement; NO_CREATOR */
    uint16_t span;    /* minutes that its oldest goroutines have waited */
    uint8_t wait;     /* enum wait_kind */
    uint8_t handler;  /* below HANDLERS, or NO_LABELS */
    uint8_t lock;     /* the first of its locks */
    uint8_t n_locks;  /* it spreads over so many; 0: waits for none */
    bool one_creator; /* every one is created by the same goroutine */
};

#define NO_CREATOR UINT32_MAX

struct population {
    struct plan plan;
    const struct frames *frames;
    struct stack *stacks;
    uint32_t *frame_ids; /* of all stacks, the leaf first */
    bool has_own; /* DUMP_STACK and MAIN_STACK are what their names say */

    /* For the draw: Walker's alias method, and how many stacks stood already
     * for the first time. */
    double *keep;
    uint32_t *other;
    uint32_t n_shown;
    struct dice dice;
};

/* One goroutine. */
struct draw {
    uint32_t stack;
    uint32_t minutes; /* of waiting; 0: not said */
    uint8_t tenant;   /* below TENANTS, or NO_LABELS */
    uint8_t lock;     /* below LOCKS; what it says counts only where n_locks */
};

/* Makes the stacks of a plan. The frames must outlive the population. */
void population_init(struct population *population, const struct plan *plan,
                     const struct frames *frames);

/* Frees what population_init made. */
void population_done(struct population *population);

/* Returns how many user functions a plan needs. */
uint32_t plan_functions(const struct plan *plan);

/* Draws the next goroutine. `done` of `all` have gone before, in goroutines or
 * bytes: every stack stands for the first time before `done` reaches `all`, and
 * goroutines wait the less the later they come. */
void population_draw(struct population *population, uint64_t done, uint64_t all,
                     struct draw *draw);

#endif
