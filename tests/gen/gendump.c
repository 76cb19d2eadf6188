/* gendump.c - writes goroutine dumps of any size whose truth is known.
 *
 * The life of a dump: functions.c invents a program, frames.c lays out the text
 * of its frames, population.c makes its stacks and draws goroutines from them,
 * debug2.c or debug1.c writes them, tally.c counts them and truth.c says what a
 * reader has to find. */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "debug1.h"
#include "debug2.h"
#include "out.h"
#include "population.h"
#include "release.h"
#include "tally.h"
#include "truth.h"

static const char usage[] =
    "Usage: gendump [OPTION]...\n"
    "Writes a made-up goroutine dump to standard output.\n"
    "\n"
    "  --format debug2|debug1  every goroutine (default), or counted stacks\n"
    "  --goroutines N          how many (default 10000)\n"
    "  --bytes SIZE            stop after the goroutine that passes SIZE, a\n"
    "                          number with K, M, G (1024) or KB, MB, GB\n"
    "  --stacks N              different stacks among them (default 50)\n"
    "  --leak PERCENT          of the goroutines stand in one stack\n"
    "  --frames MIN-MAX        frames of a goroutine (default 4-10); a stack\n"
    "                          has more when its wait needs them\n"
    "  --deep N                one stack in 16 is a recursion of N frames\n"
    "  --labels                half of the stacks have pprof labels\n"
    "  --locks                 half of the stacks wait for locks\n"
    "  --go RELEASE            whose looks, 1.15 to 1.27 (default 1.27)\n"
    "  --seed N                another dump of the same kind (default 1)\n"
    "  --truth FILE            write what a reader has to find, as JSON\n"
    "  --help                  this text\n";

struct options {
    struct plan plan;
    struct release release;
    uint64_t goroutines; /* UINT64_MAX: as many as --bytes takes */
    uint64_t bytes;      /* 0: no limit */
    const char *truth;   /* or NULL */
};

/* Reads a whole number from 0 to `most` and returns what follows it. */
static const char *number_read(const char *text, uint64_t most, uint64_t *ret,
                               const char *option)
{
    char *end = NULL;

    errno = 0;
    *ret = strtoull(text, &end, 10);
    if (text[0] < '0' || text[0] > '9' || errno || *ret > most)
        die("--%s: '%s' is not a number from 0 to %llu", option, text,
            (unsigned long long)most);
    return end;
}

static uint64_t whole_number(const char *text, uint64_t most,
                             const char *option)
{
    uint64_t n;

    if (*number_read(text, most, &n, option) != '\0')
        die("--%s: '%s' is not a whole number", option, text);
    return n;
}

static uint64_t size_read(const char *text)
{
    static const struct {
        const char *unit;
        uint64_t bytes;
    } units[] = {
        {"", 1},
        {"K", 1024},
        {"M", 1024 * 1024},
        {"G", 1024 * 1024 * 1024},
        {"KB", 1000},
        {"MB", 1000 * 1000},
        {"GB", 1000 * 1000 * 1000},
    };
    uint64_t n;
    const char *unit = number_read(text, UINT32_MAX, &n, "bytes");

    for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
        if (strcmp(unit, units[i].unit) == 0 && n > 0)
            return n * units[i].bytes;
    die("--bytes: '%s' is not a size such as 120MB or 1G", text);
}

static void frames_read(struct plan *plan, const char *text)
{
    uint64_t min, max;
    const char *rest = number_read(text, FRAMES_MOST, &min, "frames");

    if (*rest++ != '-' ||
        *number_read(rest, FRAMES_MOST, &max, "frames") != '\0' || min < 1 ||
        max < min)
        die("--frames: '%s' is not a range such as 4-11", text);
    plan->min_frames = (uint32_t)min;
    plan->max_frames = (uint32_t)max;
}

static void format_read(struct plan *plan, const char *text)
{
    if (strcmp(text, "debug1") != 0 && strcmp(text, "debug2") != 0)
        die("--format: '%s' is neither debug1 nor debug2", text);
    plan->by_counts = strcmp(text, "debug1") == 0;
}

static void option_set(struct options *options, int option, const char *value)
{
    struct plan *plan = &options->plan;

    switch (option) {
    case 'f':
        format_read(plan, value);
        break;
    case 'n':
        options->goroutines = whole_number(value, UINT32_MAX, "goroutines");
        break;
    case 'b':
        options->bytes = size_read(value);
        break;
    case 's':
        plan->n_stacks = (uint32_t)whole_number(value, STACKS_MOST, "stacks");
        break;
    case 'k':
        plan->leak = (uint32_t)whole_number(value, 99, "leak");
        break;
    case 'r':
        frames_read(plan, value);
        break;
    case 'd':
        plan->deep = (uint32_t)whole_number(value, DEEP_MOST, "deep");
        break;
    case 'l':
        plan->labels = true;
        break;
    case 'm':
        plan->locks = true;
        break;
    case 'g':
        if (!release_parse(&options->release, value))
            die("--go: '%s' is not a release from 1.15 to 1.27", value);
        break;
    case 'e':
        plan->seed = whole_number(value, UINT32_MAX, "seed");
        break;
    case 't':
        options->truth = value;
        break;
    default:
        die("try 'gendump --help'");
    }
}

static void options_read(struct options *options, int argc, char **argv)
{
    static const struct option known[] = {
        {"format", required_argument, NULL, 'f'},
        {"goroutines", required_argument, NULL, 'n'},
        {"bytes", required_argument, NULL, 'b'},
        {"stacks", required_argument, NULL, 's'},
        {"leak", required_argument, NULL, 'k'},
        {"frames", required_argument, NULL, 'r'},
        {"deep", required_argument, NULL, 'd'},
        {"labels", no_argument, NULL, 'l'},
        {"locks", no_argument, NULL, 'm'},
        {"go", required_argument, NULL, 'g'},
        {"seed", required_argument, NULL, 'e'},
        {"truth", required_argument, NULL, 't'},
        {"help", no_argument, NULL, 'h'},
        {NULL, 0, NULL, 0},
    };
    int option;

    while ((option = getopt_long(argc, argv, "", known, NULL)) != -1) {
        if (option == 'h') {
            fputs(usage, stdout);
            exit(0);
        }
        option_set(options, option, optarg);
    }
    if (optind < argc)
        die("what is '%s'? try 'gendump --help'", argv[optind]);
    if (options->plan.n_stacks == 0)
        die("--stacks: at least one is needed");
    if (options->bytes && options->plan.by_counts)
        die("--bytes: the size of a debug1 dump is not the goroutines'");
    if (options->goroutines == UINT64_MAX && !options->bytes)
        options->goroutines = 10000;
}

/* Returns how many goroutines there can be at most: none takes less than 64
 * bytes. */
static uint64_t most_goroutines(const struct options *options)
{
    uint64_t by_bytes = options->bytes / 64 + 1;

    if (options->bytes && by_bytes < options->goroutines)
        return by_bytes;
    return options->goroutines;
}

/* Draws goroutines until there are enough; `writer` is NULL when they are only
 * counted. With --bytes, every stack has stood once when half of the bytes are
 * written, because nobody knows how large the rest will be. */
static void goroutines_draw(const struct options *options,
                            struct population *population, struct tally *tally,
                            struct debug2 *writer)
{
    uint64_t most = most_goroutines(options);
    struct draw draw;

    for (uint64_t i = 0; i < most; i++) {
        uint64_t done = options->bytes ? writer->out->total : i;
        uint64_t all = options->bytes ? options->bytes / 2 : most;

        if (options->bytes && done > options->bytes)
            break;
        population_draw(population, done, all, &draw);
        tally_add(tally, population, &draw);
        if (writer)
            debug2_put(writer, &draw);
    }
}

static void dump_write(const struct options *options,
                       struct population *population)
{
    struct truth truth = {.population = population};
    struct tally tally;
    struct debug2 writer;
    struct out out;

    tally_init(&tally, &options->plan);
    out_open(&out, STDOUT_FILENO);
    if (options->plan.by_counts) {
        goroutines_draw(options, population, &tally, NULL);
        debug1_write(&out, population, &tally);
    } else {
        debug2_init(&writer, &out, population, most_goroutines(options));
        goroutines_draw(options, population, &tally, &writer);
        truth.debug2 = &writer;
    }
    truth.bytes = out.total;
    truth.tally = &tally;
    if (options->truth)
        truth_write(&truth, options->truth);
    out_close(&out);
    tally_done(&tally);
}

int main(int argc, char **argv)
{
    struct options options = {
        .plan = {.seed = 1, .n_stacks = 50, .min_frames = 4, .max_frames = 10},
        .goroutines = UINT64_MAX,
        .release = {.minor = GO_NEWEST, .era = ERA_24},
    };
    struct functions functions;
    struct frames frames;
    struct population population;

    options_read(&options, argc, argv);
    functions_init(&functions, plan_functions(&options.plan), options.plan.seed,
                   &options.release);
    frames_init(&frames, &functions, options.plan.seed);
    population_init(&population, &options.plan, &frames);
    dump_write(&options, &population);
    population_done(&population);
    frames_done(&frames);
    functions_done(&functions);
    return 0;
}
