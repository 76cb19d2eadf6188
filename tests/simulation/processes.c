/* processes.c - whole processes, in which forty goroutines stand in a channel
 * send from the first moment on, beside traffic that grows tenfold.
 *
 * Every place is judged as the program judges it: by its counts beside the load
 * of the others, with goroutine ids and without. What is of medium severity or
 * above is what people are told to act on. */
#include <stdio.h>
#include <string.h>

#include "analysis/load.h"
#include "analysis/stuck.h"
#include "rules/growth_level.h"
#include "simulation.h"

enum role {
    PLACE_STUCK,
    PLACE_TRAFFIC, /* sessions in a select, from 20 to 200 */
    PLACE_WORKERS, /* an idle pool of 64 */
    PLACE_GATE,    /* senders in front of a limit, about 15: others each time */
    PLACE_OTHERS,  /* four handlers that follow the load */
    N_PLACES = PLACE_OTHERS + 4,
};

/* What waits where, and which part of its goroutines ids show to stay. */
static const struct {
    state_id state;
    double survivors;
} places[N_PLACES] = {
    [PLACE_STUCK] = {STATE_CHAN_SEND, 1},
    [PLACE_TRAFFIC] = {STATE_SELECT, 0},
    [PLACE_WORKERS] = {STATE_CHAN_RECEIVE, 1},
    [PLACE_GATE] = {STATE_CHAN_SEND, 0},
    [PLACE_OTHERS] = {STATE_IO_WAIT, 0},
    {STATE_IO_WAIT, 0},
    {STATE_IO_WAIT, 0},
    {STATE_IO_WAIT, 0},
};

struct process {
    struct service service;
    double counts[N_PLACES * POINTS_MOST]; /* n for each place */
    struct load load;
};

/* What people were told to act on. */
struct told {
    unsigned found; /* the forty */
    unsigned stuck; /* all that were called stuck */
    unsigned all;   /* and all places */
};

static void process_start(struct process *process, struct dice *dice, size_t n,
                          enum wave wave, struct series_scratch *scratch)
{
    struct service *service = &process->service;

    service_start(service, dice, n, wave, false);
    load_init(&process->load, n);
    for (size_t place = 0; place < N_PLACES; place++) {
        double *counts = process->counts + place * n;

        for (size_t i = 0; i < n; i++) {
            double part = (double)i / (double)(n - 1);
            double busy = 20 * (1 + 9 * part) * service->wave[i];

            counts[i] = place == PLACE_STUCK     ? 40
                        : place == PLACE_TRAFFIC ? dice_count(dice, busy)
                        : place == PLACE_WORKERS ? 64
                        : place == PLACE_GATE
                            ? dice_count(dice, 15)
                            : service->companions[place - PLACE_OTHERS][i];
        }
        load_add(&process->load, counts, scratch);
    }
    load_seal(&process->load);
}

/* What a place does, as the program sees it without ids. */
static struct site_growth judge_place(struct process *process, size_t place,
                                      struct series_scratch *scratch)
{
    size_t n = process->service.n;
    const double *counts = process->counts + place * n;
    double busy[SERIES_MOST];
    struct trend_series series = {process->service.times, counts, NULL, n};
    struct site_growth site = {.state = places[place].state,
                               .is_blocking =
                                   places[place].state == STATE_CHAN_SEND,
                               .survivors = places[place].survivors,
                               .n = n};
    struct stuck_moves moves = stuck_moves_of(process->counts, n, N_PLACES);
    struct trend trend;

    site.has_load = load_get(&process->load, counts, busy, scratch);
    if (site.has_load)
        series.load = busy;
    trend = trend_judge(&series, scratch);
    site.is_whole = trend.is_whole;
    site.before = trend.before;
    site.after = trend.after;
    if (trend.verdict == TREND_GROWING)
        site.verdict = GROWTH_GROWING;
    else if (trend.verdict == TREND_STABLE && stuck_holds(counts, n) &&
             stuck_moves_elsewhere(&moves, counts, n))
        site.verdict = GROWTH_STUCK;
    return site;
}

/* Judges all places, without ids for told[0] and with them for told[1]. */
static void judge_process(struct process *process,
                          struct series_scratch *scratch, struct told told[2])
{
    for (size_t place = 0; place < N_PLACES; place++) {
        struct site_growth site = judge_place(process, place, scratch);

        for (int ids = 0; ids < 2; ids++) {
            site.has_survivors = ids;
            if (growth_severity(&site, 0) < CPROF_SEVERITY_MEDIUM)
                continue;
            told[ids].found += place == PLACE_STUCK;
            told[ids].stuck += site.verdict == GROWTH_STUCK;
            told[ids].all++;
        }
    }
}

static double percent(unsigned part, unsigned of)
{
    return of ? 100.0 * part / of : 0;
}

/* The bounds: the forty are found, what is called stuck is, and with ids so is
 * nine tenths of all that people are told to act on. Counts alone cannot tell
 * sessions that grow tenfold from a leak. */
static void check_row(struct simulation *simulation, size_t n, enum wave wave,
                      const struct told told[2])
{
    char what[80];

    for (int ids = 0; ids < 2; ids++) {
        double found = percent(told[ids].found, simulation->runs);
        double right =
            percent(told[ids].found, ids ? told[ids].all : told[ids].stuck);

        snprintf(what, sizeof(what), "40 stuck, %s, N = %zu, %s: found",
                 wave_names[wave], n, ids ? "ids" : "counts");
        simulation_check(simulation, found >= 99, what, found, 99);
        snprintf(what, sizeof(what), "40 stuck, %s, N = %zu, %s: right",
                 wave_names[wave], n, ids ? "ids" : "counts");
        simulation_check(simulation, right >= 90, what, right, 90);
    }
}

static void run_row(struct simulation *simulation, size_t n, enum wave wave)
{
    static struct process process;
    struct told told[2] = {0};
    struct dice dice;

    dice_init(&dice, SEED + 2, n * 10 + (uint64_t)wave);
    for (unsigned i = 0; i < simulation->runs; i++) {
        process_start(&process, &dice, n, wave, &simulation->scratch);
        judge_process(&process, &simulation->scratch, told);
    }
    printf("| %zu | %s |", n, wave_names[wave]);
    for (int ids = 0; ids < 2; ids++)
        printf(" %.0f | %.0f | %.0f |",
               percent(told[ids].found, simulation->runs),
               percent(told[ids].found, told[ids].stuck),
               percent(told[ids].found, told[ids].all));
    printf("\n");
    check_row(simulation, n, wave, told);
}

void run_processes(struct simulation *simulation)
{
    static const size_t lengths[] = {5, 8, 12, 24};

    printf("| N | load | counts: found | right of stuck | right of all "
           "| ids: found | right of stuck | right of all |\n"
           "|---|---|---|---|---|---|---|---|\n");
    for (size_t i = 0; i < sizeof(lengths) / sizeof(*lengths); i++) {
        for (enum wave wave = WAVE_FLAT; wave < N_WAVES; wave++)
            run_row(simulation, lengths[i], wave);
    }
    printf("\n");
}
