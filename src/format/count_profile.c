#include "format/count_profile.h"

#include <stdio.h>
#include <string.h>

#include "base/count.h"
#include "format/address_text.h"
#include "format/ahead.h"

enum {
    FRAMES_MOST = 1024, /* kept a stack; the rest is counted as elided */
    LABELS_MOST = 64,   /* read a record */
};

/* No process has more goroutines; sums of such counts do not overflow. */
#define COUNT_MOST UINT32_MAX

struct reader {
    struct section *section;
    struct lines *lines;
    struct symbols *symbols;
    struct snapshot *snapshot;
    bool is_leak_profile;

    struct record record;
    bool in_record; /* record is begun */
    struct ahead ahead;
    uint64_t first_address; /* of the first frame line; 0 = none yet */
    uint64_t last_address;  /* of the last one */
    uint64_t n_nameless;    /* what records without frame lines count */
    uint64_t nameless_line; /* of the first such record */
    struct buf scratch;     /* of the labels */
    struct buf joined;      /* a line that was broken */
    struct label labels[LABELS_MOST];
    struct address_list addresses; /* the "@" list */
    frame_id frames[FRAMES_MOST];
};

/* The runtime's own profiles of this form. */
static const struct {
    struct str name;
    enum profile_kind kind;
} own[] = {
    {STR_INIT("goroutine"), PROFILE_GOROUTINE},
    {STR_INIT("goroutineleak"), PROFILE_GOROUTINELEAK},
    {STR_INIT("threadcreate"), PROFILE_THREADCREATE},
};

static enum profile_kind kind_of(struct str name)
{
    for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++) {
        if (str_equal(name, own[i].name))
            return own[i].kind;
    }
    return PROFILE_OTHER;
}

/* Whether a byte can be part of the name of a profile, for which Go asks that
 * it has the form of an import path (runtime/pprof/pprof.go: Profile). */
static bool is_of_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (c >= '0' && c <= '9') || chars_have("/-_.+~", c);
}

/* Takes away what a program has printed before the first line of a dump, as
 * log.Printf does, an archive, or a fence of Markdown: a title that ends in the
 * name of one of the runtime's own profiles, as a word of its own, is one of
 * it. */
static struct str without_prefix(struct str name)
{
    struct str last;
    size_t begin = name.len;

    while (begin > 0 && name.ptr[begin - 1] >= 'a' &&
           name.ptr[begin - 1] <= 'z')
        begin--;
    last = str_skip(name, begin);
    if (begin == 0 || kind_of(last) == PROFILE_OTHER ||
        is_of_name(name.ptr[begin - 1]))
        return name;
    return last;
}

/* "NAME profile: total N". Colours are no part of a name. */
static bool parse_title(struct str line, struct str *ret_name,
                        uint64_t *ret_total)
{
    struct str mark = STR(" profile: total ");
    size_t at = str_search(line, mark);
    struct str number = str_skip(line, at + mark.len);

    if (at == 0 || at + mark.len > line.len)
        return false;
    *ret_name = str_head(line, at);
    if (str_find(*ret_name, '\x1b') < at)
        return false;
    return str_to_u64(str_trim(number), ret_total) && *ret_total <= COUNT_MOST;
}

/* "COUNT @ 0x... 0x...": true with the count and what follows the "@". One that
 * was moved to the right has addresses at any rate. */
static bool parse_record(struct str line, uint64_t *ret_count,
                         struct str *ret_addresses)
{
    struct str rest = str_trim(line);
    bool is_moved = rest.ptr > line.ptr;

    if (!str_cut_decimal(&rest, ret_count) || *ret_count > COUNT_MOST ||
        !str_cut_prefix(&rest, STR(" @")))
        return false;
    if (rest.len && rest.ptr[0] != ' ')
        return false;
    *ret_addresses = rest;
    return !is_moved || str_starts(rest, STR(" 0x"));
}

/* Whether the line at the cursor is a record, and the one behind it its first
 * frame: of goroutines, whose title was left out, as where people show some of
 * a profile. The records of other kinds have more than one number; only those
 * of threads look alike, and have addresses of 0 at their end, or stand where
 * the runtime makes them. */
static bool is_untitled(struct lines *lines, struct str line)
{
    struct address_frame frame;
    struct str addresses;
    struct str second;
    uint64_t count;

    return parse_record(line, &count, &addresses) && count &&
           str_starts(addresses, STR(" 0x")) &&
           !str_ends(str_trim(addresses), STR(" 0x0")) &&
           lines_peek_second(lines, &second) &&
           address_frame_parse(second, &frame) && frame.place.line &&
           !str_starts(frame.name, STR("runtime.allocm"));
}

/* The name of a program's own profile is free text, so prose could look like
 * it: such a title counts only before a record or the end. So does a title
 * behind something else. A record is one that no title owns. */
static bool recognise(struct lines *lines, struct str line)
{
    struct str name;
    struct str second;
    struct str rest;
    uint64_t total;

    if (!parse_title(line, &name, &total))
        return is_untitled(lines, line);
    if (kind_of(name) != PROFILE_OTHER)
        return true;
    if (!lines_peek_second(lines, &second))
        return total == 0;
    return parse_record(second, &total, &rest);
}

static void begin_record(struct reader *reader, uint64_t count,
                         struct str addresses)
{
    reader->record = (struct record){
        .count = count,
        .frames = reader->frames,
        .state = STATE_UNKNOWN,
        .state_source = STATE_FROM_NONE,
        .hidden = {.count = -1},
        .leaked = reader->is_leak_profile,
        .labels = reader->labels,
        .line = reader->lines->number,
    };
    reader->in_record = true;
    reader->first_address = 0;
    reader->last_address = 0;
    address_list_parse(addresses, &reader->addresses);
}

/* Frame lines print the address of the call, one below the return address of
 * the "@" list. What stands in the list before the first printed frame are
 * the runtime frames that the text hides. */
static void find_hidden(struct reader *reader)
{
    struct hidden *hidden = &reader->record.hidden;
    const struct address_list *list = &reader->addresses;
    uint64_t known =
        list->count < ADDRESSES_MOST ? list->count : ADDRESSES_MOST;

    for (uint64_t i = 0; i < known && reader->first_address; i++) {
        if (list->kept[i] == reader->first_address + 1) {
            hidden->count = (int)i;
            break;
        }
    }
    for (uint64_t i = 0; i < known && i < HIDDEN_MOST; i++)
        hidden->pc[hidden->n_pc++] = list->kept[i];
}

/* A whole stack ends in runtime.goexit, which the text does not print. A list
 * that ends in a printed frame was cut at the depth limit: 32 addresses before
 * Go 1.23, 128 since (runtime/mprof.go). */
static bool is_cut_by_depth(const struct reader *reader)
{
    return reader->addresses.count >= 32 &&
           reader->addresses.last == reader->last_address + 1;
}

static void add_frame(struct reader *reader, const struct address_frame *frame)
{
    struct record *record = &reader->record;
    frame_id id = address_frame_put(reader->symbols, frame);

    if (!id)
        record->lost = true;
    else if (record->n_frames < FRAMES_MOST)
        reader->frames[record->n_frames++] = id;
    else if (record->elided != ELIDED_SOME)
        record->elided++;
}

/* Whether a record has lost its frame lines: the text prints one at least for
 * each that has more than runtime.goexit, or 0, on its stack. */
static bool is_nameless(const struct reader *reader)
{
    return reader->addresses.count > 1 && reader->addresses.kept[0] &&
           !reader->first_address && !reader->record.n_frames &&
           !reader->record.lost && !reader->record.elided;
}

/* Takes the addresses of a record for its frames, as the text names those
 * that it knows no function of: they have started at any rate. Which of them
 * the text would hide is not known. */
static void name_by_addresses(struct reader *reader)
{
    const struct address_list *list = &reader->addresses;
    uint64_t known =
        list->count < ADDRESSES_MOST ? list->count : ADDRESSES_MOST;

    for (uint64_t i = 0; i < known && list->kept[i]; i++) {
        char text[24];
        int n = snprintf(text, sizeof(text), "0x%llx",
                         (unsigned long long)list->kept[i] - 1);

        add_frame(reader, &(struct address_frame){
                              .address = list->kept[i] - 1,
                              .name = {text, (size_t)n},
                          });
    }
    if (!reader->n_nameless)
        reader->nameless_line = reader->record.line;
    reader->n_nameless += reader->record.count;
}

static void end_record(struct reader *reader)
{
    if (reader->in_record && reader->record.count) {
        if (is_nameless(reader))
            name_by_addresses(reader);
        find_hidden(reader);
        if (is_cut_by_depth(reader))
            reader->record.elided = ELIDED_SOME;
        snapshot_add(reader->snapshot, &reader->record);
    }
    reader->in_record = false;
    reader->record.count = 0;
}

/* Takes a line of a frame; false for other lines. The stacks of threadcreate
 * are padded with a return address of 0, which is no frame. */
static bool take_frame(struct reader *reader, struct str line)
{
    struct address_frame frame;
    unsigned n = address_frame_at(reader->lines, line, &reader->joined, &frame);

    if (!n)
        return false;
    while (--n)
        lines_next(reader->lines);
    if (!frame.address && !frame.place.line &&
        str_equal(frame.name, STR("0x0")))
        return true;
    if (!reader->first_address)
        reader->first_address = frame.address;
    reader->last_address = frame.address;
    add_frame(reader, &frame);
    return true;
}

static bool take_labels(struct reader *reader, struct str line)
{
    if (!str_cut_prefix(&line, STR("# labels: ")))
        return false;
    reader->record.n_labels =
        go_labels_parse(line, &reader->scratch, reader->labels, LABELS_MOST);
    if (reader->record.n_labels == LABELS_MOST)
        section_say_labels(reader->section, reader->lines->number, LABELS_MOST);
    return true;
}

/* Takes the line at the cursor; false when it is none of this profile's. */
static bool take_line(struct reader *reader, struct str line)
{
    struct str addresses;
    uint64_t count;

    if (!str_trim(line).len) {
        end_record(reader);
        return true;
    }
    if (parse_record(line, &count, &addresses)) {
        end_record(reader);
        begin_record(reader, count, addresses);
        return true;
    }
    if (!reader->in_record)
        return false;
    return take_labels(reader, line) || take_frame(reader, line);
}

static void say_cut(struct reader *reader)
{
    snapshot_info(reader->snapshot)->complete = false;
    diag_add(&reader->section->snapshots->diags, DIAG_WARNING, "cut-tail",
             (struct place){reader->lines->name, reader->lines->number, 0},
             "the dump ends in the middle of a record: what came after it is "
             "missing");
}

/* Whether the profile is whole with the record at hand. */
static bool is_total_reached(const struct reader *reader)
{
    const struct snapshot_info *info = snapshot_info(reader->snapshot);

    return info->total + reader->record.count == info->declared;
}

/* The last line of an input, which lacks its line end, may be half a line: a
 * record that says less than it would is better than one that says it
 * wrong. */
static void take_last(struct reader *reader, struct str line)
{
    struct str addresses;
    uint64_t count;

    if (is_total_reached(reader) && take_frame(reader, line))
        return;
    if (parse_record(line, &count, &addresses))
        take_line(reader, line);
    if (reader->in_record)
        reader->record.elided = ELIDED_SOME;
    say_cut(reader);
}

/* Behind the sum that the title declares there is no record: what looks like
 * one is another profile's. */
static bool is_own(const void *user, struct str line)
{
    const struct reader *reader = user;
    struct address_frame frame;
    struct str addresses;
    uint64_t count;

    if (reader->in_record && address_frame_parse(line, &frame))
        return true;
    return !is_total_reached(reader) && parse_record(line, &count, &addresses);
}

/* Whether the line lacks its end while something is missing: then it may be
 * half a line. What people show of a profile ends so. */
static bool is_half_line(const struct reader *reader, struct str line)
{
    return str_trim(line).len && !lines_has_end(reader->lines) &&
           !snapshot_info(reader->snapshot)->is_untitled &&
           (!is_total_reached(reader) ||
            (reader->in_record && str_starts(line, STR("#"))));
}

static void read_records(struct reader *reader)
{
    struct str line;

    while (lines_peek(reader->lines, &line)) {
        if (is_half_line(reader, line))
            take_last(reader, line);
        else if (!take_line(reader, line) &&
                 !ahead_step_over(&reader->ahead, reader->section, is_own,
                                  reader))
            break;
        section_pass_line(reader->section, reader->snapshot);
    }
    end_record(reader);
}

/* Where something is missing, lines that are no part of the profile may be
 * what became of it. */
static void say_foreign(struct reader *reader)
{
    struct section *section = reader->section;

    if (section->n_foreign)
        diag_add(&section->snapshots->diags, DIAG_WARNING, "foreign-lines",
                 (struct place){reader->lines->name, section->foreign_line, 0},
                 "from here on, %s line%s between the records %s no part of "
                 "them",
                 count_text(section->n_foreign).text,
                 section->n_foreign == 1 ? "" : "s",
                 section->n_foreign == 1 ? "is" : "are");
}

/* The records of a profile add up to its title; when they do not, records
 * are missing from the text. */
static void check_total(struct reader *reader)
{
    struct snapshot_info *info = snapshot_info(reader->snapshot);
    struct place place = {reader->lines->name, info->line, 0};
    struct count_text declared = count_text(info->declared);
    struct count_text total = count_text(info->total);

    if (info->declared > info->total) {
        info->complete = false;
        diag_add(&reader->section->snapshots->diags, DIAG_WARNING,
                 "declared-total", place,
                 "%s of the %s goroutines that the header declares are in no "
                 "record of this text: its records hold %s",
                 count_text(info->declared - info->total).text, declared.text,
                 total.text);
        say_foreign(reader);
    } else if (info->total > info->declared) {
        diag_add(&reader->section->snapshots->diags, DIAG_WARNING,
                 "declared-total", place,
                 "the header declares %s, but the records hold %s",
                 declared.text, total.text);
    }
}

static void say_nameless(struct reader *reader)
{
    if (!reader->n_nameless)
        return;
    /* Threads are counted, whoever made them; old Go names none of them. */
    if (snapshot_info(reader->snapshot)->kind != PROFILE_THREADCREATE)
        snapshot_info(reader->snapshot)->complete = false;
    diag_add(&reader->section->snapshots->diags, DIAG_WARNING, "names-missing",
             (struct place){reader->lines->name, reader->nameless_line, 0},
             "from here on, records that count %s have addresses but no "
             "lines with frames: they stand at addresses here",
             count_text(reader->n_nameless).text);
}

/* A title alone is no answer: it fails the input, unless another dump stands
 * in it. */
static void leave_out_empty(struct reader *reader)
{
    const struct snapshot_info *info = snapshot_info(reader->snapshot);

    if (info->total || !info->declared)
        return;
    reader->section->empty_declared = info->declared;
    reader->section->empty_line = info->line;
    collection_drop(reader->section->snapshots);
}

/* Takes what the title at the cursor says. */
static int take_title(struct reader *reader, struct str name, uint64_t total,
                      struct cprof_error *err)
{
    struct snapshot_info *info = snapshot_info(reader->snapshot);

    name = without_prefix(name);
    info->profile = snapshot_copy(reader->snapshot, name);
    if (info->profile.len != name.len)
        return error_memory(err, (struct place){reader->lines->name, 0, 0},
                            "reading a profile");
    info->kind = kind_of(name);
    info->has_declared = true;
    info->declared = total;
    reader->is_leak_profile = info->kind == PROFILE_GOROUTINELEAK;
    lines_next(reader->lines);
    return 0;
}

static void say_untitled(struct reader *reader)
{
    snapshot_info(reader->snapshot)->complete = false;
    snapshot_info(reader->snapshot)->is_untitled = true;
    diag_add(&reader->section->snapshots->diags, DIAG_WARNING, "no-title",
             (struct place){reader->lines->name, reader->lines->number, 0},
             "records of goroutines without the title of their profile "
             "(\"goroutine profile: total N\"): there may have been more");
}

/* Begins at a title or a record, which goes on with records before it. */
static int begin_profile(struct reader *reader, struct cprof_error *err)
{
    struct snapshot *previous = reader->section->previous;
    struct str line;
    struct str name;
    uint64_t total = 0;
    bool has_title =
        lines_peek(reader->lines, &line) && parse_title(line, &name, &total);
    int rc;

    if (!has_title && previous && snapshot_info(previous)->is_untitled) {
        reader->snapshot = previous;
        return 0;
    }
    rc = section_snapshot(reader->section, count_profile_format.name,
                          &reader->snapshot, err);
    if (rc < 0)
        return rc;
    if (has_title)
        return take_title(reader, name, total, err);
    say_untitled(reader);
    return 0;
}

/* Whether records stand behind a whole profile of goroutines: a page shows them
 * once more. Behind another profile they are told for the first time. */
static bool is_repeated(const struct section *section)
{
    struct snapshot *previous = section->previous;
    struct str line;
    struct str name;
    uint64_t total;

    return previous && snapshot_info(previous)->kind == PROFILE_GOROUTINE &&
           !snapshot_info(previous)->is_untitled &&
           lines_peek(section->lines, &line) &&
           !parse_title(line, &name, &total);
}

static int read_section(struct section *section, struct cprof_error *err)
{
    struct budget *budget = &section->snapshots->budget;
    struct reader *reader;
    int rc;

    if (is_repeated(section)) {
        section_count_foreign(section);
        lines_next(section->lines);
        return 0;
    }
    reader = budget_resize(budget, NULL, 0, sizeof(*reader));
    if (!reader)
        return error_memory(err, (struct place){section->lines->name, 0, 0},
                            "reading a profile");
    memset(reader, 0, sizeof(*reader));
    reader->section = section;
    reader->lines = section->lines;
    reader->symbols = section->snapshots->symbols;
    rc = begin_profile(reader, err);
    if (rc == 0) {
        read_records(reader);
        say_nameless(reader);
        if (snapshot_info(reader->snapshot)->has_declared)
            check_total(reader);
        leave_out_empty(reader);
    }
    buf_done(&reader->scratch);
    buf_done(&reader->joined);
    budget_free(budget, reader, sizeof(*reader));
    return rc;
}

const struct format count_profile_format = {
    .name = "debug1",
    .recognise = recognise,
    .read = read_section,
};
