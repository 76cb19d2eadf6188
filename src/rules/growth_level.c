#include "rules/growth_level.h"

enum {
    USUAL_LIMIT = 10000,
    MANY_ADDED = 1000,
    HOURS_AHEAD = 24,
    RISES_AHEAD = 360, /* a day for four minutes that were seen */
};

double growth_limit(const struct cprof_options *options,
                    const struct site_growth *site, uint64_t *ret_bytes)
{
    double of_memory = site->bytes > 0 && options->limit_bytes
                           ? (double)options->limit_bytes / site->bytes
                           : 0;
    bool is_memory = of_memory > 0 &&
                     (!options->limit || of_memory < (double)options->limit);

    if (ret_bytes)
        *ret_bytes = is_memory ? options->limit_bytes : 0;
    if (is_memory)
        return of_memory;
    return options->limit ? (double)options->limit : USUAL_LIMIT;
}

/* Whether a limit is reached, or will be within a day at the rate measured,
 * which is not projected where it may be that of traffic, nor far beyond what
 * was seen: twenty goroutines in some seconds say nothing of a day. */
static bool meets_limit(const struct site_growth *site, double limit)
{
    if (site->after >= limit)
        return true;
    return site->has_rate && site->rate.median > 0 &&
           !growth_is_doubtful(site) &&
           limit - site->after <= RISES_AHEAD * (site->after - site->before) &&
           (limit - site->after) / site->rate.median <= HOURS_AHEAD;
}

/* Whether something is left that could explain growth. Until the whole test
 * holds, ids alone do not: between a few snapshots some seconds apart nearly
 * all goroutines are the same ones in healthy code too. Who runs, or is about
 * to, is another one each moment, and how many there are is chance. */
static bool is_doubtful(const struct site_growth *site)
{
    if (state_is_awake(site->state) && !site->is_whole)
        return !growth_stays(site);
    if (site->is_blocking || site->ages_advance || site->never_fell)
        return false;
    if (growth_is_doubtful(site))
        return true;
    if (site->has_load)
        return false;
    return !site->is_whole || !site->has_survivors;
}

/* Whether the snapshots of healthy waits lie within a minute: a process that
 * has just started looks like a leak, as it makes its connections. */
static bool is_brief(const struct site_growth *site)
{
    return !site->is_blocking && site->hours > 0 && site->hours * 60 < 1;
}

/* How bad growing is before doubts are taken off. The end of a series is not
 * projected. */
static enum cprof_severity growing_severity(const struct site_growth *site,
                                            double limit)
{
    if (!site->is_whole || is_brief(site) || growth_is_early(site))
        return CPROF_SEVERITY_MEDIUM;
    if (growth_is_end(site) ? site->after >= limit : meets_limit(site, limit))
        return CPROF_SEVERITY_CRITICAL;
    return CPROF_SEVERITY_HIGH;
}

/* The level before doubts are taken off. */
static enum cprof_severity plain_severity(const struct site_growth *site,
                                          double limit)
{
    switch (site->verdict) {
    case GROWTH_APPEARED:
        if (!site->is_real)
            return CPROF_SEVERITY_OK;
        return site->after >= MANY_ADDED ? CPROF_SEVERITY_MEDIUM
                                         : CPROF_SEVERITY_LOW;
    case GROWTH_GREW:
        return growth_stays(site) || site->after - site->before >= MANY_ADDED
                   ? CPROF_SEVERITY_MEDIUM
                   : CPROF_SEVERITY_LOW;
    case GROWTH_GROWING:
        return growing_severity(site, limit);
    case GROWTH_STUCK:
        if (site->stands)
            return CPROF_SEVERITY_HIGH;
        if (!site->is_blocking || growth_passes(site) ||
            site->state == STATE_COND_WAIT)
            return CPROF_SEVERITY_LOW;
        /* Who supervises workers waits as long as they live. */
        return growth_stays(site) && !site->is_unaged &&
                       site->state != STATE_WAITGROUP_WAIT
                   ? CPROF_SEVERITY_HIGH
                   : CPROF_SEVERITY_MEDIUM;
    default:
        return CPROF_SEVERITY_OK;
    }
}

enum cprof_severity growth_severity(const struct site_growth *site,
                                    double limit)
{
    enum cprof_severity severity =
        plain_severity(site, limit > 0 ? limit : USUAL_LIMIT);

    if (severity <= CPROF_SEVERITY_LOW || site->verdict == GROWTH_STUCK)
        return severity;
    if (growth_passes(site) || site->is_of_runtime)
        return CPROF_SEVERITY_LOW;
    return is_doubtful(site) ? severity - 1 : severity;
}

enum cprof_severity growth_severity_bad(const struct site_growth *site,
                                        double limit)
{
    struct site_growth blocking = *site;

    if (growth_stays(site) && site->verdict != GROWTH_STUCK)
        blocking.is_blocking = true;
    return growth_severity(&blocking, limit);
}

bool growth_is_of_others(const struct site_growth *site, uint64_t count)
{
    enum { PART_LEAST = 4 };

    return (double)count * PART_LEAST < site->after;
}
