/* growth_parts.h - the parts of a series that growth is looked for in.
 *
 * A leak that began an hour ago is nothing in a month, and one of a goroutine
 * an hour nothing in an hour. So all of a series is judged, and its last week,
 * day and hour, or six hours where an hour has too few moments, when it is at
 * least twice as long and that part has enough of them; and of the shortest of
 * these the last half and the last quarter, its ends, for what was quiet until
 * then. Each part is thinned for itself.
 */
#ifndef ANALYSIS_GROWTH_PARTS_H
#define ANALYSIS_GROWTH_PARTS_H

#include "analysis/growth_sites.h"
#include "analysis/load.h"

enum {
    GROWTH_PARTS = 7,
    GROWTH_END = 5, /* the half of the shortest window */
};

/* One part, thinned to what can be judged. */
struct growth_part {
    const char *window; /* "all", "week", "day", "6 hours", "hour", "end" */
    bool is_end;
    size_t n; /* points; 0 = it is not judged */
    double *times;
    double *counts; /* n for each site */
    struct load load;
    double *busy;   /* the load that all sites together show; NULL = they cannot
                     tell it */
    size_t n_usual; /* sites that show what is usual */
    double rise;    /* of the usual site: the logarithm of the last third by the
                      first */
    double apart;   /* how far the rises of the others lie from it */
    bool has_past;  /* a day and more lie before it */
};

struct growth_parts {
    struct growth_part items[GROWTH_PARTS]; /* all of the series first */
    size_t n_sites;
};

/* Takes the counts of all sites out of the moments of a series from `first` on.
 * False when memory ran out. growth_parts_done frees what there is. */
bool growth_parts_fill(struct growth_parts *parts, const struct moments *series,
                       size_t first, const struct site_growth *sites,
                       size_t n_sites, struct series_scratch *scratch);
void growth_parts_done(struct growth_parts *parts);

/* The counts of a site in a part. */
static inline const double *growth_part_counts(const struct growth_part *part,
                                               size_t site)
{
    return part->counts + site * part->n;
}

/* How busy the process was at each point, as the sites other than one show it:
 * stored in own, or what they show together. NULL when too few tell it. */
const double *growth_part_load(const struct growth_part *part, size_t site,
                               double own[SERIES_MOST],
                               struct series_scratch *scratch);

/* Whether a site ends a part clearly above all that it had before the part
 * began: a wave that comes back every day grows each morning, and ends where it
 * did yesterday. True where nothing lies before it. */
bool growth_part_is_beyond(const struct growth_parts *parts, size_t index,
                           size_t site, struct series_scratch *scratch);

/* Whether a site rises in a part as no other does. Each place follows the
 * traffic in a way of its own, so that while all of them rise, one that rises
 * more shows little; and so does one in a process where all places come and
 * go. */
bool growth_part_is_apart(const struct growth_part *part, size_t site,
                          struct series_scratch *scratch);

#endif
