#include "pprof/writer.h"

#include "base/hash.h"
#include "pprof/profile.pb-c.h"

/* Fields of the outer message (profile.proto of github.com/google/pprof). */
enum {
    FIELD_SAMPLE_TYPE = 1,
    FIELD_SAMPLE = 2,
    FIELD_MAPPING = 3,
    FIELD_LOCATION = 4,
    FIELD_FUNCTION = 5,
    FIELD_TEXT = 6,
    FIELD_PERIOD_TYPE = 11,
};

enum { MAPPING = 1, LABELS_MOST = 64 };

void profile_writer_init(struct profile_writer *writer, struct buf *out,
                         struct budget *budget)
{
    *writer = (struct profile_writer){.out = out, .budget = budget};
    intern_init(&writer->texts, budget);
    pool_init(&writer->functions, budget, sizeof(struct profile_function));
    table_init(&writer->table, budget);
}

void profile_writer_done(struct profile_writer *writer)
{
    intern_done(&writer->texts);
    pool_done(&writer->functions);
    table_done(&writer->table);
    budget_free(writer->budget, writer->locations,
                writer->size_locations * sizeof(*writer->locations));
    writer->locations = NULL;
    writer->size_locations = 0;
}

static void put_varint(struct buf *out, uint64_t value)
{
    for (; value >= 0x80; value >>= 7)
        buf_add_char(out, (char)(unsigned char)(value | 0x80));
    buf_add_char(out, (char)(unsigned char)value);
}

static void put_head(struct buf *out, uint32_t field, enum wire_type type,
                     uint64_t value)
{
    put_varint(out, (uint64_t)field << 3 | type);
    put_varint(out, value);
}

/* Where protobuf-c packs to. */
struct packing {
    ProtobufCBuffer base;
    struct buf *out;
};

static void append(ProtobufCBuffer *base, size_t len, const uint8_t *bytes)
{
    struct packing *packing = (struct packing *)(void *)base;
    const void *at = bytes;

    buf_add(packing->out, (struct str){at, len});
}

static void put_message(struct buf *out, uint32_t field,
                        const ProtobufCMessage *message)
{
    struct packing packing = {.base = {.append = append}, .out = out};

    put_head(out, field, WIRE_BYTES,
             protobuf_c_message_get_packed_size(message));
    protobuf_c_message_pack_to_buffer(message, &packing.base);
}

profile_text_id profile_writer_text(struct profile_writer *writer,
                                    struct str text)
{
    text_id id = intern_put(&writer->texts, text);

    if (!id && text.len)
        writer->failed = true;
    return id;
}

static void put_type(struct profile_writer *writer, uint32_t field,
                     struct str name, struct str unit)
{
    Profile__ValueType type = PROFILE__VALUE_TYPE__INIT;

    type.type = profile_writer_text(writer, name);
    type.unit = profile_writer_text(writer, unit);
    put_message(writer->out, field, &type.base);
}

void profile_writer_sample_type(struct profile_writer *writer, struct str name,
                                struct str unit)
{
    put_type(writer, FIELD_SAMPLE_TYPE, name, unit);
}

void profile_writer_period_type(struct profile_writer *writer, struct str name,
                                struct str unit)
{
    put_type(writer, FIELD_PERIOD_TYPE, name, unit);
}

void profile_writer_number(struct profile_writer *writer, uint32_t field,
                           uint64_t value)
{
    if (value)
        put_head(writer->out, field, WIRE_VARINT, value);
}

void profile_writer_mapping(struct profile_writer *writer)
{
    Profile__Mapping mapping = PROFILE__MAPPING__INIT;

    mapping.id = MAPPING;
    mapping.memory_limit = UINT64_MAX;
    mapping.has_functions = true;
    mapping.has_filenames = true;
    mapping.has_line_numbers = true;
    put_message(writer->out, FIELD_MAPPING, &mapping.base);
}

static uint64_t hash_function(struct profile_function function)
{
    return hash_mix(function.name, function.file);
}

static uint64_t rehash(const void *user, uint32_t id)
{
    const struct profile_writer *writer = user;
    const struct profile_function *function =
        pool_at(&writer->functions, id - 1);

    return hash_function(*function);
}

/* The id of a function, which is written when it is new; 0 without memory. */
static uint32_t put_function(struct profile_writer *writer,
                             struct profile_function wanted)
{
    Profile__Function message = PROFILE__FUNCTION__INIT;
    uint64_t hash = hash_function(wanted);
    struct table_walk walk = table_walk(&writer->table, hash);
    struct profile_function *function;
    uint32_t id;

    while ((id = table_next(&writer->table, &walk)) != 0) {
        function = pool_at(&writer->functions, id - 1);
        if (function->name == wanted.name && function->file == wanted.file)
            return id;
    }
    function = pool_add(&writer->functions);
    if (function)
        *function = wanted;
    id = (uint32_t)writer->functions.count;
    if (!function || !table_put(&writer->table, hash, id, rehash, writer)) {
        writer->failed = true;
        return 0;
    }
    message.id = id;
    message.name = wanted.name;
    message.system_name = wanted.name;
    message.filename = wanted.file;
    put_message(writer->out, FIELD_FUNCTION, &message.base);
    return id;
}

void profile_writer_location(struct profile_writer *writer, uint64_t id,
                             uint64_t address, struct str function,
                             struct str file, uint32_t line)
{
    Profile__Location location = PROFILE__LOCATION__INIT;
    Profile__Line where = PROFILE__LINE__INIT;
    Profile__Line *lines[] = {&where};

    where.function_id = put_function(
        writer,
        (struct profile_function){.name = profile_writer_text(writer, function),
                                  .file = profile_writer_text(writer, file),
                                  .is_defined = true});
    where.line = line;
    location.id = id;
    location.mapping_id = MAPPING;
    location.address = address;
    location.n_line = 1;
    location.line = lines;
    put_message(writer->out, FIELD_LOCATION, &location.base);
}

/* Sees to it that the locations of a sample fit. */
static bool make_room(struct profile_writer *writer, size_t n)
{
    size_t unit = sizeof(*writer->locations);
    size_t size = writer->size_locations ? writer->size_locations : 64;
    uint64_t *locations;

    while (size < n)
        size *= 2;
    if (writer->locations && size == writer->size_locations)
        return true;
    locations = budget_resize(writer->budget, writer->locations,
                              writer->size_locations * unit, size * unit);
    if (!locations)
        return false;
    writer->locations = locations;
    writer->size_locations = size;
    return true;
}

/* protobuf-c takes no pointers to constants, though it changes nothing. */
static int64_t *values_of(const struct profile_sample *sample,
                          int64_t into[static PROFILE_TYPES_MOST])
{
    for (size_t i = 0; i < sample->n_values && i < PROFILE_TYPES_MOST; i++)
        into[i] = sample->values[i];
    return into;
}

static size_t fill_labels(const struct profile_sample *sample,
                          Profile__Label *labels, Profile__Label **pointers)
{
    size_t n = sample->n_labels < LABELS_MOST ? sample->n_labels : LABELS_MOST;

    for (size_t i = 0; i < n; i++) {
        labels[i] = (Profile__Label)PROFILE__LABEL__INIT;
        labels[i].key = sample->labels[i].key;
        labels[i].str = sample->labels[i].text;
        labels[i].num = sample->labels[i].number;
        labels[i].num_unit = sample->labels[i].unit;
        pointers[i] = &labels[i];
    }
    return n;
}

void profile_writer_sample(struct profile_writer *writer,
                           const struct profile_sample *sample)
{
    Profile__Sample message = PROFILE__SAMPLE__INIT;
    Profile__Label labels[LABELS_MOST];
    Profile__Label *pointers[LABELS_MOST];
    int64_t values[PROFILE_TYPES_MOST];

    if (!make_room(writer, sample->n_locations)) {
        writer->failed = true;
        return;
    }
    for (size_t i = 0; i < sample->n_locations; i++)
        writer->locations[i] = (uint64_t)sample->locations[i] + 1;
    message.n_location_id = sample->n_locations;
    message.location_id = writer->locations;
    message.n_value = sample->n_values < PROFILE_TYPES_MOST
                          ? sample->n_values
                          : PROFILE_TYPES_MOST;
    message.value = values_of(sample, values);
    message.n_label = fill_labels(sample, labels, pointers);
    message.label = pointers;
    put_message(writer->out, FIELD_SAMPLE, &message.base);
}

bool profile_writer_end(struct profile_writer *writer)
{
    put_head(writer->out, FIELD_TEXT, WIRE_BYTES, 0);
    for (size_t i = 1; i <= intern_count(&writer->texts); i++) {
        struct str text = intern_text(&writer->texts, (text_id)i);

        put_head(writer->out, FIELD_TEXT, WIRE_BYTES, text.len);
        buf_add(writer->out, text);
    }
    return !writer->failed && !writer->out->failed;
}
