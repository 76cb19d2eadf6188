#include "format/race.h"

#include "format/go_text.h"

static bool is_frame_line(struct str line)
{
    return str_equal(str_trim(line), STR("=================="));
}

bool race_begins(struct lines *lines, struct str line)
{
    struct str second;

    return line.len && line.ptr[0] == '=' && is_frame_line(line) &&
           lines_peek_second(lines, &second) &&
           str_equal(str_trim(second), STR("WARNING: DATA RACE"));
}

void race_skip(struct section *section)
{
    struct lines *lines = section->lines;
    struct go_header header;
    struct str line;

    for (unsigned n = 0; n < RACE_LINES_MOST && lines_peek(lines, &line); n++) {
        bool is_last = n > 0 && is_frame_line(line);

        if (go_header_parse(line, &header))
            return;
        if (str_trim(line).len)
            section_count_foreign(section);
        lines_next(lines);
        if (is_last)
            return;
    }
}

bool race_goes_on(struct lines *lines, struct str line, unsigned *n)
{
    if (*n && (is_frame_line(line) || *n > RACE_LINES_MOST))
        *n = 0;
    else if (*n || race_begins(lines, line))
        return (*n)++ > 0;
    return false;
}
