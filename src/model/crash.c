#include "model/crash.h"

/* ORDER CRASH: as enum crash_kind. */
static const char *const words[] = {"panic", "fatal error", "signal"};

bool crash_is_timeout(const struct crash *crash)
{
    switch (crash->kind) {
    case CRASH_PANIC:
        return str_starts(crash->message, STR("test timed out after "));
    case CRASH_SIGNAL:
        return str_contains(crash->message, STR("\n*** Test killed "));
    default:
        return false;
    }
}

const char *crash_kind_text(enum crash_kind kind)
{
    return words[kind];
}
