#include "rules/sieve.h"

#include <limits.h>

/* The alternatives of a choice that every match makes. */
struct choice {
    struct sieve_bits bits[SIEVE_CHOICES_MOST];
    unsigned count; /* 0 = it keeps nothing out */
};

/* Copies no more than there is. */
static void copy_choice(struct choice *into, const struct choice *from)
{
    into->count = from->count;
    memcpy(into->bits, from->bits, from->count * sizeof(from->bits[0]));
}

/* What is left of an expression. */
struct scan {
    struct str rest;
    bool is_lost;       /* it holds something that is not followed here */
    bool is_caseless;   /* letters stand for both of their cases */
    struct choice best; /* of those so far, the one that keeps most out */
    unsigned depth;     /* groups in groups */
};

enum { DEPTH_MOST = 32 };

enum { NOTHING = -1, EDGE = 0 /* the byte beside a text, which no name has */ };

/* A sequence of items as it is read. */
struct sequence {
    struct sieve_bits bits;  /* of the items before the last */
    int last;                /* the bit of the last item, which a '?' may take
                                back; or NOTHING */
    bool ends_in_group;      /* the last item is one, */
    struct sieve_bits group; /* with these bits */
    int previous; /* byte that the last item surely ends in; or NOTHING */
};

/* The bit of a pair: the upper eight bits of a multiplicative hash. */
static unsigned pair_bit(unsigned char first, unsigned char second)
{
    uint32_t pair = (uint32_t)first << 8 | second;

    return pair * 0x9e3779b1u >> 24;
}

static void add_bits(struct sieve_bits *into, const struct sieve_bits *bits)
{
    for (unsigned i = 0; i < SIEVE_WORDS; i++)
        into->words[i] |= bits->words[i];
}

static unsigned char to_small(unsigned char byte)
{
    return byte >= 'A' && byte <= 'Z' ? (unsigned char)(byte + 'a' - 'A')
                                      : byte;
}

void sieve_texts_add(struct sieve_texts *texts, struct str text)
{
    unsigned word = texts->count / 64;
    uint64_t mark = (uint64_t)1 << texts->count % 64;
    unsigned char previous = EDGE;

    for (size_t i = 0; i <= text.len; i++) {
        unsigned char byte = i < text.len ? (unsigned char)text.ptr[i] : EDGE;
        unsigned small = pair_bit(to_small(previous), to_small(byte));

        texts->with[pair_bit(previous, byte)].words[word] |= mark;
        texts->caseless[small].words[word] |= mark;
        previous = byte;
    }
    texts->all.words[word] |= mark;
    texts->count++;
}

static bool is_empty(const struct sieve_set *set)
{
    uint64_t any = 0;

    for (unsigned i = 0; i < SIEVE_TEXTS / 64; i++)
        any |= set->words[i];
    return !any;
}

/* Those of a set that have all of the needed bits. */
static struct sieve_set keep_having(struct sieve_set set,
                                    const struct sieve_set *with,
                                    const struct sieve_bits *needed)
{
    for (unsigned i = 0; i < SIEVE_WORDS && !is_empty(&set); i++) {
        for (uint64_t rest = needed->words[i]; rest; rest &= rest - 1) {
            const struct sieve_set *having =
                &with[i * 64 + (unsigned)__builtin_ctzll(rest)];

            for (unsigned k = 0; k < SIEVE_TEXTS / 64; k++)
                set.words[k] &= having->words[k];
        }
    }
    return set;
}

struct sieve_set sieve_pass(const struct sieve *sieve,
                            const struct sieve_texts *texts)
{
    const struct sieve_set *with =
        sieve->is_caseless ? texts->caseless : texts->with;
    struct sieve_set set = keep_having(texts->all, with, &sieve->needed);
    struct sieve_set passed = {{0}};

    if (!sieve->n_choices || is_empty(&set))
        return set;
    for (unsigned i = 0; i < sieve->n_choices; i++) {
        struct sieve_set chosen = keep_having(set, with, &sieve->choices[i]);

        for (unsigned k = 0; k < SIEVE_TEXTS / 64; k++)
            passed.words[k] |= chosen.words[k];
    }
    return passed;
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

/* Takes the last item back: a match may do without it. */
static void drop_last(struct sequence *sequence)
{
    sequence->last = NOTHING;
    sequence->ends_in_group = false;
}

/* Ends the last item: what it needs is needed. */
static void end_last(struct sequence *sequence)
{
    if (sequence->last != NOTHING)
        sequence->bits.words[sequence->last / 64] |= (uint64_t)1
                                                     << sequence->last % 64;
    if (sequence->ends_in_group)
        add_bits(&sequence->bits, &sequence->group);
    drop_last(sequence);
}

/* Adds an item that needs nothing, and ends in that byte or NOTHING. */
static void add_item(struct sequence *sequence, int previous)
{
    end_last(sequence);
    sequence->previous = previous;
}

/* Adds a byte that stands for itself: it needs the pair it makes with the one
 * before it. */
static void add_byte(const struct scan *scan, struct sequence *sequence,
                     unsigned char read)
{
    unsigned char byte = scan->is_caseless ? to_small(read) : read;
    int previous = sequence->previous;

    add_item(sequence, byte);
    if (previous != NOTHING)
        sequence->last = (int)pair_bit((unsigned char)previous, byte);
}

/* Adds the end of the text, which makes a pair with the byte before it. */
static void add_end(struct sequence *sequence)
{
    int previous = sequence->previous;

    add_item(sequence, NOTHING);
    if (previous != NOTHING)
        sequence->last = (int)pair_bit((unsigned char)previous, EDGE);
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
    if (c > 0 && chars_have("bBAZzGdDwWsShHvVRK", (char)c))
        add_item(sequence, NOTHING);
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
        end_last(sequence);
    drop_last(sequence);
    sequence->previous = NOTHING;
    if (peek(scan) == '?' || peek(scan) == '+')
        skip(scan, 1);
}

static struct sieve_bits scan_choice(struct scan *scan, int previous);

/* Takes a group; the scan stands behind its '('. What a quantifier may leave
 * out, no match needs to choose from. */
static void take_group(struct scan *scan, struct sequence *sequence)
{
    int previous = sequence->previous;
    struct choice best;

    copy_choice(&best, &scan->best);
    if (str_starts(scan->rest, STR("?:")))
        skip(scan, 2);
    else if (peek(scan) == '?' || peek(scan) == '*')
        lose(scan);
    add_item(sequence, NOTHING);
    sequence->group = scan_choice(scan, previous);
    sequence->ends_in_group = true;
    skip(scan, 1);
    if (peek(scan) == '*' || peek(scan) == '?' || peek(scan) == '{')
        copy_choice(&scan->best, &best);
}

/* Whether a byte outside of classes may not stand for itself. */
static bool is_special(char c)
{
    switch (c) {
    case '\\':
    case '[':
    case '(':
    case ')':
    case '^':
    case '$':
    case '.':
    case '*':
    case '+':
    case '?':
    case '{':
    case '|':
        return true;
    default:
        return false;
    }
}

/* Takes the bytes that stand for themselves, up to one that does not and
 * without the one before it, which a quantifier may follow. */
static void take_plain(struct scan *scan, struct sequence *sequence)
{
    size_t n = 0;

    while (n < scan->rest.len && !is_special(scan->rest.ptr[n]))
        n++;
    for (size_t i = 0; i + 1 < n; i++)
        add_byte(scan, sequence, (unsigned char)scan->rest.ptr[i]);
    skip(scan, n ? n - 1 : 0);
}

/* Reads items up to a '|', a ')' or the end; previous is the byte before them,
 * or NOTHING. */
static struct sieve_bits scan_sequence(struct scan *scan, int previous)
{
    struct sequence sequence = {.last = NOTHING, .previous = previous};
    int c;

    while ((c = peek(scan)) >= 0 && c != '|' && c != ')') {
        take_plain(scan, &sequence);
        c = peek(scan);
        skip(scan, 1);
        if (c == '\\') {
            take_escape(scan, &sequence);
        } else if (c == '[') {
            skip_class(scan);
            add_item(&sequence, NOTHING);
        } else if (c == '(') {
            take_group(scan, &sequence);
        } else if (c == '^') {
            add_item(&sequence, EDGE);
        } else if (c == '$') {
            add_end(&sequence);
        } else if (c == '.') {
            add_item(&sequence, NOTHING);
        } else if (c == '*' || c == '+' || c == '?' || c == '{') {
            lose(scan); /* a quantifier of a quantifier */
        } else {
            add_byte(scan, &sequence, (unsigned char)c);
        }
        take_quantifier(scan, &sequence);
    }
    end_last(&sequence);
    return sequence.bits;
}

static unsigned count_bits(const struct sieve_bits *bits)
{
    unsigned count = 0;

    for (unsigned i = 0; i < SIEVE_WORDS; i++) {
        for (uint64_t word = bits->words[i]; word; word &= word - 1)
            count++;
    }
    return count;
}

/* How many bits the easiest alternative of a choice needs. */
static unsigned strength_of(const struct choice *choice)
{
    unsigned least = choice->count ? UINT_MAX : 0;

    for (unsigned i = 0; i < choice->count; i++) {
        unsigned bits = count_bits(&choice->bits[i]);

        least = bits < least ? bits : least;
    }
    return least;
}

/* Adds an alternative that needs the bits. One that makes a choice itself, as
 * "^(?:io|net)/" does, is as many as that has, while there is room. */
static void add_alternative(struct choice *choice,
                            const struct sieve_bits *bits,
                            const struct choice *inner)
{
    bool is_many = strength_of(inner) &&
                   choice->count + inner->count <= SIEVE_CHOICES_MOST;
    unsigned n = is_many ? inner->count : 1;

    for (unsigned i = 0; i < n; i++, choice->count++) {
        if (choice->count >= SIEVE_CHOICES_MOST)
            continue;
        choice->bits[choice->count] = *bits;
        if (is_many)
            add_bits(&choice->bits[choice->count], &inner->bits[i]);
    }
}

/* Reads sequences with '|' between them: what all of them need is needed. A
 * choice inside of one alternative need not be made. */
static struct sieve_bits scan_choice(struct scan *scan, int previous)
{
    struct choice before;
    struct choice own;
    struct sieve_bits bits;

    own.count = 0;
    copy_choice(&before, &scan->best);
    if (++scan->depth > DEPTH_MOST)
        lose(scan);
    scan->best.count = 0;
    bits = scan_sequence(scan, previous);
    if (peek(scan) == '|')
        add_alternative(&own, &bits, &scan->best);
    else
        copy_choice(&own, &scan->best);
    while (peek(scan) == '|') {
        struct sieve_bits other;

        skip(scan, 1);
        scan->best.count = 0;
        other = scan_sequence(scan, previous);
        add_alternative(&own, &other, &scan->best);
        for (unsigned i = 0; i < SIEVE_WORDS; i++)
            bits.words[i] &= other.words[i];
    }
    if (own.count > SIEVE_CHOICES_MOST)
        own.count = 0;
    copy_choice(&scan->best,
                strength_of(&own) > strength_of(&before) ? &own : &before);
    scan->depth--;
    return bits;
}

struct sieve sieve_of_expression(
    struct str expression, struct sieve_bits room[static SIEVE_CHOICES_MOST])
{
    struct sieve found = {.choices = room};
    struct scan scan;

    scan.rest = expression;
    scan.is_lost = false;
    scan.best.count = scan.depth = 0;
    scan.is_caseless = str_cut_prefix(&scan.rest, STR("(?i)"));
    found.needed = scan_choice(&scan, NOTHING);
    if (scan.is_lost || scan.rest.len)
        return (struct sieve){.choices = room};
    found.is_caseless = scan.is_caseless;
    found.n_choices = strength_of(&scan.best) ? scan.best.count : 0;
    memcpy(room, scan.best.bits, found.n_choices * sizeof(*room));
    return found;
}
