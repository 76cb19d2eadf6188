#include "read/run.h"

#include "base/count.h"

/* Packed data that was cut or damaged lost its end, and with it the end of the
 * last dump. */
static void check_source(struct run *run)
{
    struct cprof_snapshots *snapshots = run->section.snapshots;
    const char *trouble = source_trouble(&run->lines.source);

    if (!trouble)
        return;
    snapshot_info(snapshots->items[snapshots->count - 1])->complete = false;
    diag_add(&snapshots->diags, DIAG_WARNING, "gzip",
             (struct place){run->lines.name, 0, 0}, "%s", trouble);
}

/* Files that were joined: nothing says where what is packed ends. */
static void say_gzip_behind(struct run *run)
{
    if (!run->gzip_line)
        return;
    diag_add(&run->section.snapshots->diags, DIAG_WARNING, "gzip",
             (struct place){run->lines.name, run->gzip_line, 0},
             "gzip'd data begins on this line, behind text, and is not read: "
             "give it as an input of its own");
}

void run_count_unread(struct run *run, uint64_t n, uint64_t line)
{
    if (n && !run->n_unread)
        run->unread_line = line;
    run->n_unread += n;
}

/* What a rotated log, or one of which the last lines were asked for, lacks may
 * be the goroutine that died, and why. */
static void say_head(struct run *run)
{
    if (run->strays.is_head)
        diag_add(&run->section.snapshots->diags, DIAG_WARNING, "cut-head",
                 (struct place){run->lines.name, 1, 0},
                 "the dump begins inside a goroutine: what came before is "
                 "missing, as why the process died if it did");
}

static void say_strays(const struct run *run)
{
    const struct section *section = &run->section;
    uint64_t n = section->n_strays;

    if (n)
        diag_add(&section->snapshots->diags, DIAG_WARNING, "stray-frames",
                 (struct place){run->lines.name, section->stray_line, 0},
                 "frames stand here%s whose goroutine's header is missing or "
                 "cannot be read: they were left out, and whole goroutines may "
                 "be missing",
                 n == 1 ? "" : ", and further on,");
}

/* Whose they are is not known: any dump of the input may lack them. */
static void say_unread(struct run *run, size_t first)
{
    struct cprof_snapshots *snapshots = run->section.snapshots;

    if (!run->n_unread)
        return;
    for (size_t i = first; i < snapshots->count; i++)
        snapshot_info(snapshots->items[i])->complete = false;
    diag_add(
        &snapshots->diags, DIAG_WARNING, "unread-goroutines",
        (struct place){run->lines.name, run->unread_line, 0},
        "the frames of %s goroutine%s cannot be told from the lines around "
        "%s, and were left out",
        count_text(run->n_unread).text, run->n_unread == 1 ? "" : "s",
        run->n_unread == 1 ? "it" : "them");
}

static void say_damaged(struct run *run)
{
    const struct section *section = &run->section;
    uint64_t n = section->n_damaged;

    if (n == 1)
        diag_add(&section->snapshots->diags, DIAG_WARNING, "damaged-stacks",
                 (struct place){run->lines.name, section->damaged_line, 0},
                 "frames of goroutine %llu are missing or cannot be read, and "
                 "whole goroutines may be missing",
                 (unsigned long long)section->damaged_id);
    else if (n)
        diag_add(&section->snapshots->diags, DIAG_WARNING, "damaged-stacks",
                 (struct place){run->lines.name, section->damaged_line, 0},
                 "frames of %s goroutines, the first is %llu, are missing or "
                 "cannot be read, and whole goroutines may be missing",
                 count_text(n).text, (unsigned long long)section->damaged_id);
}

static void say_omissions(struct run *run)
{
    const struct section *section = &run->section;
    uint64_t n = section->n_omissions;

    if (n)
        diag_add(
            &section->snapshots->diags, DIAG_WARNING, "omitted-lines",
            (struct place){run->lines.name, section->omission_line, 0},
            "lines of the dump were left out here%s, as the text says or "
            "shows: frames and goroutines may be missing, and counts are lower "
            "bounds",
            n == 1 ? "" : ", and further on");
}

/* What was odd about the input as a whole. */
static void add_diags(struct run *run)
{
    struct diags *diags = &run->section.snapshots->diags;
    const char *name = run->lines.name;
    uint64_t n_cut = run->lines.n_cut_lines + run->n_cut_lines;
    uint64_t cut_line =
        run->lines.n_cut_lines ? run->lines.cut_line : run->cut_line;

    say_damaged(run);
    say_omissions(run);
    say_strays(run);
    if (run->n_skipped)
        diag_add(diags, DIAG_INFO, "skipped-lines",
                 (struct place){name, run->first_skipped, 0},
                 "%s line%s skipped: no part of a dump",
                 count_text(run->n_skipped).text,
                 run->n_skipped == 1 ? "" : "s");
    if (run->section.n_dropped)
        diag_add(diags, DIAG_WARNING, "many-dumps", (struct place){name, 0, 0},
                 "the input holds more than %d dumps: the first %llu of them "
                 "were left out",
                 SECTION_DUMPS, (unsigned long long)run->section.n_dropped);
    if (run->instances->has_others)
        diag_add(diags, DIAG_WARNING, "many-processes",
                 (struct place){name, 0, 0},
                 "the input holds dumps of more than %d processes: those of "
                 "others were left out, or taken for later ones of the first",
                 INSTANCES_MOST);
    if (n_cut)
        diag_add(diags, DIAG_WARNING, "long-lines",
                 (struct place){name, cut_line, 0},
                 "%llu line%s longer than %d bytes cut to that length",
                 (unsigned long long)n_cut, n_cut == 1 ? "" : "s", LINES_MOST);
    if (symbols_take_has_cut(run->section.snapshots->symbols))
        diag_add(diags, DIAG_WARNING, "long-names", (struct place){name, 0, 0},
                 "names or labels longer than %d bytes were cut to that length",
                 SYMBOLS_TEXT_MOST);
}

/* Whether there are several goroutines in a stack text, none of which has a
 * frame. */
static bool lacks_frames(const struct snapshot *snapshot)
{
    const struct snapshot_info *info = snapshot_info_get(snapshot);
    size_t n = snapshot_n_groups(snapshot);

    if (!info->max_id || info->total < 2 || info->other)
        return false;
    while (n > 0 && !snapshot_group(snapshot, n - 1)->stack)
        n--;
    return n == 0;
}

/* Whether a frame of a group has a name: one without is called by its
 * address. */
static bool has_names(const struct symbols *symbols, const struct group *group)
{
    struct stack stack;
    uint32_t i = 0;

    if (!group->stack)
        return false;
    stack = symbols_stack(symbols, group->stack);
    for (; i < stack.n_frames; i++) {
        struct str name = symbols_function(symbols, stack.frames[i]);

        if (name.len && !str_starts(name, STR("0x")))
            return true;
    }
    return false;
}

/* Counts the goroutines of which no frame can be read. */
static void count_unread(struct snapshot *snapshot)
{
    const struct symbols *symbols = snapshot_symbols(snapshot);
    struct snapshot_info *info = snapshot_info(snapshot);
    uint64_t all = info->total;
    size_t n = snapshot_n_groups(snapshot);

    if (info->complete || profile_is_measured(info->kind))
        return;
    if (info->has_declared && info->declared > all)
        all = info->declared;
    info->unread = all - info->total;
    for (size_t i = 0; i < n; i++) {
        const struct group *group = snapshot_group(snapshot, i);

        if (!has_names(symbols, group))
            info->unread += group->count;
    }
}

/* Sums that passed 64 bits stayed at the largest number (model/values.h). */
static void say_cut_values(struct run *run, struct snapshot_info *info)
{
    struct str first = {0};
    size_t n = 0;

    for (size_t i = info->n_types; i-- > 0;) {
        if (info->magnitudes[i] == INT64_MAX) {
            first = info->types[i].name;
            n++;
        }
    }
    if (!n)
        return;
    info->complete = false;
    diag_add(&run->section.snapshots->diags, DIAG_WARNING, "impossible-value",
             (struct place){run->lines.name, info->line, 0},
             "the sum of " STR_FORMAT "%s is beyond 64 bits, as in no profile "
             "that Go writes: it was cut, and shares of it are wrong",
             STR_ARG(first), n == 1 ? "" : ", and not of that alone,");
}

/* Stacks for which there was no memory. */
static void say_other(struct run *run, struct snapshot_info *info)
{
    struct diags *diags = &run->section.snapshots->diags;
    struct place place = {run->lines.name, info->line, 0};

    if (!info->n_other)
        return;
    info->complete = false;
    if (info->n_types)
        diag_add(diags, DIAG_WARNING, "memory-limit", place,
                 "the memory limit was reached: the stacks of %s record%s were "
                 "not kept, whose values are in the totals alone "
                 "(--max-memory)",
                 count_text(info->n_other).text, info->n_other == 1 ? "" : "s");
    else
        diag_add(diags, DIAG_WARNING, "memory-limit", place,
                 "the memory limit was reached: %s of %s %s have stacks that "
                 "were not kept (--max-memory)",
                 count_text(info->other).text, count_text(info->total).text,
                 profile_other_name(info).len ? "entries" : "goroutines");
}

/* Diagnostics of the snapshots that an input gave. */
static void check_snapshots(struct run *run, size_t first)
{
    struct cprof_snapshots *snapshots = run->section.snapshots;

    for (size_t i = first; i < snapshots->count; i++) {
        struct snapshot_info *info = snapshot_info(snapshots->items[i]);

        if (lacks_frames(snapshots->items[i])) {
            info->complete = false;
            diag_add(&snapshots->diags, DIAG_WARNING, "no-frames",
                     (struct place){run->lines.name, info->line, 0},
                     "none of %s goroutines has a stack: their frames were "
                     "lost on the way, or the log lists its newest line first "
                     "(then turn it round: tac)",
                     count_text(info->total).text);
        }
        count_unread(snapshots->items[i]);
        say_cut_values(run, info);
        say_other(run, info);
    }
}

/* The input holds no dump that can be read: says what it holds instead. */
static int refuse(const struct run *run, struct cprof_error *err)
{
    const struct section *section = &run->section;

    if (section->has_nameless)
        return error_set(
            err, CPROF_EFORMAT, (struct place){run->lines.name, 0, 0},
            "this profile ends at byte %llu%s, before its string "
            "table: nothing in it has a name, fetch it again",
            (unsigned long long)section->nameless_end,
            source_trouble(&run->lines.source) ? " of what could be unpacked"
                                               : "");
    if (section->empty_declared)
        return error_set(
            err, CPROF_EFORMAT,
            (struct place){run->lines.name, section->empty_line, 0},
            "this profile declares %s goroutines and holds none of them: it "
            "was cut behind its title, fetch it again",
            count_text(section->empty_declared).text);
    return unrecognised_error(&run->first, &run->lines, err);
}

int run_finish(struct run *run, size_t first, struct cprof_error *err)
{
    struct cprof_snapshots *snapshots = run->section.snapshots;

    if (run->lines.error.code != CPROF_OK) {
        if (err)
            *err = run->lines.error;
        return run->lines.error.code;
    }
    if (snapshots->count == first)
        return refuse(run, err);
    check_source(run);
    say_gzip_behind(run);
    add_diags(run);
    say_unread(run, first);
    say_head(run);
    check_snapshots(run, first);
    snapshots->n_inputs += instances_count(run->instances);
    return 0;
}
