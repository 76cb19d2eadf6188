/* line_map.h - which line of the outer text a line of the inner one stands in.
 *
 * Nearly always one line is one line, so the map keeps only where that
 * changes. It is bounded: a map that is full forgets every other change, keeps
 * only half as many from then on, and names a line nearby. */
#ifndef UNWRAP_LINE_MAP_H
#define UNWRAP_LINE_MAP_H

#include <stdint.h>

#include "base/budget.h"

enum { LINE_MAP_MOST = 65536 };

/* From inner line on, lines are those from outer line on; or all of them are
 * that one. */
struct line_run {
    uint64_t inner;
    uint64_t outer;
    bool is_one;
};

struct line_map {
    struct budget *budget;
    struct line_run *runs;
    size_t count;
    size_t size;
    uint64_t step;     /* runs are at least so many inner lines apart */
    uint64_t n_turned; /* lines in all, when they stand in the opposite order:
                          then there are no runs; else 0 */
};

/* An empty map that charges to budget; its end. */
void line_map_init(struct line_map *map, struct budget *budget);
void line_map_done(struct line_map *map);

/* Says that an inner line stands in an outer one, and with is_one that those
 * behind it do too. Inner lines come in order. */
void line_map_add(struct line_map *map, uint64_t inner, uint64_t outer,
                  bool is_one);

/* The outer line of an inner one; of an empty map, the same. */
uint64_t line_map_outer(const struct line_map *map, uint64_t inner);

#endif
