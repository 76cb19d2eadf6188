#include "report/human.h"

#include "model/evidence.h"

/* A share in hundredths of a percent, kept away from all and nothing. */
static unsigned basis_points(double share)
{
    double points = share * 10000 + 0.5;

    if (share >= 1)
        return 10000;
    return points >= 10000 ? 9999 : (unsigned)points;
}

void share_add_fixed(struct buf *buf, double share)
{
    unsigned points = basis_points(share);

    if (share > 0 && points == 0)
        buf_add(buf, STR("<0.01 %"));
    else
        buf_addf(buf, "%u.%02u %%", points / 100, points % 100);
}

struct unit {
    uint64_t seconds;
    char letter;
};

static const struct unit units[] = {
    {86400, 'd'}, {3600, 'h'}, {60, 'm'}, {1, 's'}};

enum { N_UNITS = sizeof(units) / sizeof(units[0]) };

/* The largest unit of which there is one at least. */
static size_t unit_of(uint64_t seconds)
{
    size_t i = 0;

    while (i + 1 < N_UNITS && seconds < units[i].seconds)
        i++;
    return i;
}

void age_add_short(struct buf *buf, uint64_t seconds)
{
    size_t i = unit_of(seconds);
    uint64_t rest = seconds % units[i].seconds;

    buf_addf(buf, "%llu%c", (unsigned long long)(seconds / units[i].seconds),
             units[i].letter);
    if (i + 1 < N_UNITS && rest >= units[i + 1].seconds)
        buf_addf(buf, "%llu%c",
                 (unsigned long long)(rest / units[i + 1].seconds),
                 units[i + 1].letter);
}

void age_add_wait(struct buf *buf, uint32_t minutes)
{
    uint32_t least = wait_at_least(minutes);

    if (!least)
        buf_add_char(buf, '~');
    age_add_short(buf, (uint64_t)(least ? least : minutes) * 60);
    if (least)
        buf_add_char(buf, '+');
}

void group_by_add(struct buf *buf, const struct cprof_options *options)
{
    static const char *const words[] = {
        [GROUP_BY_STACK] = "stack",       [GROUP_BY_SITE] = "site",
        [GROUP_BY_FUNCTION] = "function", [GROUP_BY_CREATOR] = "creator",
        [GROUP_BY_PACKAGE] = "package",   [GROUP_BY_STATE] = "state",
        [GROUP_BY_LABEL] = "label:",
    };

    buf_add(buf, str_from(words[options->group_by]));
    if (options->group_by == GROUP_BY_LABEL)
        buf_add(buf, str_from(options->group_by_label));
}
