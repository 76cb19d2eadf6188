#include "format/ahead.h"

/* Whether a profile begins somewhere in the line, wrapped or not. */
static bool has_title(struct str line)
{
    return str_contains(line, STR(" profile: total ")) ||
           str_contains(line, STR("heap profile:")) ||
           str_contains(line, STR("--- mutex:")) ||
           str_contains(line, STR("--- contention"));
}

/* The number of the next own line; 0 = there is none. */
static uint64_t find_own(struct lines *lines, own_fn *is_own, const void *user)
{
    uint64_t number = lines->number;
    struct str rest;

    lines_fill(lines, LINES_WINDOW);
    rest = (struct str){lines->at, (size_t)(lines->end - lines->at)};
    rest = str_head(rest, LINES_WINDOW);
    for (; rest.len; number++) {
        struct str line = str_cut_line(&rest);

        if (has_title(line))
            return 0;
        if (is_own(user, line))
            return number;
    }
    return 0;
}

bool ahead_step_over(struct ahead *ahead, struct section *section,
                     own_fn *is_own, const void *user)
{
    struct lines *lines = section->lines;
    struct str line;

    if (!lines_peek(lines, &line) || format_recognise(lines, line))
        return false;
    if (ahead->own_line <= lines->number)
        ahead->own_line = find_own(lines, is_own, user);
    if (!ahead->own_line)
        return false;
    section_count_foreign(section);
    return true;
}
