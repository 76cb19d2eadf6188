#include "format/heap_text.h"

#include <math.h>
#include <stdlib.h>

#include "format/ahead.h"
#include "format/measured_text.h"

/* "IN_OBJ: IN_BYTES [ALLOC_OBJ: ALLOC_BYTES] @": in use, and since the start
 * of the program. */
struct heap_numbers {
    int64_t inuse_objects;
    int64_t inuse_bytes;
    int64_t alloc_objects;
    int64_t alloc_bytes;
};

struct reader {
    struct measured_text *text;
    int64_t rate; /* bytes between two samples; at most 1 = all is counted */
    bool has_alloc;
    bool in_stats; /* the lines of runtime.MemStats were reached */
    bool is_cut;
    struct memstats stats;
    struct heap_numbers declared;
    struct heap_numbers sum; /* over the records, not scaled */
    struct ahead ahead;
};

/* Cuts "DIGITS" with blanks around it and the mark behind it off *s. */
static bool cut_number(struct str *s, struct str mark, int64_t *ret)
{
    struct str rest = str_trim(*s);
    uint64_t number;

    if (!str_cut_decimal(&rest, &number) || number > INT64_MAX)
        return false;
    rest = str_trim(rest);
    if (!str_cut_prefix(&rest, mark))
        return false;
    *s = rest;
    *ret = (int64_t)number;
    return true;
}

/* What stands behind the "@" is left in *s. */
static bool cut_numbers(struct str *s, struct heap_numbers *ret)
{
    struct str rest = *s;

    if (!cut_number(&rest, STR(":"), &ret->inuse_objects) ||
        !cut_number(&rest, STR("["), &ret->inuse_bytes) ||
        !cut_number(&rest, STR(":"), &ret->alloc_objects) ||
        !cut_number(&rest, STR("]"), &ret->alloc_bytes))
        return false;
    rest = str_trim(rest);
    if (!str_cut_prefix(&rest, STR("@")))
        return false;
    *s = str_trim(rest);
    return true;
}

/* "heap profile: A: B [C: D] @ heap/RATE": Go's rate is twice that of the
 * program. "heap_v2/RATE" is gperftools', and others are not sampled. */
static bool parse_title(struct str line, struct heap_numbers *ret_numbers,
                        int64_t *ret_rate, bool *ret_is_go)
{
    struct str kind;
    uint64_t rate = 1;

    if (!str_cut_prefix(&line, STR("heap profile:")) ||
        !cut_numbers(&line, ret_numbers))
        return false;
    kind = str_head(line, str_find(line, '/'));
    line = str_skip(line, kind.len + 1);
    str_cut_decimal(&line, &rate);
    *ret_is_go = str_equal(kind, STR("heap"));
    if (!*ret_is_go && !str_equal(kind, STR("heap_v2")) &&
        !str_equal(kind, STR("heapz_v2")))
        rate = 1;
    *ret_rate = rate < INT64_MAX ? (int64_t)rate : 1;
    if (*ret_is_go)
        *ret_rate /= 2;
    return true;
}

static bool recognise(struct lines *lines, struct str line)
{
    struct heap_numbers numbers;
    int64_t rate;
    bool is_go;

    (void)lines;
    return parse_title(line, &numbers, &rate, &is_go);
}

/* An object of n bytes is sampled with the probability 1 - exp(-n / rate)
 * (runtime/pprof/protomem.go: scaleHeapSample). */
static void scale(int64_t *objects, int64_t *bytes, int64_t rate)
{
    double factor;

    if (*objects <= 0 || *bytes <= 0) {
        *objects = 0;
        *bytes = 0;
        return;
    }
    if (rate <= 1)
        return;
    factor = 1 / (1 - exp(-((double)*bytes / (double)*objects) / (double)rate));
    *objects = measured_scaled(*objects, factor);
    *bytes = measured_scaled(*bytes, factor);
}

static void add_to(int64_t *sum, int64_t number)
{
    if (__builtin_add_overflow(*sum, number, sum))
        *sum = INT64_MAX;
}

/* The same order as in protobuf; without "since the start" the other two. */
static bool take_record(struct reader *reader, struct str line)
{
    struct heap_numbers numbers;
    int64_t values[MEASURED_VALUES] = {0};
    size_t inuse = reader->has_alloc ? 2 : 0;
    uint64_t total = snapshot_info(reader->text->snapshot)->total;

    if (!cut_numbers(&line, &numbers))
        return false;
    add_to(&reader->sum.inuse_objects, numbers.inuse_objects);
    add_to(&reader->sum.inuse_bytes, numbers.inuse_bytes);
    scale(&numbers.inuse_objects, &numbers.inuse_bytes, reader->rate);
    scale(&numbers.alloc_objects, &numbers.alloc_bytes, reader->rate);
    if (reader->has_alloc) {
        values[0] = numbers.alloc_objects;
        values[1] = numbers.alloc_bytes;
    }
    values[inuse] = numbers.inuse_objects;
    values[inuse + 1] = numbers.inuse_bytes;
    /* Sums of objects stay within 63 bits. */
    if (reader->text->in_record)
        total += reader->text->record.count;
    if ((uint64_t)numbers.inuse_objects > INT64_MAX - total)
        numbers.inuse_objects = 0;
    measured_text_begin(reader->text, (uint64_t)numbers.inuse_objects, values,
                        line);
    return true;
}

/* The lines of the trailer that are kept: "# HeapAlloc = 3443752", and for the
 * stacks "# Stack = INUSE / SYS". */
static const struct stat_line {
    struct str key;
    size_t offset;
} stat_lines[] = {
    {STR_INIT("Alloc"), offsetof(struct memstats, alloc)},
    {STR_INIT("TotalAlloc"), offsetof(struct memstats, total_alloc)},
    {STR_INIT("Sys"), offsetof(struct memstats, sys)},
    {STR_INIT("Mallocs"), offsetof(struct memstats, mallocs)},
    {STR_INIT("Frees"), offsetof(struct memstats, frees)},
    {STR_INIT("HeapAlloc"), offsetof(struct memstats, heap_alloc)},
    {STR_INIT("HeapSys"), offsetof(struct memstats, heap_sys)},
    {STR_INIT("HeapIdle"), offsetof(struct memstats, heap_idle)},
    {STR_INIT("HeapInuse"), offsetof(struct memstats, heap_inuse)},
    {STR_INIT("HeapReleased"), offsetof(struct memstats, heap_released)},
    {STR_INIT("HeapObjects"), offsetof(struct memstats, heap_objects)},
    {STR_INIT("Stack"), offsetof(struct memstats, stack_inuse)},
    {STR_INIT("GCSys"), offsetof(struct memstats, gc_sys)},
    {STR_INIT("NextGC"), offsetof(struct memstats, next_gc)},
    {STR_INIT("LastGC"), offsetof(struct memstats, last_gc_ns)},
    {STR_INIT("NumGC"), offsetof(struct memstats, num_gc)},
    {STR_INIT("NumForcedGC"), offsetof(struct memstats, num_forced_gc)},
    {STR_INIT("MaxRSS"), offsetof(struct memstats, max_rss)},
};

/* "0.0010..." and other forms of a fraction that Go's %v prints. */
static double parse_fraction(struct str text)
{
    char copy[64];
    size_t n = text.len < sizeof(copy) ? text.len : sizeof(copy) - 1;
    double fraction;

    memcpy(copy, text.ptr, n);
    copy[n] = '\0';
    fraction = strtod(copy, NULL);
    return isfinite(fraction) ? fraction : 0;
}

/* Takes a line of the trailer. Lines of keys that are not kept are the
 * profile's too. */
static bool take_stat(struct reader *reader, struct str line)
{
    struct str key;
    uint64_t number;

    if (!str_cut_prefix(&line, STR("# ")))
        return false;
    key = str_head(line, str_search(line, STR(" = ")));
    line = str_skip(line, key.len + 3);
    if (!line.len)
        return false;
    if (str_equal(key, STR("GCCPUFraction")))
        reader->stats.gc_cpu_fraction = parse_fraction(line);
    if (!str_cut_decimal(&line, &number))
        return true;
    for (size_t i = 0; i < sizeof(stat_lines) / sizeof(stat_lines[0]); i++) {
        if (str_equal(key, stat_lines[i].key))
            memcpy((char *)&reader->stats + stat_lines[i].offset, &number,
                   sizeof(number));
    }
    if (str_equal(key, STR("Stack")) && str_cut_prefix(&line, STR(" / ")))
        str_cut_decimal(&line, &reader->stats.stack_sys);
    return true;
}

static bool is_stats_title(struct str line)
{
    return str_equal(str_trim(line), STR("# runtime.MemStats"));
}

/* Whether the line is one of the trailer whose key is kept: a comment of others
 * may look like those that are not. */
static bool begins_known_stat(struct str line)
{
    if (!str_cut_prefix(&line, STR("# ")))
        return false;
    line = str_head(line, str_search(line, STR(" = ")));
    for (size_t i = 0; i < sizeof(stat_lines) / sizeof(stat_lines[0]); i++) {
        if (str_equal(line, stat_lines[i].key))
            return true;
    }
    return false;
}

static bool take_line(struct reader *reader, struct str line)
{
    if (reader->in_stats)
        return take_stat(reader, line);
    if (is_stats_title(line)) {
        measured_text_end(reader->text);
        reader->in_stats = true;
        return true;
    }
    return take_record(reader, line) || measured_text_take(reader->text, line);
}

static bool is_own(const void *user, struct str line)
{
    const struct reader *reader = user;
    struct heap_numbers numbers;
    struct address_frame frame;

    if (reader->in_stats)
        return begins_known_stat(line);
    if (reader->text->in_record && address_frame_parse(line, &frame))
        return true;
    return is_stats_title(line) || cut_numbers(&line, &numbers);
}

static void read_lines(struct reader *reader)
{
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
}

/* The title's sums are of the numbers in use, as the records have them. */
static void check_sums(struct reader *reader)
{
    struct snapshot_info *info = snapshot_info(reader->text->snapshot);

    if (reader->is_cut)
        measured_text_say_cut(reader->text);
    if (reader->sum.inuse_bytes >= reader->declared.inuse_bytes &&
        reader->sum.inuse_objects >= reader->declared.inuse_objects)
        return;
    info->complete = false;
    diag_add(&reader->text->section->snapshots->diags, DIAG_WARNING,
             "declared-total",
             (struct place){reader->text->lines->name, info->line, 0},
             "the header declares %lld sampled objects in use of %lld bytes, "
             "but the records hold %lld of %lld bytes",
             (long long)reader->declared.inuse_objects,
             (long long)reader->declared.inuse_bytes,
             (long long)reader->sum.inuse_objects,
             (long long)reader->sum.inuse_bytes);
}

/* Go counts both; of others the sums in the title tell, as pprof takes it. */
static bool begin(struct reader *reader)
{
    static const struct value_type types[] = {
        {STR_INIT("alloc_objects"), STR_INIT("count")},
        {STR_INIT("alloc_space"), STR_INIT("bytes")},
        {STR_INIT("inuse_objects"), STR_INIT("count")},
        {STR_INIT("inuse_space"), STR_INIT("bytes")},
    };
    struct snapshot_info *info = snapshot_info(reader->text->snapshot);
    struct heap_numbers *declared = &reader->declared;
    struct str line;
    bool is_go = false;

    if (lines_peek(reader->text->lines, &line))
        parse_title(line, declared, &reader->rate, &is_go);
    lines_next(reader->text->lines);
    reader->has_alloc = is_go ||
                        (declared->alloc_objects != declared->inuse_objects &&
                         declared->alloc_objects) ||
                        (declared->alloc_bytes != declared->inuse_bytes &&
                         declared->alloc_bytes);
    info->period_type = (struct value_type){STR("space"), STR("bytes")};
    info->period = reader->rate;
    if (is_go)
        info->sampling = reader->rate ? SAMPLING_ON : SAMPLING_OFF;
    return measured_text_set(reader->text, PROFILE_HEAP, STR("heap"),
                             types + (reader->has_alloc ? 0 : 2),
                             reader->has_alloc ? 4 : 2);
}

static void keep_stats(struct reader *reader)
{
    struct memstats *stats =
        snapshot_take(reader->text->snapshot, sizeof(*stats));

    if (!stats)
        return;
    *stats = reader->stats;
    snapshot_info(reader->text->snapshot)->memstats = stats;
}

static int read_section(struct section *section, struct cprof_error *err)
{
    struct reader reader = {0};
    int rc =
        measured_text_new(&reader.text, section, heap_text_format.name, err);

    if (rc < 0)
        return rc;
    if (begin(&reader)) {
        read_lines(&reader);
        check_sums(&reader);
        if (reader.in_stats)
            keep_stats(&reader);
    } else {
        rc = error_memory(err, (struct place){section->lines->name, 0, 0},
                          "reading");
    }
    measured_text_free(reader.text);
    return rc;
}

const struct format heap_text_format = {
    .name = "debug1",
    .recognise = recognise,
    .read = read_section,
};
