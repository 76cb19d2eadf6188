/* gzip.h - a source that unpacks what is gzip'd and passes on what is not.
 *
 * gzip is recognised by its first bytes, never by a name. Several members
 * after each other are one text, as gzip(1) has it, and text behind them is
 * part of it. Headers of HTTP before gzip'd data are left out (curl -i). Data
 * that ends early or is damaged gives what could be unpacked; trouble then says
 * what is missing. */
#ifndef INPUT_GZIP_H
#define INPUT_GZIP_H

#include "base/budget.h"
#include "input/source.h"

/* Puts an unpacking source over *source, which it owns from then on: closing
 * the one closes the other. On failure the source stays as it was. Text that
 * was packed twice is unpacked twice. */
int gzip_unpack(struct source *source, const char *name, struct budget *budget,
                struct cprof_error *err);

#endif
