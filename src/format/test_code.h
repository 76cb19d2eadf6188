/* test_code.h - which goroutines run a test of go test. */
#ifndef FORMAT_TEST_CODE_H
#define FORMAT_TEST_CODE_H

#include "model/record.h"

/* Whether a goroutine runs a test and does not only wait for its subtests: the
 * test's code stands above the functions of package testing. */
bool test_is_run(const struct symbols *symbols, const struct record *record);

#endif
