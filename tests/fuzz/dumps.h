/* dumps.h - changes that leave a text of dumps one. */
#ifndef FUZZ_DUMPS_H
#define FUZZ_DUMPS_H

#include <stddef.h>
#include <stdint.h>

/* libFuzzer's own changes: of bytes and words, wherever they stand. Of the
 * size bytes at data it makes at most so many, and returns their number.
 * driver.c has one that is never called, for programs that only replay. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);

/* What a search calls for the next input, in a target that wants it: one time
 * in three what LLVMFuzzerMutate does; else goroutines are repeated, left out
 * or moved, wait reasons, ages and numbers replaced, frames copied from one
 * stack to another, and a dump set behind itself. The same seed gives the same
 * bytes. */
size_t dumps_mutate(uint8_t *data, size_t size, size_t most, unsigned seed);

#endif
