#include "rules/builtin.h"
#include "rules/image.h"
#include "rules/load.h"

/* What is left of an image, and what is made of it. */
struct image_reader {
    const char *at;
    struct rules *rules;
};

/* Takes the value of a field. False when memory ran out. */
typedef bool take_fn(struct image_reader *reader, void *into);

static uint64_t take_number(struct image_reader *reader)
{
    unsigned char byte = (unsigned char)*reader->at++;
    uint64_t number = byte & 0x7f;

    for (unsigned shift = 7; byte & 0x80; shift += 7) {
        byte = (unsigned char)*reader->at++;
        number |= (uint64_t)(byte & 0x7f) << shift;
    }
    return number;
}

/* Half of a word; written so that compilers make one load of it. */
static uint64_t half_at(const char *bytes)
{
    const unsigned char *at = (const unsigned char *)bytes;

    return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 |
           (uint32_t)at[3] << 24;
}

static uint64_t take_word(struct image_reader *reader)
{
    uint64_t word = half_at(reader->at) | half_at(reader->at + 4) << 32;

    reader->at += 8;
    return word;
}

static bool take_enum(struct image_reader *reader, void *into)
{
    *(uint32_t *)into = (uint32_t)take_number(reader);
    return true;
}

static bool take_long(struct image_reader *reader, void *into)
{
    *(uint64_t *)into = take_number(reader);
    return true;
}

static bool take_double(struct image_reader *reader, void *into)
{
    uint64_t word = take_word(reader);

    memcpy(into, &word, sizeof(word));
    return true;
}

static bool take_text(struct image_reader *reader, void *into)
{
    size_t len = (size_t)take_number(reader);

    *(struct str *)into = (struct str){reader->at, len};
    reader->at += len + 1;
    return true;
}

static void *take_room(struct image_reader *reader, size_t n, size_t unit)
{
    return arena_take_zero(&reader->rules->arena, n * unit);
}

static bool take_patterns(struct image_reader *reader, void *into)
{
    struct patterns *patterns = into;
    size_t n = (size_t)take_number(reader);

    patterns->items = take_room(reader, n, sizeof(struct pattern *));
    if (!patterns->items)
        return false;
    patterns->count = n;
    for (size_t i = 0; i < n; i++) {
        size_t place = (size_t)take_number(reader);

        if (place)
            patterns->items[i] = reader->rules->patterns.items[place - 1];
    }
    return true;
}

static bool take_labels(struct image_reader *reader, void *into)
{
    struct match *match = into;
    size_t n = (size_t)take_number(reader);

    match->labels = take_room(reader, n, sizeof(*match->labels));
    if (!match->labels)
        return false;
    match->n_labels = n;
    for (size_t i = 0; i < n; i++) {
        take_text(reader, &match->labels[i].key);
        if (!take_patterns(reader, &match->labels[i].values))
            return false;
    }
    return true;
}

static bool take_fields(struct image_reader *reader,
                        const struct image_table *table, void *object);

static bool take_not(struct image_reader *reader, void *into)
{
    struct match *except = take_room(reader, 1, sizeof(*except));

    *(const struct match **)into = except;
    return except && take_fields(reader, &image_match, except);
}

static bool take_exceptions(struct image_reader *reader, void *into)
{
    struct exception **link = into;

    for (uint64_t n = take_number(reader); n > 0; n--) {
        struct exception *exception = take_room(reader, 1, sizeof(*exception));

        if (!exception || !take_fields(reader, &image_exception, exception))
            return false;
        *link = exception;
        link = &exception->next;
    }
    return true;
}

static bool take_refs(struct image_reader *reader, void *into)
{
    struct rule_refs *refs = into;
    size_t n = (size_t)take_number(reader);

    refs->items = take_room(reader, n, sizeof(*refs->items));
    if (!refs->items)
        return false;
    refs->count = n;
    for (size_t i = 0; i < n; i++)
        take_text(reader, &refs->items[i].id);
    return true;
}

static bool take_tiers(struct image_reader *reader, void *into)
{
    struct tiers *tiers = into;
    size_t n = (size_t)take_number(reader);

    tiers->items = take_room(reader, n, sizeof(*tiers->items));
    if (!tiers->items)
        return false;
    tiers->count = n;
    for (size_t i = 0; i < n; i++) {
        if (!take_fields(reader, &image_tier, &tiers->items[i]))
            return false;
    }
    return true;
}

/* ORDER FIELD: as in image.h. */
static take_fn *const takers[] = {
    [FIELD_NUMBER] = take_enum,       [FIELD_LONG] = take_long,
    [FIELD_DOUBLE] = take_double,     [FIELD_TEXT] = take_text,
    [FIELD_PATTERNS] = take_patterns, [FIELD_LABELS] = take_labels,
    [FIELD_NOT] = take_not,           [FIELD_EXCEPTIONS] = take_exceptions,
    [FIELD_REFS] = take_refs,         [FIELD_TIERS] = take_tiers,
};
static_assert(sizeof(takers) / sizeof(takers[0]) == N_FIELD_KINDS, "all kinds");

static bool take_fields(struct image_reader *reader,
                        const struct image_table *table, void *object)
{
    unsigned char place;

    while ((place = (unsigned char)*reader->at++) != 0) {
        const struct image_field *field = &table->fields[place - 1];

        if (!takers[field->kind](reader, (char *)object + field->offset))
            return false;
    }
    return true;
}

static struct sieve_bits take_bits(struct image_reader *reader)
{
    struct sieve_bits bits;

    for (unsigned i = 0; i < SIEVE_WORDS; i++)
        bits.words[i] = take_word(reader);
    return bits;
}

static bool take_pattern(struct image_reader *reader)
{
    struct sieve_bits room[SIEVE_CHOICES_MOST];
    struct sieve sieve = {.choices = room};
    struct str expression;
    uint64_t number;

    take_text(reader, &expression);
    number = take_number(reader);
    sieve.is_caseless = number & 1;
    sieve.n_choices = (unsigned)(number / 2);
    sieve.needed = take_bits(reader);
    for (unsigned i = 0; i < sieve.n_choices; i++)
        room[i] = take_bits(reader);
    return pattern_pool_add_known(&reader->rules->patterns, expression, &sieve);
}

static bool take_definition(struct image_reader *reader)
{
    struct definition *definition = take_room(reader, 1, sizeof(*definition));

    if (!definition)
        return false;
    take_text(reader, &definition->name);
    take_text(reader, &definition->text);
    return rules_define(reader->rules, definition);
}

static bool take_rule(struct image_reader *reader)
{
    struct rule *rule = take_room(reader, 1, sizeof(*rule));

    if (!rule || !take_fields(reader, &image_rule, rule))
        return false;
    rule->info.file = str_from(builtin_rules[rule->prose_in - 1].name);
    rule->info.explain = rule_explain_default();
    rule->is_builtin = true;
    rule->load = reader->rules->load;
    return rules_add(reader->rules, rule);
}

bool image_read(struct rules *rules, struct str image)
{
    static bool (*const steps[])(struct image_reader *) = {
        take_pattern, take_definition, take_rule};
    struct image_reader reader = {.at = image.ptr, .rules = rules};

    rules->load++;
    for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
        for (uint64_t n = take_number(&reader); n > 0; n--) {
            if (!steps[i](&reader))
                return false;
        }
    }
    return true;
}
