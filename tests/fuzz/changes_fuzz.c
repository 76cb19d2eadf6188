/* changes_fuzz.c - any bytes as dumps of one service, one after another.
 *
 * Where the byte RS (0x1e) stands an input ends and the next begins. What was
 * read is compared over time, whatever is known of the times, and judged and
 * written as any other report is. */
#include <stdio.h>

#include "analysis/folding.h"
#include "asking.h"
#include "dumps.h"
#include "model/options.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* How inputs are told apart, all of them of one test. */
struct course {
    size_t clock;     /* 0 = no name has a time, 1 = they rise, 2 = they fall */
    bool has_hosts;   /* every second input is of another host */
    bool has_written; /* it is known when each was written, an hour apart */
    bool has_proof;   /* the last proves leaks in the others */
};

static struct course course_choose(struct cprof_options *options,
                                   struct way *way)
{
    struct course course = {.clock = way_choose(way, 3),
                            .has_hosts = way_choose(way, 4) == 1,
                            .has_written = way_choose(way, 3) == 1,
                            .has_proof = way_choose(way, 6) == 1};

    options->interval_s = way_choose(way, 4) == 1 ? 60 : 0;
    options->skip_s = way_choose(way, 6) == 1 ? 90 : 0;
    options->limit = way_choose(way, 4) == 1 ? 20 : 0;
    options->sort_by_time = way_choose(way, 4) == 1;
    return course;
}

/* Reads the input of an index, and settles what a file system or a folder
 * would say of it. */
static void add_input(struct reading *reading, const struct course *course,
                      size_t index, struct str bytes)
{
    static const int64_t hour_ns = 3600 * (int64_t)1000000000;
    size_t before = cprof_snapshots_count(reading->snapshots);
    char name[40] = "input";

    if (course->clock)
        snprintf(name, sizeof(name), "input-20261121T05%02zu00",
                 course->clock == 1 ? index % 60 : 59 - index % 60);
    reading_add_named(reading, name, bytes);
    for (size_t i = before; i < cprof_snapshots_count(reading->snapshots);
         i++) {
        struct snapshot_info *info =
            snapshot_info(reading->snapshots->items[i]);

        if (course->has_hosts && !info->instance.len)
            info->instance = index % 2 ? STR("b-1") : STR("a-1");
        if (course->has_written)
            info->written_ns = hour_ns * (int64_t)(index + 1);
    }
    folding_step(reading->snapshots);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str rest = {(const char *)data, size};
    struct reading reading;
    struct way way = way_from(size);
    struct course course;

    reading_init(&reading, NULL);
    asking_choose(reading.options, &way);
    course = course_choose(reading.options, &way);
    cprof_snapshots_compare(reading.snapshots);
    for (size_t index = 0; rest.len; index++) {
        struct str input = str_head(rest, str_find(rest, '\x1e'));

        rest = str_skip(rest, input.len + 1);
        if (course.has_proof && index && !rest.len)
            reading_add_proof(&reading, input);
        else
            add_input(&reading, &course, index, input);
    }
    if (cprof_snapshots_count(reading.snapshots))
        asking_report(&reading, &way);
    reading_done(&reading);
    return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most,
                               unsigned seed)
{
    return dumps_mutate(data, size, most, seed, LLVMFuzzerMutate);
}
