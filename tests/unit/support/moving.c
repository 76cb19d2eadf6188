#include "support/moving.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

static void must(int rc, const struct cprof_error *err)
{
    if (rc < 0)
        fail_msg("%s", err->message);
}

void moving_init(struct moving *moving)
{
    *moving = (struct moving){0};
    reporting_init(&moving->base,
                   "version: 1\nrules:\n- id: none\n  title: None\n"
                   "  match: {leaf: '^none$'}\n"
                   "  when: [{severity: info}]\n");
    cprof_snapshots_compare(moving->base.snapshots);
}

void moving_done(struct moving *moving)
{
    analysis_free(moving->analysis);
    reporting_done(&moving->base);
}

struct snapshot *moving_moment(struct moving *moving, const char *source)
{
    struct snapshot *snapshot =
        reporting_snapshot(&moving->base, source, "debug2");

    snapshot_info(snapshot)->complete = true;
    return snapshot;
}

void moving_add(struct snapshot *snapshot, const char *function,
                const char *state, uint64_t count, uint64_t first_id)
{
    unsigned line = 0;
    char frame[128];

    for (const char *at = function; *at; at++)
        line = line * 31 + (unsigned char)*at;
    snprintf(frame, sizeof(frame), "%s|/src/main.go:%u", function,
             line % 9000 + 1);
    if (count)
        reporting_add(snapshot, &(struct sample){.count = count,
                                                 .state = state,
                                                 .frames = {frame},
                                                 .first_id = first_id});
}

void moving_course(struct moving *moving, const char *state,
                   const uint64_t *counts, size_t n, uint64_t others)
{
    reporting_set(&moving->base, "interval", "1h");
    for (size_t i = 0; i < n; i++) {
        struct snapshot *snapshot = moving_moment(moving, "dump.txt");

        moving_add(snapshot, "main.f", state, counts[i], 0);
        for (unsigned k = 0; others && k < 5; k++) {
            char name[16];

            snprintf(name, sizeof(name), "main.other%u", k);
            moving_add(snapshot, name, "IO wait", others, 0);
        }
    }
}

void moving_analyse(struct moving *moving)
{
    struct cprof_error err = {0};

    must(analysis_new(&moving->analysis, moving->base.snapshots, &err), &err);
}

void moving_compare(struct moving *moving)
{
    struct cprof_error err = {0};

    moving_analyse(moving);
    must(growth_new(&moving->growth, moving->analysis, &err), &err);
}

const struct site_growth *moving_site(struct moving *moving,
                                      const char *function)
{
    const struct symbols *symbols = moving->base.snapshots->symbols;

    if (!moving->growth)
        moving_compare(moving);
    for (size_t i = 0; i < growth_n_sites(moving->growth); i++) {
        const struct site_growth *site = growth_site(moving->growth, i);

        if (site->site != FRAME_NONE &&
            str_equal(symbols_function(symbols, site->site),
                      str_from(function)))
            return site;
    }
    fail_msg("no site at %s", function);
    return NULL;
}

const char *moving_codes(struct moving *moving)
{
    struct buf *out = &moving->base.out;
    const struct diag *diag = moving->base.snapshots->diags.first;

    buf_clear(out);
    for (; diag; diag = diag->next)
        buf_addf(out, "%s%s", out->len ? " " : "", diag->code);
    return out->ptr ? out->ptr : "";
}
