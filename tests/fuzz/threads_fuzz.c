/* threads_fuzz.c - any bytes as a file that several threads read.
 *
 * Whatever stands in it, they come to what one thread comes to, with the same
 * report. The parts that are worth a thread, and the ids that have to be known
 * before there are any, are so few that small inputs have them. */
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/buf.h"
#include "model/options.h"
#include "reading.h"
#include "written.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Puts the bytes into a file of no name, which is there for all inputs. */
static void put_file(char path[static 64], const uint8_t *data, size_t size)
{
    static int file = -1;

    if (file < 0)
        file = memfd_create("threads_fuzz", 0);
    CHECK(file >= 0);
    CHECK(ftruncate(file, 0) == 0);
    CHECK(pwrite(file, data, size, 0) == (ssize_t)size);
    snprintf(path, 64, "/proc/self/fd/%d", file);
}

static void read_with(struct reading *reading, const char *path, size_t size,
                      size_t threads)
{
    reading_init(reading, NULL);
    reading->options->no_builtin_rules = true;
    reading->options->threads = threads;
    reading->options->part_least = 64 + size % 1024;
    reading->options->ids_most = 1 + size % 5;
    reading_add_file(reading, path);
}

static void add_report(struct reading *reading, struct buf *out)
{
    struct cprof_report *report = NULL;

    if (reading->rc < 0)
        return;
    CHECK(cprof_report_new(&report, reading->snapshots, reading->options,
                           NULL) == 0);
    CHECK(cprof_report_write(report, "json", written_append, out, NULL) == 0);
    cprof_report_free(report);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[64];
    struct reading one;
    struct reading several;
    struct buf by_one = {0};
    struct buf by_several = {0};

    put_file(path, data, size);
    read_with(&one, path, size, 1);
    read_with(&several, path, size, 2 + size % 3);
    reading_same(&one, &several);
    add_report(&one, &by_one);
    add_report(&several, &by_several);
    CHECK(str_equal(buf_str(&by_one), buf_str(&by_several)));
    buf_done(&by_one);
    buf_done(&by_several);
    reading_done(&one);
    reading_done(&several);
    return 0;
}
