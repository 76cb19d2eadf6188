/* stdlib.h - the frames of Go's own library that stand in dumps.
 *
 * Names, lines and offsets are those of the releases 1.15, 1.19, 1.23 and 1.27
 * on linux/amd64, one for each era. */
#ifndef GEN_STDLIB_H
#define GEN_STDLIB_H

#include <stdint.h>

#include "release.h"

/* ORDER STD: the table in stdlib.c stands in this order. */
enum std {
    STD_POLL_WAIT,
    STD_POLLDESC_WAIT,
    STD_POLLDESC_WAIT_READ,
    STD_FD_READ,
    STD_NETFD_READ,
    STD_CONN_READ,
    STD_FD_ACCEPT,
    STD_NETFD_ACCEPT,
    STD_LISTENER_LOWER_ACCEPT,
    STD_LISTENER_ACCEPT,
    STD_SERVER_SERVE,
    STD_HTTP_SERVE,
    STD_CONNREADER_READ,
    STD_BUFIO_FILL,
    STD_BUFIO_PEEK,
    STD_CONN_SERVE_IDLE,
    STD_HANDLER_FUNC,
    STD_SERVE_MUX,
    STD_SERVER_HANDLER,
    STD_CONN_SERVE,
    STD_SEMACQUIRE_MUTEX,
    STD_LOCK_SLOW,
    STD_INNER_SEMACQUIRE_MUTEX,
    STD_INNER_LOCK_SLOW,
    STD_INNER_LOCK,
    STD_LOCK,
    STD_SEMACQUIRE_RW_OLD,
    STD_SEMACQUIRE_RLOCK,
    STD_RLOCK,
    STD_SEMACQUIRE_WLOCK,
    STD_WLOCK,
    STD_SEMACQUIRE,
    STD_SEMACQUIRE_WAITGROUP,
    STD_WAITGROUP_WAIT,
    STD_NOTIFY_LIST_WAIT,
    STD_COND_WAIT,
    STD_SLEEP,
    STD_SIGNAL_RECV,
    STD_SIGNAL_LOOP,
    STD_SYSCALL_OLD,
    STD_SYSCALL,
    STD_SYSCALL_LOWER_READ,
    STD_SYSCALL_READ,
    STD_IGNORING_EINTR,
    STD_FD_READ_FILE,
    STD_FILE_LOWER_READ,
    STD_FILE_READ,
    STD_WRITE_STACKS,
    STD_WRITE_GOROUTINE,
    STD_PROFILE_WITH_LABELS,
    STD_WRITE_RUNTIME_PROFILE,
    STD_WRITE_GOROUTINE_COUNTS,
    STD_PROFILE_WRITE_TO,
    STD_PPROF_HANDLER,
    STD_PPROF_INDEX,
    STD_RUNTIME_MAIN,
    STD_GO_SERVE,  /* the go statement in it */
    STD_GO_SIGNAL, /* likewise */
    N_STD
};

/* Where one call stands in one era. */
struct std_place {
    uint16_t line;   /* 0: the function is not on this path in this era */
    uint16_t offset; /* of the return address from the function's start */
};

/* Arguments are given as text in which %p is a heap pointer, %d a netpoll
 * descriptor, %l the lock that is waited for and %e its semaphore; NULL stands
 * for an inlined call. */
struct std_frame {
    const char *function;
    const char *file; /* below $GOROOT/src */
    const char *args; /* as Go 1.18 and later print them */
    const char *flat; /* as Go 1.15 prints them */
    struct std_place at[N_ERAS];
};

extern const struct std_frame std_frames[N_STD];

#endif
