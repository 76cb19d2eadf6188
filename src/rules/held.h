/* held.h - who holds what others wait for, in words.
 *
 * One wording for explanations and reports. What is inferred says how sure it
 * is: "held by", "probably held by", "perhaps held by". */
#ifndef RULES_HELD_H
#define RULES_HELD_H

#include "analysis/analysis.h"
#include "base/buf.h"

/* Appends the whole phrase for a rule's {holder}: "probably held by goroutine
 * 20 in (*client).Call (client.go:22), IO wait", "4 goroutines are behind the
 * send: ...", or that nobody was found, and what that means. NULL is nothing
 * that could be held. */
void held_add(struct buf *out, const struct symbols *symbols,
              const struct holding *holding);

/* Appends what a lock is called: "sync.Mutex 0xc000010000", "sync.RWMutex in
 * the object at 0xc000010000", or by where it is taken. */
void held_add_lock(struct buf *out, const struct symbols *symbols,
                   const struct holding *holding);

/* Appends one step of a circle, up to what leads to the next one: "goroutine 19
 * in (*orders).Place (orders.go:23) holds sync.Mutex 0xc000010000, waits for
 * sync.Mutex 0xc000010010, held by". */
void held_add_link(struct buf *out, const struct symbols *symbols,
                   const struct wait_cycle *cycle, size_t index);

/* Appends who one holder is: "goroutine 20 in (*client).Call (client.go:22), IO
 * wait". */
void held_add_who(struct buf *out, const struct symbols *symbols,
                  const struct holder *holder);

/* Appends what a holder waits for itself, and who holds that, three steps at
 * most: "; that sync.Mutex is held by goroutine 7 in ...". Nothing when it
 * waits for no lock. */
void held_add_chain(struct buf *out, const struct symbols *symbols,
                    const struct holder *holder);

/* Appends the reason for the belief in one holder: "it is behind the line where
 * others take the lock". */
void held_add_reason(struct buf *out, const struct holder *holder);

/* The words of a certainty before "held by": "", "probably " or "perhaps ". */
const char *held_adverb(enum certainty certainty);

/* Whether the best holders of a holding are goroutines that hold places each:
 * those of a channel or a pool, and those that a WaitGroup waits for. */
bool held_by_many(const struct holding *holding);

#endif
