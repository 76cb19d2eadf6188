/* simulation.h - what the parts of the simulation share. */
#ifndef TESTS_SIMULATION_H
#define TESTS_SIMULATION_H

#include "analysis/trend.h"
#include "families.h"

enum { SEED = 20261121 };

/* Results, and the memory that a run needs. */
struct simulation {
    unsigned runs;
    unsigned passed;
    unsigned failed;
    struct series_scratch scratch;
    struct service service;
};

/* Counts a bound as held or not, and names one that was not. */
void simulation_check(struct simulation *simulation, bool holds,
                      const char *what, double percent, double bound);

/* processes.c: forty goroutines that are stuck beside traffic that grows. */
void run_processes(struct simulation *simulation);

/* staying.c: those who stay where others come and go. */
void run_staying(struct simulation *simulation);

#endif
