#include "base/buf.h"
#include "rules/lint.h"

/* Probes are as long as a long name. Beyond that even what grows with the
 * square of the length would reach the limit, and need not be avoided. */
enum { PROBE_LENGTH = 64, PROBE_LETTERS = 6 };

struct pattern_look {
    const struct lint *lint;
    const struct rule *rule;
    const struct pattern *pattern;
    const struct origin *origin;
    bool is_excluding; /* stands in `not` */
};

static void warn(const struct pattern_look *look, const char *message)
{
    lint_add(look->lint, PROBLEM_WARNING, look->rule, look->origin, "%s",
             message);
}

/* Passes over one item of an expression: an escape or a byte. */
static size_t item_length(struct str rest)
{
    return rest.len > 1 && rest.ptr[0] == '\\' ? 2 : 1;
}

/* Whether what begins here repeats the item before it without end. */
static bool is_endless(struct str rest)
{
    size_t close = str_find(rest, '}');

    if (!rest.len)
        return false;
    if (rest.ptr[0] == '{')
        return close < rest.len && close && rest.ptr[close - 1] == ',';
    return rest.ptr[0] == '*' || rest.ptr[0] == '+';
}

/* Whether an expression repeats a group without end that repeats something in
 * it without end: only such can take exponential time. */
static bool has_nested_repeat(struct str expression)
{
    bool repeats[32] = {false}; /* at each depth of groups */
    size_t depth = 0;

    for (size_t i = 0; i < expression.len;
         i += item_length(str_skip(expression, i))) {
        struct str rest = str_skip(expression, i);
        bool is_group = rest.ptr[0] == ')';

        if (rest.ptr[0] == '(' && depth + 1 < sizeof(repeats))
            repeats[++depth] = false;
        if (is_group && depth) {
            bool inner = repeats[depth--];

            if (inner && is_endless(str_skip(rest, 1)))
                return true;
            repeats[depth] = repeats[depth] || inner;
        }
        if (!is_group && is_endless(rest))
            repeats[depth] = true;
    }
    return false;
}

/* Letters that an expression speaks of, and some that its classes may. */
static size_t probe_letters(struct str expression, char *letters)
{
    size_t n = 0;

    for (size_t i = 0; i < expression.len && n < PROBE_LETTERS - 2;
         i += item_length(str_skip(expression, i))) {
        char c = expression.ptr[i];
        bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                         c == '/' || (c >= '0' && c <= '9');

        if (is_letter && !memchr(letters, c, n))
            letters[n++] = c;
    }
    if (!memchr(letters, 'a', n))
        letters[n++] = 'a';
    letters[n++] = '.';
    return n;
}

/* Whether the pattern gives up on two letters said again and again. A byte
 * that nothing is likely to match follows, and all letters once more: PCRE2
 * does not even try where one that it needs is nowhere. */
static bool gives_up(struct pattern *pattern, const char *letters, size_t n,
                     size_t a, size_t b)
{
    char text[PROBE_LENGTH + 1 + PROBE_LETTERS];

    for (size_t i = 0; i < PROBE_LENGTH; i++)
        text[i] = letters[i % 2 ? b : a];
    text[PROBE_LENGTH] = '\x01';
    memcpy(text + PROBE_LENGTH + 1, letters, n);
    return pattern_match(pattern, (struct str){text, PROBE_LENGTH + 1 + n}) ==
           PATTERN_LIMIT;
}

/* A pattern that had no memory gives up too, which says nothing about it. */
static void note_starved(const struct pattern_look *look,
                         const struct pattern *pattern)
{
    if (pattern_is_starved(pattern))
        *look->lint->is_starved = true;
}

/* Tries what a hostile name could be made of. */
static void look_for_runaway(const struct pattern_look *look)
{
    struct str expression = pattern_expression(look->pattern);
    struct pattern *pattern = NULL;
    char letters[PROBE_LETTERS];
    size_t n = probe_letters(expression, letters);
    bool is_found = false;

    if (!has_nested_repeat(expression))
        return;
    if (pattern_new(&pattern, expression, NULL) != 0) {
        *look->lint->is_starved = true; /* else it could not be loaded */
        return;
    }
    for (size_t a = 0; a < n && !is_found; a++) {
        for (size_t b = 0; b < n && !is_found; b++)
            is_found = gives_up(pattern, letters, n, a, b);
    }
    note_starved(look, pattern);
    pattern_free(pattern);
    if (is_found)
        warn(look, "a repetition within a repetition can run away: a name of "
                   "64 bytes reaches the limit of steps, and then nothing is "
                   "matched");
}

/* Whether a pattern matches whatever it is given. */
static bool matches_all(struct pattern *pattern)
{
    static const struct str probes[] = {STR_INIT("q"), STR_INIT("Z9"),
                                        STR_INIT("~"), STR_INIT("\x01")};

    for (size_t i = 0; i < sizeof(probes) / sizeof(probes[0]); i++) {
        if (pattern_match(pattern, probes[i]) != PATTERN_YES)
            return false;
    }
    return true;
}

/* Text that no name holds as reports print it, and why. */
static const struct {
    struct str text; /* in the expression */
    const char *message;
} impossible[] = {
    {STR_INIT("(\\*"), "these parentheses make a group, and match none; write "
                       "\\(\\*T\\) for the receiver of a Go method"},
    {STR_INIT(" "), "no name of a function holds a blank; arguments and places "
                    "are not part of it"},
    {STR_INIT("%2e"), "names are matched decoded; write \\. for %2e"},
    {STR_INIT("/vendor/"), "folders up to /vendor/ are cut from names; begin "
                           "with what follows"},
    {STR_INIT("\\(0x"), "arguments are not part of a name"},
    {STR_INIT("\\.go:"),
     "this looks like a place; the key 'file' matches paths "
     "of files"},
};

/* Whether a text stands in an expression other than behind a backslash. */
static bool holds_bare(struct str expression, struct str text)
{
    for (size_t i = 0; i < expression.len;
         i += item_length(str_skip(expression, i))) {
        if (str_starts(str_skip(expression, i), text))
            return true;
    }
    return false;
}

static bool is_word_char(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (c >= '0' && c <= '9');
}

/* Whether an expression has a '.' between letters, as in net/http.Get, that was
 * hardly meant to match any character. */
static bool has_loose_dot(struct str expression)
{
    for (size_t i = 0; i + 1 < expression.len;
         i += item_length(str_skip(expression, i))) {
        char next = expression.ptr[i + 1];

        if (i && expression.ptr[i] == '.' &&
            is_word_char(expression.ptr[i - 1]) &&
            !(i > 1 && expression.ptr[i - 2] == '\\') &&
            (is_word_char(next) ||
             str_starts(str_skip(expression, i + 1), STR("\\("))))
            return true;
    }
    return false;
}

/* Looks at one pattern on names of functions. */
static void look_at(const struct pattern_look *look, struct pattern *pattern)
{
    struct str expression = pattern_expression(pattern);

    bool is_boundless = matches_all(pattern);

    note_starved(look, pattern);
    look_for_runaway(look);
    if (is_boundless)
        warn(look, look->is_excluding
                       ? "this matches every name, so 'not' excludes everything"
                       : "this matches every name; leave it out");
    for (size_t i = 0; i < sizeof(impossible) / sizeof(impossible[0]); i++) {
        if (holds_bare(expression, impossible[i].text)) {
            warn(look, impossible[i].message);
            return;
        }
    }
    if (has_loose_dot(expression))
        warn(look, "a '.' matches any character; write '\\.' for the dot of a "
                   "name");
}

static void look_at_all(struct pattern_look look,
                        const struct patterns *patterns)
{
    for (size_t i = 0; i < patterns->count; i++) {
        look.pattern = patterns->items[i];
        look.origin = &patterns->origins[i];
        if (patterns->items[i])
            look_at(&look, patterns->items[i]);
    }
}

/* Looks at the patterns on names: those of other keys match free text, where
 * '.' stands for "there is one". */
static void look_at_match(struct pattern_look look, const struct match *match)
{
    look_at_all(look, &match->leaf);
    look_at_all(look, &match->site);
    look_at_all(look, &match->any);
    look_at_all(look, &match->all);
    look_at_all(look, &match->chain);
    look_at_all(look, &match->bottom);
    look.is_excluding = true;
    if (match->except)
        look_at_match(look, match->except);
}

void lint_patterns(const struct lint *lint, const struct rule *rule)
{
    struct pattern_look look = {.lint = lint, .rule = rule};

    look_at_match(look, &rule->match);
    look.is_excluding = true;
    for (const struct exception *at = rule->exceptions; at; at = at->next)
        look_at_match(look, &at->match);
}
