/* crash_comments.h - why a process died, as comments of an exported profile:
 *
 *     crash: panic               the kind, in the words of model/crash.h
 *     crash-message: code 42     a line of the message, one comment each
 *     crash-signal: SIGSEGV: ... if there was one
 *     crash-reason: panic: ...   a line of the reason as it was printed
 *     crash-of: goroutine 7      or "request", "elsewhere": what it speaks of
 *
 * ORDER EXPORTED: format/exported.c reads them back. Which groups it speaks of
 * is said by their labels (pprof.c). */
#ifndef EXPORT_CRASH_COMMENTS_H
#define EXPORT_CRASH_COMMENTS_H

#include "base/buf.h"
#include "model/crash.h"

/* Calls `put` with the words of each comment, which it has to clear. */
void crash_comments_each(const struct crash *crash,
                         const struct symbols *symbols,
                         void (*put)(void *user, struct buf *words),
                         void *user);

#endif
