/* version.h - which release this is.
 *
 * The number stands in one place, VERSION in the Makefile. It reaches the code
 * through one macro that only version.c is compiled with, so that a new number
 * recompiles one file. */
#ifndef BASE_VERSION_H
#define BASE_VERSION_H

/* The release as "major.minor.patch", for example "0.1.0". */
extern const char *const cprof_version_text;

#endif
