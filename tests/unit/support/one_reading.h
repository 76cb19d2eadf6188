/* one_reading.h - a reading for each test of a program, and what it has to
 * hold. */
#ifndef SUPPORT_ONE_READING_H
#define SUPPORT_ONE_READING_H

#include "model/crash.h"
#include "support/reading.h"

/* The reading of the test that runs. */
extern struct reading reading;

/* Begins it empty before each test, for cmocka_unit_test_setup_teardown. */
int set_up(void **state);

/* Ends it behind each test. */
int tear_down(void **state);

/* Reads a text and checks groups and diagnostics. */
void expect(const char *text, const char *groups, const char *codes);

/* The crash of a snapshot that must be one. */
const struct crash *crash_of(size_t index);

/* Checks a crash's kind, its message and the goroutine that it speaks of. */
void expect_crash(size_t index, enum crash_kind kind, const char *message,
                  uint64_t goroutine);

#endif
