/* watch.c - how often check cries wolf over a healthy service, and how soon it
 * finds a leak in one.
 *
 *     watch [RUNS [FIRST_SEED]]
 *
 * A service has fifty places. Each follows a daily wave in a way of its own, by
 * how much and how late, beside noise that follows itself, and is watched every
 * five minutes by the code that ships: its dumps go into a history, are judged
 * by the built-in rules and among the others, and their alerts are stepped from
 * run to run. Prints tables in Markdown (docs/check.md holds them) and, as the
 * last line, how many bounds held. The dice are seeded: every run is the
 * same. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "analysis/states.h"
#include "cli/check_memory.h"
#include "cli/check_series.h"
#include "families.h"

enum {
    SITES = 50,
    NEEDED = 3, /* --for */
    STEP_S = 300,
    WARNINGS_MOST = 1, /* in 2,000 runs of a healthy service */
};

static const int64_t begin_ns = 1795000000 * (int64_t)1000000000;
static const double turn = 6.283185307179586;

/* What a service is like. */
struct kind {
    const char *about;
    double noise; /* one deviation, of the count */
    double late;  /* hours that a place comes before or after the wave, most */
    double leak;  /* goroutines a run at one place, from the half of the runs */
};

static const struct kind kinds[] = {
    {"healthy, one wave, noise of 10 %", 0.1, 0, 0},
    {"healthy, up to 3 hours apart, noise of 10 %", 0.1, 3, 0},
    {"healthy, up to 3 hours apart, noise of 30 %", 0.3, 3, 0},
    {"leak of 2 a run", 0.1, 1, 2},
    {"leak of 10 a run", 0.1, 1, 10},
    {"leak of 100 a run", 0.1, 1, 100},
};

enum { N_KINDS = sizeof(kinds) / sizeof(kinds[0]) };

/* One place. */
struct site {
    const char *state;
    double usual;
    double follows; /* how much of the wave it takes */
    double late_h;
    double noise; /* now */
};

struct watch {
    const struct kind *kind;
    struct dice dice;
    struct site sites[SITES];
    double phase;
    double leaked;
    struct store *store;
    struct cprof_options *options;
    struct arena arena; /* of one run */
    struct budget budget;
    unsigned warnings;
    long found; /* the first run that fired at the leak; -1 = none */
};

static void must(int rc, const struct cprof_error *err)
{
    if (rc >= 0)
        return;
    printf("FAILED: %s\n", err->message);
    exit(2);
}

static double normal(struct dice *dice)
{
    double u = dice_unit(dice);

    return sqrt(-2 * log(u > 1e-300 ? u : 1e-300)) *
           cos(turn * dice_unit(dice));
}

static void start(struct watch *watch)
{
    static const char *const states[] = {
        "IO wait", "select", "chan receive",    "sleep",      "chan send",
        "IO wait", "select", "sync.Mutex.Lock", "semacquire", "chan receive",
    };

    watch->phase = dice_unit(&watch->dice) * turn;
    for (size_t i = 0; i < SITES; i++) {
        struct site *site = &watch->sites[i];

        site->state = states[i % (sizeof(states) / sizeof(states[0]))];
        site->usual = exp(log(5) + dice_unit(&watch->dice) * log(60));
        site->follows = dice_unit(&watch->dice) * 1.8;
        site->late_h = (dice_unit(&watch->dice) * 2 - 1) * watch->kind->late;
        site->noise = normal(&watch->dice) * watch->kind->noise;
    }
}

/* The goroutines of a site in a run. */
static double count_of(struct watch *watch, struct site *site, unsigned run)
{
    double hours = (double)run * STEP_S / 3600 - site->late_h;
    double wave =
        1 + 0.5 * site->follows * sin(turn * hours / 24 + watch->phase);

    site->noise =
        0.8 * site->noise + normal(&watch->dice) * watch->kind->noise * 0.6;
    return dice_count(&watch->dice, site->usual * fmax(0.05, wave) *
                                        fmax(0.05, 1 + site->noise));
}

static void add_site(struct snapshot *snapshot, size_t index,
                     const struct site *site, double count)
{
    struct symbols *symbols = snapshot_symbols(snapshot);
    char name[32];
    frame_id frame;
    struct record record = {.count = (uint64_t)count, .n_frames = 1};

    if (count < 1)
        return;
    snprintf(name, sizeof(name), "main.place%zu", index);
    frame = symbols_frame_put(
        symbols, (struct frame){symbols_function_put(symbols, str_from(name)),
                                symbols_text_put(symbols, STR("/src/main.go")),
                                (uint32_t)index + 1});
    record.frames = &frame;
    record.state = symbols_state_put(symbols, str_from(site->state));
    record.state_source = STATE_FROM_HEADER;
    record.hidden.count = -1;
    snapshot_add(snapshot, &record);
}

/* Makes the dump of a run. */
static struct snapshot *make_dump(struct watch *watch,
                                  struct cprof_snapshots *dump, unsigned run)
{
    struct snapshot *snapshot = NULL;
    struct cprof_error err = {0};
    struct snapshot_info *info;

    must(collection_add(dump, &snapshot, &err), &err);
    info = snapshot_info(snapshot);
    info->source = STR("watch");
    info->format = "debug0";
    info->profile = STR("goroutine");
    info->complete = true;
    info->taken_ns = begin_ns + (int64_t)run * STEP_S * 1000000000;
    dump->n_inputs = 1;
    for (size_t i = 0; i < SITES; i++) {
        double count = count_of(watch, &watch->sites[i], run);

        add_site(snapshot, i, &watch->sites[i],
                 i ? count : count + watch->leaked);
    }
    return snapshot;
}

/* Counts what fired in a run. */
static void note(struct watch *watch, const struct alerts *alerts, unsigned run)
{
    for (size_t i = 0; i < alerts->n; i++) {
        const struct outcome_alert *shown = &alerts->items[i].shown;
        bool is_leak = watch->kind->leak > 0 &&
                       str_equal(shown->function, STR("main.place0"));

        if (!shown->is_changed || shown->state != ALERT_FIRING)
            continue;
        if (!is_leak)
            watch->warnings++;
        else if (watch->found < 0)
            watch->found = (long)run;
    }
}

/* What check does with a dump, but for reading it. */
static void watch_once(struct watch *watch, unsigned run)
{
    static const struct alert_levels levels = {CPROF_SEVERITY_HIGH,
                                               CPROF_SEVERITY_CRITICAL};
    struct arena *arena = &watch->arena;
    struct cprof_snapshots *dump = NULL;
    struct cprof_snapshots *series = NULL;
    struct cprof_report *now = NULL;
    struct cprof_report *compared = NULL;
    struct cprof_error err = {0};
    struct sightings seen;
    struct store_added added;
    struct store_snapshot stored = {.instance = STR("a"), .is_timed = true};
    struct alert_run how = {.needed = NEEDED};
    struct alerts before;
    struct alerts alerts;

    arena_reset(arena);
    must(check_memory_read(watch->store, stored.instance, &before, arena, &err),
         &err);
    must(cprof_snapshots_new(&dump, watch->options, &err), &err);
    stored.snapshot = make_dump(watch, dump, run);
    stored.taken_ns = how.now_ns = snapshot_info(stored.snapshot)->taken_ns;
    must(cprof_report_new(&now, dump, watch->options, &err), &err);
    must(store_add(watch->store, &stored, &added, &err), &err);
    must(check_series_read(&series, watch->store, stored.instance,
                           stored.taken_ns, watch->options, &err),
         &err);
    if (series->count > 1)
        must(cprof_report_new(&compared, series, watch->options, &err), &err);
    must(sightings_take(&seen, now, compared, &levels, arena, &err), &err);
    must(alerts_step(&alerts, &before, &seen, &how, arena, &err), &err);
    must(check_memory_write(watch->store, stored.instance, &alerts, &err),
         &err);
    note(watch, &alerts, run);
    cprof_report_free(compared);
    cprof_snapshots_free(series);
    cprof_report_free(now);
    cprof_snapshots_free(dump);
}

/* Watches one service for some runs. */
static void watch_kind(struct watch *watch, unsigned runs, uint64_t seed,
                       const char *path)
{
    struct store_options options = {.mode = STORE_CREATE};
    struct cprof_error err = {0};

    watch->warnings = 0;
    watch->leaked = 0;
    watch->found = -1;
    dice_init(&watch->dice, seed, (uint64_t)(watch->kind - kinds));
    start(watch);
    must(store_open(&watch->store, path, &options, &err), &err);
    for (unsigned run = 0; run < runs; run++) {
        if (run >= runs / 2)
            watch->leaked += dice_count(&watch->dice, watch->kind->leak);
        watch_once(watch, run);
    }
    store_close(watch->store);
}

/* One line of the table; returns whether its bound held. */
static bool report(const struct watch *watch, unsigned runs)
{
    double most = WARNINGS_MOST * fmax(1, runs / 2000.0);
    bool holds = watch->warnings <= most;

    printf("| %s | %u | ", watch->kind->about, watch->warnings);
    if (watch->kind->leak > 0 && watch->found >= 0)
        printf("%.1f h", (double)(watch->found - runs / 2) * STEP_S / 3600);
    else if (watch->kind->leak > 0)
        printf("not");
    printf(" |\n");
    if (!holds)
        printf("FAILED: %s: %u warnings, bound %.0f\n", watch->kind->about,
               watch->warnings, most);
    /* The fastest leak is the least that must be found. */
    if (watch->kind->leak >= 100 && watch->found < 0) {
        printf("FAILED: %s: not found\n", watch->kind->about);
        holds = false;
    }
    return holds;
}

int main(int argc, char **argv)
{
    unsigned runs = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 2000;
    uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 20261121;
    char folder[] = "/tmp/watch.XXXXXX";
    char path[64];
    struct watch *watch = calloc(1, sizeof(*watch));
    struct cprof_error err = {0};
    unsigned passed = 0;

    if (!watch || !mkdtemp(folder))
        return 2;
    must(cprof_options_new(&watch->options, &err), &err);
    budget_init(&watch->budget, 0);
    arena_init(&watch->arena, &watch->budget);
    printf("| service, %u runs | false alerts | leak found after |\n"
           "|---|---|---|\n",
           runs);
    for (size_t i = 0; i < N_KINDS; i++) {
        watch->kind = &kinds[i];
        snprintf(path, sizeof(path), "%s/%zu.db", folder, i);
        watch_kind(watch, runs, seed, path);
        unlink(path);
        passed += report(watch, runs);
    }
    rmdir(folder);
    arena_done(&watch->arena);
    cprof_options_free(watch->options);
    free(watch);
    printf("%u passed, %u failed\n", passed, (unsigned)N_KINDS - passed);
    return passed == N_KINDS ? 0 : 1;
}
