/* The fields of journal entries, a line each: journalctl -o export, and -o
 * verbose, which indents them below a line with the time (systemd,
 * docs/JOURNAL_EXPORT_FORMATS.md):
 *
 *     __REALTIME_TIMESTAMP=1763647320123456
 *     MESSAGE=goroutine 1 [running]:
 *     _PID=24117 */
#include "unwrap/wrapping.h"

/* Whether a line is another field: a name of capitals, digits and underscores
 * in front of "=". */
static bool is_field(struct str line)
{
    size_t i = 0;

    while (i < line.len &&
           (line.ptr[i] == '_' || (line.ptr[i] >= 'A' && line.ptr[i] <= 'Z') ||
            (i && line.ptr[i] >= '0' && line.ptr[i] <= '9')))
        i++;
    return i > 0 && i < line.len && line.ptr[i] == '=';
}

static bool strip(const struct shape *shape, struct str line,
                  struct buf *scratch, struct piece *ret)
{
    size_t indented = 0;

    (void)shape;
    (void)scratch;
    while (indented < line.len && line.ptr[indented] == ' ')
        indented++;
    ret->text = str_skip(line, indented);
    if (str_cut_prefix(&ret->text, STR("MESSAGE=")))
        return true;
    ret->is_around = !ret->text.len || is_field(ret->text) ||
                     str_contains(line, STR(" [s="));
    return ret->is_around;
}

static bool learn(struct shape *shape, struct str line, struct begin begin)
{
    struct buf none = {0};
    struct piece piece = {0};

    return strip(shape, line, &none, &piece) && !piece.is_around &&
           piece.text.ptr == line.ptr + begin.at;
}

const struct wrapping journal_wrapping = {
    .name = "journal", .learn = learn, .strip = strip};
