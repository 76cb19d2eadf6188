/* Any bytes through the unwrappers, below the driver: a section gives the same
 * texts whatever is read at a time, moves on, and names lines of its own. */
#include "reading.h"
#include "unwrap/unwrap.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What was unwrapped of one input. */
struct result {
    struct buf text; /* of all streams, each behind its instance */
    uint64_t n_sections;
    uint64_t end; /* number of the line behind the last */
};

/* Lines of a stream are in order, and are lines of the section. */
static void check_map(const struct unwrap_stream *stream, uint64_t n_lines,
                      uint64_t first, uint64_t last)
{
    uint64_t before = first;

    for (uint64_t i = 1; i <= n_lines; i++) {
        uint64_t line = line_map_outer(stream->map, i);

        CHECK(line >= before && line <= last);
        before = line;
    }
}

static void read_stream(struct result *result,
                        const struct unwrap_stream *stream, size_t step)
{
    char into[4096];
    ptrdiff_t n;

    CHECK(step <= sizeof(into));
    buf_addf(&result->text, "[" STR_FORMAT "]", STR_ARG(stream->instance));
    while ((n = stream->source.read(stream->source.user, into, step)) > 0) {
        CHECK((size_t)n <= step);
        buf_add(&result->text, (struct str){into, (size_t)n});
    }
    CHECK(n == 0);
}

static uint64_t count_ends(struct str text)
{
    uint64_t n = 0;

    for (size_t i = 0; i < text.len; i++)
        n += text.ptr[i] == '\n';
    return n;
}

static void read_section(struct result *result, struct lines *lines,
                         const struct shape *shape, struct budget *budget,
                         size_t step)
{
    uint64_t first = lines->number;
    uint64_t offset = lines_offset(lines);
    struct unwrap_stream stream;
    struct unwrap *unwrap;
    uint64_t skipped;

    CHECK(unwrap_open(&unwrap, lines, shape, budget, NULL) == 0);
    while (unwrap_next(unwrap, &stream)) {
        size_t begin = result->text.len;

        read_stream(result, &stream, step);
        check_map(&stream, count_ends(str_skip(buf_str(&result->text), begin)),
                  first, lines->number);
        CHECK(stream.n_lost_bytes == 0);
    }
    CHECK(lines_offset(lines) > offset || lines->at_end);
    if (unwrap_skipped(unwrap, &skipped))
        CHECK(skipped >= first && skipped <= lines->number);
    unwrap_free(unwrap);
    result->n_sections++;
}

static struct result unwrap_all(const uint8_t *data, size_t size,
                                size_t outer_step, size_t step)
{
    struct source_memory memory = {{(const char *)data, size}, outer_step};
    struct unwrap_outlook outlook;
    struct result result = {0};
    struct budget budget;
    struct lines lines;
    struct str line;

    budget_init(&budget, 0);
    unwrap_outlook_init(&outlook);
    CHECK(lines_init(&lines, source_from_memory(&memory), "input", &budget,
                     NULL) == 0);
    while (lines_peek(&lines, &line)) {
        struct shape shape;
        struct begin begin;
        bool begins = begin_find(line, 0, &begin);
        bool is_likely = unwrap_is_likely(&lines, line, &outlook);

        /* The quick look misses nothing that the thorough one finds. */
        CHECK(is_likely || !begins);
        if (unwrap_recognise(&lines, line, false, &outlook, &shape))
            read_section(&result, &lines, &shape, &budget, step);
        else
            lines_next(&lines);
    }
    result.end = lines.number;
    lines_done(&lines);
    CHECK(budget.used == 0);
    return result;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct result whole = unwrap_all(data, size, 0, 4096);
    struct result pieces = unwrap_all(data, size, 1 + size % 5, 1 + size % 61);

    CHECK(whole.n_sections == pieces.n_sections);
    CHECK(whole.end == pieces.end);
    CHECK(str_equal(buf_str(&whole.text), buf_str(&pieces.text)));
    buf_done(&whole.text);
    buf_done(&pieces.text);
    return 0;
}
