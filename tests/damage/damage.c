/* damage.c - every damaged file ends with an answer that adds up, or is said to
 * be no dump.
 *
 *     damage [--every N] LIST NAME
 *     damage --print INDEX LIST NAME
 *
 * Damages the file that has the name in the list (seeds.txt) in all ways of
 * mutate.h, or in every Nth of them, gives the bytes to the library, and checks
 * what came of it (judge.h). All in one process, so that what one input leaves
 * behind is noticed at the next. The last line counts; a check that fails ends
 * the program and says which index it was, whose bytes --print writes. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "damage/judge.h"

enum {
    SEEDS_MOST = 128,
    REPORT_EVERY = 16,  /* inputs, of which one is reported on */
    HANG_SECONDS = 300, /* for one input: only a hang takes so long */
};

struct seed {
    char name[32];
    enum form form;
    struct str bytes;
};

/* What is being read, for the handler of signals. */
static char current[256];

static void say_where(int signal_number)
{
    if (write(STDERR_FILENO, current, strlen(current)) < 0)
        _exit(2);
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

static void fail(const char *what, const char *which)
{
    fprintf(stderr, "damage: %s '%s'\n", what, which);
    exit(2);
}

static struct str read_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    struct buf buf = {0};
    char piece[4096];
    size_t n;

    if (!file)
        fail("cannot read", path);
    while ((n = fread(piece, 1, sizeof(piece), file)) > 0)
        buf_add(&buf, (struct str){piece, n});
    fclose(file);
    return buf_str(&buf);
}

/* The bytes of a seed: as they lie there, or unpacked. */
static struct str load(const char *path, const char *packing)
{
    struct str file = read_file(path);
    struct buf buf = {0};

    if (strcmp(packing, "gzip") == 0)
        return file;
    bytes_unpack(&buf, file);
    free((void *)(uintptr_t)file.ptr);
    return buf_str(&buf);
}

static enum form form_named(const char *name)
{
    static const char *const names[] = {"other", "stacks", "counts"};

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        if (strcmp(names[i], name) == 0)
            return (enum form)i;
    }
    fail("no form is named", name);
    return FORM_OTHER;
}

/* Reads the list; how many seeds there are. */
static size_t read_list(const char *path, struct seed *seeds)
{
    FILE *file = fopen(path, "r");
    char line[512];
    size_t n = 0;

    if (!file)
        fail("cannot read", path);
    while (n < SEEDS_MOST && fgets(line, sizeof(line), file)) {
        char form[16];
        char packing[16];
        char at[256];

        if (sscanf(line, "%31s %15s %15s %255s", seeds[n].name, form, packing,
                   at) != 4 ||
            line[0] == '#')
            continue;
        seeds[n].form = form_named(form);
        seeds[n++].bytes = load(at, packing);
    }
    fclose(file);
    return n;
}

static size_t find_seed(const struct seed *seeds, size_t n, const char *name)
{
    for (size_t i = 0; i < n; i++) {
        if (strcmp(seeds[i].name, name) == 0)
            return i;
    }
    fail("no seed is named", name);
    return 0;
}

/* The file that the damage of an index may mix in. */
static struct str other_for(const struct seed *seeds, size_t n, size_t index)
{
    return seeds[dice_mix(index) % n].bytes;
}

static void print_damage(const struct seed *seeds, size_t n, size_t at,
                         size_t index)
{
    struct damage damage = {0};

    damage_make(&damage, seeds[at].bytes, other_for(seeds, n, index), index);
    fprintf(stderr, "%s\n", damage.words);
    fwrite(damage.bytes.ptr, 1, damage.bytes.len, stdout);
    damage_done(&damage);
}

/* All damages of one seed, or every Nth, not the same of each seed. */
static struct tally run_seed(const struct seed *seeds, size_t n, size_t at,
                             size_t every)
{
    const struct seed *seed = &seeds[at];
    uint64_t whole = judge_whole(seed->bytes);
    struct damage damage = {0};
    struct tally tally = {0};

    for (size_t i = at % every; i < damage_count(seed->bytes.len); i += every) {
        damage_make(&damage, seed->bytes, other_for(seeds, n, i), i);
        snprintf(current, sizeof(current), "damage: %.31s, index %zu: %s\n",
                 seed->name, i, damage.words);
        alarm(HANG_SECONDS);
        judge_damage(&damage, seed->form, whole, &tally);
        if (tally.n_inputs % REPORT_EVERY == 1)
            judge_report(buf_str(&damage.bytes));
    }
    alarm(0);
    damage_done(&damage);
    return tally;
}

static void catch_signals(void)
{
    static const int deaths[] = {SIGABRT, SIGALRM, SIGBUS,
                                 SIGFPE,  SIGILL,  SIGSEGV};

    for (size_t i = 0; i < sizeof(deaths) / sizeof(deaths[0]); i++)
        signal(deaths[i], say_where);
}

int main(int argc, char **argv)
{
    static struct seed seeds[SEEDS_MOST];
    bool prints = argc == 5 && strcmp(argv[1], "--print") == 0;
    bool skips = argc == 5 && strcmp(argv[1], "--every") == 0;
    size_t given = prints || skips ? strtoul(argv[2], NULL, 10) : 1;
    struct tally tally;
    size_t at;
    size_t n;

    if ((argc != 3 && !prints && !skips) || (skips && !given)) {
        fprintf(stderr,
                "usage: damage [--every N | --print INDEX] LIST NAME\n");
        return 2;
    }
    n = read_list(argv[argc - 2], seeds);
    at = find_seed(seeds, n, argv[argc - 1]);
    if (prints) {
        print_damage(seeds, n, at, given);
    } else {
        catch_signals();
        tally = run_seed(seeds, n, at, given);
        printf("%zu inputs: %zu answers, %zu of them with diagnostics, "
               "%zu refused\n",
               tally.n_inputs, tally.n_answers, tally.n_warned,
               tally.n_refused);
    }
    for (size_t i = 0; i < n; i++)
        free((void *)(uintptr_t)seeds[i].bytes.ptr);
    return 0;
}
