/* growth.c - how often the growth test finds leaks, and how often it cries
 * wolf, over many simulated services.
 *
 *     growth [RUNS]
 *
 * Prints tables in Markdown (docs/growth.md holds them) and, as the last line,
 * how many bounds held. The dice are seeded, so every run is the same; bounds
 * that are missed fail the build. */
#include <stdio.h>
#include <stdlib.h>

#include "analysis/load.h"
#include "simulation.h"

enum { N_RATES = 6, RATE_LARGE = 5 };

static const double rates[N_RATES] = {1, 2, 4, 8, 10, 40};

/* The least percent of leaks of 40 a snapshot that must be found, beside four
 * companions. */
static const struct least {
    size_t n;
    enum wave wave;
    double percent;
} leasts[] = {
    {12, WAVE_FLAT, 97}, {12, WAVE_AR, 85}, {12, WAVE_DAY, 60},
    {24, WAVE_FLAT, 99}, {24, WAVE_AR, 90}, {24, WAVE_DAY, 75},
};

void simulation_check(struct simulation *simulation, bool holds,
                      const char *what, double percent, double bound)
{
    if (holds) {
        simulation->passed++;
        return;
    }
    simulation->failed++;
    printf("FAILED: %s: %.1f %%, bound %.1f %%\n", what, percent, bound);
}

/* Whether the shipped code flags the service's group as growing by the whole
 * test. */
static bool is_flagged(struct simulation *simulation)
{
    const struct service *service = &simulation->service;
    double busy[SERIES_MOST];
    struct load load;
    struct trend_series series = {service->times, service->counts, NULL,
                                  service->n};
    struct trend trend;

    load_init(&load, service->n);
    for (size_t i = 0; i < service->n_companions; i++)
        load_add(&load, service->companions[i], &simulation->scratch);
    load_add(&load, service->counts, &simulation->scratch);
    load_seal(&load);
    if (load_get(&load, service->counts, busy, &simulation->scratch))
        series.load = busy;
    trend = trend_judge(&series, &simulation->scratch);
    return trend.verdict == TREND_GROWING && trend.is_whole;
}

/* The percent of healthy services of a family that are flagged. */
static double run_family(struct simulation *simulation,
                         const struct service_family *family, size_t n,
                         enum wave wave, bool has_many)
{
    unsigned flagged = 0;
    struct dice dice;

    dice_init(&dice, SEED,
              (uint64_t)(family - families) * 1000 + n * 10 +
                  (uint64_t)wave * 2 + has_many);
    for (unsigned i = 0; i < simulation->runs; i++) {
        service_start(&simulation->service, &dice, n, wave, has_many);
        family->fill(&dice, &simulation->service);
        flagged += is_flagged(simulation);
    }
    return 100.0 * flagged / simulation->runs;
}

/* The same of services that leak. Small leaks are of groups of 0 to 40 and do
 * not ask for the load; large ones of 100 or 500. */
static double run_leak(struct simulation *simulation, size_t rate, size_t n,
                       enum wave wave, bool has_many)
{
    bool is_small = rate < 4;
    unsigned flagged = 0;
    struct dice dice;

    dice_init(&dice, SEED + 1,
              (uint64_t)rate * 1000 + n * 10 + (uint64_t)wave * 2 + has_many);
    for (unsigned i = 0; i < simulation->runs; i++) {
        double base = is_small ? 20.0 * (i % 3) : i % 2 == 0 ? 100 : 500;

        service_start(&simulation->service, &dice, n, wave, has_many);
        service_leak(&simulation->service, &dice, base, rates[rate], !is_small);
        flagged += is_flagged(simulation);
    }
    return 100.0 * flagged / simulation->runs;
}

/* One line of the table of healthy families, and what it adds to the mean. */
static double healthy_row(struct simulation *simulation,
                          const struct service_family *family, enum wave wave,
                          bool is_bound)
{
    static const size_t lengths[] = {5, 8, 12, 24, 48};
    double at_12 = 0;
    char what[80];

    printf("| %s, %s |", family->name, wave_names[wave]);
    for (size_t i = 0; i < sizeof(lengths) / sizeof(*lengths); i++) {
        double percent =
            run_family(simulation, family, lengths[i], wave, false);

        printf(" %.1f |", percent);
        if (lengths[i] == 12)
            at_12 = percent;
    }
    printf(" %s |\n", family->about);
    snprintf(what, sizeof(what), "healthy %s, %s, flagged at N = 12",
             family->name, wave_names[wave]);
    if (is_bound)
        simulation_check(simulation, at_12 <= family->most, what, at_12,
                         family->most);
    return at_12;
}

static void run_healthy(struct simulation *simulation)
{
    double sum = 0;
    unsigned rows = 0;

    printf("| healthy, load | N=5 | 8 | 12 | 24 | 48 | what it is |\n"
           "|---|---|---|---|---|---|---|\n");
    for (size_t f = 0; f < n_families; f++) {
        for (enum wave wave = WAVE_FLAT; wave < N_WAVES; wave++) {
            if (!families[f].follows && wave != WAVE_FLAT && wave != WAVE_DAY)
                continue;
            sum += healthy_row(simulation, &families[f], wave, true);
            rows++;
        }
    }
    printf("\nMean at N = 12: %.2f %%\n\n", sum / rows);
    simulation_check(simulation, sum / rows <= 2,
                     "healthy families, mean at N = 12", sum / rows, 2);
}

static void check_leak(struct simulation *simulation, size_t n, enum wave wave,
                       double percent)
{
    char what[80];

    for (size_t i = 0; i < sizeof(leasts) / sizeof(*leasts); i++) {
        if (leasts[i].n != n || leasts[i].wave != wave)
            continue;
        snprintf(what, sizeof(what), "leak of 40, %s, found at N = %zu",
                 wave_names[wave], n);
        simulation_check(simulation, percent >= leasts[i].percent, what,
                         percent, leasts[i].percent);
    }
}

static void leak_row(struct simulation *simulation, size_t n, enum wave wave,
                     bool has_many)
{
    double small = 0;

    printf("| %zu | %s | %s |", n, wave_names[wave], has_many ? "9" : "4");
    for (size_t rate = 0; rate < N_RATES; rate++) {
        double percent = run_leak(simulation, rate, n, wave, has_many);

        printf(" %.0f |", percent);
        small += rate < 4 ? percent / 4 : 0;
        if (rate == RATE_LARGE && !has_many)
            check_leak(simulation, n, wave, percent);
    }
    printf("\n");
    if (n == 12 && wave == WAVE_FLAT)
        simulation_check(simulation, small >= 50,
                         "leaks of 1 to 8, found at N = 12", small, 50);
}

static void run_leaks(struct simulation *simulation)
{
    static const size_t lengths[] = {5, 8, 12, 24};

    printf("| N | load | companions | leak of 1 | 2 | 4 | 8 | 10 | 40 |\n"
           "|---|---|---|---|---|---|---|---|---|\n");
    for (size_t i = 0; i < sizeof(lengths) / sizeof(*lengths); i++) {
        for (enum wave wave = WAVE_FLAT; wave < N_WAVES; wave++) {
            leak_row(simulation, lengths[i], wave, false);
            leak_row(simulation, lengths[i], wave, true);
        }
    }
    printf("\n");
}

int main(int argc, char **argv)
{
    struct simulation *simulation = calloc(1, sizeof(*simulation));
    int status;

    if (!simulation)
        return 2;
    simulation->runs = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 2000;
    if (!simulation->runs)
        simulation->runs = 1;
    run_healthy(simulation);
    run_leaks(simulation);
    run_processes(simulation);
    run_staying(simulation);
    printf("%u passed, %u failed\n", simulation->passed, simulation->failed);
    status = simulation->failed ? 1 : 0;
    free(simulation);
    return status;
}
