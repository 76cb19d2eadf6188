/* budget.h - one account for all the memory of a process.
 *
 * Arenas and tables alike charge what they hold to one budget
 * (--max-memory). When it is used up they get NULL instead of memory; their
 * owner then goes on with what it has and says so. They do the same where the
 * system refuses before; that is counted, so that it can be said once for all
 * of them. Charges may come from several threads. */
#ifndef BASE_BUDGET_H
#define BASE_BUDGET_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

struct budget {
    size_t limit;   /* bytes */
    size_t reserve; /* of these, not to be had now: kept for later steps */
    _Atomic size_t used;
    _Atomic size_t peak;
    _Atomic size_t n_denied;  /* how often the limit was in the way */
    _Atomic size_t n_refused; /* how often the system had no more memory */
};

/* The default of --max-memory: 1 GiB. */
#define BUDGET_DEFAULT ((size_t)1 << 30)

/* Prepares an account of limit bytes; 0 stands for BUDGET_DEFAULT. */
void budget_init(struct budget *budget, size_t limit);

/* How many bytes can still be had. */
size_t budget_left(const struct budget *budget);

/* Charges bytes; false, with nothing charged, when that passes the limit. */
bool budget_take(struct budget *budget, size_t bytes);

/* Gives bytes back that were taken before. */
void budget_give(struct budget *budget, size_t bytes);

/* Like realloc, charged: grows or shrinks a block from old_size to new_size
 * bytes; old is NULL and old_size 0 for a new block. New bytes are not
 * cleared. NULL when the account or the system has no more: the old block
 * stays as it was. While a block is copied both are charged. */
void *budget_resize(struct budget *budget, void *old, size_t old_size,
                    size_t new_size);

/* Counts that the system refused memory beside the account, for something that
 * belongs to it. */
void budget_note_refusal(struct budget *budget);

/* Sees to it that a block of *size bytes (NULL and 0 for none yet) has at least
 * `need`: *size is doubled, from `first` on. False, with nothing changed, where
 * budget_resize would give NULL. */
bool budget_grow(struct budget *budget, char **block, size_t *size, size_t need,
                 size_t first);

/* Frees a block of size bytes that budget_resize returned; NULL is fine. */
void budget_free(struct budget *budget, void *block, size_t size);

#endif
