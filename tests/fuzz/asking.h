/* asking.h - all the ways in which a report can be asked for, one for each
 * input. */
#ifndef FUZZ_ASKING_H
#define FUZZ_ASKING_H

#include <stddef.h>
#include <stdint.h>

#include "reading.h"

/* A choice of everything that can be chosen. */
struct way {
    uint64_t rest;
};

/* The way of an input of that length: an input tries one way, always the same,
 * and all inputs together try all. */
struct way way_from(size_t size);

/* One of n things, whatever was chosen before it. */
size_t way_choose(struct way *way, size_t n);

/* Sets what a report shows. */
void asking_choose(struct cprof_options *options, struct way *way);

/* Judges what was read by all rules, writes the report in one form, and checks
 * that no text of the dump became part of the form's own language. */
void asking_report(struct reading *reading, struct way *way);

#endif
