#include "format/protobuf.h"

/* Where the bytes of a profile come from, and what became of it. */
struct reader {
    struct section *section;
    struct lines *lines;
    struct wire wire;
    struct profile profile;
    bool no_memory; /* a field was too large for the budget */
};

static struct str bytes_ahead(struct lines *lines, size_t want)
{
    if ((size_t)(lines->end - lines->at) < want)
        lines_fill(lines, want);
    return (struct str){lines->at, (size_t)(lines->end - lines->at)};
}

static bool recognise(struct lines *lines, struct str line)
{
    /* Of a profile that follows a text its first bytes are looked at alone:
     * any line of a log comes by here. A line that is empty may be the tag of
     * field 1. */
    if (lines->number != 1 &&
        ((line.len && line.ptr[0] != 'Z' && line.ptr[0] != 'H') ||
         !profile_head_looks_like(bytes_ahead(lines, PROFILE_HEAD))))
        return false;
    return profile_looks_like(bytes_ahead(lines, LINES_WINDOW));
}

static size_t hold(void *user, size_t want, const char **ret)
{
    struct reader *reader = user;
    size_t have = lines_hold(reader->lines, want, &reader->no_memory);

    *ret = reader->lines->at;
    return have;
}

static void pass(void *user, size_t n)
{
    struct reader *reader = user;

    reader->lines->at += n;
}

/* Nothing of a profile can be told apart behind the damage: it goes, up to a
 * line at which another dump begins. How many bytes that is. */
static uint64_t pass_rest(struct reader *reader)
{
    struct lines *lines = reader->lines;
    uint64_t from = lines_offset(lines);
    struct str line;

    /* A message may have eaten the end of the line before. What does not fit
     * the memory would be recognised again. */
    if (lines_peek(lines, &line) &&
        (reader->no_memory || !format_recognise(lines, line)))
        lines_next(lines);
    while (lines_peek(lines, &line) && !format_recognise(lines, line))
        lines_next(lines);
    return lines_offset(lines) - from;
}

static const char *trouble_words(const struct reader *reader)
{
    if (reader->no_memory)
        return "a field there is larger than the memory limit (--max-memory)";
    switch (reader->wire.trouble) {
    case WIRE_CUT:
        return "the input ends inside a field";
    case WIRE_LONG_VARINT:
        return "a number there has more than 64 bits";
    default:
        return "no field of a profile begins there";
    }
}

/* Says where a profile broke off. */
static void say_trouble(struct reader *reader)
{
    struct diags *diags = &reader->section->snapshots->diags;
    struct place place = {reader->lines->name, 0, 0};
    unsigned long long at = reader->wire.offset;
    unsigned long long rest = pass_rest(reader);

    if (reader->wire.trouble == WIRE_CUT && !reader->no_memory)
        diag_add(diags, DIAG_WARNING, "cut-tail", place,
                 "the profile is cut at byte %llu: %s, and what came after it "
                 "is missing",
                 at, trouble_words(reader));
    else
        diag_add(diags, DIAG_WARNING, "damaged", place,
                 "the profile cannot be read beyond byte %llu: %s; %llu bytes "
                 "were left out",
                 at, trouble_words(reader), rest);
}

/* Whether the profile is whole and a dump that is text stands behind it, as
 * when several were written to one file. */
static bool ends_before_text(struct reader *reader)
{
    const struct profile *profile = &reader->profile;
    struct str line;

    return profile->texts.count &&
           profile->largest_text < profile->texts.count && !profile->n_bad &&
           lines_peek(reader->lines, &line) &&
           format_recognise(reader->lines, line) != NULL;
}

/* Reads the outer message up to its end, or to the next profile. */
static void read_fields(struct reader *reader)
{
    struct wire_field field;
    int rc;

    while ((rc = wire_next(&reader->wire, &field)) > 0) {
        if (profile_ends_before(&reader->profile, &field))
            return;
        profile_add(&reader->profile, &field);
    }
    if (rc < 0 && ends_before_text(reader))
        reader->wire.trouble = WIRE_OK;
    else if (rc < 0)
        say_trouble(reader);
}

static void say_lost(struct reader *reader)
{
    const struct profile *profile = &reader->profile;
    struct diags *diags = &reader->section->snapshots->diags;
    struct place place = {reader->lines->name, 0, 0};

    if (profile->n_bad)
        diag_add(diags, DIAG_WARNING, "damaged", place,
                 "%llu message%s of the profile cannot be read, the first at "
                 "byte %llu",
                 (unsigned long long)profile->n_bad,
                 profile->n_bad == 1 ? "" : "s",
                 (unsigned long long)profile->bad_at);
    /* Go puts no text into the table that nothing refers to, so that a cut
     * between two texts shows here. */
    if (profile->texts.count &&
        profile->largest_text >= profile->texts.count + profile->n_lost_texts)
        diag_add(diags, DIAG_WARNING, "missing-names", place,
                 "the string table ends after %zu texts, but the profile "
                 "refers to number %lu: names are missing",
                 profile->texts.count, (unsigned long)profile->largest_text);
    if (profile->n_lost || profile->n_lost_samples)
        diag_add(diags, DIAG_WARNING, "memory-limit", place,
                 "the memory limit was reached: %llu samples and %llu other "
                 "parts of the profile were not kept (--max-memory)",
                 (unsigned long long)profile->n_lost_samples,
                 (unsigned long long)profile->n_lost);
}

/* Without the string table, which stands at the end, nothing has a name, not
 * even what was counted. Such a profile is no answer: it fails the input,
 * unless another dump stands in it. */
static void leave_out(struct reader *reader)
{
    struct cprof_snapshots *snapshots = reader->section->snapshots;

    collection_drop(snapshots);
    reader->section->has_nameless = true;
    reader->section->nameless_end = reader->wire.offset;
    diag_add(&snapshots->diags, DIAG_ERROR, "cut-tail",
             (struct place){reader->lines->name, 0, 0},
             "a profile without names was left out: it ends at byte %llu, "
             "before its string table",
             (unsigned long long)reader->wire.offset);
}

/* Whether the names of what was measured did not fit the memory: then not even
 * counts can be told from bytes. */
static bool has_lost_types(const struct profile *profile)
{
    for (size_t i = 0; i < profile->n_types && profile->n_lost; i++) {
        if (!profile_text(profile, profile->types[i].name).len)
            return true;
    }
    return profile->n_lost && (!profile->n_types || !profile->texts.count);
}

static int read_profile(struct reader *reader, struct cprof_error *err)
{
    struct snapshot *snapshot;
    struct snapshot_info *info;
    int rc =
        section_snapshot(reader->section, protobuf_format.name, &snapshot, err);

    if (rc < 0)
        return rc;
    read_fields(reader);
    if (has_lost_types(&reader->profile))
        return error_memory(err, (struct place){reader->lines->name, 0, 0},
                            "reading a profile");
    say_lost(reader);
    if (!reader->profile.texts.count) {
        leave_out(reader);
        return 0;
    }
    info = snapshot_info(snapshot);
    if (reader->profile.largest_text >= reader->profile.texts.count ||
        reader->wire.trouble != WIRE_OK || reader->profile.n_bad ||
        reader->profile.n_lost || reader->profile.n_lost_samples)
        info->complete = false;
    if (!profile_to_snapshot(&reader->profile, reader->section, snapshot))
        return error_memory(err, (struct place){reader->lines->name, 0, 0},
                            "reading a profile");
    return 0;
}

static int read_section(struct section *section, struct cprof_error *err)
{
    struct budget *budget = &section->snapshots->budget;
    struct reader *reader = budget_resize(budget, NULL, 0, sizeof(*reader));
    int rc;

    if (!reader)
        return error_memory(err, (struct place){section->lines->name, 0, 0},
                            "reading");
    *reader = (struct reader){.section = section, .lines = section->lines};
    reader->wire = (struct wire){
        .hold = hold, .pass = pass, .user = reader, .wanted = profile_wanted()};
    profile_init(&reader->profile, budget);
    rc = read_profile(reader, err);
    profile_done(&reader->profile);
    budget_free(budget, reader, sizeof(*reader));
    return rc;
}

const struct format protobuf_format = {
    .name = "debug0",
    .recognise = recognise,
    .read = read_section,
};
