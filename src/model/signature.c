#include "model/signature.h"

#include <stdio.h>

/* The hash state lives on the stack, which needs its definition. */
#define XXH_STATIC_LINKING_ONLY
#include <xxhash.h>

#include "model/name.h"

/* Names go into the hash with their NUL, so that "ab" "c" is not "a" "bc". */
static void add_name(XXH3_state_t *state, struct str name)
{
    XXH3_128bits_update(state, name.ptr, name.len);
    XXH3_128bits_update(state, "", 1);
}

static void add_number(XXH3_state_t *state, uint64_t number)
{
    unsigned char bytes[8];

    for (int i = 0; i < 8; i++)
        bytes[i] = (unsigned char)(number >> (8 * i));
    XXH3_128bits_update(state, bytes, sizeof(bytes));
}

static struct signature finish(const XXH3_state_t *state)
{
    XXH128_hash_t hash = XXH3_128bits_digest(state);

    return (struct signature){hash.high64, hash.low64};
}

struct signature signature_of_stack(const struct symbols *symbols,
                                    stack_id stack)
{
    struct stack view = symbols_stack(symbols, stack);
    XXH3_state_t state;
    size_t added = 0;

    XXH3_128bits_reset(&state);
    add_number(&state, SIGNATURE_VERSION);
    for (uint32_t i = 0; i < view.n_frames; i++) {
        struct str name = symbols_function(symbols, view.frames[i]);

        if (name_is_unstable(name))
            continue;
        add_name(&state, name);
        added++;
    }
    for (uint32_t i = 0; i < view.n_frames && !added; i++)
        add_name(&state, symbols_function(symbols, view.frames[i]));
    return finish(&state);
}

struct signature group_id_of(const struct symbols *symbols, stack_id stack,
                             state_id state_word_id, struct str profile)
{
    struct stack view = symbols_stack(symbols, stack);
    XXH3_state_t state;

    XXH3_128bits_reset(&state);
    add_number(&state, SIGNATURE_VERSION);
    add_name(&state, symbols_state(symbols, state_word_id));
    add_number(&state, view.elided);
    for (uint32_t i = 0; i < view.n_frames; i++) {
        struct frame frame = symbols_frame(symbols, view.frames[i]);

        add_name(&state, symbols_text(symbols, frame.function));
        add_name(&state, symbols_text(symbols, frame.file));
        add_number(&state, frame.line);
    }
    if (profile.len)
        add_name(&state, profile);
    return finish(&state);
}

struct signature signature_of_bytes(struct str bytes)
{
    XXH128_hash_t hash = XXH3_128bits(bytes.ptr, bytes.len);

    return (struct signature){hash.high64, hash.low64};
}

struct signature signature_of_texts(const struct str *texts, size_t count)
{
    XXH3_state_t state;

    XXH3_128bits_reset(&state);
    for (size_t i = 0; i < count; i++) {
        add_number(&state, texts[i].len);
        XXH3_128bits_update(&state, texts[i].ptr, texts[i].len);
    }
    return finish(&state);
}

struct signature_text signature_text(struct signature signature)
{
    struct signature_text text;

    snprintf(text.text, sizeof(text.text), "%016llx%016llx",
             (unsigned long long)signature.high,
             (unsigned long long)signature.low);
    return text;
}
