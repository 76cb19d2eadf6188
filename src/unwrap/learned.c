/* Any other text before every line, learned from the header: an indentation, a
 * Markdown quote, "shopd: ", the prefix of a logger. Numbers in it may change
 * from line to line, and how far they are padded; all else stays the same. */
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
        } else if (is_digit(shape->text[i])) {
            if (!is_digit(line.ptr[j]))
                return false;
            i = skip_digits(shape->text, i, shape->len);
            j = skip_digits(line.ptr, j, line.len);
        } else if (shape->text[i++] != line.ptr[j++]) {
            return false;
        }
    }
    if (i < shape->len && !is_blank_from(shape, i))
        return false;
    ret->text = str_skip(line, j);
    return true;
}

/* The prefix must end in something that parts it from the text, and must not
 * be what Go's own headers begin with, or it would swallow plain dumps. */
static bool learn(struct shape *shape, struct str line, struct begin begin)
{
    if (begin.at == 0 || begin.at > SHAPE_MOST ||
        str_starts(line, STR("goroutine ")) ||
        !chars_have(" \t|>:]}=", line.ptr[begin.at - 1]))
        return false;
    memcpy(shape->text, line.ptr, begin.at);
    shape->len = begin.at;
    return true;
}

const struct wrapping learned_wrapping = {
    .name = "prefix", .is_regular = true, .learn = learn, .strip = strip};
