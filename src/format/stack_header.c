/* Headers of the forms that nearly all have, by comparing bytes: what they say
 * besides an id and a wait was seen before. */
#include "format/stack_state.h"

struct state_memo *stack_find_memo(struct stack_reader *reader, struct str word)
{
    struct state_memo *memo;
    state_id state;

    for (unsigned i = 0; i < MEMOS; i++) {
        if (str_equal(reader->memos[i].word, word))
            return &reader->memos[i];
    }
    state = symbols_state_put(reader->symbols, word);
    memo = &reader->memos[reader->next_memo++ % MEMOS];
    *memo = (struct state_memo){.word = symbols_state(reader->symbols, state),
                                .state = state};
    /* "leaked" says more than a state and is left to go_header_parse. */
    memo->is_plain = memo->word.len && memo->word.len <= MEMO_MOST &&
                     !str_equal(memo->word, STR("leaked"));
    memcpy(&memo->first, memo->word.ptr,
           memo->word.len < 8 ? memo->word.len : 8);
    memset(&memo->mask, 0xff, memo->word.len < 8 ? memo->word.len : 8);
    return memo;
}

/* Cuts digits off *at, at most 18 of them; false when there are none. */
static bool cut_digits(const char **at, uint64_t *ret)
{
    const char *begin = *at;
    const char *text = begin;
    uint64_t number = 0;

    for (; *text >= '0' && *text <= '9'; text++)
        number = number * 10 + (uint64_t)(*text - '0');
    *at = text;
    *ret = number;
    return text > begin && text - begin <= 18;
}

/* The same, where eight bytes can be read: a number of less digits is made of
 * all of them at once. */
static inline bool cut_number(const char **at, uint64_t *ret)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    uint64_t word;
    uint64_t others; /* the highest bit of the first byte that is no digit */
    unsigned bits;

    memcpy(&word, *at, sizeof(word));
    word ^= 0x3030303030303030;
    others = (word | (word + 0x7676767676767676)) & 0x8080808080808080;
    if (others) {
        bits = (unsigned)__builtin_ctzll(others) & 0x38;
        if (!bits)
            return false;
        word <<= 64 - bits;
        word = (word * 10 + (word >> 8)) & 0x00ff00ff00ff00ff;
        word = (word * 100 + (word >> 16)) & 0x0000ffff0000ffff;
        *ret = (word * 10000 + (word >> 32)) & 0xffffffff;
        *at += bits / 8;
        return true;
    }
#endif
    return cut_digits(at, ret);
}

/* Inlined, so that the length is known and no function is called. */
__attribute__((always_inline)) static inline bool cut_text(const char **at,
                                                           struct str text)
{
    if (memcmp(*at, text.ptr, text.len) != 0)
        return false;
    *at += text.len;
    return true;
}

/* Whether the bytes at a place are the word of a memo, whose first 8 are; 64
 * can be read. */
static bool has_word(const struct state_memo *memo, const char *at)
{
    const char *word = memo->word.ptr;
    size_t len = memo->word.len;

    for (size_t i = 8; i + 8 < len; i += 8) {
        if (memcmp(at + i, word + i, 8) != 0)
            return false;
    }
    return len <= 8 || memcmp(at + len - 8, word + len - 8, 8) == 0;
}

/* Whether a state ends here: Go 1.26 prints labels right behind it. */
static bool ends_state(const char *at)
{
    return *at == ']' || *at == ',' || cut_text(&at, STR(" labels:{"));
}

/* Takes a state that was seen lately; 64 bytes can be read. */
static struct state_memo *cut_state(struct stack_reader *reader,
                                    const char **at)
{
    uint64_t first;
    uint8_t *hint;

    memcpy(&first, *at, sizeof(first));
    hint = &reader->hints[(first * 0x9e3779b97f4a7c15u) >> 58];
    for (unsigned i = 0; i < MEMOS; i++) {
        unsigned index = (*hint + i) % MEMOS;
        struct state_memo *memo = &reader->memos[index];
        size_t len = memo->word.len;

        if ((first & memo->mask) != memo->first || !memo->is_plain ||
            !has_word(memo, *at) || !ends_state(*at + len))
            continue;
        *hint = (uint8_t)index;
        *at += len;
        return memo;
    }
    return NULL;
}

/* The same as to clear it, which compilers do by an instruction that takes
 * longer to begin than all of this. */
static void empty_header(struct quick_header *header)
{
    header->parts.id = 0;
    header->parts.state = (struct str){NULL, 0};
    header->parts.has_wait = false;
    header->parts.minutes = 0;
    header->parts.leaked = false;
    header->parts.locked = false;
    header->parts.labels = (struct str){NULL, 0};
    header->memo = NULL;
    header->tail = (struct str){NULL, 0};
    header->set = NULL;
    header->text = NULL;
    header->is_plain = false;
}

/* Reads the beginning of a header: its id, a state seen lately, and whole
 * minutes of waiting where it has some. 128 bytes can be read. Moves *at behind
 * it. */
static struct state_memo *cut_begin(struct stack_reader *reader,
                                    const char **at, struct go_header *header)
{
    struct state_memo *memo;
    const char *wait;
    uint64_t minutes;

    if (!cut_text(at, STR("goroutine ")) || !cut_number(at, &header->id) ||
        !cut_text(at, STR(" [")))
        return NULL;
    memo = cut_state(reader, at);
    wait = *at;
    if (!memo || !cut_text(&wait, STR(", ")) || !cut_number(&wait, &minutes))
        return memo;
    if (minutes > UINT32_MAX || !cut_text(&wait, STR(" minutes")))
        return NULL;
    header->has_wait = true;
    header->minutes = (uint32_t)minutes;
    *at = wait;
    return memo;
}

/* Reads a header of which all is known but its id and its wait, which nearly
 * all are: "goroutine 7 [select]:" and "goroutine 7 [select, 3 minutes]:", or
 * with an end that came before. 128 bytes can be read. */
static bool read_known(struct stack_reader *reader, struct quick_header *header)
{
    const struct lines *lines = reader->lines;
    const struct header_tail *tail;
    const char *at = lines->at;
    const char *end;

    header->memo = cut_begin(reader, &at, &header->parts);
    if (!header->memo)
        return false;
    header->text = at;
    if (cut_text(&header->text, STR("]:\n"))) {
        header->is_plain = true;
        return true;
    }
    end = memchr(at, '\n', (size_t)(lines->end - at));
    if (!end)
        return false;
    header->tail = (struct str){at, (size_t)(end - at)};
    header->text = end + 1;
    tail = header_tails_find(reader->tails, header->tail);
    if (!tail)
        return false;
    header->tail.len = 0;
    header->parts.locked = tail->locked;
    header->set = tail->set.n ? &tail->set : NULL;
    header->is_plain = !tail->locked;
    return true;
}

/* Whether an end that had to be parsed means the same wherever it stands: it
 * says nothing of waiting. What it can say besides are labels and a mark, as
 * the state and what belongs to it ended before. */
static bool is_plain_tail(const struct quick_header *header,
                          const struct quick_header *begin)
{
    return begin->tail.len && header->parts.has_wait == begin->parts.has_wait &&
           header->parts.minutes == begin->parts.minutes;
}

bool stack_read_header(struct stack_reader *reader, struct quick_header *header)
{
    enum { HEADER_MOST = 128 };
    const struct lines *lines = reader->lines;
    const char *at = lines->at;
    struct quick_header begin;

    empty_header(header);
    if (lines->end - at < HEADER_MOST)
        return false;
    if (read_known(reader, header))
        return true;
    begin = *header;
    empty_header(header);
    at = memchr(lines->at, '\n', (size_t)(lines->end - lines->at));
    if (!at ||
        !go_header_parse((struct str){lines->at, (size_t)(at - lines->at)},
                         &header->parts))
        return false;
    header->memo = stack_find_memo(reader, header->parts.state);
    header->text = at + 1;
    if (is_plain_tail(header, &begin))
        header->tail = begin.tail;
    return true;
}
