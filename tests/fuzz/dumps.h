/* dumps.h - changes that leave a text of dumps one. */
#ifndef FUZZ_DUMPS_H
#define FUZZ_DUMPS_H

#include <stddef.h>
#include <stdint.h>

/* Changes the size bytes at data as libFuzzer does, wherever they stand, to at
 * most so many, and returns their number. */
typedef size_t change_bytes(uint8_t *data, size_t size, size_t most);

/* That of libFuzzer. driver.c has one that is never called, for programs that
 * only replay. */
change_bytes LLVMFuzzerMutate;

/* What libFuzzer finds by its name in a target that says how its inputs are
 * changed; it returns their new size. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most,
                               unsigned seed);

/* What a search calls for the next input, in a target that wants it: one time
 * in three it changes bytes; else goroutines are repeated, left out or moved,
 * wait reasons, ages and numbers replaced, frames copied from one stack to
 * another, a dump set behind itself, and empty lines at the end added or taken,
 * so that the same is asked otherwise and other dumps as before. The same seed
 * gives the same bytes. */
size_t dumps_mutate(uint8_t *data, size_t size, size_t most, unsigned seed,
                    change_bytes *bytes);

#endif
