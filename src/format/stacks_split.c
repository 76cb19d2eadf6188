#include "format/stacks_split.h"

#include <pthread.h>

#include "format/go_text.h"
#include "format/stack_reader.h"
#include "model/options.h"

enum {
    PARTS_MOST = 64,
    PART_LEAST = 2 << 20,    /* bytes that are worth a thread, and by them: */
    PART_FIRST = 2,          /* a thread has so many at first, then twice as */
    PART_MOST = 32,          /* much: what is void was read in vain */
    TAIL_SHARE = 8,          /* a part of them is left to the one thread: how a
                                dump ends */
    BORDER_WINDOW = 1 << 16, /* looked through for a border */
    SAME_BYTES = 4096,       /* compared to see that the file is the input */
    GROUPS_KEPT = 1024,      /* that a part may know when it goes on */
};

/* The dump that is cut, and what it is read with before and behind the parts.
 */
struct dump {
    struct section *section;
    struct snapshot *snapshot;
    struct stack_reader *reader;
    const struct id_set *ids; /* before the parts */
};

/* What one thread reads at a time, and what it reads it with. */
struct part {
    const struct dump *dump;
    struct source_range range;
    uint64_t begin;

    /* Its own, and kept for the part after the next ones: what is familiar
     * remains so. NULL at first. */
    struct cprof_snapshots *snapshots;
    struct snapshot *snapshot;
    struct stack_reader *reader;
    struct section section;
    struct lines lines;

    bool is_good; /* all of it was goroutines of the dump */
    pthread_t thread;
};

/* --- One part ------------------------------------------------------------- */

/* Whether a goroutine may begin another dump (stacks.c: begins_dump). */
static bool may_begin_dump(const struct part *part, const struct record *record)
{
    if (id_set_has(part->dump->ids, record->id))
        return true;
    return record->state == STATE_RUNNING && record->n_frames &&
           str_equal(
               symbols_function(part->snapshots->symbols, record->frames[0]),
               STR("runtime/pprof.writeGoroutineStacks"));
}

/* Counts the goroutines at the cursor; false at the first that is unusual. Of
 * one that is running, the next one may tell that it begins another dump
 * (stacks.c: begins_dump): the last must not be. */
static bool count_goroutines(struct part *part)
{
    const struct record *record;
    bool ends_running = false;

    while ((record = stack_reader_next(part->reader)) != NULL) {
        if (may_begin_dump(part, record))
            return false;
        stack_reader_settle(part->reader, part->snapshot);
        if (snapshot_add(part->snapshot, record) == SNAPSHOT_NO_GROUP)
            return false;
        ends_running = record->state == STATE_RUNNING;
        stacks_skip_blank(&part->lines);
    }
    return !ends_running;
}

static bool is_read_whole(const struct part *part)
{
    const struct lines *lines = &part->lines;

    return lines->at == lines->end && lines->at_end &&
           lines->error.code == CPROF_OK && !lines->n_cut_lines &&
           lines->n_bytes == part->range.end - part->begin &&
           !part->section.n_foreign && !part->snapshots->diags.first &&
           !collection_has_lost(part->snapshots);
}

static void *run_part(void *user)
{
    struct part *part = user;

    if (lines_init(&part->lines, source_from_range(&part->range),
                   part->dump->section->lines->name, &part->snapshots->budget,
                   NULL) < 0)
        return NULL;
    part->is_good = count_goroutines(part) && is_read_whole(part);
    lines_done(&part->lines);
    return NULL;
}

/* --- Borders -------------------------------------------------------------- */

/* The offset of the first goroutine that begins behind an offset of the file;
 * 0 when none is near. */
static uint64_t find_border(int file, uint64_t offset, char *window)
{
    struct str mark = STR("\n\ngoroutine ");
    struct str text = {window,
                       source_read_at(file, window, BORDER_WINDOW, offset)};

    for (;;) {
        size_t at = str_search(text, mark);
        struct str line = str_skip(text, at + 2);
        struct go_header header;

        if (at == text.len || str_find(line, '\n') == line.len)
            return 0;
        line = str_head(line, str_find(line, '\n'));
        if (go_header_parse(line, &header))
            return offset + (uint64_t)(line.ptr - window);
        text = str_skip(text, at + 2);
    }
}

/* Whether the file has, at the cursor's offset, what stands at the cursor: it
 * has not when the input was unpacked. */
static bool is_input(const struct lines *lines)
{
    char bytes[SAME_BYTES];
    size_t n = (size_t)(lines->end - lines->at);

    n = n < sizeof(bytes) ? n : sizeof(bytes);
    return source_read_at(lines->file, bytes, n, lines_offset(lines)) == n &&
           memcmp(bytes, lines->at, n) == 0;
}

/* The bytes that are worth a thread. */
static uint64_t part_least(const struct section *section)
{
    size_t given = section->snapshots->options->part_least;

    return given ? given : PART_LEAST;
}

/* Cuts what follows the cursor into a part for each thread, of so many bytes at
 * most, and returns how many there are. */
static unsigned find_parts(const struct section *section, uint64_t most,
                           struct part parts[static PARTS_MOST])
{
    const struct lines *lines = section->lines;
    size_t threads = section->snapshots->options->threads;
    uint64_t at = lines_offset(lines);
    uint64_t size = source_file_size(lines->file);
    uint64_t least = part_least(section);
    uint64_t n = size > at ? (size - at) / least : 0;
    char *window;
    unsigned count = 0;

    n = n < threads ? n : threads;
    n = n < PARTS_MOST ? n : PARTS_MOST;
    if (n < 2 || !is_input(lines))
        return 0;
    window = budget_resize(&section->snapshots->budget, NULL, 0, BORDER_WINDOW);
    for (uint64_t i = 1; window && i <= n; i++) {
        uint64_t share = (size - at - least / TAIL_SHARE) / (n - i + 1);
        uint64_t end = find_border(lines->file,
                                   at + (share < most ? share : most), window);

        if (!end || end <= at)
            break;
        parts[count].range = (struct source_range){lines->file, at, end};
        parts[count++].begin = at;
        at = end;
    }
    budget_free(&section->snapshots->budget, window, BORDER_WINDOW);
    return count == n ? count : 0;
}

/* --- All parts ------------------------------------------------------------ */

static void part_done(struct part *part)
{
    stack_reader_free(part->reader);
    cprof_snapshots_free(part->snapshots);
    *part = (struct part){0};
}

/* Gives a part what it is read with, of its share of the memory. */
static bool part_init(struct part *part, size_t memory)
{
    const struct section *whole = part->dump->section;

    if (part->reader)
        return true;
    if (cprof_snapshots_new(&part->snapshots, whole->snapshots->options, NULL) <
        0)
        return false;
    part->snapshots->budget.limit = memory;
    part->section = (struct section){.lines = &part->lines,
                                     .snapshots = part->snapshots,
                                     .source = whole->source};
    part->lines.name = whole->lines->name;
    return collection_add(part->snapshots, &part->snapshot, NULL) == 0 &&
           stack_reader_new(&part->reader, &part->section, NULL) == 0;
}

static bool part_begin(struct part *part, const struct dump *dump,
                       size_t memory)
{
    part->dump = dump;
    part->is_good = false;
    return part_init(part, memory) &&
           pthread_create(&part->thread, NULL, run_part, part) == 0;
}

/* Adds the parts in order, up to the first that is void, and goes on behind
 * them. Returns how many were added. */
static unsigned merge_parts(const struct dump *dump, struct part *parts,
                            unsigned n)
{
    struct lines *lines = dump->section->lines;
    unsigned i = 0;

    for (; i < n && parts[i].is_good; i++) {
        if (!snapshot_merge(dump->snapshot, parts[i].snapshot))
            break;
        stack_reader_follow(dump->reader, parts[i].reader);
        lines_jump(lines, parts[i].range.end,
                   lines->number + parts[i].lines.number - 1);
    }
    return i;
}

/* Reads parts side by side and returns how many were added. */
static unsigned read_parts(const struct dump *dump, struct part *parts,
                           unsigned n)
{
    size_t memory = budget_left(&dump->section->snapshots->budget) / (n + 1);
    unsigned n_started = 0;
    unsigned n_added = 0;

    while (n_started < n && part_begin(&parts[n_started], dump, memory))
        n_started++;
    for (unsigned i = 0; i < n_started; i++)
        pthread_join(parts[i].thread, NULL);
    if (n_started == n)
        n_added = merge_parts(dump, parts, n);
    return n_added;
}

/* Frees what parts know that would take more memory than it saves time. */
static void trim_parts(struct part *parts, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        if (snapshot_n_groups(parts[i].snapshot) > GROUPS_KEPT)
            part_done(&parts[i]);
    }
}

uint64_t stacks_split(struct section *section, struct snapshot *snapshot,
                      struct stack_reader *reader, const struct id_set *ids)
{
    struct dump dump = {section, snapshot, reader, ids};
    struct part parts[PARTS_MOST] = {0};
    uint64_t split_at = UINT64_MAX;
    uint64_t least = part_least(section);
    uint64_t most = PART_FIRST * least;
    unsigned n;

    if (section->lines->file < 0 || section->snapshots->options->threads < 2)
        return UINT64_MAX;
    while (split_at == UINT64_MAX &&
           (n = find_parts(section, most, parts)) != 0) {
        unsigned n_added = read_parts(&dump, parts, n);

        /* The next part that was void is read line by line. */
        if (n_added < n)
            split_at = parts[n_added].range.end;
        else
            trim_parts(parts, n);
        most = most < PART_MOST * least ? most * 2 : most;
    }
    for (unsigned i = 0; i < PARTS_MOST; i++)
        part_done(&parts[i]);
    return split_at;
}
