/* builds.h - return addresses of waits in programs of many builds. */
#ifndef SUPPORT_BUILDS_H
#define SUPPORT_BUILDS_H

#include <stddef.h>
#include <stdint.h>

/* What can be told of a channel operation that stands alone in a dump. */
enum knowledge {
    ALL,       /* everything */
    OTHER_NIL, /* the operation; nil channels only beside others */
    ORDINARY,  /* operations on ordinary channels only */
    BY_ORDER,  /* nothing: the machine is not in the table */
};

/* The addresses were read from dumps whose debug=0 names them, or by
 * disassembling a program. 0 = the program has no such call. */
struct build {
    const char *name; /* version of Go, and what is not linux/amd64 */
    enum knowledge knowledge;
    uint64_t gopark;
    uint64_t chansend1, send, send_nil;
    uint64_t chanrecv1, receive, receive_nil;
    uint64_t chanrecv2;
    uint64_t block, selectgo;
};

extern const struct build builds[];
extern const size_t n_builds;

/* The build with that name, which must be there. */
const struct build *build_named(const char *name);

#endif
