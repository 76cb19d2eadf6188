/* A crash is one snapshot: its reason, its goroutines, and what stands among
 * them. With GOTRACEBACK=crash the runtime prints a short dump of each further
 * thread behind "-----"; their goroutines were printed before, so they are not
 * counted again. A goroutine whose stack was "unavailable" then, because it ran
 * on that thread, gets its stack from there. */
#include "format/crash.h"

#include "format/crash_text.h"
#include "format/go_text.h"
#include "format/id_set.h"
#include "format/race.h"
#include "format/stack_reader.h"
#include "format/test_code.h"

enum {
    GAP_MOST = 64,  /* lines of others in a row among the goroutines */
    HELD_MOST = 64, /* goroutines that wait for their stack */
};

struct crash_reader {
    struct section *section;
    struct lines *lines;
    struct stack_reader *stacks;
    struct snapshot *snapshot;
    struct crash *crash; /* NULL when there was no memory for it */
    struct id_set ids;
    bool has_zero; /* goroutine 0, the scheduler's, was counted */

    /* The reason, kept for another start. */
    struct crash_text text; /* its slices are void */
    struct buf reason;
    struct buf message;
    struct buf signal;
    uint64_t line; /* where it stands */
    uint64_t n_reasons;
    bool is_timeout;
    bool is_settled;  /* the crash speaks of a goroutine that runs a test */
    uint32_t longest; /* then: how many minutes that one has waited */
    bool is_killed;   /* go test sent the SIGQUIT */
    size_t first;     /* the group of goroutine 1, else of the first one */

    uint64_t n_blank; /* blank lines before the goroutine at the cursor */
    bool is_spaced;   /* blank lines have parted goroutines */
    bool follows_gap;
    bool in_repeats;
    bool has_registers;
    uint64_t n_repeats;

    struct record held[HELD_MOST];
    size_t n_held;
};

/* Reads the reason at the cursor without moving it. */
static bool parse_reason(struct lines *lines, struct crash_text *ret)
{
    struct str text;

    lines_fill(lines, LINES_WINDOW);
    text = (struct str){lines->at, (size_t)(lines->end - lines->at)};
    return crash_text_parse(str_head(text, LINES_WINDOW),
                            lines->at_end && text.len <= LINES_WINDOW, ret);
}

static bool recognise(struct lines *lines, struct str line)
{
    struct crash_text text;

    return crash_may_begin(line) && parse_reason(lines, &text);
}

static void skip_lines(struct lines *lines, uint64_t n)
{
    struct str line;

    while (n-- && lines_peek(lines, &line))
        lines_next(lines);
}

/* Copies the reason, which stands at the cursor. */
static void keep_reason(struct crash_reader *reader)
{
    struct crash_text *text = &reader->text;

    reader->line = reader->lines->number;
    buf_add(&reader->reason, str_head(text->reason, CRASH_MESSAGE_MOST));
    if (text->notes.len) {
        buf_add_char(&reader->reason, '\n');
        buf_add(&reader->reason, str_head(text->notes, CRASH_MESSAGE_MOST));
    }
    buf_add(&reader->signal, str_head(text->signal, CRASH_MESSAGE_MOST));
    crash_message_add(&reader->message, text);
    reader->is_timeout =
        text->kind == CRASH_PANIC &&
        str_starts(buf_str(&reader->message), STR("test timed out after "));
}

/* Copies the reason into the crash. */
static void put_reason(struct crash_reader *reader)
{
    struct crash *crash = reader->crash;

    crash->message = snapshot_copy(reader->snapshot, buf_str(&reader->message));
    crash->signal = snapshot_copy(reader->snapshot, buf_str(&reader->signal));
    crash->reason = symbols_text_put(reader->section->snapshots->symbols,
                                     buf_str(&reader->reason));
    crash->is_request =
        str_starts(crash->signal, STR("SIGQUIT:")) && !reader->is_killed;
}

/* Begins the snapshot, whose crash speaks of nobody yet. */
static int begin_snapshot(struct crash_reader *reader, struct cprof_error *err)
{
    struct section *section = reader->section;
    struct snapshot_info *info;
    struct crash *crash;
    int rc =
        section_snapshot(section, crash_format.name, &reader->snapshot, err);

    if (rc < 0)
        return rc;
    crash = snapshot_take(reader->snapshot, sizeof(*crash));
    info = snapshot_info(reader->snapshot);
    info->line = reader->line;
    info->crash = crash;
    reader->crash = crash;
    id_set_clear(&reader->ids);
    reader->has_zero = false;
    reader->n_held = 0;
    reader->is_settled = false;
    reader->first = SNAPSHOT_NO_GROUP;
    if (!crash)
        return 0;
    crash->kind = reader->text.kind;
    put_reason(reader);
    return 0;
}

static void speak_of(struct crash *crash, const struct record *record,
                     size_t group, bool is_first)
{
    if (is_first) {
        crash->has_goroutine = true;
        crash->goroutine = record->id;
        crash->n_groups = 0;
    }
    for (uint32_t i = 0; i < crash->n_groups; i++) {
        if (crash->groups[i] == group)
            return;
    }
    if (group != SNAPSHOT_NO_GROUP && crash->n_groups < CRASH_GROUPS_MOST)
        crash->groups[crash->n_groups++] = (uint32_t)group;
}

/* Makes a group the first that a crash speaks of. */
static void put_first(struct crash *crash, size_t group)
{
    uint32_t i = 0;

    while (i < crash->n_groups && crash->groups[i] != group)
        i++;
    if (!i || group == SNAPSHOT_NO_GROUP)
        return;
    if (i < crash->n_groups)
        crash->groups[i] = crash->groups[0];
    crash->groups[0] = (uint32_t)group;
}

/* Of several tests that run, the one that hangs is most likely the one that has
 * waited longest. */
static void speak_of_test(struct crash_reader *reader,
                          const struct record *record, size_t group)
{
    bool is_first = !reader->is_settled;

    speak_of(reader->crash, record, group, is_first);
    if (!is_first && record->wait_min <= reader->longest)
        return;
    put_first(reader->crash, group);
    reader->crash->goroutine = record->id;
    reader->longest = record->wait_min;
    reader->is_settled = true;
}

/* Whether a crash that is no deadlock cannot be the doing of a goroutine. */
static bool is_elsewhere(const struct crash *crash, state_id state)
{
    static const state_id parked[] = {
        STATE_CHAN_RECEIVE, STATE_CHAN_SEND,  STATE_SELECT,
        STATE_SLEEP,        STATE_IO_WAIT,    STATE_WAITGROUP_WAIT,
        STATE_COND_WAIT,    STATE_MUTEX_LOCK, STATE_RWMUTEX_RLOCK,
        STATE_RWMUTEX_LOCK, STATE_SEMACQUIRE, STATE_SELECT_NO_CASES,
    };

    if (crash->kind == CRASH_PANIC ||
        str_starts(crash->message, STR("all goroutines ")) ||
        str_starts(crash->message, STR("no goroutines ")))
        return false;
    for (size_t i = 0; i < sizeof(parked) / sizeof(parked[0]); i++) {
        if (state == parked[i])
            return true;
    }
    return false;
}

/* Finds out whether the crash speaks of a goroutine that was just counted. */
static void judge_goroutine(struct crash_reader *reader,
                            const struct record *record, size_t group)
{
    struct crash *crash = reader->crash;

    if (!crash)
        return;
    if (record->id == 1 || reader->first == SNAPSHOT_NO_GROUP)
        reader->first = group;
    if ((reader->is_timeout || crash->is_request) &&
        test_is_run(reader->section->snapshots->symbols, record)) {
        speak_of_test(reader, record, group);
    } else if (crash->is_request) {
        return;
    } else if (!crash->has_goroutine && !crash->is_elsewhere &&
               !crash->n_groups) {
        speak_of(crash, record, group, true);
        crash->is_elsewhere = is_elsewhere(crash, record->state);
        crash->has_goroutine = record->has_id && !crash->is_elsewhere;
    } else if (reader->n_blank > 1 && crash->kind == CRASH_PANIC &&
               record->state == STATE_RUNNING) {
        speak_of(crash, record, group, true);
        diag_add(&reader->section->snapshots->diags, DIAG_WARNING, "panic-text",
                 (struct place){reader->lines->name, record->line, 0},
                 "the text of the panic looks like goroutines: those of the "
                 "crash before this line may not exist");
    }
}

static void count_goroutine(struct crash_reader *reader,
                            const struct record *record)
{
    judge_goroutine(reader, record, snapshot_add(reader->snapshot, record));
}

/* Keeps a goroutine without a stack back. False when there is no room. */
static bool hold(struct crash_reader *reader, const struct record *record)
{
    struct record *held = &reader->held[reader->n_held];

    if (reader->n_held == HELD_MOST || record->n_frames)
        return false;
    *held = *record;
    held->frames = NULL;
    held->args = NULL;
    held->n_labels = 0;
    reader->n_held++;
    return true;
}

/* A goroutine that was printed before: its stack is wanted if it had none. */
static void take_repeat(struct crash_reader *reader,
                        const struct record *record)
{
    for (size_t i = 0; i < reader->n_held; i++) {
        if (reader->held[i].id != record->id || !record->n_frames)
            continue;
        reader->held[i] = reader->held[--reader->n_held];
        count_goroutine(reader, record);
        return;
    }
    reader->n_repeats++;
}

static bool is_known_id(const struct crash_reader *reader, uint64_t id)
{
    return id ? id_set_has(&reader->ids, id) : reader->has_zero;
}

/* Whether all goroutines before this one were the text of the panic, as when a
 * program panics with what debug.Stack gave: the runtime itself never leaves
 * two blank lines, and the goroutine that panicked comes first. */
static bool was_text(const struct crash_reader *reader,
                     const struct record *record)
{
    return reader->n_blank > 1 && reader->text.kind == CRASH_PANIC &&
           !reader->in_repeats && record->state == STATE_RUNNING &&
           is_known_id(reader, record->id);
}

/* The goroutine at the cursor, or NULL. Only Windows prints no header. */
static const struct record *next_goroutine(struct crash_reader *reader)
{
    if (!reader->text.is_headless)
        return stack_reader_next(reader->stacks);
    reader->text.is_headless = false;
    if (!str_starts(buf_str(&reader->reason), STR("Exception 0x"))) {
        section_count_stray(reader->section, reader->lines->number);
        snapshot_info(reader->snapshot)->complete = false;
    }
    return stack_reader_next_headless(reader->stacks);
}

/* Reads the goroutine at the cursor. */
static int read_goroutine(struct crash_reader *reader, struct cprof_error *err)
{
    const struct record *record = next_goroutine(reader);

    if (!record)
        return 0;
    if (was_text(reader, record)) {
        int rc;

        collection_drop(reader->section->snapshots);
        reader->snapshot = NULL;
        rc = begin_snapshot(reader, err);
        if (rc < 0)
            return rc;
    }
    stack_reader_settle(reader->stacks, reader->snapshot);
    if (!record->has_id) {
        count_goroutine(reader, record);
        return 0;
    }
    if (reader->in_repeats || is_known_id(reader, record->id)) {
        take_repeat(reader, record);
        return 0;
    }
    reader->has_zero |= record->id == 0;
    id_set_add(&reader->ids, record->id);
    if (!stack_reader_is_unavailable(reader->stacks) || !hold(reader, record))
        count_goroutine(reader, record);
    return 0;
}

/* Skips the frames of the scheduler's own stack, which is no goroutine. */
static void skip_stack(struct lines *lines)
{
    struct go_header header;
    struct str line;

    while (lines_peek(lines, &line) && str_trim(line).len &&
           !go_header_parse(line, &header))
        lines_next(lines);
}

/* Whether the goroutine whose header stands at the cursor is one of this
 * crash. Another dump may follow at once, or behind lines of others; the one
 * that net/http/pprof writes tells so itself. */
static bool is_ours(struct crash_reader *reader, const struct go_header *header)
{
    bool is_running = str_equal(header->state, STR("running"));
    struct str second = {0};

    if (reader->has_registers)
        return false;
    if (reader->in_repeats)
        return true;
    if (is_running && lines_peek_second(reader->lines, &second) &&
        str_starts(second, STR("runtime/pprof.writeGoroutineStacks(")))
        return false;
    if (!reader->follows_gap && (reader->n_blank || !reader->is_spaced))
        return true;
    if (is_known_id(reader, header->id))
        return false;
    return !is_running ||
           str_contains(second, STR("goroutine running on other thread"));
}

/* Several goroutines may panic before the process is gone: the second reason
 * follows the first one's stack, which stands alone, at once. */
static bool goes_on(struct crash_reader *reader)
{
    struct crash_text next;

    if (reader->n_blank || reader->follows_gap || reader->has_registers ||
        reader->text.kind == CRASH_SIGNAL ||
        snapshot_info(reader->snapshot)->total != reader->n_reasons ||
        !parse_reason(reader->lines, &next) || next.kind == CRASH_SIGNAL ||
        is_known_id(reader, next.first_id))
        return false;
    reader->n_reasons++;
    skip_lines(reader->lines, next.n_lines);
    reader->n_blank = 1;
    return true;
}

/* Notes that go test says that it sent the SIGQUIT: a part of the reason. */
static void note_killed(struct crash_reader *reader, struct str line)
{
    if (reader->is_killed || !reader->crash || !reader->crash->is_request ||
        !str_starts(line, STR("*** Test killed ")))
        return;
    reader->is_killed = true;
    buf_add_char(&reader->reason, '\n');
    buf_add(&reader->reason, str_head(line, CRASH_MESSAGE_MOST));
    buf_add_char(&reader->message, '\n');
    buf_add(&reader->message, str_head(line, CRASH_MESSAGE_MOST));
}

/* Passes the last lines of a process, as "FAIL\tpkg\t2.0s" and "FAIL". */
static void pass_last(struct crash_reader *reader)
{
    struct str line;

    while (lines_peek(reader->lines, &line) &&
           crash_line_kind(line) == CRASH_LINE_LAST) {
        note_killed(reader, line);
        lines_next(reader->lines);
    }
}

enum passed { PASSED, PASSED_END, PASSED_OTHER };

/* Passes a line that belongs to the crash and is no goroutine. */
static enum passed pass_line(struct crash_reader *reader, struct str line)
{
    switch (crash_line_kind(line)) {
    case CRASH_LINE_LAST:
        pass_last(reader);
        return PASSED_END;
    case CRASH_LINE_THREAD:
        reader->in_repeats = true;
        reader->has_registers = false;
        break;
    case CRASH_LINE_STACK:
        skip_stack(reader->lines);
        return PASSED;
    case CRASH_LINE_REGISTER:
        reader->has_registers = true;
        break;
    case CRASH_LINE_KNOWN:
        if (go_line_kind(line) == GO_LINE_STACK)
            return PASSED_OTHER;
        break;
    case CRASH_LINE_OTHER:
        /* The reason of another thread's dump, which is the same. */
        if (!reader->in_repeats || reader->has_registers ||
            !crash_may_begin(line))
            return PASSED_OTHER;
        break;
    }
    lines_next(reader->lines);
    return PASSED;
}

/* Passes a line of others. False when the crash is over before it. */
static bool pass_other(struct crash_reader *reader, unsigned *n_gap)
{
    struct lines *lines = reader->lines;
    struct str line;

    lines_peek(lines, &line);
    if (race_begins(lines, line)) {
        race_skip(reader->section);
        return true;
    }
    lines_peek(lines, &line);
    if (++*n_gap > GAP_MOST || section_another_begins(reader->section, line))
        return false;
    lines_peek(lines, &line);
    stack_reader_see_between(reader->stacks, line);
    section_see_zeros(reader->section, reader->snapshot, line);
    section_count_foreign(reader->section);
    reader->follows_gap = true;
    lines_next(lines);
    return true;
}

/* Moves to the next goroutine of the crash; false when there is none. */
static bool find_goroutine(struct crash_reader *reader)
{
    struct lines *lines = reader->lines;
    struct go_header header;
    struct str line;
    unsigned n_gap = 0;

    reader->n_blank = 0;
    reader->follows_gap = stack_reader_ends_in_gap(reader->stacks);
    for (;;) {
        uint64_t number = lines->number;

        stacks_skip_blank(lines);
        reader->n_blank += lines->number - number;
        if (!lines_peek(lines, &line))
            return false;
        if (go_header_parse(line, &header))
            return is_ours(reader, &header);
        if (!reader->in_repeats && crash_may_begin(line) && goes_on(reader))
            return true;
        lines_peek(lines, &line);
        switch (pass_line(reader, line)) {
        case PASSED_END:
            return false;
        case PASSED_OTHER:
            if (!pass_other(reader, &n_gap))
                return false;
            break;
        case PASSED:
            break;
        }
    }
}

void crash_say_repeats(struct section *section, uint64_t line, uint64_t n)
{
    diag_add(&section->snapshots->diags, DIAG_INFO, "crash-repeats",
             (struct place){section->lines->name, line, 0},
             "%llu stack%s of the crash, printed before with the same id%s, %s "
             "not counted again",
             (unsigned long long)n, n == 1 ? "" : "s", n == 1 ? "" : "s",
             n == 1 ? "was" : "were");
}

/* Settles whom a crash speaks of that may be of a test: of nobody, when SIGQUIT
 * came from elsewhere. Where no test is seen to run, a group is kept for rules
 * to match. */
static void settle_test(struct crash_reader *reader)
{
    struct crash *crash = reader->crash;

    if (reader->is_killed)
        put_reason(reader);
    if (crash->is_request)
        crash->n_groups = 0;
    if (crash->is_request || (crash_is_timeout(crash) && !reader->is_settled)) {
        crash->has_goroutine = false;
        crash->goroutine = 0;
    }
    if (crash_is_timeout(crash) && !crash->n_groups &&
        reader->first != SNAPSHOT_NO_GROUP)
        crash->groups[crash->n_groups++] = (uint32_t)reader->first;
}

/* What can be said once all goroutines were read. */
static void finish(struct crash_reader *reader)
{
    for (size_t i = 0; i < reader->n_held; i++)
        count_goroutine(reader, &reader->held[i]);
    if (reader->crash)
        settle_test(reader);
    stack_reader_mark_damaged(reader->stacks, reader->snapshot);
    if (reader->n_repeats)
        crash_say_repeats(reader->section, reader->line, reader->n_repeats);
}

static int read_crash(struct crash_reader *reader, struct cprof_error *err)
{
    int rc;

    if (!parse_reason(reader->lines, &reader->text))
        return 0;
    keep_reason(reader);
    reader->n_reasons = 1;
    skip_lines(reader->lines, reader->text.n_lines);
    rc = begin_snapshot(reader, err);
    if (rc == 0)
        section_see_zeros(reader->section, reader->snapshot,
                          buf_str(&reader->reason));
    reader->n_blank = 1;
    while (rc == 0) {
        rc = read_goroutine(reader, err);
        if (rc < 0 || !find_goroutine(reader))
            break;
        reader->is_spaced |= reader->n_blank > 0;
    }
    if (rc == 0)
        finish(reader);
    return rc;
}

static int read_section(struct section *section, struct cprof_error *err)
{
    struct budget *budget = &section->snapshots->budget;
    struct crash_reader *reader =
        budget_resize(budget, NULL, 0, sizeof(*reader));
    int rc;

    if (!reader)
        return error_memory(err, (struct place){section->lines->name, 0, 0},
                            "reading a crash");
    memset(reader, 0, sizeof(*reader));
    reader->section = section;
    reader->lines = section->lines;
    id_set_init(&reader->ids, budget, 0);
    rc = stack_reader_new(&reader->stacks, section, err);
    if (rc == 0)
        rc = read_crash(reader, err);
    /* What is put aside may be the reader's. */
    if (reader->snapshot)
        snapshot_settle(reader->snapshot);
    stack_reader_free(reader->stacks);
    id_set_done(&reader->ids);
    buf_done(&reader->reason);
    buf_done(&reader->message);
    buf_done(&reader->signal);
    budget_free(budget, reader, sizeof(*reader));
    return rc;
}

const struct format crash_format = {
    .name = "crash",
    .recognise = recognise,
    .read = read_section,
};
