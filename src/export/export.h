/* export.h - dumps in the form of another tool: the one face of this room.
 *
 * An export is made from snapshots, whole, and never from what a report cut or
 * filtered. Forms that know one profile (pprof, folded, speedscope) add up the
 * chosen snapshots, which must measure the same; jsonl takes every snapshot by
 * itself. Stacks of goroutines are cut as debug=2 prints them (model/cut.h);
 * those of other profiles, where the leaf is the point, are not. */
#ifndef EXPORT_EXPORT_H
#define EXPORT_EXPORT_H

#include "model/collection.h"

/* The index of the frame of a stack that a person would look at, or -1. This
 * room does not know how that is found. */
typedef int32_t export_site_fn(const struct symbols *symbols,
                               struct stack stack);

struct export_format;

/* What is to be written. */
struct export_request {
    const struct export_format *format;
    struct cprof_snapshots *snapshots; /* their states are inferred */
    const size_t *chosen; /* indexes of the snapshots that are added up */
    size_t n_chosen;
    export_site_fn *site;
};

/* The form with that name: pprof, folded, speedscope, jsonl. NULL, with
 * CPROF_EUSAGE and the known names in *err, when there is none. */
const struct export_format *export_format_find(const char *name,
                                               struct cprof_error *err);

/* Whether the form is bytes that no terminal can show. */
bool export_is_binary(const struct export_format *format);

/* Writes the snapshots piece by piece through write, which returns 0 to go on.
 * What the form cannot say is added to the diagnostics of the snapshots.
 * CPROF_EUSAGE: the chosen snapshots measure different things. CPROF_EIO: the
 * receiver wants no more. */
int export_write(const struct export_request *request, cprof_write_fn *write,
                 void *user, struct cprof_error *err);

#endif
