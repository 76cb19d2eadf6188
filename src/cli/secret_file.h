/* secret_file.h - files that hold secrets: credentials, addresses of webhooks.
 * */
#ifndef CLI_SECRET_FILE_H
#define CLI_SECRET_FILE_H

#include "cprof/cprof.h"

struct secret_file {
    char bytes[16384];
    size_t len;
};

/* Reads the beginning of a file; "-" is standard input. Nothing of it is ever
 * quoted. */
int secret_file_read(struct secret_file *ret, const char *path,
                     struct cprof_error *err);

#endif
