/* growth_sites.h - what grows over the snapshots of a process, site by site.
 *
 * A site is where goroutines wait: the line of the user's code, in one state,
 * over all stacks that lead there and through rebuilds (lineage.h). Its counts
 * are judged as a series (trend.h), beside the load of the rest. */
#ifndef ANALYSIS_GROWTH_SITES_H
#define ANALYSIS_GROWTH_SITES_H

#include "analysis/analysis.h"
#include "analysis/moments.h"
#include "analysis/trend.h"

/* Of the goroutines of the first moment, the part that must be there in the
 * last to say that they stay, and the part up to which they pass through. */
#define GROWTH_SURVIVE 0.9
#define GROWTH_HALF    0.5
#define GROWTH_PASS    0.1

/* What a site does, in the words of JSON. */
enum growth_verdict {
    GROWTH_STABLE,
    GROWTH_GREW,
    GROWTH_GROWING,
    GROWTH_STUCK, /* many, in a wait that should end, and none ever leaves */
    GROWTH_PLATEAU,
    GROWTH_SHRANK,
    GROWTH_APPEARED,
    GROWTH_GONE,
};

struct site_growth {
    enum growth_verdict verdict;
    double hours;       /* that were judged; steps without a clock */
    bool is_whole;      /* growing by the whole test: "leak-like growth" */
    bool is_real;       /* for GROWTH_APPEARED: by more than chance */
    bool has_load;      /* judged beside the load of the rest */
    bool has_rate;      /* times are known */
    bool has_survivors; /* ids are known at both ends */
    struct {
        bool is_sample; /* not all ids were asked */
        bool is_later;  /* those of the middle moment were */
    } asked;
    struct {
        bool grows;    /* those who stay become more, and hardly any of
                              them leaves, while others come and go */
        bool is_whole; /* by the whole test */
        double hours;  /* after which one is taken to stay */
        double before; /* how many, the first time that it is known */
        double after;  /* and the last time */
        double kept;   /* of them, the share that is there at the end */
        double p;
        struct slope rate; /* as that of the counts */
        bool decides;      /* the verdict is theirs: what comes and goes hides
                              it in the counts */
    } staying;             /* staying.h */
    bool never_fell; /* it became more for hours, and was less at no moment than
                        at the one before: no traffic does that */
    bool is_unaged;  /* ids and times are known, but of some no age: who
                             comes back again has the same id */
    bool ages_advance;  /* the longest wait grew with the clock */
    bool still_waits;   /* it neither grew nor fell, and its goroutines are
                             those of a minute before or more: growth_judge.c */
    bool never_left;    /* then, by their ages; else they may have come back */
    uint32_t waited;    /* minutes that those of the first moment have waited at
                             least, when they wait still, be it with others that
                             came to them; 0 = not known */
    bool stands;        /* stuck: they came at once to a place that had few, and
                              stand there for more than an hour */
    double most_before; /* then: the most that it ever had until they came */
    bool is_leaked;     /* the runtime proved some of them leaked */
    bool is_blocking;   /* most wait where healthy code keeps few: a send, a
                             write into a pipe of memory, a nil channel, a lock,
                             a WaitGroup, an empty select, a Cond. Queues of the
                             runtime, whose state is that of a lock, are none */
    bool is_of_runtime; /* most wait for the garbage collector or to stop the
                             world: whatever their number, that passes */
    frame_id site;      /* of its largest group; FRAME_NONE = no frames */
    state_id state;     /* the most exact one of its groups */
    const size_t *groups; /* indices of analysis_group */
    size_t n_groups;
    const double *counts;         /* one for each snapshot of the collection */
    const struct moments *series; /* the instance that decided */
    size_t n;                     /* moments that were judged */
    const char *window; /* which: "all", or the last "week", "day", "6 hours",
                           "hour", or another "end" of it */
    double before;      /* at the first of them, and at the last */
    double after;
    double share;     /* of all that rose, 0 to 1 */
    bool stands_out;  /* it rose as no other place does, or to where it never
                        was in a day and more before: no wave of traffic that
                        each place follows in its own way (growth_judge.c) */
    bool is_alone;    /* few other places show how much they differ */
    double bytes;     /* of memory that each goroutine holds, at least */
    double survivors; /* of the goroutines of the first moment */
    double living;    /* of them, at this place or another, at least */
    double p;
    struct slope rate; /* an hour, or a step when times are unknown */
};

struct growth;

/* Compares the snapshots of an analysis over time. Everything belongs to the
 * analysis. Its groups are told what was found (joined_group.growth). */
int growth_new(struct growth **ret, struct analysis *analysis,
               struct cprof_error *err);

/* Series, one an instance, and the sites: what rose by most comes first. */
size_t growth_n_series(const struct growth *growth);
const struct moments *growth_series(const struct growth *growth, size_t index);
size_t growth_n_sites(const struct growth *growth);
const struct site_growth *growth_site(const struct growth *growth,
                                      size_t index);

/* The site of a group; NULL for one that was not compared. */
const struct site_growth *growth_site_of(const struct growth *growth,
                                         size_t group);

/* "stable", "grew", "growing", "stuck", "plateau", "shrank", "new", "gone". */
const char *growth_verdict_text(enum growth_verdict verdict);

/* How sure a verdict is: by how many moments it was seen over, whether the load
 * of the rest is known, and what goroutine ids, ages and the runtime's own
 * proof say. GROWTH_NONE unless it grew, is growing or stuck. */
enum growth_confidence growth_confidence_of(const struct site_growth *site);

/* Whether goroutine ids show that those of the first moment stay, or that they
 * pass through: traffic. Both are false where ids are not known. */
bool growth_stays(const struct site_growth *site);
bool growth_passes(const struct site_growth *site);

/* Whether ids show that some stay, and ever more, where others pass through. */
bool growth_gathers(const struct site_growth *site);

/* Whether nothing but counts speaks, of a wait that healthy code keeps in
 * numbers: they do not tell traffic from a leak. Nor do they where ids show
 * that most of the first have left. */
bool growth_is_doubtful(const struct site_growth *site);

/* Whether the last moments of a series alone show what a site does. */
bool growth_is_end(const struct site_growth *site);

/* Whether growth shows in the last moments only, and these are minutes: a
 * queue, a batch or sessions that began late look the same. */
bool growth_is_early(const struct site_growth *site);

/* Whether growth deserves the name of a leak: the whole test holds, and nothing
 * else explains it. */
bool growth_is_leak_like(const struct site_growth *site);

/* What a site costs, for the order of those that are equally bad: the bytes by
 * which it grows, in an hour or from one moment to the next, or 0. */
double growth_cost(const struct site_growth *site);

/* Whether a site has nothing but the goroutine that writes the dump, or what
 * net/http starts to watch the connection of a request (net/http/server.go:
 * startBackgroundRead): that of the dump is caught in another state each
 * time. */
bool growth_site_is_of_dump(const struct analysis *analysis,
                            const struct site_growth *site);

/* Whether goroutines of a site serve connections of HTTP/1, one request after
 * the other (net/http/server.go: conn.serve), in a wait that passes: that they
 * stay says nothing of their requests then. */
bool growth_site_serves(const struct analysis *analysis,
                        const struct site_growth *site);

#endif
