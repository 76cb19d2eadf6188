/* repeatdump.c - a real dump of debug=2, over and over.
 *
 *     repeatdump DUMP BYTES [any]
 *
 * Writes the goroutines of a dump again and again, until that many bytes are
 * written, each time with ids that go on and with other addresses of the heap.
 * What differs between goroutines of one stack, and how often, is as in the
 * dump. The one that wrote it comes once. With `any` each round but the first
 * has an order of its own. Prints the number of goroutines to standard error.
 */
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "dice.h"
#include "out.h"

enum { GOROUTINES_MOST = 1 << 16, DUMP_MOST = 1 << 24 };

struct text {
    const char *ptr;
    size_t len;
};

/* The goroutines of a dump, without the blank lines between them. */
struct dump {
    char *bytes;
    struct text *items;
    size_t n;
};

static void dump_read(struct dump *dump, const char *path)
{
    static const char begin[] = "goroutine ";
    FILE *file = fopen(path, "rb");
    char *at;

    dump->bytes = must_alloc(DUMP_MOST + 1, 1);
    dump->items = must_alloc(GOROUTINES_MOST, sizeof(*dump->items));
    if (!file || fread(dump->bytes, 1, DUMP_MOST, file) == 0)
        die("cannot read %s", path);
    fclose(file);
    for (at = dump->bytes; *at && dump->n < GOROUTINES_MOST;) {
        char *end = strstr(at, "\n\n");
        size_t len = end ? (size_t)(end - at) : strlen(at);

        while (len && at[len - 1] == '\n')
            len--;
        if (strncmp(at, begin, sizeof(begin) - 1) == 0 && len < OUT_ROOM / 2)
            dump->items[dump->n++] = (struct text){at, len};
        if (!end)
            break;
        at = end + 2;
    }
    if (!dump->n)
        die("%s: no goroutine of debug=2", path);
}

static bool is_writer(struct text text)
{
    const char *end = memchr(text.ptr, '\n', text.len);
    const char *state = memchr(text.ptr, '[', text.len);

    return end && state && state < end &&
           strncmp(state, "[running", strlen("[running")) == 0;
}

/* How many hexadecimal digits stand there, all of them in small letters. */
static size_t digits_at(const char *at, const char *end)
{
    size_t n = 0;

    while (at + n < end && isxdigit((unsigned char)at[n]))
        n++;
    return n;
}

/* Whether so many digits are an address of the heap: Go puts arenas far from
 * small numbers, and from code. */
static bool is_heap(size_t n)
{
    return n >= 9 && n <= 12;
}

/* Writes an address as many pages further, of the same length. */
static char *put_moved(char *to, const char *digits, size_t n, uint64_t round)
{
    enum { PAGE_DIGITS = 3, MOVED_DIGITS = 5 };
    uint64_t page = 0;
    size_t first = n - PAGE_DIGITS - MOVED_DIGITS;

    to = put_bytes(to, digits, first);
    for (size_t i = first; i < n - PAGE_DIGITS; i++) {
        char c = digits[i];

        page = page * 16 + (uint64_t)(c <= '9' ? c - '0' : c - 'a' + 10);
    }
    page = (page + round) & 0xfffff;
    for (unsigned i = MOVED_DIGITS; i-- > 0;)
        *to++ = "0123456789abcdef"[page >> (4 * i) & 15];
    return put_bytes(to, digits + n - PAGE_DIGITS, PAGE_DIGITS);
}

static void goroutine_write(struct out *out, struct text text, uint64_t id,
                            uint64_t round)
{
    const char *at = text.ptr + strlen("goroutine ");
    const char *end = text.ptr + text.len;
    char *to = out_reserve(out, text.len + 64);

    to = put_decimal(put_text(to, "goroutine "), id);
    while (at < end && isdigit((unsigned char)*at))
        at++;
    while (at < end) {
        size_t n = digits_at(at, end);

        if (is_heap(n) && at[-1] == 'x' && at[-2] == '0')
            to = put_moved(to, at, n, round);
        else
            to = put_bytes(to, at, n += !n);
        at += n;
    }
    out_commit(out, put_text(to, "\n\n"));
}

static void shuffle(struct text *items, size_t n, struct dice *dice)
{
    for (size_t i = n; i > 1; i--) {
        size_t k = dice_below(dice, (uint32_t)i);
        struct text moved = items[i - 1];

        items[i - 1] = items[k];
        items[k] = moved;
    }
}

int main(int argc, char **argv)
{
    struct dump dump = {0};
    struct dice dice;
    struct out out;
    uint64_t id = 0;
    uint64_t most;

    if (argc < 3)
        die("usage: repeatdump DUMP BYTES [any]");
    most = strtoull(argv[2], NULL, 10);
    dice_init(&dice, 1, 0);
    dump_read(&dump, argv[1]);
    out_open(&out, STDOUT_FILENO);
    for (uint64_t round = 0; out.total < most; round++) {
        if (argc > 3 && round > 0)
            shuffle(dump.items, dump.n, &dice);
        for (size_t i = 0; i < dump.n && out.total < most; i++) {
            if (!round || !is_writer(dump.items[i]))
                goroutine_write(&out, dump.items[i], ++id, round);
        }
    }
    out_close(&out);
    fprintf(stderr, "%llu\n", (unsigned long long)id);
    free(dump.items);
    free(dump.bytes);
    return 0;
}
