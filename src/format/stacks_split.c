#include "format/stacks_split.h"

#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "format/go_text.h"
#include "format/stack_reader.h"
#include "model/options.h"

enum {
    PARTS_MOST = 64,
    PART_LEAST = 2 << 20, /* bytes that are worth a thread */
    PART_MOST = 32,       /* times as many that a thread has at most, */
    KNOWN_SHARE = 16,     /* and times as many as were read before */
    FIRST_LEAST = 16,     /* times as many: a new thread has all to learn */
    TAIL_SHARE = 8,       /* a part of them is left to one: how a dump ends */
    BORDER_WINDOW = 1 << 16, /* looked through for a border */
    SAME_BYTES = 4096,       /* compared to see that the file is the input */
    GROUPS_KEPT = 1024,      /* that a part may know when it goes on */
    MEMORY_LEAST = 4 << 20,  /* that a part is expected to take */
};

/* What another thread reads at a time, and what it reads it with. */
struct part {
    const struct stacks_split *split; /* NULL = never used */
    struct source_range range;
    uint64_t begin;

    /* Its own, and kept for the part after the next ones: what is familiar
     * remains so. NULL at first. */
    struct cprof_snapshots *snapshots;
    struct snapshot *snapshot;
    struct stack_reader *reader;
    struct section section;
    struct lines lines;

    bool is_good;     /* all of it was goroutines of the dump */
    struct buf early; /* the ids, uint64_t, that it read before the ids of the
                         dump were sealed: these are asked about at the end */

    /* The thread stays where it is from one part to the next: it waits for
     * `given`, and posts `done`. */
    pthread_t thread;
    bool has_thread;
    bool ends; /* there is nothing more to read */
    sem_t given;
    sem_t done;
};

struct stacks_split {
    /* The dump that is cut, and what its first thread reads it with. */
    struct section *section;
    struct stack_reader *reader;
    const struct id_set *ids;
    struct snapshot *snapshot;
    uint64_t begin; /* its offset */

    cpu_set_t processors;   /* that threads may run on; none when not known */
    _Atomic bool stops;     /* what the parts read is void */
    _Atomic bool is_sealed; /* no id is added any more */
    unsigned n_parts;       /* being read */
    struct part parts[PARTS_MOST];
};

/* --- One part ------------------------------------------------------------- */

/* Whether the dump has an id already; one that cannot be asked about yet is put
 * aside. */
static bool is_repeated(struct part *part, uint64_t id)
{
    if (atomic_load_explicit(&part->split->is_sealed, memory_order_acquire))
        return id_set_has(part->split->ids, id);
    buf_add(&part->early, (struct str){(const char *)&id, sizeof(id)});
    return part->early.failed;
}

/* Whether a goroutine may begin another dump (stacks.c: begins_dump). */
static bool may_begin_dump(struct part *part, const struct record *record)
{
    if (is_repeated(part, record->id))
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
        if (may_begin_dump(part, record) ||
            atomic_load_explicit(&part->split->stops, memory_order_relaxed))
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

    return lines->error.code == CPROF_OK && !lines->n_cut_lines &&
           lines_offset(lines) == part->range.end - part->begin &&
           !part->section.n_foreign && !part->snapshots->diags.first &&
           !part->section.n_damaged && !part->section.n_omissions &&
           !collection_has_lost(part->snapshots) && !buf_failures() &&
           !atomic_load(&part->snapshots->budget.n_denied) &&
           !atomic_load(&part->snapshots->budget.n_refused);
}

static void read_part(struct part *part)
{
    if (lines_init(&part->lines, source_from_range(&part->range),
                   part->split->section->lines->name, &part->snapshots->budget,
                   NULL) < 0)
        return;
    buf_clear(&part->early);
    part->is_good = count_goroutines(part) && is_read_whole(part);
    lines_done(&part->lines);
}

/* A signal may end the waiting early. */
static void wait_for(sem_t *sem)
{
    while (sem_wait(sem) < 0)
        continue;
}

/* Lets a thread run on some processors, when these are known. */
static void set_processors(pthread_t thread, const cpu_set_t *processors)
{
    if (CPU_COUNT(processors))
        pthread_setaffinity_np(thread, sizeof(*processors), processors);
}

static void *run_parts(void *user)
{
    struct part *part = user;

    for (;;) {
        wait_for(&part->given);
        if (part->ends)
            return NULL;
        set_processors(pthread_self(), &part->split->processors);
        read_part(part);
        sem_post(&part->done);
    }
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
static uint64_t part_least(const struct stacks_split *split)
{
    size_t given = split->section->snapshots->options->part_least;

    return given ? given : PART_LEAST;
}

/* The most bytes for a thread: what turns out to be void is read again, and a
 * dump that is short so far may end soon. */
static uint64_t part_most(const struct stacks_split *split)
{
    uint64_t least = part_least(split);
    uint64_t known = lines_offset(split->section->lines) - split->begin;

    if (known < least / KNOWN_SHARE)
        return least;
    if (known > PART_MOST * least / KNOWN_SHARE)
        return PART_MOST * least;
    return known * KNOWN_SHARE;
}

/* How many threads what follows the cursor is worth. */
static uint64_t count_threads(const struct stacks_split *split, uint64_t size)
{
    const struct section *section = split->section;
    size_t threads = section->snapshots->options->threads;
    uint64_t at = lines_offset(section->lines);
    uint64_t n = size > at ? (size - at) / part_least(split) : 0;

    if (!split->parts[0].has_thread && n < FIRST_LEAST)
        return 0;
    n = n < threads ? n : threads;
    return n < PARTS_MOST ? n : PARTS_MOST;
}

/* Whether the ids of the dump will be sealed when this thread has read so many
 * bytes, with some to spare: they are the first ones of the dump, which are
 * not to be in a part. */
static bool is_sealed_by(const struct stacks_split *split, uint64_t size)
{
    const struct id_set *ids = split->ids;
    uint64_t known = lines_offset(split->section->lines) - split->begin;
    double expected = (double)size / (double)(known + 1) * (double)ids->count;

    return atomic_load(&split->is_sealed) ||
           expected > 1.25 * (double)(ids->most - ids->count);
}

/* Cuts what follows the cursor into a share for each thread; the first is read
 * here, and each of the others is a part. Returns how many these are. */
static unsigned find_parts(struct stacks_split *split)
{
    const struct lines *lines = split->section->lines;
    struct budget *budget = &split->section->snapshots->budget;
    uint64_t at = lines_offset(lines);
    uint64_t size = source_file_size(lines->file);
    uint64_t most = part_most(split);
    uint64_t n = count_threads(split, size);
    unsigned count = 0;
    char *window;

    if (n < 2 || !is_input(lines))
        return 0;
    window = budget_resize(budget, NULL, 0, BORDER_WINDOW);
    for (uint64_t i = 0; window && i < n; i++) {
        uint64_t tail = part_least(split) / TAIL_SHARE;
        uint64_t share = (size - at - tail) / (n - i);
        uint64_t end = find_border(lines->file,
                                   at + (share < most ? share : most), window);

        if (!end || end <= at || (!i && !is_sealed_by(split, end - at)))
            break;
        if (i) {
            split->parts[count].range =
                (struct source_range){lines->file, at, end};
            split->parts[count++].begin = at;
        }
        at = end;
    }
    budget_free(budget, window, BORDER_WINDOW);
    return count == n - 1 ? count : 0;
}

/* --- All parts ------------------------------------------------------------ */

/* Starts the thread, which then waits. */
static bool part_start_thread(struct part *part)
{
    if (part->has_thread)
        return true;
    if (sem_init(&part->given, 0, 0) < 0)
        return false;
    if (sem_init(&part->done, 0, 0) < 0 ||
        pthread_create(&part->thread, NULL, run_parts, part) != 0) {
        sem_destroy(&part->given);
        return false;
    }
    part->has_thread = true;
    return true;
}

/* Wakes the thread, which waits, on another processor than this one. Linux may
 * start it here although others are idle, and then it begins milliseconds
 * later: a tenth of the time for 120 MB. */
static void part_wake(struct part *part)
{
    cpu_set_t others = part->split->processors;
    int here = sched_getcpu();

    if (here >= 0 && here < CPU_SETSIZE)
        CPU_CLR((size_t)here, &others);
    set_processors(part->thread, &others);
    sem_post(&part->given);
}

/* Ends the thread, which waits. */
static void part_end_thread(struct part *part)
{
    if (!part->has_thread)
        return;
    part->ends = true;
    sem_post(&part->given);
    pthread_join(part->thread, NULL);
    sem_destroy(&part->given);
    sem_destroy(&part->done);
}

/* Frees what it is read with, but not the thread. */
static void part_forget(struct part *part)
{
    stack_reader_free(part->reader);
    cprof_snapshots_free(part->snapshots);
    buf_done(&part->early);
    part->reader = NULL;
    part->snapshots = NULL;
    part->snapshot = NULL;
}

static void part_done(struct part *part)
{
    part_end_thread(part);
    part_forget(part);
    *part = (struct part){0};
}

/* Gives a part what it is read with, of its share of the memory. */
static bool part_init(struct part *part, size_t memory)
{
    const struct section *whole = part->split->section;

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

static bool part_begin(struct part *part, const struct stacks_split *split,
                       size_t memory)
{
    part->split = split;
    part->is_good = false;
    if (!part_init(part, memory) || !part_start_thread(part))
        return false;
    part_wake(part);
    return true;
}

/* Waits for the threads, and returns how many there were. */
static unsigned join_parts(struct stacks_split *split)
{
    unsigned n = split->n_parts;

    for (unsigned i = 0; i < n; i++)
        wait_for(&split->parts[i].done);
    split->n_parts = 0;
    return n;
}

/* Ends what is being read, and forgets it. */
static void stop_parts(struct stacks_split *split)
{
    split->stops = true;
    join_parts(split);
    split->stops = false;
    for (unsigned i = 0; i < PARTS_MOST && split->parts[i].split; i++)
        part_done(&split->parts[i]);
}

/* Whether memory for so much more is no question, also while tables grow. Where
 * it is one, what is kept depends on how it is read: by one thread then. */
static bool has_plenty(const struct stacks_split *split, size_t more)
{
    const struct budget *budget = &split->section->snapshots->budget;

    return budget_left(budget) / 2 >= more &&
           budget_left(budget) - 2 * more >= atomic_load(&budget->used);
}

/* Begins to read the parts; 0 when there are none. */
static unsigned start_parts(struct stacks_split *split)
{
    unsigned n = has_plenty(split, MEMORY_LEAST) ? find_parts(split) : 0;
    size_t memory = budget_left(&split->section->snapshots->budget) / (n + 1);

    while (split->n_parts < n &&
           part_begin(&split->parts[split->n_parts], split, memory))
        split->n_parts++;
    if (split->n_parts < n)
        stop_parts(split);
    return split->n_parts;
}

/* Whether one of the ids that a part put aside is one of the dump's. */
static bool has_repeated(const struct stacks_split *split,
                         const struct part *part)
{
    for (size_t at = 0; at < part->early.len; at += sizeof(uint64_t)) {
        uint64_t id;

        memcpy(&id, part->early.ptr + at, sizeof(id));
        if (id_set_has(split->ids, id))
            return true;
    }
    return false;
}

/* Adds a part, and goes on behind it. False when it is void, or does not begin
 * at the cursor, and nothing was added. */
static bool merge_part(struct stacks_split *split, struct part *part)
{
    struct lines *lines = split->section->lines;

    if (part->begin != lines_offset(lines) || !part->is_good ||
        !atomic_load(&split->is_sealed) || has_repeated(split, part) ||
        !has_plenty(split, atomic_load(&part->snapshots->budget.used)) ||
        !snapshot_merge(split->snapshot, part->snapshot))
        return false;
    stack_reader_follow(split->reader, part->reader);
    lines_jump(lines, part->range.end, lines->number + part->lines.number - 1);
    return true;
}

/* Adds the parts in order, up to the first that is void, and returns how many
 * were added. */
static unsigned merge_parts(struct stacks_split *split, unsigned n)
{
    unsigned i = 0;

    while (i < n && merge_part(split, &split->parts[i]))
        i++;
    return i;
}

/* Frees what parts read that were not added, and what would take more memory
 * than it saves time. */
static void trim_parts(struct stacks_split *split, unsigned n, unsigned n_added)
{
    for (unsigned i = 0; i < n; i++) {
        if (i >= n_added ||
            snapshot_n_groups(split->parts[i].snapshot) > GROUPS_KEPT)
            part_forget(&split->parts[i]);
    }
}

struct stacks_split *stacks_split_new(struct section *section,
                                      struct stack_reader *reader,
                                      const struct id_set *ids)
{
    struct stacks_split *split;

    if (section->lines->file < 0 || section->snapshots->options->threads < 2)
        return NULL;
    /* Not of the budget, which must not differ with the threads. */
    split = calloc(1, sizeof(*split));
    if (!split)
        return NULL;
    split->section = section;
    split->reader = reader;
    split->ids = ids;
    if (sched_getaffinity(0, sizeof(split->processors), &split->processors) < 0)
        CPU_ZERO(&split->processors);
    return split;
}

void stacks_split_free(struct stacks_split *split)
{
    if (!split)
        return;
    stop_parts(split);
    free(split);
}

void stacks_split_begin(struct stacks_split *split, struct snapshot *snapshot,
                        uint64_t offset)
{
    if (!split)
        return;
    stop_parts(split);
    split->is_sealed = false;
    split->snapshot = snapshot;
    split->begin = offset;
}

void stacks_split_seal(struct stacks_split *split)
{
    if (split)
        atomic_store_explicit(&split->is_sealed, true, memory_order_release);
}

void stacks_split_stop(struct stacks_split *split)
{
    if (split)
        stop_parts(split);
}

uint64_t stacks_split_go_on(struct stacks_split *split)
{
    unsigned n;
    unsigned n_added;

    if (!split)
        return UINT64_MAX;
    n = join_parts(split);
    n_added = merge_parts(split, n);
    trim_parts(split, n, n_added);
    /* The part that is void is read by this thread. */
    if (n_added < n)
        return split->parts[n_added].range.end;
    return start_parts(split) ? split->parts[0].begin : UINT64_MAX;
}
