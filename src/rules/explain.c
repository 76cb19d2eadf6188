#include "rules/explain.h"

#include "rules/held.h"
#include "rules/nearest.h"
#include "rules/words.h"

typedef void placeholder_fn(struct buf *out, const struct finding *finding,
                            const struct explain_facts *facts);

/* What each placeholder appends; the table below names them. */
static void add_count(struct buf *out, const struct finding *finding,
                      const struct explain_facts *facts)
{
    (void)facts;
    words_count(out, finding->count);
}

static void add_share(struct buf *out, const struct finding *finding,
                      const struct explain_facts *facts)
{
    (void)facts;
    words_share(out, finding->share);
}

static void add_age(struct buf *out, const struct finding *finding,
                    const struct explain_facts *facts)
{
    (void)facts;
    if (finding->has_age)
        words_age(out, (uint32_t)(finding->age_max_s / 60));
    else
        buf_add(out, STR("an unknown time"));
}

static void add_site(struct buf *out, const struct finding *finding,
                     const struct explain_facts *facts)
{
    if (finding->site != FRAME_NONE)
        words_site(out, facts->symbols, finding->site);
    else if (facts->has_sites)
        buf_add(out, STR("several places"));
    else
        buf_add(out, STR("an unknown place"));
}

static void add_state(struct buf *out, const struct finding *finding,
                      const struct explain_facts *facts)
{
    if (facts->has_states)
        buf_add(out, STR("several states"));
    else if (finding->state == STATE_UNKNOWN)
        buf_add(out, STR("an unknown state"));
    else
        buf_add(out, symbols_state(facts->symbols, finding->state));
}

static void add_leaked(struct buf *out, const struct finding *finding,
                       const struct explain_facts *facts)
{
    (void)finding;
    words_count(out, facts->leaked);
}

static void add_holder(struct buf *out, const struct finding *finding,
                       const struct explain_facts *facts)
{
    held_add(out, facts->symbols, finding->holding);
}

static void add_title(struct buf *out, const struct finding *finding,
                      const struct explain_facts *facts)
{
    (void)facts;
    buf_add(out, finding->rule->title);
}

/* ORDER PLACEHOLDER: as EXPLAIN_PLACEHOLDERS in explain.h. */
static const struct {
    struct str name;
    placeholder_fn *add;
} placeholders[] = {
    {STR_INIT("count"), add_count},   {STR_INIT("share"), add_share},
    {STR_INIT("age"), add_age},       {STR_INIT("site"), add_site},
    {STR_INIT("state"), add_state},   {STR_INIT("leaked"), add_leaked},
    {STR_INIT("holder"), add_holder}, {STR_INIT("title"), add_title},
};

enum { N_PLACEHOLDERS = sizeof(placeholders) / sizeof(placeholders[0]) };

static struct str placeholder_word(const void *user, size_t index)
{
    (void)user;
    return placeholders[index].name;
}

/* The index of a known placeholder, or N_PLACEHOLDERS. */
static size_t find_placeholder(struct str name)
{
    size_t i = 0;

    while (i < N_PLACEHOLDERS && !str_equal(placeholders[i].name, name))
        i++;
    return i;
}

static bool is_name_char(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* Finds the next {word} at or behind *at, which becomes its place. */
static bool next_word(struct str text, size_t *at, struct str *ret_name)
{
    for (size_t i = *at; i < text.len; i++) {
        size_t end = i + 1;

        if (text.ptr[i] != '{')
            continue;
        while (end < text.len && is_name_char(text.ptr[end]))
            end++;
        if (end == i + 1 || end == text.len || text.ptr[end] != '}')
            continue;
        *at = i;
        *ret_name = (struct str){text.ptr + i + 1, end - i - 1};
        return true;
    }
    return false;
}

/* Finds the first {word} that is a known placeholder, or that is none. */
static bool find_word(struct str text, bool is_known, size_t *ret_at,
                      struct str *ret_name)
{
    for (size_t at = 0; next_word(text, &at, ret_name);
         at += ret_name->len + 2) {
        if ((find_placeholder(*ret_name) < N_PLACEHOLDERS) == is_known) {
            *ret_at = at;
            return true;
        }
    }
    return false;
}

bool explain_find(struct str text, size_t *ret_at, size_t *ret_len)
{
    struct str name = {0};

    if (!find_word(text, true, ret_at, &name))
        return false;
    *ret_len = name.len + 2;
    return true;
}

bool explain_find_unknown(struct str text, size_t *ret_at, size_t *ret_len,
                          struct str *ret_near)
{
    struct str name = {0};
    size_t near;

    if (!find_word(text, false, ret_at, &name))
        return false;
    near = nearest_find(name, N_PLACEHOLDERS, placeholder_word, NULL);
    *ret_len = name.len + 2;
    *ret_near =
        near < N_PLACEHOLDERS ? placeholders[near].name : (struct str){0};
    return true;
}

void explain_add(struct buf *out, const struct finding *finding,
                 const struct explain_facts *facts)
{
    struct str text = finding->rule->explain;
    struct str name;

    for (size_t at = 0; next_word(text, &at, &name); at = 0) {
        size_t index = find_placeholder(name);

        buf_add(out, str_head(text, at));
        if (index < N_PLACEHOLDERS)
            placeholders[index].add(out, finding, facts);
        text = str_skip(text, at + name.len + 2);
    }
    buf_add(out, text);
}
