#include "format/exported.h"

#include "base/buf.h"
#include "model/state.h"

/* ORDER EXPORTED: the first words of comments that export/pprof.c writes. */
static const struct str mark = STR_INIT("cprof-leaks/export/v1 ");
static const struct str writer = STR_INIT("written by cprof-leaks");
static const struct str incomplete = STR_INIT("incomplete");
static const struct str warnings[] = {STR_INIT("warning: "),
                                      STR_INIT("error: ")};

static struct str comment(const struct profile *profile, size_t index)
{
    return profile_text(profile, profile->comments[index]);
}

bool exported_find(const struct profile *profile, const char **ret)
{
    static const char *const forms[] = {"debug0", "debug1", "debug2", "crash"};

    for (size_t i = 0; i < profile->n_comments; i++) {
        struct str words = comment(profile, i);

        if (!str_cut_prefix(&words, mark))
            continue;
        *ret = forms[0]; /* which knows the least */
        for (size_t f = 0; f < sizeof(forms) / sizeof(forms[0]); f++) {
            if (str_equal(words, str_from(forms[f])))
                *ret = forms[f];
        }
        return true;
    }
    return false;
}

void exported_take_notes(const struct profile *profile, struct section *section,
                         struct snapshot_info *info)
{
    struct place place = {section->lines->name, 0, 0};

    for (size_t i = 0; i < profile->n_comments; i++) {
        struct str words = comment(profile, i);

        if (str_equal(words, incomplete))
            info->complete = false;
        for (size_t w = 0; w < sizeof(warnings) / sizeof(warnings[0]); w++) {
            if (str_cut_prefix(&words, warnings[w]))
                diag_add(&section->snapshots->diags, DIAG_WARNING,
                         "said-by-export", place,
                         "when this was exported: " STR_FORMAT, STR_ARG(words));
        }
    }
}

/* --- A crash -------------------------------------------------------------- */

/* The comments of one name as lines of one text. */
static void join_lines(const struct profile *profile, struct str name,
                       struct buf *ret)
{
    size_t n = 0;

    buf_clear(ret);
    for (size_t i = 0; i < profile->n_comments; i++) {
        struct str words = comment(profile, i);

        if (str_starts(words, writer))
            return;
        if (!str_cut_prefix(&words, name))
            continue;
        if (n++)
            buf_add_char(ret, '\n');
        buf_add(ret, words);
    }
}

static bool find_kind(struct str word, enum crash_kind *ret)
{
    for (enum crash_kind kind = CRASH_PANIC; kind <= CRASH_SIGNAL; kind++) {
        if (str_equal(word, str_from(crash_kind_text(kind)))) {
            *ret = kind;
            return true;
        }
    }
    return false;
}

/* "goroutine 7", "elsewhere" */
static void set_subject(struct crash *crash, struct str words)
{
    crash->is_request |= str_equal(words, STR("request"));
    crash->is_elsewhere |= str_equal(words, STR("elsewhere"));
    if (str_cut_prefix(&words, STR("goroutine ")))
        crash->has_goroutine = str_to_u64(words, &crash->goroutine);
}

static void say_lost_crash(struct section *section, struct snapshot *snapshot)
{
    const char *origin = snapshot_info_get(snapshot)->origin;

    if (!origin || !str_equal(str_from(origin), STR("crash")))
        return;
    snapshot_info(snapshot)->complete = false;
    diag_add(&section->snapshots->diags, DIAG_WARNING, "lost-crash",
             (struct place){section->lines->name, 0, 0},
             "this was exported from the output of a crash, but does not say "
             "why the process died");
}

static bool put_crash(const struct profile *profile, struct snapshot *snapshot,
                      struct crash *crash, struct buf *text)
{
    struct str subjects;

    join_lines(profile, STR("crash-message: "), text);
    crash->message = snapshot_copy(snapshot, buf_str(text));
    join_lines(profile, STR("crash-signal: "), text);
    crash->signal = snapshot_copy(snapshot, buf_str(text));
    join_lines(profile, STR("crash-reason: "), text);
    crash->reason = symbols_text_put(snapshot_symbols(snapshot), buf_str(text));
    join_lines(profile, STR("crash-of: "), text);
    subjects = buf_str(text);
    while (subjects.len)
        set_subject(crash, str_cut_line(&subjects));
    return !text->failed;
}

bool exported_take_crash(const struct profile *profile, struct section *section,
                         struct snapshot *snapshot)
{
    enum crash_kind kind;
    struct crash *crash;
    struct buf text = {0};
    bool ok = false;

    join_lines(profile, STR("crash: "), &text);
    if (!find_kind(buf_str(&text), &kind)) {
        say_lost_crash(section, snapshot);
        ok = !text.failed;
        goto done;
    }
    crash = snapshot_take(snapshot, sizeof(*crash));
    if (!crash)
        goto done;
    crash->kind = kind;
    ok = put_crash(profile, snapshot, crash, &text);
    snapshot_info(snapshot)->crash = crash;
done:
    buf_done(&text);
    return ok;
}

/* --- Labels --------------------------------------------------------------- */

/* "12 minutes", as a numeric label with its unit is read. */
static bool cut_minutes(struct str text, uint32_t *ret)
{
    uint64_t minutes;

    if (!str_cut_decimal(&text, &minutes) ||
        !str_equal(text, STR(" minutes")) || minutes > UINT32_MAX)
        return false;
    *ret = (uint32_t)minutes;
    return true;
}

static bool find_source(struct str word, enum state_source *ret)
{
    for (enum state_source source = STATE_FROM_NONE;
         source <= STATE_FROM_HEADER; source++) {
        if (str_equal(word, str_from(state_source_text(source)))) {
            *ret = source;
            return true;
        }
    }
    return false;
}

/* "/src/main.go:40" */
static frame_id put_creator(struct symbols *symbols, struct str function,
                            struct str at)
{
    size_t colon = str_rfind(at, ':');
    struct str digits = str_skip(at, colon < at.len ? colon + 1 : at.len);
    struct frame frame = {.function = symbols_function_put(symbols, function)};
    uint64_t line;

    if (str_to_u64(digits, &line) && line <= UINT32_MAX) {
        at = str_head(at, colon);
        frame.line = (uint32_t)line;
    }
    frame.file = symbols_text_put(symbols, at);
    if (!frame.function || (at.len && !frame.file))
        return FRAME_NONE;
    return symbols_frame_put(symbols, frame);
}

/* ORDER EXPORTED: the keys of labels that export/pprof.c sets. */
enum key {
    KEY_STATE,
    KEY_STATE_SOURCE,
    KEY_AGE,
    KEY_AGE_MIN,
    KEY_AGE_MAX,
    KEY_CREATED_BY,
    KEY_CREATED_AT,
    KEY_LEAKED,
    KEY_LOCKED,
    KEY_ELIDED,
    KEY_CRASHED,
    N_KEYS
};

static const struct str keys[N_KEYS] = {
    STR_INIT("state"),      STR_INIT("state_source"), STR_INIT("age"),
    STR_INIT("age_min"),    STR_INIT("age_max"),      STR_INIT("created_by"),
    STR_INIT("created_at"), STR_INIT("leaked"),       STR_INIT("locked"),
    STR_INIT("elided"),     STR_INIT("crashed"),
};

/* Sorts our labels into values, by key; what is the program's own moves to the
 * front. Returns how many these are. */
static size_t part_labels(struct label *labels, size_t n, struct str *values)
{
    size_t kept = 0;

    for (size_t i = 0; i < n; i++) {
        size_t key = 0;

        while (key < N_KEYS && !str_equal(labels[i].key, keys[key]))
            key++;
        if (key < N_KEYS) {
            values[key] = labels[i].value;
            continue;
        }
        labels[kept] = labels[i];
        /* One that has a name of ours was exported under another. */
        str_cut_prefix(&labels[kept++].key, STR("label:"));
    }
    return kept;
}

static void set_elided(struct record *record, struct str value)
{
    uint64_t elided;

    if (str_equal(value, STR("some")))
        record->elided = ELIDED_SOME;
    else if (str_to_u64(value, &elided) && elided < ELIDED_SOME)
        record->elided = (uint32_t)elided;
}

/* ORDER EXPORTED: what stands where there are no frames (export/groups.c). */
static void restore_stack(struct record *record, const struct symbols *symbols)
{
    struct str name;

    if (record->n_frames != 1)
        return;
    name = symbols_function(symbols, record->frames[0]);
    if (str_equal(name, STR("(no frames)")))
        record->n_frames = 0;
    else if (str_equal(name, STR("(not kept)")))
        record->lost = true;
}

struct exported exported_take(struct record *record, struct symbols *symbols,
                              struct label *labels, size_t n)
{
    struct str values[N_KEYS] = {{0}};
    struct exported exported = {0};
    uint64_t crashed;
    enum state_source source;

    record->n_labels = part_labels(labels, n, values);
    if (values[KEY_STATE].len &&
        find_source(values[KEY_STATE_SOURCE], &source)) {
        record->state = symbols_state_put(symbols, values[KEY_STATE]);
        record->state_source = source;
    }
    record->has_wait = cut_minutes(values[KEY_AGE], &record->wait_min);
    exported.has_ages = record->has_wait &&
                        cut_minutes(values[KEY_AGE_MIN], &exported.age_min) &&
                        cut_minutes(values[KEY_AGE_MAX], &exported.age_max);
    if (values[KEY_CREATED_BY].len)
        record->created_by = put_creator(symbols, values[KEY_CREATED_BY],
                                         values[KEY_CREATED_AT]);
    record->leaked |= str_equal(values[KEY_LEAKED], STR("true"));
    record->locked = str_equal(values[KEY_LOCKED], STR("true"));
    set_elided(record, values[KEY_ELIDED]);
    if (str_to_u64(values[KEY_CRASHED], &crashed) &&
        crashed <= CRASH_GROUPS_MOST)
        exported.crashed = (uint32_t)crashed;
    restore_stack(record, symbols);
    return exported;
}

static void set_ages(struct group *group, const struct exported *exported)
{
    if (!exported->has_ages)
        return;
    if (exported->age_max > group->wait_max)
        group->wait_max = exported->age_max;
    if (exported->age_min)
        group->wait_min = exported->age_min;
}

/* The first that a crash speaks of stays first, wherever its sample stands. */
static void speak_of(struct crash *crash, size_t group, bool is_first)
{
    uint32_t i = 0;

    while (i < crash->n_groups && crash->groups[i] != group)
        i++;
    if (i == CRASH_GROUPS_MOST)
        return;
    if (i == crash->n_groups)
        crash->groups[crash->n_groups++] = (uint32_t)group;
    if (!is_first)
        return;
    crash->groups[i] = crash->groups[0];
    crash->groups[0] = (uint32_t)group;
}

void exported_set_group(struct snapshot *snapshot, size_t index,
                        const struct exported *exported)
{
    struct crash *crash = snapshot_info(snapshot)->crash;

    set_ages(snapshot_group(snapshot, index), exported);
    if (crash && exported->crashed)
        speak_of(crash, index, exported->crashed == 1);
}
