/* The driver: recognises what stands at the cursor, lets its reader read it,
 * and counts what belongs to nobody. */
#include "base/count.h"
#include "format/format.h"
#include "input/gzip.h"
#include "read/unrecognised.h"

struct run {
    struct section section;
    struct lines lines;
    const struct format *last; /* the reader of section.previous */
    uint64_t n_skipped;        /* lines in which nothing was recognised */
    uint64_t first_skipped;
    struct first_line first; /* to say what an unknown input looks like */
};

static void skip_line(struct run *run, struct str line)
{
    if (str_trim(line).len && !run->n_skipped++)
        run->first_skipped = run->lines.number;
    first_line_see(&run->first, line);
    lines_next(&run->lines);
}

/* Reads one section whose reader recognised it. */
static int read_section(struct run *run, const struct format *format,
                        struct cprof_error *err)
{
    struct cprof_snapshots *snapshots = run->section.snapshots;
    int rc;

    if (format != run->last)
        run->section.previous = NULL;
    run->section.n_foreign = 0;
    rc = format->read(&run->section, err);
    if (rc < 0)
        return rc;
    if (run->section.n_foreign && !run->n_skipped)
        run->first_skipped = run->section.foreign_line;
    run->n_skipped += run->section.n_foreign;
    if (snapshots->count)
        run->section.previous = snapshots->items[snapshots->count - 1];
    run->last = format;
    return 0;
}

static int read_all(struct run *run, struct cprof_error *err)
{
    struct str line;
    int rc = 0;

    while (rc >= 0 && lines_peek(&run->lines, &line)) {
        const struct format *format = format_recognise(&run->lines, line);

        if (format)
            rc = read_section(run, format, err);
        else if (lines_peek(&run->lines, &line))
            skip_line(run, line);
    }
    return rc;
}

/* Packed data that was cut or damaged lost its end, and with it the end of the
 * last dump. */
static void check_source(struct run *run)
{
    struct cprof_snapshots *snapshots = run->section.snapshots;
    const struct source *source = &run->lines.source;
    const char *trouble =
        source->trouble ? source->trouble(source->user) : NULL;

    if (!trouble)
        return;
    snapshot_info(snapshots->items[snapshots->count - 1])->complete = false;
    diag_add(&snapshots->diags, DIAG_WARNING, "gzip",
             (struct place){run->lines.name, 0, 0}, "%s", trouble);
}

/* What was odd about the input as a whole. */
static void add_diags(struct run *run)
{
    struct diags *diags = &run->section.snapshots->diags;
    const char *name = run->lines.name;

    if (run->n_skipped)
        diag_add(diags, DIAG_INFO, "skipped-lines",
                 (struct place){name, run->first_skipped, 0},
                 "%s line%s skipped: no part of a dump",
                 count_text(run->n_skipped).text,
                 run->n_skipped == 1 ? "" : "s");
    if (run->section.n_dropped)
        diag_add(diags, DIAG_WARNING, "many-dumps", (struct place){name, 0, 0},
                 "the input holds more than %d dumps: the first %llu of them "
                 "were left out",
                 SECTION_DUMPS, (unsigned long long)run->section.n_dropped);
    if (run->lines.n_cut_lines)
        diag_add(diags, DIAG_WARNING, "long-lines",
                 (struct place){name, run->lines.cut_line, 0},
                 "%llu line%s longer than %d bytes cut to that length",
                 (unsigned long long)run->lines.n_cut_lines,
                 run->lines.n_cut_lines == 1 ? "" : "s", LINES_MOST);
}

/* Diagnostics of the snapshots that an input gave. */
static void check_snapshots(struct run *run, size_t first)
{
    struct cprof_snapshots *snapshots = run->section.snapshots;

    for (size_t i = first; i < snapshots->count; i++) {
        struct snapshot_info *info = snapshot_info(snapshots->items[i]);

        if (!info->other)
            continue;
        info->complete = false;
        diag_add(&snapshots->diags, DIAG_WARNING, "memory-limit",
                 (struct place){run->lines.name, info->line, 0},
                 "the memory limit was reached: %s of %s goroutines have "
                 "stacks that were not kept (--max-memory)",
                 count_text(info->other).text, count_text(info->total).text);
    }
}

static int finish(struct run *run, size_t first, struct cprof_error *err)
{
    struct cprof_snapshots *snapshots = run->section.snapshots;

    if (run->lines.error.code != CPROF_OK) {
        if (err)
            *err = run->lines.error;
        return run->lines.error.code;
    }
    if (snapshots->count == first)
        return unrecognised_error(&run->first, run->lines.name,
                                  run->lines.n_bytes, err);
    check_source(run);
    add_diags(run);
    check_snapshots(run, first);
    snapshots->n_inputs++;
    return 0;
}

static int read_source(struct cprof_snapshots *snapshots, const char *name,
                       struct source source, struct cprof_error *err)
{
    struct run run = {0};
    size_t first = snapshots->count;
    int rc;

    /* Analysis and report need memory for each stack that reading keeps. */
    snapshots->budget.reserve = snapshots->budget.limit / 8 * 4;
    rc = gzip_unpack(&source, name, &snapshots->budget, err);

    if (rc < 0) {
        source_close(&source);
        return rc;
    }
    rc = lines_init(&run.lines, source, name, &snapshots->budget, err);
    if (rc < 0)
        return rc;
    run.section = (struct section){.lines = &run.lines,
                                   .snapshots = snapshots,
                                   .source = str_from(name),
                                   .input = snapshots->n_inputs};
    rc = read_all(&run, err);
    if (rc >= 0)
        rc = finish(&run, first, err);
    while (rc < 0 && snapshots->count > first)
        collection_drop(snapshots);
    first_line_done(&run.first);
    lines_done(&run.lines);
    return rc;
}

int cprof_snapshots_read_file(struct cprof_snapshots *snapshots,
                              const char *path, struct cprof_error *err)
{
    struct source source;
    bool is_stdin = str_equal(str_from(path), STR("-"));
    int rc = source_open(&source, path, err);

    if (rc < 0)
        return rc;
    return read_source(snapshots, is_stdin ? "<stdin>" : path, source, err);
}

int cprof_snapshots_read(struct cprof_snapshots *snapshots, const char *name,
                         cprof_read_fn *read, void *user,
                         struct cprof_error *err)
{
    struct source source = {.read = read, .user = user};

    return read_source(snapshots, name, source, err);
}
