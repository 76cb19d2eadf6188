#include "cli/rules_words.h"

#include "base/count.h"
#include "rules/words.h"

/* Whether a byte stands for itself in an expression. An unescaped dot does not
 * quite, but where nothing follows it that repeats it, a dot is what it was
 * written for. */
static bool is_plain(char c)
{
    return !chars_have("\\^$.[]()*+?{}|", c) && c != '\0';
}

/* Appends the plain text that an expression stands for; false when it stands
 * for more than one. */
static bool add_plain(struct buf *out, struct str expression)
{
    for (size_t i = 0; i < expression.len; i++) {
        char c = expression.ptr[i];

        if (c == '\\') {
            if (++i == expression.len)
                return false;
            c = expression.ptr[i];
            /* A backslash makes a class or an anchor of a letter or digit. */
            if (is_plain(c) && c != '/' && c != '-' && c != '_' && c != ' ')
                return false;
        } else if (!is_plain(c)) {
            return false;
        }
        buf_add_char(out, c);
    }
    return true;
}

void words_expression(struct buf *out, struct str expression)
{
    static const char *const verbs[2][2] = {{"contains ", "ends with "},
                                            {"begins with ", "is "}};
    struct str rest = expression;
    bool at_start = str_cut_prefix(&rest, STR("^"));
    bool at_end =
        !str_ends(rest, STR("\\$")) && str_cut_suffix(&rest, STR("$"));
    struct buf plain = {0};

    if (rest.len && add_plain(&plain, rest)) {
        buf_add(out, str_from(verbs[at_start][at_end]));
        buf_add(out, buf_str(&plain));
    } else {
        buf_add(out, STR("matches /"));
        buf_add(out, expression);
        buf_add_char(out, '/');
    }
    out->failed |= plain.failed;
    buf_done(&plain);
}

/* Puts what stands between the items of a list that ends at n. */
static void add_between(struct buf *out, size_t i, size_t n, const char *last)
{
    if (i == 0)
        return;
    buf_add(out, i + 1 < n ? STR(", ") : str_from(last));
}

/* "is a, is b or contains c" */
static void add_patterns(struct buf *out, const struct patterns *patterns)
{
    for (size_t i = 0; i < patterns->count; i++) {
        add_between(out, i, patterns->count, " or ");
        words_expression(out, pattern_expression(patterns->items[i]));
    }
}

/* The conditions of a match: a line each, or all in one. */
struct lines {
    put_line_fn *put;
    void *user;
    const char *before;   /* each line begins with it: "Except (a) when ", "" */
    const char *negation; /* each condition does: "not when ", "" */
    bool is_joined;       /* one line for all, which flush_line ends */
    struct buf line;
    bool failed;
};

static void flush_line(struct lines *lines)
{
    char *first = lines->line.ptr;

    lines->failed = lines->failed || lines->line.failed;
    if (lines->failed || !lines->line.len)
        return;
    if (first[0] >= 'a' && first[0] <= 'z')
        first[0] = (char)(first[0] - 'a' + 'A');
    lines->put(lines->user, buf_str(&lines->line));
    buf_clear(&lines->line);
}

/* Begins a condition, which reads on from "when". */
static void begin_line(struct lines *lines, const char *words)
{
    buf_add(&lines->line,
            lines->line.len ? STR(", and ") : str_from(lines->before));
    buf_add(&lines->line, str_from(lines->negation));
    buf_add(&lines->line, str_from(words));
}

static void end_line(struct lines *lines)
{
    if (!lines->is_joined)
        flush_line(lines);
}

/* One line for a key whose patterns are alternatives. */
static void put_patterns(struct lines *lines, const char *subject,
                         const struct patterns *patterns)
{
    if (!patterns->count)
        return;
    begin_line(lines, subject);
    add_patterns(&lines->line, patterns);
    end_line(lines);
}

static void put_states(struct lines *lines, const struct match *match)
{
    size_t n = 0;
    size_t i = 0;

    if (!match->states)
        return;
    for (unsigned state = 0; state < N_STATES; state++)
        n += (match->states >> state) & 1;
    begin_line(lines, "the state is ");
    for (unsigned state = 0; state < N_STATES; state++) {
        if (!((match->states >> state) & 1))
            continue;
        add_between(&lines->line, i++, n, " or ");
        buf_add(&lines->line, state_word((state_id)state));
    }
    if (match->state_required == WANTED_YES)
        buf_add(&lines->line, STR(", and the dump tells so"));
    end_line(lines);
}

/* "the first frame outside the runtime is a, the next is b, some frame further
 * down contains c" */
static void put_chain(struct lines *lines, const struct patterns *chain)
{
    const char *which = "the first frame outside the runtime ";
    bool is_first = true;

    if (!chain->count)
        return;
    begin_line(lines, "");
    for (size_t i = 0; i < chain->count; i++) {
        if (!chain->items[i]) {
            which = is_first ? "some frame " : ", some frame further down ";
            continue;
        }
        buf_add(&lines->line, str_from(which));
        words_expression(&lines->line, pattern_expression(chain->items[i]));
        which = ", the next ";
        is_first = false;
    }
    end_line(lines);
}

static void put_labels(struct lines *lines, const struct match *match)
{
    for (size_t i = 0; i < match->n_labels; i++) {
        begin_line(lines, "the label ");
        buf_add(&lines->line, match->labels[i].key);
        buf_add_char(&lines->line, ' ');
        add_patterns(&lines->line, &match->labels[i].values);
        end_line(lines);
    }
}

static void put_flag(struct lines *lines, enum wanted wanted, const char *yes,
                     const char *no)
{
    if (wanted == WANTED_ANY)
        return;
    begin_line(lines, wanted == WANTED_YES ? yes : no);
    end_line(lines);
}

/* ORDER MATCH: a line for each field of struct match but the last. */
static void put_conditions(struct lines *lines, const struct match *match)
{
    put_states(lines, match);
    put_patterns(lines, "the first frame outside the runtime ", &match->leaf);
    put_patterns(lines, "the first frame outside the standard library ",
                 &match->site);
    put_patterns(lines, "some frame ", &match->any);
    for (size_t i = 0; i < match->all.count; i++)
        put_patterns(
            lines, "some frame ",
            &(struct patterns){.items = &match->all.items[i], .count = 1});
    put_chain(lines, &match->chain);
    put_patterns(lines, "the function that the goroutine was started with ",
                 &match->bottom);
    put_patterns(lines, "the function that started it ", &match->created_by);
    put_patterns(lines, "the file of some frame ", &match->file);
    put_patterns(lines, "the process died there, and the reason ",
                 &match->crash);
    put_labels(lines, match);
    put_flag(lines, match->locked, "some are locked to their thread",
             "none is locked to its thread");
    put_flag(lines, match->leaked, "some are proven to be leaked",
             "none is proven to be leaked");
    put_flag(lines, match->cycle, "they wait for each other in a circle",
             "they do not wait for each other in a circle");
    put_flag(lines, match->stranded,
             "nobody is left to unlock what they wait for",
             "somebody may yet unlock what they wait for");
    put_flag(lines, match->request,
             "others wait for a reply right behind their send",
             "no others wait for a reply right behind their send");
    put_flag(lines, match->finalizer, "it runs the finalizers of the process",
             "it does not run the finalizers of the process");
}

static void put_match(struct lines *lines, const struct match *match)
{
    put_conditions(lines, match);
    if (!match->except)
        return;
    lines->negation = "not when ";
    put_conditions(lines, match->except);
    lines->negation = "";
}

bool words_match(const struct rule *rule, put_line_fn *put, void *user)
{
    struct lines lines = {
        .put = put, .user = user, .before = "", .negation = ""};
    struct buf before = {0};

    if (rule->specificity == MATCHES_ALL) {
        begin_line(&lines, "every group of goroutines");
        end_line(&lines);
    }
    put_match(&lines, &rule->match);
    lines.is_joined = true;
    for (const struct exception *at = rule->exceptions; at; at = at->next) {
        buf_clear(&before);
        buf_addf(&before, "except (" STR_FORMAT ") when ", STR_ARG(at->name));
        lines.before = before.ptr ? before.ptr : "";
        lines.failed = lines.failed || before.failed;
        put_match(&lines, &at->match);
        flush_line(&lines);
    }
    buf_done(&before);
    buf_done(&lines.line);
    return !lines.failed;
}

/* "at least ", as a bound's operator reads before a figure. ORDER OP */
static const char *const op_words[] = {
    [BOUND_NONE] = "",
    [BOUND_AT_LEAST] = "at least ",
    [BOUND_ABOVE] = "more than ",
    [BOUND_AT_MOST] = "at most ",
    [BOUND_BELOW] = "less than ",
    [BOUND_EQUAL] = "exactly ",
};

/* "1,000", and what is no whole number with what it needs. */
static void add_number(struct buf *out, double value)
{
    if (value >= 0 && value < 1e15 && value == (double)(uint64_t)value)
        words_count(out, (uint64_t)value);
    else
        buf_addf(out, "%g", value);
}

/* "90 seconds", "10 minutes", "2 hours": the largest unit that is whole. */
static void add_duration(struct buf *out, double value)
{
    static const struct {
        uint64_t seconds;
        const char *word;
    } units[] = {{86400, "day"}, {3600, "hour"}, {60, "minute"}, {1, "second"}};
    uint64_t seconds = count_near(value);
    size_t i = 0;

    while (seconds % units[i].seconds)
        i++;
    words_count(out, seconds / units[i].seconds);
    buf_addf(out, " %s%s", units[i].word,
             seconds == units[i].seconds ? "" : "s");
}

static void add_count(struct buf *out, const struct tier *tier)
{
    const struct bound *bound = &tier->bounds[BOUND_COUNT];

    buf_add(out, bound->op == BOUND_AT_LEAST ? STR("from ")
                                             : str_from(op_words[bound->op]));
    add_number(out, bound->value);
    buf_add(out, bound->value == 1 ? STR(" goroutine") : STR(" goroutines"));
    if (bound->op == BOUND_AT_LEAST)
        buf_add(out, STR(" on"));
}

/* The places where most goroutines stand, counted from 1. */
static void add_rank(struct buf *out, const struct bound *bound)
{
    if (bound->op == BOUND_AT_MOST && bound->value > 1) {
        buf_add(out, STR("at one of the "));
        add_number(out, bound->value);
        buf_add(out, STR(" places with the most"));
    } else if (bound->value == 1 &&
               (bound->op == BOUND_AT_MOST || bound->op == BOUND_EQUAL)) {
        buf_add(out, STR("at the place with the most"));
    } else {
        buf_add(out, STR("at a place whose rank is "));
        buf_add(out, str_from(op_words[bound->op]));
        add_number(out, bound->value);
    }
}

/* How a bound reads: what stands before its operator, what kind of figure it
 * is, and what stands behind. ORDER BOUND */
enum figure_kind { FIGURE_NUMBER, FIGURE_SHARE, FIGURE_TIME, FIGURE_SURE };

static const struct {
    const char *before;
    const char *behind;
    enum figure_kind kind;
} bound_words[N_BOUNDS] = {
    [BOUND_SHARE] = {"", " of the process", FIGURE_SHARE},
    [BOUND_AGE] = {"the longest waiting ", "", FIGURE_TIME},
    [BOUND_AGE_P50] = {"half of them waiting ", "", FIGURE_TIME},
    [BOUND_GROWTH] = {"growing with ", " confidence", FIGURE_SURE},
    [BOUND_SLOPE] = {"growing by ", " an hour", FIGURE_NUMBER},
    [BOUND_SURVIVORS] = {"", " of those of the dump before still there",
                         FIGURE_SHARE},
    [BOUND_IDS_OLD] = {"", " of them among the first half ever started",
                       FIGURE_SHARE},
    [BOUND_RATIO] = {"", " times as many as ", FIGURE_NUMBER},
};

/* A ratio that only those reach that stand beside none of the others: then it
 * is larger than any number. */
static const double beside_none = 1e6;

static void add_bound(struct buf *out, const struct tier *tier,
                      enum bound_key key)
{
    const struct bound *bound = &tier->bounds[key];

    if (key == BOUND_COUNT) {
        add_count(out, tier);
        return;
    }
    if (key == BOUND_RANK) {
        add_rank(out, bound);
        return;
    }
    if (key == BOUND_RATIO && bound->value >= beside_none) {
        buf_add(out, bound->op == BOUND_ABOVE || bound->op == BOUND_AT_LEAST
                         ? STR("beside none of ")
                         : STR("beside any of "));
        buf_add(out, tier->ratio_to.id);
        return;
    }
    buf_add(out, str_from(bound_words[key].before));
    buf_add(out, str_from(op_words[bound->op]));
    switch (bound_words[key].kind) {
    case FIGURE_NUMBER:
        add_number(out, bound->value);
        break;
    case FIGURE_SHARE:
        words_share(out, bound->value);
        break;
    case FIGURE_TIME:
        add_duration(out, bound->value);
        break;
    case FIGURE_SURE:
        buf_add(out, str_from(confidence_text((enum confidence)bound->value)));
        break;
    }
    buf_add(out, str_from(bound_words[key].behind));
    if (key == BOUND_RATIO)
        buf_add(out, tier->ratio_to.id);
}

void words_tier(struct buf *out, const struct tier *tier)
{
    size_t n = 0;

    for (enum bound_key key = 0; key < N_BOUNDS; key++) {
        if (tier->bounds[key].op == BOUND_NONE)
            continue;
        if (n++)
            buf_add(out, STR(", "));
        add_bound(out, tier, key);
    }
    if (!n)
        buf_add(out, STR("always"));
}

void words_group_by(struct buf *out, const struct rule *rule)
{
    /* ORDER BUCKET */
    static const char *const words[] = {
        [BUCKET_SITE] = "of one place",
        [BUCKET_STACK] = "of one stack",
        [BUCKET_LEAF] = "of one function",
        [BUCKET_CREATED_BY] = "of one starter",
        [BUCKET_RULE] = "of the whole process",
        [BUCKET_LABEL] = "of one value of the label ",
    };

    buf_add(out, str_from(words[rule->group_by.by]));
    if (rule->group_by.by == BUCKET_LABEL)
        buf_add(out, rule->group_by.label);
}

void words_group_by_key(struct buf *out, const struct rule *rule)
{
    /* ORDER BUCKET */
    static const char *const words[] = {
        [BUCKET_SITE] = "site", [BUCKET_STACK] = "stack",
        [BUCKET_LEAF] = "leaf", [BUCKET_CREATED_BY] = "created_by",
        [BUCKET_RULE] = "rule", [BUCKET_LABEL] = "label:",
    };

    buf_add(out, str_from(words[rule->group_by.by]));
    if (rule->group_by.by == BUCKET_LABEL)
        buf_add(out, rule->group_by.label);
}

enum cprof_severity rule_worst(const struct rule *rule)
{
    enum cprof_severity worst = CPROF_SEVERITY_OK;

    for (size_t i = 0; i < rule->when.count; i++) {
        if (rule->when.items[i].severity > worst)
            worst = rule->when.items[i].severity;
    }
    return worst;
}
