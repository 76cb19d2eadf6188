/* holders.h - who probably holds each lock of a snapshot.
 *
 * Evidence comes in two ways. By address: a goroutine has the lock, or the
 * object around it, among its arguments. By function: it stands in a method of
 * the type, or in a function of the same closure family, best behind the line
 * where others take the lock. Both are scored together, so that an idle
 * goroutine of the object comes behind one that is busy in the critical
 * section. An object that is surely another one rules a goroutine out. */
#ifndef ANALYSIS_HOLDERS_H
#define ANALYSIS_HOLDERS_H

#include "analysis/contention.h"

/* Sets the holders of all locks, but not those of WaitGroups that are only
 * known by who was started (waitgroups.h). Takes time in proportion to the
 * frames of all groups and to the kept goroutines. False when memory ran
 * out. */
bool holders_find(const struct contention *contention,
                  struct analysis *analysis, size_t snapshot);

#endif
