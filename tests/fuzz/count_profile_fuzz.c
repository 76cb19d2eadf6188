/* debug=1: lines that end in "\r\n" say the same, and a profile behind itself
 * doubles every count. */
#include <string.h>

#include "base/buf.h"
#include "reading.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char title[] = "goroutine profile: total 3\n";

static void put_returns(struct buf *buf, struct str text)
{
    while (text.len) {
        size_t n = str_find(text, '\n');

        buf_add(buf, str_head(text, n));
        if (n < text.len)
            buf_add(buf, STR("\r\n"));
        text = str_skip(text, n + 1);
    }
}

static void check_returns(const struct reading *plain, struct str text)
{
    struct reading other;
    struct buf buf = {0};

    put_returns(&buf, text);
    reading_init(&other, NULL);
    reading_add(&other, buf.ptr, buf.len, 0);
    reading_same(plain, &other);
    reading_done(&other);
    buf_done(&buf);
}

/* Stack dumps and profiles that measure are other readers': stacks_fuzz.c,
 * measured_fuzz.c. Records without a title count once beside whole profiles. */
static bool has_others(const struct reading *reading)
{
    for (size_t i = 0; i < cprof_snapshots_count(reading->snapshots); i++) {
        const struct snapshot_info *info =
            snapshot_info_get(reading->snapshots->items[i]);

        if (strcmp(info->format, "debug1") != 0 || info->is_untitled ||
            profile_is_measured(info->kind))
            return true;
    }
    return false;
}

/* A line end behind the text completes its last line on both sides. What a
 * wrapping has to prove on the lines around it may stand in the doubled text
 * alone. */
static void check_twice(struct str text)
{
    struct reading once;
    struct reading twice;
    struct buf buf = {0};

    reading_init(&once, NULL);
    reading_init(&twice, NULL);
    buf_add(&buf, text);
    buf_add(&buf, STR("\n\n"));
    reading_add(&once, buf.ptr, buf.len, 0);
    reading_add(&once, buf.ptr, buf.len, 0);
    buf_add(&buf, text);
    buf_add(&buf, STR("\n\n"));
    reading_add(&twice, buf.ptr, buf.len, 0);
    if (cprof_snapshots_count(once.snapshots) < 256 && !has_others(&once) &&
        !has_others(&twice) && !has_wrapping(buf_str(&buf)))
        reading_same_groups(&once, &twice, NULL);
    reading_done(&once);
    reading_done(&twice);
    buf_done(&buf);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct reading plain;
    struct buf buf = {0};
    struct str text;

    buf_add(&buf, str_from(title));
    if (size)
        buf_add(&buf, (struct str){(const char *)data, size});
    text = buf_str(&buf);
    reading_init(&plain, NULL);
    reading_add(&plain, text.ptr, text.len, 0);
    /* Without one record it is refused, and nothing is kept of it. */
    CHECK(plain.rc == 0 || (plain.rc == CPROF_EFORMAT &&
                            !cprof_snapshots_count(plain.snapshots)));
    if (!has_wrapping(text)) {
        if (str_find(text, '\r') == text.len)
            check_returns(&plain, text);
        check_twice(text);
    }
    reading_done(&plain);
    buf_done(&buf);
    return 0;
}
