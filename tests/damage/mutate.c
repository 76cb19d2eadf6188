#include "damage/mutate.h"

#include <stdlib.h>
#include <string.h>
#define ZLIB_CONST
#include <zlib.h>

/* Some of the bytes of a seed. */
struct span {
    size_t begin;
    size_t end;
};

enum {
    RANDOM_MOST = 3000, /* damages of a small file beyond its cuts */
    RANDOM_BYTES = 24 * 1024 * 1024, /* of all random damages together */
    RANGE_MOST = 4096,
};

/* A number from 0 to n, both possible. */
static size_t up_to(struct damage *damage, size_t n)
{
    return dice_below(&damage->dice, (uint32_t)n + 1);
}

static void put(struct damage *damage, size_t begin, size_t end)
{
    buf_add(&damage->bytes,
            str_head(str_skip(damage->seed, begin), end - begin));
}

static void put_all(struct damage *damage)
{
    put(damage, 0, damage->seed.len);
}

/* Some bytes, at least one of a seed that has any. */
static struct span some_range(struct damage *damage)
{
    size_t begin = damage->seed.len ? up_to(damage, damage->seed.len - 1) : 0;
    size_t most = damage->seed.len - begin;

    if (!most)
        return (struct span){begin, begin};
    if (most > RANGE_MOST)
        most = RANGE_MOST;
    return (struct span){begin, begin + 1 + up_to(damage, most - 1)};
}

/* Some line with its end. */
static struct span some_line(struct damage *damage)
{
    struct str seed = damage->seed;
    size_t begin = up_to(damage, seed.len);
    size_t end = begin + str_find(str_skip(seed, begin), '\n');

    while (begin > 0 && seed.ptr[begin - 1] != '\n')
        begin--;
    return (struct span){begin, end < seed.len ? end + 1 : end};
}

static void lose_tail(struct damage *damage)
{
    put(damage, 0, up_to(damage, damage->seed.len));
    damage->is_cut = true;
}

static void lose_head(struct damage *damage)
{
    put(damage, up_to(damage, damage->seed.len), damage->seed.len);
}

static void flip_bit(struct damage *damage)
{
    size_t at = damage->bytes.len ? up_to(damage, damage->bytes.len - 1) : 0;

    if (damage->bytes.len)
        damage->bytes.ptr[at] =
            (char)(damage->bytes.ptr[at] ^ (1 << up_to(damage, 7)));
}

static void flip_one(struct damage *damage)
{
    put_all(damage);
    flip_bit(damage);
}

static void flip_many(struct damage *damage)
{
    put_all(damage);
    for (size_t n = 2 + up_to(damage, 30); n > 0; n--)
        flip_bit(damage);
}

static void overwrite(struct damage *damage)
{
    static const unsigned char values[] = {0, 0xff, '\n', ' ', '9', '"', 0x80};
    struct span span = some_range(damage);
    size_t which = up_to(damage, sizeof(values));

    put_all(damage);
    if (span.end > span.begin + 64)
        span.end = span.begin + 64;
    for (size_t i = span.begin; i < span.end; i++)
        damage->bytes.ptr[i] =
            (char)(which < sizeof(values) ? values[which]
                                          : dice_roll(&damage->dice));
}

/* As a file system leaves where a machine lost its power. */
static void dig_hole(struct damage *damage)
{
    struct span span = some_range(damage);

    put_all(damage);
    if (span.end > span.begin)
        memset(damage->bytes.ptr + span.begin, 0, span.end - span.begin);
    damage->has_hole = true;
}

/* As a log does that has a limit for its lines. */
static void shorten_line(struct damage *damage)
{
    struct span span = some_line(damage);
    size_t end = span.begin + up_to(damage, span.end - span.begin);

    put(damage, 0, end);
    put(damage, span.end > end ? span.end - 1 : end, damage->seed.len);
    damage->is_short = true;
}

/* Two lines become one. */
static void join_lines(struct damage *damage)
{
    struct span span = some_line(damage);

    put(damage, 0, span.end > span.begin ? span.end - 1 : span.end);
    put(damage, span.end, damage->seed.len);
    damage->is_short = true;
}

static void swap_lines(struct damage *damage)
{
    struct span a = some_line(damage);
    struct span b = some_line(damage);

    if (a.begin > b.begin) {
        struct span span = a;

        a = b;
        b = span;
    }
    if (a.begin == b.begin)
        b = (struct span){a.end, a.end};
    put(damage, 0, a.begin);
    put(damage, b.begin, b.end);
    put(damage, a.end, b.begin);
    put(damage, a.begin, a.end);
    put(damage, b.end, damage->seed.len);
}

static void repeat(struct damage *damage, struct span span, size_t times)
{
    put(damage, 0, span.begin);
    while (times--)
        put(damage, span.begin, span.end);
    put(damage, span.end, damage->seed.len);
}

static void double_line(struct damage *damage)
{
    repeat(damage, some_line(damage), 2 + up_to(damage, 3));
}

static void lose_line(struct damage *damage)
{
    repeat(damage, some_line(damage), 0);
    damage->is_short = true;
}

static void double_range(struct damage *damage)
{
    repeat(damage, some_range(damage), 2);
}

static void lose_range(struct damage *damage)
{
    repeat(damage, some_range(damage), 0);
}

static void move_range(struct damage *damage)
{
    struct span span = some_range(damage);
    size_t to = up_to(damage, span.begin);

    put(damage, 0, to);
    put(damage, span.begin, span.end);
    put(damage, to, span.begin);
    put(damage, span.end, damage->seed.len);
}

static void double_all(struct damage *damage)
{
    put_all(damage);
    put_all(damage);
}

/* A number that is too large, negative, or no number. */
static void change_number(struct damage *damage)
{
    static const struct str values[] = {
        STR_INIT("99999999999999999999999"),
        STR_INIT("18446744073709551615"),
        STR_INIT("9223372036854775808"),
        STR_INIT("-1"),
        STR_INIT("0"),
        STR_INIT("1e3"),
        STR_INIT(""),
    };
    struct str seed = damage->seed;
    size_t begin = up_to(damage, seed.len);
    size_t end;

    while (begin < seed.len && (seed.ptr[begin] < '0' || seed.ptr[begin] > '9'))
        begin++;
    for (end = begin;
         end < seed.len && seed.ptr[end] >= '0' && seed.ptr[end] <= '9';)
        end++;
    put(damage, 0, begin);
    buf_add(&damage->bytes,
            values[up_to(damage, sizeof(values) / sizeof(values[0]) - 1)]);
    put(damage, end, seed.len);
}

/* Bytes that belong to nobody. */
static void insert_junk(struct damage *damage)
{
    size_t at = up_to(damage, damage->seed.len);

    put(damage, 0, at);
    for (size_t n = up_to(damage, 200); n > 0; n--)
        buf_add_char(&damage->bytes, (char)dice_roll(&damage->dice));
    put(damage, at, damage->seed.len);
}

/* The beginning of this file, then the rest of another. */
static void splice(struct damage *damage)
{
    put(damage, 0, up_to(damage, damage->seed.len));
    buf_add(&damage->bytes,
            str_skip(damage->other, up_to(damage, damage->other.len)));
    damage->is_mixed = true;
}

/* Another file inside this one, perhaps in the middle of a line. */
static void insert_other(struct damage *damage)
{
    size_t at = up_to(damage, damage->seed.len);

    put(damage, 0, at);
    buf_add(&damage->bytes, damage->other);
    put(damage, at, damage->seed.len);
    damage->is_mixed = true;
}

static void append_other(struct damage *damage)
{
    put_all(damage);
    buf_add(&damage->bytes, damage->other);
    damage->is_mixed = true;
}

/* Mixes lines of both files, as two programs do that write to one log. */
static void weave(struct damage *damage)
{
    struct str rests[] = {damage->seed, damage->other};

    while (rests[0].len || rests[1].len) {
        struct str *rest = &rests[up_to(damage, 1)];
        size_t n = str_find(*rest, '\n');

        buf_add(&damage->bytes, str_head(*rest, n + 1));
        *rest = str_skip(*rest, n + 1);
    }
    damage->is_mixed = true;
}

/* Damaged first, then packed: unpacking brings the same damage back. */
static void pack(struct damage *damage)
{
    struct buf bytes = damage->plain;

    flip_many(damage);
    damage->plain = damage->bytes;
    damage->bytes = bytes;
    buf_clear(&damage->bytes);
    bytes_pack(&damage->bytes, buf_str(&damage->plain));
    damage->is_packed = true;
}

/* In two members, of which something hits the packed bytes. */
static void pack_and_damage(struct damage *damage)
{
    size_t at = up_to(damage, damage->seed.len);

    bytes_pack(&damage->bytes, str_head(damage->seed, at));
    bytes_pack(&damage->bytes, str_skip(damage->seed, at));
    if (up_to(damage, 1))
        flip_bit(damage);
    else
        damage->bytes.len = up_to(damage, damage->bytes.len);
}

static const struct {
    const char *words;
    void (*make)(struct damage *damage);
} kinds[] = {
    {"cut", lose_tail},
    {"the beginning lost", lose_head},
    {"a bit flipped", flip_one},
    {"bits flipped", flip_many},
    {"bytes overwritten", overwrite},
    {"zeros in place of bytes", dig_hole},
    {"the end of a line lost", shorten_line},
    {"two lines joined", join_lines},
    {"lines swapped", swap_lines},
    {"a line repeated", double_line},
    {"a line lost", lose_line},
    {"a range doubled", double_range},
    {"a range lost", lose_range},
    {"a range moved", move_range},
    {"all of it twice", double_all},
    {"a number changed", change_number},
    {"junk inserted", insert_junk},
    {"another file from some byte on", splice},
    {"another file inserted", insert_other},
    {"another file appended", append_other},
    {"lines mixed with those of another file", weave},
    {"bits flipped, then packed", pack},
    {"packed, then damaged", pack_and_damage},
};

enum { N_KINDS = sizeof(kinds) / sizeof(kinds[0]) };

static size_t n_cuts(size_t size)
{
    return size < DAMAGE_CUTS ? size : DAMAGE_CUTS;
}

size_t damage_count(size_t size)
{
    size_t n = RANDOM_BYTES / (size + 1);

    return n_cuts(size) + (n < RANDOM_MOST ? n : RANDOM_MOST);
}

void damage_make(struct damage *ret, struct str seed, struct str other,
                 size_t index)
{
    struct buf bytes = ret->bytes;
    struct buf plain = ret->plain;
    size_t cuts = n_cuts(seed.len);

    buf_clear(&bytes);
    buf_clear(&plain);
    *ret = (struct damage){
        .seed = seed, .other = other, .bytes = bytes, .plain = plain};
    dice_init(&ret->dice, index, seed.len);
    if (index < cuts) {
        put(ret, 0, index);
        ret->words = kinds[0].words;
        ret->is_cut = true;
        return;
    }
    index = (index - cuts) % N_KINDS;
    ret->words = kinds[index].words;
    kinds[index].make(ret);
}

void damage_done(struct damage *damage)
{
    buf_done(&damage->bytes);
    buf_done(&damage->plain);
}

void bytes_pack(struct buf *into, struct str bytes)
{
    z_stream stream = {0};
    size_t size;

    if (deflateInit2(&stream, 1, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) !=
        Z_OK)
        abort();
    size = deflateBound(&stream, bytes.len);
    stream.next_in = (z_const Bytef *)bytes.ptr;
    stream.avail_in = (uInt)bytes.len;
    stream.next_out = malloc(size);
    stream.avail_out = (uInt)size;
    if (!stream.next_out || deflate(&stream, Z_FINISH) != Z_STREAM_END)
        abort();
    size = stream.total_out;
    buf_add(into, (struct str){(char *)stream.next_out - size, size});
    free(stream.next_out - size);
    deflateEnd(&stream);
}

void bytes_unpack(struct buf *into, struct str bytes)
{
    char piece[16 * 1024];
    z_stream stream = {0};
    int rc = Z_OK;

    if (!str_starts(bytes, STR("\x1f\x8b"))) {
        buf_add(into, bytes);
        return;
    }
    if (inflateInit2(&stream, 15 + 16) != Z_OK)
        abort();
    stream.next_in = (z_const Bytef *)bytes.ptr;
    stream.avail_in = (uInt)bytes.len;
    while (rc == Z_OK) {
        stream.next_out = (Bytef *)piece;
        stream.avail_out = sizeof(piece);
        rc = inflate(&stream, Z_NO_FLUSH);
        buf_add(into, (struct str){piece, sizeof(piece) - stream.avail_out});
    }
    if (rc != Z_STREAM_END)
        abort();
    inflateEnd(&stream);
}
