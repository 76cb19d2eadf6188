#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/escape.h"
#include "base/utc.h"
#include "rules/baselines.h"
#include "rules/files.h"
#include "rules/findings.h"
#include "rules/nearest.h"
#include "rules/ruleset.h"
#include "rules/source.h"

/* An entry accepts half as many again as were there, and at least so many
 * more. */
enum { SPARE_LEAST = 10 };

/* "2026-11-21" */
enum { DAY_LENGTH = 10 };

/* One group of a finding, and the entry that it falls under. */
struct cover {
    const struct finding *finding;
    const struct joined_group *group;
    struct str site; /* function; empty = without frames */
    struct signature_text signature;
    struct baseline_entry *entry; /* NULL = none */
};

struct accepting {
    struct baseline *baseline;
    struct findings *findings;
    struct cover *covers; /* in the order of findings and their groups */
    size_t n_covers;
};

const char *acceptance_text(enum acceptance_kind kind)
{
    static const char *const words[] = {
        [ACCEPTANCE_HOLDS] = "holds",
        [ACCEPTANCE_EXCEEDED] = "exceeded",
        [ACCEPTANCE_EXPIRED] = "expired",
        [ACCEPTANCE_PARTLY] = "partly",
    };

    return words[kind];
}

bool finding_is_accepted(const struct finding *finding)
{
    return finding->acceptance && finding->acceptance->kind == ACCEPTANCE_HOLDS;
}

/* --- Places --------------------------------------------------------------- */

/* Where a group waits, as an entry names it. */
static void set_place(struct cover *cover, const struct symbols *symbols)
{
    const struct joined_group *group = cover->group;

    cover->signature = signature_text(joined_signature(group, symbols));
    cover->site = (struct str){0};
    if (group->site >= 0 && group->stack != STACK_OTHER)
        cover->site = symbols_function(
            symbols, symbols_stack(symbols, group->stack).frames[group->site]);
}

/* How exactly an entry names the place of a cover, whatever its rule: 0 = it
 * is about another one. */
static unsigned place_fits(const struct baseline_entry *entry,
                           const struct cover *cover)
{
    if ((entry->site.len && !str_equal(entry->site, cover->site)) ||
        (entry->signature.len &&
         !str_starts(str_from(cover->signature.text), entry->signature)))
        return 0;
    return (entry->signature.len ? 4U : 0U) + (entry->site.len ? 2U : 0U);
}

/* The entry that a cover falls under: the most exact one, of equals the
 * first. */
static struct baseline_entry *find_entry(const struct baseline *baseline,
                                         const struct cover *cover)
{
    struct baseline_entry *best = NULL;
    unsigned best_fit = 0;

    for (size_t i = 0; i < baseline->count; i++) {
        struct baseline_entry *entry = baseline->entries[i];
        unsigned fit = place_fits(entry, cover);

        if (!fit || (entry->rule.len &&
                     !str_equal(entry->rule, cover->finding->rule->id)))
            continue;
        fit += entry->rule.len > 0;
        if (fit > best_fit) {
            best_fit = fit;
            best = entry;
        }
    }
    return best;
}

/* Gathers the groups of all findings. */
static bool gather(struct accepting *accepting)
{
    const struct analysis *analysis = accepting->findings->analysis;
    const struct symbols *symbols = analysis_snapshots(analysis)->symbols;
    size_t n = 0;

    for (size_t i = 0; i < findings_count(accepting->findings); i++)
        n += findings_get(accepting->findings, i)->n_groups;
    accepting->covers =
        arena_take_zero(&accepting->findings->arena, n * sizeof(struct cover));
    if (!accepting->covers)
        return false;
    for (size_t i = 0; i < findings_count(accepting->findings); i++) {
        const struct finding *finding = findings_get(accepting->findings, i);

        for (size_t k = 0; k < finding->n_groups; k++) {
            struct cover *cover = &accepting->covers[accepting->n_covers++];

            cover->finding = finding;
            cover->group = analysis_group(analysis, finding->groups[k]);
            set_place(cover, symbols);
        }
    }
    return true;
}

/* Says of each cover which entry it falls under. */
static void match_entries(struct accepting *accepting)
{
    for (size_t i = 0; i < accepting->n_covers; i++)
        accepting->covers[i].entry =
            find_entry(accepting->baseline, &accepting->covers[i]);
}

/* --- Counts --------------------------------------------------------------- */

/* Raises the count of each entry to that in one snapshot, if it is more. */
static void count_snapshot(struct accepting *accepting, size_t snapshot)
{
    for (size_t e = 0; e < accepting->baseline->count; e++)
        accepting->baseline->entries[e]->in_dump = 0;
    for (size_t i = 0; i < accepting->n_covers; i++) {
        const struct cover *cover = &accepting->covers[i];
        struct baseline_entry *entry = cover->entry;

        if (!entry)
            continue;
        entry->in_dump += joined_count(cover->group, snapshot);
        if (entry->in_dump > entry->count)
            entry->count = entry->in_dump;
    }
}

/* Counts the goroutines of each entry in the dump that has most of them:
 * several instances are judged one by one, as by the tiers of rules. */
static void count_entries(struct accepting *accepting)
{
    const struct analysis *analysis = accepting->findings->analysis;

    for (size_t e = 0; e < accepting->baseline->count; e++)
        accepting->baseline->entries[e]->count = 0;
    for (size_t s = 0; s < analysis_snapshots(analysis)->count; s++) {
        if (analysis_is_judged(analysis, s))
            count_snapshot(accepting, s);
    }
}

/* Notes of the entries without a finding whether goroutines stand at their
 * place all the same: too few, or set aside as normal. */
static void meet_entries(struct accepting *accepting)
{
    const struct analysis *analysis = accepting->findings->analysis;
    const struct symbols *symbols = analysis_snapshots(analysis)->symbols;
    size_t n_left = 0;

    for (size_t e = 0; e < accepting->baseline->count; e++) {
        struct baseline_entry *entry = accepting->baseline->entries[e];

        entry->is_met = entry->count > 0;
        n_left += !entry->is_met;
    }
    for (size_t i = 0; n_left && i < analysis_n_groups(analysis); i++) {
        struct cover cover = {.group = analysis_group(analysis, i)};

        if (!cover.group->count)
            continue;
        set_place(&cover, symbols);
        for (size_t e = 0; e < accepting->baseline->count; e++) {
            struct baseline_entry *entry = accepting->baseline->entries[e];

            if (entry->is_met || !place_fits(entry, &cover))
                continue;
            entry->is_met = true;
            n_left--;
        }
    }
}

/* --- Judging -------------------------------------------------------------- */

static enum acceptance_kind kind_of(const struct baseline_entry *entry)
{
    if (!entry)
        return ACCEPTANCE_PARTLY;
    if (entry->is_expired)
        return ACCEPTANCE_EXPIRED;
    return entry->count > entry->ceiling ? ACCEPTANCE_EXCEEDED
                                         : ACCEPTANCE_HOLDS;
}

/* What the baseline says of a finding with n covers. The worst of its places
 * decides, of equals the largest. */
static struct acceptance judge_covers(const struct cover *covers, size_t n)
{
    struct acceptance said = {.kind = ACCEPTANCE_HOLDS};

    for (size_t i = 0; i < n; i++) {
        enum acceptance_kind kind = kind_of(covers[i].entry);

        if (kind == ACCEPTANCE_HOLDS)
            said.covered += covers[i].group->count;
        if (!said.entry || (kind > said.kind && covers[i].entry))
            said.entry = covers[i].entry;
        if (kind > said.kind)
            said.kind = kind;
    }
    return said;
}

/* Gives every finding what the baseline says of it, if anything. */
static bool judge_findings(struct accepting *accepting)
{
    struct findings *findings = accepting->findings;
    const struct cover *covers = accepting->covers;

    for (size_t i = 0; i < findings->count; i++) {
        struct finding *finding = findings->items[i];
        struct acceptance said = judge_covers(covers, finding->n_groups);
        struct acceptance *kept;

        covers += finding->n_groups;
        if (!said.entry)
            continue;
        kept = arena_take(&findings->arena, sizeof(*kept));
        if (!kept)
            return false;
        *kept = said;
        finding->acceptance = kept;
    }
    findings_sort(findings);
    return true;
}

/* --- Renewing ------------------------------------------------------------- */

static uint64_t ceiling_for(uint64_t count)
{
    uint64_t spare = (count + 1) / 2;

    return count + (spare > SPARE_LEAST ? spare : SPARE_LEAST);
}

/* Whether a name can stand in a file and be read again: dumps may hold what no
 * program has. False without memory. */
static bool name_check(struct str name, bool *ret_is_clean)
{
    struct buf escaped = {0};
    bool is_whole;

    escape_add(&escaped, name);
    is_whole = !escaped.failed;
    *ret_is_clean = name.len && str_equal(buf_str(&escaped), name);
    buf_done(&escaped);
    return is_whole;
}

/* Adds an entry for a cover that has none. */
static bool accept_cover(struct accepting *accepting, struct cover *cover)
{
    struct baseline *baseline = accepting->baseline;
    struct baseline_entry *entry = baseline_add(baseline);
    bool is_clean;

    if (!entry || !name_check(cover->site, &is_clean))
        return false;
    entry->rule = arena_copy(&baseline->arena, cover->finding->rule->id);
    if (is_clean)
        entry->site = arena_copy(&baseline->arena, cover->site);
    else
        entry->signature =
            arena_copy(&baseline->arena, str_from(cover->signature.text));
    return entry->rule.ptr && (entry->site.ptr || entry->signature.ptr);
}

/* Takes out the entries whose place is gone, and settles the others: an entry
 * that has expired holds again, without its day, and a ceiling is raised where
 * there is more. */
static void settle_entries(struct baseline *baseline)
{
    size_t n = 0;

    for (size_t e = 0; e < baseline->count; e++) {
        struct baseline_entry *entry = baseline->entries[e];

        if (!entry->is_met)
            continue;
        if (entry->is_expired)
            entry->expires = (struct str){0};
        entry->is_expired = false;
        if (entry->count > entry->ceiling || !entry->ceiling)
            entry->ceiling = ceiling_for(entry->count);
        baseline->entries[n++] = entry;
    }
    baseline->count = n;
}

/* Has every finding from a severity on accepted. */
static bool renew(struct accepting *accepting, enum cprof_severity least)
{
    for (size_t i = 0; i < accepting->n_covers; i++) {
        struct cover *cover = &accepting->covers[i];

        /* An entry may have been added for a group before this one. */
        cover->entry = find_entry(accepting->baseline, cover);
        if (cover->entry || cover->finding->severity < least)
            continue;
        if (!accept_cover(accepting, cover))
            return false;
        cover->entry = find_entry(accepting->baseline, cover);
    }
    count_entries(accepting);
    meet_entries(accepting);
    settle_entries(accepting->baseline);
    baseline_sort(accepting->baseline);
    return true;
}

/* --- Diagnostics ---------------------------------------------------------- */

static struct str rule_word(const void *user, size_t index)
{
    return rules_info(user, index)->id;
}

/* What may be wrong with the rule of an entry: ", and there is no rule 'x' (did
 * you mean 'y'?)". */
static void add_rule_hint(struct buf *words, const struct rules *rules,
                          struct str id)
{
    size_t near;

    if (!id.len || rules_index(rules, id) < rules_count(rules))
        return;
    near = nearest_find(id, rules_count(rules), rule_word, rules);
    buf_addf(words, ", and there is no rule '%s'", quote(id).text);
    if (near < rules_count(rules))
        buf_addf(words, " (did you mean '" STR_FORMAT "'?)",
                 STR_ARG(rules_info(rules, near)->id));
}

/* Says which entries have no effect. With filters, what they leave out may be
 * what an entry is about. */
static void report_entry(const struct accepting *accepting,
                         const struct baseline_entry *entry)
{
    const struct findings *findings = accepting->findings;
    struct diags *diags = &analysis_snapshots(findings->analysis)->diags;
    struct place place = {accepting->baseline->name, entry->line, 0};
    struct buf hint = {0};

    if (entry->is_expired)
        diag_add(diags, DIAG_WARNING, "baseline-expired", place,
                 "this entry accepts nothing since its last day, " STR_FORMAT,
                 STR_ARG(entry->expires));
    if (!entry->is_met) {
        add_rule_hint(&hint, findings->rules, entry->rule);
        diag_add(diags, DIAG_INFO, "baseline-unused", place,
                 "no goroutine stands at the place of this entry%s",
                 hint.ptr ? hint.ptr : "");
    }
    buf_done(&hint);
}

/* --- The whole ------------------------------------------------------------ */

static int out_of_memory(const char *name, struct cprof_error *err)
{
    return error_memory(err, (struct place){name, 0, 0},
                        "reading the baseline");
}

/* Reads the file that the options name. One that is to be written may not be
 * there yet; if it is, it must be a baseline, and is the one to begin with. */
static int read_baseline(struct baseline **ret,
                         const struct cprof_options *options,
                         struct budget *budget, struct cprof_error *err)
{
    const char *path =
        options->baseline ? options->baseline : options->write_baseline;
    struct buf text = {0};
    struct cprof_error why = {0};
    struct stat about;
    int failed;

    if (!options->baseline && stat(path, &about) < 0 && errno == ENOENT)
        return baseline_new(ret, path, budget, err);
    if (options->write_baseline && stat(options->write_baseline, &about) == 0 &&
        !S_ISREG(about.st_mode))
        return error_set(err, CPROF_EIO,
                         (struct place){options->write_baseline, 0, 0},
                         "a baseline is written to a file, and this is none");
    failed = file_read(path, SOURCE_MOST + 1, &text, err);
    if (!failed)
        failed = baseline_parse(ret, path, buf_str(&text), budget, &why);
    if (failed && why.code && options->baseline)
        *err = why;
    else if (failed && why.code)
        error_set(err, why.code, (struct place){path, why.line, why.column},
                  "this file is there, is no baseline, and is not written "
                  "over: %s",
                  why.message);
    buf_done(&text);
    return failed;
}

/* Nothing expires while nobody says which day it is. False when memory ran
 * out. */
static bool expire_entries(struct baseline *baseline, int64_t now_ns)
{
    struct buf today = {0};
    bool is_done;

    if (!now_ns)
        return true;
    utc_add(&today, now_ns);
    is_done = !today.failed;
    for (size_t e = 0; e < baseline->count; e++) {
        struct baseline_entry *entry = baseline->entries[e];

        entry->is_expired =
            is_done && entry->expires.len &&
            str_compare(entry->expires, str_head(buf_str(&today), DAY_LENGTH)) <
                0;
    }
    buf_done(&today);
    return is_done;
}

static bool apply(struct accepting *accepting,
                  const struct cprof_options *options)
{
    struct baseline *baseline = accepting->baseline;
    enum cprof_severity least = options->fail_on == CPROF_SEVERITY_INFO
                                    ? CPROF_SEVERITY_INFO
                                    : CPROF_SEVERITY_LOW;

    if (!expire_entries(baseline, options->now_ns) || !gather(accepting))
        return false;
    if (options->write_baseline) {
        if (!renew(accepting, least))
            return false;
        baseline->name =
            arena_copy(&baseline->arena, str_from(options->write_baseline)).ptr;
        return baseline->name && judge_findings(accepting);
    }
    match_entries(accepting);
    count_entries(accepting);
    meet_entries(accepting);
    for (size_t e = 0; e < baseline->count; e++)
        report_entry(accepting, baseline->entries[e]);
    return judge_findings(accepting);
}

int baseline_judge(struct baseline **ret, const struct cprof_options *options,
                   struct findings *findings, struct budget *budget,
                   struct cprof_error *err)
{
    struct accepting accepting = {.findings = findings};
    int failed;

    *ret = NULL;
    if (!options->baseline && !options->write_baseline)
        return 0;
    failed = read_baseline(&accepting.baseline, options, budget, err);
    if (failed || !accepting.baseline)
        return failed;
    if (!apply(&accepting, options)) {
        failed = out_of_memory(accepting.baseline->name, err);
        baseline_free(accepting.baseline);
        return failed;
    }
    *ret = accepting.baseline;
    return 0;
}
