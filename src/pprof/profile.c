#include "pprof/profile.h"

#include "pprof/profile.pb-c.h"

/* The fields of the outer message. */
enum {
    FIELD_SAMPLE_TYPE = 1,
    FIELD_SAMPLE = 2,
    FIELD_MAPPING = 3,
    FIELD_LOCATION = 4,
    FIELD_FUNCTION = 5,
    FIELD_STRING = 6,
    FIELD_DROP_FRAMES = 7,
    FIELD_KEEP_FRAMES = 8,
    FIELD_TIME = 9,
    FIELD_DURATION = 10,
    FIELD_PERIOD_TYPE = 11,
    FIELD_PERIOD = 12,
    FIELD_COMMENT = 13,
    FIELD_DEFAULT_TYPE = 14,
};

void profile_init(struct profile *profile, struct budget *budget)
{
    *profile =
        (struct profile){.budget = budget, .share = budget_left(budget) / 8};
    unpack_init(&profile->unpack, budget);
    arena_init(&profile->text_arena, budget);
    pool_init(&profile->texts, budget, sizeof(struct str));
    slots_init(&profile->function_slots, budget);
    pool_init(&profile->functions, budget, sizeof(struct profile_function));
    slots_init(&profile->location_slots, budget);
    pool_init(&profile->locations, budget, sizeof(struct profile_location));
    pool_init(&profile->lines, budget, sizeof(struct profile_line));
    pool_init(&profile->mappings, budget, sizeof(struct profile_mapping));
    sample_log_init(&profile->samples, budget, budget_left(budget) / 2);
}

void profile_done(struct profile *profile)
{
    unpack_done(&profile->unpack);
    arena_done(&profile->text_arena);
    pool_done(&profile->texts);
    slots_done(&profile->function_slots);
    pool_done(&profile->functions);
    slots_done(&profile->location_slots);
    pool_done(&profile->locations);
    pool_done(&profile->lines);
    pool_done(&profile->mappings);
    sample_log_done(&profile->samples);
}

uint64_t profile_wanted(void)
{
    return 1u << FIELD_SAMPLE_TYPE | 1u << FIELD_SAMPLE | 1u << FIELD_MAPPING |
           1u << FIELD_LOCATION | 1u << FIELD_FUNCTION | 1u << FIELD_STRING |
           1u << FIELD_PERIOD_TYPE | 1u << FIELD_COMMENT;
}

static bool has_seen(const struct profile *profile, uint32_t number)
{
    return number < 64 && (profile->seen >> number & 1);
}

bool profile_ends_before(const struct profile *profile,
                         const struct wire_field *field)
{
    if (!has_seen(profile, FIELD_STRING))
        return false;
    switch (field->number) {
    case FIELD_PERIOD_TYPE:
    case FIELD_PERIOD:
    case FIELD_TIME:
    case FIELD_DURATION:
    case FIELD_DEFAULT_TYPE:
        return has_seen(profile, field->number);
    case FIELD_SAMPLE_TYPE:
        return has_seen(profile, FIELD_SAMPLE_TYPE) &&
               has_seen(profile, FIELD_SAMPLE);
    case FIELD_STRING:
        /* The first text of a table is the empty one. */
        return profile->last_number != FIELD_STRING && !field->bytes.len;
    default:
        return false;
    }
}

/* An index into the string table. No table is as long as the field allows. */
static profile_text_id text_id_of(struct profile *profile, int64_t index)
{
    if (index <= 0 || index >= UINT32_MAX)
        return 0;
    if ((uint64_t)index > profile->largest_text)
        profile->largest_text = (profile_text_id)index;
    return (profile_text_id)index;
}

/* Unpacks a field's message and counts it when that cannot be done. */
static const void *unpack_field(struct profile *profile,
                                const struct wire_field *field,
                                const ProtobufCMessageDescriptor *type)
{
    const void *message = NULL;

    profile->unpack.no_memory = false;
    if (field->type == WIRE_BYTES)
        message = unpack_message(&profile->unpack, type, field->bytes);
    if (message)
        return message;
    if (profile->unpack.no_memory) {
        profile->n_lost++;
    } else if (!profile->n_bad++) {
        profile->bad_at = field->offset;
    }
    return NULL;
}

static struct profile_type type_of(struct profile *profile,
                                   const Profile__ValueType *message)
{
    return (struct profile_type){text_id_of(profile, message->type),
                                 text_id_of(profile, message->unit)};
}

static void add_type(struct profile *profile, const struct wire_field *field)
{
    const Profile__ValueType *message =
        unpack_field(profile, field, &profile__value_type__descriptor);

    if (message && profile->n_types < PROFILE_TYPES_MOST)
        profile->types[profile->n_types++] = type_of(profile, message);
}

static void set_period_type(struct profile *profile,
                            const struct wire_field *field)
{
    const Profile__ValueType *message =
        unpack_field(profile, field, &profile__value_type__descriptor);

    if (message)
        profile->period_type = type_of(profile, message);
}

/* The element of a pool at index, which is made with all before it; NULL
 * without memory. */
static void *element_at(struct pool *pool, size_t index)
{
    while (pool->count <= index) {
        if (!pool_add(pool))
            return NULL;
    }
    return pool_at(pool, index);
}

static void add_function(struct profile *profile,
                         const struct wire_field *field)
{
    const Profile__Function *message =
        unpack_field(profile, field, &profile__function__descriptor);
    struct profile_function *function = NULL;
    uint32_t slot;

    if (!message)
        return;
    slot = slots_put(&profile->function_slots, message->id);
    if (slot != SLOT_NONE)
        function = element_at(&profile->functions, slot);
    if (!function) {
        profile->n_lost++;
        return;
    }
    function->is_defined = true;
    function->name = text_id_of(profile, message->name ? message->name
                                                       : message->system_name);
    function->file = text_id_of(profile, message->filename);
}

/* Adds the lines of a location; false without memory. */
static bool add_lines(struct profile *profile, const Profile__Location *message)
{
    for (size_t i = 0; i < message->n_line; i++) {
        const Profile__Line *from = message->line[i];
        struct profile_line *line = pool_add(&profile->lines);

        if (!line)
            return false;
        line->function = SLOT_NONE;
        if (from->function_id)
            line->function =
                slots_put(&profile->function_slots, from->function_id);
        line->line = from->line > 0 && from->line < UINT32_MAX
                         ? (uint32_t)from->line
                         : 0;
    }
    return true;
}

static void add_location(struct profile *profile,
                         const struct wire_field *field)
{
    const Profile__Location *message =
        unpack_field(profile, field, &profile__location__descriptor);
    struct profile_location *location = NULL;
    size_t first = profile->lines.count;
    uint32_t slot;

    if (!message)
        return;
    slot = slots_put(&profile->location_slots, message->id);
    if (slot != SLOT_NONE && first + message->n_line < UINT32_MAX)
        location = element_at(&profile->locations, slot);
    if (!location || !add_lines(profile, message)) {
        profile->n_lost++;
        return;
    }
    *location = (struct profile_location){.address = message->address,
                                          .first = (uint32_t)first,
                                          .n_lines = (uint32_t)message->n_line,
                                          .is_defined = true};
}

static void add_mapping(struct profile *profile, const struct wire_field *field)
{
    const Profile__Mapping *message =
        unpack_field(profile, field, &profile__mapping__descriptor);
    struct profile_mapping *mapping =
        message ? pool_add(&profile->mappings) : NULL;

    if (mapping)
        *mapping = (struct profile_mapping){
            message->id, text_id_of(profile, message->filename),
            text_id_of(profile, message->build_id)};
    else if (message)
        profile->n_lost++;
}

static void lose_sample(struct profile *profile, const Profile__Sample *message)
{
    profile->n_lost_samples++;
    for (size_t i = 0; i < message->n_value && i < PROFILE_TYPES_MOST; i++) {
        int64_t *sum = &profile->lost[i];

        if (__builtin_add_overflow(*sum, message->value[i], sum))
            *sum = message->value[i] < 0 ? INT64_MIN : INT64_MAX;
    }
}

/* Adds up the values of a sample that there was no memory to unpack. */
static void lose_packed_sample(struct profile *profile, struct str bytes)
{
    struct wire_field field;
    int64_t values[PROFILE_TYPES_MOST];
    Profile__Sample sample = {.value = values};

    while (wire_cut(&bytes, &field) > 0) {
        struct str packed = field.bytes;
        uint64_t value;

        if (field.number != 2 || sample.n_value == PROFILE_TYPES_MOST)
            continue;
        if (field.type == WIRE_VARINT)
            values[sample.n_value++] = (int64_t)field.value;
        while (sample.n_value < PROFILE_TYPES_MOST &&
               wire_cut_varint(&packed, &value))
            values[sample.n_value++] = (int64_t)value;
    }
    lose_sample(profile, &sample);
}

static void set_label(struct profile *profile, struct profile_label *label,
                      const Profile__Label *from)
{
    *label = (struct profile_label){.key = text_id_of(profile, from->key),
                                    .text = text_id_of(profile, from->str),
                                    .unit = text_id_of(profile, from->num_unit),
                                    .number = from->num};
}

static void add_sample(struct profile *profile, const struct wire_field *field)
{
    const Profile__Sample *message =
        unpack_field(profile, field, &profile__sample__descriptor);
    struct arena *arena = &profile->unpack.arena;
    struct profile_sample sample = {0};
    uint32_t *locations;
    struct profile_label *labels;

    if (!message) {
        if (profile->unpack.no_memory)
            lose_packed_sample(profile, field->bytes);
        return;
    }
    locations = arena_take(arena, message->n_location_id * sizeof(*locations));
    labels = arena_take(arena, message->n_label * sizeof(*labels));
    if (!locations || !labels) {
        lose_sample(profile, message);
        return;
    }
    for (size_t i = 0; i < message->n_location_id; i++)
        locations[i] =
            slots_put(&profile->location_slots, message->location_id[i]);
    for (size_t i = 0; i < message->n_label; i++)
        set_label(profile, &labels[i], message->label[i]);
    sample = (struct profile_sample){
        .locations = locations,
        .n_locations = message->n_location_id,
        .values = message->value,
        .n_values = message->n_value < PROFILE_TYPES_MOST ? message->n_value
                                                          : PROFILE_TYPES_MOST,
        .labels = labels,
        .n_labels = message->n_label,
    };
    if (!sample_log_add(&profile->samples, &sample))
        lose_sample(profile, message);
}

/* Behind one that had no place, a text would have the index of another. */
static void add_text(struct profile *profile, const struct wire_field *field)
{
    struct str *text = NULL;

    if (!profile->n_lost_texts)
        text = pool_add(&profile->texts);
    if (text)
        *text = arena_copy(&profile->text_arena, field->bytes);
    else
        profile->n_lost_texts++;
    if (!text || !text->ptr)
        profile->n_lost++;
}

/* Comments are indexes, packed or not. */
static void add_comments(struct profile *profile,
                         const struct wire_field *field)
{
    struct str rest = field->bytes;

    if (field->type == WIRE_VARINT &&
        profile->n_comments < PROFILE_COMMENTS_MOST)
        profile->comments[profile->n_comments++] =
            text_id_of(profile, (int64_t)field->value);
    while (rest.len && profile->n_comments < PROFILE_COMMENTS_MOST) {
        uint64_t index;

        if (!wire_cut_varint(&rest, &index))
            return;
        profile->comments[profile->n_comments++] =
            text_id_of(profile, (int64_t)index);
    }
}

static void add_number(struct profile *profile, const struct wire_field *field)
{
    int64_t value = (int64_t)field->value;

    if (field->number == FIELD_TIME)
        profile->time_ns = value;
    else if (field->number == FIELD_DURATION)
        profile->duration_ns = value;
    else if (field->number == FIELD_PERIOD)
        profile->period = value;
    else if (field->number == FIELD_DEFAULT_TYPE)
        profile->default_type = text_id_of(profile, value);
    else if (field->number == FIELD_DROP_FRAMES)
        profile->drop_frames = text_id_of(profile, value);
    else if (field->number == FIELD_KEEP_FRAMES)
        profile->keep_frames = text_id_of(profile, value);
}

static void add_field(struct profile *profile, const struct wire_field *field)
{
    switch (field->number) {
    case FIELD_SAMPLE_TYPE:
        add_type(profile, field);
        break;
    case FIELD_SAMPLE:
        add_sample(profile, field);
        break;
    case FIELD_MAPPING:
        add_mapping(profile, field);
        break;
    case FIELD_LOCATION:
        add_location(profile, field);
        break;
    case FIELD_FUNCTION:
        add_function(profile, field);
        break;
    case FIELD_STRING:
        add_text(profile, field);
        break;
    case FIELD_PERIOD_TYPE:
        set_period_type(profile, field);
        break;
    case FIELD_COMMENT:
        add_comments(profile, field);
        break;
    default:
        if (field->type == WIRE_VARINT)
            add_number(profile, field);
    }
}

/* The string table stands last and begins with the names of the types, without
 * which no value is worth anything: a share of the memory is its own. Another
 * is left alone for what the profile becomes. */
void profile_add(struct profile *profile, const struct wire_field *field)
{
    size_t reserve = profile->budget->reserve;

    if (field->number < 64)
        profile->seen |= (uint64_t)1 << field->number;
    profile->last_number = field->number;
    profile->budget->reserve +=
        profile->share * (field->number == FIELD_STRING ? 1 : 3);
    add_field(profile, field);
    profile->budget->reserve = reserve;
}

struct str profile_text(const struct profile *profile, profile_text_id id)
{
    if (id >= profile->texts.count)
        return (struct str){0};
    return *(const struct str *)pool_at(&profile->texts, id);
}

struct profile_location profile_location(const struct profile *profile,
                                         uint32_t slot)
{
    if (slot >= profile->locations.count)
        return (struct profile_location){0};
    return *(const struct profile_location *)pool_at(&profile->locations, slot);
}

struct profile_function profile_function(const struct profile *profile,
                                         uint32_t slot)
{
    if (slot >= profile->functions.count)
        return (struct profile_function){0};
    return *(const struct profile_function *)pool_at(&profile->functions, slot);
}

struct profile_line profile_line(const struct profile *profile, size_t index)
{
    return *(const struct profile_line *)pool_at(&profile->lines, index);
}
