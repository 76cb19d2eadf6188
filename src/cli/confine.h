/* confine.h - a process that may write only where its command line says.
 *
 * What is read was written by strangers. Should one of them find a way to make
 * this program do what it was not asked for, the kernel refuses (Landlock,
 * Linux 5.13): files can be read everywhere and run, and be written, made and
 * removed only below the folders of -O, --write-baseline, --textfile, --save,
 * of histories, and of temporary files where addresses are asked. Without an
 * address there is no TCP either (Linux 6.7). A pager inherits all of that.
 *
 * The library knows nothing of it: it never confines its caller. */
#ifndef CLI_CONFINE_H
#define CLI_CONFINE_H

#include "cli/cli.h"

/* Confines this process, before it has other threads, for a command and its
 * arguments. Silent where the kernel has no Landlock, or refuses it, and where
 * CPROF_LEAKS_NOCONFINE is set, which is for programs that watch this one. */
void confine(const struct command *command, const struct arguments *arguments);

#endif
