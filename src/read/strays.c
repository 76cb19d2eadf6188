#include "read/strays.h"

#include "format/go_text.h"
#include "format/omission.h"
#include "unwrap/begin.h"

/* Begins a stretch, the bounds of which are not known to be any dump's. */
static void begin_stretch(struct strays *strays)
{
    *strays = (struct strays){.has_begun = true,
                              .is_head = strays->is_head,
                              .has_said = strays->has_said};
}

/* What a line with the prefix of a log may be of a stack. One with several
 * places is a record of its own. */
static enum go_line wrapped_kind(struct str line)
{
    struct str offset = STR(" +0x");
    size_t at = str_search(line, offset);

    if (str_contains(line, STR("goroutine ")) &&
        !str_contains(line, STR("created by ")))
        return GO_LINE_OTHER;
    if (at < line.len && str_contains(str_head(line, at), STR(".go:")))
        return str_contains(str_skip(line, at + 1), offset) ? GO_LINE_OTHER
                                                            : GO_LINE_STACK;
    return str_contains(line, STR("created by ")) ||
                   str_contains(line, STR("(0x")) ||
                   str_contains(line, STR("(...)")) ||
                   str_contains(line, STR("()"))
               ? GO_LINE_PERHAPS
               : GO_LINE_OTHER;
}

/* Whether a line that is none of a stack, where a dump ended or the input
 * begins, may be what is left of one that was. */
static bool may_be_rest(const struct strays *strays, struct str line)
{
    return !strays->has_lines && !strays->has_rest &&
           (strays->is_first ||
            (strays->is_behind && go_debris_is_likely(line)));
}

/* Begins with what is left of a line. Who lost a header has said so. */
static void take_rest(struct strays *strays, struct str line, uint64_t number)
{
    uint64_t id;

    strays->has_rest = true;
    strays->has_frames = !go_header_is_broken(line, &id) &&
                         (go_ends_with_offset(line) || str_has_zeros(line));
    strays->line = number;
}

/* Takes a line that is none of a stack. */
static void see_other(struct strays *strays, struct str line, uint64_t number)
{
    if (strays->is_behind && omission_looks_like(line)) {
        begin_stretch(strays);
        strays->is_told = true;
    } else if (may_be_rest(strays, line)) {
        take_rest(strays, line, number);
    } else if (strays->is_wrapped && !strays->has_end) {
        strays->has_end = true;
    } else {
        begin_stretch(strays);
        if (str_has_zeros(line))
            take_rest(strays, line, number);
    }
}

static void see_frame(struct strays *strays, enum go_line kind, bool is_wrapped,
                      uint64_t number)
{
    if (strays->has_end)
        begin_stretch(strays);
    if (!strays->has_frames)
        strays->line = number;
    strays->has_lines = true;
    strays->is_wrapped |= is_wrapped;
    strays->has_frames |= kind == GO_LINE_STACK;
}

bool strays_see(struct strays *strays, struct section *section, struct str line)
{
    uint64_t number = section->lines->number;
    enum go_line kind = go_line_kind(line);
    bool is_wrapped = kind == GO_LINE_OTHER;

    if (strays->is_behind_log && omission_looks_like(line)) {
        section_count_omissions(section, 1, number);
        return true;
    }
    if (is_wrapped)
        kind = wrapped_kind(line);
    if (!strays->has_begun)
        strays->is_first = true;
    strays->has_begun = true;
    if (kind == GO_LINE_OTHER)
        see_other(strays, line, number);
    else
        see_frame(strays, kind, is_wrapped, number);
    if (!strays->has_frames || !strays->is_behind)
        return false;
    section_count_stray(section, number);
    return true;
}

bool strays_see_hole(const struct strays *strays, struct section *section,
                     struct str line)
{
    struct begin begin;
    size_t at = str_find(line, '\0');

    if (at == line.len || (at == 0 && !strays->has_begun) ||
        !begin_find(line, 0, &begin) || at >= begin.at)
        return false;
    section_say_zeros(section);
    return true;
}

void strays_see_zeros(struct strays *strays, struct section *section,
                      struct str line)
{
    size_t end = line.len;

    while (end > 0 && !line.ptr[end - 1])
        end--;
    if (strays->has_said || !str_has_zeros(line) ||
        (!line.ptr[0] && !strays->has_begun) ||
        (end < line.len && !lines_has_end(section->lines)))
        return;
    section_say_zeros(section);
    strays->has_said = true;
}

bool strays_begin_dump(struct strays *strays, struct section *section)
{
    bool has_frames = strays->has_frames && !strays->is_told;

    if (has_frames && strays->is_first)
        strays->is_head = true;
    else if (has_frames && !strays->is_behind)
        section_count_stray(section, strays->line);
    begin_stretch(strays);
    return has_frames;
}

void strays_end_dump(struct strays *strays, bool is_log)
{
    begin_stretch(strays);
    strays->is_behind = true;
    strays->is_behind_log = is_log;
}
