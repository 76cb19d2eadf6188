/* made_dump.h - a dump made by hand, goroutine by goroutine, and what is said
 * of the locks that it waits for. There is one at a time. */
#ifndef SUPPORT_MADE_DUMP_H
#define SUPPORT_MADE_DUMP_H

#include <stdint.h>

/* Begin and end a test. */
int made_set_up(void **state);
int made_tear_down(void **state);

/* Begins another dump. */
void made_anew(void);

/* Adds a goroutine: its frames are calls with a line of /m.go, as
 * "main.(*T).Get(0x1) 15", leaf first, or "@" and the address of a Mutex that
 * it waits for; NULL ends them. */
void made_add(unsigned id, const char *state, const char *const *frames);

#define MADE_GOROUTINE(id, state, ...)                                         \
 made_add(id, state, (const char *const[]){__VA_ARGS__, NULL})

#define MADE_LOCKED "sync.Mutex.Lock"

/* What is said of the lock that the group with that site waits for. Good until
 * the next call, as the others are. */
const char *made_held_at(const char *site);

/* How many wait for that lock; 0 = it is none. */
uint64_t made_waiters_at(const char *site);

/* All circles, a step a line. */
const char *made_circles(void);

/* What is said where nothing is known. */
const char *made_held_by_unknown(void);

#endif
