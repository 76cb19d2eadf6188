/* growth_judge.h - the verdicts over one series of moments. */
#ifndef ANALYSIS_GROWTH_JUDGE_H
#define ANALYSIS_GROWTH_JUDGE_H

#include "analysis/growth_sites.h"

/* Judges all sites over one series. A site that an earlier series gave a worse
 * verdict keeps it. False when memory ran out. */
bool growth_judge(struct analysis *analysis, const struct moments *series,
                  struct site_growth *sites, size_t n_sites,
                  const uint32_t *site_of);

#endif
