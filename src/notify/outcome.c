#include "notify/outcome.h"

/* How bad each status is when targets are added up. ORDER CHECK: as enum
 * check_status. */
static const struct {
    const char *text;
    int rank;
} statuses[] = {{"OK", 0}, {"WARNING", 2}, {"CRITICAL", 3}, {"UNKNOWN", 1}};

enum check_status check_status_worse(enum check_status a, enum check_status b)
{
    return statuses[b].rank > statuses[a].rank ? b : a;
}

const char *check_status_text(enum check_status status)
{
    return statuses[status].text;
}

const char *alert_state_text(enum alert_state state)
{
    static const char *const texts[] = {"pending", "firing", "resolved"};

    return texts[state];
}
