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
};

struct run {
    int status;   /* as a shell has it: 128 and more for signals */
    bool is_late; /* it did not end by itself */
    bool has_count;
    uint64_t n_calls; /* of the allocator */
    uint64_t took_us;
    struct buf out;
    struct buf err;
    struct buf trace; /* who asked for the memory that was refused */
    struct folder after;
};

/* Runs the program with its words, of which the last is NULL. The number of a
 * fault is what the enum says of it; the number of the signal stands beside
 * it. What the program prints and leaves in its folder is kept. */
void run_program(struct run *ret, const struct stage *stage, char *const *words,
                 enum fault fault, uint64_t at, int signal_number);

/* A program that is begun once for many faults: a copy of it meets each, see
 * FAULT_FORKS of failing_malloc.c. */
struct copies {
    pid_t pid;
    int socket;
    int err;
};

/* Begins such a program; the first copy is made at the allocation `at`. */
void copies_begin(struct copies *ret, const struct stage *stage,
                  char *const *words, enum fault fault, uint64_t at);

/* Waits for the copy that is made, keeps what it printed and how it ended, and
 * the number of the allocation. False when the program ended without one. */
bool copies_next(const struct copies *copies, const struct stage *stage,
                 struct run *ret, uint64_t *ret_at);

/* Lets the program go on to the allocation `next`, or to its end at 0. */
void copies_go_on(const struct copies *copies, uint64_t next);

/* Waits for the end of the program, and gives its status. */
int copies_end(struct copies *copies);

/* Frees what is kept of a run. */
void run_done(struct run *run);

#endif
