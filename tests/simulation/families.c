#include "families.h"

#include <math.h>

static const double TURN = 6.283185307179586;

const char *const wave_names[N_WAVES] = {"flat", "autocorrelated", "diurnal",
                                         "morning", "step"};

static double uniform(struct dice *dice, double low, double high)
{
    return low + (high - low) * dice_unit(dice);
}

static double either(struct dice *dice, double a, double b)
{
    return dice_unit(dice) < 0.5 ? a : b;
}

/* Box and Muller. */
static double normal(struct dice *dice)
{
    double u = dice_unit(dice);
    double v = dice_unit(dice);

    return sqrt(-2 * log(u > 1e-300 ? u : 1e-300)) * cos(TURN * v);
}

double dice_count(struct dice *dice, double mean)
{
    double limit = exp(-mean);
    double product = 1;
    double k = -1;

    if (mean <= 0)
        return 0;
    if (mean > 30)
        return fmax(0, round(mean + normal(dice) * sqrt(mean)));
    do {
        product *= dice_unit(dice);
        k++;
    } while (product >= limit);
    return k;
}

/* n values that follow those before them by 0.8, with a deviation of 0.3. */
static void fill_ar(struct dice *dice, double *values, size_t n)
{
    values[0] = normal(dice) * 0.3;
    for (size_t i = 1; i < n; i++)
        values[i] = 0.8 * values[i - 1] + normal(dice) * 0.3 * 0.6;
}

/* Waves of half to twice the usual load, one of 0.25 to 2 of them in the time
 * that is watched. */
static void wave_day(struct dice *dice, double *wave, size_t n)
{
    double period = (double)n / uniform(dice, 0.25, 2);
    double phase = uniform(dice, 0, TURN);

    for (size_t i = 0; i < n; i++)
        wave[i] = 1 + 0.5 * sin(TURN * (double)i / period + phase);
}

static void wave_step(struct dice *dice, double *wave, size_t n)
{
    size_t at = 2 + (size_t)(dice_unit(dice) * (double)(n - 2));
    double factor = uniform(dice, 1.3, 3);

    for (size_t i = 0; i < n; i++)
        wave[i] = i >= at ? factor : 1;
}

static void fill_wave(struct dice *dice, double *wave, size_t n, enum wave kind)
{
    for (size_t i = 0; i < n; i++)
        wave[i] = 1;
    if (kind == WAVE_AR) {
        fill_ar(dice, wave, n);
        for (size_t i = 0; i < n; i++)
            wave[i] = fmax(0.1, 1 + wave[i]);
    } else if (kind == WAVE_DAY) {
        wave_day(dice, wave, n);
    } else if (kind == WAVE_MORNING) {
        for (size_t i = 0; i < n; i++)
            wave[i] =
                1 + 0.5 * sin(TURN * ((double)i / (double)(n - 1) / 2 - 0.25));
    } else if (kind == WAVE_STEP) {
        wave_step(dice, wave, n);
    }
}

/* The usual count of a companion, and by how much it follows the load. */
static const struct companion {
    double count;
    double follows;
} companions[COMPANIONS_MOST] = {
    {40, 1},   {100, 1},   {400, 1}, {60, 1}, {1000, 1},
    {30, 0.5}, {200, 0.5}, {16, 0},  {64, 0},
};

void service_start(struct service *service, struct dice *dice, size_t n,
                   enum wave wave, bool has_many)
{
    service->n = n;
    service->n_companions = has_many ? COMPANIONS_MOST : 4;
    fill_wave(dice, service->wave, n, wave);
    for (size_t i = 0; i < n; i++) {
        service->times[i] = (double)i;
        service->counts[i] = 0;
    }
    for (size_t c = 0; c < service->n_companions; c++) {
        const struct companion *companion = &companions[c];

        for (size_t i = 0; i < n; i++) {
            double load = 1 + companion->follows * (service->wave[i] - 1);

            service->companions[c][i] =
                companion->follows > 0
                    ? dice_count(dice, companion->count * load)
                    : companion->count;
        }
    }
}

void service_leak(struct service *service, struct dice *dice, double base,
                  double rate, bool follows)
{
    double leaked = 0;

    for (size_t i = 0; i < service->n; i++) {
        double load = service->wave[i];

        leaked += dice_count(dice, follows ? rate * load : rate);
        service->counts[i] = dice_count(dice, base * load) + leaked;
    }
}

static void fill_poisson(struct dice *dice, struct service *service)
{
    static const double means[] = {30, 200, 1000, 5000};
    double mean = means[(size_t)(dice_unit(dice) * 4) & 3];

    for (size_t i = 0; i < service->n; i++)
        service->counts[i] = dice_count(dice, mean);
}

static void fill_overdispersed(struct dice *dice, struct service *service)
{
    double mean = either(dice, 100, 1000);

    for (size_t i = 0; i < service->n; i++) {
        double gamma = 0;

        for (size_t k = 0; k < 4; k++)
            gamma -= log(1 - dice_unit(dice)) / 4;
        service->counts[i] = dice_count(dice, mean * gamma);
    }
}

static void fill_own_noise(struct dice *dice, struct service *service)
{
    double mean = either(dice, 100, 1000);

    fill_ar(dice, service->counts, service->n);
    for (size_t i = 0; i < service->n; i++)
        service->counts[i] = fmax(0, round(mean * (1 + service->counts[i])));
}

static void fill_walk(struct dice *dice, struct service *service)
{
    double value = 1000;

    for (size_t i = 0; i < service->n; i++) {
        value += normal(dice) * 40;
        service->counts[i] = fmax(0, round(value));
    }
}

static void fill_warmup(struct dice *dice, struct service *service)
{
    double tau = uniform(dice, 0.5, (double)service->n / 4);
    double mean = either(dice, 100, 1000);

    for (size_t i = 0; i < service->n; i++)
        service->counts[i] =
            dice_count(dice, mean * (1 - exp(-(double)i / tau)));
}

static void fill_pool(struct dice *dice, struct service *service)
{
    double cap = either(dice, 100, 500);
    double full = uniform(dice, 0.2, 0.7) * (double)service->n;

    for (size_t i = 0; i < service->n; i++)
        service->counts[i] = fmin(cap, round(cap * (double)i / full));
}

static void fill_follower(struct dice *dice, struct service *service)
{
    double mean = either(dice, 100, 500);

    for (size_t i = 0; i < service->n; i++)
        service->counts[i] = dice_count(dice, mean * service->wave[i]);
}

static void fill_fixed(struct dice *dice, struct service *service)
{
    (void)dice;
    for (size_t i = 0; i < service->n; i++)
        service->counts[i] = 64;
}

const struct service_family families[] = {
    {"flat", "Poisson, 30 to 5,000", fill_poisson, 5, false},
    {"over-dispersed", "Poisson over gamma", fill_overdispersed, 5, false},
    {"own noise", "autocorrelated 0.8, 30 %", fill_own_noise, 5, false},
    {"random walk", "steps of 40 on 1,000", fill_walk, 5, false},
    {"warm-up", "exponential approach", fill_warmup, 10, false},
    {"pool", "fills up to a cap", fill_pool, 5, false},
    {"traffic", "follows the load", fill_follower, 5, true},
    {"fixed", "64 workers", fill_fixed, 5, true},
};
const size_t n_families = sizeof(families) / sizeof(families[0]);
