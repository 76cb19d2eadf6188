#include "format/contention_text.h"

#include "format/ahead.h"
#include "format/go_text.h"
#include "format/measured_text.h"

enum { SETTINGS_WITHIN = 8 }; /* lines behind the title */

struct reader {
    struct measured_text *text;
    bool is_mutex;
    bool is_cut;
    uint64_t hz;     /* cycles a second; 0 = not said */
    uint64_t period; /* one of so many contentions was sampled */
    bool has_period; /* that was said; then 0 = none is */
    struct ahead ahead;
};

/* A title behind blanks belongs to a text that is indented as a whole: that has
 * to be unwrapped. */
static bool parse_title(struct str line, bool *ret_is_mutex)
{
    struct str rest = line;

    *ret_is_mutex = str_cut_prefix(&rest, STR("--- mutex:"));
    if (*ret_is_mutex || str_cut_prefix(&rest, STR("--- contention:")))
        return !str_trim(rest).len;
    return str_starts(line, STR("--- contentionz "));
}

/* "cycles/second=2299999443", "sampling period = 100". */
static bool parse_setting(struct str line, struct str key, uint64_t *ret)
{
    struct str rest = str_trim(line);

    if (!str_cut_prefix(&rest, key))
        return false;
    rest = str_trim(rest);
    if (!str_cut_prefix(&rest, STR("=")))
        return false;
    rest = str_trim(rest);
    return str_cut_decimal(&rest, ret);
}

/* The title alone could stand in prose or in YAML. A logger may write before
 * the line that proves it, which is no other title's and not behind a
 * goroutine. */
static bool recognise(struct lines *lines, struct str line)
{
    struct go_header header;
    struct str rest;
    uint64_t hz;
    bool is_mutex;

    if (!parse_title(line, &is_mutex))
        return false;
    lines_fill(lines, LINES_WINDOW);
    rest = (struct str){lines->at, (size_t)(lines->end - lines->at)};
    rest = str_head(rest, LINES_WINDOW);
    str_cut_line(&rest);
    for (unsigned i = 0; i < SETTINGS_WITHIN && rest.len; i++) {
        line = str_cut_line(&rest);
        if (parse_title(line, &is_mutex) || go_header_parse(line, &header))
            return false;
        if (parse_setting(line, STR("cycles/second"), &hz))
            return true;
    }
    return false;
}

/* Settings that nobody needs are the profile's lines too. */
static bool take_setting(struct reader *reader, struct str line)
{
    uint64_t number;

    if (parse_setting(line, STR("sampling period"), &reader->period)) {
        reader->has_period = true;
        return true;
    }
    return parse_setting(line, STR("cycles/second"), &reader->hz) ||
           parse_setting(line, STR("ms since reset"), &number) ||
           parse_setting(line, STR("discarded samples"), &number);
}

/* gperftools samples what it calls a contention. Go up to 1.20 writes the
 * samples of a mutex profile too, but newer versions have scaled them
 * (runtime/mprof.go: pprof_mutexProfileInternal), and the text does not say
 * which it is. */
static double factor_of(const struct reader *reader)
{
    return reader->is_mutex || !reader->period ? 1 : (double)reader->period;
}

/* "CYCLES COUNT @ 0x... 0x...": what follows the "@" is the last result. */
static bool parse_record(struct str line, uint64_t *ret_cycles,
                         uint64_t *ret_count, struct str *ret_addresses)
{
    struct str rest = str_trim(line);

    if (!str_cut_decimal(&rest, ret_cycles) || *ret_cycles > INT64_MAX)
        return false;
    rest = str_trim(rest);
    if (!str_cut_decimal(&rest, ret_count) || *ret_count > INT64_MAX)
        return false;
    rest = str_trim(rest);
    *ret_addresses = str_skip(rest, 1);
    return str_starts(rest, STR("@"));
}

static bool take_record(struct reader *reader, struct str line)
{
    int64_t values[MEASURED_VALUES] = {0};
    struct str rest;
    uint64_t total = snapshot_info(reader->text->snapshot)->total;
    double factor = factor_of(reader);
    double seconds = reader->hz ? (double)reader->hz / 1e9 : 1;
    uint64_t cycles;
    uint64_t count;

    if (!parse_record(line, &cycles, &count, &rest))
        return false;
    values[0] = measured_scaled((int64_t)count, factor);
    values[1] = measured_scaled((int64_t)cycles, factor / seconds);
    /* The same division as Go's, to the last digit, where nothing is scaled. */
    if (factor == 1 && (double)cycles / seconds < 9e18)
        values[1] = (int64_t)((double)cycles / seconds);
    count = (uint64_t)values[0];
    if (reader->text->in_record)
        total += reader->text->record.count;
    measured_text_begin(reader->text, count > INT64_MAX - total ? 0 : count,
                        values, rest);
    return true;
}

static bool take_line(struct reader *reader, struct str line)
{
    if (take_record(reader, line) || measured_text_take(reader->text, line))
        return true;
    return !snapshot_info(reader->text->snapshot)->total &&
           !reader->text->in_record && take_setting(reader, line);
}

static bool is_own(const void *user, struct str line)
{
    const struct reader *reader = user;
    struct address_frame frame;
    struct str addresses;
    uint64_t cycles;
    uint64_t count;

    if (reader->text->in_record && address_frame_parse(line, &frame))
        return true;
    return parse_record(line, &cycles, &count, &addresses);
}

static void read_lines(struct reader *reader)
{
    struct snapshot_info *info = snapshot_info(reader->text->snapshot);
    struct lines *lines = reader->text->lines;
    struct str line;

    while (lines_peek(lines, &line)) {
        if (!lines_has_end(lines) && str_trim(line).len)
            reader->is_cut = true;
        if (!take_line(reader, line) &&
            !ahead_step_over(&reader->ahead, reader->text->section, is_own,
                             reader))
            break;
        section_pass_line(reader->text->section, reader->text->snapshot);
    }
    measured_text_end(reader->text);
    info->period_type = (struct value_type){STR("contentions"), STR("count")};
    info->period = reader->period ? (int64_t)reader->period : 1;
    if (reader->has_period)
        info->sampling = reader->period ? SAMPLING_ON : SAMPLING_OFF;
    if (reader->is_cut)
        measured_text_say_cut(reader->text);
}

static void say_period(struct reader *reader)
{
    if (!reader->is_mutex || reader->period <= 1)
        return;
    diag_add(&reader->text->section->snapshots->diags, DIAG_WARNING,
             "sampling-period",
             (struct place){reader->text->lines->name,
                            snapshot_info(reader->text->snapshot)->line, 0},
             "one of %llu contentions was sampled: if Go 1.20 or older wrote "
             "this text, the figures have to be multiplied by that; newer "
             "versions did",
             (unsigned long long)reader->period);
}

static bool begin(struct reader *reader)
{
    static const struct value_type types[] = {
        {STR_INIT("contentions"), STR_INIT("count")},
        {STR_INIT("delay"), STR_INIT("nanoseconds")},
    };
    struct str line;

    if (lines_peek(reader->text->lines, &line))
        parse_title(line, &reader->is_mutex);
    lines_next(reader->text->lines);
    return measured_text_set(
        reader->text, reader->is_mutex ? PROFILE_MUTEX : PROFILE_BLOCK,
        reader->is_mutex ? STR("mutex") : STR("block"), types, 2);
}

static int read_section(struct section *section, struct cprof_error *err)
{
    struct reader reader = {0};
    int rc = measured_text_new(&reader.text, section,
                               contention_text_format.name, err);

    if (rc < 0)
        return rc;
    if (begin(&reader)) {
        read_lines(&reader);
        say_period(&reader);
    } else {
        rc = error_memory(err, (struct place){section->lines->name, 0, 0},
                          "reading");
    }
    measured_text_free(reader.text);
    return rc;
}

const struct format contention_text_format = {
    .name = "debug1",
    .recognise = recognise,
    .read = read_section,
};
