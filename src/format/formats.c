#include "format/contention_text.h"
#include "format/count_profile.h"
#include "format/crash.h"
#include "format/format.h"
#include "format/heap_text.h"
#include "format/protobuf.h"
#include "format/stacks.h"
#include "model/options.h"

const struct format *const formats[] = {
    &stacks_format,    &crash_format,           &count_profile_format,
    &heap_text_format, &contention_text_format, &protobuf_format,
};

const size_t n_formats = sizeof(formats) / sizeof(formats[0]);

const struct format *format_recognise(struct lines *lines, struct str line)
{
    uint64_t moves = lines->n_moves;

    for (size_t i = 0; i < n_formats; i++) {
        /* One that looked ahead has moved the line. */
        if (lines->n_moves != moves && !lines_peek(lines, &line))
            return NULL;
        moves = lines->n_moves;
        if (formats[i]->recognise(lines, line))
            return formats[i];
    }
    return NULL;
}

/* Makes room for one more snapshot of the input. */
static void drop_oldest(struct section *section)
{
    struct cprof_snapshots *snapshots = section->snapshots;
    size_t oldest = snapshots->count;

    while (oldest > 0 &&
           snapshot_info(snapshots->items[oldest - 1])->input == section->input)
        oldest--;
    if (snapshots->count - oldest < SECTION_DUMPS)
        return;
    collection_drop_at(snapshots, oldest);
    section->n_dropped++;
}

/* The process that a section is of: as a log says, or as the user says. */
static struct str instance_of(const struct section *section)
{
    const struct cprof_options *options = section->snapshots->options;

    /* A comparison takes the option for a pattern of names. */
    if (section->instance.len || !options || section->snapshots->is_series)
        return section->instance;
    return str_from(options->instance);
}

int section_snapshot(struct section *section, const char *format,
                     struct snapshot **ret, struct cprof_error *err)
{
    struct snapshot *snapshot;
    struct snapshot_info *info;
    int rc;

    drop_oldest(section);
    rc = collection_add(section->snapshots, &snapshot, err);
    if (rc < 0)
        return rc;
    info = snapshot_info(snapshot);
    info->source = snapshot_copy(snapshot, section->source);
    info->format = format;
    info->instance = snapshot_copy(snapshot, instance_of(section));
    info->input = section->input;
    info->line = section->lines->number;
    info->profile = STR("goroutine");
    /* Without its name it would be a dump of another input. */
    if (info->source.len != section->source.len ||
        info->instance.len != instance_of(section).len) {
        collection_drop(section->snapshots);
        return error_memory(err, (struct place){section->lines->name, 0, 0},
                            "reading");
    }
    *ret = snapshot;
    return 0;
}

void section_say_labels(struct section *section, uint64_t line, size_t most)
{
    diag_add(&section->snapshots->diags, DIAG_WARNING, "many-labels",
             (struct place){section->lines->name, line, 0},
             "there are %zu labels here or more: those behind are not read",
             most);
}

bool section_another_begins(struct section *section, struct str line)
{
    return format_recognise(section->lines, line) ||
           (section->begins_wrapped &&
            section->begins_wrapped(section->driver));
}

void section_count_damaged(struct section *section, uint64_t n, uint64_t id,
                           uint64_t line)
{
    if (n && !section->n_damaged) {
        section->damaged_id = id;
        section->damaged_line = line;
    }
    section->n_damaged += n;
}

void section_count_omissions(struct section *section, uint64_t n, uint64_t line)
{
    if (n && !section->n_omissions)
        section->omission_line = line;
    section->n_omissions += n;
}

void section_count_stray(struct section *section, uint64_t line)
{
    enum { STRAY_GAP = 2 }; /* a line of the same stack, perhaps a blank one */

    if (!section->n_strays)
        section->stray_line = line;
    if (!section->n_strays || line > section->stray_last + STRAY_GAP)
        section->n_strays++;
    section->stray_last = line;
}

void section_say_zeros(struct section *section)
{
    diag_add(&section->snapshots->diags, DIAG_WARNING, "zeros",
             (struct place){section->lines->name, section->lines->number, 0},
             "zeros stand here in place of text, as where a file has a hole: "
             "goroutines may be missing");
}

void section_see_zeros(struct section *section, struct snapshot *snapshot,
                       struct str text)
{
    if (!str_has_zeros(text))
        return;
    snapshot_info(snapshot)->complete = false;
    if (section->holed != snapshot_info(snapshot)->line)
        section_say_zeros(section);
    section->holed = snapshot_info(snapshot)->line;
}

void section_pass_line(struct section *section, struct snapshot *snapshot)
{
    struct str line;

    if (lines_peek(section->lines, &line))
        section_see_zeros(section, snapshot, line);
    lines_next(section->lines);
}

void section_count_foreign(struct section *section)
{
    if (!section->n_foreign++)
        section->foreign_line = section->lines->number;
}
