/* crash_texts.h - pieces of what a dying process prints, and what is understood
 * of them. */
#ifndef SUPPORT_CRASH_TEXTS_H
#define SUPPORT_CRASH_TEXTS_H

/* Stacks to put together. */
#define MAIN_STACK "main.main()\n\t/m.go:9 +0x1\n"
#define WORK_STACK                                                             \
 "main.work(0x1)\n\t/m.go:5 +0x1\ncreated by main.main in goroutine "          \
 "1\n\t/m.go:3 +0x1\n"
#define MAIN              "goroutine 1 [running]:\n" MAIN_STACK
#define WORKER(id, state) "goroutine " id " [" state "]:\n" WORK_STACK

#define MAIN_GROUP "1 running: main.main /m.go:9\n"
#define WORK_GROUP(count, state)                                               \
 count " " state ": main.work /m.go:5; by main.main /m.go:3\n"

/* GOTRACEBACK=crash prints a dump for each thread behind the first. */
#define THREADS                                                                \
 "SIGQUIT: quit\nPC=0x6 m=0 sigcode=0\n\n"                                     \
 "goroutine 0 [idle]:\nruntime.futex()\n\t/sys.s:1 +0x1\n\n" MAIN              \
 "\ngoroutine 5 [running]:\n\tgoroutine running on other thread; stack "       \
 "unavailable\ncreated by main.main in goroutine 1\n\t/m.go:3 +0x1\n"          \
 "\nrax    0x0\nrip    0x6\n\n-----\n\nSIGQUIT: quit\n"                        \
 "PC=0x7 m=1 sigcode=0\n\n"

/* The registers of one thread, and the dump of another. */
#define REGISTERS "rax    0x0\nrip    0x7\n"
#define THREAD(goroutine)                                                      \
 "\n-----\n\nSIGQUIT: quit\nPC=0x7 m=1 sigcode=0\n\n" goroutine REGISTERS
#define SCHEDULER "goroutine 0 [idle]:\nruntime.futex()\n\t/sys.s:2 +0x1\n"

/* A report of the race detector, with a frame and a goroutine of its own. */
#define RACE                                                                   \
 "==================\nWARNING: DATA RACE\nRead at 0x1 by goroutine 8:\n"       \
 "  main.race()\n      /m.go:40 +0x7e\n\nGoroutine 8 (running) created at:\n"  \
 "  main.main()\n      /m.go:41 +0x7e\n==================\n"

#endif
