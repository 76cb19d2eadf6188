/* fd.h - bytes to a file descriptor. */
#ifndef BASE_FD_H
#define BASE_FD_H

#include <stdbool.h>
#include <stddef.h>

/* Writes all bytes, in as many calls as that takes, and goes on when a signal
 * interrupts one. False when the system refuses; errno says why. */
bool fd_write(int fd, const char *bytes, size_t size);

/* Sees to it that no file or socket gets the number of a standard stream which
 * the program was started without, and with it what is meant for that stream.
 * Reading and writing such a stream fails as before (EBADF). */
void fd_hold_standard(void);

#endif
