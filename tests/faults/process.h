/* process.h - one run of a program with something going wrong. */
#ifndef FAULTS_PROCESS_H
#define FAULTS_PROCESS_H

#include <sys/types.h>

#include "faults/folder.h"

/* What goes wrong. */
enum fault {
    FAULT_NONE,
    FAULT_MEMORY,  /* one allocation fails, counted from 1 */
    FAULT_LASTING, /* it and all that follow */
    FAULT_DISK,    /* files get no longer than so many bytes */
    FAULT_SIGNAL,  /* a signal comes after so many microseconds */
};

enum { N_FAULTS = FAULT_SIGNAL + 1 };

/* A program and where it runs. */
struct stage {
    const char *program;
    const char *allocator; /* failing_malloc.so; NULL = is not loaded */
    const char *folder;    /* working folder of the run */
    const char *aside;     /* a folder for what is not part of it */
    uint64_t often;        /* so often the same callers are worth a fault, see
                              FAULT_CHAINS of failing_malloc.c; 0 = always */
};

struct run {
    int status;       /* as a shell has it: 128 and more for signals */
    bool is_late;     /* it did not end by itself */
    uint64_t n_calls; /* of the allocator; 0 where it was not counted */
    uint64_t took_us;
    struct buf out;
    struct buf err;
    struct buf trace;  /* who asked for the memory that was refused */
    struct buf chains; /* of FAULT_NONE: the calls worth a fault, uint64_t */
    struct folder after;
};

/* Runs the program with its words, of which the last is NULL. The number of a
 * fault is what the enum says of it; the number of the signal stands beside
 * it. What the program prints and leaves in its folder is kept. */
void run_program(struct run *ret, const struct stage *stage, char *const *words,
                 enum fault fault, uint64_t at, int signal_number);

/* Frees what is kept of a run. */
void run_done(struct run *run);

#endif
