#include "rules/sieve.h"

/* The alternatives of a choice that every match makes. */
struct choice {
    uint64_t bits[SIEVE_CHOICES_MOST];
    unsigned count; /* 0 = it keeps nothing out */
};

/* What is left of an expression. */
struct scan {
    struct str rest;
    bool is_lost;       /* it holds something that is not followed here */
    bool is_caseless;   /* letters stand for both of their cases */
    struct choice best; /* of those so far, the one that keeps most out */
};

enum { NOTHING = -1, EDGE = 0 /* the byte beside a text, which no name has */ };

/* A sequence of items as it is read. */
struct sequence {
    uint64_t bits; /* of the items before the last */
    uint64_t last; /* of the last item, which a '?' may take back */
    int previous;  /* byte that the last item surely ends in; or NOTHING */
};

/* The bit of a pair: the upper six bits of a multiplicative hash. */
static uint64_t pair_bit(unsigned char first, unsigned char second)
{
    uint32_t pair = (uint32_t)first << 8 | second;

    return (uint64_t)1 << (pair * 0x9e3779b1u >> 26);
}

static unsigned char to_small(unsigned char byte)
{
    return byte >= 'A' && byte <= 'Z' ? (unsigned char)(byte + 'a' - 'A')
                                      : byte;
}

struct sieve_text sieve_of_text(struct str text)
{
    struct sieve_text found = {0, 0};
    unsigned char previous = EDGE;

    for (size_t i = 0; i <= text.len; i++) {
        unsigned char byte = i < text.len ? (unsigned char)text.ptr[i] : EDGE;

        found.bits |= pair_bit(previous, byte);
        found.caseless |= pair_bit(to_small(previous), to_small(byte));
        previous = byte;
    }
    return found;
}

static void skip(struct scan *scan, size_t n)
{
    scan->rest = str_skip(scan->rest, n);
}

/* The next byte; -1 at the end. */
static int peek(const struct scan *scan)
{
    return scan->rest.len ? (unsigned char)scan->rest.ptr[0] : -1;
}

/* Gives up: nothing that follows is understood. */
static void lose(struct scan *scan)
{
    scan->is_lost = true;
    scan->rest.len = 0;
}

/* Ends the last item and begins another. Its bits are those that it needs. */
static void add_item(struct sequence *sequence, uint64_t bits, int previous)
{
    sequence->bits |= sequence->last;
    sequence->last = bits;
    sequence->previous = previous;
}

/* Adds a byte that stands for itself: it needs the pair it makes with the one
 * before it. */
static void add_byte(const struct scan *scan, struct sequence *sequence,
                     unsigned char read)
{
    unsigned char byte = scan->is_caseless ? to_small(read) : read;
    uint64_t bits = sequence->previous == NOTHING
                        ? 0
                        : pair_bit((unsigned char)sequence->previous, byte);

    add_item(sequence, bits, byte);
}

/* Adds the end of the text, which makes a pair with the byte before it. */
static void add_end(struct sequence *sequence)
{
    uint64_t bits = sequence->previous == NOTHING
                        ? 0
                        : pair_bit((unsigned char)sequence->previous, EDGE);

    add_item(sequence, bits, NOTHING);
}

/* Passes over "[:word:]" in a class. */
static void skip_posix(struct scan *scan)
{
    size_t end = str_search(scan->rest, STR(":]"));

    for (size_t i = 2; i < end; i++) {
        char c = scan->rest.ptr[i];

        if ((c < 'a' || c > 'z') && c != '^')
            lose(scan);
    }
    skip(scan, end + 2);
}

/* Passes over a class; the scan stands behind its '['. */
static void skip_class(struct scan *scan)
{
    if (peek(scan) == '^')
        skip(scan, 1);
    if (peek(scan) == ']')
        skip(scan, 1);
    while (scan->rest.len && peek(scan) != ']') {
        if (str_starts(scan->rest, STR("\\Q")) ||
            str_starts(scan->rest, STR("\\E")) ||
            str_starts(scan->rest, STR("[.")) ||
            str_starts(scan->rest, STR("[=")))
            lose(scan);
        else if (str_starts(scan->rest, STR("[:")))
            skip_posix(scan);
        else
            skip(scan, peek(scan) == '\\' ? 2 : 1);
    }
    skip(scan, 1);
}

static bool is_letter_or_digit(int c)
{
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') ||
           (c >= 'a' && c <= 'z');
}

/* Takes what follows a backslash: a class or assertion of one letter, or a
 * byte that stands for itself. */
static void take_escape(struct scan *scan, struct sequence *sequence)
{
    int c = peek(scan);

    skip(scan, 1);
    if (c > 0 && strchr("bBAZzGdDwWsShHvVRK", c))
        add_item(sequence, 0, NOTHING);
    else if (c < 0 || c >= 0x80 || is_letter_or_digit(c))
        lose(scan);
    else
        add_byte(scan, sequence, (unsigned char)c);
}

/* Takes a quantifier, if one follows: what may be left out adds nothing, and
 * what follows a repeated item may follow any of its rounds. */
static void take_quantifier(struct scan *scan, struct sequence *sequence)
{
    int c = peek(scan);

    if (c == '{') {
        size_t end = str_find(scan->rest, '}');

        for (size_t i = 1; i < end; i++) {
            char digit = scan->rest.ptr[i];

            if ((digit < '0' || digit > '9') && digit != ',')
                lose(scan);
        }
        if (end == scan->rest.len)
            lose(scan);
        skip(scan, end + 1);
    } else if (c == '*' || c == '?' || c == '+') {
        skip(scan, 1);
    } else {
        return;
    }
    if (c == '+')
        sequence->bits |= sequence->last;
    sequence->last = 0;
    sequence->previous = NOTHING;
    if (peek(scan) == '?' || peek(scan) == '+')
        skip(scan, 1);
}

static uint64_t scan_choice(struct scan *scan, int previous);

/* Takes a group; the scan stands behind its '('. What a quantifier may leave
 * out, no match needs to choose from. */
static void take_group(struct scan *scan, struct sequence *sequence)
{
    struct choice best = scan->best;

    if (str_starts(scan->rest, STR("?:")))
        skip(scan, 2);
    else if (peek(scan) == '?' || peek(scan) == '*')
        lose(scan);
    add_item(sequence, scan_choice(scan, sequence->previous), NOTHING);
    skip(scan, 1);
    if (peek(scan) == '*' || peek(scan) == '?' || peek(scan) == '{')
        scan->best = best;
}

/* Reads items up to a '|', a ')' or the end; previous is the byte before them,
 * or NOTHING. */
static uint64_t scan_sequence(struct scan *scan, int previous)
{
    struct sequence sequence = {0, 0, previous};
    int c;

    while ((c = peek(scan)) >= 0 && c != '|' && c != ')') {
        skip(scan, 1);
        if (c == '\\') {
            take_escape(scan, &sequence);
        } else if (c == '[') {
            skip_class(scan);
            add_item(&sequence, 0, NOTHING);
        } else if (c == '(') {
            take_group(scan, &sequence);
        } else if (c == '^') {
            add_item(&sequence, 0, EDGE);
        } else if (c == '$') {
            add_end(&sequence);
        } else if (c == '.') {
            add_item(&sequence, 0, NOTHING);
        } else if (c == '*' || c == '+' || c == '?' || c == '{') {
            lose(scan); /* a quantifier of a quantifier */
        } else {
            add_byte(scan, &sequence, (unsigned char)c);
        }
        take_quantifier(scan, &sequence);
    }
    return sequence.bits | sequence.last;
}

static unsigned count_bits(uint64_t bits)
{
    unsigned count = 0;

    for (; bits; bits &= bits - 1)
        count++;
    return count;
}

/* How many bits the easiest alternative of a choice needs. */
static unsigned strength_of(const struct choice *choice)
{
    unsigned least = choice->count ? 64 : 0;

    for (unsigned i = 0; i < choice->count; i++) {
        unsigned bits = count_bits(choice->bits[i]);

        least = bits < least ? bits : least;
    }
    return least;
}

/* Reads sequences with '|' between them: what all of them need is needed. A
 * choice inside of one alternative need not be made. */
static uint64_t scan_choice(struct scan *scan, int previous)
{
    struct choice before = scan->best;
    struct choice own = {.count = 0};
    uint64_t bits = scan_sequence(scan, previous);
    unsigned count = 1;

    if (peek(scan) != '|')
        return bits;
    own.bits[0] = bits;
    for (; peek(scan) == '|'; count++) {
        uint64_t other;

        skip(scan, 1);
        other = scan_sequence(scan, previous);
        bits &= other;
        if (count < SIEVE_CHOICES_MOST)
            own.bits[count] = other;
    }
    own.count = count <= SIEVE_CHOICES_MOST ? count : 0;
    scan->best = strength_of(&own) > strength_of(&before) ? own : before;
    return bits;
}

struct sieve sieve_of_expression(struct str expression)
{
    struct scan scan = {.rest = expression};
    struct sieve found = {0};

    scan.is_caseless = str_cut_prefix(&scan.rest, STR("(?i)"));
    found.needed = scan_choice(&scan, NOTHING);
    if (scan.is_lost || scan.rest.len)
        return (struct sieve){0};
    found.is_caseless = scan.is_caseless;
    found.n_choices = strength_of(&scan.best) ? scan.best.count : 0;
    memcpy(found.choices, scan.best.bits, sizeof(found.choices));
    return found;
}
