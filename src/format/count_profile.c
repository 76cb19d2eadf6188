#include "format/count_profile.h"

#include "format/go_text.h"

enum { FRAMES_MOST = 1024, LABELS_MOST = 64 };

struct reader {
    struct section *section;
    struct lines *lines;
    struct symbols *symbols;
    struct snapshot *snapshot;
    bool is_leak_profile;

    struct record record;
    uint64_t first_address; /* of the first frame line; 0 = none yet */
    uint64_t last_address;  /* of the last one */
    uint64_t n_addresses;   /* in the "@" list */
    uint64_t end_address;   /* the last of the "@" list */
    struct buf scratch;
    struct label labels[LABELS_MOST];
    uint64_t addresses[FRAMES_MOST]; /* the "@" list */
    frame_id frames[FRAMES_MOST];
};

/* "NAME profile: total N". */
static bool parse_title(struct str line, struct str *ret_name,
                        uint64_t *ret_total)
{
    struct str mark = STR(" profile: total ");
    size_t at = str_search(line, mark);
    struct str number = str_skip(line, at + mark.len);

    if (at == 0 || at + mark.len > line.len)
        return false;
    *ret_name = str_head(line, at);
    return str_to_u64(str_trim(number), ret_total);
}

/* "COUNT @ 0x... 0x...": true with the count and what follows the "@". */
static bool parse_record(struct str line, uint64_t *ret_count,
                         struct str *ret_addresses)
{
    struct str rest = line;

    if (!str_cut_decimal(&rest, ret_count) || !str_cut_prefix(&rest, STR(" @")))
        return false;
    if (rest.len && rest.ptr[0] != ' ')
        return false;
    *ret_addresses = rest;
    return true;
}

/* The name of a program's own profile is free text, so prose could look like
 * it: such a title counts only before a record or the end. */
static bool recognise(struct lines *lines, struct str line)
{
    struct str name;
    struct str second;
    struct str rest;
    uint64_t total;

    if (!parse_title(line, &name, &total))
        return false;
    if (str_equal(name, STR("goroutine")) ||
        str_equal(name, STR("goroutineleak")) ||
        str_equal(name, STR("threadcreate")))
        return true;
    if (!lines_peek_second(lines, &second))
        return total == 0;
    return parse_record(second, &total, &rest);
}

static enum profile_kind kind_of(struct str name)
{
    if (str_equal(name, STR("goroutine")))
        return PROFILE_GOROUTINE;
    if (str_equal(name, STR("goroutineleak")))
        return PROFILE_GOROUTINELEAK;
    if (str_equal(name, STR("threadcreate")))
        return PROFILE_THREADCREATE;
    return PROFILE_OTHER;
}

/* Reads the "@" list. Masked addresses ("0xXXXX") are kept as 0. */
static void read_addresses(struct reader *reader, struct str text)
{
    reader->n_addresses = 0;
    reader->end_address = 0;
    for (text = str_trim(text); text.len; text = str_trim(text)) {
        struct str word = str_head(text, str_find(text, ' '));
        uint64_t address = 0;

        text = str_skip(text, word.len);
        if (str_cut_prefix(&word, STR("0x")))
            str_cut_hex(&word, &address);
        if (reader->n_addresses < FRAMES_MOST)
            reader->addresses[reader->n_addresses] = address;
        reader->end_address = address;
        reader->n_addresses++;
    }
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
    reader->first_address = 0;
    reader->last_address = 0;
    read_addresses(reader, addresses);
}

/* Frame lines print the address of the call, one below the return address of
 * the "@" list. What stands in the list before the first printed frame are
 * the runtime frames that the text hides. */
static void find_hidden(struct reader *reader)
{
    struct hidden *hidden = &reader->record.hidden;
    uint64_t known =
        reader->n_addresses < FRAMES_MOST ? reader->n_addresses : FRAMES_MOST;

    for (uint64_t i = 0; i < known && reader->first_address; i++) {
        if (reader->addresses[i] == reader->first_address + 1) {
            hidden->count = (int)i;
            break;
        }
    }
    for (uint64_t i = 0; i < known && i < HIDDEN_MOST; i++)
        hidden->pc[hidden->n_pc++] = reader->addresses[i];
}

/* A whole stack ends in runtime.goexit, which the text does not print. A list
 * that ends in a printed frame was cut at the depth limit: 32 addresses before
 * Go 1.23, 128 since (runtime/mprof.go). */
static bool is_cut_by_depth(const struct reader *reader)
{
    return reader->n_addresses >= 32 &&
           reader->end_address == reader->last_address + 1;
}

static void end_record(struct reader *reader)
{
    if (!reader->record.count)
        return;
    find_hidden(reader);
    if (is_cut_by_depth(reader))
        reader->record.elided = ELIDED_SOME;
    snapshot_add(reader->snapshot, &reader->record);
    reader->record.count = 0;
}

/* Splits "NAME+0xOFF<blanks>FILE:LINE". Names and files may hold blanks. */
static bool split_symbol(struct str text, struct str *ret_name,
                         struct go_place *ret_place)
{
    struct str mark = STR("+0x");

    for (size_t at = 0; at < text.len; at++) {
        size_t step = str_search(str_skip(text, at), mark);
        struct str rest = str_skip(text, at + step + mark.len);
        uint64_t offset;

        at += step;
        if (at >= text.len)
            return false;
        if (str_cut_hex(&rest, &offset) && rest.len &&
            (rest.ptr[0] == '\t' || rest.ptr[0] == ' ')) {
            *ret_name = str_head(text, at);
            return at > 0 && go_place_parse(rest, ret_place);
        }
    }
    return false;
}

static void add_frame(struct reader *reader, struct frame parts)
{
    struct record *record = &reader->record;
    frame_id frame = symbols_frame_put(reader->symbols, parts);

    if (!frame)
        record->lost = true;
    else if (record->n_frames < FRAMES_MOST)
        reader->frames[record->n_frames++] = frame;
    else if (record->elided != ELIDED_SOME)
        record->elided++;
}

/* "#\t0xADDR\tNAME+0xOFF\tFILE:LINE"; an address alone has no symbol and
 * shows itself as the function. False for other lines. */
static bool take_frame(struct reader *reader, struct str line)
{
    struct str rest = line;
    struct str text;
    struct str name;
    struct go_place place = {0};
    struct frame parts;
    uint64_t address = 0;

    if (!str_cut_prefix(&rest, STR("#")))
        return false;
    text = str_trim(rest);
    rest = text;
    if (!str_cut_prefix(&rest, STR("0x")))
        return false;
    str_cut_hex(&rest, &address);
    rest = str_skip(rest, str_find(rest, '\t') < str_find(rest, ' ')
                              ? str_find(rest, '\t')
                              : str_find(rest, ' '));
    rest = str_trim(rest);
    if (!rest.len)
        name = text;
    else if (!split_symbol(rest, &name, &place))
        return false;
    if (!reader->first_address)
        reader->first_address = address;
    reader->last_address = address;
    parts = (struct frame){symbols_function_put(reader->symbols, name),
                           symbols_text_put(reader->symbols, place.file),
                           place.line};
    if (!parts.function || (place.file.len && !parts.file))
        reader->record.lost = true;
    else
        add_frame(reader, parts);
    return true;
}

static bool take_labels(struct reader *reader, struct str line)
{
    if (!str_cut_prefix(&line, STR("# labels: ")))
        return false;
    reader->record.n_labels =
        go_labels_parse(line, &reader->scratch, reader->labels, LABELS_MOST);
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
    if (!reader->record.count)
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
    if (reader->record.count)
        reader->record.elided = ELIDED_SOME;
    say_cut(reader);
}

static void read_records(struct reader *reader)
{
    struct str line;

    while (lines_peek(reader->lines, &line)) {
        if (!lines_has_end(reader->lines) && str_trim(line).len)
            take_last(reader, line);
        else if (!take_line(reader, line))
            break;
        lines_next(reader->lines);
    }
    end_record(reader);
}

/* The records of a profile add up to its title; when they do not, records
 * are missing from the text. */
static void check_total(struct reader *reader)
{
    struct snapshot_info *info = snapshot_info(reader->snapshot);
    struct place place = {reader->lines->name, info->line, 0};
    unsigned long long declared = info->declared;
    unsigned long long total = info->total;

    if (declared > total) {
        info->complete = false;
        diag_add(&reader->section->snapshots->diags, DIAG_WARNING,
                 "declared-total", place,
                 "%llu of the %llu goroutines that the header declares are in "
                 "no record of this text: its records hold %llu",
                 declared - total, declared, total);
    } else if (total > declared) {
        diag_add(&reader->section->snapshots->diags, DIAG_WARNING,
                 "declared-total", place,
                 "the header declares %llu, but the records hold %llu",
                 declared, total);
    }
}

static int begin_profile(struct reader *reader, struct cprof_error *err)
{
    struct snapshot_info *info;
    struct str line;
    struct str name;
    uint64_t total = 0;
    int rc = section_snapshot(reader->section, count_profile_format.name,
                              &reader->snapshot, err);

    if (rc < 0)
        return rc;
    lines_peek(reader->lines, &line);
    if (parse_title(line, &name, &total)) {
        info = snapshot_info(reader->snapshot);
        info->profile = snapshot_copy(reader->snapshot, name);
        info->kind = kind_of(name);
        info->has_declared = true;
        info->declared = total;
        reader->is_leak_profile = info->kind == PROFILE_GOROUTINELEAK;
    }
    lines_next(reader->lines);
    return 0;
}

static int read_section(struct section *section, struct cprof_error *err)
{
    struct budget *budget = &section->snapshots->budget;
    struct reader *reader = budget_resize(budget, NULL, 0, sizeof(*reader));
    int rc;

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
        check_total(reader);
    }
    buf_done(&reader->scratch);
    budget_free(budget, reader, sizeof(*reader));
    return rc;
}

const struct format count_profile_format = {
    .name = "debug1",
    .recognise = recognise,
    .read = read_section,
};
