/* The quick path compares the bytes at the cursor with the frame that
 * followed last time (predict.h). What it does not know goes line by line
 * through the slow path, which teaches it. */
#include "format/stack_reader.h"

#include "format/crash_text.h"
#include "format/go_text.h"
#include "format/predict.h"
#include "format/race.h"
#include "format/size_limit.h"

enum {
    FRAMES_MOST = 1024, /* kept a stack; the rest is counted as elided */
    LABELS_MOST = 64,   /* read a goroutine */
    MEMOS = 8,          /* states remembered with what follows them */
    FOREIGN_MOST = 64,  /* lines of others in a row inside a goroutine */
};

/* A state seen lately, and the leaf frames that followed its headers. */
struct state_memo {
    struct str word; /* in the predictor's arena or state.c */
    state_id state;
    uint32_t next[PREDICT_WAYS];
};

enum pending { PENDING_NONE, PENDING_CALL, PENDING_CREATOR };

struct stack_reader {
    struct section *section;
    struct lines *lines;
    struct symbols *symbols;
    struct predictor predictor;
    struct state_memo memos[MEMOS];
    unsigned next_memo;

    /* The goroutine that is being read. */
    struct record record;
    uint32_t *ways; /* predictions for the next frame */
    uint64_t moves; /* lines->n_moves when it began */
    enum pending pending;
    struct buf call; /* "main.f" or "created by main.f" */
    struct str call_args;
    bool prints_creators; /* some goroutine before said who created it */
    bool in_ancestors;
    bool is_unavailable; /* "stack unavailable" instead of frames */
    bool ends_cut;       /* its last line lacks an end and says too little */
    unsigned n_foreign;  /* lines of others in a row */
    uint64_t foreign_at; /* offset of the first of them, and its end */
    uint64_t foreign_end;

    struct buf scratch;
    struct label labels[LABELS_MOST];
    frame_id frames[FRAMES_MOST];
    struct str args[FRAMES_MOST];
};

/* STEP_STAY: what stood at the cursor was passed already. */
enum step { STEP_ON, STEP_STAY, STEP_END };

/* Predictions from before a flush of the predictor are void. */
static void forget_ways(struct stack_reader *reader)
{
    for (unsigned i = 0; i < MEMOS; i++)
        memset(reader->memos[i].next, 0, sizeof(reader->memos[i].next));
    reader->ways = reader->memos[0].next;
}

static struct state_memo *find_memo(struct stack_reader *reader,
                                    struct str word)
{
    struct state_memo *memo;
    state_id state;

    for (unsigned i = 0; i < MEMOS; i++) {
        if (str_equal(reader->memos[i].word, word))
            return &reader->memos[i];
    }
    state = symbols_state_put(reader->symbols, word);
    memo = &reader->memos[reader->next_memo++ % MEMOS];
    *memo =
        (struct state_memo){symbols_state(reader->symbols, state), state, {0}};
    return memo;
}

static void begin_goroutine(struct stack_reader *reader,
                            const struct go_header *header)
{
    struct state_memo *memo = find_memo(reader, header->state);

    reader->record = (struct record){
        .count = 1,
        .frames = reader->frames,
        .state = memo->state,
        .state_source = STATE_FROM_HEADER,
        .hidden = {.count = -1},
        .has_id = true,
        .id = header->id,
        .has_wait = header->has_wait,
        .wait_min = header->minutes,
        .leaked = header->leaked,
        .locked = header->locked,
        .labels = reader->labels,
        .line = reader->lines->number,
    };
    if (header->labels.len)
        reader->record.n_labels = go_labels_parse(
            header->labels, &reader->scratch, reader->labels, LABELS_MOST);
    reader->ways = memo->next;
    reader->moves = reader->lines->n_moves;
    reader->pending = PENDING_NONE;
    reader->in_ancestors = false;
    reader->is_unavailable = false;
    reader->ends_cut = false;
    reader->n_foreign = 0;
}

static void set_creator(struct stack_reader *reader, frame_id creator)
{
    reader->record.created_by = creator;
    reader->prints_creators = true;
}

static void add_elided(struct record *record, uint32_t n)
{
    if (n == ELIDED_SOME || record->elided > ELIDED_SOME - 1 - n)
        record->elided = ELIDED_SOME;
    else
        record->elided += n;
}

static bool is_full(const struct stack_reader *reader)
{
    return reader->record.n_frames == FRAMES_MOST;
}

/* Counts a frame that is not kept, and says so once for a stack. */
static void skip_frame(struct stack_reader *reader)
{
    if (!reader->record.elided)
        diag_add(&reader->section->snapshots->diags, DIAG_WARNING, "deep-stack",
                 (struct place){reader->lines->name, reader->record.line, 0},
                 "the stack of goroutine %llu has more than %d frames: the "
                 "outer ones are only counted",
                 (unsigned long long)reader->record.id, FRAMES_MOST);
    add_elided(&reader->record, 1);
}

static void add_frame(struct stack_reader *reader, frame_id frame,
                      struct str args)
{
    struct record *record = &reader->record;

    if (is_full(reader)) {
        skip_frame(reader);
        return;
    }
    reader->frames[record->n_frames] = frame;
    reader->args[record->n_frames] = args;
    record->n_frames++;
}

static bool is_creator(const struct known_frame *known)
{
    return str_starts(known->name, STR("created by "));
}

static bool has_byte(struct str text, char c)
{
    return text.len && memchr(text.ptr, c, text.len);
}

/* What may stand behind a known name, or behind its place, so that the slow
 * path would read the line the same way: the quick one must never see another
 * frame than the slow one. */
static bool ends_call(const struct known_frame *known, struct str rest)
{
    struct str inner;

    if (is_creator(known))
        return !rest.len || str_starts(rest, STR(" in goroutine "));
    if (rest.len < 2 || rest.ptr[0] != '(' || rest.ptr[rest.len - 1] != ')')
        return false;
    inner = (struct str){rest.ptr + 1, rest.len - 2};
    return !has_byte(inner, '(') && !has_byte(inner, ')');
}

static bool ends_place(struct str rest)
{
    return !rest.len || (str_starts(rest, STR(" +0x")) && !has_byte(rest, ':'));
}

/* What follows expected on the line at text, when the line begins so and ends
 * in the buffer; *ret_next is then where the next line begins. */
static bool match_line(const char *text, const char *end, struct str expected,
                       struct str *ret_rest, const char **ret_next)
{
    const char *rest = text + expected.len;
    const char *line_end;

    if ((size_t)(end - text) <= expected.len ||
        memcmp(text, expected.ptr, expected.len) != 0)
        return false;
    line_end = memchr(rest, '\n', (size_t)(end - rest));
    if (!line_end)
        return false;
    *ret_next = line_end + 1;
    if (line_end > rest && line_end[-1] == '\r')
        line_end--;
    *ret_rest = (struct str){rest, (size_t)(line_end - rest)};
    return true;
}

/* Takes the two lines at the cursor if they are the known frame. */
static bool take_known(struct stack_reader *reader,
                       const struct known_frame *known)
{
    struct lines *lines = reader->lines;
    const char *next = lines->at;
    struct str call;
    struct str place;

    if (!known->place.len ||
        !match_line(next, lines->end, known->name, &call, &next) ||
        !match_line(next, lines->end, known->place, &place, &next) ||
        !ends_call(known, call) || !ends_place(place))
        return false;
    if (is_creator(known))
        set_creator(reader, known->frame);
    else
        add_frame(reader, known->frame,
                  (struct str){call.ptr + 1, call.len - 2});
    lines->at = next;
    lines->number += 2;
    reader->n_foreign = 0;
    return true;
}

/* Takes the next frame if it is one of those that followed before. */
static bool take_predicted(struct stack_reader *reader)
{
    uint32_t *ways = reader->ways;

    if (reader->pending || reader->in_ancestors)
        return false;
    for (unsigned i = 0; i < PREDICT_WAYS; i++) {
        uint32_t id = ways[i];
        struct known_frame *known;

        if (!id)
            return false;
        known = predict_frame(&reader->predictor, id);
        if (!take_known(reader, known))
            continue;
        if (i > 0)
            predict_follow(ways, id);
        reader->ways = known->next;
        return true;
    }
    return false;
}

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
        forget_ways(reader);
    if (id) {
        predict_follow(reader->ways, id);
        reader->ways = predict_frame(&reader->predictor, id)->next;
    }
    return frame;
}

/* Ends the pending call at its place; place_text is empty when the place is
 * missing in the dump. */
static void end_pending(struct stack_reader *reader, struct str place_text,
                        const struct go_place *place)
{
    frame_id frame;

    if (reader->pending == PENDING_CALL && is_full(reader)) {
        skip_frame(reader);
    } else if (!reader->in_ancestors) {
        frame = learn(reader, place_text, place);
        if (!frame)
            reader->record.lost = true;
        if (reader->pending == PENDING_CREATOR)
            set_creator(reader, frame);
        else
            add_frame(reader, frame, reader->call_args);
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
    reader->pending = pending;
    reader->call_args = (struct str){NULL, 0};
}

/* Whether a call can be a log line that ends in parentheses: Go's names have
 * no blanks, except in type arguments. */
static bool is_doubtful(struct str name)
{
    return has_byte(str_head(name, str_find(name, '[')), ' ');
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
 * place (runtime/traceback.go: printOneCgoTraceback). */
static bool is_c_function(struct stack_reader *reader, struct str line)
{
    struct str second;
    struct go_place place;

    if (!line.len || str_find(line, ' ') < line.len ||
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
    if (ends_stacks(line) || format_recognise(reader->lines, line) ||
        reader->n_foreign >= FOREIGN_MOST)
        return STEP_END;
    lines_peek(reader->lines, &line);
    reader->ends_cut = !lines_has_end(reader->lines);
    /* The last line may be the head of "created by": all frames were there. */
    if (reader->ends_cut && line.len > 2 && reader->record.n_frames &&
        str_starts(STR("created by "), line))
        reader->pending = PENDING_CREATOR;
    else if (!reader->ends_cut)
        count_foreign(reader);
    return STEP_ON;
}

static enum step take_call(struct stack_reader *reader, struct str line)
{
    struct str name;
    struct str args;
    uint64_t creator;

    if (go_creator_parse(line, &name, &creator)) {
        if (reader->pending)
            count_foreign(reader);
        set_pending(reader, PENDING_CREATOR, name);
        return STEP_ON;
    }
    if (!go_call_parse(line, &name, &args) ||
        (reader->pending && is_doubtful(name)))
        return step_over(reader, line);
    if (reader->pending)
        count_foreign(reader);
    set_pending(reader, PENDING_CALL, name);
    reader->call_args = args;
    return STEP_ON;
}

/* Takes one line of a stack that was not predicted. */
static enum step take_line(struct stack_reader *reader, struct str line)
{
    struct go_place place;
    uint32_t elided;

    if (reader->pending && go_place_parse(line, &place)) {
        reader->ends_cut = !lines_has_end(reader->lines) && !place.has_offset;
        if (reader->ends_cut)
            return STEP_ON;
        reader->n_foreign = 0;
        end_pending(reader, str_head(line, place.length), &place);
        return STEP_ON;
    }
    if (go_elided_parse(line, &elided)) {
        if (!reader->in_ancestors)
            add_elided(&reader->record, elided);
        return STEP_ON;
    }
    if (str_starts(line, STR("[originating from goroutine "))) {
        reader->in_ancestors = true;
        return STEP_ON;
    }
    if (str_starts(line, STR("\tgoroutine running on other thread"))) {
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
        if (take_predicted(reader))
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

const struct record *stack_reader_next(struct stack_reader *reader)
{
    struct go_header header;
    struct str line;

    lines_fill(reader->lines, LINES_WINDOW);
    if (!lines_peek(reader->lines, &line) || !go_header_parse(line, &header))
        return NULL;
    begin_goroutine(reader, &header);
    reader->ends_cut = !lines_has_end(reader->lines);
    lines_next(reader->lines);
    read_frames(reader);
    return &reader->record;
}

/* Whether a goroutine without "created by" should have it: others of the dump
 * do. The main goroutine has none, nor has that of finalizers, which is never
 * the last of a dump (runtime/traceback.go). */
static bool lacks_creator(const struct stack_reader *reader)
{
    if (!reader->record.n_frames)
        return !reader->is_unavailable;
    return reader->record.id > 1 && reader->prints_creators;
}

void stack_reader_settle(struct stack_reader *reader, struct snapshot *snapshot)
{
    struct record *record = &reader->record;
    bool is_cut = reader->pending || reader->ends_cut ||
                  (!record->created_by && lacks_creator(reader));

    if (is_cut && is_at_end(reader->lines)) {
        if (reader->pending != PENDING_CREATOR)
            record->elided = ELIDED_SOME;
        say_cut(reader, snapshot);
    } else if (reader->pending == PENDING_CALL &&
               is_doubtful(buf_str(&reader->call))) {
        count_foreign(reader);
    } else if (reader->pending) {
        end_pending(reader, STR(""), &(struct go_place){0});
    }
    record->args =
        reader->lines->n_moves == reader->moves ? reader->args : NULL;
}

bool stack_reader_is_unavailable(const struct stack_reader *reader)
{
    return reader->is_unavailable;
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
    *ret = reader;
    return 0;
}

void stack_reader_free(struct stack_reader *reader)
{
    if (!reader)
        return;
    predict_done(&reader->predictor);
    buf_done(&reader->call);
    buf_done(&reader->scratch);
    budget_free(&reader->section->snapshots->budget, reader, sizeof(*reader));
}

void stacks_skip_blank(struct lines *lines)
{
    struct str line;

    while (lines_peek(lines, &line) && !str_trim(line).len)
        lines_next(lines);
}
