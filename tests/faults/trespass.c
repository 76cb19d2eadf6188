/* trespass.c - tries what a confined process must not do; to be loaded before a
 * program by LD_PRELOAD.
 *
 *     TRESPASS_FILE=FILE  is made, or else written, at the end of the process
 *     TRESPASS_PORT=N     is connected to on 127.0.0.1, by TCP
 *     TRESPASS_TOLD=FILE  is open from the beginning and gets a line for each:
 *                         "write: " or "connect: ", and how it ended */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static int told = -1;

__attribute__((constructor)) static void begin(void)
{
    const char *path = getenv("TRESPASS_TOLD");

    if (path)
        told = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
}

static void tell(const char *what, int result)
{
    const char *how = result < 0 ? strerror(errno) : "done";

    dprintf(told, "%s: %s\n", what, how);
}

__attribute__((destructor)) static void end(void)
{
    const char *path = getenv("TRESPASS_FILE");
    const char *port = getenv("TRESPASS_PORT");

    if (path)
        tell("write", open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
    if (port) {
        struct sockaddr_in to = {
            .sin_family = AF_INET,
            .sin_port = htons((uint16_t)atoi(port)),
            .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
        };
        int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

        tell("connect", connect(fd, (const struct sockaddr *)&to, sizeof(to)));
    }
}
