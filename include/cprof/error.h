/* error.h - how calls of libcprof fail.
 *
 * A call that can fail returns an int: 0 (or what its comment says) on
 * success, a negative enum cprof_status otherwise. The last parameter points
 * to the caller's struct cprof_error, or is NULL when nobody wants to know
 * more. The error owns its text, so it needs no freeing and can report that
 * memory has run out. It is written on failure only; all other outputs are
 * written on success only. */
#ifndef CPROF_ERROR_H
#define CPROF_ERROR_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum cprof_status {
    CPROF_OK = 0,
    CPROF_ENOMEM = -1,  /* the system has no memory left */
    CPROF_EIO = -2,     /* the operating system refused; the message says why */
    CPROF_EFORMAT = -3, /* the input is not what it has to be */
    CPROF_ELIMIT = -4,  /* a bound that the caller set was reached */
    CPROF_ERULE = -5,   /* a rule file is wrong */
    CPROF_EUSAGE = -6,  /* the call or its option makes no sense */
};

struct cprof_error {
    enum cprof_status code;
    uint64_t line;     /* 1-based place in source; 0 = no place */
    uint64_t column;   /* 1-based, in bytes; 0 = no column */
    char source[256];  /* file, "<stdin>" or an address; "" = none */
    char message[512]; /* one line, no final full stop, no control bytes */
    char detail[512];  /* further lines to show below it; "" = none */
};

#ifdef __cplusplus
}
#endif

#endif
