/* The driver: recognises what stands at the cursor, lets its reader read it,
 * and counts what belongs to nobody. What a log wraps is an input inside an
 * input: the driver runs over it again. */

#include "base/count.h"
#include "format/go_text.h"
#include "format/race.h"
#include "input/gzip.h"
#include "input/metered.h"
#include "input/turned.h"
#include "input/utf16.h"
#include "read/newest_first.h"
#include "read/relocate.h"
#include "read/run.h"
#include "unwrap/by_time.h"
#include "unwrap/names.h"
#include "unwrap/records.h"

static void count_skipped(struct run *run, uint64_t n, uint64_t first)
{
    if (n && !run->n_skipped)
        run->first_skipped = first;
    run->n_skipped += n;
}

/* Whether a goroutine's header stands on a line that nobody recognised: whose
 * frames it has cannot be told. */
static bool is_lost_header(struct str line)
{
    struct begin begin;

    return begin_find(line, 0, &begin) && begin.kind == BEGIN_GOROUTINE;
}

/* Frames of the dump at that index are missing; of the last one, if there is
 * none. Dumps of other inputs stand before it. */
static void mark_incomplete(struct run *run, size_t index)
{
    const struct cprof_snapshots *snapshots = run->section.snapshots;
    size_t n = snapshots->count;
    struct snapshot_info *info;

    if (!n)
        return;
    info = snapshot_info(snapshots->items[index < n ? index : n - 1]);
    if (info->input >= run->instances->base)
        info->complete = false;
}

static void skip_line(struct run *run, struct str line)
{
    bool is_race = race_goes_on(&run->lines, line, &run->n_race);

    lines_peek(&run->lines, &line);
    if (str_trim(line).len) {
        count_skipped(run, 1, run->lines.number);
        strays_see_zeros(&run->strays, &run->section, line);
        if (!is_race && strays_see(&run->strays, &run->section, line))
            mark_incomplete(run, run->section.snapshots->count);
    }
    if (!run->gzip_line && str_starts(line, STR("\x1f\x8b\x08")))
        run->gzip_line = run->lines.number;
    if (run->is_likely && is_lost_header(line))
        run_count_unread(run, 1, run->lines.number);
    first_line_see(&run->first, line, run->is_likely);
    lines_next(&run->lines);
}

/* The last snapshot, unless this input has none left. */
static struct snapshot *last_of_input(const struct section *section)
{
    const struct cprof_snapshots *snapshots = section->snapshots;
    struct snapshot *last;

    if (!snapshots->count)
        return NULL;
    last = snapshots->items[snapshots->count - 1];
    return snapshot_info(last)->input == section->input ? last : NULL;
}

/* Reads one section whose reader recognised it. */
static int read_section(struct run *run, const struct format *format,
                        struct cprof_error *err)
{
    int rc;

    if (format != run->last)
        run->section.previous = NULL;
    run->section.n_foreign = 0;
    run->n_race = 0;
    rc = format->read(&run->section, err);
    if (rc < 0)
        return rc;
    count_skipped(run, run->section.n_foreign, run->section.foreign_line);
    run->section.previous = last_of_input(&run->section);
    run->last = format;
    return 0;
}

static int read_wrapped(struct run *run, const struct shape *shape,
                        struct cprof_error *err);

/* Whether something wrapped begins at the cursor; fills *shape. */
static bool find_wrapped(struct run *run, struct str line, bool is_plain,
                         struct shape *shape)
{
    run->is_likely = unwrap_is_likely(&run->lines, line, &run->outlook);
    if (run->depth >= UNWRAP_DEPTH || !run->is_likely)
        return false;
    return unwrap_recognise(&run->lines, line, is_plain, &run->outlook, shape);
}

/* Whether the lines of a stack go on soon behind the line at the cursor: what
 * is wrapped there then only interrupts them. A header behind other words of
 * its line has the first frame at once, and interrupts nothing. */
static bool is_interruption(struct lines *lines)
{
    enum { INTERRUPTION_MOST = 64 };
    struct go_header header;
    struct go_place place;
    struct str text;
    bool ends_in_header;

    lines_fill(lines, LINES_WINDOW);
    text = (struct str){lines->at, (size_t)(lines->end - lines->at)};
    text = str_head(text, LINES_WINDOW);
    ends_in_header = str_ends(str_trim(str_cut_line(&text)), STR(":"));
    for (unsigned n = 1; n <= INTERRUPTION_MOST && text.len; n++) {
        struct str line = str_cut_line(&text);

        if (go_header_parse(line, &header))
            return true;
        if (str_starts(line, STR("\t")) && go_place_parse(line, &place))
            return n != 2 || !ends_in_header;
    }
    return false;
}

/* Whether something wrapped begins at the cursor: for readers that step over
 * lines (struct section). */
static bool begins_wrapped(void *driver)
{
    struct run *run = driver;
    struct shape shape;
    struct str line;

    return lines_peek(&run->lines, &line) &&
           find_wrapped(run, line, false, &shape) &&
           !is_interruption(&run->lines);
}

/* Reads what begins at the cursor: a section, or something wrapped. */
static int read_begun(struct run *run, const struct format *format,
                      const struct shape *shape, struct cprof_error *err)
{
    size_t index = run->section.snapshots->count;
    struct str line;
    bool lacks_lines = !format && lines_peek(&run->lines, &line) &&
                       strays_see_hole(&run->strays, &run->section, line);
    int rc;

    lacks_lines |= strays_begin_dump(&run->strays, &run->section);
    rc =
        format ? read_section(run, format, err) : read_wrapped(run, shape, err);
    if (rc >= 0 && lacks_lines)
        mark_incomplete(run, index);
    strays_end_dump(&run->strays, !format);
    return rc;
}

static int read_all(struct run *run, struct cprof_error *err)
{
    struct shape shape;
    struct str line;
    int rc = 0;

    run->section.begins_wrapped = begins_wrapped;
    run->section.driver = run;
    unwrap_outlook_init(&run->outlook);
    run->outlook.columns = run->columns;
    while (rc >= 0 && lines_peek(&run->lines, &line)) {
        const struct format *format = format_recognise(&run->lines, line);

        if (!lines_peek(&run->lines, &line))
            break;
        if (find_wrapped(run, line, format != NULL, &shape)) {
            rc = read_begun(run, NULL, &shape, err);
        } else if (format) {
            rc = read_begun(run, format, NULL, err);
        } else if (lines_peek(&run->lines, &line)) {
            skip_line(run, line);
        }
    }
    return rc;
}

/* --- Wrapped text --------------------------------------------------------- */

/* Of dumps that are compared, those of a host are moments: a process that was
 * started anew is the same service. */
static struct whose whose_stream(const struct run *outer,
                                 const struct unwrap_stream *stream)
{
    struct whose whose = {.instance = stream->instance,
                          .section = outer->instances->n_sections,
                          .first_line = stream->first_line};

    if (!outer->section.snapshots->is_series)
        whose.process = stream->process;
    return whose;
}

/* Which of the run's input the stream is, and where its dumps go on. */
static struct run stream_run(struct run *outer,
                             const struct unwrap_stream *stream)
{
    struct run run = {.depth = outer->depth + !stream->is_recast,
                      .is_turned = outer->is_turned || stream->map->n_turned,
                      .has_times = stream->has_times,
                      .are_records = outer->are_records || stream->is_recast,
                      .instances = outer->instances,
                      .section = outer->section};
    struct whose whose = whose_stream(outer, stream);

    if (stream->is_recast)
        run.columns = outer->columns;
    /* Of its own: merge adds them to those of the run around it. */
    run.section.n_damaged = 0;
    run.section.n_omissions = 0;
    run.section.n_strays = 0;
    if (!whose.instance.len && !whose.process.len)
        return run;
    run.section.input =
        instances_input(outer->instances, &whose, &run.section.instance);
    run.section.previous = NULL;
    return run;
}

static void say_lost(const struct run *run, const struct unwrap_stream *stream)
{
    struct cprof_snapshots *snapshots = run->section.snapshots;

    if (!stream->n_lost_bytes)
        return;
    if (snapshots->count &&
        snapshot_info(snapshots->items[snapshots->count - 1])->input ==
            run->section.input)
        snapshot_info(snapshots->items[snapshots->count - 1])->complete = false;
    diag_add(&snapshots->diags, DIAG_WARNING, "memory-limit",
             (struct place){run->lines.name, 0, 0},
             "the lines of '" STR_FORMAT "' are mixed with those of others, "
             "and %llu bytes of them were not kept: the memory limit was "
             "reached (--max-memory)",
             STR_ARG(stream->instance),
             (unsigned long long)stream->n_lost_bytes);
}

/* Notes where the stream ended, and whether its process ended with it. */
static void end_stream(struct run *outer, const struct run *run,
                       const struct unwrap_stream *stream)
{
    const struct cprof_snapshots *snapshots = run->section.snapshots;
    struct whose whose = whose_stream(outer, stream);
    const struct snapshot_info *info;

    if (!whose.process.len || !stream->last_line || !snapshots->count)
        return;
    info = snapshot_info_get(snapshots->items[snapshots->count - 1]);
    whose.last_line = *stream->last_line;
    instances_end(outer->instances, &whose,
                  info->crash && info->input == run->section.input);
}

/* What the run over a stream means for the run around it. */
static void merge(struct run *outer, struct run *run,
                  const struct unwrap_stream *stream)
{
    uint64_t n_cut = run->n_cut_lines + run->lines.n_cut_lines;
    uint64_t cut_line = run->n_cut_lines ? run->cut_line : run->lines.cut_line;

    count_skipped(outer, run->n_skipped,
                  line_map_outer(stream->map, run->first_skipped));
    run_count_unread(outer, run->n_unread,
                     line_map_outer(stream->map, run->unread_line));
    section_count_damaged(
        &outer->section, run->section.n_damaged, run->section.damaged_id,
        line_map_outer(stream->map, run->section.damaged_line));
    section_count_omissions(
        &outer->section, run->section.n_omissions,
        line_map_outer(stream->map, run->section.omission_line));
    if (run->section.n_strays) {
        section_count_stray(
            &outer->section,
            line_map_outer(stream->map, run->section.stray_line));
        outer->section.n_strays += run->section.n_strays - 1;
    }
    outer->strays.is_head |= run->strays.is_head;
    if (n_cut && !outer->n_cut_lines)
        outer->cut_line = line_map_outer(stream->map, cut_line);
    outer->n_cut_lines += n_cut;
    outer->section.n_dropped = run->section.n_dropped;
    if (run->section.empty_declared) {
        outer->section.empty_declared = run->section.empty_declared;
        outer->section.empty_line =
            line_map_outer(stream->map, run->section.empty_line);
    }
    if (run->section.input == outer->section.input) {
        outer->section.previous = run->section.previous;
        outer->last = run->last;
    } else {
        outer->section.previous = NULL;
    }
}

static int read_lines(struct run *run, struct cprof_error *err);

static int read_stream(struct run *outer, const struct unwrap_stream *stream,
                       struct cprof_error *err)
{
    struct run run = stream_run(outer, stream);
    struct cprof_snapshots *snapshots = run.section.snapshots;
    struct relocation from = relocation_begin(snapshots, &run.section);
    int rc = lines_init(&run.lines, stream->source, outer->lines.name,
                        &snapshots->budget, err);

    if (rc < 0)
        return rc;
    run.last = run.section.previous ? outer->last : NULL;
    run.section.lines = &run.lines;
    rc = read_lines(&run, err);
    if (rc >= 0) {
        say_lost(&run, stream);
        if (stream->lacks_lines)
            relocation_mark_incomplete(snapshots, &run.section, &from);
        relocate(snapshots, &run.section, &from, stream->map);
        end_stream(outer, &run, stream);
        merge(outer, &run, stream);
    }
    first_line_done(&run.first);
    lines_done(&run.lines);
    return rc;
}

/* Reads a section that a wrapping recognised. */
static int read_wrapped(struct run *run, const struct shape *shape,
                        struct cprof_error *err)
{
    struct unwrap_stream stream;
    struct unwrap *unwrap;
    struct str line;
    uint64_t first;
    uint64_t n;
    int rc;

    if (lines_peek(&run->lines, &line))
        first_line_see(&run->first, line, true);
    rc = unwrap_open(&unwrap, &run->lines, shape,
                     &run->section.snapshots->budget, err);
    if (rc < 0)
        return rc;
    run->instances->n_sections++;
    while (rc >= 0 && unwrap_next(unwrap, &stream))
        rc = read_stream(run, &stream, err);
    n = unwrap_skipped(unwrap, &first);
    count_skipped(run, n, first);
    if (unwrap_has_more(unwrap))
        run->instances->has_others = true;
    unwrap_free(unwrap);
    return rc;
}

/* --- The newest line first ------------------------------------------------ */

/* Whether nothing begins with the first line, and the first goroutine stands
 * upside down. */
static bool is_turned(struct lines *lines)
{
    struct str line;

    return lines_peek(lines, &line) && !format_recognise(lines, line) &&
           is_newest_first(lines);
}

static void say_turned(struct run *run, const struct turned *turned)
{
    struct diags *diags = &run->section.snapshots->diags;
    struct place place = {run->lines.name, 0, 0};

    diag_add(diags, DIAG_INFO, "newest-first", place,
             "lists its newest line first: read from its last line to its "
             "first");
    if (turned->n_lost)
        diag_add(diags, DIAG_WARNING, "memory-limit", place,
                 "to read from its end, a log is kept in memory: %s older "
                 "line%s left out (--max-memory)",
                 count_text(turned->n_lost).text,
                 turned->n_lost == 1 ? " was" : "s were");
}

/* Keeps half of what is left from a log that has to be held, for what is read
 * of it. Returns what was kept before. */
static size_t hold_back(struct budget *budget)
{
    size_t before = budget->reserve;

    budget->reserve += budget_left(budget) / 2;
    return before;
}

static int read_turned(struct run *run, struct cprof_error *err)
{
    struct budget *budget = &run->section.snapshots->budget;
    struct turned turned;
    struct line_map map;
    struct unwrap_stream stream = {.map = &map, .is_recast = true};
    size_t reserve;
    int rc;

    reserve = hold_back(budget);
    turned_fill(&turned, &run->lines);
    budget->reserve = reserve;
    line_map_init(&map, turned.budget);
    map.n_turned = turned.n_lines;
    stream.source = source_from_turned(&turned);
    stream.lacks_lines = turned.n_lost > 0;
    say_turned(run, &turned);
    rc = read_stream(run, &stream, err);
    turned_done(&turned);
    return rc;
}

/* Reads a document of JSON whose records are lines of logs. */
static int read_records(struct run *run, struct records *records,
                        struct cprof_error *err)
{
    struct unwrap_stream stream = {.source = source_from_records(records),
                                   .map = &records->map,
                                   .has_times = records->has_times,
                                   .is_recast = true};
    struct str text = {run->lines.at, (size_t)(run->lines.end - run->lines.at)};
    int rc;

    /* The line may be as long as the document. */
    first_line_see(&run->first, str_cut_line(&text), true);
    rc = read_stream(run, &stream, err);
    records_done(records);
    return rc;
}

static void say_timed(struct run *run, const struct by_time *by_time)
{
    if (by_time->n_lost)
        diag_add(&run->section.snapshots->diags, DIAG_WARNING, "memory-limit",
                 (struct place){run->lines.name, 0, 0},
                 "to put them in order, the lines of an answer are kept in "
                 "memory: the last %s of them %s left out (--max-memory)",
                 count_text(by_time->n_lost).text,
                 by_time->n_lost == 1 ? "was" : "were");
}

static int read_timed(struct run *run, struct cprof_error *err)
{
    struct budget *budget = &run->section.snapshots->budget;
    struct by_time by_time;
    struct unwrap_stream stream = {.is_recast = true};
    size_t reserve;
    int rc;

    reserve = hold_back(budget);
    by_time_fill(&by_time, &run->lines);
    budget->reserve = reserve;
    stream.map = &by_time.map;
    stream.source = source_from_by_time(&by_time);
    stream.lacks_lines = by_time.n_lost > 0;
    say_timed(run, &by_time);
    rc = read_stream(run, &stream, err);
    by_time_done(&by_time);
    return rc;
}

/* Lines in their order are read as they come. An answer of a store of logs that
 * has all lines on one of its own shows its order only once it is unwrapped. */
static int read_lines(struct run *run, struct cprof_error *err)
{
    struct records records;
    struct str line;
    int rc = 0;

    /* Turned round, the names of a table stand below its rows. */
    if (!run->is_turned && lines_peek(&run->lines, &line))
        run->columns = names_find_columns(line);
    while (
        rc >= 0 && !run->depth && !run->are_records &&
        records_begin(&records, &run->lines, &run->section.snapshots->budget))
        rc = read_records(run, &records, err);
    if (rc < 0)
        return rc;
    if (run->has_times)
        return read_timed(run, err);
    return !run->is_turned && is_turned(&run->lines) ? read_turned(run, err)
                                                     : read_all(run, err);
}

/* --- The input as a whole ------------------------------------------------- */

/* What reading leaves of a limit. Analysis and rules need two thirds of what
 * reading does for a stack of one goroutine, and more where groups of several
 * snapshots are joined; reading in turn has buffers, caches and samples that do
 * not grow with the stacks. */
static size_t reserve_of(size_t limit)
{
    enum { READING_MOST = 34 * 1024 * 1024 };
    size_t fixed = limit / 4 < READING_MOST ? limit / 4 : READING_MOST;

    return (limit - fixed) / 32 * 17;
}

static int read_source(struct cprof_snapshots *snapshots, const char *name,
                       struct source source, struct cprof_error *err)
{
    struct instances instances = {.base = snapshots->n_inputs};
    struct metered metered;
    struct run run = {.instances = &instances};
    size_t first = snapshots->count;
    size_t n_failures = buf_failures();
    int file = source_file(&source);
    int rc;

    if (snapshots->tell)
        source = source_metered(&metered, source, name, snapshots->tell,
                                snapshots->tell_user);
    snapshots->budget.reserve = reserve_of(snapshots->budget.limit);
    /* What was cut in an input that failed. */
    symbols_take_has_cut(snapshots->symbols);
    rc = gzip_unpack(&source, name, &snapshots->budget, err);
    if (rc == 0)
        rc = utf16_decode(&source, name, &snapshots->budget, err);
    if (rc < 0) {
        source_close(&source);
        return rc;
    }
    rc = lines_init(&run.lines, source, name, &snapshots->budget, err);
    if (rc < 0)
        return rc;
    run.lines.file = file;
    run.section = (struct section){.lines = &run.lines,
                                   .snapshots = snapshots,
                                   .source = str_from(name),
                                   .input = snapshots->n_inputs};
    rc = read_lines(&run, err);
    if (rc >= 0)
        rc = run_finish(&run, first, err);
    if (buf_failures() != n_failures || instances.has_lost) {
        budget_note_refusal(&snapshots->budget);
        if (rc == CPROF_EFORMAT)
            rc = error_memory(err, (struct place){name, 0, 0}, "reading");
    }
    while (rc < 0 && snapshots->count > first)
        collection_drop(snapshots);
    first_line_done(&run.first);
    instances_done(&instances);
    lines_done(&run.lines);
    return rc;
}

int cprof_snapshots_read_file(struct cprof_snapshots *snapshots,
                              const char *path, struct cprof_error *err)
{
    size_t first = snapshots->count;
    struct source source;
    bool is_stdin = str_equal(str_from(path), STR("-"));
    int rc = source_open(&source, path, err);

    if (rc < 0)
        return rc;
    rc = read_source(snapshots, is_stdin ? "<stdin>" : path, source, err);
    for (size_t i = first; rc >= 0 && i < snapshots->count; i++)
        snapshot_info(snapshots->items[i])->written_ns =
            is_stdin ? 0 : source_written_ns(path);
    return rc;
}

int cprof_snapshots_read(struct cprof_snapshots *snapshots, const char *name,
                         cprof_read_fn *read, void *user,
                         struct cprof_error *err)
{
    struct source source = {.read = read, .user = user};

    return read_source(snapshots, name, source, err);
}
