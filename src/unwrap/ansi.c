/* Colours of a terminal: ECMA-48 control sequences, "ESC [ 1 ; 31 m", and
 * control strings: titles, links, the times of Buildkite. */
#include "unwrap/wrapping.h"

enum { ESCAPE = 0x1b };

/* The length of the control string at the front of text, or 0 when it does not
 * end there. */
static size_t string_length(struct str text)
{
    size_t bell = str_find(text, '\a');
    size_t end = str_search(text, STR("\x1b\\"));

    if (bell == text.len && end == text.len)
        return 0;
    return bell < end ? bell + 1 : end + 2;
}

/* The length of the sequence at the front of text, which is an ESC. */
static size_t sequence_length(struct str text)
{
    size_t i = 2;

    if (text.len < 2)
        return 1;
    if (str_find(STR("]_P^X"), text.ptr[1]) < 5 && string_length(text))
        return string_length(text);
    if (text.ptr[1] != '[')
        return 2;
    while (i < text.len && (text.ptr[i] < '@' || text.ptr[i] > '~'))
        i++;
    return i < text.len ? i + 1 : i;
}

/* What a terminal shows of a line: what follows a carriage return stands over
 * what came before. Shells that read pasted text switch that off, by a sequence
 * and a return before all that a program prints. */
static struct str without_overwritten(struct str line)
{
    struct str text = line;
    size_t at;

    str_cut_suffix(&text, STR("\r"));
    at = str_rfind(text, '\r');
    return at < text.len ? str_skip(line, at + 1) : line;
}

static bool strip(const struct shape *shape, struct str line,
                  struct buf *scratch, struct piece *ret)
{
    (void)shape;
    if (str_find(line, ESCAPE) == line.len) {
        ret->text = line;
        return true;
    }
    while (line.len) {
        size_t plain = str_find(line, ESCAPE);

        buf_add(scratch, str_head(line, plain));
        line = str_skip(line, plain);
        if (line.len)
            line = str_skip(line, sequence_length(line));
    }
    ret->text = without_overwritten(buf_str(scratch));
    return true;
}

static bool learn(struct shape *shape, struct str line, struct begin begin)
{
    (void)shape;
    (void)begin;
    return str_find(line, ESCAPE) < line.len;
}

const struct wrapping ansi_wrapping = {
    .name = "colours", .learn = learn, .strip = strip};
