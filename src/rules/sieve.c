#include "rules/sieve.h"

/* What is left of an expression. */
struct scan {
    struct str rest;
    bool is_lost; /* it holds something that is not followed here */
};

/* A sequence of items as it is read. */
struct sequence {
    sieve bits;   /* of the items before the last */
    sieve last;   /* of the last item, which a '?' may take back */
    int previous; /* byte that the last item surely ends in; -1 = none */
};

/* The bit of a pair: the upper six bits of a multiplicative hash. */
static sieve pair_bit(unsigned char first, unsigned char second)
{
    uint32_t pair = (uint32_t)first << 8 | second;

    return (sieve)1 << (pair * 0x9e3779b1u >> 26);
}

sieve sieve_of_text(struct str text)
{
    sieve bits = 0;

    for (size_t i = 1; i < text.len; i++)
        bits |= pair_bit((unsigned char)text.ptr[i - 1],
                         (unsigned char)text.ptr[i]);
    return bits;
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
static void add_item(struct sequence *sequence, sieve bits, int previous)
{
    sequence->bits |= sequence->last;
    sequence->last = bits;
    sequence->previous = previous;
}

/* Adds a byte that stands for itself: it needs the pair it makes with the one
 * before it. */
static void add_byte(struct sequence *sequence, unsigned char byte)
{
    sieve bits = sequence->previous < 0
                     ? 0
                     : pair_bit((unsigned char)sequence->previous, byte);

    add_item(sequence, bits, byte);
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
        add_item(sequence, 0, -1);
    else if (c < 0 || c >= 0x80 || is_letter_or_digit(c))
        lose(scan);
    else
        add_byte(sequence, (unsigned char)c);
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
    sequence->previous = -1;
    if (peek(scan) == '?' || peek(scan) == '+')
        skip(scan, 1);
}

static sieve scan_choice(struct scan *scan);

/* Takes a group; the scan stands behind its '('. */
static void take_group(struct scan *scan, struct sequence *sequence)
{
    if (str_starts(scan->rest, STR("?:")))
        skip(scan, 2);
    else if (peek(scan) == '?' || peek(scan) == '*')
        lose(scan);
    add_item(sequence, scan_choice(scan), -1);
    skip(scan, 1);
}

/* Reads items up to a '|', a ')' or the end. */
static sieve scan_sequence(struct scan *scan)
{
    struct sequence sequence = {0, 0, -1};
    int c;

    while ((c = peek(scan)) >= 0 && c != '|' && c != ')') {
        skip(scan, 1);
        if (c == '\\') {
            take_escape(scan, &sequence);
        } else if (c == '[') {
            skip_class(scan);
            add_item(&sequence, 0, -1);
        } else if (c == '(') {
            take_group(scan, &sequence);
        } else if (c == '.' || c == '^' || c == '$') {
            add_item(&sequence, 0, -1);
        } else if (c == '*' || c == '+' || c == '?' || c == '{') {
            lose(scan); /* a quantifier of a quantifier */
        } else {
            add_byte(&sequence, (unsigned char)c);
        }
        take_quantifier(scan, &sequence);
    }
    return sequence.bits | sequence.last;
}

/* Reads sequences with '|' between them: what all of them need is needed. */
static sieve scan_choice(struct scan *scan)
{
    sieve bits = scan_sequence(scan);

    while (peek(scan) == '|') {
        skip(scan, 1);
        bits &= scan_sequence(scan);
    }
    return bits;
}

sieve sieve_of_expression(struct str expression)
{
    struct scan scan = {.rest = expression};
    sieve bits = scan_choice(&scan);

    return scan.is_lost || scan.rest.len ? 0 : bits;
}
