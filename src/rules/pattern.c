#include "rules/pattern.h"

#include <stdlib.h>

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include "rules/sieve.h"

enum {
    EXPRESSION_MOST = 4096, /* bytes of an expression */
    TEXT_MOST = 1024,       /* bytes of a text that are looked at */

    /* What one match may cost. The library counts steps anew from every byte
     * where a match could begin, and a step may pass over all bytes, so n
     * bytes can cost n times n times the steps. */
    STEPS_MOST = 50000,
    WORK_MOST = 100000000,
    DEPTH_MOST = 20000,
    HEAP_MOST_KIB = 8192,

    HITS_MOST = 32, /* after so many the expression is not tried again */

    /* Two bits a text, the answer plus one; 0 = not asked yet. */
    MEMO_BITS = 2,
    MEMO_TEXTS = 64 / MEMO_BITS, /* texts in a word */
    MEMO_SHARE = 2048,           /* one memo gets this part of the budget, */
    MEMO_LEAVES = 8,             /* unless no more than this part is left */
};

struct pattern {
    pcre2_code *code;
    pcre2_match_context *context;
    pcre2_match_data *data;
    uint64_t *memo;
    size_t memo_words;
    struct budget *budget; /* of the memo */
    uint64_t limit_hits;
    text_id first_limit;
    bool may_match;
    bool is_starved;
    bool is_marked;
    struct sieve sieve;
    struct str expression; /* follows the struct and the sieve's choices,
                              unless the pattern was known */
};

static int out_of_memory(struct cprof_error *err)
{
    return error_memory(err, (struct place){0}, "compiling an expression");
}

/* Compiles an expression. UTF mode is refused, which "(*UTF)" would turn on:
 * a name that is no UTF-8 could then not be matched at all. */
static int compile(pcre2_code **ret, struct str expression,
                   struct cprof_error *err)
{
    pcre2_compile_context *context = pcre2_compile_context_create(NULL);
    PCRE2_UCHAR text[128];
    PCRE2_SIZE offset;
    int why;

    if (!context)
        return out_of_memory(err);
    pcre2_set_max_pattern_length(context, EXPRESSION_MOST);
    *ret = pcre2_compile((PCRE2_SPTR)(expression.ptr ? expression.ptr : ""),
                         expression.len, PCRE2_NEVER_UTF | PCRE2_DOLLAR_ENDONLY,
                         &why, &offset, context);
    pcre2_compile_context_free(context);
    if (*ret)
        return 0;
    if (why == PCRE2_ERROR_HEAP_FAILED)
        return out_of_memory(err);
    pcre2_get_error_message(why, text, sizeof(text));
    return error_set(err, CPROF_ERULE, (struct place){.column = offset + 1},
                     "bad regular expression: %s", (const char *)text);
}

/* A pattern that is not compiled yet, of an expression that outlives it; NULL
 * when memory ran out. */
static struct pattern *new_pattern(struct str expression,
                                   const struct sieve *sieve, size_t n_more)
{
    size_t size = sieve->n_choices * sizeof(*sieve->choices);
    struct pattern *pattern = calloc(1, sizeof(*pattern) + size + n_more);

    if (!pattern)
        return NULL;
    if (size)
        memcpy(pattern + 1, sieve->choices, size);
    pattern->sieve = *sieve;
    pattern->sieve.choices = (const struct sieve_bits *)(pattern + 1);
    pattern->expression = expression;
    return pattern;
}

struct pattern *pattern_new_known(struct str expression,
                                  const struct sieve *sieve)
{
    return new_pattern(expression, sieve, 0);
}

/* Compiles the expression of a pattern, with all that running it needs. What a
 * failure leaves is freed with the pattern, or taken up by the next try. */
static int compile_pattern(struct pattern *pattern, struct cprof_error *err)
{
    int failed = 0;

    if (!pattern->code)
        failed = compile(&pattern->code, pattern->expression, err);
    if (failed)
        return failed;
    if (!pattern->context)
        pattern->context = pcre2_match_context_create(NULL);
    if (pattern->context)
        pattern->data = pcre2_match_data_create(2, NULL);
    if (!pattern->context || !pattern->data)
        return out_of_memory(err);
    pcre2_set_depth_limit(pattern->context, DEPTH_MOST);
    pcre2_set_heap_limit(pattern->context, HEAP_MOST_KIB);
    return 0;
}

int pattern_new(struct pattern **ret, struct str expression,
                struct cprof_error *err)
{
    struct sieve_bits room[SIEVE_CHOICES_MOST];
    struct sieve sieve = sieve_of_expression(expression, room);
    struct pattern *pattern =
        new_pattern(expression, &sieve, expression.len + 1);
    char *copy;
    int failed;

    if (!pattern)
        return out_of_memory(err);
    copy = (char *)(pattern + 1) + sieve.n_choices * sizeof(*room);
    if (expression.len)
        memcpy(copy, expression.ptr, expression.len);
    pattern->expression.ptr = copy;
    failed = compile_pattern(pattern, err);
    if (failed)
        pattern_free(pattern);
    else
        *ret = pattern;
    return failed;
}

void pattern_forget(struct pattern *pattern)
{
    if (pattern->memo)
        budget_free(pattern->budget, pattern->memo,
                    pattern->memo_words * sizeof(*pattern->memo));
    pattern->memo = NULL;
    pattern->memo_words = 0;
    pattern->budget = NULL;
    pattern->limit_hits = 0;
    pattern->first_limit = 0;
    pattern->may_match = false;
}

void pattern_free(struct pattern *pattern)
{
    if (!pattern)
        return;
    pattern_forget(pattern);
    pcre2_match_data_free(pattern->data);
    pcre2_match_context_free(pattern->context);
    pcre2_code_free(pattern->code);
    free(pattern);
}

struct str pattern_expression(const struct pattern *pattern)
{
    return pattern->expression;
}

const struct sieve *pattern_sieve(const struct pattern *pattern)
{
    return &pattern->sieve;
}

bool pattern_mark(struct pattern *pattern)
{
    bool was_marked = pattern->is_marked;

    pattern->is_marked = true;
    return !was_marked;
}

void pattern_unmark(struct pattern *pattern)
{
    pattern->is_marked = false;
}

/* The steps that a match may take from one beginning in n bytes. A plain ".*"
 * goes back once a byte, which must stay possible. */
static uint32_t steps_for(size_t n)
{
    size_t steps = WORK_MOST / (n * n + 1);

    if (steps > STEPS_MOST)
        steps = STEPS_MOST;
    return (uint32_t)(steps < n + 100 ? n + 100 : steps);
}

/* Remembers that there was no memory for an answer, here and in the account of
 * those who asked. */
static void note_refusal(struct pattern *pattern)
{
    pattern->is_starved = true;
    if (pattern->budget)
        budget_note_refusal(pattern->budget);
}

enum pattern_answer pattern_match(struct pattern *pattern, struct str text)
{
    struct str part = str_head(text, TEXT_MOST);
    int found;

    if (!pattern->data && compile_pattern(pattern, NULL) < 0)
        note_refusal(pattern);
    if (!pattern->data || pattern->limit_hits >= HITS_MOST) {
        pattern->limit_hits++;
        return PATTERN_LIMIT;
    }
    pcre2_set_match_limit(pattern->context, steps_for(part.len));
    found = pcre2_match(pattern->code, (PCRE2_SPTR)(part.ptr ? part.ptr : ""),
                        part.len, 0, part.len < text.len ? PCRE2_NOTEOL : 0,
                        pattern->data, pattern->context);
    if (found >= 0)
        return PATTERN_YES;
    if (found == PCRE2_ERROR_NOMATCH)
        return PATTERN_NO;
    if (found == PCRE2_ERROR_NOMEMORY)
        note_refusal(pattern);
    pattern->limit_hits++;
    return PATTERN_LIMIT;
}

bool pattern_find(struct pattern *pattern, struct str text, struct str *ret)
{
    const PCRE2_SIZE *at;
    uint32_t n_groups = 0;

    if (pattern_match(pattern, text) != PATTERN_YES)
        return false;
    pcre2_pattern_info(pattern->code, PCRE2_INFO_CAPTURECOUNT, &n_groups);
    at = pcre2_get_ovector_pointer(pattern->data);
    if (n_groups && at[2] != PCRE2_UNSET)
        at += 2;
    *ret = str_head(str_skip(text, at[0]), at[1] - at[0]);
    return true;
}

bool pattern_matches_empty(struct pattern *pattern)
{
    return pattern_match(pattern, STR("")) != PATTERN_NO;
}

/* Makes room for the answer about a text, and about all that are known now. */
static bool memo_grow(struct pattern *pattern, const struct symbols *symbols,
                      text_id id)
{
    size_t most = symbols_n_texts(symbols);
    size_t words = (id > most ? id : most) / MEMO_TEXTS + 1;
    size_t old = pattern->memo_words;
    uint64_t *memo;

    pattern->budget = symbols_budget(symbols);
    if (words * sizeof(*memo) > pattern->budget->limit / MEMO_SHARE ||
        budget_left(pattern->budget) <
            words * sizeof(*memo) + pattern->budget->limit / MEMO_LEAVES)
        return false;
    memo = budget_resize(pattern->budget, pattern->memo, old * sizeof(*memo),
                         words * sizeof(*memo));
    if (!memo)
        return false;
    memset(memo + old, 0, (words - old) * sizeof(*memo));
    pattern->memo = memo;
    pattern->memo_words = words;
    return true;
}

/* The answer that is remembered for a text, plus one; 0 = none. */
static unsigned memo_get(const struct pattern *pattern, text_id id)
{
    unsigned shift = id % MEMO_TEXTS * MEMO_BITS;

    return (unsigned)(pattern->memo[id / MEMO_TEXTS] >> shift) & 3u;
}

static void memo_put(struct pattern *pattern, text_id id,
                     enum pattern_answer answer)
{
    unsigned shift = id % MEMO_TEXTS * MEMO_BITS;

    pattern->memo[id / MEMO_TEXTS] |= (uint64_t)(answer + 1u) << shift;
    if (answer == PATTERN_LIMIT && !pattern->first_limit)
        pattern->first_limit = id;
}

enum pattern_answer pattern_match_id(struct pattern *pattern,
                                     const struct symbols *symbols, text_id id)
{
    enum pattern_answer answer;
    unsigned known;

    /* Without room in the memo the answers are only slower. */
    if (id / MEMO_TEXTS >= pattern->memo_words &&
        !memo_grow(pattern, symbols, id))
        return pattern_match(pattern, symbols_text(symbols, id));
    known = memo_get(pattern, id);
    if (known)
        return (enum pattern_answer)(known - 1);
    answer = pattern_match(pattern, symbols_text(symbols, id));
    memo_put(pattern, id, answer);
    return answer;
}

/* Forgets "no" about those of some texts that are in a set: nobody has asked
 * about them yet. */
static void reopen(struct pattern *pattern, const text_id *texts,
                   const struct sieve_set *set)
{
    for (unsigned i = 0; i < SIEVE_TEXTS / 64; i++) {
        if (set->words[i])
            pattern->may_match = true;
        for (uint64_t rest = set->words[i]; rest; rest &= rest - 1) {
            text_id id = texts[i * 64 + (unsigned)__builtin_ctzll(rest)];

            if (memo_get(pattern, id) == PATTERN_NO + 1)
                pattern->memo[id / MEMO_TEXTS] &=
                    ~(UINT64_C(3) << id % MEMO_TEXTS * MEMO_BITS);
        }
    }
}

/* Lets each of n patterns forget that it does not match those of the texts, no
 * more than SIEVE_TEXTS, that it may match. */
static void sift(struct pattern *const *patterns, size_t n,
                 const struct symbols *symbols, const text_id *texts,
                 size_t n_texts)
{
    struct sieve_texts names = {.count = 0};

    for (size_t i = 0; i < n_texts; i++)
        sieve_texts_add(&names, symbols_text(symbols, texts[i]));
    for (size_t p = 0; p < n; p++) {
        struct sieve_set set = sieve_pass(&patterns[p]->sieve, &names);

        reopen(patterns[p], texts, &set);
    }
}

/* Remembers "no" for all texts about which no answer is known; in no_all each
 * text that is meant has that answer. */
static void memo_fill(struct pattern *pattern, const uint64_t *no_all,
                      size_t words)
{
    static const uint64_t low_bits = 0x5555555555555555u;

    for (size_t i = 0; i < words; i++) {
        uint64_t known = pattern->memo[i];

        pattern->memo[i] |= no_all[i] & ~(known | known >> 1) & low_bits;
    }
}

/* Makes room in the memos of all patterns for the texts up to an id. */
static bool memos_grow(struct pattern *const *patterns, size_t n,
                       const struct symbols *symbols, text_id last)
{
    for (size_t p = 0; p < n; p++) {
        if (last / MEMO_TEXTS >= patterns[p]->memo_words &&
            !memo_grow(patterns[p], symbols, last))
            return false;
    }
    return true;
}

bool patterns_prepare(struct pattern *const *patterns, size_t n,
                      const struct symbols *symbols, const text_id *texts,
                      size_t n_texts)
{
    text_id last = (text_id)symbols_n_texts(symbols);
    size_t words = last / MEMO_TEXTS + 1;
    uint64_t *no_all;

    if (!memos_grow(patterns, n, symbols, last))
        return false;
    no_all = calloc(words, sizeof(*no_all));
    if (!no_all)
        return false;
    for (size_t i = 0; i < n_texts; i++)
        no_all[texts[i] / MEMO_TEXTS] |= (PATTERN_NO + UINT64_C(1))
                                         << texts[i] % MEMO_TEXTS * MEMO_BITS;
    for (size_t p = 0; p < n; p++)
        memo_fill(patterns[p], no_all, words);
    for (size_t i = 0; i < n_texts; i += SIEVE_TEXTS) {
        size_t rest = n_texts - i;

        sift(patterns, n, symbols, texts + i,
             rest < SIEVE_TEXTS ? rest : SIEVE_TEXTS);
    }
    free(no_all);
    return true;
}

bool pattern_is_starved(const struct pattern *pattern)
{
    return pattern->is_starved;
}

bool pattern_may_match(const struct pattern *pattern)
{
    return pattern->may_match;
}

uint64_t pattern_limit_hits(const struct pattern *pattern, text_id *ret_first)
{
    *ret_first = pattern->first_limit;
    return pattern->limit_hits;
}
