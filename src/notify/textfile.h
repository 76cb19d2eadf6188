/* textfile.h - metrics for the textfile collector of Prometheus' node_exporter.
 *
 * A file is read again at every scrape, so it is replaced as a whole, readable
 * for others, without timestamps and with a line end behind the last line: a
 * file that breaks one of these is skipped. All files of a machine are one
 * collection: two texts of HELP for one name, or one series in two files, make
 * node_exporter drop series without a sign. So the texts here never change,
 * every series has the labels of its service and its target, and a target
 * stands in one file. */
#ifndef NOTIFY_TEXTFILE_H
#define NOTIFY_TEXTFILE_H

#include "base/buf.h"
#include "notify/outcome.h"

/* What was not delivered: for each alert of an outcome the bits of the kinds of
 * receivers that do not know of it yet. */
struct undelivered {
    const uint32_t *masks; /* one an alert; NULL = everything was */
    uint32_t kinds;        /* bits of the kinds that there are */
};

/* Appends all metrics of a run. */
void textfile_write(struct buf *out, const struct outcome *outcome,
                    const struct undelivered *undelivered);

/* Appends the name of the file of a run: "cprof_leaks_api.prom", or, of a run
 * over a single target, "cprof_leaks_api_host_6060.prom", so that several runs
 * for one service do not overwrite each other. */
void textfile_add_name(struct buf *out, const struct outcome *outcome);

/* Appends the name of the file that a run over one target alone would have. */
void textfile_add_name_of(struct buf *out, const struct outcome *outcome,
                          const struct outcome_target *target);

#endif
