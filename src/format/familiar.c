#include "format/familiar.h"

#include "base/cpu.h"
#include "format/go_text.h"

static void init(struct familiars *familiars)
{
    struct budget *budget = symbols_budget(familiars->predictor->symbols);

    arena_init(&familiars->arena, budget);
    familiars->slots = NULL;
    familiars->n_slots = 0;
    familiars->before = NULL;
    familiars->n_bytes = 0;
    familiars->n_refused = 0;
}

void familiars_init(struct familiars *familiars, struct predictor *predictor)
{
    *familiars = (struct familiars){.predictor = predictor};
    familiars->match =
        cpu_has_avx2() ? familiar_match_avx2 : familiar_match_plain;
    init(familiars);
}

void familiars_done(struct familiars *familiars)
{
    arena_done(&familiars->arena);
}

void familiars_flush(struct familiars *familiars)
{
    familiars_done(familiars);
    init(familiars);
}

/* --- From text to drafts -------------------------------------------------- */

/* A piece as its text has it, before it is kept. */
struct draft {
    struct str elision; /* the line before its own, or empty */
    struct str head;    /* before the field; all of it where there is none */
    struct str tail;
    struct str name;  /* as the predictor has it: "main.f" */
    struct str place; /* "\t/src/main.go:21" */
    enum familiar_field field;
    uint32_t elided; /* what the elision says, at least 1 */
};

/* Cuts a line off *text; its end is part of it. Empty when it has none. */
static struct str cut_line(struct str *text)
{
    size_t end = str_find(*text, '\n');
    struct str line = str_head(*text, end + 1);

    if (end == text->len)
        return (struct str){NULL, 0};
    *text = str_skip(*text, end + 1);
    return line;
}

static struct str from_to(const char *begin, const char *end)
{
    return (struct str){begin, (size_t)(end - begin)};
}

/* The first of the two lines; lines follow each other in memory, and end is the
 * end of the second. What stands for the arguments of a name with blanks may be
 * a remark (go_call_parse). */
static bool read_call(struct draft *draft, struct str line, const char *end)
{
    struct str text = str_head(line, line.len - 1);
    struct str args;

    if (!go_call_parse(text, &draft->name, &args) ||
        str_has_blank(draft->name) || str_find(args, '(') < args.len ||
        str_find(args, ')') < args.len)
        return false;
    if (str_equal(args, STR("..."))) {
        draft->head = from_to(line.ptr, end);
        return true;
    }
    draft->field = FAMILIAR_ARGS;
    draft->head = from_to(line.ptr, args.ptr);
    draft->tail = from_to(args.ptr + args.len, end);
    return *draft->tail.ptr == ')';
}

static bool read_creator(struct draft *draft, struct str line, const char *end)
{
    struct str text = str_head(line, line.len - 1);
    struct str mark = STR(" in goroutine ");
    uint64_t id;
    size_t at;

    if (!go_creator_parse(text, &draft->name, &id))
        return false;
    draft->name = from_to(line.ptr, draft->name.ptr + draft->name.len);
    at = str_search(text, mark);
    if (at == text.len) {
        draft->head = from_to(line.ptr, end);
        return true;
    }
    draft->field = FAMILIAR_ID;
    draft->head = str_head(text, at + mark.len);
    draft->tail = from_to(line.ptr + line.len - 1, end);
    return id > 0 && chars_have("0123456789", text.ptr[text.len - 1]);
}

/* The second line: a place with nothing behind it but an offset. */
static bool read_place(struct draft *draft, struct str line)
{
    struct str text = str_head(line, line.len - 1);
    struct go_place place;
    struct str rest;
    uint64_t offset;

    if (!str_starts(text, STR("\t")) || !go_place_parse(text, &place))
        return false;
    draft->place = str_head(text, place.length);
    rest = str_skip(text, place.length);
    if (!rest.len)
        return true;
    return str_cut_prefix(&rest, STR(" +0x")) && str_cut_hex(&rest, &offset) &&
           !rest.len;
}

/* The line before the two, which says how many frames were left out. */
static bool read_elision(struct draft *draft, struct str line)
{
    draft->elision = line;
    return line.len > FAMILIAR_KEY &&
           go_elided_parse(str_head(line, line.len - 1), &draft->elided) &&
           draft->elided;
}

/* Reads the lines of a piece off *text. */
static bool read_draft(struct draft *draft, struct str *text, bool is_creator)
{
    struct str first = cut_line(text);
    struct str second;
    const char *end;

    *draft = (struct draft){0};
    if (first.len && *first.ptr == FAMILIAR_ELIDES) {
        if (!read_elision(draft, first))
            return false;
        first = cut_line(text);
    }
    second = cut_line(text);
    if (first.len < 2 || !second.len || !read_place(draft, second))
        return false;
    end = second.ptr + second.len;
    return is_creator ? read_creator(draft, first, end)
                      : read_call(draft, first, end);
}

/* --- Familiars ------------------------------------------------------------ */

/* Where the bytes end by which the piece that a text begins with is looked for,
 * as for familiar_hash; NULL when there are too few. */
static const char *find_key_end(struct str text)
{
    const char *begin = text.ptr;
    const char *end;

    if (*begin == FAMILIAR_ELIDES)
        return begin + FAMILIAR_KEY;
    cut_line(&text);
    end = text.ptr + str_find(text, '\n');
    return end - begin >= FAMILIAR_KEY ? end : NULL;
}

/* What a text needs. */
struct extent {
    size_t n_segments;
    size_t n_bytes;
};

/* An object for n pieces; NULL without memory. What is compared stands in one
 * block. */
static struct familiar *new_familiar(struct familiars *familiars, size_t n,
                                     const struct extent *extent)
{
    struct arena *arena = &familiars->arena;
    size_t text_at = sizeof(struct familiar) +
                     extent->n_segments * sizeof(struct familiar_segment);
    char *block =
        arena_take_zero(arena, text_at + extent->n_bytes + FAMILIAR_BLOCK);
    struct familiar *familiar = (struct familiar *)(void *)block;

    if (!familiar)
        return NULL;
    *familiar = (struct familiar){
        .n_pieces = (uint32_t)n,
        .text = block + text_at,
        .pieces = arena_take(arena, (n + 1) * sizeof(*familiar->pieces)),
        .frames = arena_take(arena, n * sizeof(*familiar->frames)),
        .prefixes = arena_take(arena, (n + 1) * sizeof(*familiar->prefixes))};
    if (!familiar->pieces || !familiar->frames || !familiar->prefixes)
        return NULL;
    return familiar;
}

/* Whether there are slots, more of them once many goroutines were learned. What
 * was in fewer is learned again: a log may have a dump on each line, for which
 * it would take longer to clear many than to read the dump. */
static bool has_slots(struct familiars *familiars)
{
    size_t n = familiars->slots ? FAMILIAR_SLOTS : FAMILIAR_FIRST;
    struct familiar_slot *slots;

    if (familiars->n_slots == FAMILIAR_SLOTS ||
        (familiars->slots && familiars->n_learned < FAMILIAR_FIRST / 4))
        return true;
    slots = arena_take_zero(&familiars->arena, n * sizeof(*slots));
    if (!slots)
        return familiars->slots;
    familiars->slots = slots;
    familiars->n_slots = n;
    familiars->n_learned = 0;
    return true;
}

/* Whether there is room for so much text. A full cache is emptied when so many
 * others came that it must be out of date. */
static bool make_room(struct familiars *familiars, size_t size)
{
    if (familiars->n_bytes + size > FAMILIAR_BYTES) {
        familiars->n_refused += size;
        if (familiars->n_refused < FAMILIAR_BYTES)
            return false;
        familiars_flush(familiars);
    }
    return has_slots(familiars);
}

/* Measures the text of a goroutine that is its calls, a creator where one is to
 * be, at most one line about frames that were left out, and nothing else; false
 * for any other. */
static bool measure(const struct familiar_facts *facts, struct extent *extent)
{
    size_t n = facts->n_frames + (facts->creator != FRAME_NONE);
    struct str text = facts->text;
    uint32_t elided = 0;
    struct draft draft;

    *extent = (struct extent){.n_segments = 1};
    for (size_t i = 0; i < n; i++) {
        if (!read_draft(&draft, &text, i == facts->n_frames) ||
            (draft.elided && elided))
            return false;
        elided += draft.elided;
        extent->n_segments += draft.field != FAMILIAR_END;
        extent->n_bytes += draft.elision.len + draft.head.len + draft.tail.len;
    }
    return !text.len && elided == facts->elided;
}

/* Where the next text and the next segment go. */
struct writer {
    struct familiar_segment *segments;
    char *text;
    uint32_t n_segments;
    uint32_t n_bytes;
};

static void write_text(struct writer *writer, struct str text)
{
    if (text.len)
        memcpy(writer->text + writer->n_bytes, text.ptr, text.len);
    writer->n_bytes += (uint32_t)text.len;
}

static void end_segment(struct writer *writer, size_t piece,
                        enum familiar_field field)
{
    writer->segments[writer->n_segments++] = (struct familiar_segment){
        writer->n_bytes, (uint16_t)piece, (uint16_t)field};
}

/* The hash of the frames before a piece and of its own, and of what was left
 * out between them. */
static uint32_t next_prefix(uint32_t prefix, const struct draft *draft,
                            frame_id frame)
{
    if (draft->elided)
        prefix = (uint32_t)hash_mix(prefix, draft->elided);
    return (uint32_t)hash_mix(prefix, frame);
}

/* Fills in the text, and what it is made of. */
static void write_pieces(const struct familiars *familiars,
                         struct familiar *familiar,
                         const struct familiar_facts *facts)
{
    struct str text = facts->text;
    struct writer writer = {.segments = familiar->segments,
                            .text = familiar->text};

    familiar->stack = facts->stack;
    familiar->n_frames = (uint32_t)facts->n_frames;
    familiar->elided = facts->elided;
    familiar->is_bare = facts->is_bare;
    familiar->prefixes[0] = 0;
    for (uint32_t i = 0; i < familiar->n_pieces; i++) {
        bool is_creator = i == familiar->n_frames;
        frame_id frame = is_creator ? facts->creator : facts->frames[i];
        struct draft draft;

        read_draft(&draft, &text, is_creator);
        familiar->pieces[i] = (struct familiar_piece){
            writer.n_bytes, writer.n_segments,
            predict_find(familiars->predictor, draft.name, draft.place)};
        familiar->frames[i] = frame;
        familiar->prefixes[i + 1] =
            next_prefix(familiar->prefixes[i], &draft, frame);
        if (draft.elided)
            familiar->elided_at = i;
        write_text(&writer, draft.elision);
        write_text(&writer, draft.head);
        if (draft.field != FAMILIAR_END)
            end_segment(&writer, i, draft.field);
        write_text(&writer, draft.tail);
    }
    familiar->pieces[familiar->n_pieces] =
        (struct familiar_piece){writer.n_bytes, writer.n_segments, 0};
    end_segment(&writer, familiar->n_pieces, FAMILIAR_END);
}

/* Makes it be found where n of its pieces stand and the next one does not:
 * there the search ended. */
static void put_slot(struct familiars *familiars, struct familiar *familiar,
                     struct str text, size_t n)
{
    const char *end = NULL;
    struct draft draft;
    uint64_t hash;

    for (size_t i = 0; i < n; i++)
        read_draft(&draft, &text, i == familiar->n_frames);
    if (n < familiar->n_pieces) {
        end = find_key_end(text);
        if (!end)
            return;
    }
    hash = familiar_hash(familiar->prefixes[n], end);
    *familiar_slot(familiars, hash) =
        (struct familiar_slot){familiar, (uint32_t)(hash >> 32)};
}

void familiars_learn(struct familiars *familiars,
                     const struct familiar_facts *facts)
{
    size_t n = facts->n_frames;
    struct familiar *familiar;
    struct extent extent;

    if (!n || n >= FAMILIAR_FRAMES || facts->n_known > n + 1 ||
        !measure(facts, &extent) || !make_room(familiars, facts->text.len))
        return;
    familiar =
        new_familiar(familiars, n + (facts->creator != FRAME_NONE), &extent);
    if (!familiar)
        return;
    write_pieces(familiars, familiar, facts);
    familiars->n_bytes += facts->text.len;
    familiars->n_learned++;
    put_slot(familiars, familiar, facts->text, facts->n_known);
}
