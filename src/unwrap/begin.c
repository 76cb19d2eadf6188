#include "unwrap/begin.h"

/* The bit of a byte in a set of those that a text has. Others have the same:
 * small letters from "p" on are digits as well. */
#define BIT(c)    (UINT64_C(1) << ((unsigned char)(c)&63))
#define GOROUTINE (BIT('o') | BIT('n') | BIT('i') | BIT('e'))
#define SIGNAL    (BIT('S') | BIT('I') | BIT('G') | BIT(':'))

/* A word, and what may begin with it. */
struct word {
    struct str text;
    enum begin_kind kind;
    uint64_t bytes; /* some that it has */
};

static const struct word words[] = {
    {STR_INIT("goroutine "), BEGIN_GOROUTINE, GOROUTINE | BIT('g')},
    {STR_INIT("Goroutine "), BEGIN_GOROUTINE, GOROUTINE | BIT('G')},
    {STR_INIT("goroutine\x1b"), BEGIN_GOROUTINE, GOROUTINE | BIT('\x1b')},
    {STR_INIT("goroutine\xc2\xa0"), BEGIN_GOROUTINE, GOROUTINE | BIT('\xc2')},
    {STR_INIT(" profile: "), BEGIN_PROFILE, BIT('f') | BIT('l') | BIT(':')},
    {STR_INIT("panic: "), BEGIN_CRASH, BIT('a') | BIT('c') | BIT(':')},
    {STR_INIT("fatal error: "), BEGIN_CRASH, BIT('f') | BIT('l') | BIT(':')},
    {STR_INIT("SIGQUIT: "), BEGIN_CRASH, SIGNAL | BIT('Q')},
    {STR_INIT("SIGABRT: "), BEGIN_CRASH, SIGNAL | BIT('A')},
    {STR_INIT("SIGSEGV: "), BEGIN_CRASH, SIGNAL | BIT('V')},
    {STR_INIT("SIGBUS: "), BEGIN_CRASH, SIGNAL | BIT('B')},
    {STR_INIT("SIGILL: "), BEGIN_CRASH, SIGNAL | BIT('L')},
    {STR_INIT("SIGFPE: "), BEGIN_CRASH, SIGNAL | BIT('P')},
    {STR_INIT("SIGTRAP: "), BEGIN_CRASH, SIGNAL | BIT('P')},
    {STR_INIT("Exception 0x"), BEGIN_CRASH, BIT('E') | BIT('c')},
    {STR_INIT("runtime: "), BEGIN_CRASH, BIT('m') | BIT(':')},
    {STR_INIT("unexpected fault address "), BEGIN_CRASH, BIT('f') | BIT('l')},
    {STR_INIT("fatal: "), BEGIN_CRASH, BIT('f') | BIT('l') | BIT(':')},
    {STR_INIT("--- mutex:"), BEGIN_PROFILE, BIT('-') | BIT(':')},
    {STR_INIT("--- contention:"), BEGIN_PROFILE, BIT('-') | BIT(':')},
    {STR_INIT("<pre"), BEGIN_MARKUP, BIT('<')},
    {STR_INIT("\"MESSAGE\":["), BEGIN_BYTES, BIT('M') | BIT('[')},
};

enum {
    N_WORDS = sizeof(words) / sizeof(words[0]),
    HEADER_MOST = 2048,
    BEGIN_MOST = 40, /* "goroutine ", an id of 64 bits, and " gp=" */
    SHORT = 512,     /* a text whose bytes are worth a look of their own */
    PREFIX = 7, /* what begin_scan knows of a word: the shortest is "panic: ",
                   but for "<pre", whose first byte is rare */
};

size_t begin_colour_length(struct str text)
{
    size_t n = 2;

    if (!str_starts(text, STR("\x1b[")))
        return 0;
    while (n < text.len && chars_have("0123456789;:", text.ptr[n]))
        n++;
    return n < text.len && chars_have("mK", text.ptr[n]) ? n + 1 : 0;
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* Whether rest, which follows a header's colon, ends it: nothing, blanks, or
 * what a line that is quoted, marked up or of a table has in its place. */
static bool ends_header(struct str rest)
{
    return !str_trim(rest).len || chars_have("\r\n\\\"<&\x1b#,", rest.ptr[0]);
}

/* Cuts the id that follows "goroutine " in a header; false in other texts. */
static bool cut_id(struct str *rest)
{
    uint64_t id;

    return str_cut_decimal(rest, &id) &&
           (str_starts(*rest, STR(" [")) || str_starts(*rest, STR(" gp=")) ||
            str_starts(*rest, STR(" m=")));
}

/* Whether text, which begins with "goroutine ", goes on as a header does. */
static bool is_begun(struct str text)
{
    struct str rest = str_skip(text, 10);

    return cut_id(&rest);
}

/* Whether text, which begins with "goroutine ", is a header. */
static bool is_plain_header(struct str text)
{
    struct str rest = str_skip(text, 10);
    size_t colon;

    if (!cut_id(&rest))
        return false;
    for (;;) {
        colon = str_find(rest, ':');
        if (colon == 0 || colon == rest.len)
            return false;
        if ((rest.ptr[colon - 1] == ']' || rest.ptr[colon - 1] == '}') &&
            ends_header(str_skip(rest, colon + 1)))
            return true;
        rest = str_skip(rest, colon);
        if (rest.len < 2)
            return false;
        rest = str_skip(rest, 1);
    }
}

/* Whether a colour, or a no-break space, stands there. */
static bool is_decorated(struct str text)
{
    return str_starts(text, STR("\x1b")) || str_starts(text, STR("\xc2\xa0"));
}

/* Whether rest, behind "goroutine ", may go on as a header does, in which a
 * colour may stand anywhere. */
static bool may_follow(struct str rest)
{
    struct str plain = rest;
    uint64_t id;

    if (!str_cut_decimal(&plain, &id))
        return false;
    str_cut_prefix(&plain, STR(" "));
    return is_decorated(plain) || cut_id(&rest);
}

/* Whether text, which begins with "goroutine", may be a header. Most that begin
 * so are none, and of these nothing else is looked at. */
static bool may_be_header(struct str text)
{
    struct str rest = str_skip(text, words[0].text.len - 1);

    return is_decorated(rest) || (str_cut_prefix(&rest, STR(" ")) &&
                                  (is_decorated(rest) || may_follow(rest)));
}

/* What stands before the next text that begins as a header does. No header has
 * another one in it, and one that has no end is not looked for in all that come
 * after it. */
static struct str before_next(struct str text)
{
    struct str word = str_head(words[0].text, words[0].text.len - 1);
    size_t at = word.len;

    while (at < text.len) {
        at += str_search(str_skip(text, at), word);
        if (may_be_header(str_skip(text, at)))
            return str_head(text, at);
        at += word.len;
    }
    return text;
}

/* Whether text, which begins with "goroutine", is a header once the colours in
 * it are taken away, and no-break spaces are blanks. */
static bool is_header(struct str text)
{
    static const struct str no_break = STR_INIT("\xc2\xa0");
    struct str word = words[0].text;
    struct str line;
    char plain[HEADER_MOST];
    size_t n = 0;

    if (!may_be_header(text))
        return false;
    text = before_next(str_head(text, HEADER_MOST));
    line = str_head(text, str_find(text, '\n'));
    if (str_find(line, '\x1b') == line.len && !str_contains(line, no_break))
        return is_plain_header(text);
    if (str_find(line, ':') == line.len)
        return false;
    while (line.len) {
        size_t used = begin_colour_length(line);

        if (used) {
            line = str_skip(line, used);
            continue;
        }
        if (str_cut_prefix(&line, no_break)) {
            plain[n] = ' ';
        } else {
            plain[n] = line.ptr[0];
            line = str_skip(line, 1);
        }
        /* Most that begin with the word are none, and many may follow. */
        if (n < word.len && plain[n] != word.ptr[n])
            return false;
        n++;
        if (n == BEGIN_MOST && !is_begun((struct str){plain, n}))
            return false;
    }
    line = (struct str){plain, n};
    return n >= word.len && is_plain_header(line);
}

bool begin_report_parse(struct str text, struct begin_report *ret)
{
    struct str rest = str_head(text, HEADER_MOST);
    struct str end = STR(" on top of the stack:");
    uint64_t id;
    size_t at;

    if (rest.len && chars_have("[ ", rest.ptr[0]))
        rest = str_skip(rest, 1);
    if (!str_cut_prefix(&rest, STR("Goroutine ")))
        return false;
    ret->id = rest;
    if (!str_cut_decimal(&rest, &id))
        return false;
    ret->id.len -= rest.len;
    if (!str_cut_prefix(&rest, STR(" in state ")))
        return false;
    ret->state = str_head(rest, str_search(rest, STR(", with ")));
    rest = str_head(rest, str_find(rest, '\n'));
    at = str_search(rest, end);
    return ret->state.len && ret->state.len < at && at < rest.len &&
           ends_header(str_skip(rest, at + end.len));
}

/* Whether a report's header stands there; moves *at to what is before it. */
static bool find_report(struct str text, size_t *at)
{
    struct begin_report report;

    if (!begin_report_parse(str_skip(text, *at), &report))
        return false;
    if (*at > 0 && chars_have("[ ", text.ptr[*at - 1]))
        --*at;
    return true;
}

/* A title ends in " profile: total N" or " profile: N: N [N: N] @ ...": its
 * name stands before at. Moves *at to the name's first byte. */
static bool find_title(struct str text, size_t *at)
{
    struct str rest = str_skip(text, *at + 10);
    size_t begin = *at;
    uint64_t number;

    str_cut_prefix(&rest, STR("total "));
    if (!str_cut_decimal(&rest, &number))
        return false;
    while (begin > 0 && is_letter(text.ptr[begin - 1]))
        begin--;
    if (begin == *at)
        return false;
    *at = begin;
    return true;
}

/* Whether the word at an offset is a begin; moves *at to its first byte. */
static bool check(const struct word *word, struct str text, size_t *at)
{
    struct str rest = str_skip(text, *at);

    switch (word->kind) {
    case BEGIN_GOROUTINE:
        return word->text.ptr[0] == 'g' ? is_header(rest)
                                        : find_report(text, at);
    case BEGIN_PROFILE:
        return word->text.ptr[0] != ' ' || find_title(text, at);
    default:
        return true;
    }
}

/* The bytes that a text has; all when it is long. */
static uint64_t bytes_of(struct str text)
{
    uint64_t bytes = 0;

    if (text.len > SHORT)
        return UINT64_MAX;
    for (size_t i = 0; i < text.len; i++)
        bytes |= BIT(text.ptr[i]);
    return bytes;
}

/* The first begin with that word at or behind from, where the word stands
 * before end. */
static bool find_word(const struct word *word, struct str text, size_t from,
                      size_t end, size_t *ret)
{
    struct str words_in = str_head(text, end + word->text.len - 1);
    size_t at = from;

    while (at < end) {
        at += str_search(str_skip(words_in, at), word->text);
        if (at >= end)
            return false;
        *ret = at;
        if (check(word, text, ret) && *ret >= from)
            return true;
        at += word->text.len;
    }
    return false;
}

/* Behind a begin that was found none is looked for. What it takes most to tell,
 * which is a header, comes last. */
bool begin_find(struct str text, size_t from, struct begin *ret)
{
    uint64_t bytes = bytes_of(str_skip(text, from));
    size_t first = text.len;

    for (size_t i = N_WORDS; i-- > 0;) {
        size_t at;

        if ((words[i].bytes & ~bytes) ||
            !find_word(&words[i], text, from, first, &at) || at >= first)
            continue;
        first = at;
        *ret = (struct begin){words[i].kind, at};
    }
    return first < text.len;
}

static unsigned slot_of(const char *at)
{
    return ((unsigned)(unsigned char)at[0] * 31 + (unsigned char)at[1] * 7) %
           SCANNER_SIZE;
}

void begin_scanner_init(struct begin_scanner *scanner)
{
    memset(scanner->shifts, PREFIX - 1, sizeof(scanner->shifts));
    for (size_t i = 0; i < N_WORDS; i++) {
        for (unsigned j = 0; j + 1 < PREFIX && words[i].text.len >= PREFIX;
             j++) {
            uint8_t *shift = &scanner->shifts[slot_of(words[i].text.ptr + j)];

            if (*shift > PREFIX - 2 - j)
                *shift = (uint8_t)(PREFIX - 2 - j);
        }
    }
}

/* "goroutine" alone is a word as well, so its blank is not compared. */
static bool is_word(struct str text)
{
    for (size_t i = 0; i < N_WORDS; i++) {
        size_t n = i == 0 ? words[i].text.len - 1 : words[i].text.len;

        if (words[i].text.ptr[0] == text.ptr[0] &&
            str_starts(text, str_head(words[i].text, n)))
            return true;
    }
    return false;
}

static size_t find_markup(struct str text)
{
    size_t at = 0;

    while ((at += str_find(str_skip(text, at), '<')) < text.len) {
        if (str_starts(str_skip(text, at), STR("<pre")))
            return at;
        at++;
    }
    return text.len;
}

static size_t find_scanned(const struct begin_scanner *scanner, struct str text)
{
    size_t at = 0;

    while (at + PREFIX <= text.len) {
        unsigned shift = scanner->shifts[slot_of(text.ptr + at + PREFIX - 2)];

        if (shift)
            at += shift;
        else if (is_word(str_skip(text, at)))
            return at;
        else
            at++;
    }
    return text.len;
}

/* Looks for both kinds of words block by block: what stands far behind the
 * first of one kind is not looked at for the other. The first blocks are small:
 * the next word is often near. */
size_t begin_scan(const struct begin_scanner *scanner, struct str text)
{
    enum { BLOCK_LEAST = 128, BLOCK_MOST = 4096 };
    size_t block = BLOCK_LEAST;

    for (size_t from = 0; from < text.len; from += block) {
        struct str part;
        size_t found;

        if (from && block < BLOCK_MOST)
            block *= 2;
        part = str_head(str_skip(text, from), block + BEGIN_WORD_MOST);
        found = find_scanned(scanner, part);
        found = find_markup(str_head(part, found));
        if (found < part.len)
            return from + found;
    }
    return text.len;
}

/* Whether rest, behind "goroutine " in a text that is wrapped, may go on as a
 * header or a title does. */
static bool may_go_on(struct str rest)
{
    struct str plain = rest;
    uint64_t id;

    if (str_starts(rest, STR("profile")) || cut_id(&rest))
        return true;
    str_cut_decimal(&plain, &id);
    str_cut_prefix(&plain, STR(" "));
    return plain.len && chars_have("\\&%=#<\033\302\r\n", plain.ptr[0]);
}

bool begin_find_likely(struct str text, bool goes_on, size_t *ret_at)
{
    struct str word = words[0].text;
    size_t at = 0;

    while ((at += str_search(str_skip(text, at), word)) < text.len) {
        *ret_at = at;
        at += word.len;
        if ((goes_on && text.len - at < BEGIN_WORD_MOST) ||
            may_go_on(str_skip(text, at)))
            return true;
    }
    /* The word may be cut by the end. */
    *ret_at = text.len - (text.len < word.len ? text.len : word.len);
    return false;
}

/* Whether a goroutine or a profile begins somewhere in text. */
static bool has_dump(struct str text)
{
    uint64_t bytes = bytes_of(text);
    size_t at;

    for (size_t i = 0; i < N_WORDS; i++) {
        if ((words[i].kind == BEGIN_GOROUTINE ||
             words[i].kind == BEGIN_PROFILE) &&
            !(words[i].bytes & ~bytes) &&
            find_word(&words[i], text, 0, text.len, &at))
            return true;
    }
    return false;
}

bool begin_is_followed_by(enum begin_kind kind, struct str line)
{
    switch (kind) {
    case BEGIN_GOROUTINE:
        return str_find(line, '(') < line.len ||
               str_contains(line, STR(".go:")) ||
               str_contains(line, STR("created by "));
    case BEGIN_PROFILE:
        return str_contains(line, STR(" @")) ||
               str_contains(line, STR("cycles/second="));
    default:
        return has_dump(line);
    }
}
