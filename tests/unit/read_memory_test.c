/* Inputs for which there is too little memory from the start. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "input/source.h"
#include "support/reading.h"

#include <cmocka.h>

/* The least memory that may be chosen, and a name that is longer. */
static const char least[] = "8M";
enum { NAME_LONG = 9 << 20 };

static const char *const dumps[] = {
    "goroutine 1 [running]:\n"
    "main.main()\n"
    "\t/src/main.go:20 +0x2a\n",

    "panic: no\n"
    "\n"
    "goroutine 1 [running]:\n"
    "main.main()\n"
    "\t/src/main.go:20 +0x2a\n",

    "goroutine profile: total 1\n"
    "1 @ 0x1\n"
    "#\t0x1\tmain.main+0x2a\t/src/main.go:20\n",

    "heap profile: 1: 16 [1: 16] @ heap/1048576\n"
    "1: 16 [1: 16] @ 0x1\n"
    "#\t0x1\tmain.main+0x2a\t/src/main.go:20\n",

    "--- mutex:\n"
    "cycles/second=1000000000\n"
    "sampling period=1\n"
    "5 1 @ 0x1\n"
    "#\t0x1\tmain.main+0x2a\t/src/main.go:20\n",
};

/* Reads a dump whose name is so long, where memory is at its least. */
static int read_named(struct reading *reading, const char *dump, size_t length)
{
    struct source_memory memory = {str_from(dump), 0};
    struct source source = source_from_memory(&memory);
    char *name = malloc(length + 1);
    int rc;

    assert_non_null(name);
    memset(name, 'n', length);
    name[length] = '\0';
    rc = cprof_snapshots_read(reading->snapshots, name, source.read,
                              source.user, &reading->err);
    free(name);
    return rc;
}

static void without_memory_for_its_name_a_dump_is_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(dumps) / sizeof(dumps[0]); i++) {
        struct reading reading;

        reading_init_limited(&reading, least);
        assert_int_equal(read_named(&reading, dumps[i], NAME_LONG),
                         CPROF_ENOMEM);
        assert_int_equal(cprof_snapshots_count(reading.snapshots), 0);
        assert_int_equal(read_named(&reading, dumps[i], 9), 0);
        assert_int_equal(cprof_snapshots_count(reading.snapshots), 1);
        reading_done(&reading);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_memory_for_its_name_a_dump_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
