#include "rules/bound.h"

/* ORDER BOUND: as enum bound_key. */
static const struct {
    const char *name;
    bool needs_history;
    bool needs_debug2;
} keys[N_BOUNDS] = {
    {"count", false, false},    {"share", false, false},
    {"waiters", false, false},  {"rank", false, false},
    {"age", false, true},       {"age_p50", false, true},
    {"growth", true, false},    {"slope", true, false},
    {"survivors", true, true},  {"ids_old", false, true},
    {"ratio_to", false, false},
};

bool bound_holds(const struct bound *bound, const struct figure *figure)
{
    if (bound->op == BOUND_NONE)
        return true;
    if (!figure->is_known)
        return false;
    switch (bound->op) {
    case BOUND_AT_LEAST:
        return figure->value >= bound->value;
    case BOUND_ABOVE:
        return figure->value > bound->value;
    case BOUND_AT_MOST:
        return figure->value <= bound->value;
    case BOUND_BELOW:
        return figure->value < bound->value;
    case BOUND_EQUAL:
        return figure->value >= bound->value && figure->value <= bound->value;
    case BOUND_NONE:
        break;
    }
    return true;
}

const char *bound_name(enum bound_key key)
{
    return keys[key].name;
}

const char *bound_op_text(enum bound_op op)
{
    static const char *const texts[] = {"", ">=", ">", "<=", "<", "=="};

    return texts[op];
}

bool bound_needs_history(enum bound_key key)
{
    return keys[key].needs_history;
}

bool bound_needs_debug2(enum bound_key key)
{
    return keys[key].needs_debug2;
}
