/* The quick half of the stack reader: what was seen before is recognised by
 * comparing bytes, whole goroutines first (familiar.h), then frame by frame
 * (predict.h). Headers are read by stack_header.c. */
#include "format/stack_state.h"

/* --- The goroutine at hand ------------------------------------------------ */

void stack_set_creator(struct stack_reader *reader, frame_id creator)
{
    reader->record.created_by = creator;
    reader->prints_creators = true;
}

void stack_add_elided(struct stack_reader *reader, uint32_t n)
{
    struct record *record = &reader->record;

    if (n == ELIDED_SOME || record->elided > ELIDED_SOME - 1 - n)
        record->elided = ELIDED_SOME;
    else
        record->elided += n;
}

bool stack_is_full(const struct stack_reader *reader)
{
    return reader->record.n_frames == FRAMES_MOST;
}

void stack_skip_frame(struct stack_reader *reader)
{
    if (!reader->record.elided)
        diag_add(&reader->section->snapshots->diags, DIAG_WARNING, "deep-stack",
                 (struct place){reader->lines->name, reader->record.line, 0},
                 "the stack of goroutine %llu has more than %d frames: the "
                 "outer ones are only counted",
                 (unsigned long long)reader->record.id, FRAMES_MOST);
    stack_add_elided(reader, 1);
}

void stack_add_frame(struct stack_reader *reader, frame_id frame,
                     struct str args)
{
    struct record *record = &reader->record;

    /* Of another goroutine, whose header was lost. */
    if (record->created_by)
        reader->is_damaged = true;
    if (stack_is_full(reader)) {
        stack_skip_frame(reader);
        return;
    }
    reader->frames[record->n_frames] = frame;
    reader->args[record->n_frames] = args;
    record->n_frames++;
}

void stack_see_place(struct stack_reader *reader, bool is_inlined,
                     struct str rest)
{
    bool has_offset = str_starts(rest, STR(" +0x"));

    if (reader->entry == ENTRY_OPEN && !is_inlined)
        reader->entry = has_offset ? ENTRY_BEGUN : ENTRY_BARE;
    else if (reader->entry == ENTRY_BARE && has_offset)
        reader->entry = ENTRY_FRESH;
}

/* Predictions from before a flush of the predictor are void. */
void stack_forget(struct stack_reader *reader)
{
    for (unsigned i = 0; i < MEMOS; i++)
        memset(reader->memos[i].next, 0, sizeof(reader->memos[i].next));
    reader->ways = reader->memos[0].next;
    familiars_flush(&reader->familiars);
}

/* Gives a goroutine the labels of a set; NULL = none. */
static void set_labels(struct record *record, const struct label_set *set)
{
    record->set = set;
    record->labels = set ? set->labels : NULL;
    record->n_labels = set ? set->n : 0;
}

/* Begins a goroutine like the one before, which was plain as well: only what
 * differs is set. */
static void begin_alike(struct stack_reader *reader,
                        const struct go_header *header, struct state_memo *memo,
                        const struct label_set *set)
{
    struct record *record = &reader->record;

    record->state = memo->state;
    record->id = header->id;
    record->has_wait = header->has_wait;
    record->wait_min = header->minutes;
    record->created_by = FRAME_NONE;
    record->line = reader->lines->number;
    set_labels(record, set);
    reader->ways = memo->next;
    reader->moves = reader->lines->n_moves;
}

/* Parses the labels of the goroutine at hand. */
static void read_labels(struct stack_reader *reader, struct str labels)
{
    struct record *record = &reader->record;

    record->labels = reader->labels;
    record->n_labels =
        go_labels_parse(labels, &reader->scratch, reader->labels, LABELS_MOST);
    if (record->n_labels == LABELS_MOST)
        section_say_labels(reader->section, record->line, LABELS_MOST);
}

/* Begins a goroutine whose state is that of the memo. Its labels are those of a
 * set, unless that is NULL. */
static void begin(struct stack_reader *reader, const struct go_header *header,
                  struct state_memo *memo, const struct label_set *set)
{
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
        .line = reader->lines->number,
    };
    if (set)
        set_labels(&reader->record, set);
    else if (header->labels.len)
        read_labels(reader, header->labels);
    reader->ways = memo->next;
    reader->moves = reader->lines->n_moves;
    reader->entry = ENTRY_OPEN;
    reader->pending = PENDING_NONE;
    reader->in_ancestors = false;
    reader->is_unavailable = false;
    reader->ends_cut = false;
    reader->is_damaged = false;
    reader->is_familiar = false;
    reader->arg_map = NULL;
    reader->is_plain = false;
    reader->n_familiar = 0;
    reader->n_foreign = 0;
}

void stack_begin(struct stack_reader *reader, const struct go_header *header)
{
    begin(reader, header, stack_find_memo(reader, header->state), NULL);
}

/* --- Whole goroutines ----------------------------------------------------- */

/* How many lines the first n pieces of a familiar goroutine are. */
static uint64_t count_lines(const struct familiar *found, unsigned n)
{
    return 2 * (uint64_t)n + (familiar_elided(found, n) > 0);
}

/* Takes all frames of a familiar goroutine. */
static enum taken take_whole(struct stack_reader *reader,
                             const struct familiar_match *match)
{
    struct familiar *found = match->found;
    struct record *record = &reader->record;

    familiars_take(&reader->familiars, found);
    reader->lines->at = match->at;
    reader->lines->number += count_lines(found, found->n_pieces);
    reader->n_familiar = found->n_pieces;
    reader->is_familiar = true;
    record->frames = found->frames;
    record->n_frames = found->n_frames;
    record->elided = found->elided;
    record->stack = found->stack;
    record->note = &found->note;
    reader->arg_map = match->fills_mould ? &found->mould.args : NULL;
    if (found->n_pieces > found->n_frames)
        stack_set_creator(reader, found->frames[found->n_frames]);
    return TAKEN_WHOLE;
}

/* Takes the first frames of a familiar goroutine. */
static enum taken take_part(struct stack_reader *reader,
                            const struct familiar_match *match)
{
    const struct familiar *found = match->found;
    unsigned n = match->n_pieces;
    unsigned n_frames = n < found->n_frames ? n : found->n_frames;
    uint32_t known = found->pieces[n - 1].known;

    reader->lines->at = match->at;
    reader->lines->number += count_lines(found, n);
    reader->n_familiar = n;
    reader->record.n_frames = n_frames;
    reader->record.elided = familiar_elided(found, n);
    if (n > n_frames)
        stack_set_creator(reader, found->frames[n_frames]);
    memcpy(reader->frames, found->frames, n_frames * sizeof(frame_id));
    for (unsigned i = 0; i < n_frames && reader->entry == ENTRY_OPEN; i++) {
        if (match->args[i].ptr)
            reader->entry = found->is_bare ? ENTRY_BARE : ENTRY_BEGUN;
    }
    if (known)
        reader->ways = predict_frame(&reader->predictor, known)->next;
    return TAKEN_PART;
}

enum taken stack_take_familiar_frames(struct stack_reader *reader)
{
    struct familiar_match match = {.at = reader->lines->at,
                                   .end = reader->lines->end,
                                   .args = reader->args};

    if (reader->familiars.match(&reader->familiars, &match))
        return take_whole(reader, &match);
    return match.n_pieces ? take_part(reader, &match) : TAKEN_NOTHING;
}

/* Remembers an end that had to be parsed. */
static void note_tail(struct stack_reader *reader,
                      const struct quick_header *header)
{
    const struct record *record = &reader->record;

    if (header->tail.len && !header->set && record->n_labels < LABELS_MOST)
        header_tails_note(reader->tails, header->tail, header->parts.locked,
                          record->labels, record->n_labels);
}

enum taken stack_take_familiar(struct stack_reader *reader)
{
    struct lines *lines = reader->lines;
    struct familiar_match match = {.end = lines->end, .args = reader->args};
    struct quick_header header;
    bool is_whole;

    if (!stack_read_header(reader, &header))
        return TAKEN_NOTHING;
    match.at = header.text;
    is_whole = reader->familiars.match(&reader->familiars, &match);
    /* Near the end of what is in memory, more may be. */
    if (!match.n_pieces || (!is_whole && !lines->at_end &&
                            lines->end - header.text < LINES_WINDOW))
        return TAKEN_NOTHING;
    if (is_whole && header.is_plain && reader->is_plain) {
        begin_alike(reader, &header.parts, header.memo, header.set);
    } else {
        begin(reader, &header.parts, header.memo, header.set);
        reader->is_plain = is_whole && header.is_plain;
        note_tail(reader, &header);
    }
    lines->number++;
    reader->text.ptr = header.text;
    if (match.wants_mould)
        familiars_mould(&reader->familiars, &match, header.text);
    return is_whole ? take_whole(reader, &match) : take_part(reader, &match);
}

void stack_learn(struct stack_reader *reader)
{
    struct record *record = &reader->record;
    size_t n_stacks = symbols_n_stacks(reader->symbols);

    if (reader->is_familiar || record->lost)
        return;
    record->stack = symbols_stack_put(reader->symbols, record->frames,
                                      record->n_frames, record->elided);
    /* What is familiar has the state of its header. */
    if (record->stack == STACK_OTHER || !reader->text.len ||
        reader->entry == ENTRY_FRESH ||
        reader->lines->n_moves != reader->moves ||
        symbols_n_stacks(reader->symbols) != n_stacks)
        return;
    familiars_learn(
        &reader->familiars,
        &(struct familiar_facts){.text = reader->text,
                                 .stack = record->stack,
                                 .frames = record->frames,
                                 .n_frames = record->n_frames,
                                 .elided = record->elided,
                                 .creator = record->created_by,
                                 .n_known = reader->n_familiar,
                                 .is_bare = reader->entry == ENTRY_BARE});
}

/* --- Single frames -------------------------------------------------------- */

static bool is_creator(const struct known_frame *known)
{
    return str_starts(known->name, STR("created by "));
}

static bool has_byte(struct str text, char c)
{
    return str_find(text, c) < text.len;
}

/* What may stand behind a known name, or behind its place, so that the slow
 * path would read the line the same way: the quick one must never see another
 * frame than the slow one. Behind a name with blanks a remark may stand where
 * arguments do (go_call_parse). */
static bool ends_call(const struct known_frame *known, struct str rest)
{
    struct str inner;

    if (is_creator(known))
        return !rest.len || str_starts(rest, STR(" in goroutine "));
    if (rest.len < 2 || rest.ptr[0] != '(' || rest.ptr[rest.len - 1] != ')')
        return false;
    inner = (struct str){rest.ptr + 1, rest.len - 2};
    return !has_byte(inner, '(') && !has_byte(inner, ')') &&
           !(str_has_blank(inner) && str_has_blank(known->name));
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
        !ends_call(known, call) || !ends_place(place) || str_has_zeros(call) ||
        str_has_zeros(place))
        return false;
    if (reader->entry < ENTRY_FRESH)
        stack_see_place(reader, str_equal(call, STR("(...)")), place);
    if (is_creator(known))
        stack_set_creator(reader, known->frame);
    else
        stack_add_frame(reader, known->frame,
                        (struct str){call.ptr + 1, call.len - 2});
    lines->at = next;
    lines->number += 2;
    reader->n_foreign = 0;
    return true;
}

bool stack_take_predicted(struct stack_reader *reader)
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
