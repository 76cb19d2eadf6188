#include "input/utf16.h"

#include "base/utf8.h"

enum { INPUT_SIZE = 16 * 1024 };

struct utf16 {
    struct source inner;
    struct budget *budget;
    bool is_utf16;
    bool is_big; /* the larger byte of a unit comes first */
    bool inner_ended;
    size_t next; /* of the n_input bytes at hand */
    size_t n_input;
    unsigned char input[INPUT_SIZE];
};

/* Sees to it that want bytes are at hand, unless the inner source ends. False
 * when it failed; errno is its. */
static bool hold(struct utf16 *utf16, size_t want)
{
    size_t left = utf16->n_input - utf16->next;

    if (left >= want || utf16->inner_ended)
        return true;
    memmove(utf16->input, utf16->input + utf16->next, left);
    utf16->next = 0;
    utf16->n_input = left;
    while (utf16->n_input < want && !utf16->inner_ended) {
        ptrdiff_t n =
            utf16->inner.read(utf16->inner.user, utf16->input + utf16->n_input,
                              INPUT_SIZE - utf16->n_input);

        if (n < 0)
            return false;
        utf16->n_input += (size_t)n;
        utf16->inner_ended = n == 0;
    }
    return true;
}

static ptrdiff_t pass_on(struct utf16 *utf16, void *into, size_t size)
{
    size_t left = utf16->n_input - utf16->next;
    size_t n = size < left ? size : left;

    if (!n)
        return utf16->inner_ended
                   ? 0
                   : utf16->inner.read(utf16->inner.user, into, size);
    memcpy(into, utf16->input + utf16->next, n);
    utf16->next += n;
    return (ptrdiff_t)n;
}

/* The unit that begins offset bytes behind the cursor. */
static uint32_t unit_at(const struct utf16 *utf16, size_t offset)
{
    const unsigned char *at = utf16->input + utf16->next + offset;

    return utf16->is_big ? (uint32_t)at[0] << 8 | at[1]
                         : (uint32_t)at[1] << 8 | at[0];
}

/* Takes the next code point; there is at least one byte. */
static uint32_t take_point(struct utf16 *utf16)
{
    size_t left = utf16->n_input - utf16->next;
    uint32_t high;
    uint32_t low;

    if (left < 2) {
        utf16->next += left;
        return 0xfffd;
    }
    high = unit_at(utf16, 0);
    if (high >= 0xd800 && high < 0xdc00 && left >= 4) {
        low = unit_at(utf16, 2);
        if (low >= 0xdc00 && low < 0xe000) {
            utf16->next += 4;
            return 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00);
        }
    }
    utf16->next += 2;
    return high;
}

static ptrdiff_t read_utf16(void *user, void *into, size_t size)
{
    struct utf16 *utf16 = user;
    char *out = into;
    size_t n = 0;

    if (!utf16->is_utf16)
        return pass_on(utf16, into, size);
    /* A character takes up to four bytes; who asks for fewer gets them from
     * nobody, and lines.c asks for thousands. */
    while (size - n >= 4) {
        if (!hold(utf16, 4))
            return n ? (ptrdiff_t)n : -1;
        if (utf16->next == utf16->n_input)
            break;
        n += utf8_put(out + n, take_point(utf16));
    }
    return (ptrdiff_t)n;
}

static void close_utf16(void *user)
{
    struct utf16 *utf16 = user;

    source_close(&utf16->inner);
    budget_free(utf16->budget, utf16, sizeof(*utf16));
}

static const char *utf16_trouble(void *user)
{
    struct utf16 *utf16 = user;

    return utf16->inner.trouble ? utf16->inner.trouble(utf16->inner.user)
                                : NULL;
}

/* UTF-32 begins as UTF-16 does, with a NUL behind the mark. */
static bool is_utf32(const struct utf16 *utf16)
{
    return utf16->n_input >= 4 && unit_at(utf16, 2) == 0;
}

int utf16_decode(struct source *source, const char *name, struct budget *budget,
                 struct cprof_error *err)
{
    struct place place = {name, 0, 0};
    struct utf16 *utf16 = budget_resize(budget, NULL, 0, sizeof(*utf16));

    if (!utf16)
        return error_memory(err, place, "reading");
    memset(utf16, 0, offsetof(struct utf16, input));
    utf16->inner = *source;
    utf16->budget = budget;
    if (!hold(utf16, 4)) {
        budget_free(budget, utf16, sizeof(*utf16));
        return error_system(err, place, "cannot read");
    }
    if (utf16->n_input >= 2) {
        uint32_t mark = unit_at(utf16, 0);

        utf16->is_big = mark == 0xfffe;
        utf16->is_utf16 =
            mark == 0xfffe || (mark == 0xfeff && !is_utf32(utf16));
    }
    if (utf16->is_utf16)
        utf16->next = 2;
    *source = (struct source){read_utf16, utf16, close_utf16, utf16_trouble};
    return 0;
}
