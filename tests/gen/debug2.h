/* debug2.h - writes goroutines one by one, as runtime.Stack does. */
#ifndef GEN_DEBUG2_H
#define GEN_DEBUG2_H

#include "dice.h"
#include "out.h"
#include "population.h"

struct debug2 {
    struct out *out;
    const struct population *population;
    struct dice dice;
    uint64_t n;       /* goroutines written */
    uint64_t last_id; /* of the last one, the writer of the dump aside */
    uint64_t dump_id; /* of the writer of the dump, larger than all others */
    char gaps[N_SLOTS][ADDRESS_DIGITS];   /* for the goroutine at hand */
    char locks[LOCKS][2][ADDRESS_DIGITS]; /* address and semaphore of each */
};

/* Ids rise by so much at most from one goroutine to the next. */
enum { ID_GAP_MOST = 64 };

/* Begins a dump of at most `most` goroutines. `out` and `population` must
 * outlive the writer, which has nothing to free. */
void debug2_init(struct debug2 *writer, struct out *out,
                 const struct population *population, uint64_t most);

/* Writes one goroutine, and the blank line before it. */
void debug2_put(struct debug2 *writer, const struct draw *draw);

/* Returns the largest id that has been written; 0: none has. */
uint64_t debug2_max_id(const struct debug2 *writer);

/* Writes the address of a lock, as it stands in the arguments, NUL-terminated;
 * `to` has room for 32 bytes. */
void debug2_lock_address(const struct debug2 *writer, unsigned lock, char *to);

#endif
