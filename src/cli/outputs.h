/* outputs.h - files that a run writes, and whether one is a file that it reads.
 *
 * An output replaces what is there. Of a dump, a baseline, a file of rules,
 * targets or credentials nothing would be left, so that such a command line is
 * refused before anything is read or written. Names do not tell: links and
 * other spellings lead to the same file. */
#ifndef CLI_OUTPUTS_H
#define CLI_OUTPUTS_H

#include "cli/cli.h"

/* CPROF_EUSAGE: -O or --textfile names a file that an option reads, or what
 * another option writes. The rules of the user have to be settled before. */
int outputs_check(const struct arguments *arguments, struct cprof_error *err);

/* The same, and whether they name a dump: a file, one of a folder of dumps, or
 * standard input where that is read. */
int outputs_check_dumps(const struct arguments *arguments, bool reads_stdin,
                        struct cprof_error *err);

#endif
