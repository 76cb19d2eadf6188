/* Crash output: the words of a reason lie inside its text and lead to the
 * header of a goroutine, a crash speaks of groups that are there, and chunks of
 * any size read alike. */
#include "base/buf.h"
#include "format/crash_text.h"
#include "format/go_text.h"
#include "reading.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_inside(struct str text, struct str part)
{
    if (part.len)
        CHECK(part.ptr >= text.ptr &&
              part.ptr + part.len <= text.ptr + text.len);
}

/* The line behind n others. */
static struct str line_behind(struct str text, uint64_t n)
{
    struct str line;

    while (n--)
        text = str_skip(text, str_find(text, '\n') + 1);
    line = str_head(text, str_find(text, '\n'));
    str_cut_suffix(&line, STR("\r"));
    return line;
}

static void check_reason(struct str text)
{
    struct crash_text crash;
    struct go_header header;
    struct buf message = {0};

    if (!crash_text_parse(text, true, &crash))
        return;
    CHECK(crash_may_begin(line_behind(text, 0)));
    check_inside(text, crash.reason);
    check_inside(text, crash.signal);
    CHECK(crash.reason.len > 0);
    if (crash.is_headless) {
        struct str name;
        struct str args;

        CHECK(go_call_parse(line_behind(text, crash.n_lines), &name, &args));
    } else {
        CHECK(go_header_parse(line_behind(text, crash.n_lines), &header));
        CHECK(header.id == crash.first_id);
    }
    crash_message_add(&message, &crash);
    CHECK(message.len <= CRASH_MESSAGE_MOST);
    buf_done(&message);
}

static void check_crash(const struct snapshot *snapshot)
{
    const struct snapshot_info *info = snapshot_info_get(snapshot);
    const struct crash *crash = info->crash;

    CHECK((crash != NULL) == (strcmp(info->format, "crash") == 0));
    if (!crash)
        return;
    CHECK(info->total > 0);
    CHECK(crash->n_groups <= CRASH_GROUPS_MOST);
    CHECK(!crash->is_request || !crash->has_goroutine);
    CHECK(!crash->is_elsewhere || !crash->has_goroutine);
    /* Windows prints no id of the one that died. */
    CHECK(!crash->n_groups || crash->has_goroutine || crash->is_elsewhere ||
          crash_is_timeout(crash) || crash->kind == CRASH_SIGNAL);
    for (uint32_t i = 0; i < crash->n_groups; i++)
        CHECK(crash->groups[i] < snapshot_n_groups(snapshot));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str text = {(const char *)data, size};
    struct reading whole;
    struct reading chunks;

    if (!size)
        return 0;
    for (struct str rest = text; rest.len;
         rest = str_skip(rest, str_find(rest, '\n') + 1))
        check_reason(rest);
    reading_init(&whole, NULL);
    reading_init(&chunks, NULL);
    reading_add(&whole, data, size, 0);
    reading_add(&chunks, data, size, size % 7 + 1);
    reading_same(&whole, &chunks);
    for (size_t i = 0; i < cprof_snapshots_count(whole.snapshots); i++)
        check_crash(whole.snapshots->items[i]);
    reading_done(&whole);
    reading_done(&chunks);
    return 0;
}
