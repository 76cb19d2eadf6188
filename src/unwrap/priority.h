/* priority.h - the number that a syslog daemon puts before a line. */
#ifndef UNWRAP_PRIORITY_H
#define UNWRAP_PRIORITY_H

#include "base/str.h"

/* Cuts "<11>" off the front of *text: one to three digits in angle brackets
 * (RFC 5424, 6.2.1). False, with nothing changed, when none stands there. */
bool priority_cut(struct str *text);

#endif
