#include "format/protobuf_frames.h"

#include "pprof/profile.h"

/* What a text of the string table is as a name; 0 = not asked yet. Any number
 * of functions may have the same, which may be long. */
struct named {
    text_id function;
    text_id file;
};

void profile_frames_init(struct profile_frames *made,
                         const struct profile *profile, struct symbols *symbols,
                         struct budget *budget)
{
    *made = (struct profile_frames){.profile = profile, .symbols = symbols};
    pool_init(&made->located, budget, sizeof(struct located));
    pool_init(&made->frames, budget, sizeof(frame_id));
    pool_init(&made->named, budget, sizeof(struct named));
}

void profile_frames_done(struct profile_frames *made)
{
    pool_done(&made->located);
    pool_done(&made->frames);
    pool_done(&made->named);
    buf_done(&made->scratch);
}

/* Go pads the stacks of threadcreate with return addresses of 0, which become
 * the largest address of the machine. */
static bool is_padding(uint64_t address)
{
    return address == 0 || address == UINT32_MAX || address == UINT64_MAX;
}

/* What is known of a text as a name; NULL without memory. */
static struct named *find_named(struct profile_frames *made, profile_text_id id)
{
    while (made->named.count <= id) {
        if (!pool_add(&made->named))
            return NULL;
    }
    return pool_at(&made->named, id);
}

/* The name of a function; 0 without memory. */
static text_id put_function(struct profile_frames *made, profile_text_id id)
{
    struct named *named = find_named(made, id);

    if (named && !named->function)
        named->function = symbols_function_put(made->symbols,
                                               profile_text(made->profile, id));
    return named ? named->function : 0;
}

/* A file, which may be empty; false without memory. */
static bool put_file(struct profile_frames *made, profile_text_id id,
                     text_id *ret)
{
    struct str text = profile_text(made->profile, id);
    struct named *named;

    *ret = 0;
    if (!text.len)
        return true;
    named = find_named(made, id);
    if (named && !named->file)
        named->file = symbols_text_put(made->symbols, text);
    *ret = named ? named->file : 0;
    return *ret != 0;
}

static bool add_frame(struct profile_frames *made, struct frame parts)
{
    frame_id frame = FRAME_NONE;
    frame_id *slot = NULL;

    if (parts.function)
        frame = symbols_frame_put(made->symbols, parts);
    if (frame)
        slot = pool_add(&made->frames);
    if (!slot)
        return false;
    *slot = frame;
    return true;
}

/* A call without a name shows its address instead, as debug=1 does. */
static bool add_nameless(struct profile_frames *made, uint64_t address,
                         struct frame parts)
{
    buf_clear(&made->scratch);
    buf_addf(&made->scratch, "0x%llx", (unsigned long long)address);
    parts.function =
        symbols_function_put(made->symbols, buf_str(&made->scratch));
    return add_frame(made, parts);
}

static bool add_line(struct profile_frames *made, uint64_t address,
                     struct profile_line line)
{
    const struct profile *profile = made->profile;
    struct profile_function function = profile_function(profile, line.function);
    bool has_name = profile_text(profile, function.name).len > 0;
    struct frame parts = {.line = line.line};

    if (!has_name && is_padding(address))
        return true;
    if (!put_file(made, function.file, &parts.file))
        return false;
    if (!has_name)
        return add_nameless(made, address, parts);
    parts.function = put_function(made, function.name);
    return add_frame(made, parts);
}

/* Whether a line that has no address either names a function of which nothing
 * is said: it leaves no frame. */
static bool has_gap(const struct profile_frames *made,
                    struct profile_location location)
{
    for (uint32_t i = 0; i < location.n_lines; i++) {
        struct profile_line line =
            profile_line(made->profile, location.first + i);

        if (line.function != SLOT_NONE && is_padding(location.address) &&
            !profile_function(made->profile, line.function).is_defined)
            return true;
    }
    return false;
}

/* Makes the frames of a location, the innermost inlined call first. */
static void make_frames(struct profile_frames *made, uint32_t slot,
                        struct located *located)
{
    struct profile_location location = profile_location(made->profile, slot);
    bool done = true;

    located->is_done = true;
    located->first = (uint32_t)made->frames.count;
    if (location.is_defined && !location.n_lines &&
        !is_padding(location.address))
        done = add_nameless(made, location.address, (struct frame){0});
    for (uint32_t i = 0; i < location.n_lines && done; i++)
        done = add_line(made, location.address,
                        profile_line(made->profile, location.first + i));
    located->n_frames = (uint32_t)(made->frames.count - located->first);
    located->has_gap = has_gap(made, location);
    located->is_lost = !done;
}

const struct located *profile_frames_find(struct profile_frames *made,
                                          uint32_t slot)
{
    struct located *located;

    if (slot == SLOT_NONE)
        return NULL;
    while (made->located.count <= slot) {
        if (!pool_add(&made->located))
            return NULL;
    }
    located = pool_at(&made->located, slot);
    if (!located->is_done)
        make_frames(made, slot, located);
    return located->is_lost ? NULL : located;
}

frame_id profile_frame(const struct profile_frames *made, uint32_t index)
{
    return *(const frame_id *)pool_at(&made->frames, index);
}
