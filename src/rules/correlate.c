#include "rules/correlate.h"

#include <stdlib.h>

#include "rules/bucket.h"
#include "rules/link.h"

enum progress { IS_NEW, IS_ASKED, IS_KNOWN };

/* What a rule finds by itself. */
struct echo {
    const struct rule *rule;
    enum progress progress;
    uint64_t *counts; /* goroutines that it matches, in each snapshot */
    bool *is_found;   /* whether one of its tiers holds there */
    struct echo *next;
};

static struct echo *find_echo(const struct judge *judge,
                              const struct rule *rule)
{
    struct echo *echo = judge->echoes;

    while (echo && echo->rule != rule)
        echo = echo->next;
    return echo;
}

static struct echo *new_echo(struct judge *judge, const struct rule *rule)
{
    struct echo *echo = calloc(1, sizeof(*echo));

    if (!echo)
        return NULL;
    echo->rule = rule;
    echo->counts = calloc(judge->n_snapshots + 1, sizeof(*echo->counts));
    echo->is_found = calloc(judge->n_snapshots + 1, sizeof(*echo->is_found));
    echo->next = judge->echoes;
    judge->echoes = echo;
    return echo->counts && echo->is_found ? echo : NULL;
}

/* Whether a rule may see a group here. */
static bool is_visible(const struct judge *judge, const struct rule *rule,
                       size_t group)
{
    const struct joined_group *joined = analysis_group(judge->analysis, group);
    const struct rule *owner = findings_owner_of(judge->findings, group);

    if (joined->is_filtered)
        return false;
    return !owner || owner->info.class != CLASS_NORMAL ||
           rule->info.class == CLASS_NORMAL;
}

/* Lists what a rule matches, and counts it. */
static bool collect(struct judge *judge, struct echo *echo,
                    struct members *members)
{
    for (size_t i = 0; i < analysis_n_groups(judge->analysis); i++) {
        const struct joined_group *group = analysis_group(judge->analysis, i);

        if (!is_visible(judge, echo->rule, i))
            continue;
        if (!subject_set(&judge->subject, judge->symbols, group))
            return false;
        if (!match_holds(echo->rule, &judge->subject))
            continue;
        for (size_t s = 0; s < judge->n_snapshots; s++)
            echo->counts[s] += joined_count(group, judge->snapshots[s]);
        if (!members_add(judge, members, i))
            return false;
    }
    return members_sort(judge, members);
}

/* Says where one of the rule's tiers holds. A normal rule has none: it is
 * found where it matches. */
static void weigh(struct judge *judge, struct echo *echo,
                  const struct members *members)
{
    size_t end;

    for (size_t s = 0; s < judge->n_snapshots; s++)
        echo->is_found[s] =
            echo->rule->info.class == CLASS_NORMAL && echo->counts[s];
    for (size_t begin = 0; begin < members->count; begin = end) {
        struct bucket bucket;

        end = members_bucket_end(members, begin);
        bucket = bucket_fill(judge, members, begin, end, true);
        for (size_t s = 0; s < judge->n_snapshots; s++) {
            size_t tier = 0;

            if (bucket_severity_in(judge, &bucket, s, &tier) !=
                CPROF_SEVERITY_OK)
                echo->is_found[s] = true;
        }
    }
}

/* What asking one rule after the other needs. */
struct asking {
    struct judge *judge;
    bool failed; /* memory ran out */
};

static void ask_ref(void *user, const struct rule *rule, struct rule_ref *ref);

static bool is_judging(const struct judge *judge, const struct rule *rule)
{
    for (size_t i = 0; i < judge->n_rules; i++) {
        if (judge->rules[i] == rule)
            return true;
    }
    return false;
}

/* Asks a rule, unless that was done; those that it names come first. */
static void ask(struct asking *asking, const struct rule *rule)
{
    struct judge *judge = asking->judge;
    struct members members = {.rule = rule};
    struct echo *echo;

    if (asking->failed || find_echo(judge, rule) || !is_judging(judge, rule))
        return;
    echo = new_echo(judge, rule);
    if (!echo) {
        asking->failed = true;
        return;
    }
    echo->progress = IS_ASKED;
    rule_each_ref(rule, ask_ref, asking);
    if (!asking->failed) {
        asking->failed = !collect(judge, echo, &members);
        if (!asking->failed)
            weigh(judge, echo, &members);
        echo->progress = IS_KNOWN;
    }
    members_done(judge, &members);
}

static void ask_ref(void *user, const struct rule *rule, struct rule_ref *ref)
{
    (void)rule;
    if (ref->rule)
        ask(user, ref->rule);
}

bool correlate_rules(struct judge *judge, size_t first, size_t end)
{
    struct asking asking = {judge, false};

    for (size_t i = first; i < end; i++)
        rule_each_ref(judge->rules[i], ask_ref, &asking);
    return !asking.failed;
}

void correlate_done(struct judge *judge)
{
    while (judge->echoes) {
        struct echo *echo = judge->echoes;

        judge->echoes = echo->next;
        free(echo->counts);
        free(echo->is_found);
        free(echo);
    }
}

uint64_t correlate_count(const struct judge *judge, const struct rule *rule,
                         size_t snapshot)
{
    const struct echo *echo = rule ? find_echo(judge, rule) : NULL;

    return echo && echo->progress == IS_KNOWN ? echo->counts[snapshot] : 0;
}

/* How many of the named rules find something. */
static size_t count_found(const struct judge *judge,
                          const struct rule_refs *refs, size_t snapshot)
{
    size_t n = 0;

    for (size_t i = 0; i < refs->count; i++) {
        const struct echo *echo =
            refs->items[i].rule ? find_echo(judge, refs->items[i].rule) : NULL;

        n += echo && echo->progress == IS_KNOWN && echo->is_found[snapshot];
    }
    return n;
}

bool correlate_holds(const struct judge *judge, const struct with *with,
                     size_t snapshot)
{
    if (with->any_of.count && !count_found(judge, &with->any_of, snapshot))
        return false;
    return count_found(judge, &with->all_of, snapshot) == with->all_of.count &&
           !count_found(judge, &with->none_of, snapshot);
}
