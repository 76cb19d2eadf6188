#include "rules/image.h"

/* What an image is written from, and into. */
struct image_writer {
    struct buf *out;
    const struct rules *rules;
};

/* Appends the value of a field. */
typedef void add_fn(struct image_writer *writer, const void *value);

static void add_number(struct image_writer *writer, uint64_t number)
{
    for (; number >= 0x80; number >>= 7)
        buf_add_char(writer->out, (char)(number | 0x80));
    buf_add_char(writer->out, (char)number);
}

static void add_text(struct image_writer *writer, const void *value)
{
    const struct str *text = value;

    add_number(writer, text->len);
    buf_add(writer->out, *text);
    buf_add_char(writer->out, '\0');
}

static void add_word(struct image_writer *writer, uint64_t word)
{
    for (unsigned i = 0; i < 64; i += 8)
        buf_add_char(writer->out, (char)(word >> i & 0xff));
}

static void add_enum(struct image_writer *writer, const void *value)
{
    add_number(writer, *(const uint32_t *)value);
}

static void add_long(struct image_writer *writer, const void *value)
{
    add_number(writer, *(const uint64_t *)value);
}

static void add_double(struct image_writer *writer, const void *value)
{
    uint64_t word;

    memcpy(&word, value, sizeof(word));
    add_word(writer, word);
}

/* The place of a pattern among all, plus one. */
static size_t find_pattern(const struct pattern_pool *pool,
                           const struct pattern *pattern)
{
    size_t i = 0;

    while (pool->items[i] != pattern)
        i++;
    return i + 1;
}

static void add_patterns(struct image_writer *writer, const void *value)
{
    const struct patterns *patterns = value;

    add_number(writer, patterns->count);
    for (size_t i = 0; i < patterns->count; i++)
        add_number(writer, patterns->items[i]
                               ? find_pattern(&writer->rules->patterns,
                                              patterns->items[i])
                               : 0);
}

static void add_labels(struct image_writer *writer, const void *value)
{
    const struct match *match = value;

    add_number(writer, match->n_labels);
    for (size_t i = 0; i < match->n_labels; i++) {
        add_text(writer, &match->labels[i].key);
        add_patterns(writer, &match->labels[i].values);
    }
}

static void add_fields(struct image_writer *writer,
                       const struct image_table *table, const void *object);

static void add_not(struct image_writer *writer, const void *value)
{
    add_fields(writer, &image_match, *(const struct match *const *)value);
}

static void add_exceptions(struct image_writer *writer, const void *value)
{
    const struct exception *const *first = value;
    uint64_t n = 0;

    for (const struct exception *at = *first; at; at = at->next)
        n++;
    add_number(writer, n);
    for (const struct exception *at = *first; at; at = at->next)
        add_fields(writer, &image_exception, at);
}

static void add_refs(struct image_writer *writer, const void *value)
{
    const struct rule_refs *refs = value;

    add_number(writer, refs->count);
    for (size_t i = 0; i < refs->count; i++)
        add_text(writer, &refs->items[i].id);
}

static void add_tiers(struct image_writer *writer, const void *value)
{
    const struct tiers *tiers = value;

    add_number(writer, tiers->count);
    for (size_t i = 0; i < tiers->count; i++)
        add_fields(writer, &image_tier, &tiers->items[i]);
}

/* ORDER FIELD: as in image.h. What is looked at to tell whether a field is
 * there must be zero then. */
static const struct {
    add_fn *add;
    size_t offset; /* in the value, of what is looked at */
    size_t size;
} kinds[] = {
    [FIELD_NUMBER] = {add_enum, 0, sizeof(uint32_t)},
    [FIELD_LONG] = {add_long, 0, sizeof(uint64_t)},
    [FIELD_DOUBLE] = {add_double, 0, sizeof(double)},
    [FIELD_TEXT] = {add_text, offsetof(struct str, len), sizeof(size_t)},
    [FIELD_PATTERNS] = {add_patterns, offsetof(struct patterns, count),
                        sizeof(size_t)},
    [FIELD_LABELS] = {add_labels, offsetof(struct match, n_labels),
                      sizeof(size_t)},
    [FIELD_NOT] = {add_not, 0, sizeof(void *)},
    [FIELD_EXCEPTIONS] = {add_exceptions, 0, sizeof(void *)},
    [FIELD_REFS] = {add_refs, offsetof(struct rule_refs, count),
                    sizeof(size_t)},
    [FIELD_TIERS] = {add_tiers, offsetof(struct tiers, count), sizeof(size_t)},
};

static bool is_zero(const char *bytes, size_t n)
{
    while (n && !*bytes) {
        bytes++;
        n--;
    }
    return n == 0;
}

static void add_fields(struct image_writer *writer,
                       const struct image_table *table, const void *object)
{
    for (size_t i = 0; i < table->count; i++) {
        const struct image_field *field = &table->fields[i];
        const char *value = (const char *)object + field->offset;

        if (is_zero(value + kinds[field->kind].offset, kinds[field->kind].size))
            continue;
        add_number(writer, i + 1);
        kinds[field->kind].add(writer, value);
    }
    add_number(writer, 0);
}

static void add_bits(struct image_writer *writer, const struct sieve_bits *bits)
{
    for (unsigned i = 0; i < SIEVE_WORDS; i++)
        add_word(writer, bits->words[i]);
}

static void add_pattern(struct image_writer *writer,
                        const struct pattern *pattern)
{
    const struct sieve *sieve = pattern_sieve(pattern);
    struct str expression = pattern_expression(pattern);

    add_text(writer, &expression);
    add_number(writer, sieve->n_choices * 2 + sieve->is_caseless);
    add_bits(writer, &sieve->needed);
    for (unsigned i = 0; i < sieve->n_choices; i++)
        add_bits(writer, &sieve->choices[i]);
}

static void add_definitions(struct image_writer *writer)
{
    const struct rules *rules = writer->rules;

    add_number(writer, rules->n_definitions);
    for (size_t i = 0; i < rules->n_definitions; i++) {
        add_text(writer, &rules->definitions[i]->name);
        add_text(writer, &rules->definitions[i]->text);
    }
}

/* The place of a rule's file among the names, plus one. */
static uint32_t find_file(const char *const *names, size_t n_names,
                          struct str file)
{
    uint32_t i = 0;

    while (i < n_names && !str_equal(str_from(names[i]), file))
        i++;
    return i + 1;
}

void image_write(const struct rules *rules, const char *const *names,
                 size_t n_names, struct buf *out)
{
    struct image_writer writer = {out, rules};

    add_number(&writer, rules->patterns.count);
    for (size_t i = 0; i < rules->patterns.count; i++)
        add_pattern(&writer, rules->patterns.items[i]);
    add_definitions(&writer);
    add_number(&writer, rules->count);
    for (size_t i = 0; i < rules->count; i++) {
        struct rule rule = *rules->items[i];

        rule.prose_in = find_file(names, n_names, rule.info.file);
        add_fields(&writer, &image_rule, &rule);
    }
}
