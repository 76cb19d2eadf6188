/* files.h - reading a file whole. */
#ifndef RULES_FILES_H
#define RULES_FILES_H

#include "base/buf.h"
#include "base/error.h"

/* Appends what a file holds, at most so many bytes. CPROF_EIO says what the
 * system refuses. */
int file_read(const char *path, size_t most, struct buf *text,
              struct cprof_error *err);

/* Whether a file of that name is read where a folder of rules is given. */
bool rule_file_is(const char *name);

#endif
