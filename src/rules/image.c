#include "rules/image.h"

#define COUNT_OF(array)    (sizeof(array) / sizeof((array)[0]))
#define RULE(field)        offsetof(struct rule, field)
#define MATCH(base, field) ((base) + offsetof(struct match, field))

/* The fields of a match that begins there in the object. */
#define MATCH_FIELDS(base)                                                     \
 {MATCH(base, states), FIELD_LONG}, {MATCH(base, leaf), FIELD_PATTERNS},       \
     {MATCH(base, site), FIELD_PATTERNS}, {MATCH(base, any), FIELD_PATTERNS},  \
     {MATCH(base, all), FIELD_PATTERNS}, {MATCH(base, chain), FIELD_PATTERNS}, \
     {MATCH(base, bottom), FIELD_PATTERNS},                                    \
     {MATCH(base, created_by), FIELD_PATTERNS},                                \
     {MATCH(base, file), FIELD_PATTERNS},                                      \
     {MATCH(base, crash), FIELD_PATTERNS}, {(base), FIELD_LABELS},             \
     {MATCH(base, locked), FIELD_NUMBER}, {MATCH(base, leaked), FIELD_NUMBER}, \
     {MATCH(base, cycle), FIELD_NUMBER},                                       \
     {MATCH(base, stranded), FIELD_NUMBER},                                    \
     {MATCH(base, request), FIELD_NUMBER},                                     \
     {MATCH(base, tended), FIELD_NUMBER}, {MATCH(base, limit), FIELD_NUMBER},  \
     {MATCH(base, finalizer), FIELD_NUMBER},                                   \
     {MATCH(base, state_required), FIELD_NUMBER},                              \
 {                                                                             \
  MATCH(base, except), FIELD_NOT                                               \
 }

static const struct image_field rule_fields[] = {
    {RULE(info.id), FIELD_TEXT},
    {RULE(info.title), FIELD_TEXT},
    {RULE(info.class), FIELD_NUMBER},
    {RULE(info.line), FIELD_LONG},
    {RULE(prose_in), FIELD_LONG},
    MATCH_FIELDS(RULE(match)),
    {RULE(exceptions), FIELD_EXCEPTIONS},
    {RULE(with.any_of), FIELD_REFS},
    {RULE(with.all_of), FIELD_REFS},
    {RULE(with.none_of), FIELD_REFS},
    {RULE(when), FIELD_TIERS},
    {RULE(status), FIELD_NUMBER},
    {RULE(needs), FIELD_NUMBER},
    {RULE(group_by.by), FIELD_NUMBER},
    {RULE(group_by.label), FIELD_TEXT},
    {RULE(confidence), FIELD_NUMBER},
    {RULE(specificity), FIELD_NUMBER},
    {RULE(before_normal), FIELD_NUMBER},
    {RULE(beside), FIELD_NUMBER},
    {RULE(enabled), FIELD_NUMBER},
    {RULE(go_text), FIELD_TEXT},
    {RULE(go.least), FIELD_NUMBER},
    {RULE(go.below), FIELD_NUMBER},
};

static const struct image_field exception_fields[] = {
    {offsetof(struct exception, name), FIELD_TEXT},
    MATCH_FIELDS(offsetof(struct exception, match)),
};

static const struct image_field match_fields[] = {MATCH_FIELDS(0)};

#define BOUND(key)                                                             \
 {offsetof(struct tier, bounds[key].op), FIELD_NUMBER},                        \
 {                                                                             \
  offsetof(struct tier, bounds[key].value), FIELD_DOUBLE                       \
 }

static const struct image_field tier_fields[] = {
    {offsetof(struct tier, severity), FIELD_NUMBER},
    BOUND(BOUND_COUNT),
    BOUND(BOUND_SHARE),
    BOUND(BOUND_WAITERS),
    BOUND(BOUND_RANK),
    BOUND(BOUND_AGE),
    BOUND(BOUND_AGE_P50),
    BOUND(BOUND_GROWTH),
    BOUND(BOUND_SLOPE),
    BOUND(BOUND_SURVIVORS),
    BOUND(BOUND_IDS_OLD),
    BOUND(BOUND_RATIO),
    {offsetof(struct tier, ratio_to.id), FIELD_TEXT},
};

static_assert(COUNT_OF(tier_fields) == 2 + 2 * N_BOUNDS, "every bound");

const struct image_table image_rule = {rule_fields, COUNT_OF(rule_fields)};
const struct image_table image_match = {match_fields, COUNT_OF(match_fields)};
const struct image_table image_exception = {exception_fields,
                                            COUNT_OF(exception_fields)};
const struct image_table image_tier = {tier_fields, COUNT_OF(tier_fields)};
