#include <stdlib.h>

#include "analysis/crashes.h"
#include "analysis/sites.h"
#include "report/built.h"
#include "rules/words.h"

struct code_place place_of_frame(const struct cprof_report *report,
                                 frame_id frame)
{
    struct symbols *symbols = report_symbols(report);
    struct code_place place = {0};

    if (frame == FRAME_NONE)
        return place;
    place.function = symbols_function(symbols, frame);
    place.file = symbols_file(symbols, frame);
    place.line = symbols_frame(symbols, frame).line;
    place.frame = frame;
    return place;
}

struct code_place place_of_site(const struct cprof_report *report,
                                const struct joined_group *group)
{
    struct stack stack = symbols_stack(report_symbols(report), group->stack);

    if (group->site < 0)
        return (struct code_place){0};
    return place_of_frame(report, stack.frames[group->site]);
}

/* Who sends SIGQUIT wants to know where the program hangs. */
static void add_main(const struct cprof_report *report,
                     const struct snapshot *snapshot, struct crash_view *view)
{
    const struct symbols *symbols = report_symbols(report);
    const struct group *group = crash_main_group(snapshot);
    struct stack stack;
    int32_t site;

    if (!group)
        return;
    stack = symbols_stack(symbols, group->stack);
    site = site_find(symbols, stack);
    if (site < 0)
        return;
    view->main_site = place_of_frame(report, stack.frames[site]);
    view->main_state = symbols_state(symbols, group->state);
}

struct crash_view report_crash(const struct cprof_report *report,
                               size_t snapshot)
{
    const struct snapshot *from = report->snapshots->items[snapshot];
    struct crash_view view = {.crash = snapshot_info_get(from)->crash};

    if (!view.crash)
        return view;
    view.kind = crash_kind_text(view.crash->kind);
    view.site = place_of_frame(report, view.crash->site);
    if (view.crash->is_request)
        add_main(report, from, &view);
    return view;
}

struct code_place report_panic_place(const struct cprof_report *report,
                                     size_t snapshot)
{
    return place_of_frame(report,
                          crash_panic_site(report->snapshots->items[snapshot]));
}

/* The state that all groups of a finding are in; empty when they differ. */
static struct str common_state(const struct cprof_report *report,
                               const struct finding *finding)
{
    state_id state = finding->state;

    for (size_t i = 0; i < finding->n_groups; i++) {
        const struct joined_group *group =
            analysis_group(report->analysis, finding->groups[i]);

        if (i && group->state != state)
            return (struct str){0};
        state = group->state;
    }
    return symbols_state(report_symbols(report), state);
}

/* How many judged snapshots hold goroutines of one of the groups. */
static size_t count_dumps(const struct cprof_report *report,
                          const uint32_t *groups, size_t n_groups)
{
    size_t n = 0;

    for (size_t i = 0; i < report->snapshots->count; i++) {
        size_t k = 0;

        if (!analysis_is_judged(report->analysis, i))
            continue;
        while (k < n_groups &&
               !joined_count(analysis_group(report->analysis, groups[k]), i))
            k++;
        n += k < n_groups;
    }
    return n;
}

struct finding_view report_finding(const struct cprof_report *report,
                                   size_t index)
{
    const struct finding *finding = findings_get(report->findings, index);
    struct finding_view view = {.finding = finding};

    view.has_site = finding->site != FRAME_NONE;
    view.site = place_of_frame(report, finding->site);
    view.state = common_state(report, finding);
    view.state_source = state_source_text(finding->state_source);
    view.confidence = confidence_words[finding->confidence];
    view.n_dumps = count_dumps(report, finding->groups, finding->n_groups);
    return view;
}

struct str words_place_text(enum words_place place)
{
    return place == WORDS_OF_CIRCLE
               ? STR("They wait behind the circle above, and go on when it is "
                     "broken up.")
               : STR("Cause, what decides and what to do: above.");
}

/* --- Evidence ------------------------------------------------------------- */

/* Inserts an id into the IDS_SHOWN smallest. */
static void keep_id(struct evidence_view *view, uint64_t id)
{
    size_t at = view->n_ids;

    while (at && view->ids[at - 1] > id)
        at--;
    if (at == IDS_SHOWN)
        return;
    if (view->n_ids < IDS_SHOWN)
        view->n_ids++;
    memmove(&view->ids[at + 1], &view->ids[at],
            (view->n_ids - at - 1) * sizeof(view->ids[0]));
    view->ids[at] = id;
}

/* By key, then the most common value first, then by value; the rest of a key
 * comes last. */
static int compare_labels(const void *a, const void *b)
{
    const struct label_view *left = a;
    const struct label_view *right = b;
    int order = str_compare(left->key, right->key);

    if (!order)
        order = left->is_rest - right->is_rest;
    if (!order)
        order = (left->count < right->count) - (left->count > right->count);
    return order ? order : str_compare(left->value, right->value);
}

static size_t count_labels(const struct evidence *evidence)
{
    size_t n = 0;

    for (const struct label_counts *labels = evidence->labels; labels;
         labels = labels->next)
        n += labels->values.count + 1;
    return n;
}

static void view_labels(const struct cprof_report *report,
                        const struct evidence *evidence,
                        struct evidence_view *view, struct arena *scratch)
{
    struct symbols *symbols = report_symbols(report);
    struct label_view *out = arena_take_zero(
        scratch, count_labels(evidence) * sizeof(struct label_view));
    size_t n = 0;

    if (!out)
        return;
    for (const struct label_counts *labels = evidence->labels; labels;
         labels = labels->next) {
        struct str key = symbols_text(symbols, labels->key);

        for (uint32_t i = 0; i < labels->values.count; i++) {
            const struct counted *item = &labels->values.items[i];

            out[n++] =
                (struct label_view){.key = key,
                                    .value = symbols_text(symbols, item->id),
                                    .count = item->count};
        }
        if (labels->values.others)
            out[n++] = (struct label_view){
                .key = key, .is_rest = true, .count = labels->values.others};
    }
    qsort(out, n, sizeof(*out), compare_labels);
    view->labels = out;
    view->n_labels = n;
}

/* The most common first, then by name. */
static int compare_creators(const void *a, const void *b)
{
    const struct creator_view *left = a;
    const struct creator_view *right = b;
    int order = (left->count < right->count) - (left->count > right->count);

    if (!order)
        order = str_compare(left->place.function, right->place.function);
    if (!order)
        order = str_compare(left->place.file, right->place.file);
    if (!order)
        order = (left->place.line > right->place.line) -
                (left->place.line < right->place.line);
    return order;
}

static void view_creators(const struct cprof_report *report,
                          const struct counted_set *creators,
                          struct evidence_view *view, struct arena *scratch)
{
    struct creator_view *out =
        arena_take_zero(scratch, creators->count * sizeof(*out));

    if (!out)
        return;
    for (uint32_t i = 0; i < creators->count; i++)
        out[i] =
            (struct creator_view){place_of_frame(report, creators->items[i].id),
                                  creators->items[i].count};
    qsort(out, creators->count, sizeof(*out), compare_creators);
    view->creators = out;
    view->n_creators = creators->count;
    view->other_creators = creators->others;
}

static struct evidence_view view_evidence(const struct cprof_report *report,
                                          const struct evidence *evidence,
                                          struct arena *scratch)
{
    struct evidence_view view = {0};

    for (uint32_t i = 0; i < evidence->ids.count; i++)
        keep_id(&view, evidence->ids.ids[i]);
    view_labels(report, evidence, &view, scratch);
    view_creators(report, &evidence->creators, &view, scratch);
    view.wait_median_s = (uint64_t)wait_histogram_median(&evidence->waits) * 60;
    return view;
}

struct evidence_view report_finding_evidence(const struct cprof_report *report,
                                             const struct finding *finding,
                                             struct arena *scratch)
{
    struct evidence merged = {0};
    struct plain_evidence room;
    struct evidence_view view;
    uint64_t ids_known = 0;

    arena_reset(scratch);
    for (size_t i = 0; i < finding->n_groups; i++) {
        const struct joined_group *group =
            analysis_group(report->analysis, finding->groups[i]);

        evidence_merge(&merged, joined_evidence(group, &room), scratch);
        ids_known += group->facts->n_ids;
    }
    id_sample_settle(&merged.ids);
    view = view_evidence(report, &merged, scratch);
    view.ids_known = ids_known;
    return view;
}

/* --- Groups --------------------------------------------------------------- */

bool is_hidden(const struct cprof_report *report, frame_id frame)
{
    struct symbols *symbols = report_symbols(report);
    text_id name = symbols_frame(symbols, frame).function;

    for (size_t i = 0; i < report->n_hide; i++) {
        if (pattern_match_id(report->hide[i], symbols, name) == PATTERN_YES)
            return true;
    }
    return false;
}

static int view_frames(const struct cprof_report *report,
                       struct group_view *view, struct arena *scratch,
                       struct cprof_error *err)
{
    struct stack stack =
        symbols_stack(report_symbols(report), view->group->stack);
    struct code_place *frames =
        arena_take(scratch, stack.n_frames * sizeof(*frames));

    if (!frames)
        return error_memory(err, (struct place){0}, "writing the report");
    view->site = -1;
    view->elided = stack.elided;
    for (uint32_t i = 0; i < stack.n_frames; i++) {
        if (is_hidden(report, stack.frames[i])) {
            view->n_hidden++;
            continue;
        }
        if ((int32_t)i == view->group->site)
            view->site = (int32_t)view->n_frames;
        frames[view->n_frames++] = place_of_frame(report, stack.frames[i]);
    }
    view->frames = frames;
    if (view->n_frames)
        view->place = frames[view->site >= 0 ? view->site : 0];
    return 0;
}

/* Whether some snapshot that the group stands in says which goroutines are
 * locked to their thread. */
static bool knows_threads(const struct cprof_report *report,
                          const struct joined_group *group)
{
    for (size_t i = 0; i < report->snapshots->count; i++) {
        const struct snapshot_info *info =
            snapshot_info_get(report->snapshots->items[i]);

        if (joined_count(group, i) &&
            format_facts(snapshot_origin(info))->has_threads)
            return true;
    }
    return false;
}

/* How many goroutines of a group there were at the first moments. */
static uint64_t count_before(const struct cprof_report *report,
                             const struct joined_group *group)
{
    size_t n = report->growth ? growth_n_series(report->growth) : 0;
    uint64_t sum = 0;

    for (size_t i = 0; i < n; i++) {
        const struct moments *series = growth_series(report->growth, i);

        sum += joined_count(group, series->snapshots[series->first]);
    }
    return sum;
}

int report_group(const struct cprof_report *report, size_t index,
                 struct group_view *view, struct arena *scratch,
                 struct cprof_error *err)
{
    const struct joined_group *group = analysis_group(report->analysis, index);
    const struct rule_info *rule = findings_owner(report->findings, index);
    uint32_t finding = report->finding_of[index];
    uint32_t number = (uint32_t)index;
    struct plain_evidence room;

    arena_reset(scratch);
    *view = (struct group_view){
        .index = index,
        .group = group,
        .id = signature_text(group->id),
        .signature =
            signature_text(joined_signature(group, report_symbols(report))),
        .share = analysis_share(report->analysis, group),
        .state = symbols_state(report_symbols(report), group->state),
        .state_source = state_source_text(group->state_source),
        .is_inferred = group->state_source == STATE_FROM_ADDRESSES ||
                       group->state_source == STATE_FROM_FRAMES,
        .rule = findings_name(report->findings, index),
        .finding = finding ? findings_get(report->findings, finding - 1) : NULL,
        .class = rule ? rule->class : CLASS_NEUTRAL,
        .knows_leaked = report->summary.knows_leaked,
        .knows_locked = knows_threads(report, group),
        .created_by = place_of_frame(report, group->created_by),
        .n_dumps = count_dumps(report, &number, 1),
        .before = count_before(report, group),
        .evidence =
            view_evidence(report, joined_evidence(group, &room), scratch),
    };
    view->evidence.ids_known = group->facts->n_ids;
    return view_frames(report, view, scratch, err);
}

bool report_is_over(const struct cprof_report *report)
{
    const struct analysis *analysis = report_analysis(report);
    size_t n = analysis_snapshots(analysis)->count;

    for (size_t i = 0; i < n; i++) {
        if (analysis_is_judged(analysis, i) && !report_crash(report, i).crash)
            return false;
    }
    return n > 0;
}
