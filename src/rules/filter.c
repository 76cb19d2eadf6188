#include "rules/filter.h"

#include <stdlib.h>

#include "rules/match.h"
#include "rules/nearest.h"
#include "rules/source.h"

/* One --label KEY=REGEX. */
struct label_filter {
    struct str key;
    struct pattern *value;
};

struct filter {
    const struct cprof_options *options;
    struct analysis *analysis;
    const struct symbols *symbols;
    struct pattern **focus; /* one for each value of the option */
    struct pattern **ignore;
    struct label_filter *labels;
    struct subject subject;
    struct cprof_error *err;
};

static int out_of_memory(const struct filter *filter)
{
    return error_memory(filter->err, (struct place){0}, "filtering");
}

/* Says what is wrong with an expression of an option, with a caret. */
static int bad_pattern(const struct filter *filter, const char *option,
                       struct str text, const struct cprof_error *why)
{
    size_t at = why->column ? (size_t)why->column - 1 : 0;
    struct str shown = str_head(text, 100);

    if (why->code == CPROF_ENOMEM)
        return out_of_memory(filter);
    error_set(filter->err, CPROF_EUSAGE, (struct place){0}, "--%s '%s': %s",
              option, quote(text).text, why->message);
    if (at <= shown.len)
        error_detail(filter->err, "    " STR_FORMAT "\n    %*s^",
                     STR_ARG(shown), (int)at, "");
    return CPROF_EUSAGE;
}

static int compile(const struct filter *filter, const char *option,
                   struct str text, struct pattern **ret)
{
    struct cprof_error why = {0};

    if (pattern_new(ret, text, &why) < 0)
        return bad_pattern(filter, option, text, &why);
    return 0;
}

/* Compiles every value of an option into an array of patterns, which is freed
 * by filter_done also when this fails. */
static int compile_list(const struct filter *filter, const char *option,
                        const struct option_list *list, struct pattern ***ret)
{
    *ret = calloc(list->count + 1, sizeof(struct pattern *));
    if (!*ret)
        return out_of_memory(filter);
    for (size_t i = 0; i < list->count; i++) {
        int failed =
            compile(filter, option, str_from(list->values[i]), &(*ret)[i]);

        if (failed)
            return failed;
    }
    return 0;
}

/* The same for --label KEY=REGEX. */
static int compile_labels(struct filter *filter)
{
    const struct option_list *list = &filter->options->label;

    filter->labels = calloc(list->count + 1, sizeof(*filter->labels));
    if (!filter->labels)
        return out_of_memory(filter);
    for (size_t i = 0; i < list->count; i++) {
        struct str text = str_from(list->values[i]);
        size_t equals = str_find(text, '=');
        int failed;

        if (!equals || equals == text.len)
            return error_set(filter->err, CPROF_EUSAGE, (struct place){0},
                             "--label takes KEY=REGEX, not '%s'",
                             quote(text).text);
        filter->labels[i].key = str_head(text, equals);
        failed = compile(filter, "label", str_skip(text, equals + 1),
                         &filter->labels[i].value);
        if (failed)
            return failed;
    }
    return 0;
}

/* Compiles what the options of a filter say. */
static int compile_all(struct filter *filter)
{
    const struct cprof_options *options = filter->options;
    int failed = compile_list(filter, "focus", &options->focus, &filter->focus);

    if (!failed)
        failed =
            compile_list(filter, "ignore", &options->ignore, &filter->ignore);
    return failed ? failed : compile_labels(filter);
}

/* Whether some group is in a state of that name: a dump may hold words that
 * are newer than this program. */
static bool is_in_dump(const struct filter *filter, struct str word)
{
    for (size_t i = 0; i < analysis_n_groups(filter->analysis); i++) {
        state_id state = analysis_group(filter->analysis, i)->state;

        if (str_equal(symbols_state(filter->symbols, state), word))
            return true;
    }
    return false;
}

/* Refuses a --state that neither Go nor this dump knows: it would leave
 * nothing, as a typo does. */
static int check_states(const struct filter *filter)
{
    const struct option_list *list = &filter->options->state;

    for (size_t i = 0; i < list->count; i++) {
        struct str word = str_from(list->values[i]);
        struct str near;

        if (state_find(word) < N_STATES || is_in_dump(filter, word))
            continue;
        near = nearest_state(word);
        if (near.len)
            return error_set(
                filter->err, CPROF_EUSAGE, (struct place){0},
                "--state '%s' is no state of Go (did you mean '" STR_FORMAT
                "'?)",
                quote(word).text, STR_ARG(near));
        return error_set(filter->err, CPROF_EUSAGE, (struct place){0},
                         "--state '%s' is no state of Go; examples are 'chan "
                         "send', 'IO wait' and 'sync.Mutex.Lock'",
                         quote(word).text);
    }
    return 0;
}

static bool pattern_hits(struct pattern *pattern, const struct subject *subject,
                         text_id id)
{
    return pattern_match_id(pattern, subject->symbols, id) == PATTERN_YES;
}

/* Whether one of n expressions matches the function or the file of a frame,
 * as pprof's options do. */
static bool frames_match(struct pattern **patterns, size_t n,
                         const struct subject *subject)
{
    for (size_t p = 0; p < n; p++) {
        for (size_t i = 0; i < subject->n_frames; i++) {
            if (pattern_hits(patterns[p], subject, subject->functions[i]) ||
                pattern_hits(patterns[p], subject, subject->files[i]))
                return true;
        }
    }
    return false;
}

/* Whether goroutines of the group carry the label with a value that
 * matches. */
static bool label_matches(const struct label_filter *label,
                          const struct subject *subject)
{
    const struct label_counts *at = joined_labels(subject->group);

    while (at &&
           !str_equal(symbols_text(subject->symbols, at->key), label->key))
        at = at->next;
    for (uint32_t i = 0; at && i < at->values.count; i++) {
        if (pattern_hits(label->value, subject, at->values.items[i].id))
            return true;
    }
    return false;
}

/* Every key that is asked for must have a value that one of its expressions
 * matches. */
static bool labels_match(const struct filter *filter)
{
    size_t n = filter->options->label.count;

    for (size_t i = 0; i < n; i++) {
        bool found = false;

        for (size_t j = 0; j < n && !found; j++)
            found = str_equal(filter->labels[j].key, filter->labels[i].key) &&
                    label_matches(&filter->labels[j], &filter->subject);
        if (!found)
            return false;
    }
    return true;
}

static bool state_matches(const struct filter *filter,
                          const struct joined_group *group)
{
    const struct option_list *list = &filter->options->state;
    struct str word = symbols_state(filter->symbols, group->state);

    for (size_t i = 0; i < list->count; i++) {
        struct str wanted = str_from(list->values[i]);

        /* Who has not started is runnable. */
        if (str_equal(wanted, word) ||
            (group->state == STATE_NOT_STARTED &&
             str_equal(wanted, state_word(STATE_RUNNABLE))))
            return true;
    }
    return list->count == 0;
}

/* Whether the oldest wait is known and long enough. */
static bool age_matches(const struct filter *filter,
                        const struct joined_group *group)
{
    uint64_t least = filter->options->min_age_s;

    return !least || (joined_has_wait(group) &&
                      (uint64_t)group->facts->wait_max * 60 >= least);
}

/* The goroutines of a group; where moments are compared, at the one when they
 * were most. */
static uint64_t most_of(const struct filter *filter,
                        const struct joined_group *group)
{
    const struct cprof_snapshots *all = analysis_snapshots(filter->analysis);
    uint64_t most = group->count;

    for (size_t i = 0; all->is_series && i < all->count; i++)
        most = joined_count(group, i) > most ? joined_count(group, i) : most;
    return most;
}

/* Whether the options keep the group that filter->subject holds. */
static bool keeps(const struct filter *filter)
{
    const struct cprof_options *options = filter->options;
    const struct subject *subject = &filter->subject;
    const struct joined_group *group = subject->group;

    if (most_of(filter, group) < options->min_count ||
        !age_matches(filter, group) || !state_matches(filter, group))
        return false;
    if (options->focus.count &&
        !frames_match(filter->focus, options->focus.count, subject))
        return false;
    return !frames_match(filter->ignore, options->ignore.count, subject) &&
           labels_match(filter);
}

void filter_say_limits(struct cprof_snapshots *snapshots, const char *option,
                       struct pattern *const *patterns, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        text_id first = 0;
        uint64_t hits = pattern_limit_hits(patterns[i], &first);

        if (hits)
            diag_add(&snapshots->diags, DIAG_WARNING, "filter-limit",
                     (struct place){0},
                     "--%s '%s' gave up on %llu name%s, the first '%s': it "
                     "needs too many steps",
                     option, quote(pattern_expression(patterns[i])).text,
                     (unsigned long long)hits, hits == 1 ? "" : "s",
                     quote(symbols_text(snapshots->symbols, first)).text);
    }
}

/* Marks every group, and says which expressions gave up on the way. */
static int mark_groups(struct filter *filter)
{
    const struct cprof_options *options = filter->options;
    struct cprof_snapshots *snapshots = analysis_snapshots(filter->analysis);

    for (size_t i = 0; i < analysis_n_groups(filter->analysis); i++) {
        struct joined_group *group = analysis_group(filter->analysis, i);

        if (!subject_set(&filter->subject, filter->symbols, group))
            return out_of_memory(filter);
        group->is_filtered = !keeps(filter);
    }
    filter_say_limits(snapshots, "focus", filter->focus, options->focus.count);
    filter_say_limits(snapshots, "ignore", filter->ignore,
                      options->ignore.count);
    for (size_t i = 0; i < options->label.count; i++)
        filter_say_limits(snapshots, "label", &filter->labels[i].value, 1);
    return 0;
}

static void filter_done(struct filter *filter)
{
    const struct cprof_options *options = filter->options;

    for (size_t i = 0; filter->focus && i < options->focus.count; i++)
        pattern_free(filter->focus[i]);
    for (size_t i = 0; filter->ignore && i < options->ignore.count; i++)
        pattern_free(filter->ignore[i]);
    for (size_t i = 0; filter->labels && i < options->label.count; i++)
        pattern_free(filter->labels[i].value);
    free(filter->focus);
    free(filter->ignore);
    free(filter->labels);
    subject_done(&filter->subject);
}

int filter_apply(struct analysis *analysis, const struct cprof_options *options,
                 struct cprof_error *err)
{
    struct filter filter = {.options = options,
                            .analysis = analysis,
                            .symbols = analysis_snapshots(analysis)->symbols,
                            .err = err};
    int failed = compile_all(&filter);

    if (!failed)
        failed = check_states(&filter);
    if (!failed)
        failed = mark_groups(&filter);
    filter_done(&filter);
    return failed;
}

int filter_check(const struct cprof_options *options, struct cprof_error *err)
{
    struct filter filter = {.options = options, .err = err};
    int failed = compile_all(&filter);

    filter_done(&filter);
    return failed;
}
