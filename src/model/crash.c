#include "model/crash.h"

/* ORDER CRASH: as enum crash_kind. */
static const char *const words[] = {"panic", "fatal error", "signal"};

const char *crash_kind_text(enum crash_kind kind)
{
    return words[kind];
}
