#include "format/stacks.h"

#include "format/crash.h"
#include "format/crash_text.h"
#include "format/go_text.h"
#include "format/id_set.h"
#include "format/size_limit.h"
#include "format/stack_reader.h"
#include "format/stacks_split.h"
#include "model/options.h"

/* What one section is read with. */
struct dumps {
    struct section *section;
    struct stack_reader *reader;
    struct snapshot *snapshot; /* of the dump that is being read, or NULL */
    struct id_set ids;         /* of its goroutines */
    uint64_t end;              /* offset in the input behind the last of them */
    struct stacks_split *split; /* the other threads, or NULL */
    uint64_t split_at;          /* offset at which they are asked */
    bool is_sealed;             /* the ids are all there, and they know */
    bool follows_gap; /* lines of others stand before the next goroutine */
};

static bool recognise(struct lines *lines, struct str line)
{
    struct go_header header;

    (void)lines;
    return go_header_parse(line, &header);
}

/* Says so when a dump that looks whole was cut between two goroutines or inside
 * a header, or when other text follows the cut; and marks it
 * where stacks lack frames. */
static void end_dump(struct dumps *dumps)
{
    struct lines *lines = dumps->section->lines;
    struct snapshot *snapshot = dumps->snapshot;
    struct str line = {0};

    if (!snapshot)
        return;
    lines_peek(lines, &line);
    if (snapshot_info(snapshot)->complete &&
        (size_limit_is_at_end(dumps->section, snapshot) ||
         size_limit_is_at(dumps->end, snapshot) ||
         size_limit_is_at(lines_offset(lines) + line.len, snapshot)))
        size_limit_say(dumps->section, snapshot);
    stack_reader_mark_damaged(dumps->reader, snapshot);
}

/* Begins the dump whose first goroutine is the record, at that offset. */
static int begin_dump(struct dumps *dumps, const struct record *record,
                      uint64_t offset, struct cprof_error *err)
{
    int rc;

    end_dump(dumps);
    if (dumps->snapshot)
        snapshot_settle(dumps->snapshot);
    rc = section_snapshot(dumps->section, stacks_format.name, &dumps->snapshot,
                          err);

    if (rc < 0)
        return rc;
    snapshot_info(dumps->snapshot)->line = record->line;
    snapshot_info(dumps->snapshot)->offset = offset;
    stacks_split_begin(dumps->split, dumps->snapshot, offset);
    dumps->split_at = 0;
    dumps->is_sealed = false;
    id_set_clear(&dumps->ids);
    return 0;
}

/* Whether the goroutine at hand begins another dump, although its id is new.
 * The goroutine that takes a dump is running and stands first, but another may
 * look so as well (it is in a system call that just began): what tells them
 * apart is the function that writes the dump, lines of others before it, or a
 * next goroutine that the dump before has too. */
static bool begins_dump(struct dumps *dumps, const struct record *record)
{
    const struct symbols *symbols = dumps->section->snapshots->symbols;
    struct lines *lines = dumps->section->lines;
    struct go_header next;
    struct str line;

    if (record->state != STATE_RUNNING || !record->n_frames ||
        !snapshot_info(dumps->snapshot)->total)
        return false;
    if (dumps->follows_gap ||
        str_equal(symbols_function(symbols, record->frames[0]),
                  STR("runtime/pprof.writeGoroutineStacks")))
        return true;
    stacks_skip_blank(lines);
    return lines_peek(lines, &line) && go_header_parse(line, &next) &&
           id_set_has(&dumps->ids, next.id);
}

static bool has_frames_of(const struct snapshot *snapshot,
                          const struct group *group,
                          const struct record *record)
{
    struct stack stack =
        symbols_stack(snapshot_symbols(snapshot), group->stack);

    return group->state == record->state &&
           stack.n_frames == record->n_frames && record->n_frames &&
           memcmp(stack.frames, record->frames,
                  stack.n_frames * sizeof(*stack.frames)) == 0;
}

/* Whether a goroutine behind lines of others is the one with which the dump
 * before them began: then it is another dump, whose ids begin anew. Other
 * processes have the same ids, and goleak prints several. */
static bool begins_again(const struct dumps *dumps, const struct record *record)
{
    const struct group *first;

    if (!dumps->follows_gap || !snapshot_n_groups(dumps->snapshot))
        return false;
    first = snapshot_group(dumps->snapshot, 0);
    if (!has_frames_of(dumps->snapshot, first, record))
        return false;
    for (size_t i = 0; i < group_n_kept_ids(first); i++) {
        if (group_kept_id(first, i) == record->id)
            return true;
    }
    return false;
}

/* Adds an id to those of the dump. Who reads it with several threads must know
 * of the last one. */
static void add_id(struct dumps *dumps, uint64_t id)
{
    id_set_add(&dumps->ids, id);
    if (dumps->is_sealed || !id_set_is_full(&dumps->ids))
        return;
    dumps->is_sealed = true;
    stacks_split_seal(dumps->split);
    if (dumps->split_at == UINT64_MAX)
        dumps->split_at = 0;
}

/* Reads one goroutine whose header stands at the cursor; 1, or 0 when there
 * is no header. */
static int read_goroutine(struct dumps *dumps, struct cprof_error *err)
{
    uint64_t offset = lines_offset(dumps->section->lines);
    const struct record *record = stack_reader_next(dumps->reader);
    uint64_t end = lines_offset(dumps->section->lines);
    int rc = 0;

    if (!record)
        return 0;
    if (!dumps->snapshot || id_set_has(&dumps->ids, record->id) ||
        begins_again(dumps, record) || begins_dump(dumps, record))
        rc = begin_dump(dumps, record, offset, err);
    if (rc < 0)
        return rc;
    stack_reader_settle(dumps->reader, dumps->snapshot);
    snapshot_add(dumps->snapshot, record);
    add_id(dumps, record->id);
    dumps->follows_gap = false;
    dumps->end = end;
    return 1;
}

/* Whether a line can stand before the dump of another thread. */
static bool leads_to_thread(struct str line)
{
    enum crash_line kind = crash_line_kind(line);

    return kind == CRASH_LINE_REGISTER || kind == CRASH_LINE_THREAD;
}

/* Whether a goroutine was, or may have been, printed before. Id 0 is the
 * scheduler's of any thread, which is no goroutine. */
static bool is_repeat(const struct dumps *dumps, uint64_t id)
{
    return !id || id_set_is_full(&dumps->ids) || id_set_has(&dumps->ids, id);
}

/* Whether goroutines are followed by the dump of a thread that they were of:
 * the end of a crash whose reason is missing. Moves to its goroutines. */
static bool find_thread(struct dumps *dumps)
{
    struct lines *lines = dumps->section->lines;
    struct crash_thread thread;
    struct str text;
    struct str line;

    if (!dumps->snapshot || !lines_peek(lines, &line) || !leads_to_thread(line))
        return false;
    lines_fill(lines, LINES_WINDOW);
    text = (struct str){lines->at, (size_t)(lines->end - lines->at)};
    if (!crash_thread_parse(str_head(text, LINES_WINDOW),
                            lines->at_end && text.len <= LINES_WINDOW,
                            &thread) ||
        !is_repeat(dumps, thread.first_id))
        return false;
    while (thread.n_lines-- && lines_peek(lines, &line))
        lines_next(lines);
    return true;
}

/* Reads the goroutines of a thread; those that were printed before are not
 * counted again. Returns how many these were. */
static uint64_t read_thread(struct dumps *dumps)
{
    const struct record *record;
    uint64_t n = 0;

    while ((record = stack_reader_next(dumps->reader)) != NULL) {
        stack_reader_settle(dumps->reader, dumps->snapshot);
        if (is_repeat(dumps, record->id)) {
            n++;
        } else {
            snapshot_add(dumps->snapshot, record);
            add_id(dumps, record->id);
        }
        stacks_skip_blank(dumps->section->lines);
    }
    return n;
}

static void read_threads(struct dumps *dumps)
{
    uint64_t n_repeats = 0;

    while (find_thread(dumps))
        n_repeats += read_thread(dumps);
    if (n_repeats)
        crash_say_repeats(dumps->section, snapshot_info(dumps->snapshot)->line,
                          n_repeats);
}

/* Other threads are worth something when a share of the ids that are kept is
 * there. */
enum { SPLIT_SHARE = 8 };

/* Reads goroutines up to what is none, with several threads. */
static int read_goroutines(struct dumps *dumps, struct cprof_error *err)
{
    struct lines *lines = dumps->section->lines;
    struct str line;
    int rc;

    stacks_split_begin(dumps->split, dumps->snapshot, lines_offset(lines));
    do {
        rc = read_goroutine(dumps, err);
        stacks_skip_blank(lines);
        if (rc > 0 && id_set_has_share(&dumps->ids, SPLIT_SHARE) &&
            lines_offset(lines) >= dumps->split_at)
            dumps->split_at = stacks_split_go_on(dumps->split);
    } while (rc > 0);
    stacks_split_stop(dumps->split);
    if (rc == 0 && dumps->snapshot && lines_peek(lines, &line))
        stack_reader_see_between(dumps->reader, line);
    return rc;
}

static int read_section(struct section *section, struct cprof_error *err)
{
    struct dumps dumps = {.section = section,
                          .snapshot = section->previous,
                          .follows_gap = section->previous != NULL};
    int rc = stack_reader_new(&dumps.reader, section, err);

    if (rc < 0)
        return rc;
    id_set_init(&dumps.ids, &section->snapshots->budget,
                section->snapshots->options->ids_most);
    dumps.split = stacks_split_new(section, dumps.reader, &dumps.ids);
    rc = read_goroutines(&dumps, err);
    if (rc == 0)
        read_threads(&dumps);
    if (rc == 0)
        end_dump(&dumps);
    /* What is put aside may be the reader's. */
    if (dumps.snapshot)
        snapshot_settle(dumps.snapshot);
    stacks_split_free(dumps.split);
    id_set_done(&dumps.ids);
    stack_reader_free(dumps.reader);
    return rc;
}

const struct format stacks_format = {
    .name = "debug2",
    .recognise = recognise,
    .read = read_section,
};
