#include "format/familiar.h"

#include "format/go_text.h"

static void init(struct familiars *familiars)
{
    struct budget *budget = symbols_budget(familiars->predictor->symbols);

    arena_init(&familiars->arena, budget);
    pool_init(&familiars->pieces, budget, sizeof(struct familiar_piece));
    table_init(&familiars->piece_table, budget);
    familiars->slots = NULL;
    familiars->n_bytes = 0;
    familiars->n_refused = 0;
}

void familiars_init(struct familiars *familiars, struct predictor *predictor)
{
    *familiars = (struct familiars){.predictor = predictor};
    familiars->match =
        familiar_has_avx2() ? familiar_match_avx2 : familiar_match_plain;
    init(familiars);
}

void familiars_done(struct familiars *familiars)
{
    arena_done(&familiars->arena);
    pool_done(&familiars->pieces);
    table_done(&familiars->piece_table);
}

void familiars_flush(struct familiars *familiars)
{
    familiars_done(familiars);
    init(familiars);
}

/* --- Pieces --------------------------------------------------------------- */

/* A piece as its text has it, before it is kept. */
struct draft {
    struct str head;
    struct str tail;
    struct str name;  /* as the predictor has it: "main.f" */
    struct str place; /* "\t/src/main.go:21" */
    enum familiar_kind kind;
    frame_id frame;
};

static uint64_t hash_texts(struct str head, struct str tail)
{
    return hash_mix(hash_bytes(head.ptr, head.len),
                    hash_bytes(tail.ptr, tail.len));
}

static uint64_t rehash(const void *user, uint32_t id)
{
    const struct familiars *familiars = user;
    const struct familiar_piece *piece = pool_at(&familiars->pieces, id - 1);

    return hash_texts((struct str){piece->head, piece->n_head},
                      (struct str){piece->tail, piece->n_tail});
}

static struct familiar_piece *find_piece(const struct familiars *familiars,
                                         const struct draft *draft,
                                         uint64_t hash)
{
    struct table_walk walk = table_walk(&familiars->piece_table, hash);
    uint32_t id;

    while ((id = table_next(&familiars->piece_table, &walk)) != 0) {
        struct familiar_piece *piece = pool_at(&familiars->pieces, id - 1);

        if (piece->frame == draft->frame && piece->kind == draft->kind &&
            str_equal((struct str){piece->head, piece->n_head}, draft->head) &&
            str_equal((struct str){piece->tail, piece->n_tail}, draft->tail))
            return piece;
    }
    return NULL;
}

/* A copy that can be compared in whole blocks; NULL without memory. */
static const char *copy_blocks(struct familiars *familiars, struct str text)
{
    size_t size = (text.len / FAMILIAR_BLOCK + 1) * FAMILIAR_BLOCK;
    char *copy = arena_take_zero(&familiars->arena, size);

    if (copy && text.len)
        memcpy(copy, text.ptr, text.len);
    return copy;
}

/* The piece that a draft describes; NULL without memory. */
static struct familiar_piece *put_piece(struct familiars *familiars,
                                        const struct draft *draft)
{
    uint64_t hash = hash_texts(draft->head, draft->tail);
    struct familiar_piece *piece = find_piece(familiars, draft, hash);

    if (piece)
        return piece;
    piece = pool_add(&familiars->pieces);
    if (!piece)
        return NULL;
    *piece = (struct familiar_piece){
        .head = copy_blocks(familiars, draft->head),
        .tail = copy_blocks(familiars, draft->tail),
        .n_head = (uint16_t)draft->head.len,
        .n_tail = (uint16_t)draft->tail.len,
        .kind = draft->kind,
        .frame = draft->frame,
        .known = predict_find(familiars->predictor, draft->name, draft->place)};
    if (!piece->head || !piece->tail ||
        !table_put(&familiars->piece_table, hash,
                   (uint32_t)familiars->pieces.count, rehash, familiars)) {
        familiars->pieces.count--;
        return NULL;
    }
    return piece;
}

/* --- From text to drafts -------------------------------------------------- */

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
 * end of the second. */
static bool read_call(struct draft *draft, struct str line, const char *end)
{
    struct str text = str_head(line, line.len - 1);
    struct str args;

    if (!go_call_parse(text, &draft->name, &args) ||
        str_find(args, '(') < args.len || str_find(args, ')') < args.len)
        return false;
    draft->kind = str_equal(args, STR("...")) ? FAMILIAR_FIXED : FAMILIAR_ARGS;
    draft->head = from_to(line.ptr, args.ptr);
    draft->tail = from_to(line.ptr + line.len, end);
    if (draft->kind == FAMILIAR_FIXED) {
        draft->head = from_to(line.ptr, end);
        draft->tail = (struct str){NULL, 0};
    }
    return true;
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
        draft->kind = FAMILIAR_FIXED;
        draft->head = from_to(line.ptr, end);
        return true;
    }
    draft->kind = FAMILIAR_ID;
    draft->head = str_head(text, at + mark.len);
    draft->tail = from_to(line.ptr + line.len, end);
    return id > 0;
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

/* Reads two lines off *text as a piece. */
static bool read_draft(struct draft *draft, struct str *text, bool is_creator)
{
    struct str first = cut_line(text);
    struct str second = cut_line(text);
    const char *end = second.ptr + second.len;

    *draft = (struct draft){0};
    if (first.len < 2 || !second.len || first.len + second.len > UINT16_MAX ||
        !read_place(draft, second))
        return false;
    return is_creator ? read_creator(draft, first, end)
                      : read_call(draft, first, end);
}

/* --- Familiars ------------------------------------------------------------ */

/* Where the lines of a piece end: what familiar_slot wants to know. */
static const char *end_of_lines(struct str text)
{
    cut_line(&text);
    return text.ptr + str_find(text, '\n');
}

/* An object for n pieces; NULL without memory. */
static struct familiar *new_familiar(struct familiars *familiars, size_t n)
{
    struct arena *arena = &familiars->arena;
    struct familiar *familiar = arena_take(arena, sizeof(*familiar));

    if (!familiar)
        return NULL;
    *familiar = (struct familiar){
        .n_pieces = (uint32_t)n,
        .pieces = arena_take(arena, n * sizeof(*familiar->pieces)),
        .frames = arena_take(arena, n * sizeof(*familiar->frames)),
        .prefixes = arena_take(arena, (n + 1) * sizeof(*familiar->prefixes))};
    if (!familiar->pieces || !familiar->frames || !familiar->prefixes)
        return NULL;
    return familiar;
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
    if (!familiars->slots)
        familiars->slots = arena_take_zero(
            &familiars->arena, FAMILIAR_SLOTS * sizeof(*familiars->slots));
    return familiars->slots != NULL;
}

/* Whether the text is n_frames calls, a creator where one is to be, and nothing
 * else. */
static bool is_plain(struct str text, size_t n_frames, bool has_creator)
{
    struct draft draft;

    for (size_t i = 0; i < n_frames; i++) {
        if (!read_draft(&draft, &text, false))
            return false;
    }
    return (!has_creator || read_draft(&draft, &text, true)) && !text.len;
}

/* Fills in the pieces from the text. */
static bool read_pieces(struct familiars *familiars, struct familiar *familiar,
                        struct str text, const frame_id *frames,
                        frame_id creator)
{
    familiar->prefixes[0] = 0;
    for (uint32_t i = 0; i < familiar->n_pieces; i++) {
        bool is_creator = i == familiar->n_frames;
        struct draft draft;

        if (!read_draft(&draft, &text, is_creator))
            return false;
        draft.frame = is_creator ? creator : frames[i];
        familiar->frames[i] = draft.frame;
        familiar->pieces[i] = put_piece(familiars, &draft);
        familiar->prefixes[i + 1] =
            (uint32_t)hash_mix(familiar->prefixes[i], draft.frame);
        if (!familiar->pieces[i])
            return false;
    }
    return true;
}

/* Makes it be found where n of its pieces stand and the next one does not:
 * there the search ended. */
static void put_slot(struct familiars *familiars, struct familiar *familiar,
                     struct str text, size_t n)
{
    const char *end = NULL;
    uint64_t hash;

    for (size_t i = 0; i <= n; i++) {
        if (end)
            text = str_skip(text, (size_t)(end + 1 - text.ptr));
        end = i < familiar->n_pieces ? end_of_lines(text) : NULL;
    }
    if (end && end - text.ptr < FAMILIAR_KEY)
        return;
    hash = familiar_hash(familiar->prefixes[n], end);
    *familiar_slot(familiars, hash) =
        (struct familiar_slot){familiar, (uint32_t)(hash >> 32)};
}

void familiars_learn(struct familiars *familiars,
                     const struct familiar_facts *facts)
{
    size_t n = facts->n_frames;
    bool has_creator = facts->creator != FRAME_NONE;
    struct familiar *familiar;

    if (!n || n >= FAMILIAR_FRAMES || facts->n_known > n + 1 ||
        !is_plain(facts->text, n, has_creator) ||
        !make_room(familiars, facts->text.len))
        return;
    familiar = new_familiar(familiars, n + has_creator);
    if (!familiar)
        return;
    familiars->n_bytes += facts->text.len;
    familiar->stack = facts->stack;
    familiar->n_frames = (uint32_t)n;
    if (read_pieces(familiars, familiar, facts->text, facts->frames,
                    facts->creator))
        put_slot(familiars, familiar, facts->text, facts->n_known);
}
