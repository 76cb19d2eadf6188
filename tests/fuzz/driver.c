/* driver.c - runs a fuzz target over stored inputs, without libFuzzer.
 *
 *     TARGET [--part K/N] { [--cuts N] PATH }...
 *
 * Every file of every PATH, folders with all that is below them, is given to
 * LLVMFuzzerTestOneInput whole, and then cut: to each length from nothing up,
 * or, where the file is longer than N bytes, to each of its first N/2 lengths
 * and to as many spread evenly over the rest. N counts for the paths behind it.
 * With --part only every Nth file is run, from number K on, so that N processes
 * share the work. Each input lies in a block of exactly its size, so that a
 * sanitizer or valgrind sees the first byte read too far. The last line says
 * how many files and inputs there were. The status is 0; 2 when nothing could
 * be read or a path is wrong; a target that fails ends the program by itself,
 * and what it died of is printed. */
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "dumps.h"

/* The target, in the *_fuzz.c that this file is linked with. It must return 0
 * and must not keep data, which is freed afterwards. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Nothing is searched, and nobody calls it (dumps.h). */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most)
{
    (void)data;
    return size < most ? size : most;
}

/* How many lengths a file is cut to when --cuts does not say. */
#define CUTS_DEFAULT 1024

struct replay {
    size_t cuts; /* at most so many lengths of a file */
    size_t part; /* of n_parts */
    size_t n_parts;
    size_t n_seen; /* files, and of them n_files were run */
    size_t n_files;
    size_t n_inputs;
};

/* What the target is given at the moment: a line for the handler of signals,
 * which can be handed nothing. */
static char current[4200];

/* Names the input on which the target died, then dies of it as before. */
static void say_where(int signal_number)
{
    size_t len = strlen(current);

    if (write(STDERR_FILENO, current, len) < 0)
        _exit(2);
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

static void catch_signals(void)
{
    static const int deaths[] = {SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV};

    for (size_t i = 0; i < sizeof deaths / sizeof deaths[0]; i++)
        signal(deaths[i], say_where);
}

/* Says that path cannot be used, and why by errno; returns false. */
static bool refuse(const char *path)
{
    fprintf(stderr, "driver: %s: %s\n", path, strerror(errno));
    return false;
}

/* Gives the first size bytes of data to the target. */
static void run_input(struct replay *replay, const char *path,
                      const uint8_t *data, size_t size)
{
    uint8_t *input = malloc(size ? size : 1);

    if (!input)
        abort();
    if (size)
        memcpy(input, data, size);
    snprintf(current, sizeof current, "driver: died on the first %zu of %s\n",
             size, path);
    LLVMFuzzerTestOneInput(input, size);
    replay->n_inputs++;
    free(input);
}

/* Runs the whole of a file, then its beginnings. */
static void run_cuts(struct replay *replay, const char *path,
                     const uint8_t *data, size_t size)
{
    size_t first = size <= replay->cuts ? size : replay->cuts / 2;
    size_t others = size <= replay->cuts ? 0 : replay->cuts - first;

    run_input(replay, path, data, size);
    for (size_t i = 0; i < first; i++)
        run_input(replay, path, data, i);
    for (size_t i = 0; i < others; i++)
        run_input(replay, path, data, first + i * (size - first) / others);
    replay->n_files++;
}

/* Reads a file of the given size and runs it. False when it cannot be read. */
static bool replay_file(struct replay *replay, const char *path, size_t size)
{
    bool done = false;
    uint8_t *data = malloc(size ? size : 1);
    FILE *file = fopen(path, "rb");

    if (data && file && fread(data, 1, size, file) == size) {
        run_cuts(replay, path, data, size);
        done = true;
    } else {
        refuse(path);
    }
    if (file)
        fclose(file);
    free(data);
    return done;
}

static bool replay_path(struct replay *replay, const char *path);

static int is_visible(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

/* Runs what is in a folder, by name, so that each run is the same. */
static bool replay_folder(struct replay *replay, const char *path)
{
    struct dirent **entries = NULL;
    int n_entries = scandir(path, &entries, is_visible, alphasort);
    bool done = n_entries >= 0 || refuse(path);

    for (int i = 0; i < n_entries; i++) {
        char below[4096];
        int len =
            snprintf(below, sizeof below, "%s/%s", path, entries[i]->d_name);

        done = len < (int)sizeof below && replay_path(replay, below) && done;
        free(entries[i]);
    }
    free(entries);
    return done;
}

/* Runs a file or a folder. False when some of it could not be read. */
static bool replay_path(struct replay *replay, const char *path)
{
    struct stat info;

    if (stat(path, &info) != 0)
        return refuse(path);
    if (S_ISDIR(info.st_mode))
        return replay_folder(replay, path);
    if (replay->n_seen++ % replay->n_parts != replay->part)
        return true;
    return replay_file(replay, path, (size_t)info.st_size);
}

/* Takes the option at argv[0], if it is one, and its value; how many words. */
static int take_option(struct replay *replay, char **argv)
{
    char *end;

    if (!argv[1])
        return 0;
    if (strcmp(argv[0], "--cuts") == 0) {
        replay->cuts = strtoul(argv[1], NULL, 10);
        return 2;
    }
    if (strcmp(argv[0], "--part") == 0) {
        replay->part = strtoul(argv[1], &end, 10);
        replay->n_parts = *end == '/' ? strtoul(end + 1, NULL, 10) : 1;
        return 2;
    }
    return 0;
}

int main(int argc, char **argv)
{
    struct replay replay = {.cuts = CUTS_DEFAULT, .n_parts = 1};
    bool done = true;

    catch_signals();
    for (int i = 1; i < argc;) {
        int taken = take_option(&replay, argv + i);

        if (!taken)
            done = replay_path(&replay, argv[i++]) && done;
        i += taken;
    }
    printf("%zu files, %zu inputs\n", replay.n_files, replay.n_inputs);
    return done && replay.n_seen > 0 ? 0 : 2;
}
