/* match.h - whether a rule's `match` holds for a group.
 *
 * A group is spread out once (subject_set) and then asked about by every
 * rule. Keys are tried cheapest first, and each pattern runs once for each
 * distinct name (pattern.h). */
#ifndef RULES_MATCH_H
#define RULES_MATCH_H

#include "analysis/analysis.h"
#include "rules/rule.h"

/* A group as patterns see it. Room is kept from one group to the next. */
struct subject {
    const struct symbols *symbols;
    const struct joined_group *group;
    text_id *functions; /* of each frame, leaf first */
    text_id *files;
    size_t n_frames;
    size_t size; /* frames that there is room for */
    size_t leaf; /* index of the leaf; n_frames = none */
    size_t site;
    size_t bottom; /* last frame that is not the runtime's own start code */
};

/* Frees what the subject holds. */
void subject_done(struct subject *subject);

/* Takes the next group. False when memory ran out. */
bool subject_set(struct subject *subject, const struct symbols *symbols,
                 const struct joined_group *group);

/* Calls visit for each pattern of a rule, with where it was written:
 * rule_each_name for those that are asked about the names of functions,
 * rule_each_pattern for all of them. */
typedef void pattern_visit_fn(void *user, struct pattern *pattern,
                              const struct origin *origin);
void rule_each_name(const struct rule *rule, pattern_visit_fn *visit,
                    void *user);
void rule_each_pattern(const struct rule *rule, pattern_visit_fn *visit,
                       void *user);

/* Whether a match can hold for any group at all, once its patterns have been
 * prepared for the name of every function (patterns_prepare). */
bool match_is_possible(const struct match *match);

/* Whether a rule's match holds and none of its exceptions. A pattern that gives
 * up is neither a match nor none, so the rule does not match then, wherever in
 * it the pattern stands. */
bool match_holds(const struct rule *rule, const struct subject *subject);

/* Whether the group's state is among those that a match lists, rather than one
 * that was let pass because nothing better is known. True without a list. */
bool match_state_is_listed(const struct match *match, state_id state);

#endif
