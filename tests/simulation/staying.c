/* staying.c - places where goroutines come and go, and where some of them stay:
 * how often those who stay are found by their ids (analysis/staying.h), and how
 * often healthy places are taken for such.
 *
 * A goroutine is there at the moments from its birth to its death, which an
 * even chance at each moment brings. */
#include "analysis/staying.h"

#include <math.h>
#include <stdio.h>

#include "analysis/growth_sites.h"
#include "simulation.h"

enum {
    LIVES_MOST = 60000,
    RUNS_PART = 4, /* of the runs of others: a place has many lives */
};

/* What stands at one place: 300 requests, of which each lives for so many
 * moments on the average. */
static const struct mixture {
    const char *name;
    double life;
    bool has_sessions; /* 60 beside them, which live for 30 moments */
    double leaks;      /* a moment, that never end */
    size_t at;    /* moments for which there is a bound; 0 = there is none */
    double bound; /* percent: of leaks at least, of others at most */
} mixtures[] = {
    {"requests of 0.2", 0.2, false, 0, 12, 0.5},
    {"requests of 1", 1, false, 0, 12, 0.5},
    {"requests of 3", 3, false, 0, 12, 0.5},
    {"requests of 10", 10, false, 0, 12, 0.5},
    {"requests of 30", 30, false, 0, 12, 5},
    {"requests of 0.2 and sessions", 0.2, true, 0, 12, 5},
    {"requests of 3 and sessions", 3, true, 0, 12, 0.5},
    {"requests of 0.2", 0.2, false, 1, 12, 15},
    {"requests of 0.2", 0.2, false, 2, 12, 90},
    {"requests of 0.2", 0.2, false, 8, 12, 99},
    {"requests of 1", 1, false, 2, 24, 90},
    {"requests of 1", 1, false, 8, 12, 80},
    {"requests of 3", 3, false, 8, 48, 95},
    {"requests of 10", 10, false, 8, 0, 0},
};

struct life {
    size_t birth;
    size_t death; /* the first moment without it */
};

struct crowd {
    size_t n; /* moments */
    size_t n_lives;
    struct life lives[LIVES_MOST];
};

static double unit(struct dice *dice)
{
    return (double)(dice_roll(dice) >> 11) * 0x1p-53;
}

static void add_lives(struct crowd *crowd, struct dice *dice, size_t birth,
                      double count, double life)
{
    for (double i = dice_count(dice, count);
         i > 0 && crowd->n_lives < LIVES_MOST; i--) {
        double more = -log(1 - unit(dice)) * life;

        crowd->lives[crowd->n_lives++] = (struct life){
            birth, birth + 1 + (more < 1000 ? (size_t)more : 1000)};
    }
}

/* Lets as many come at each moment as keep the usual number. */
static void fill(struct crowd *crowd, struct dice *dice, const double *wave,
                 double count, double life)
{
    double leave = 1 - exp(-1 / life);

    add_lives(crowd, dice, 0, count * wave[0], life);
    for (size_t i = 1; i < crowd->n; i++)
        add_lives(crowd, dice, i, count * wave[i] * leave, life);
}

static bool is_there(const struct life *life, size_t moment)
{
    return life->birth <= moment && moment < life->death;
}

/* What ids show of a crowd by one look: the rule of staying.c. */
static bool is_found(struct simulation *simulation, const struct crowd *crowd,
                     size_t lag)
{
    double counts[POINTS_MOST] = {0};
    size_t last = crowd->n - 1;
    double stayed = 0;
    double kept = 0;
    struct trend_series series = {simulation->service.times + lag, counts, NULL,
                                  crowd->n - lag};
    struct trend trend;

    for (size_t i = 0; i < crowd->n_lives; i++) {
        const struct life *life = &crowd->lives[i];
        size_t end = life->death < crowd->n ? life->death : crowd->n;

        for (size_t at = life->birth; at + lag < end; at++) {
            counts[at]++;
            stayed += at + lag < last;
            kept += at + lag < last && is_there(life, last);
        }
    }
    trend = trend_judge(&series, &simulation->scratch);
    return stayed > 0 && kept >= stayed * GROWTH_SURVIVE &&
           trend.verdict == TREND_GROWING && trend.is_whole;
}

/* Whether those who stay are found to become more where not all stay: others
 * are judged by their counts. */
static bool is_flagged(struct simulation *simulation, const struct crowd *crowd)
{
    double first = 0;
    double left = 0;

    for (size_t i = 0; i < crowd->n_lives; i++) {
        first += is_there(&crowd->lives[i], 0);
        left += is_there(&crowd->lives[i], 0) &&
                is_there(&crowd->lives[i], crowd->n - 1);
    }
    for (size_t look = 0; look < STAYING_LOOKS && left < first * GROWTH_SURVIVE;
         look++) {
        size_t lag = staying_lag(crowd->n, look);

        if (lag && is_found(simulation, crowd, lag))
            return true;
    }
    return false;
}

/* Percent of places that are flagged. */
static double run(struct simulation *simulation, const struct mixture *mixture,
                  size_t n, enum wave wave)
{
    static struct crowd crowd;
    const double *waves = simulation->service.wave;
    unsigned runs = simulation->runs / RUNS_PART + 1;
    unsigned flagged = 0;
    struct dice dice;

    dice_init(&dice, SEED + 3,
              (uint64_t)(mixture - mixtures) * 1000 + n * 10 + (uint64_t)wave);
    for (unsigned i = 0; i < runs; i++) {
        service_start(&simulation->service, &dice, n, wave, false);
        crowd.n = n;
        crowd.n_lives = 0;
        fill(&crowd, &dice, waves, 300, mixture->life);
        if (mixture->has_sessions)
            fill(&crowd, &dice, waves, 60, 30);
        for (size_t at = 0; at < n; at++)
            add_lives(&crowd, &dice, at, mixture->leaks, INFINITY);
        flagged += is_flagged(simulation, &crowd);
    }
    return 100.0 * flagged / runs;
}

/* Sessions that outlive what is watched, and become more all morning, are told
 * from a leak by the evening only. */
static void check(struct simulation *simulation, const struct mixture *mixture,
                  enum wave wave, double percent)
{
    char what[80];

    snprintf(what, sizeof(what), "%s, %s, leak of %.0f: flagged at N = %zu",
             mixture->name, wave_names[wave], mixture->leaks, mixture->at);
    if (mixture->leaks > 0)
        simulation_check(simulation, percent >= mixture->bound, what, percent,
                         mixture->bound);
    else if (wave != WAVE_MORNING)
        simulation_check(simulation, percent <= mixture->bound, what, percent,
                         mixture->bound);
}

void run_staying(struct simulation *simulation)
{
    static const size_t lengths[] = {6, 8, 12, 24, 48};
    static const enum wave waves[] = {WAVE_FLAT, WAVE_DAY, WAVE_MORNING};

    printf("| leak | place | load | N=6 | 8 | 12 | 24 | 48 |\n"
           "|---|---|---|---|---|---|---|---|\n");
    for (size_t i = 0; i < sizeof(mixtures) / sizeof(*mixtures); i++) {
        for (size_t w = 0; w < sizeof(waves) / sizeof(*waves); w++) {
            printf("| %.0f | %s | %s |", mixtures[i].leaks, mixtures[i].name,
                   wave_names[waves[w]]);
            for (size_t k = 0; k < sizeof(lengths) / sizeof(*lengths); k++) {
                double percent =
                    run(simulation, &mixtures[i], lengths[k], waves[w]);

                printf(" %.1f |", percent);
                if (lengths[k] == mixtures[i].at)
                    check(simulation, &mixtures[i], waves[w], percent);
            }
            printf("\n");
        }
    }
    printf("\n");
}
