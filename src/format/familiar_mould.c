/* Moulds: how the text of a familiar goroutine was filled last. */
#include "format/familiar.h"
#include "model/pointers.h"

enum { DIGITS_MOST = 16, MOULD_LEAST = 64 };

static bool is_hex(char c)
{
    return (c >= '0' && c <= '9') || ((c | ' ') >= 'a' && (c | ' ') <= 'f');
}

/* Cuts a word off *args, at its next "0x"; false when there is none. */
static bool cut_word(struct str *args, struct str *ret_digits)
{
    size_t at = str_search(*args, STR("0x"));
    size_t n = 0;

    if (at == args->len)
        return false;
    *args = str_skip(*args, at + 2);
    while (n < args->len && is_hex(args->ptr[n]))
        n++;
    *ret_digits = str_head(*args, n);
    *args = str_skip(*args, n);
    return true;
}

/* How many words the arguments of a goroutine have; SIZE_MAX when one of them
 * is no number. */
static size_t count_words(const struct familiar_match *match)
{
    size_t n = 0;

    for (uint32_t i = 0; i < match->found->n_frames; i++) {
        struct str args = match->args[i];
        struct str digits;

        while (cut_word(&args, &digits)) {
            if (!digits.len || digits.len > DIGITS_MOST)
                return SIZE_MAX;
            n++;
        }
    }
    return n;
}

/* A text that becomes a mould. */
struct casting {
    struct familiar_mould *mould;
    const char *text;
    size_t n_words;
};

static void cast_frame(struct casting *casting, uint32_t frame, struct str args)
{
    struct arg_place *place = &casting->mould->args.places[frame];
    const char *begin = args.ptr;
    struct str digits;

    *place = (struct arg_place){0};
    if (!args.len)
        return;
    place->begin = (uint32_t)(begin - casting->text);
    place->length = (uint32_t)args.len;
    while (cut_word(&args, &digits)) {
        uint32_t at = (uint32_t)(digits.ptr - casting->text);
        bool is_sure = !str_starts(args, STR("?"));
        bool is_first = digits.ptr == begin + 2;

        memset(casting->mould->text + at, FAMILIAR_OPEN, digits.len);
        casting->mould->args.words[casting->n_words++] =
            (struct arg_word){at, (uint8_t)digits.len, (uint8_t)frame,
                              (uint8_t)((is_sure ? POINTER_SURE : 0) |
                                        (is_first ? POINTER_FIRST : 0)),
                              0};
    }
}

/* The digits behind the last word of the line before the last: those of the
 * goroutine that created this one. Empty when its familiar has none. */
static struct str find_id(const struct familiar_match *match, const char *text)
{
    const struct familiar *familiar = match->found;
    uint32_t n_segments = familiar->pieces[familiar->n_pieces].segment;
    const struct familiar_segment *last;
    const char *end;
    const char *at;

    if (familiar->n_pieces == familiar->n_frames || !n_segments)
        return (struct str){text, 0};
    last = &familiar->segments[n_segments - 1];
    if (last->field != FAMILIAR_ID)
        return (struct str){text, 0};
    end = match->at - (familiar->pieces[familiar->n_pieces].begin - last->end);
    at = end;
    while (at > text && at[-1] >= '0' && at[-1] <= '9')
        at--;
    /* Longer ones are no ids, and more than is compared at once. */
    return (struct str){at,
                        end - at <= FAMILIAR_BLOCK ? (size_t)(end - at) : 0};
}

/* Notes where the pieces of a text end: two lines each, behind a third where
 * frames were left out. */
static void find_ends(struct familiar_mould *mould,
                      const struct familiar_match *match, const char *text)
{
    const char *at = text;

    for (uint32_t i = 0; i < match->found->n_pieces; i++) {
        if (*at == FAMILIAR_ELIDES)
            at = (const char *)memchr(at, '\n', (size_t)(match->at - at)) + 1;
        at = familiar_second_end(at, match->at) + 1;
        mould->ends[i] = (uint32_t)(at - text);
    }
}

/* Makes a mould, which has room for it, of a text that its familiar matched. */
static void cast(const struct familiars *familiars,
                 struct familiar_mould *mould,
                 const struct familiar_match *match, const char *text)
{
    const struct familiar *familiar = match->found;
    struct casting casting = {.mould = mould, .text = text};
    struct str id = find_id(match, text);

    mould->size = (uint32_t)(match->at + 1 - text);
    memcpy(mould->text, text, mould->size);
    for (uint32_t i = 0; i < familiar->n_frames; i++)
        cast_frame(&casting, i, match->args[i]);
    mould->args.n_words = casting.n_words;
    pointers_rank(&mould->args, familiars->predictor->symbols, familiar->frames,
                  familiar->n_frames);
    find_ends(mould, match, text);
    mould->id = (uint32_t)(id.ptr - text);
    mould->n_id = (uint32_t)id.len;
    memset(mould->text + mould->id, FAMILIAR_OPEN, id.len);
}

/* Makes room for a text of that size with so many words; false when the cache
 * is full, or without memory. */
static bool make_room(struct familiars *familiars, struct familiar *familiar,
                      size_t size, size_t n_words)
{
    struct arena *arena = &familiars->arena;
    struct familiar_mould *mould = &familiar->mould;
    size_t room = size + size / 8;
    size_t n = n_words + n_words / 8 + 1;
    size_t places = familiar->n_frames * sizeof(struct arg_place);
    size_t words = n * sizeof(struct arg_word);
    size_t ends = familiar->n_pieces * sizeof(*mould->ends);
    char *block;

    if (mould->room >= size && mould->n_words >= n_words)
        return true;
    if (familiars->n_bytes + room + words > FAMILIAR_BYTES)
        return false;
    block =
        arena_take_zero(arena, places + words + ends + room + FAMILIAR_BLOCK);
    if (!block)
        return false;
    mould->args.places = (struct arg_place *)(void *)block;
    mould->args.words = (struct arg_word *)(void *)(block + places);
    mould->ends = (uint32_t *)(void *)(block + places + words);
    mould->text = block + places + words + ends;
    mould->room = (uint32_t)room;
    mould->n_words = (uint32_t)n;
    familiars->n_bytes += room + words;
    return true;
}

void familiars_mould(struct familiars *familiars,
                     const struct familiar_match *match, const char *text)
{
    struct familiar *familiar = match->found;
    size_t size = (size_t)(match->at + 1 - text);
    size_t n_words;

    if (familiar->wait) {
        familiar->wait--;
        return;
    }
    familiar->wait = familiar->pause;
    if (familiar->pause < FAMILIAR_PAUSES)
        familiar->pause = (uint16_t)(familiar->pause * 2 + 1);
    familiar->mould.size = 0;
    n_words = count_words(match);
    if (size >= MOULD_LEAST && n_words != SIZE_MAX &&
        !memchr(text, FAMILIAR_OPEN, size) &&
        make_room(familiars, familiar, size, n_words))
        cast(familiars, &familiar->mould, match, text);
}
