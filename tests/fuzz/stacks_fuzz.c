/* debug=2: the words of a line lie inside it, and goroutines read one after
 * another, when the reader predicts what comes, are the same as those that are
 * read each by itself, when it cannot. */
#include <string.h>

#include "base/buf.h"
#include "format/go_text.h"
#include "reading.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A goroutine behind each text, so that none ends with its input. */
static const struct str sentinel =
    STR_INIT("goroutine 1 [sentinel]:\nmain.sentinel()\n\t/s.go:1 +0x1\n");

static void check_inside(struct str line, struct str part)
{
    if (part.len)
        CHECK(part.ptr >= line.ptr &&
              part.ptr + part.len <= line.ptr + line.len);
}

static bool check_header(struct str line)
{
    struct go_header header;
    struct label labels[4];
    struct buf scratch = {0};
    size_t n;

    if (!go_header_parse(line, &header))
        return false;
    check_inside(line, header.state);
    check_inside(line, header.labels);
    n = go_labels_parse(header.labels, &scratch, labels, 4);
    CHECK(n <= 4);
    for (size_t i = 0; i < n; i++) {
        check_inside(buf_str(&scratch), labels[i].key);
        check_inside(buf_str(&scratch), labels[i].value);
    }
    buf_done(&scratch);
    return true;
}

static void check_words(struct str line)
{
    struct go_place place;
    struct str name;
    struct str args;
    uint64_t id;

    if (go_call_parse(line, &name, &args)) {
        check_inside(line, args);
        CHECK(name.ptr == line.ptr && name.len > 0);
        CHECK(args.ptr == name.ptr + name.len + 1);
        CHECK(args.ptr[args.len] == ')'); /* behind it only a remark */
    }
    if (go_creator_parse(line, &name, &id)) {
        check_inside(line, name);
        CHECK(name.len > 0);
    }
    if (go_place_parse(line, &place)) {
        check_inside(line, place.file);
        CHECK(place.length <= line.len && place.file.len > 0);
    }
}

static struct str without_return(struct str line)
{
    str_cut_suffix(&line, STR("\r"));
    return line;
}

/* Reads a text as one input; false when more than one reader decides what is in
 * it, so that it cannot be compared. */
static bool add_input(struct reading *reading, struct str text)
{
    struct buf buf = {0};
    bool is_plain;

    buf_add(&buf, text);
    if (!str_ends(text, STR("\n")))
        buf_add_char(&buf, '\n');
    buf_add(&buf, sentinel);
    is_plain = !has_wrapping(buf_str(&buf));
    reading_add(reading, buf.ptr, buf.len, 0);
    CHECK(reading->rc == 0 || !is_plain);
    buf_done(&buf);
    return is_plain;
}

/* Reads every goroutine as an input of its own; false as in add_input. */
static bool add_split(struct reading *reading, struct str text)
{
    struct str rest = text;
    bool are_plain = true;
    size_t begin = 0;

    while (rest.len) {
        struct str line = str_head(rest, str_find(rest, '\n'));
        size_t at = text.len - rest.len;

        rest = str_skip(rest, line.len + 1);
        line = without_return(line);
        check_words(line);
        if (check_header(line) && at > begin) {
            are_plain &=
                add_input(reading, str_head(str_skip(text, begin), at - begin));
            begin = at;
        }
    }
    return add_input(reading, str_skip(text, begin)) && are_plain;
}

/* In a crash, and in the dump of a thread behind goroutines, ids that come
 * again are not counted again: crash_fuzz.c. Whether a line begins a crash is
 * decided by the goroutine behind it, which is another one when it is read by
 * itself. */
static bool has_crash(const struct reading *reading)
{
    const struct diag *diag = reading->snapshots->diags.first;

    while (diag && strcmp(diag->code, "crash-repeats") != 0)
        diag = diag->next;
    if (diag)
        return true;
    for (size_t i = 0; i < cprof_snapshots_count(reading->snapshots); i++) {
        if (snapshot_info_get(reading->snapshots->items[i])->crash)
            return true;
    }
    return false;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str text = {(const char *)data, size};
    struct reading whole;
    struct reading split;
    bool are_plain;

    if (!size || str_contains(text, STR("sentinel")) || has_wrapping(text))
        return 0;
    reading_init(&whole, NULL);
    reading_init(&split, NULL);
    are_plain = add_input(&whole, text);
    are_plain = add_split(&split, text) && are_plain;
    if (cprof_snapshots_count(whole.snapshots) < 256 && !has_crash(&whole) &&
        !has_crash(&split) && are_plain)
        reading_same_groups(&whole, &split, "sentinel");
    reading_done(&whole);
    reading_done(&split);
    return 0;
}
