/* writers.h - the forms an answer can be written in.
 *
 * A writer prints what the views of report.h hold. It appends to the buffer
 * of an output and calls output_flush at its own borders, so that an answer
 * of any length takes little memory. To add one: docs/adding-a-writer.md. */
#ifndef REPORT_WRITERS_H
#define REPORT_WRITERS_H

#include "base/buf.h"
#include "report/report.h"

/* Where a writer writes to. */
struct output {
    struct buf buf;
    cprof_write_fn *write; /* NULL = all is kept in the buffer */
    void *user;
};

struct writer {
    const char *name; /* the word of --output */
    int (*write)(const struct cprof_report *report, struct output *out,
                 struct cprof_error *err);
};

/* The writer with that name. NULL, with CPROF_EUSAGE and the known names in
 * *err, when there is none. */
const struct writer *writer_find(const char *name, struct cprof_error *err);

/* Hands on what the buffer holds. CPROF_EIO when the receiver wants no more,
 * CPROF_ENOMEM when the buffer could not grow. */
int output_flush(struct output *out, struct cprof_error *err);

/* The same once the buffer has become long. */
int output_relieve(struct output *out, struct cprof_error *err);

/* text.c: for people. json.c: docs/report.schema.json. html.c: a page that
 * stands on its own (docs/html.md).
 * markdown.c: for issues, pull requests and chats. junit.c: a test report, for
 * CI servers. sarif.c: SARIF 2.1.0, for code hosts and editors. github.c:
 * annotations of GitHub Actions. */
int text_write(const struct cprof_report *report, struct output *out,
               struct cprof_error *err);
int json_write(const struct cprof_report *report, struct output *out,
               struct cprof_error *err);
int markdown_write(const struct cprof_report *report, struct output *out,
                   struct cprof_error *err);
int junit_write(const struct cprof_report *report, struct output *out,
                struct cprof_error *err);
int sarif_write(const struct cprof_report *report, struct output *out,
                struct cprof_error *err);
int github_write(const struct cprof_report *report, struct output *out,
                 struct cprof_error *err);
int html_write(const struct cprof_report *report, struct output *out,
               struct cprof_error *err);

#endif
