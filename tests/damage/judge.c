#include "damage/judge.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format/go_text.h"
#include "fuzz/reading.h"
#include "pprof/profile.h"

static uint64_t total_of(const struct reading *reading)
{
    uint64_t total = 0;

    for (size_t i = 0; i < cprof_snapshots_count(reading->snapshots); i++)
        total += snapshot_info_get(reading->snapshots->items[i])->total;
    return total;
}

static bool has_diagnostic(const struct reading *reading)
{
    return reading->snapshots->diags.first != NULL;
}

static bool has_crash(const struct reading *reading)
{
    for (size_t i = 0; i < cprof_snapshots_count(reading->snapshots); i++) {
        if (snapshot_info_get(reading->snapshots->items[i])->crash)
            return true;
    }
    return false;
}

uint64_t judge_whole(struct str bytes)
{
    struct reading reading;
    uint64_t total;

    reading_init(&reading, NULL);
    reading_add(&reading, bytes.ptr, bytes.len, 0);
    CHECK(reading.rc == 0);
    total = total_of(&reading);
    CHECK(total > 0);
    if (profile_is_measured(
            snapshot_info_get(reading.snapshots->items[0])->kind))
        total = UINT64_MAX;
    reading_done(&reading);
    return total;
}

/* --- What stands in a text ------------------------------------------------ */

static struct str cut_line(struct str *rest)
{
    struct str line = str_head(*rest, str_find(*rest, '\n'));

    *rest = str_skip(*rest, line.len + 1);
    return line;
}

static bool is_digit(struct str line, size_t at)
{
    return at < line.len && line.ptr[at] >= '0' && line.ptr[at] <= '9';
}

/* What the line says to add to the total: 1 for what looks like the header of
 * a goroutine, whether or not it is a right one, or the count of a record. */
static uint64_t count_in(struct str line, enum form form)
{
    static const struct str word = STR_INIT("goroutine ");
    uint64_t count = 0;
    size_t at = 0;

    if (form == FORM_STACKS)
        return str_starts(line, word) && is_digit(line, word.len);
    for (; is_digit(line, at); at++)
        count = count * 10 + (uint64_t)(line.ptr[at] - '0');
    return at && str_starts(str_skip(line, at), STR(" @")) ? count : 0;
}

static uint64_t count_text(struct str text, enum form form)
{
    uint64_t count = 0;

    while (text.len)
        count += count_in(cut_line(&text), form);
    return count;
}

/* Whether a line is the header of a goroutine and nothing else. */
static bool has_header(struct str text)
{
    while (text.len) {
        struct str line = cut_line(&text);
        struct go_header header;

        str_cut_suffix(&line, STR("\r"));
        if (go_header_parse(line, &header))
            return true;
    }
    return false;
}

/* Whether the first bytes are not those of something that packs others. */
static bool is_text(struct str bytes)
{
    return !profile_looks_like(bytes) && !str_starts(bytes, STR("\x1f\x8b")) &&
           !str_starts(bytes, STR("\xff\xfe")) &&
           !str_starts(bytes, STR("\xfe\xff"));
}

/* --- Readings ------------------------------------------------------------- */

static void check_snapshots(const struct reading *reading)
{
    for (size_t i = 0; i < cprof_snapshots_count(reading->snapshots); i++) {
        const struct snapshot *snapshot = reading->snapshots->items[i];

        CHECK(snapshot_info_get(snapshot)->complete || has_diagnostic(reading));
    }
}

/* What the text of the damaged bytes says about the answer. */
static void check_text(const struct reading *reading,
                       const struct damage *damage, enum form form)
{
    struct str bytes = buf_str(&damage->bytes);

    if (!is_text(bytes))
        return;
    if (has_header(bytes)) {
        /* Bytes of a profile among the lines may eat the header. */
        CHECK(reading->rc == 0 || damage->is_mixed);
        CHECK(total_of(reading) > 0 || has_diagnostic(reading) ||
              reading->rc != 0);
    }
    if (reading->rc == 0 && form != FORM_OTHER && !damage->is_mixed &&
        !has_diagnostic(reading) && !has_crash(reading) && !has_wrapping(bytes))
        CHECK(total_of(reading) == count_text(bytes, form));
}

static void check_packed(const struct reading *reading,
                         const struct damage *damage)
{
    struct reading plain;

    if (!is_text(buf_str(&damage->plain)))
        return;
    reading_init(&plain, NULL);
    reading_add(&plain, damage->plain.ptr, damage->plain.len, 0);
    reading_same(reading, &plain);
    reading_done(&plain);
}

/* A beginning that lost something says so; what ends between two records of a
 * text that declares no total is whole for all that anybody can tell. */
static void check_cut(const struct reading *reading,
                      const struct damage *damage, uint64_t whole)
{
    bool is_packed = str_starts(damage->seed, STR("\x1f\x8b"));

    CHECK(total_of(reading) <= whole);
    if (is_packed && damage->bytes.len < damage->seed.len)
        CHECK(reading->rc < 0 || has_diagnostic(reading));
}

static bool has_warning(const struct reading *reading)
{
    const struct diag *diag = reading->snapshots->diags.first;

    while (diag && diag->severity == DIAG_INFO)
        diag = diag->next;
    return diag;
}

/* What a hole in a text has taken, or the end of a line was, is not taken
 * silently. What a profile measures may be half a name. */
static void check_loss(const struct reading *reading,
                       const struct damage *damage, uint64_t whole)
{
    bool counts = damage->has_hole || whole != UINT64_MAX;

    if (counts && is_text(damage->seed) && reading->rc == 0 &&
        total_of(reading) < whole)
        CHECK(has_warning(reading));
}

void judge_damage(const struct damage *damage, enum form form, uint64_t whole,
                  struct tally *tally)
{
    struct reading reading;
    struct reading bytewise;

    reading_init(&reading, NULL);
    reading_init(&bytewise, NULL);
    reading_add(&reading, damage->bytes.ptr, damage->bytes.len, 0);
    reading_add(&bytewise, damage->bytes.ptr, damage->bytes.len, 1);
    CHECK(reading.rc == 0 || reading.rc == CPROF_EFORMAT);
    reading_same(&reading, &bytewise);
    check_snapshots(&reading);
    check_text(&reading, damage, form);
    if (damage->is_cut)
        check_cut(&reading, damage, whole);
    if (damage->has_hole || damage->is_short)
        check_loss(&reading, damage, whole);
    if (damage->is_packed)
        check_packed(&reading, damage);
    tally->n_inputs++;
    tally->n_answers += reading.rc == 0;
    tally->n_warned += reading.rc == 0 && has_diagnostic(&reading);
    tally->n_refused += reading.rc < 0;
    reading_done(&reading);
    reading_done(&bytewise);
}

/* --- Reports -------------------------------------------------------------- */

static int write_to(void *user, const char *bytes, size_t size)
{
    buf_add(user, (struct str){bytes, size});
    return 0;
}

static uint64_t number(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);

    CHECK(json_is_integer(value));
    return (uint64_t)json_integer_value(value);
}

/* The groups of a snapshot hold what it holds. */
static void check_counts(const json_t *report, size_t index)
{
    const json_t *snapshots = json_object_get(report, "snapshots");
    const json_t *snapshot = json_array_get(snapshots, index);
    const json_t *groups = json_object_get(report, "groups");
    uint64_t sum = number(snapshot, "other");

    if (!json_is_true(json_object_get(snapshot, "judged")))
        return;
    for (size_t i = 0; i < json_array_size(groups); i++) {
        const json_t *counts =
            json_object_get(json_array_get(groups, i), "counts");

        sum += (uint64_t)json_integer_value(json_array_get(counts, index));
    }
    CHECK(sum == number(snapshot, "total"));
}

static void check_report(const struct cprof_report *report, struct str text)
{
    json_error_t error;
    json_t *json = json_loadb(text.ptr, text.len, JSON_ALLOW_NUL, &error);
    const json_t *snapshots = json_object_get(json, "snapshots");

    /* Jansson reads 63 of the 64 bits that an id of a goroutine has, and no
     * empty byte in a key. */
    if (!json && (json_error_code(&error) == json_error_numeric_overflow ||
                  json_error_code(&error) == json_error_null_byte_in_key))
        return;
    if (!json)
        fprintf(stderr, "%s\n", error.text);
    CHECK(json != NULL);
    CHECK(json_array_size(snapshots) > 0);
    for (size_t i = 0; i < json_array_size(snapshots); i++) {
        const json_t *snapshot = json_array_get(snapshots, i);

        CHECK(!cprof_report_is_complete(report) ||
              json_is_true(json_object_get(snapshot, "complete")));
        check_counts(json, i);
    }
    json_decref(json);
}

void judge_report(struct str bytes)
{
    struct cprof_report *report = NULL;
    struct reading reading;
    struct buf text = {0};

    reading_init(&reading, NULL);
    reading_add(&reading, bytes.ptr, bytes.len, 0);
    if (reading.rc == 0) {
        CHECK(cprof_report_new(&report, reading.snapshots, reading.options,
                               NULL) == 0);
        CHECK(cprof_report_write(report, "json", write_to, &text, NULL) == 0);
        check_report(report, buf_str(&text));
        buf_clear(&text);
        CHECK(cprof_report_write(report, "text", write_to, &text, NULL) == 0);
        CHECK(text.len > 0);
    }
    cprof_report_free(report);
    buf_done(&text);
    reading_done(&reading);
}
