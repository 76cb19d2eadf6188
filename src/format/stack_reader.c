/* The slow half of the stack reader goes line by line through what the quick
 * one (stack_quick.c) does not know, and teaches it. */
#include "format/crash_text.h"
#include "format/omission.h"
#include "format/race.h"
#include "format/size_limit.h"
#include "format/stack_state.h"

enum { FOREIGN_MOST = 64 }; /* lines of others in a row inside a goroutine */

/* STEP_STAY: what stood at the cursor was passed already. */
enum step { STEP_ON, STEP_STAY, STEP_END };

/* The frame of a call or creator and its place; remembered for next time. */
static frame_id learn(struct stack_reader *reader, struct str place_text,
                      const struct go_place *place)
{
    struct str text = buf_str(&reader->call);
    struct str name = text;
    uint32_t id = predict_find(&reader->predictor, text, place_text);
    uint64_t flushes = reader->predictor.n_flushes;
    frame_id frame;
    struct frame parts;

    if (id) {
        frame = predict_frame(&reader->predictor, id)->frame;
    } else {
        str_cut_prefix(&name, STR("created by "));
        parts = (struct frame){symbols_function_put(reader->symbols, name),
                               symbols_text_put(reader->symbols, place->file),
                               place->line};
        if (!parts.function || (place->file.len && !parts.file))
            return FRAME_NONE;
        id = predict_learn(&reader->predictor, text, place_text, parts, &frame);
    }
    if (reader->predictor.n_flushes != flushes)
        stack_forget(reader);
    if (!id)
        return frame;
    /* A hole is looked at wherever it stands: take_line tells of it. */
    if (!str_has_zeros(text) && !str_has_zeros(place_text))
        predict_follow(reader->ways, id);
    reader->ways = predict_frame(&reader->predictor, id)->next;
    return frame;
}

/* Ends the pending call at its place; place_text is empty when the place is
 * missing in the dump. */
static void end_pending(struct stack_reader *reader, struct str place_text,
                        const struct go_place *place)
{
    frame_id frame;

    if (reader->pending == PENDING_CALL && stack_is_full(reader)) {
        stack_skip_frame(reader);
    } else if (!reader->in_ancestors) {
        frame = learn(reader, place_text, place);
        if (!frame)
            reader->record.lost = true;
        if (reader->pending == PENDING_CREATOR) {
            stack_set_creator(reader, frame);
            reader->lost_creator = frame ? 0 : reader->record.line;
        } else {
            stack_add_frame(reader, frame, reader->call_args);
        }
    }
    reader->pending = PENDING_NONE;
}

static void set_pending(struct stack_reader *reader, enum pending pending,
                        struct str name)
{
    buf_clear(&reader->call);
    if (pending == PENDING_CREATOR)
        buf_add(&reader->call, STR("created by "));
    buf_add(&reader->call, name);
    reader->record.lost |= reader->call.failed;
    reader->pending = pending;
    reader->call_args = (struct str){NULL, 0};
    reader->is_inlined = false;
}

/* Whether a call can be a log line that ends in parentheses: Go's names have
 * no blanks, except in type arguments. */
static bool is_doubtful(struct str name)
{
    struct str word = str_head(name, str_find(name, '['));

    return str_find(word, ' ') < word.len;
}

static void count_foreign(struct stack_reader *reader)
{
    struct str line = {0};

    section_count_foreign(reader->section);
    if (!reader->n_foreign++) {
        lines_peek(reader->lines, &line);
        reader->foreign_at = lines_offset(reader->lines);
        reader->foreign_end = reader->foreign_at + line.len;
    }
}

/* A C function of a cgo symbolizer has no parentheses, and " pc=" in its
 * place (runtime/traceback.go: printOneCgoTraceback). Behind a call that waits
 * for its own place, that one comes next, and the line is one of others. */
static bool is_c_function(struct stack_reader *reader, struct str line)
{
    struct str second;
    struct go_place place;

    if (reader->pending || !line.len || str_find(line, ' ') < line.len ||
        !lines_peek_second(reader->lines, &second))
        return false;
    return str_starts(second, STR("\t")) && str_contains(second, STR(" pc=")) &&
           go_place_parse(second, &place);
}

/* What follows the last stack of a crash, also without a blank line. */
static bool ends_stacks(struct str line)
{
    switch (crash_line_kind(line)) {
    case CRASH_LINE_REGISTER:
    case CRASH_LINE_THREAD:
    case CRASH_LINE_LAST:
        return true;
    case CRASH_LINE_OTHER:
    case CRASH_LINE_KNOWN:
    case CRASH_LINE_STACK:
        break;
    }
    return false;
}

/* Whether a line that lacks its end may begin as a line does: either is the
 * head of the other. */
static bool may_begin_as(struct str line, struct str whole)
{
    return str_starts(line, whole) || str_starts(whole, line);
}

/* Whether the last line of an input, which lacks its end and is no whole line
 * of a stack, may be the head of one, so that the dump was cut there. Behind
 * its creator a goroutine has nothing but those that it descends from. What
 * stands before the arguments of a call has no blanks. */
static bool may_be_cut(const struct stack_reader *reader, struct str line)
{
    struct str name = str_head(line, str_find(line, '('));

    if (may_begin_as(line, STR("goroutine ")) ||
        may_begin_as(line, STR("[originating from goroutine ")))
        return true;
    if (reader->record.created_by && !reader->pending && !reader->in_ancestors)
        return false;
    name = str_head(name, str_find(name, '['));
    return chars_have("\t .", line.ptr[0]) || str_find(name, ' ') == name.len ||
           may_begin_as(line, STR("created by "));
}

/* Takes a line that says that others were left out. Whose frames follow is not
 * known, but behind dots that stand for the first ones of a goroutine. */
static enum step step_omission(struct stack_reader *reader, struct str line)
{
    bool stands_for_frames = !reader->record.n_frames && !reader->pending &&
                             omission_is_ellipsis(line);
    struct str name;
    struct str args;

    stack_add_elided(reader, ELIDED_SOME);
    reader->is_damaged = true;
    if (!stands_for_frames || !lines_peek_second(reader->lines, &line) ||
        !go_call_parse(line, &name, &args))
        return STEP_END;
    section_count_omissions(reader->section, 1, reader->lines->number);
    return STEP_ON;
}

/* A line that is no part of a stack: of others, or of another dump. */
static enum step step_over(struct stack_reader *reader, struct str line)
{
    if (is_c_function(reader, line)) {
        lines_peek(reader->lines, &line);
        set_pending(reader, PENDING_CALL, line);
        return STEP_ON;
    }
    lines_peek(reader->lines, &line);
    if (race_begins(reader->lines, line)) {
        race_skip(reader->section);
        return STEP_STAY;
    }
    lines_peek(reader->lines, &line);
    if (ends_stacks(line) || reader->n_foreign >= FOREIGN_MOST ||
        section_another_begins(reader->section, line))
        return STEP_END;
    lines_peek(reader->lines, &line);
    if (omission_looks_like(line))
        return step_omission(reader, line);
    reader->ends_cut =
        !lines_has_end(reader->lines) && may_be_cut(reader, line);
    /* The last line may be the head of "created by": all frames were there. */
    if (reader->ends_cut && line.len > 2 && reader->record.n_frames &&
        str_starts(STR("created by "), line)) {
        reader->pending = PENDING_CREATOR;
    } else if (!reader->ends_cut) {
        count_foreign(reader);
        reader->is_damaged |= go_debris_is_likely(line);
    }
    return STEP_ON;
}

/* Counts the pending call, whose place never came: it was lost, or the call
 * was a line of others. */
static void drop_pending(struct stack_reader *reader)
{
    if (!reader->pending)
        return;
    count_foreign(reader);
    if (reader->pending == PENDING_CREATOR ||
        !is_doubtful(buf_str(&reader->call)))
        reader->is_damaged = true;
}

/* What shows a dump may indent all but the headers. */
static enum step take_call(struct stack_reader *reader, struct str line)
{
    struct str text = str_trim(line);
    struct str name;
    struct str args;
    uint64_t creator;

    if (go_creator_parse(text, &name, &creator)) {
        drop_pending(reader);
        set_pending(reader, PENDING_CREATOR, name);
        return STEP_ON;
    }
    if (!go_call_parse(text, &name, &args) ||
        (reader->pending && is_doubtful(name)))
        return step_over(reader, line);
    drop_pending(reader);
    set_pending(reader, PENDING_CALL, name);
    reader->call_args = args;
    reader->is_inlined = str_equal(args, STR("..."));
    return STEP_ON;
}

/* Takes one line of a stack that was not predicted. */
static enum step take_line(struct stack_reader *reader, struct str line)
{
    struct go_place place;
    uint32_t elided;

    /* As a hole in a file has. */
    reader->is_damaged |= str_has_zeros(line);
    if (reader->pending && go_place_parse(line, &place)) {
        reader->ends_cut = !lines_has_end(reader->lines) && !place.has_offset;
        if (reader->ends_cut)
            return STEP_ON;
        reader->n_foreign = 0;
        if (!reader->in_ancestors)
            stack_see_place(reader, reader->is_inlined,
                            str_skip(line, place.length));
        end_pending(reader, str_head(line, place.length), &place);
        return STEP_ON;
    }
    if (go_elided_parse(str_trim(line), &elided)) {
        if (!reader->in_ancestors)
            stack_add_elided(reader, elided);
        return STEP_ON;
    }
    if (str_starts(str_trim(line), STR("[originating from goroutine "))) {
        reader->in_ancestors = true;
        return STEP_ON;
    }
    if (str_starts(str_trim(line), STR("goroutine running on other thread"))) {
        reader->is_unavailable = true;
        return STEP_ON;
    }
    /* A panic text may end in parentheses, as calls do. */
    if (crash_may_begin(line))
        return step_over(reader, line);
    return take_call(reader, line);
}

/* Whether the goroutine ends before the line: a blank one, or a header. */
static bool ends_before(struct str line)
{
    struct go_header header;

    return !str_trim(line).len || go_header_parse(line, &header);
}

/* Reads the lines of a goroutine behind its header. */
static void read_frames(struct stack_reader *reader)
{
    struct lines *lines = reader->lines;
    struct str line;

    for (;;) {
        if (lines->at < lines->end && *lines->at == '\n')
            return;
        if (stack_take_predicted(reader))
            continue;
        if (!lines_peek(lines, &line) || ends_before(line))
            return;
        switch (take_line(reader, line)) {
        case STEP_END:
            return;
        case STEP_ON:
            lines_next(lines);
            break;
        case STEP_STAY:
            break;
        }
    }
}

/* Whether nothing follows; the indentation of a cut line is nothing. */
static bool is_at_end(struct lines *lines)
{
    struct str line;

    return !lines_peek(lines, &line) ||
           (!str_trim(line).len && !lines_has_end(lines));
}

static void say_cut(struct stack_reader *reader, struct snapshot *snapshot)
{
    if (size_limit_is_at_end(reader->section, snapshot) ||
        size_limit_is_at(reader->foreign_at, snapshot) ||
        size_limit_is_at(reader->foreign_end, snapshot)) {
        size_limit_say(reader->section, snapshot);
        return;
    }
    snapshot_info(snapshot)->complete = false;
    diag_add(&reader->section->snapshots->diags, DIAG_WARNING, "cut-tail",
             (struct place){reader->lines->name, reader->record.line, 0},
             "the dump ends inside goroutine %llu: its stack is cut and what "
             "came after it is missing",
             (unsigned long long)reader->record.id);
}

static void say_cut_header(const struct stack_reader *reader)
{
    diag_add(&reader->section->snapshots->diags, DIAG_WARNING, "cut-tail",
             (struct place){reader->lines->name, reader->lines->number, 0},
             "the dump ends inside the header of a goroutine: what came after "
             "it is missing");
}

const struct record *stack_reader_next(struct stack_reader *reader)
{
    struct lines *lines = reader->lines;
    struct go_header header;
    struct str line;
    enum taken taken = stack_take_familiar(reader);

    if (taken == TAKEN_NOTHING) {
        lines_fill(lines, LINES_WINDOW);
        if (!lines_peek(lines, &line) || !go_header_parse(line, &header))
            return NULL;
        stack_begin(reader, &header);
        reader->ends_cut = !lines_has_end(lines);
        lines_next(lines);
        reader->text.ptr = lines->at;
        taken = stack_take_familiar_frames(reader);
    }
    if (taken != TAKEN_WHOLE)
        read_frames(reader);
    if (lines->n_moves == reader->moves)
        reader->text.len = (size_t)(lines->at - reader->text.ptr);
    return &reader->record;
}

/* Whether a goroutine without a creator should have it: others of the dump do,
 * and it is not that its own did not fit the memory. The main goroutine has
 * none, nor has that of finalizers, which is never the last of a dump
 * (runtime/traceback.go). */
static bool lacks_creator(const struct stack_reader *reader)
{
    const struct record *record = &reader->record;

    if (record->created_by || reader->lost_creator == record->line)
        return false;
    if (!record->n_frames)
        return !reader->is_unavailable;
    return record->id > 1 && reader->prints_creators;
}

static void add_damaged(struct stack_reader *reader, uint64_t id, uint64_t line)
{
    reader->has_damaged = true;
    section_count_damaged(reader->section, 1, id, line);
}

/* Counts a goroutine that lacks frames, other than by the end of the dump: what
 * is left of some, or another's, stood among its lines, or these ended in
 * lines of a log although others of the dump have a creator. An empty stack
 * alone is none: Go 1.1 prints them for system calls, and the scheduler of a
 * thread, id 0, may have one. */
static void count_damaged(struct stack_reader *reader)
{
    const struct record *record = &reader->record;
    bool ends_in_gap = reader->n_foreign > 0 && lacks_creator(reader) &&
                       !is_at_end(reader->lines);

    if (!reader->is_damaged && !(ends_in_gap && record->id))
        return;
    add_damaged(reader, record->id, record->line);
    reader->text.len = 0; /* so that the next one like it is counted, too */
}

const struct record *stack_reader_next_headless(struct stack_reader *reader)
{
    struct go_header header = {.state = STR("running")};
    struct lines *lines = reader->lines;

    lines_fill(lines, LINES_WINDOW);
    stack_begin(reader, &header);
    reader->record.has_id = false;
    reader->record.state_source = STATE_FROM_FRAMES;
    reader->text.ptr = lines->at;
    read_frames(reader);
    if (lines->n_moves == reader->moves)
        reader->text.len = (size_t)(lines->at - reader->text.ptr);
    return &reader->record;
}

/* Whether a stack is the function that a goroutine begins with, and nothing
 * else: one that was preempted as it entered a function stands at an entry as
 * well, below others. */
static bool is_first_call(const struct stack_reader *reader)
{
    const struct record *record = &reader->record;

    return record->n_frames == 1 ||
           (record->n_frames == 2 &&
            str_equal(symbols_function(reader->symbols, record->frames[1]),
                      STR("runtime.goexit")));
}

void stack_reader_settle(struct stack_reader *reader, struct snapshot *snapshot)
{
    struct record *record = &reader->record;
    bool has_args;
    bool is_cut;

    has_args = reader->lines->n_moves == reader->moves;
    record->args = has_args && !reader->arg_map ? reader->args : NULL;
    record->arg_map = has_args ? reader->arg_map : NULL;
    record->args_text = reader->text.ptr;
    record->args_end = reader->lines->end;
    record->is_plain = reader->is_plain && !lacks_creator(reader);
    if (record->is_plain)
        return;
    reader->is_plain = false;
    is_cut = reader->pending || reader->ends_cut || lacks_creator(reader);

    if (is_cut && is_at_end(reader->lines)) {
        if (reader->pending != PENDING_CREATOR)
            record->elided = ELIDED_SOME;
        say_cut(reader, snapshot);
    } else if (reader->pending == PENDING_CALL &&
               is_doubtful(buf_str(&reader->call))) {
        count_foreign(reader);
    } else if (reader->pending) {
        end_pending(reader, STR(""), &(struct go_place){0});
        reader->is_damaged = true;
    }
    count_damaged(reader);
    if (reader->entry == ENTRY_FRESH && !is_first_call(reader))
        reader->entry = ENTRY_BEGUN;
    if (reader->entry == ENTRY_FRESH && record->state == STATE_RUNNABLE)
        record->state = STATE_NOT_STARTED;
    stack_learn(reader);
    if (reader->lines->n_moves != reader->moves)
        record->args = NULL;
}

void stack_reader_follow(struct stack_reader *reader,
                         const struct stack_reader *before)
{
    reader->prints_creators |= before->prints_creators;
}

bool stack_reader_is_unavailable(const struct stack_reader *reader)
{
    return reader->is_unavailable;
}

void stack_reader_see_between(struct stack_reader *reader, struct str line)
{
    uint64_t id;

    bool has_end = lines_has_end(reader->lines);

    if (go_header_is_broken(line, &id) && has_end)
        add_damaged(reader, id, reader->lines->number);
    reader->ends_in_header = !has_end && go_header_may_be_cut(line);
    if (go_line_kind(line) == GO_LINE_STACK) {
        section_count_stray(reader->section, reader->lines->number);
        reader->has_damaged = true;
    }
    if (omission_looks_like(line)) {
        section_count_omissions(reader->section, 1, reader->lines->number);
        reader->has_damaged = true;
    }
}

void stack_reader_mark_damaged(struct stack_reader *reader,
                               struct snapshot *snapshot)
{
    if (reader->ends_in_header && snapshot_info(snapshot)->complete)
        say_cut_header(reader);
    reader->has_damaged |= reader->ends_in_header;
    if (reader->has_damaged)
        snapshot_info(snapshot)->complete = false;
    reader->has_damaged = false;
}

bool stack_reader_ends_in_gap(const struct stack_reader *reader)
{
    return reader->n_foreign > 0;
}

int stack_reader_new(struct stack_reader **ret, struct section *section,
                     struct cprof_error *err)
{
    struct stack_reader *reader =
        budget_resize(&section->snapshots->budget, NULL, 0, sizeof(*reader));

    if (!reader)
        return error_memory(err, (struct place){section->lines->name, 0, 0},
                            "reading stacks");
    memset(reader, 0, sizeof(*reader));
    reader->section = section;
    reader->lines = section->lines;
    reader->symbols = section->snapshots->symbols;
    predict_init(&reader->predictor, reader->symbols);
    familiars_init(&reader->familiars, &reader->predictor);
    reader->tails = header_tails_new(symbols_budget(reader->symbols));
    *ret = reader;
    return 0;
}

void stack_reader_free(struct stack_reader *reader)
{
    if (!reader)
        return;
    familiars_done(&reader->familiars);
    header_tails_free(reader->tails);
    predict_done(&reader->predictor);
    buf_done(&reader->call);
    buf_done(&reader->scratch);
    budget_free(&reader->section->snapshots->budget, reader, sizeof(*reader));
}

void stacks_skip_more(struct lines *lines)
{
    struct str line;

    while (lines_peek(lines, &line) && !str_trim(line).len)
        lines_next(lines);
}
