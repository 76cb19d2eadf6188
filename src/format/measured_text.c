#include "format/measured_text.h"

int measured_text_new(struct measured_text **ret, struct section *section,
                      const char *format, struct cprof_error *err)
{
    struct budget *budget = &section->snapshots->budget;
    struct measured_text *text = budget_resize(budget, NULL, 0, sizeof(*text));
    int rc;

    if (!text)
        return error_memory(err, (struct place){section->lines->name, 0, 0},
                            "reading");
    text->section = section;
    text->lines = section->lines;
    text->in_record = false;
    text->joined = (struct buf){0};
    rc = section_snapshot(section, format, &text->snapshot, err);
    if (rc < 0) {
        measured_text_free(text);
        return rc;
    }
    *ret = text;
    return 0;
}

void measured_text_free(struct measured_text *text)
{
    if (!text)
        return;
    buf_done(&text->joined);
    budget_free(&text->section->snapshots->budget, text, sizeof(*text));
}

bool measured_text_set(struct measured_text *text, enum profile_kind kind,
                       struct str name, const struct value_type *types,
                       size_t n)
{
    struct snapshot_info *info = snapshot_info(text->snapshot);

    info->kind = kind;
    info->profile = name;
    info->default_type = n - 1;
    return snapshot_set_types(text->snapshot, types, n);
}

void measured_text_begin(struct measured_text *text, uint64_t count,
                         const int64_t *values, struct str addresses)
{
    measured_text_end(text);
    text->in_record = true;
    memcpy(text->values, values, sizeof(text->values));
    text->record = (struct record){
        .count = count,
        .frames = text->frames,
        .hidden = {.count = -1},
        .values = text->values,
        .line = text->lines->number,
    };
    address_list_parse(addresses, &text->addresses);
}

static void add_frame(struct measured_text *text,
                      const struct address_frame *frame)
{
    struct record *record = &text->record;
    frame_id id = address_frame_put(snapshot_symbols(text->snapshot), frame);

    if (!id)
        record->lost = true;
    else if (record->n_frames < ADDRESSES_MOST)
        text->frames[record->n_frames++] = id;
    else
        record->elided++;
}

bool measured_text_take(struct measured_text *text, struct str line)
{
    struct address_frame frame;
    unsigned n;

    if (!text->in_record)
        return !str_trim(line).len;
    if (!str_trim(line).len) {
        measured_text_end(text);
        return true;
    }
    n = address_frame_at(text->lines, line, &text->joined, &frame);
    if (!n)
        return false;
    add_frame(text, &frame);
    while (--n)
        lines_next(text->lines);
    return true;
}

/* A program without symbols: the addresses of the calls are all that is known,
 * one below those of their return. */
static void add_addresses(struct measured_text *text)
{
    const struct address_list *list = &text->addresses;

    for (uint64_t i = 0; i < list->count && i < ADDRESSES_MOST; i++) {
        struct address_frame frame = {.address = list->kept[i] - 1};
        struct buf name = {0};

        buf_addf(&name, "0x%llx", (unsigned long long)frame.address);
        frame.name = buf_str(&name);
        if (list->kept[i])
            add_frame(text, &frame);
        buf_done(&name);
    }
}

void measured_text_end(struct measured_text *text)
{
    if (!text->in_record)
        return;
    text->in_record = false;
    if (!text->record.n_frames && !text->record.lost)
        add_addresses(text);
    if (text->record.count || values_any(text->values, MEASURED_VALUES))
        snapshot_add(text->snapshot, &text->record);
}

int64_t measured_scaled(int64_t number, double scale)
{
    double scaled = (double)number * scale;

    if (scaled < 9e18)
        return scaled > -9e18 ? (int64_t)scaled : -INT64_MAX;
    return INT64_MAX;
}

void measured_text_say_cut(struct measured_text *text)
{
    snapshot_info(text->snapshot)->complete = false;
    diag_add(&text->section->snapshots->diags, DIAG_WARNING, "cut-tail",
             (struct place){text->lines->name, text->lines->number, 0},
             "the profile ends in the middle of a line: what came after it is "
             "missing");
}
