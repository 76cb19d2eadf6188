#include "analysis/holding.h"

const char *holding_kind_text(enum holding_kind kind)
{
    /* ORDER HOLDING */
    static const char *const words[] = {
        "sync.Mutex",     "sync.RWMutex", "sync.Once", "file lock",
        "sync.WaitGroup", "sync.Cond",    "channel",   "pool",
    };

    return words[kind];
}

const char *evidence_kind_text(enum evidence_kind kind)
{
    /* ORDER EVIDENCE */
    static const char *const words[] = {
        "none",      "busy_in_file", "same_file", "must_read",
        "neighbour", "function",     "past_call", "started",
        "past_lock", "near_address", "object",    "address",
    };

    return words[kind];
}

const char *certainty_text(enum certainty certainty)
{
    static const char *const words[] = {"low", "medium", "high"};

    return words[certainty];
}
