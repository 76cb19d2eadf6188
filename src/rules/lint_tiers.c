#include "rules/lint.h"

/* Whether every figure that a bound lets pass is let pass by another one. */
static bool implies(const struct bound *bound, const struct bound *other)
{
    bool is_lower = bound->op == BOUND_AT_LEAST || bound->op == BOUND_ABOVE;
    bool is_upper = bound->op == BOUND_AT_MOST || bound->op == BOUND_BELOW;

    switch (other->op) {
    case BOUND_NONE:
        return true;
    case BOUND_AT_LEAST:
        return (is_lower || bound->op == BOUND_EQUAL) &&
               bound->value >= other->value;
    case BOUND_ABOVE:
        return bound->op == BOUND_ABOVE
                   ? bound->value >= other->value
                   : (is_lower || bound->op == BOUND_EQUAL) &&
                         bound->value > other->value;
    case BOUND_AT_MOST:
        return (is_upper || bound->op == BOUND_EQUAL) &&
               bound->value <= other->value;
    case BOUND_BELOW:
        return bound->op == BOUND_BELOW
                   ? bound->value <= other->value
                   : (is_upper || bound->op == BOUND_EQUAL) &&
                         bound->value < other->value;
    case BOUND_EQUAL:
        break;
    }
    return bound->op == BOUND_EQUAL && bound->value >= other->value &&
           bound->value <= other->value;
}

/* Whether a tier can only hold where an earlier one holds as well. */
static bool is_hidden_by(const struct tier *tier, const struct tier *earlier)
{
    for (unsigned key = 0; key < N_BOUNDS; key++) {
        if (!implies(&tier->bounds[key], &earlier->bounds[key]))
            return false;
    }
    return earlier->bounds[BOUND_RATIO].op == BOUND_NONE ||
           str_equal(tier->ratio_to.id, earlier->ratio_to.id);
}

static void lint_hidden(const struct lint *lint, const struct rule *rule,
                        size_t index)
{
    const struct tier *tier = &rule->when.items[index];

    for (size_t i = 0; i < index; i++) {
        if (!is_hidden_by(tier, &rule->when.items[i]))
            continue;
        lint_add(lint, PROBLEM_WARNING, rule, &tier->origin,
                 "this tier is never reached: whenever it holds, tier %zu "
                 "holds too and comes first",
                 i + 1);
        return;
    }
}

/* Whether a match holds for nothing unless the dump is a debug=2 one. */
static bool match_needs_debug2(const struct match *match)
{
    return match->created_by.count || match->locked == WANTED_YES;
}

/* A rule should have something to say of every kind of dump. */
void lint_tiers(const struct lint *lint, const struct rule *rule)
{
    bool is_acknowledged = rule->needs == NEEDS_DEBUG2;
    size_t n_history = 0;
    size_t n_debug2 = 0;
    size_t n = rule->when.count;

    for (size_t i = 0; i < n; i++) {
        const struct tier *tier = &rule->when.items[i];
        bool history = tier_asks_for(tier, bound_needs_history);

        lint_hidden(lint, rule, i);
        n_history += history;
        n_debug2 += history || tier_asks_for(tier, bound_needs_debug2);
    }
    if (n && n_history == n)
        lint_add(lint, PROBLEM_WARNING, rule, &rule->when.items[0].origin,
                 "one dump never reaches a tier: all ask for growth, slope or "
                 "survivors; add one that does not");
    else if (n && n_debug2 == n && !is_acknowledged)
        lint_add(lint, PROBLEM_WARNING, rule, &rule->when.items[0].origin,
                 "a debug=1 dump never reaches a tier: it tells no ages and no "
                 "ids; add a tier without, or say 'needs: debug2'");
    if (match_needs_debug2(&rule->match) && !is_acknowledged)
        lint_add(lint, PROBLEM_WARNING, rule, &rule->match_at,
                 "only debug=2 tells 'created_by' and 'locked', so a debug=1 "
                 "dump never matches; say 'needs: debug2' if that is meant");
    if (is_acknowledged && !match_needs_debug2(&rule->match) &&
        (!n || n_debug2 < n))
        lint_add(lint, PROBLEM_WARNING, rule, NULL,
                 "'needs: debug2' is said, but debug=1 tells all that the rule "
                 "asks for");
}
