/* Any other text before every line, learned from the header: an indentation, a
 * Markdown quote, "shopd: ", the prefix of a logger. Numbers in it may change
 * from line to line, and how far they are padded; so may times, of which some
 * have no fraction or a shorter one; all else stays the same. */
#include "unwrap/clock.h"
#include "unwrap/wrapping.h"

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static size_t skip_digits(const char *text, size_t at, size_t len)
{
    while (at < len && is_digit(text[at]))
        at++;
    return at;
}

static size_t skip_blanks(const char *text, size_t at, size_t len)
{
    while (at < len && text[at] == ' ')
        at++;
    return at;
}

/* A prefix may lack the blanks at its end where nothing follows it. */
static bool is_blank_from(const struct shape *shape, size_t at)
{
    struct str rest = {shape->text + at, shape->len - at};

    return !str_trim(rest).len;
}

/* Moves *i behind the time that stands there in the shape, and *j behind the
 * one of the line; false where the shape has none, or the line. The zone is
 * compared like any text: a shape that ends inside of one would otherwise not
 * fit lines in which the text begins as the rest of a zone does. */
static bool skip_times(const struct shape *shape, size_t *i, struct str line,
                       size_t *j)
{
    struct str own = {shape->text + *i, shape->len - *i};
    struct str other = str_skip(line, *j);

    if ((*i > 0 && is_digit(shape->text[*i - 1])) || !clock_cut_local(&own) ||
        !clock_cut_local(&other))
        return false;
    *i = shape->len - own.len;
    *j = line.len - other.len;
    return true;
}

/* Whether a byte of a line fits the one of the shape. grep -n -A 50 has dashes
 * in place of colons where it was not the line itself that was asked for. */
static bool fits_byte(const struct shape *shape, size_t i, char c)
{
    return shape->text[i] == c || (c == '-' && shape->offset &&
                                   (i == shape->offset || i + 1 == shape->len));
}

static bool strip(const struct shape *shape, struct str line,
                  struct buf *scratch, struct piece *ret)
{
    size_t i = 0;
    size_t j = 0;

    (void)scratch;
    while (i < shape->len && j < line.len) {
        size_t number = skip_blanks(shape->text, i, shape->len);

        if (number > i && number < shape->len &&
            is_digit(shape->text[number])) {
            i = number;
            j = skip_blanks(line.ptr, j, line.len);
        } else if (is_digit(shape->text[i]) &&
                   skip_times(shape, &i, line, &j)) {
            continue;
        } else if (is_digit(shape->text[i])) {
            if (!is_digit(line.ptr[j]))
                return false;
            i = skip_digits(shape->text, i, shape->len);
            j = skip_digits(line.ptr, j, line.len);
        } else if (!fits_byte(shape, i++, line.ptr[j++])) {
            return false;
        }
    }
    if (i < shape->len && !is_blank_from(shape, i))
        return false;
    ret->text = str_skip(line, j);
    return true;
}

/* Where the first colon stands in the number of a line as grep prints it:
 * "12:", or behind the name of a file "dump.txt:12:". 0 where it is no such
 * number. */
static size_t find_grep_colon(const struct shape *shape)
{
    size_t end = shape->len - 1;
    size_t begin = end;

    while (begin > 0 && is_digit(shape->text[begin - 1]))
        begin--;
    if (shape->text[end] != ':' || begin == end)
        return 0;
    if (!begin)
        return end;
    return shape->text[begin - 1] == ':' ? begin - 1 : 0;
}

/* Whether a prefix ends in something that parts it from the text, or is the
 * mark of a diff. */
static bool ends_prefix(struct str prefix)
{
    return chars_have(" \t|>:]}=", prefix.ptr[prefix.len - 1]) ||
           (prefix.len == 1 && chars_have("+-", prefix.ptr[0]));
}

/* The prefix must not be what Go's own headers begin with, or it would swallow
 * plain dumps. */
static bool learn(struct shape *shape, struct str line, struct begin begin)
{
    if (begin.at == 0 || begin.at > SHAPE_MOST ||
        str_starts(line, STR("goroutine ")) ||
        !ends_prefix(str_head(line, begin.at)))
        return false;
    memcpy(shape->text, line.ptr, begin.at);
    shape->len = begin.at;
    shape->offset = find_grep_colon(shape);
    return true;
}

const struct wrapping learned_wrapping = {
    .name = "prefix", .is_regular = true, .learn = learn, .strip = strip};
