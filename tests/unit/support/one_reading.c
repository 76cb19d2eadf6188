#include "support/one_reading.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

struct reading reading;

int set_up(void **state)
{
    (void)state;
    reading_init(&reading);
    return 0;
}

int tear_down(void **state)
{
    (void)state;
    reading_done(&reading);
    return 0;
}

void expect(const char *text, const char *groups, const char *codes)
{
    assert_int_equal(reading_add(&reading, text), 0);
    assert_string_equal(reading_groups(&reading), groups);
    assert_string_equal(reading_codes(&reading), codes);
}

const struct crash *crash_of(size_t index)
{
    const struct snapshot_info *info =
        snapshot_info_get(reading_snapshot(&reading, index));

    assert_string_equal(info->format, "crash");
    assert_non_null(info->crash);
    return info->crash;
}

void expect_crash(size_t index, enum crash_kind kind, const char *message,
                  uint64_t goroutine)
{
    const struct crash *crash = crash_of(index);

    assert_int_equal(crash->kind, kind);
    assert_int_equal(crash->message.len, strlen(message));
    assert_memory_equal(crash->message.ptr, message, strlen(message));
    assert_true(crash->has_goroutine);
    assert_int_equal(crash->goroutine, goroutine);
}
