/* spots.h - where stacks stand inside functions that take contended locks. */
#ifndef ANALYSIS_SPOTS_H
#define ANALYSIS_SPOTS_H

#include "analysis/contention.h"

enum { SPOTS_MOST = 8 }; /* scopes of one stack that are looked at */

/* How a frame relates to the line where its function takes the lock. */
enum spot_rank {
    SPOT_CROWD,  /* where others of the object stand as well: crowds.h */
    SPOT_OWNER,  /* it is there: the group itself waits */
    SPOT_BEFORE, /* not there yet */
    SPOT_INSIDE, /* a function of the scope that nobody waits in */
    SPOT_PAST,   /* behind it */
};

/* The frame of a stack that tells most in one scope. */
struct spot {
    uint32_t scope; /* index of the scope */
    uint32_t frame; /* index in the stack */
    enum spot_rank rank;
};

/* The scopes of all locks, in order, and the lines where functions take
 * them. */
struct spot_map {
    const struct contention *contention;
    scope_id *scopes;
    size_t n_scopes;
    uint32_t *of_text; /* of each function: 0 = not asked yet, 1 = none,
                          2 = depends on the caller, else index + 3 */
    uint32_t *lines;   /* of each function: where it takes a lock; 0 = not */
    uint32_t *lines_of[HOLDING_POOL]; /* one of that kind; NULL = none does */
    const bool *is_crowded;           /* of each frame; NULL = not asked yet */
};

/* False when memory ran out. */
bool spot_map_init(struct spot_map *map, const struct contention *contention);

/* The index of a scope; n_scopes when no lock has it. */
size_t spot_map_find(const struct spot_map *map, scope_id scope);

/* The index of the scope of a frame, n_scopes when no lock has it. */
size_t spot_map_scope(const struct spot_map *map, struct stack stack,
                      uint32_t frame);

/* Whether waiters of the lock stand in the function of a holder, at its line or
 * before: that function has taken the lock there, too. Who waits for the first
 * of two locks has not taken the second one yet; but where it is the only one
 * that wants the lock which is taken further down, and has for minutes, the
 * function rather takes them in either order. */
bool spot_takes(const struct contention *contention, const struct lock *lock,
                const struct holder *holder);

/* Whether a frame that is behind a line where its function takes a lock says
 * that its goroutine has this one: where the function is seen to take it, the
 * frame has to be behind a line of its kind. Where it is not, every object has
 * the locks of its type, and a plain function takes those that waiters show. */
bool spot_is_past(const struct spot_map *map, const struct lock *lock,
                  frame_id frame);

/* Whether a pointer of a goroutine with a stack is surely the receiver of its
 * frame. What a closure gets first is an argument like others: that of an
 * iterator is the body of the loop. */
bool spot_is_receiver(const struct symbols *symbols, struct stack stack,
                      const struct pointers *pointers, unsigned which);

/* The spots of a group, at most SPOTS_MOST; waiting is its own, or NULL. */
size_t spots_find(const struct spot_map *map, const struct group *group,
                  const struct waiting *waiting, struct spot spots[SPOTS_MOST]);

/* Whether a goroutine in that state stopped in the middle of something, as
 * loops that wait for work do not. */
bool spot_state_is_busy(state_id state);

/* Whether a goroutine in that state waits for a channel, or for several. */
bool spot_state_is_channel(state_id state);

/* Whether goroutines of a group that stand in a frame began with it, and wait
 * right there, or in a method of the same object, as loops do between their
 * rounds. */
bool spot_is_idle(const struct symbols *symbols,
                  const struct joined_group *group, struct stack stack,
                  frame_id frame);

/* The frame of a stack that is shown for one of it: a frame of package sync, as
 * (*Once).doSlow, says nothing to people, and its caller outside does. */
frame_id spot_shown_frame(struct symbols *symbols, stack_id id, frame_id frame);

/* Whether a stack left the functions of an object behind a spot, for a callback
 * of the user's, and waits in one of them again, at its frame `owner`. */
bool spot_comes_back(const struct spot_map *map, struct stack stack,
                     uint32_t owner, const struct spot *spot);

/* Whether a stack waits for the next connection: its loop does nothing else,
 * and mostly holds nothing meanwhile. */
bool spot_is_listener(const struct symbols *symbols, struct stack stack);

/* Whether a stack reads from a connection, and nothing but the standard library
 * is between: those do for their whole life that take what comes by it. */
bool spot_is_reader(const struct symbols *symbols, struct stack stack);

/* How many of the runtime's frames at the leaf of a stack its group is without
 * (cut.h): debug=0 and some dumps of a crash have them there. */
uint32_t spot_cut_off(const struct symbols *symbols,
                      const struct joined_group *group, struct stack stack);

/* What a spot adds to the score of a candidate of that group: more for a call
 * out of the critical section, less for what looks like an idle loop. The stack
 * is the group's own, before it was joined. */
int spot_score(const struct symbols *symbols, const struct spot *spot,
               const struct joined_group *group, struct stack stack);

#endif
