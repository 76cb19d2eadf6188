#include "rules/nearest.h"

#include "model/state.h"

enum { WORD_MOST = 64, HOLDS_LEAST = 4 };

struct lower {
    char text[WORD_MOST];
};

/* A word in lower case, as far as it fits. */
static struct str to_lower(struct lower *lower, struct str word)
{
    size_t len = word.len < WORD_MOST ? word.len : WORD_MOST;

    for (size_t i = 0; i < len; i++) {
        char c = word.ptr[i];

        lower->text[i] = c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
    }
    return (struct str){lower->text, len};
}

/* How many edits still look like a slip. */
static size_t slips_for(size_t len)
{
    return len <= 3 ? 1 : len <= 8 ? 2 : 3;
}

/* Whether a holds b, and b is long enough to mean something. */
static bool holds(struct str a, struct str b)
{
    return b.len >= HOLDS_LEAST && str_contains(a, b);
}

/* How many bytes both begin with. */
static size_t common_start(struct str a, struct str b)
{
    size_t i = 0;

    while (i < a.len && i < b.len && a.ptr[i] == b.ptr[i])
        i++;
    return i;
}

/* The word with the fewest edits; of equals the one that begins alike, since
 * people cut words short at their end. */
static size_t find_slip(struct str wanted, size_t n, nearest_word_fn *word,
                        const void *user)
{
    struct lower lower;
    size_t least = slips_for(wanted.len) + 1;
    size_t start = 0;
    size_t best = n;

    for (size_t i = 0; i < n; i++) {
        struct str known = to_lower(&lower, word(user, i));
        size_t distance = str_distance(wanted, known, least);
        size_t same = common_start(wanted, known);

        if (distance > least ||
            (distance == least && (best == n || same <= start)))
            continue;
        best = i;
        least = distance;
        start = same;
    }
    return best;
}

/* The first of n words that holds the wanted one whole, or that it holds. */
static size_t find_part(struct str wanted, size_t n, nearest_word_fn *word,
                        const void *user)
{
    struct lower lower;

    for (size_t i = 0; i < n; i++) {
        struct str known = to_lower(&lower, word(user, i));

        if (holds(known, wanted) || holds(wanted, known))
            return i;
    }
    return n;
}

/* The nearest of n words, of which the first n_parts may also be found by a
 * part. */
static size_t find_nearest(struct str text, size_t n, size_t n_parts,
                           nearest_word_fn *word, const void *user)
{
    struct lower lower;
    struct str wanted = to_lower(&lower, text);
    size_t best;

    if (!text.len || text.len > WORD_MOST)
        return n;
    best = find_slip(wanted, n, word, user);
    if (best < n)
        return best;
    best = find_part(wanted, n_parts, word, user);
    return best < n_parts ? best : n;
}

size_t nearest_find(struct str text, size_t n, nearest_word_fn *word,
                    const void *user)
{
    return find_nearest(text, n, n, word, user);
}

static struct str word_of_list(const void *user, size_t index)
{
    const char *const *words = user;

    return str_from(words[index]);
}

size_t nearest_of(struct str text, const char *const *words, size_t n)
{
    return nearest_find(text, n, word_of_list, words);
}

static struct str word_of_state(const void *user, size_t index)
{
    (void)user;
    return state_word((state_id)index);
}

/* The states behind STATE_NOT_STARTED are the runtime's own affairs: "blocked"
 * does not mean its trace reader. */
struct str nearest_state(struct str text)
{
    size_t index = find_nearest(text, N_STATES, STATE_NOT_STARTED + 1,
                                word_of_state, NULL);

    return index < N_STATES ? state_word((state_id)index) : (struct str){0};
}
